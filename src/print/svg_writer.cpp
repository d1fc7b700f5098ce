// SPDX-License-Identifier: MIT
#include "print/svg_writer.h"

#include <cstdlib>

#include "print/escape.h"
#include "util/decimal.h"
#include "util/text.h"

namespace rocenv {

namespace {

// Returns a length with one decimal; without a decimal of 0.
std::string pixels(double value) {
    const auto tenths = nearest_integer(value * 10);
    const auto rest = std::abs(tenths % 10);
    return (tenths < 0 && tenths > -10 ? "-" : "") + number(tenths / 10) +
           (rest == 0 ? "" : "." + number(rest));
}

std::string attribute(std::string_view name, double value) {
    return " " + std::string(name) + "=\"" + pixels(value) + "\"";
}

std::string class_of(std::string_view style) {
    return " class=\"" + std::string(style) + "\"";
}

}  // namespace

void SvgWriter::open_group(std::string_view name) {
    out_ += "<g><title>" + xml_text(name) + "</title>\n";
}

void SvgWriter::box(std::string_view style, const SvgBox& box) {
    out_ += "<rect" + class_of(style) + attribute("x", box.x) + attribute("y", box.y) +
            attribute("width", box.width) + attribute("height", box.height) + " rx=\"6\"/>\n";
}

void SvgWriter::text(std::string_view style, Anchor anchor, double x, double y,
                     std::string_view text) {
    out_ += "<text" + class_of(style) + attribute("x", x) + attribute("y", y) +
            (anchor == Anchor::middle ? " text-anchor=\"middle\"" : "") + ">" +
            xml_text(printable(text)) + "</text>\n";
}

void SvgWriter::path(std::string_view style, const std::string& data) {
    out_ += "<path" + class_of(style) + " d=\"" + data + "\"/>\n";
}

void SvgWriter::elbow(std::string_view style, double x1, double y1, double turn, double x2,
                      double y2) {
    path(style, "M" + pixels(x1) + " " + pixels(y1) + "V" + pixels(turn) + "H" + pixels(x2) + "V" +
                    pixels(y2));
}

void SvgWriter::line(std::string_view style, double x1, double y1, double x2, double y2) {
    path(style, "M" + pixels(x1) + " " + pixels(y1) + "L" + pixels(x2) + " " + pixels(y2));
}

void SvgWriter::bow(std::string_view style, double x1, double x2, double y, double depth) {
    constexpr double pull = 4.0 / 3;  // a cubic's middle is at 3/4 of its control points
    const std::string low = pixels(y + depth * pull);
    path(style, "M" + pixels(x1) + " " + pixels(y) + "C" + pixels(x1) + " " + low + " " +
                    pixels(x2) + " " + low + " " + pixels(x2) + " " + pixels(y));
}

std::string SvgWriter::finish(double width, double height, std::string_view title,
                              std::string_view css) const {
    return "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 " + pixels(width) + " " +
           pixels(height) + "\"" + attribute("width", width) + attribute("height", height) +
           " role=\"img\">\n<title>" + xml_text(title) + "</title>\n<style>\n" + std::string(css) +
           "</style>\n<rect class=\"page\" width=\"100%\" height=\"100%\"/>\n" + out_ + "</svg>\n";
}

std::string cut_text(std::string_view text, std::size_t most) {
    if (text.size() <= most) {
        return std::string(text);
    }
    std::size_t size = most > 0 ? most - 1 : 0;
    while (size > 0 && (static_cast<unsigned char>(text[size]) & 0xc0U) == 0x80U) {
        --size;  // not within a character of UTF-8
    }
    return std::string(text.substr(0, size)) + "\xe2\x80\xa6";
}

}  // namespace rocenv
