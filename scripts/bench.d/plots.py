# SPDX-License-Identifier: MIT
"""Pictures of the results: SVG that is readable on a light and on a dark page, made of plain text."""
import math
from html import escape

STYLE = """<style>
text { font: 13px system-ui, sans-serif; fill: #24292f } .dim { fill: #6e7781 } .axis { stroke: #8c959f; stroke-width: 1 }
.kept { fill: #2da44e } .over { fill: #cf222e } .limit { stroke: #24292f; stroke-width: 2 }
.line { fill: none; stroke: #0969da; stroke-width: 2 } .dot { fill: #0969da } .linear { stroke: #8c959f; stroke-dasharray: 4 4; fill: none }
@media (prefers-color-scheme: dark) { text { fill: #e6edf3 } .dim { fill: #9198a1 } .limit { stroke: #e6edf3 }
.kept { fill: #3fb950 } .over { fill: #f85149 } .line { stroke: #58a6ff } .dot { fill: #58a6ff } }
</style>"""


def svg(width, height, parts, title):
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" role="img">'
    return "\n".join([head, f"<title>{escape(title)}</title>", STYLE, *parts, "</svg>", ""])


def text(x, y, said, anchor="start", kind=""):
    return f'<text x="{x:.0f}" y="{y:.0f}" text-anchor="{anchor}"{f" class={chr(34)}{kind}{chr(34)}" if kind else ""}>{escape(said)}</text>'


def line(x1, y1, x2, y2, kind):
    return f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" class="{kind}"/>'


def share(row):
    """How much of what is allowed was used; 1 is the limit."""
    if row["at_least"]:
        return row["limit"] / row["median"]
    return max(0.0, row["median"]) / row["limit"]


def ratios(found):
    """A bar for each row that has a limit, as a share of the limit."""
    rows = [row for row in found["rows"] if row["limit"]]
    left, wide, step, top = 330, 300, 26, 44
    scale = wide / 2  # two limits fit
    parts = [text(left + scale, 20, "allowed", "middle", "dim"), text(left, 20, "0", "middle", "dim")]
    for at, row in enumerate(rows):
        y, used = top + at * step, share(row)
        bar = min(used * scale, wide + 20)
        value = f"{row['median']:.2f} {row['unit']} of {row['limit']:g}" + (" at least" if row["at_least"] else "")
        parts += [text(left - 10, y + 4, row["what"], "end"), text(left + max(bar, scale) + 10, y + 4, value, "start", "dim"),
                  f'<rect x="{left}" y="{y - 8}" width="{max(bar, 1):.1f}" height="16" class="{"over" if used > 1 else "kept"}"/>']
    bottom = top + len(rows) * step - 8
    parts += [line(left + scale, 28, left + scale, bottom, "limit"), line(left, 28, left, bottom, "axis")]
    return svg(left + wide + 190, bottom + 16, parts, "Share of the limits in section 17 of the contract")


def growth_panel(x, y, curve):
    """One curve over a logarithmic axis of sizes; the dashed line is its limit."""
    wide, high = 380, 150
    sizes, costs = [math.log(size) for size, _ in curve["points"]], [cost for _, cost in curve["points"]]
    limit = curve["limit"]
    top = max(*costs, limit) * 1.1

    def point_of(size, cost):
        return x + wide * (size - sizes[0]) / (sizes[-1] - sizes[0]), y + high - high * cost / top
    points = [point_of(*point) for point in zip(sizes, costs)]
    path = " ".join(f"{px:.1f},{py:.1f}" for px, py in points)
    labels = [text(px, y + high + 16, f"{size:,}", anchor, "dim") + text(px, py - 8, f"{cost:,.0f}", anchor, "dim")
              for (px, py), (size, cost), anchor in zip(points, curve["points"], ["start", *["middle"] * (len(sizes) - 2), "end"])]
    return [text(x, y - 22, f"{curve['what']}, {curve['unit']}"), line(x, y + high, x + wide, y + high, "axis"),
            line(x, y, x, y + high, "axis"), line(*point_of(sizes[1], limit), *point_of(sizes[-1], limit), "linear"),
            f'<polyline points="{path}" class="line"/>',
            *(f'<circle cx="{px:.1f}" cy="{py:.1f}" r="3" class="dot"/>' for px, py in points), *labels]


def growth(found):
    parts = []
    for at, curve in enumerate(found["curves"]):
        parts += growth_panel(30 + at % 2 * 440, 50 + at // 2 * 230, curve)
    rows = math.ceil(len(found["curves"]) / 2)
    return svg(890, rows * 230 + 20, parts, "Growth of costs; dashed: the limit, 15 % over the second size")


def write(folder, name, picture):
    folder.mkdir(parents=True, exist_ok=True)
    (folder / name).write_text(picture)
