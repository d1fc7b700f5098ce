// SPDX-License-Identifier: MIT
// Links of what is installed may lead to folders that a person or a site named
// ("/home/alice/rocm"). Their names are numbered, in every path, so that links still lead where
// they did.
#include <algorithm>
#include <array>
#include <set>

#include "os/redact/redact.h"
#include "util/text.h"

namespace rocenv {

namespace {

bool is_of_kernel(std::string_view path) {
    return path.starts_with("/sys/") || path.starts_with("/proc/");
}

// Names that packages give: "lib64", "rocm-6.2.0", "libamdhip64.so.6".
bool is_of_package(std::string_view name) {
    constexpr std::string_view plain =
        ". .. alternatives bin dist-packages etc home include lib lib32 lib64 local mnt opt "
        "scratch share site-packages srv usr var venv x86_64-linux-gnu";
    constexpr auto starts = std::to_array<std::string_view>({"rocm", "core", "python"});
    const auto versioned = [&](std::string_view start) {
        return name.starts_with(start) &&
               name.find_first_not_of("0123456789.-", start.size()) == std::string_view::npos;
    };
    return name.empty() || contains_word(plain, name) ||
           (name.starts_with("lib") && name.find(".so") != std::string_view::npos) ||
           std::any_of(starts.begin(), starts.end(), versioned);
}

class FolderNames {
   public:
    explicit FolderNames(const Notes& notes) {
        std::set<std::string> found;
        for (const auto& [path, note] : notes) {
            const bool leads = note.target && *note.target && !is_of_kernel(path);
            for (const auto name : split(leads ? std::string_view(**note.target) : "", '/')) {
                if (!is_of_package(name)) {
                    found.emplace(name);
                }
            }
        }
        for (const auto& name : found) {
            numbers_.emplace(name, "folder" + number(numbers_.size() + 1));
        }
    }

    bool empty() const { return numbers_.empty(); }
    std::string in(std::string_view path) const {
        std::vector<std::string> parts;
        for (const auto name : split(path, '/')) {
            const auto found = numbers_.find(name);
            parts.emplace_back(found == numbers_.end() ? std::string(name) : found->second);
        }
        return join(parts, "/");
    }

   private:
    std::map<std::string, std::string, std::less<>> numbers_;
};

}  // namespace

void redact_links(Notes& notes) {
    const FolderNames names(notes);
    if (names.empty()) {
        return;
    }
    Notes out;
    for (auto& [path, note] : notes) {
        if (is_of_kernel(path)) {
            out.emplace(path, std::move(note));
            continue;
        }
        if (note.target && *note.target) {
            note.target.emplace(names.in(**note.target));
        }
        if (note.names && *note.names) {
            for (auto& name : note.names->value()) {
                name = names.in(name);
            }
        }
        out.emplace(names.in(path), std::move(note));
    }
    notes = std::move(out);
}

}  // namespace rocenv
