// SPDX-License-Identifier: MIT
#include "util/mountinfo.h"

#include <algorithm>
#include <array>

#include "util/text.h"

namespace rocenv {

namespace {

std::optional<Mount> parse_mount(std::string_view line) {
    const auto fields = words(line);
    const auto dash = std::find(fields.begin(), fields.end(), "-");
    constexpr std::ptrdiff_t first_optional = 6;
    if (dash - fields.begin() < first_optional || fields.end() - dash < 2) {
        return std::nullopt;
    }
    return Mount{fields[0], fields[2], fields[3], fields[4], dash[1]};
}

bool is_octal(std::string_view text) {
    return std::all_of(text.begin(), text.end(),
                       [](char each) { return each >= '0' && each <= '7'; });
}

// Replaces escapes such as \040 (linux fs/seq_file.c mangle_path).
std::string without_escapes(std::string_view text) {
    constexpr std::size_t digits = 3;
    std::string out;
    for (std::size_t at = 0; at < text.size(); ++at) {
        const auto code = text.substr(at + 1, digits);
        if (text[at] == '\\' && code.size() == digits && is_octal(code)) {
            out += static_cast<char>(((code[0] - '0') << 6) | ((code[1] - '0') << 3) |
                                     (code[2] - '0'));
            at += digits;
        } else {
            out += text[at];
        }
    }
    return out;
}

bool is_below(std::string_view path, std::string_view folder) {
    return folder == "/" || (path.starts_with(folder) &&
                             (path.size() == folder.size() || path[folder.size()] == '/'));
}

}  // namespace

std::vector<Mount> parse_mountinfo(std::string_view text) {
    std::vector<Mount> out;
    for (const auto line : split(text, '\n')) {
        if (const auto mount = parse_mount(line)) {
            out.push_back(*mount);
        }
    }
    return out;
}

std::optional<Mount> mount_of(const std::vector<Mount>& mounts, std::string_view path) {
    std::optional<Mount> out;
    std::size_t longest = 0;
    for (const auto& mount : mounts) {
        const std::string point = without_escapes(mount.point);
        if (is_below(path, point) && point.size() >= longest) {
            longest = point.size();
            out = mount;
        }
    }
    return out;
}

// The types are MIOpen's list (its function IsNetworked, 2026-11) and the parallel file systems of
// clusters.
bool is_network(const Mount& mount) {
    constexpr std::array<std::string_view, 18> types{
        "9p",     "afs", "beegfs", "ceph",  "cifs",     "coda",  "gfs2",  "glusterfs", "gpfs",
        "lustre", "nfs", "nfs4",   "ocfs2", "orangefs", "panfs", "pvfs2", "smb3",      "wekafs"};
    constexpr std::array<std::string_view, 8> in_user_space{
        "beegfs", "ceph", "gcsfuse", "glusterfs", "juicefs", "lustre", "s3fs", "sshfs"};
    constexpr std::string_view fuse = "fuse.";
    std::string_view type = mount.type;
    if (!type.starts_with(fuse)) {
        return std::find(types.begin(), types.end(), type) != types.end();
    }
    type.remove_prefix(fuse.size());
    return std::any_of(in_user_space.begin(), in_user_space.end(),
                       [&](std::string_view each) { return type.starts_with(each); });
}

}  // namespace rocenv
