// SPDX-License-Identifier: MIT
#include "os/fs/tree_file.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <optional>
#include <vector>

#include "os/fs/input_files.h"
#include "os/fs/posix_fs.h"
#include "util/errno_names.h"
#include "util/text.h"

namespace rocenv {

namespace {

constexpr std::size_t largest_config = 4096;
constexpr std::size_t most_mib = 16;
constexpr std::size_t largest_configs = std::size_t{16} << 20;  // sum of all files
constexpr std::size_t most_lines = 400000;
constexpr std::size_t most_entries = 65536;  // including parent folders
constexpr std::size_t longest_path = 512;
constexpr std::size_t longest_target = 4095;                   // PATH_MAX without the NUL
constexpr std::size_t longest_content = std::size_t{1} << 20;  // maximum read of a kernel file
constexpr std::string_view end_mark = "# end of the recording: ";
constexpr std::string_view end_mark_unit = " entries";

// Unescapes a path or a link's target; only \xHH is an escape.
std::optional<std::string> plain_word(std::string_view text) {
    return unescaped(text, "");
}

// Returns the bytes of a line of content, with a line end unless it ends with \c.
std::optional<std::string> line_bytes(std::string_view text) {
    constexpr std::string_view no_line_end = "\\c";
    bool ends = true;
    if (text.ends_with(no_line_end)) {
        const auto before = text.substr(0, text.size() - no_line_end.size());
        const auto backslashes = before.size() - (before.find_last_not_of('\\') + 1);
        ends = backslashes % 2 != 0;  // the last backslash is escaped
        text = ends ? text : before;
    }
    auto bytes = unescaped(text, "nt\\");
    if (bytes && ends) {
        *bytes += '\n';
    }
    return bytes;
}

class TreeReader {
   public:
    TreeReader(std::string file, std::string_view text)
        : file_(std::move(file)), lines_(split(text, '\n')), fs_(std::make_unique<MemoryFs>()) {}

    Result<std::unique_ptr<MemoryFs>> read() {
        if (lines_.empty() || lines_[0] != "rocenv tree 1") {
            return wrong("expected \"rocenv tree 1\" in the first line");
        }
        for (at_ = 1; at_ < lines_.size(); ++at_) {
            const std::string_view line = lines_[at_];
            if (line.empty() || line[0] == '#') {
                take_end_mark(line);
                continue;
            }
            if (auto error = entry(line)) {
                return *std::move(error);
            }
            if (fs_->entries() > most_entries) {
                return wrong("more than " + number(most_entries) +
                             " entries with the folders above them");
            }
        }
        if (marked_ && entries_ < *marked_) {
            return wrong("the file is cut off: found " + number(entries_) + " entries, expected " +
                         number(*marked_));
        }
        return std::move(fs_);
    }
    bool has_end_mark() const { return marked_.has_value(); }
    // Returns whether `rocenv record` wrote the file, by its second line.
    bool is_of_record() const {
        return lines_.size() > 1 && lines_[1].starts_with("# rocenv ") &&
               lines_[1].find(" record") != std::string_view::npos;
    }

   private:
    void take_end_mark(std::string_view line) {
        if (!line.starts_with(end_mark)) {
            return;
        }
        line.remove_prefix(end_mark.size());  // the blank of the mark is not part of the unit
        if (line.ends_with(end_mark_unit)) {
            marked_ = parse_number(line.substr(0, line.size() - end_mark_unit.size()));
        }
    }

    Error wrong(const std::string& what) const {
        return {ErrorKind::bad_input, 0, file_, file_ + ":" + number(at_ + 1) + ": " + what};
    }

    std::optional<Error> entry(std::string_view line) {
        ++entries_;
        if (line.size() < 4 || line[1] != ' ' || line[2] != '/') {
            return wrong("not an entry: " + printable(line, 60));
        }
        const auto blank = line.find(' ', 2);
        const auto unescaped_path = plain_word(line.substr(2, blank - 2));
        const std::string path = unescaped_path.value_or("");
        const std::string_view rest =
            blank == std::string_view::npos ? std::string_view() : line.substr(blank + 1);
        if (!is_plain_path(path)) {
            return wrong("not a plain path: " + printable(line.substr(2, blank - 2), 60));
        }
        switch (line[0]) {
            case 'd':
                fs_->add_folder(path);
                return rest.empty() ? std::nullopt
                                    : std::optional(wrong("a folder has no content"));
            case 'f':
                return file_entry(path, rest);
            case 'l':
                return link_entry(path, rest);
            case 'c':
                return config_entry(path, rest);
            case 'e':
                return error_entry(path, rest);
            case 'n':
                fs_->add_unread(path);
                return rest.empty() ? std::nullopt
                                    : std::optional(wrong("an unread file has no content"));
            case 'v':
                return capacity_entry(path, rest);
            default:
                return wrong("unknown kind of entry: " + printable(line, 60));
        }
    }

    std::optional<Error> file_entry(const std::string& path, std::string_view rest) {
        std::string content;
        const bool one_line = rest.starts_with("= ") || rest == "=";
        if (!one_line && !rest.empty()) {
            return wrong("expected f PATH = TEXT, or f PATH and lines of | TEXT");
        }
        if (one_line && !add_line(rest == "=" ? "" : rest.substr(2), content)) {
            return wrong("unknown escape");
        }
        while (at_ + 1 < lines_.size() && lines_[at_ + 1].starts_with("|")) {
            const std::string_view line = lines_[++at_];
            if (!add_line(line.substr(std::min<std::size_t>(2, line.size())), content)) {
                return wrong("unknown escape");
            }
        }
        if (content.size() > longest_content) {
            return wrong("a file of more than 1 MiB");
        }
        fs_->add_file(path, std::move(content));
        return std::nullopt;
    }

    static bool add_line(std::string_view text, std::string& content) {
        constexpr std::size_t longest_escape = 4;  // bytes of the escape of one byte
        if (content.size() + text.size() / longest_escape > longest_content) {
            content.resize(longest_content + 1);
            return true;
        }
        const auto bytes = line_bytes(text);
        content += bytes.value_or("");
        return bytes.has_value();
    }

    std::optional<Error> link_entry(const std::string& path, std::string_view rest) {
        if (!rest.starts_with("-> ") || rest.size() < 4) {
            return wrong("expected l PATH -> TARGET");
        }
        auto target = plain_word(rest.substr(3));
        if (!target) {
            return wrong("unknown escape");
        }
        if (target->size() > longest_target) {
            return wrong("a link's target has at most " + number(longest_target) + " bytes");
        }
        fs_->add_link(path, *std::move(target));
        return std::nullopt;
    }

    std::optional<Error> error_entry(const std::string& path, std::string_view rest) {
        constexpr std::string_view lost = " all";
        const bool all = rest.ends_with(lost);
        const auto name = rest.substr(0, rest.size() - (all ? lost.size() : 0));
        const auto err = errno_by_name(name);
        if (!err) {
            return wrong("unknown errno name " + printable(name, 30));
        }
        all ? fs_->add_lost(path, *err) : fs_->add_error(path, *err);
        return std::nullopt;
    }

    std::optional<Error> capacity_entry(const std::string& path, std::string_view rest) {
        const auto bytes = parse_number(rest);
        if (!bytes) {
            return wrong("the size of a file system is written v PATH BYTES");
        }
        fs_->set_capacity(path, *bytes);
        return std::nullopt;
    }

    std::optional<Error> config_entry(const std::string& path, std::string_view rest) {
        const auto sizes = words(rest);
        const auto size = sizes.empty() ? std::nullopt : parse_number(sizes[0]);
        const auto readable = sizes.size() > 1 ? parse_number(sizes[1]) : size;
        const auto err = sizes.size() > 2 ? errno_by_name(sizes[2]) : std::optional(0);
        if (sizes.size() > 3 || !size || !readable || !err || *size > largest_config ||
            *readable > *size) {
            return wrong(
                "a config file is written c PATH SIZE [READABLE [ERRNO]], at most 4096 bytes");
        }
        configs_ += *size;
        if (configs_ > largest_configs) {
            return wrong("more than 16 MiB of config space");
        }
        std::string content(*size, '\0');
        while (at_ + 1 < lines_.size() && lines_[at_ + 1].starts_with("  ")) {
            ++at_;
            if (!put_bytes(content, lines_[at_])) {
                return wrong("bytes are written OFFSET: HH HH …, inside the file");
            }
        }
        content.resize(*readable);
        fs_->add_config(path, std::move(content), *size, *err);
        return std::nullopt;
    }

    static bool put_bytes(std::string& content, std::string_view line) {
        const auto parts = words(line);
        if (parts.empty() || !parts[0].ends_with(':')) {
            return false;
        }
        auto offset = parse_number(parts[0].substr(0, parts[0].size() - 1), 16);
        if (!offset) {
            return false;
        }
        for (std::size_t at = 1; at < parts.size(); ++at) {
            const auto byte = parse_number(parts[at], 16);
            if (!byte || *byte > 0xff || *offset >= content.size()) {
                return false;
            }
            content[(*offset)++] = static_cast<char>(*byte);
        }
        return true;
    }

    std::string file_;
    std::vector<std::string_view> lines_;
    std::size_t at_ = 0;
    std::size_t configs_ = 0;
    std::size_t entries_ = 0;            // number of their lines
    std::optional<std::size_t> marked_;  // number of entries in the end mark
    std::unique_ptr<MemoryFs> fs_;
};

}  // namespace

std::string tree_end_mark(std::size_t entries) {
    return std::string(end_mark) + number(entries) + std::string(end_mark_unit) + "\n";
}

bool is_plain_path(std::string_view path) {
    if (!path.starts_with('/') || path.size() > longest_path) {
        return false;
    }
    const auto names = split(path.substr(1), '/');
    return std::none_of(names.begin(), names.end(), [](std::string_view name) {
        return name.empty() || name == "." || name == "..";
    });
}

Result<std::unique_ptr<MemoryFs>> parse_tree(const std::string& file, std::string_view text) {
    if (std::count(text.begin(), text.end(), '\n') > std::ptrdiff_t{most_lines}) {
        return Error{ErrorKind::bad_input, 0, file,
                     file + ": has more than " + number(most_lines) + " lines"};
    }
    TreeReader reader(file, text);
    auto machine = reader.read();
    if (machine && !reader.has_end_mark()) {
        (*machine)->set_remark(reader.is_of_record() ? std::string(cut_off_remark)
                                                     : "has no end mark: it may be cut off");
    }
    return machine;
}

Result<std::unique_ptr<MemoryFs>> load_tree(const std::string& file) {
    const auto text = read_in_pieces(*real_fs(), file, most_mib);
    if (!text) {
        return Error{ErrorKind::bad_input, text.error().err, file, text.error().text};
    }
    if (!text->ends_with('\n')) {
        return Error{ErrorKind::bad_input, 0, file,
                     file + ": its last line is not whole: the file is cut off"};
    }
    return parse_tree(file, *text);
}

namespace {

constexpr std::uint64_t legacy_config = 256;
constexpr std::uint64_t whole_config = 4096;

// Escapes blanks and backslashes in a path or a link's target.
std::string word_text(std::string_view word) {
    std::string out;
    for (const char byte : word) {
        const bool plain = byte > ' ' && byte <= '~' && byte != '\\';
        out += plain ? std::string(1, byte) : escaped_byte(byte);
    }
    return out;
}

// Returns the errno of an error; of one without an errno, one for its kind: timed out, or not
// recordable.
int errno_of(const Error& error) {
    if (error.err != 0) {
        return error.err;
    }
    return error.kind == ErrorKind::timed_out ? ETIMEDOUT
           : error.kind == ErrorKind::garbled ? EFBIG
                                              : EIO;
}

std::string errno_word(const Error& error) {
    const char* name = errno_name(errno_of(error));
    return name == nullptr ? "EIO" : name;
}

std::string file_lines(const std::string& path, std::string_view content) {
    const std::string head = "f " + path;
    if (content == "\n") {
        return head + " = \\n\\c\n";
    }
    const auto first_end = content.find('\n');
    if (!content.empty() && first_end == content.size() - 1) {
        return head + " = " + tree_escaped(content.substr(0, first_end)) + "\n";
    }
    std::string out = head + "\n";
    while (!content.empty()) {
        const auto end = content.find('\n');
        const bool whole = end != std::string_view::npos;
        out += "| " + tree_escaped(content.substr(0, end)) + (whole ? "\n" : "\\c\n");
        content.remove_prefix(whole ? end + 1 : content.size());
    }
    return out;
}

// The bytes of configuration space that were read, and the readable size as far as known.
class ConfigLines {
   public:
    explicit ConfigLines(const Note& note) {
        for (const auto& [offset, part] : note.parts) {
            take(offset, part);
        }
        if (!error_ && note.content && !*note.content) {
            error_ = note.content->error();
        }
        const std::uint64_t fitting = reach_ <= legacy_config ? legacy_config : whole_config;
        size_ = note.size && *note.size ? **note.size : fitting;
        // Larger than any configuration space: another kind of file, read in parts.
        size_ = std::max<std::uint64_t>(std::min(size_, whole_config), known_end());
        if (short_at_ || note.parts.empty()) {
            readable_ = std::min(short_at_.value_or(0), size_);
        }
    }

    bool any() const { return !bytes_.empty(); }
    bool fits() const { return known_end() <= whole_config; }

    std::string text(const std::string& path) const {
        std::string out = "c " + path + " " + number(size_);
        if (readable_ || error_) {
            out += " " + number(readable_.value_or(size_));
        }
        out += (error_ ? " " + errno_word(*error_) : "") + "\n";
        for (auto at = bytes_.begin(); at != bytes_.end();) {
            out += "  " + bare_hex(at->first, 3) + ":";
            std::uint64_t next = at->first;
            do {
                out += " " + bare_hex(static_cast<unsigned char>(at->second), 2);
                ++at;
                ++next;
            } while (at != bytes_.end() && at->first == next && next % 16 != 0);
            out += "\n";
        }
        return out;
    }

   private:
    void take(std::uint64_t offset, const Note::Part& part) {
        reach_ = std::max(reach_, offset + part.asked);
        std::uint64_t end = offset;
        if (part.bytes) {
            for (const char byte : *part.bytes) {
                bytes_.insert_or_assign(end++, byte);
            }
        } else if (!error_) {
            error_ = part.bytes.error();
        }
        if (end < offset + part.asked) {
            // no bytes at `offset`: the readable size before it is unknown
            short_at_ = std::min(short_at_.value_or(end), end == offset ? known_end() : end);
        }
    }

    std::uint64_t known_end() const { return bytes_.empty() ? 0 : bytes_.rbegin()->first + 1; }

    std::map<std::uint64_t, char> bytes_;
    std::uint64_t reach_ = 0;  // end of the requested range
    std::uint64_t size_ = 0;
    std::optional<std::uint64_t> short_at_;
    std::optional<std::uint64_t> readable_;
    std::optional<Error> error_;
};

class Writer {
   public:
    explicit Writer(const Notes& notes) : notes_(notes) {
        for (const auto& [path, note] : notes_) {
            add_known(path, note);
        }
        for (const auto& [path, note] : notes_) {
            add_there(path, note);
            add_names(path, note);
        }
    }

    std::string text() const {
        std::string out;
        for (const auto& [path, lines] : lines_) {
            out += lines;
        }
        return out;
    }

   private:
    // Adds a line; skips invalid paths.
    void add(const std::string& path, const std::string& text) {
        if (!text.empty() && is_plain_path(path)) {
            lines_[path] += text;
        }
    }

    static bool is_config(const std::string& path) { return path.ends_with("/config"); }

    // Adds a line with more information than that the path exists.
    void add_known(const std::string& path, const Note& note) {
        const std::string name = word_text(path);
        if (note.target && *note.target) {
            add(path, "l " + name + " -> " + word_text(**note.target) + "\n");
        }
        if (note.capacity && *note.capacity) {
            add(path, "v " + name + " " + number(**note.capacity) + "\n");
        }
        const ConfigLines config(note);
        const bool sized = note.size && note.size->ok();
        if (note.names && note.names->ok()) {
            // Entries below a folder imply it, but not its capacity.
            const bool measured = note.capacity && *note.capacity;
            add(path, (*note.names)->empty() || measured ? "d " + name + "\n" : "");
        } else if (note.content && note.content->ok()) {
            add(path, file_lines(name, **note.content));
        } else if ((config.any() && config.fits()) || (is_config(path) && sized)) {
            add(path, config.text(name));
        } else if (const auto error = first_error(note);
                   error && (error->err != ENOENT || is_there(note))) {
            add(path, error_line(name, *error, note));
        }
    }

    static bool is_no_link(const Note& note) {
        return note.target && !*note.target && note.target->error().err == EINVAL;
    }

    // Returns true if the path exists; an error of another operation is then the file's own.
    static bool is_there(const Note& note) { return (note.size && *note.size) || is_no_link(note); }

    // Adds a line for a path that exists and has no other line.
    void add_there(const std::string& path, const Note& note) {
        if (!is_there(note) || is_reported(path)) {
            return;
        }
        if (const auto error = first_error(note)) {
            add(path, error_line(word_text(path), *error, note));
        } else if (is_no_link(note)) {
            add(path, error_line(word_text(path), note.target->error(), note));
        } else {
            add(path, "n " + word_text(path) + "\n");
        }
    }

    void add_names(const std::string& folder, const Note& note) {
        if (note.names && *note.names) {
            for (const auto& name : **note.names) {
                add_listed(folder + "/" + name);
            }
        }
    }

    void add_listed(const std::string& path) {
        if (is_reported(path)) {
            return;
        }
        const auto note = notes_.find(path);
        const auto error = note == notes_.end() ? std::nullopt : first_error(note->second);
        add(path, error ? error_line(word_text(path), *error, note->second)
                        : "n " + word_text(path) + "\n");
    }

    bool is_reported(const std::string& path) const {
        const auto below = lines_.lower_bound(path + "/");
        return lines_.contains(path) ||
               (below != lines_.end() && below->first.starts_with(path + "/"));
    }

    // Returns the first error of a reading operation. That a file is not a link is not an error.
    static std::optional<Error> first_error(const Note& note) {
        if (note.content && !*note.content) {
            return note.content->error();
        }
        for (const auto& [offset, part] : note.parts) {
            if (!part.bytes) {
                return part.bytes.error();
            }
        }
        if (note.names && !*note.names) {
            return note.names->error();
        }
        if (note.target && !*note.target && note.target->error().err != EINVAL) {
            return note.target->error();
        }
        if (note.size && !*note.size) {
            return note.size->error();
        }
        return std::nullopt;
    }

    static std::string error_line(const std::string& name, const Error& error, const Note& note) {
        const bool all = note.size && !*note.size;
        return "e " + name + " " + errno_word(error) + (all ? " all\n" : "\n");
    }

    const Notes& notes_;
    std::map<std::string, std::string> lines_;
};

}  // namespace

std::string tree_escaped(std::string_view text) {
    std::string out;
    for (std::size_t at = 0; at < text.size(); ++at) {
        const char byte = text[at];
        const bool outer_blank = byte == ' ' && (at == 0 || at + 1 == text.size());
        if (byte == '\\' || byte == '\n' || byte == '\t') {
            out += byte == '\\' ? "\\\\" : byte == '\n' ? "\\n" : "\\t";
        } else if (byte < ' ' || byte > '~' || outer_blank) {
            out += escaped_byte(byte);
        } else {
            out += byte;
        }
    }
    return out;
}

std::size_t tree_entry_count(std::string_view entries) {
    const auto lines = split(entries, '\n');
    return static_cast<std::size_t>(
        std::count_if(lines.begin(), lines.end(), [](std::string_view line) {
            return line.size() > 2 && line[1] == ' ' && line[2] == '/' && line[0] != '|';
        }));
}

std::string tree_entries(const Notes& notes) {
    return Writer(notes).text();
}

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
