// SPDX-License-Identifier: MIT
#include "machine/host/cgroup.h"

#include <algorithm>

#include "os/redact/redact_words.h"
#include "rocenv/process.h"
#include "util/text.h"

namespace rocenv {

namespace {

const std::string cgroup_root = "/sys/fs/cgroup";
const std::string own_groups = "/proc/self/cgroup";
// Version 1 writes "no limit" as the largest multiple of a page below 2^63.
constexpr std::uint64_t no_limit_of_old = std::uint64_t{1} << 62U;

struct OwnGroup {
    std::string root;
    std::string path;  // "/user.slice/x", "" for the root itself
    std::string file;
};

// "/a/b"; of a group outside of this namespace ("/../x") only the root can be seen.
std::string seen_path(std::string_view path) {
    const bool outside = path.starts_with("/..") || path.find("/../") != std::string_view::npos;
    return outside || path == "/" ? std::string() : std::string(path);
}

// Returns the group of version 1 if the controller is listed there, else that of version 2;
// std::nullopt if neither is listed or the kernel has no control groups.
Result<std::optional<OwnGroup>> own_group(const Fs& fs, const CgroupLimit& limit) {
    const auto text = fs.read(own_groups);
    const bool has_none = text.is(ErrorKind::not_here) && exists(fs, "/proc/self/status");
    if (has_none || (text && text->empty())) {  // empty: no hierarchy was ever mounted
        return std::optional<OwnGroup>();
    }
    if (!text) {
        return text.error();
    }
    std::optional<OwnGroup> unified;
    for (const auto line : split(trim(*text), '\n')) {
        const auto first = line.find(':');
        const auto second = first == line.npos ? line.npos : line.find(':', first + 1);
        if (second == line.npos || !parse_number(line.substr(0, first))) {
            return garbled(own_groups, "is not a valid list of groups: " + quoted_value(line));
        }
        const auto names = split(line.substr(first + 1, second - first - 1), ',');
        const std::string path = seen_path(line.substr(second + 1));
        if (std::find(names.begin(), names.end(), limit.controller) != names.end()) {
            return std::optional(OwnGroup{cgroup_root + "/" + std::string(limit.controller), path,
                                          std::string(limit.old_file)});
        }
        if (names.size() == 1 && names.front().empty()) {
            const bool hybrid = exists(fs, cgroup_root + "/unified");
            unified =
                OwnGroup{cgroup_root + (hybrid ? "/unified" : ""), path, std::string(limit.file)};
        }
    }
    return unified;
}

Error not_mounted(const OwnGroup& group) {
    return {ErrorKind::not_here, 0, group.root,
            "no control group file system is mounted at " + group.root + ", but " + own_groups +
                " lists " + (group.path.empty() ? "the group /" : "a group below it")};
}

// Names of groups hold users, jobs, pods and containers.
Error without_group(Error error, const std::string& path) {
    const auto at = path.empty() ? std::string::npos : error.text.find(path);
    if (at != std::string::npos) {
        error.text.replace(at, path.size(), "/...");
    }
    return error;
}

Result<std::uint64_t> limit_in(const Fs& fs, const std::string& path) {
    const auto text = fs.read(path);
    if (text.is(ErrorKind::not_here)) {
        return unlimited;  // the root, or a group without this controller
    }
    if (!text) {
        return text.error();
    }
    if (trim(*text) == "max") {
        return unlimited;
    }
    const auto value = parse_number(trim(*text));
    if (!value) {
        return garbled(path, "is not a valid limit: " + quoted_value(trim(*text)));
    }
    return *value >= no_limit_of_old ? unlimited : *value;
}

}  // namespace

Result<std::optional<std::uint64_t>> cgroup_limit(const Fs& fs, const CgroupLimit& limit) {
    const auto own = own_group(fs, limit);
    if (!own) {
        return own.error();
    }
    if (!*own) {
        return std::optional<std::uint64_t>();
    }
    const OwnGroup& group = **own;
    if (!exists(fs, group.root + "/cgroup.procs")) {  // every mounted hierarchy has it
        return not_mounted(group);
    }
    std::uint64_t least = unlimited;
    for (std::string path = group.path;; path.resize(path.rfind('/'))) {
        const auto found = limit_in(fs, group.root + path + "/" + group.file);
        if (!found) {
            return without_group(found.error(), path);
        }
        least = std::min(least, *found);
        if (path.empty()) {
            return std::optional(least);
        }
    }
}

}  // namespace rocenv
