// SPDX-License-Identifier: MIT
#include "variables/catalogue_image.h"

namespace rocenv {

namespace {

std::size_t start_at(const std::uint8_t* starts, std::size_t index) {
    const std::uint8_t* bytes = starts + 3 * index;
    return bytes[0] | static_cast<std::size_t>(bytes[1]) << 8 |
           static_cast<std::size_t>(bytes[2]) << 16;
}

}  // namespace

std::string_view image_text(std::size_t index) {
    const std::size_t start = start_at(catalogue_image.text_starts, index);
    const std::size_t end = start_at(catalogue_image.text_starts, index + 1);
    return {catalogue_image.bytes + start, end - start};
}

ImageRow::ImageRow(std::size_t row)
    : next_(catalogue_image.rows + start_at(catalogue_image.row_starts, row)) {}

std::uint32_t ImageRow::number() {
    std::uint32_t value = 0;
    for (unsigned shift = 0;; shift += 7) {
        const std::uint32_t byte = *next_++;
        value |= (byte & 0x7f) << shift;
        if (byte < 0x80) {
            return value;
        }
    }
}

std::vector<std::string_view> ImageRow::texts() {
    std::vector<std::string_view> out(number());
    for (auto& each : out) {
        each = text();
    }
    return out;
}

}  // namespace rocenv
