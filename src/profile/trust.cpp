// SPDX-License-Identifier: MIT
#include "profile/trust.h"

#include <filesystem>

namespace rocenv {

std::vector<std::string> doubt_lines(const std::vector<Doubt>& doubts) {
    std::vector<std::string> lines;
    for (const auto& doubt : doubts) {
        const bool used = doubt.use == Doubt::Use::named;
        lines.push_back(doubt.error.text +
                        (used ? "; the file is used as named" : "; the file is ignored"));
    }
    return lines;
}

bool is_site_path(const std::string& path) {
    std::error_code failed;
    const auto whole = std::filesystem::absolute(path, failed);
    return !failed && whole.lexically_normal().string().starts_with("/etc/rocenv/");
}

}  // namespace rocenv
