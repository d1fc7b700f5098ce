// SPDX-License-Identifier: MIT
// Writes SVG. Shapes have CSS classes, and text stays selectable text. Units are pixels; y
// increases downwards.
#pragma once

#include <string>
#include <string_view>

namespace rocenv {

// A rectangle.
struct SvgBox {
    double x = 0;
    double y = 0;
    double width = 0;
    double height = 0;
    // Returns the x of the right edge.
    double right() const { return x + width; }
    // Returns the y of the lower edge.
    double bottom() const { return y + height; }
    // Returns the x of the centre.
    double middle() const { return x + width / 2; }
};

// The part of a text that is at its x.
enum class Anchor { start, middle };

// An SVG file in progress. Names, titles and texts are escaped; `style` and `css` are not.
class SvgWriter {
   public:
    // Begins a group with a name for screen readers. Close each group.
    void open_group(std::string_view name);
    void close_group() { out_ += "</g>\n"; }
    // Adds a rectangle with round corners. `style` is a CSS class; all lengths are in pixels.
    void box(std::string_view style, const SvgBox& box);
    // Adds one line of text; `y` is its baseline. Unprintable bytes are escaped. If the result has
    // more than 200 bytes, the text is cut and ends with "...".
    void text(std::string_view style, Anchor anchor, double x, double y, std::string_view text);
    // Adds a line down from the first point to `turn`, across, and down to the second.
    void elbow(std::string_view style, double x1, double y1, double turn, double x2, double y2);
    // Adds a straight line.
    void line(std::string_view style, double x1, double y1, double x2, double y2);
    // Adds an arc that hangs `depth` below two points of equal height.
    void bow(std::string_view style, double x1, double x2, double y, double depth);

    // Returns the whole file, on a background of class "page".
    std::string finish(double width, double height, std::string_view title,
                       std::string_view css) const;

   private:
    void path(std::string_view style, const std::string& data);
    std::string out_;
};

// Returns the text if it has at most `most` bytes. Otherwise returns its first whole characters
// (fewer than `most` bytes) and an ellipsis of 3 bytes. The result may have `most` + 2 bytes.
std::string cut_text(std::string_view text, std::size_t most);

}  // namespace rocenv
