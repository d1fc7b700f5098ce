// SPDX-License-Identifier: MIT
// Writes SVG: shapes with classes, text as text. Units are pixels, y grows downwards.
#pragma once

#include <string>
#include <string_view>

namespace rocenv {

struct SvgBox {
    double x = 0;
    double y = 0;
    double width = 0;
    double height = 0;
    double right() const { return x + width; }
    double bottom() const { return y + height; }
    double middle() const { return x + width / 2; }
};

enum class Anchor { start, middle };

class SvgWriter {
   public:
    // Ends what comes after it in a group with a name for those who cannot see.
    void open_group(std::string_view name);
    void close_group() { out_ += "</g>\n"; }
    void box(std::string_view style, const SvgBox& box);
    void text(std::string_view style, Anchor anchor, double x, double y, std::string_view text);
    // Down from the first point to `turn`, across, down to the second.
    void elbow(std::string_view style, double x1, double y1, double turn, double x2, double y2);
    void line(std::string_view style, double x1, double y1, double x2, double y2);
    // A bow that hangs `depth` below two points of one height.
    void bow(std::string_view style, double x1, double x2, double y, double depth);

    // The whole file, on a ground of class "page".
    std::string finish(double width, double height, std::string_view title,
                       std::string_view css) const;

   private:
    void path(std::string_view style, const std::string& data);
    std::string out_;
};

// `text` cut to `most` characters, the last of them an ellipsis.
std::string cut_text(std::string_view text, std::size_t most);

}  // namespace rocenv
