// SPDX-License-Identifier: MIT
#include "sys/memory_fs.h"

#include <algorithm>
#include <cerrno>
#include <utility>

#include "util/text.h"

namespace rocenv {

namespace {

constexpr int max_links = 40;

std::string parent_of(const std::string& path) {
    return path.substr(0, path.rfind('/'));
}

// Names still to be walked, first name last.
void push_names(std::vector<std::string>& names, std::string_view path) {
    const auto parts = split(path, '/');
    for (auto part = parts.rbegin(); part != parts.rend(); ++part) {
        if (!part->empty() && *part != ".") {
            names.emplace_back(*part);
        }
    }
}

}  // namespace

void MemoryFs::add(const std::string& path, Entry entry) {
    for (std::string above = parent_of(path); !entries_.contains(above); above = parent_of(above)) {
        entries_.emplace(above, Entry{});
    }
    entries_.insert_or_assign(path, std::move(entry));
}

void MemoryFs::add_folder(const std::string& path) {
    add(path, Entry{});
}

void MemoryFs::add_file(const std::string& path, std::string content) {
    const std::uint64_t size = content.size();
    add(path, Entry{Kind::file, std::move(content), size, 0});
}

void MemoryFs::add_config(const std::string& path, std::string content, std::uint64_t size) {
    add(path, Entry{Kind::file, std::move(content), size, 0});
}

void MemoryFs::add_link(const std::string& path, std::string target) {
    add(path, Entry{Kind::link, std::move(target), 0, 0});
}

void MemoryFs::add_error(const std::string& path, int err) {
    add(path, Entry{Kind::file, "", 0, err});
}

void MemoryFs::remove(const std::string& path) {
    entries_.erase(path);
    entries_.erase(entries_.lower_bound(path + "/"), entries_.lower_bound(path + "0"));
}

Result<const MemoryFs::Entry*> MemoryFs::find(const std::string& path, std::string* where) const {
    std::vector<std::string> names;
    push_names(names, path);
    std::string here;
    int links = 0;
    while (!names.empty()) {
        const std::string name = names.back();
        names.pop_back();
        if (name == "..") {
            here = here.empty() ? here : parent_of(here);
            continue;
        }
        const auto entry = entries_.find(here + "/" + name);
        if (entry == entries_.end()) {
            return errno_error("read", path, ENOENT);
        }
        if (entry->second.kind != Kind::link) {
            here = entry->first;
            continue;
        }
        if (++links > max_links) {
            return errno_error("read", path, ELOOP);
        }
        here = entry->second.content.starts_with('/') ? "" : here;
        push_names(names, entry->second.content);
    }
    if (where != nullptr) {
        *where = here;
    }
    return &entries_.at(here);
}

Result<std::string> MemoryFs::read(const std::string& path) const {
    const auto entry = find(path);
    if (!entry) {
        return entry.error();
    }
    if ((*entry)->err != 0 || (*entry)->kind == Kind::folder) {
        return errno_error("read", path, (*entry)->err != 0 ? (*entry)->err : EISDIR);
    }
    return (*entry)->content;
}

Result<std::string> MemoryFs::read_at(const std::string& path, std::uint64_t offset,
                                      std::size_t size) const {
    auto whole = read(path);
    if (!whole) {
        return whole;
    }
    return offset >= whole->size() ? std::string() : whole->substr(offset, size);
}

Result<std::vector<std::string>> MemoryFs::list(const std::string& path) const {
    std::string where;
    const auto entry = find(path, &where);
    if (!entry) {
        return entry.error();
    }
    if ((*entry)->err != 0 || (*entry)->kind != Kind::folder) {
        return errno_error("list", path, (*entry)->err != 0 ? (*entry)->err : ENOTDIR);
    }
    std::vector<std::string> names;
    const std::string prefix = where + "/";
    auto at = entries_.lower_bound(prefix);
    while (at != entries_.end() && at->first.starts_with(prefix)) {
        const std::string rest = at->first.substr(prefix.size());
        const auto slash = rest.find('/');
        if (slash == std::string::npos) {
            names.push_back(rest);
            ++at;
        } else {
            // '0' follows '/': over everything below this name
            at = entries_.lower_bound(prefix + rest.substr(0, slash) + '0');
        }
    }
    std::sort(names.begin(), names.end());
    return names;
}

Result<std::string> MemoryFs::link(const std::string& path) const {
    const auto slash = path.rfind('/');
    std::string folder;
    if (const auto parent = find(path.substr(0, slash), &folder); !parent) {
        return parent.error();
    }
    const auto entry = entries_.find(folder + path.substr(slash));
    if (entry == entries_.end()) {
        return errno_error("read the link", path, ENOENT);
    }
    if (entry->second.kind != Kind::link) {
        return errno_error("read the link", path,
                           entry->second.err == 0 ? EINVAL : entry->second.err);
    }
    return entry->second.content;
}

Result<std::uint64_t> MemoryFs::size(const std::string& path) const {
    const auto entry = find(path);
    if (!entry) {
        return entry.error();
    }
    return (*entry)->size;
}

Result<Access> MemoryFs::access(const std::string& path) const {
    const auto entry = find(path);
    if (!entry) {
        return entry.error();
    }
    const int err = (*entry)->err;
    if (err != 0 && kind_of_errno(err) != ErrorKind::not_permitted) {
        return errno_error("ask for access to", path, err);
    }
    return Access{err, 0};
}

Result<std::uint64_t> MemoryFs::capacity(const std::string& path) const {
    const auto entry = find(path);
    return entry ? Result<std::uint64_t>(std::uint64_t{0}) : entry.error();
}

}  // namespace rocenv
