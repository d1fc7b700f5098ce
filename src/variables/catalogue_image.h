// SPDX-License-Identifier: MIT
// The catalogue as it lies in the binary: bytes without pointers, so that loading the program
// relocates nothing. scripts/cmake/make_catalogue writes it; catalogue.cpp and releases.cpp make
// structures of a row when they are asked for.
//
// Texts stand one after another, each once, and are named by their index: first those that rows
// name most often, then the names of the variables in order, then the others. A row is a run of
// numbers, seven bits a byte with the lowest first, the eighth bit set in all but the last byte.
// Each is the index of a text, a count, or marks: one bit for each of the things that follow.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace rocenv {

struct CatalogueImage {
    const char* bytes;
    const std::uint8_t* text_starts;  // of three bytes each, the lowest first; a last one ends
    const std::uint8_t* rows;
    const std::uint8_t* row_starts;  // of three bytes each
    std::uint32_t first_name;        // the index of a text
    // How many rows there are of each kind, one kind after another.
    std::uint32_t variables;  // by name
    std::uint32_t families;   // by prefix
    std::uint32_t conflicts;
    std::uint32_t releases;  // by program
};

extern const CatalogueImage catalogue_image;

// The text of an index.
std::string_view image_text(std::size_t index);

// Where the rows of each kind start.
inline std::size_t first_family() {
    return catalogue_image.variables;
}
inline std::size_t first_conflict() {
    return first_family() + catalogue_image.families;
}
inline std::size_t first_release() {
    return first_conflict() + catalogue_image.conflicts;
}

// Reads the numbers of one row, one after another.
class ImageRow {
   public:
    explicit ImageRow(std::size_t row);

    std::uint32_t number();
    std::string_view text() { return image_text(number()); }
    // A count, and as many texts.
    std::vector<std::string_view> texts();

   private:
    const std::uint8_t* next_;
};

}  // namespace rocenv
