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
    const auto is_below = [](const std::filesystem::path& whole) {
        return whole.lexically_normal().string().starts_with("/etc/rocenv/");
    };
    std::error_code failed;
    const auto whole = std::filesystem::absolute(path, failed);
    if (!failed && is_below(whole)) {
        return true;
    }
    const auto without_links = std::filesystem::canonical(path, failed);
    return !failed && is_below(without_links);
}

}  // namespace rocenv
