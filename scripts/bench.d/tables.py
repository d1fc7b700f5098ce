# SPDX-License-Identifier: MIT
"""Rows as a table for people, and the machine they were measured on."""
import os
import platform
import re
import subprocess
from pathlib import Path

COLUMNS = ("what", "median", "quartiles", "least", "allowed", "verdict")


def reported(value):
    return f"{value:.2f}" if abs(value) < 100 else f"{value:,.0f}"


def cells(row):
    single = row["low"] == row["high"] == row["least"]
    unit = f" {row['unit']}" if row["unit"] else ""
    limit = "" if row["limit"] is None else f"{'>=' if row['at_least'] else '<='} {row['limit']:g}{unit}"
    number = f"{row['median']:g}" if single else reported(row["median"])
    return [row["what"] + (f" ({row['note']})" if row["note"] else ""), number + unit,
            "" if single else f"{reported(row['low'])} - {reported(row['high'])}", "" if single else reported(row["least"]), limit, row["verdict"]]


def table(rows):
    lines = [list(COLUMNS), *map(cells, rows)]
    widths = [max(len(line[at]) for line in lines) for at in range(len(COLUMNS))]
    texts = [" | ".join(cell.ljust(width) for cell, width in zip(line, widths)).rstrip(" |") for line in lines]
    return "\n".join([texts[0], "-+-".join("-" * width for width in widths), *texts[1:]])


def machine():
    """What the figures depend on."""
    model = re.search(r"model name\s*: (.*)", Path("/proc/cpuinfo").read_text())
    compiler = subprocess.run(["gcc", "--version"], capture_output=True, text=True).stdout.splitlines()[0]
    return {"processor": model[1] if model else platform.machine(), "processors": os.cpu_count(),
            "kernel": ".".join(platform.release().split(".")[:2]), "compiler": compiler, "libc": " ".join(platform.libc_ver()),
            "load": f"{os.getloadavg()[0]:.1f}"}


def keep(folder, binary, found):
    """Writes the rows of the release to a page of its own."""
    version = subprocess.run([binary, "--version"], capture_output=True, text=True, check=True).stdout.split()[1]
    host = found["machine"]
    lines = [f"# Costs of {version}", "",
             f"{host['processor']}, {host['processors']} processors, Linux {host['kernel']}, {host['compiler']}, {host['libc']}, load "
             f"{host['load']}; {found['rounds']} rounds. Written by `scripts/bench --keep`.", "",
             "| what | median | quartiles | least | limit | verdict |", "|---|---|---|---|---|---|"]
    lines += ["| " + " | ".join(cell.replace("|", "\\|") for cell in cells(row)) + " |" for row in found["rows"]]
    lines += [f"\nNot compared: {each['what']} ({each['why']})." for each in found["not_compared"]]
    folder.mkdir(exist_ok=True)
    (folder / f"{version}.md").write_text("\n".join(lines) + "\n")
