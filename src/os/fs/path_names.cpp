// SPDX-License-Identifier: MIT
#include "os/fs/path_names.h"

#include "util/text.h"

namespace rocenv {

void push_names(std::vector<std::string>& names, std::string_view path) {
    const auto parts = split(path, '/');
    for (auto part = parts.rbegin(); part != parts.rend(); ++part) {
        if (!part->empty() && *part != ".") {
            names.emplace_back(*part);
        }
    }
}

}  // namespace rocenv
