// SPDX-License-Identifier: MIT
#include "os/fs/tree_writer.h"

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "os/fs/tree_file.h"
#include "util/errno_names.h"
#include "util/quoting.h"
#include "util/text.h"

namespace rocenv {

namespace {

constexpr std::uint64_t legacy_config = 256;
constexpr std::uint64_t whole_config = 4096;

// A path or a link's target: no blanks, no backslash.
std::string word_text(std::string_view word) {
    std::string out;
    for (const char byte : word) {
        const bool plain = byte > ' ' && byte <= '~' && byte != '\\';
        out += plain ? std::string(1, byte) : escaped_byte(byte);
    }
    return out;
}

// An error that came without an errno: out of time, or not fit to be taken.
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

// The bytes of configuration space that were read, and as far as it can be told how far that goes.
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
        // Larger than any configuration space: another kind of file, of which parts were read.
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
            // nothing at `offset`: how far before it reading goes was not asked
            short_at_ = std::min(short_at_.value_or(end), end == offset ? known_end() : end);
        }
    }

    std::uint64_t known_end() const { return bytes_.empty() ? 0 : bytes_.rbegin()->first + 1; }

    std::map<std::uint64_t, char> bytes_;
    std::uint64_t reach_ = 0;  // end of what was asked for
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
    // A path that no entry can have is left out.
    void add(const std::string& path, const std::string& text) {
        if (!text.empty() && is_plain_path(path)) {
            lines_[path] += text;
        }
    }

    static bool is_config(const std::string& path) { return path.ends_with("/config"); }

    // What tells more than that the path is there.
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
            // Entries below it say that it is a folder, but not of what was measured.
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

    // An error that says otherwise is the file's own.
    static bool is_there(const Note& note) { return (note.size && *note.size) || is_no_link(note); }

    // Something is there, and no more is known.
    void add_there(const std::string& path, const Note& note) {
        if (!is_there(note) || is_told(path)) {
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
        if (is_told(path)) {
            return;
        }
        const auto note = notes_.find(path);
        const auto error = note == notes_.end() ? std::nullopt : first_error(note->second);
        add(path, error ? error_line(word_text(path), *error, note->second)
                        : "n " + word_text(path) + "\n");
    }

    bool is_told(const std::string& path) const {
        const auto below = lines_.lower_bound(path + "/");
        return lines_.contains(path) ||
               (below != lines_.end() && below->first.starts_with(path + "/"));
    }

    // Of the operations that read. That a thing is no link is no error of it.
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

}  // namespace rocenv
