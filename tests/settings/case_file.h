// SPDX-License-Identifier: MIT
// Fixtures of settings: tests/settings/ID.case, ID with '_' for '.'. The format, by example:
//
//     # a comment
//     == tree                        a machine, see src/os/fs/tree_file.h; for the cases that
//     follow f /proc/sys/kernel/x = 1
//     == tree +                      the same machine and this
//     f /proc/sys/kernel/y = 1
//     == tree three-gpus             the machine trees/three-gpus.tree, and what follows
//     == case the scanner runs
//     + f /proc/sys/kernel/x = 2     this case only: adds or replaces an entry
//     - /proc/sys/kernel/y           this case only: takes away a path and all below it
//     config 0000:26:00.0 148: 10 00 this case only: these bytes of configuration space
//     config 0000:26:00.0 cut        this case only: its first 64 bytes, as without rights
//     id env.OTHER                   where it is not the file's name
//     want 0                         as after --want ID=; "unset" alone for a variable that must go
//     process root memlock=65536 nofile=1024 env.NAME="a text"
//     real 67108864                  the machine the process runs on, with a /dev/shm of that size
//     expect TARGET OUTCOME want=0 have=null effective=true detail~"scanner" fix~"echo" remark
//     write TARGET PATH = TEXT       the next write of that answer's change
//     state TARGET PATH CODEC VALUE  its next proof, "any" where none is asked; then "lost VALUE"
//     baseline TARGET SHOWN          all that the setting can put back, in order
//     back PATH = TEXT               the next write of the baseline above
//     default TARGET OUTCOME …       as expect, of the kernel's defaults
//     unsafe TARGET "a part"         why not to write to it; without a text: it is safe
//     bug why it does not do that yet
//     == bad /proc/sys/kernel/x      a case for each way in which that file is bad, of which a row
//     want 0                         that is unknown has the reason, and where the kernel states an
//     expect system unknown          error the errno and the next step
//     but empty NULs                 without these ways (BadWay)
//
// Every assessment has its "expect", in order. have= and the others are exact, null: there is none;
// ~ compares a part; values that are not stated are not checked. Texts in quotes know \" \\ \n \t
// \xHH. An answer with a "write" or "state" has those and no others; "fixed" says that it has no
// change. One line "baseline", and all are stated; ~PART instead of SHOWN is a part of the error.
// TEXT is the bytes with \n and \xHH. PATH goes without /sys/bus/pci/devices/ and
// /sys/devices/system/cpu/, and with @0x14e for an offset in configuration space. grade= names what
// lowers the level. A case with "bug" must fail: the line goes when the program does what the case
// says.
#pragma once

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "os/fs/memory_fs.h"
#include "os/fs/tree_file.h"
#include "profile/profile.h"
#include "rocenv/process.h"
#include "util/text.h"

namespace rocenv::cases {

struct Field {
    std::string name;  // "have", "detail"
    bool part = false;
    std::optional<std::string> text;
};

struct Expect {
    std::string target;
    std::string outcome;
    bool remark = false;
    bool fixed = false;
    std::vector<Field> fields;
};

struct Case {
    std::string place;  // "pci_acs.case:12"
    std::string name;
    std::string id;
    std::string expected;
    std::string tree;
    std::vector<std::string> removed;
    std::vector<std::string> configs;  // lines
    Process process;
    std::optional<std::uint64_t> shm;  // size on a real machine
    std::vector<Expect> expects;
    std::map<std::string, std::vector<std::string>> changes;  // lines, by target
    std::vector<std::string> baselines;                       // lines
    std::vector<Expect> defaults;
    std::vector<std::pair<std::string, std::string>> unsafe;  // target, part
    std::string bug;
    std::vector<std::string> left_out;  // ids of a shape that this case is not for
};

// A way in which a file is bad, and what a finding that cannot be judged then says.
struct BadWay {
    std::string_view name;
    std::string_view entry;  // the entry of a tree around the path
    std::string_view content;
    std::string_view says;
};
inline constexpr BadWay bad_ways[] = {
    {"EACCES", "e", " EACCES", " reason=permission fix~root"},
    {"EIO", "e", " EIO", " reason=error fix~dmesg"},
    {"ETIMEDOUT", "e", " ETIMEDOUT", " reason=timeout fix~\"it is stuck\""},
    {"empty", "f", "", " reason=garbled"},
    {"NULs", "f", " = \\x00\\x00\\x00\\c", " reason=garbled"},
    {"steering", "f", " = \\x1b[2J no idea", " reason=garbled"},
};

struct CaseFile {
    std::string name;  // "pci_acs"
    std::vector<Case> cases;
};

inline Expectation expectation_of(const Case& test) {
    Expectation expectation;
    expectation.id = test.id;
    if (test.expected == "unset") {
        expectation.unset = true;
        return expectation;
    }
    const auto entry = parse_override(test.id + "=" + test.expected);
    if (!entry) {
        throw std::runtime_error(test.place + ": " + entry.error().text);
    }
    expectation.value = *entry->value;
    return expectation;
}

// "0000:26:00.0 148: 10 00", or "0000:26:00.0 cut".
inline void change_config(MemoryFs& fs, const std::string& line) {
    const auto parts = words(line);
    const auto link = fs.link("/sys/bus/pci/devices/" + std::string(parts.at(0))).value();
    const std::string path = "/sys" + link.substr(link.find("/devices/")) + "/config";
    auto content = fs.read(path).value();
    const auto size = fs.size(path).value();
    if (parts.at(1) == "cut") {
        content.resize(64);
    } else {
        auto at = parse_number(parts.at(1).substr(0, parts.at(1).size() - 1), 16).value();
        for (const auto byte : std::span(parts).subspan(2)) {
            content.at(at++) = static_cast<char>(parse_number(byte, 16).value());
        }
    }
    fs.add_config(path, std::move(content), size);
}

inline std::unique_ptr<MemoryFs> machine_of(const Case& test) {
    auto tree = parse_tree(test.place, "rocenv tree 1\n" + test.tree);
    if (!tree) {
        throw std::runtime_error(test.place + ": " + tree.error().text);
    }
    for (const auto& path : test.removed) {
        (*tree)->remove(path);
    }
    for (const auto& line : test.configs) {
        change_config(**tree, line);
    }
    return std::move(tree).value();
}

// Words of a line; a word may hold a text in quotes, which may hold blanks.
class WordReader {
   public:
    explicit WordReader(std::string_view line) : line_(line) {}

    std::vector<std::string> read() {
        while (at_ < line_.size()) {
            if (line_[at_] == ' ') {
                ++at_;
            } else {
                words_.push_back(word());
            }
        }
        return words_;
    }

   private:
    std::string word() {
        std::string out;
        bool quoted = false;
        for (; at_ < line_.size() && (quoted || line_[at_] != ' '); ++at_) {
            if (line_[at_] == '"') {
                quoted = !quoted;
            } else if (quoted && line_[at_] == '\\') {
                out += escape();
            } else {
                out += line_[at_];
            }
        }
        return out;
    }

    char escape() {
        const char code = at_ + 1 < line_.size() ? line_[++at_] : '\\';
        if (code == 'x') {
            at_ += 2;
            return static_cast<char>(parse_number(line_.substr(at_ - 1, 2), 16).value_or('?'));
        }
        return code == 'n' ? '\n' : code == 't' ? '\t' : code;
    }

    std::string_view line_;
    std::size_t at_ = 0;
    std::vector<std::string> words_;
};

class CaseReader {
   public:
    // `of`: the id whose cases these are; empty: the one that the file is named after.
    explicit CaseReader(std::string name, const std::string& of = "")
        : id_(of.empty() ? id_of(name) : of), of_(of.empty() ? "" : " of " + of) {
        file_.name = std::move(name);
    }

    CaseFile read(std::string_view text) {
        for (const auto line : split(text, '\n')) {
            ++line_;
            if (line.starts_with("== ")) {
                end_bad();
                open(line.substr(3));
            } else if (in_tree_) {
                tree_ += std::string(line) + "\n";
            } else if (line.empty() || line[0] == '#') {
                continue;
            } else if (bad_.path.empty()) {
                take(line);
            } else {
                bad_.lines.emplace_back(line);
            }
        }
        end_bad();
        return std::move(file_);
    }

   private:
    [[noreturn]] void wrong(std::string_view what) const {
        throw std::runtime_error(place() + ": " + std::string(what));
    }

    std::string place() const { return file_.name + ".case:" + number(line_) + of_; }

    void open(std::string_view what) {
        in_tree_ = what == "tree" || what.starts_with("tree ");
        if (in_tree_ && what != "tree +") {
            tree_ = what == "tree" ? "" : shared_tree(what.substr(5));
        } else if (what.starts_with("case ")) {
            add_case(what.substr(5));
        } else if (what.starts_with("bad ")) {
            bad_.path = what.substr(4);
            bad_.place = place();
        } else if (!in_tree_) {
            wrong("wanted == tree, == tree +, == tree NAME, == case NAME or == bad PATH");
        }
    }

    void add_case(std::string_view name) {
        Case test;
        test.place = place();
        test.name = name;
        test.tree = tree_;
        test.id = id_;
        file_.cases.push_back(std::move(test));
    }

    std::string shared_tree(std::string_view name) const {
        std::ifstream stream(ROCENV_SOURCE_DIR "/tests/settings/trees/" + std::string(name) +
                             ".tree");
        std::string text(std::istreambuf_iterator<char>(stream), {});
        if (text.empty()) {
            wrong("no such tree");
        }
        return text;
    }

    // Makes the cases of a bad file.
    void end_bad() {
        const Bad bad = std::exchange(bad_, {});
        const auto but = std::find_if(bad.lines.begin(), bad.lines.end(),
                                      [](const auto& line) { return line.starts_with("but "); });
        for (const auto& way : bad.path.empty() ? std::span<const BadWay>() : bad_ways) {
            if (but != bad.lines.end() && contains_word(*but, way.name)) {
                continue;
            }
            add_case(concat({bad.path, ": ", way.name}));
            file_.cases.back().place = bad.place;
            take(concat({"+ ", way.entry, " ", bad.path, way.content}));
            const bool is_error = way.entry == "e";
            const bool is_kernels = bad.path.starts_with("/sys/") || bad.path.starts_with("/proc/");
            const std::string says =
                std::string(way.says) +
                (is_error && is_kernels ? " detail~" + std::string(way.name) : "");
            for (const auto& line : bad.lines) {
                if (!line.starts_with("but ")) {
                    const bool unknown = line.starts_with("expect ") && words(line)[2] == "unknown";
                    take(unknown ? line + says : line);
                }
            }
        }
    }

    // "pci_acs" to "pci.acs", "env_my_name" to "env.MY_NAME".
    static std::string id_of(std::string name) {
        const auto mark = std::min(name.find('_'), name.size() - 1);
        name[mark] = '.';
        if (name.starts_with("env.")) {
            std::transform(name.begin() + 4, name.end(), name.begin() + 4,
                           [](unsigned char letter) { return std::toupper(letter); });
        }
        return name;
    }

    void take(std::string_view line) {
        if (file_.cases.empty()) {
            wrong("stands before the first case");
        }
        Case& test = file_.cases.back();
        const auto blank = line.find(' ');
        const auto word = line.substr(0, blank);
        const std::string rest(blank == line.npos ? "" : line.substr(blank + 1));
        if (word == "+") {
            test.tree += rest + "\n";
        } else if (word == "-") {
            test.removed.push_back(rest);
        } else if (word == "id") {
            test.id = rest;
        } else if (word == "config") {
            test.configs.push_back(rest);
        } else if (word == "not") {
            for (const auto id : words(rest)) {
                test.left_out.emplace_back(id);
            }
        } else if (word == "want") {
            test.expected = rest;
        } else if (word == "process") {
            process(test.process, rest);
        } else if (word == "real") {
            test.shm = parse_number(rest);
        } else if (word == "expect" || word == "default") {
            expect(word == "expect" ? test.expects : test.defaults, rest);
        } else if (word == "write" || word == "state") {
            const auto target = rest.substr(0, rest.find(' '));
            test.changes[target].push_back(std::string(word) + rest.substr(target.size()));
        } else if (word == "baseline" || word == "back") {
            test.baselines.emplace_back(line);
        } else if (word == "unsafe") {
            const auto words = WordReader(rest).read();
            test.unsafe.emplace_back(words.at(0), words.size() > 1 ? words[1] : "");
        } else if (word == "bug") {
            test.bug = rest;
        } else {
            wrong("unknown word " + std::string(word));
        }
    }

    void process(Process& process, std::string_view line) const {
        for (const auto& word : WordReader(line).read()) {
            const auto equals = word.find('=');
            const std::string name = word.substr(0, equals);
            const std::string value = equals == word.npos ? "" : word.substr(equals + 1);
            const auto limit = value == "unlimited" ? unlimited : parse_number(value);
            if (word == "root") {
                process.is_root = true;
            } else if (name == "memlock") {
                process.memlock = limit;
            } else if (name == "nofile") {
                process.nofile = limit;
            } else if (name == "nproc") {
                process.nproc = limit;
            } else if (name == "stack") {
                process.stack = limit;
            } else if (name.starts_with("env.")) {
                process.environment[name.substr(4)] = value;
            } else {
                wrong("unknown fact of a process " + word);
            }
        }
    }

    void expect(std::vector<Expect>& into, std::string_view line) const {
        const auto words = WordReader(line).read();
        if (words.size() < 2) {
            wrong("wanted expect TARGET OUTCOME");
        }
        Expect out;
        out.target = words[0];
        out.outcome = words[1];
        for (std::size_t at = 2; at < words.size(); ++at) {
            if (words[at] == "remark") {
                out.remark = true;
            } else if (words[at] == "fixed") {
                out.fixed = true;
            } else {
                out.fields.push_back(field(words[at]));
            }
        }
        into.push_back(std::move(out));
    }

    Field field(const std::string& word) const {
        static const std::vector<std::string> known{"want", "have",    "effective", "detail",
                                                    "fix",  "refused", "grade",     "reason"};
        const auto mark = word.find_first_of("=~");
        if (mark == word.npos ||
            std::find(known.begin(), known.end(), word.substr(0, mark)) == known.end()) {
            wrong("wanted NAME=TEXT or NAME~TEXT, not " + word);
        }
        Field out{word.substr(0, mark), word[mark] == '~', word.substr(mark + 1)};
        if (!out.part && out.text == "null") {
            out.text = std::nullopt;
        }
        return out;
    }

    struct Bad {
        std::string path;
        std::string place;
        std::vector<std::string> lines;
    };

    CaseFile file_;
    std::string id_;
    std::string of_;
    std::string tree_;
    std::size_t line_ = 0;
    bool in_tree_ = false;
    Bad bad_;
};

inline std::string text_of_file(const std::filesystem::path& path) {
    std::ifstream stream(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
}

// The .case files of a folder, sorted by name.
inline std::vector<std::filesystem::path> case_files(const std::string& folder) {
    std::vector<std::filesystem::path> paths;
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
        if (entry.path().extension() == ".case") {
            paths.push_back(entry.path());
        }
    }
    std::sort(paths.begin(), paths.end());
    return paths;
}

// The cases that each setting has for itself.
inline std::vector<CaseFile> own_cases() {
    std::vector<CaseFile> out;
    for (const auto& path : case_files(ROCENV_SOURCE_DIR "/tests/settings")) {
        out.push_back(CaseReader(path.stem().string()).read(text_of_file(path)));
    }
    return out;
}

}  // namespace rocenv::cases
