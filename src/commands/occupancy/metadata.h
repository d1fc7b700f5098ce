// SPDX-License-Identifier: MIT
// The YAML metadata of AMDGPU kernels, line by line: only the block form that LLVM and Tensile
// write, of which only scalars of the entries of amdhsa.kernels and amdhsa.target are looked at.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string_view>

namespace rocenv {

class MetadataScanner {
   public:
    struct Found {
        bool new_kernel = false;  // the line begins an entry of amdhsa.kernels
        bool of_kernel = false;   // key and value are of that entry; else of the document
        std::string_view key;
        std::string_view value;  // without quotes and comment; empty for a list or mapping
    };

    // nothing: the line says nothing that matters.
    std::optional<Found> line(std::string_view text);

   private:
    std::optional<Found> outside(std::string_view text);

    bool in_kernels_ = false;
    std::optional<std::size_t> dash_;  // columns of the entries' "-" and of their keys
    std::size_t keys_ = 0;
};

}  // namespace rocenv
