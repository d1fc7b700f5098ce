// SPDX-License-Identifier: MIT
#include "os/fs/memory_fs.h"

#include <algorithm>
#include <cerrno>
#include <utility>

#include "os/fs/jail.h"

namespace rocenv {

namespace {

std::string parent_of(const std::string& path) {
    return path.substr(0, path.rfind('/'));
}

Error not_recorded(const std::string& path) {
    return {ErrorKind::io, 0, path, path + ": is there, but was not read when this was recorded"};
}

// Returns an error of a recording. `EFBIG`, which no kernel file returns on a read, marks a file
// that could not be recorded: too large, or of another kind.
Error recorded_error(const char* verb, const std::string& path, int err) {
    if (err != EFBIG) {
        return errno_error(verb, path, err);
    }
    auto error = garbled(path, "could not be taken when this was recorded");
    error.err = err;
    return error;
}

}  // namespace

void MemoryFs::add(const std::string& path, Entry entry) {
    std::string above = parent_of(path);
    for (; !entries_.contains(above); above = parent_of(above)) {
        entries_.emplace(above, Entry{});
    }
    if (Entry& nearest = entries_.at(above); nearest.kind == Kind::link) {
        nearest.kind = Kind::folder;
    }
    Entry& old = entries_[path];
    if (!entry.target) {
        entry.target = std::move(old.target);
    }
    entry.capacity = old.capacity;
    old = std::move(entry);
}

void MemoryFs::add_folder(const std::string& path) {
    add(path, Entry{});
}

void MemoryFs::add_file(const std::string& path, std::string content) {
    const std::uint64_t size = content.size();
    add_config(path, std::move(content), size, 0);
}

void MemoryFs::add_config(const std::string& path, std::string content, std::uint64_t size) {
    add_config(path, std::move(content), size, 0);
}

void MemoryFs::add_config(const std::string& path, std::string content, std::uint64_t size,
                          int err) {
    Entry entry;
    entry.kind = Kind::file;
    entry.content = std::move(content);
    entry.size = size;
    entry.err = err;
    add(path, std::move(entry));
}

void MemoryFs::add_link(const std::string& path, std::string target) {
    Entry entry;
    entry.kind = Kind::link;
    entry.target = std::move(target);
    const auto below = entries_.lower_bound(path + "/");
    has_hidden_ |= below != entries_.end() && below->first.starts_with(path + "/");
    add(path, std::move(entry));
}

void MemoryFs::add_error(const std::string& path, int err) {
    add_config(path, "", 0, err);
}

void MemoryFs::add_lost(const std::string& path, int err) {
    add_error(path, err);
    entries_.at(path).lost = true;
    entries_.at(path).target.reset();
}

void MemoryFs::add_unread(const std::string& path) {
    Entry entry;
    entry.kind = Kind::unread;
    add(path, std::move(entry));
}

void MemoryFs::set_capacity(const std::string& path, std::uint64_t bytes) {
    if (!entries_.contains(path)) {
        add_unread(path);
    }
    entries_.at(path).capacity = bytes;
}

void MemoryFs::remove(const std::string& path) {
    entries_.erase(path);
    entries_.erase(entries_.lower_bound(path + "/"), entries_.lower_bound(path + "0"));
}

MemoryFs::Entries::const_iterator MemoryFs::find_plain(std::string_view path) const {
    if (!has_hidden_) {  // no link is above an entry, so one search suffices
        const auto entry = entries_.find(path);
        return entry == entries_.end() || entry->second.kind == Kind::link ? entries_.end() : entry;
    }
    for (auto end = path.find('/', 1);; end = path.find('/', end + 1)) {
        const auto entry = entries_.find(path.substr(0, end));
        const bool ends_here = entry == entries_.end() || entry->second.kind == Kind::link;
        if (ends_here || end == std::string_view::npos) {
            return ends_here ? entries_.end() : entry;
        }
    }
}

Result<const MemoryFs::Entry*> MemoryFs::find(const char* verb, const std::string& path,
                                              std::string* where) const {
    if (const auto plain = find_plain(path); plain != entries_.end()) {
        if (where != nullptr) {
            *where = plain->first;
        }
        return &plain->second;
    }
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
            return errno_error(verb, path, ENOENT);
        }
        if (entry->second.kind != Kind::link) {
            here = entry->first;
            continue;
        }
        if (++links > max_links) {
            return errno_error(verb, path, ELOOP);
        }
        here = entry->second.target->starts_with('/') ? "" : here;
        push_names(names, *entry->second.target);
    }
    if (where != nullptr) {
        *where = here;
    }
    return &entries_.at(here);
}

Result<std::string> MemoryFs::read(const std::string& path) const {
    const auto entry = find("read", path);
    if (!entry) {
        return entry.error();
    }
    if ((*entry)->kind == Kind::unread) {
        return not_recorded(path);
    }
    if ((*entry)->err != 0 || (*entry)->kind == Kind::folder) {
        return recorded_error("read", path, (*entry)->err != 0 ? (*entry)->err : EISDIR);
    }
    return (*entry)->content;
}

Result<std::string> MemoryFs::read_at(const std::string& path, std::uint64_t offset,
                                      std::size_t size) const {
    const auto entry = find("read", path);
    const bool part = entry && (*entry)->kind == Kind::file &&
                      ((*entry)->err == 0 || offset < (*entry)->content.size());
    if (!part) {
        return read(path);
    }
    const std::string& whole = (*entry)->content;
    return offset >= whole.size() ? std::string() : whole.substr(offset, size);
}

Result<std::vector<std::string>> MemoryFs::list(const std::string& path) const {
    std::string where;
    const auto entry = find("list", path, &where);
    if (!entry) {
        return entry.error();
    }
    if ((*entry)->kind == Kind::unread) {
        return not_recorded(path);
    }
    if ((*entry)->err != 0 || (*entry)->kind != Kind::folder) {
        return recorded_error("list", path, (*entry)->err != 0 ? (*entry)->err : ENOTDIR);
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
            // '0' follows '/': skips everything below this name
            at = entries_.lower_bound(prefix + rest.substr(0, slash) + '0');
        }
    }
    std::sort(names.begin(), names.end());
    return names;
}

Result<std::string> MemoryFs::link(const std::string& path) const {
    constexpr const char* verb = "read the link";
    const auto slash = path.rfind('/');
    std::string folder;
    if (const auto parent = find(verb, path.substr(0, slash), &folder); !parent) {
        return errno_error(verb, path, parent.error().err);
    }
    const auto entry = entries_.find(folder + path.substr(slash));
    if (entry == entries_.end()) {
        return errno_error(verb, path, ENOENT);
    }
    if (entry->second.target) {
        return *entry->second.target;
    }
    if (entry->second.kind == Kind::unread) {
        return not_recorded(path);
    }
    // An error beyond the readable part of a file is not an error of the path.
    const bool is_lost = entry->second.err != 0 && entry->second.content.empty();
    return errno_error(verb, path, is_lost ? entry->second.err : EINVAL);
}

Result<std::uint64_t> MemoryFs::size(const std::string& path) const {
    const auto entry = find("access", path);
    if (!entry) {
        return entry.error();
    }
    if ((*entry)->lost) {
        return errno_error("access", path, (*entry)->err);
    }
    return (*entry)->size;
}

Result<Access> MemoryFs::access(const std::string& path) const {
    const auto entry = find("check the access to", path);
    if (!entry) {
        return entry.error();
    }
    const int err = (*entry)->err;
    if (err != 0 && kind_of_errno(err) != ErrorKind::not_permitted) {
        return errno_error("check the access to", path, err);
    }
    return Access{err, 0};
}

Result<std::uint64_t> MemoryFs::capacity(const std::string& path) const {
    const auto entry = find("measure", path);
    if (!entry) {
        return entry.error();
    }
    if ((*entry)->lost && (*entry)->capacity == 0) {
        return errno_error("measure", path, (*entry)->err);
    }
    return (*entry)->capacity;
}

std::optional<Error> MemoryFs::write(const std::string& path, std::optional<std::uint64_t> offset,
                                     std::string_view bytes) {
    auto answer = rules_.write(*this, path, offset, bytes);
    for (auto& update : answer.updates) {
        std::string where;
        if (const auto found = find("write", update.path, &where); !found) {
            return found.error();
        }
        Entry& entry = entries_.at(where);
        if (entry.size == entry.content.size()) {
            entry.size = update.content.size();
        }
        entry.content = std::move(update.content);
    }
    return answer.error;
}

std::vector<std::pair<std::string_view, std::string_view>> MemoryFs::contents() const {
    std::vector<std::pair<std::string_view, std::string_view>> out;
    for (const auto& [path, entry] : entries_) {
        if (entry.kind == Kind::file) {
            out.emplace_back(path, entry.content);
        }
    }
    return out;
}

}  // namespace rocenv
