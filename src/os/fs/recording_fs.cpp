// SPDX-License-Identifier: MIT
#include "os/fs/recording_fs.h"

namespace rocenv {

namespace {

template <class T>
bool timed_out(const std::optional<Result<T>>& answer) {
    return answer && answer->is(ErrorKind::timed_out);
}

bool is_silent(const Note& note) {
    for (const auto& [offset, part] : note.parts) {
        if (part.bytes.is(ErrorKind::timed_out)) {
            return true;
        }
    }
    return timed_out(note.content) || timed_out(note.names) || timed_out(note.target) ||
           timed_out(note.size) || timed_out(note.capacity);
}

}  // namespace

Result<std::string> RecordingFs::read(const std::string& path) const {
    return notes_[path].content.emplace(inner_.read(path));
}

Result<std::string> RecordingFs::read_now(const std::string& path) const {
    return notes_[path].content.emplace(inner_.read_now(path));
}

Result<std::string> RecordingFs::read_at(const std::string& path, std::uint64_t offset,
                                         std::size_t size) const {
    auto bytes = inner_.read_at(path, offset, size);
    notes_[path].parts.insert_or_assign(offset, Note::Part{size, bytes});
    return bytes;
}

Result<std::vector<std::string>> RecordingFs::list(const std::string& path) const {
    return notes_[path].names.emplace(inner_.list(path));
}

Result<std::string> RecordingFs::link(const std::string& path) const {
    return notes_[path].target.emplace(inner_.link(path));
}

Result<std::uint64_t> RecordingFs::size(const std::string& path) const {
    return notes_[path].size.emplace(inner_.size(path));
}

Result<std::uint64_t> RecordingFs::capacity(const std::string& path) const {
    return notes_[path].capacity.emplace(inner_.capacity(path));
}

std::vector<std::string> RecordingFs::silent() const {
    std::vector<std::string> paths;
    for (const auto& [path, note] : notes_) {
        if (is_silent(note)) {
            paths.push_back(path);
        }
    }
    return paths;
}

}  // namespace rocenv
