// SPDX-License-Identifier: MIT
// Recordings: the contents of one are written as another one, which gives the same results and is
// written as the same text. Links that lead through links are excluded, since the entries listed by
// the name of one would hide its target from the other. So is a link whose target cannot be read: a
// line "e PATH ERRNO all" has lost the target.
#include <algorithm>
#include <cerrno>

#include "fuzz/fuzz.h"
#include "os/fs/jail.h"
#include "os/fs/memory_fs.h"
#include "os/fs/tree_file.h"
#include "util/text.h"

namespace rocenv::fuzz {

namespace tree_fuzz {

namespace {

constexpr std::size_t most_asked = 200;

void ask(const Fs& fs, const std::string& path, std::size_t& asked) {
    if (++asked > most_asked) {
        return;
    }
    const bool link = fs.link(path).ok();
    if (const auto size = fs.size(path); path.ends_with("/config") && size && *size >= 64) {
        (void)fs.read_at(path, 0, 64);
        (void)fs.read_at(path, 64, 4);
        return;
    }
    const auto names = fs.list(path);
    (void)fs.capacity(path);
    if (!names) {
        (void)fs.read(path);
    }
    for (const auto& name : names && !link ? *names : std::vector<std::string>()) {
        ask(fs, path + "/" + name, asked);
    }
}

// A missing entry of a recording is not a kernel's answer and has no errno. It is written as `EIO`,
// like any other failure without one.
int errno_of(const Error& error) {
    return error.err == 0 ? EIO : error.err;
}

template <class T>
std::string printed(const std::optional<Result<T>>& answer, const std::string& value) {
    if (!answer) {
        return "-";
    }
    return answer->ok() ? "=" + value : "!" + number(errno_of(answer->error()));
}

std::string printed(const Note& note) {
    std::string names;
    for (const auto& name : note.names&&* note.names ? **note.names : std::vector<std::string>()) {
        names += name + "/";
    }
    std::string out = printed(note.content, note.content && *note.content ? **note.content : "");
    out += " " + printed(note.names, names);
    // A line "e" is all that is written of what cannot be read, and then stands for its link, too.
    const bool stands_for_all = note.content && !*note.content && note.target && !*note.target;
    out += " " + (stands_for_all
                      ? "!"
                      : printed(note.target, note.target && *note.target ? **note.target : ""));
    out += " " +
           printed(note.capacity, note.capacity && *note.capacity ? number(**note.capacity) : "");
    for (const auto& [offset, part] : note.parts) {
        out += " " + number(offset) + (part.bytes ? "=" + *part.bytes : std::string("!"));
    }
    return out;
}

bool is_link(const Notes& notes, const std::string& path) {
    const auto note = notes.find(path);
    return note != notes.end() && note->second.target && *note->second.target;
}

bool leads_through_link(const Notes& notes, const std::string& path, const std::string& target) {
    std::vector<std::string> names;
    push_names(names, target);
    std::string here = target.starts_with('/') ? "" : path.substr(0, path.rfind('/'));
    for (; !names.empty(); names.pop_back()) {
        here = names.back() == ".." ? here.substr(0, std::min(here.rfind('/'), here.size()))
                                    : here + "/" + names.back();
        if (is_link(notes, here)) {
            return true;
        }
    }
    return false;
}

bool has_links_in_doubt(const Notes& notes) {
    return std::any_of(notes.begin(), notes.end(), [&](const auto& each) {
        const auto& [path, note] = each;
        const bool lost = note.size && !*note.size && note.size->error().err != ENOENT;
        return note.target && *note.target &&
               (lost || leads_through_link(notes, path, **note.target));
    });
}

// Longer paths are left out.
bool fits(const Notes& notes) {
    return std::all_of(notes.begin(), notes.end(), [](const auto& each) {
        const auto& [path, note] = each;
        const auto names = note.names && *note.names ? **note.names : std::vector<std::string>();
        const std::string& folder = path;
        return is_plain_path(path) &&
               std::all_of(names.begin(), names.end(), [&](const std::string& name) {
                   return is_plain_path(folder + "/" + name);
               });
    });
}

std::string written(const Notes& notes) {
    const std::string entries = tree_entries(notes);
    return "rocenv tree 1\n" + entries + tree_end_mark(tree_entry_count(entries));
}

void check_replay(const Notes& notes) {
    const std::string text = written(notes);
    const auto replay = parse_tree("f", text);
    demand(replay.ok(), "what was written is a recording",
           [&] { return replay.error().text + "\n" + text; });
    const RecordingFs recording(**replay);
    std::size_t asked = 0;
    ask(recording, "/sys", asked);
    for (const auto& entry : notes) {  // Clang 14 lets no lambda have the parts of a pair
        const std::string& path = entry.first;
        const auto again = recording.notes().find(path);
        demand(again != recording.notes().end(), "what was there is there",
               [&] { return path + "\n" + text; });
        const std::string before = printed(entry.second);
        const std::string after = printed(again->second);
        demand(before == after, "it answers the same",
               [&] { return path + ": " + before + " is now " + after + "\n" + text; });
    }
    demand(written(recording.notes()) == text, "it is written as it was", text);
}

}  // namespace

}  // namespace tree_fuzz

void fuzz_tree(std::string_view bytes) {
    using namespace tree_fuzz;
    const auto machine = parse_tree("f", bytes);
    if (!machine) {
        return demand_message(machine.error());
    }
    const RecordingFs recording(**machine);
    std::size_t asked = 0;
    ask(recording, "/sys", asked);
    if (asked <= most_asked && fits(recording.notes()) && !has_links_in_doubt(recording.notes())) {
        check_replay(recording.notes());
    }
}

}  // namespace rocenv::fuzz
