// SPDX-License-Identifier: MIT
#include "variables/environment.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <utility>

#include "util/credentials.h"
#include "util/rocm_folders.h"
#include "util/text.h"
#include "variables/catalogue.h"
#include "variables/releases/versions.h"
#include "variables/sh_file.h"

namespace rocenv {

bool is_secret_name(std::string_view name) {
    const auto variable = find_variable(name);
    return variable ? is_secret(*variable) : is_name_of_secret(name);
}

namespace {

constexpr std::string_view blanks = " \t\v\f\r";

Error at_line(const std::string& file, std::size_t line, const std::string& what) {
    return {ErrorKind::bad_input, 0, file, printable(file) + ":" + number(line) + ": " + what};
}

std::string_view left_trimmed(std::string_view text) {
    text.remove_prefix(std::min(text.find_first_not_of(blanks), text.size()));
    return text;
}

// Reads a file as systemd does, byte by byte (src/basic/env-file.c and env-util.c, 2026-11). Quotes
// count where a value or another quoted part begins; text outside of quotes loses its outer blanks;
// a backslash takes the next byte as it is, one before a line end joins the lines; between double
// quotes a backslash stays unless it stands before " \ ` $.
class SystemdFile {
   public:
    SystemdFile(const std::string& file, std::string_view text) : file_(file), text_(text) {}

    Result<GivenEnvironment> read() {
        while (at_ < text_.size()) {
            const std::string_view rest = text_.substr(at_);
            const auto first = rest.find_first_not_of(" \t\r\n");
            if (first == std::string_view::npos) {
                break;
            }
            after_comment_ = after_comment_ && rest.find_first_of("\r\n") >= first;
            skip(first);
            const std::size_t start = line_;
            if (text_[at_] == '#' || text_[at_] == ';') {
                skip_comment();
            } else if (!assignment()) {
                return at_line(file_, start, "a quote is not closed");
            }
        }
        return std::move(out_);
    }

   private:
    void skip(std::size_t count) {
        for (; count > 0; --count) {
            line_ += text_[at_++] == '\n' ? 1U : 0U;
        }
    }

    void skip_comment() {
        after_comment_ = false;
        while (at_ < text_.size() && text_[at_] != '\n' && !after_comment_) {
            const bool escapes = text_[at_] == '\\' && at_ + 1 < text_.size();
            after_comment_ = escapes && text_[at_ + 1] == '\n';
            skip(escapes ? 2 : 1);
        }
    }

    void ignore(std::size_t line, const char* why, const char* advice) {
        out_.unread.push_back({printable(file_) + ":" + number(line), "ignored", why, advice});
    }

    bool assignment() {
        const std::size_t line = line_;
        const bool doubtful = std::exchange(after_comment_, false);
        const auto end = std::min(text_.find_first_of("=\n", at_), text_.size());
        const std::string name(trim(text_.substr(at_, end - at_)));
        skip(end - at_);
        if (at_ == text_.size() || text_[at_] == '\n') {
            ignore(line, "systemd ignores a line without =", "write NAME=VALUE");
            return true;
        }
        skip(1);
        std::string value;
        const bool closed = take_value(value);
        if (!is_identifier(name)) {
            const bool exports = name.starts_with("export ") || name.starts_with("export\t");
            ignore(line,
                   exports ? "systemd ignores a line that begins with export"
                           : "systemd ignores a name with other bytes than letters, digits and _",
                   exports ? "remove the word export" : "correct the name");
        } else if (doubtful) {
            constexpr const char* why =
                "systemd before 254 reads the line as part of the comment above, which ends with a "
                "backslash";
            ignore(line, why, "remove the backslash at the end of the comment");
            out_.variables.erase(name);
            out_.not_evaluated.names[name] = out_.unread.back().place + ": " + why;
        } else {
            out_.not_evaluated.names.erase(name);
            out_.variables[name] = std::move(value);
        }
        return closed;
    }

    bool take_value(std::string& value) {
        std::size_t solid = 0;  // end of the value without its outer blanks
        for (bool begun = false; at_ < text_.size() && text_[at_] != '\n';) {
            const char byte = text_[at_];
            if (!begun && blanks.find(byte) != std::string_view::npos) {
                skip(1);
                continue;
            }
            if (!begun && (byte == '\'' || byte == '"')) {
                if (!take_quoted(byte, value)) {
                    return false;
                }
                solid = value.size();
                continue;
            }
            begun = true;
            if (byte == '\\') {
                take_escaped(value);
                solid = value.size();
            } else {
                value += byte;
                solid = blanks.find(byte) == std::string_view::npos ? value.size() : solid;
                skip(1);
            }
        }
        value.resize(solid);
        return true;
    }

    void take_escaped(std::string& value) {
        skip(1);
        if (at_ < text_.size()) {
            value += text_[at_] == '\n' ? "" : std::string(1, text_[at_]);
            skip(1);
        }
    }

    bool take_quoted(char quote, std::string& value) {
        for (skip(1); at_ < text_.size() && text_[at_] != quote; skip(1)) {
            if (quote == '"' && text_[at_] == '\\' && at_ + 1 < text_.size()) {
                const char next = text_[at_ + 1];
                const bool special =
                    std::string_view("\"\\`$\n").find(next) != std::string_view::npos;
                value += special ? "" : "\\";
                value += next == '\n' ? "" : std::string(1, next);
                skip(1);
            } else {
                value += text_[at_];
            }
        }
        const bool closed = at_ < text_.size();
        skip(closed ? 1 : 0);
        return closed;
    }

    const std::string& file_;
    std::string_view text_;
    std::size_t at_ = 0;
    std::size_t line_ = 1;
    bool after_comment_ = false;  // the line before is a comment that ends with a backslash
    GivenEnvironment out_;
};

// Limit of variables and of lines, since each may be a finding of its own.
constexpr std::size_t most_findings = 4096;

Result<Environment> limited(const std::string& file, Environment found) {
    if (found.size() > most_findings) {
        return garbled(file, "holds more than " + number(most_findings) + " variables");
    }
    return found;
}

Result<GivenEnvironment> limited(const std::string& file, GivenEnvironment found) {
    if (found.variables.size() + found.not_evaluated.names.size() > most_findings) {
        return garbled(file, "holds more than " + number(most_findings) + " variables");
    }
    if (found.unread.size() > most_findings) {
        return garbled(file, "holds more than " + number(most_findings) +
                                 " lines that are ignored or not evaluated");
    }
    return found;
}

// Adds a file's variables to `out`, where they override earlier ones.
void put_over(GivenEnvironment& out, GivenEnvironment&& found) {
    for (auto& [name, value] : found.variables) {
        out.not_evaluated.names.erase(name);
        out.variables[name] = std::move(value);
    }
    for (auto& [name, why] : found.not_evaluated.names) {
        out.variables.erase(name);
        out.not_evaluated.names[name] = std::move(why);
    }
    if (!found.not_evaluated.others.empty()) {
        out.not_evaluated.others = std::move(found.not_evaluated.others);
    }
    std::move(found.unread.begin(), found.unread.end(), std::back_inserter(out.unread));
}

}  // namespace

bool is_identifier(std::string_view name) {
    constexpr std::string_view first = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_";
    constexpr std::string_view digits = "0123456789";
    return !name.empty() && first.find(name.front()) != std::string_view::npos &&
           std::all_of(name.begin(), name.end(), [&](char letter) {
               return first.find(letter) != std::string_view::npos ||
                      digits.find(letter) != std::string_view::npos;
           });
}

Result<Environment> environment_of(const Fs& machine, const std::string& pid) {
    const std::string path = "/proc/" + pid + "/environ";
    const auto text = machine.read(path);
    if (text.is(ErrorKind::not_here)) {
        return Error{ErrorKind::not_here, text.error().err, path,
                     "no process has the id '" + pid + "' (--pid)"};
    }
    if (!text) {
        return text.error();
    }
    if (text->empty()) {
        return Error{ErrorKind::not_here, 0, path,
                     path + " is empty: the process is a kernel thread or is ending"};
    }
    Environment out;
    for (const auto entry : split(*text, '\0')) {
        const auto equals = entry.find('=');
        if (equals != std::string_view::npos) {
            out.emplace(entry.substr(0, equals), entry.substr(equals + 1));
        }
    }
    return limited(path, std::move(out));
}

// Returns the start of a line that cannot be a name; the rest may be a secret.
static std::string first_word(const std::string& line) {
    return line.substr(0, line.find_first_of(" \t:"));
}

Result<GivenEnvironment> parse_docker_file(const std::string& file, std::string_view text,
                                           const Process& caller) {
    GivenEnvironment out;
    std::size_t line_number = 0;
    if (text.starts_with("\xef\xbb\xbf")) {
        text.remove_prefix(3);
    }
    for (auto line : split(text, '\n')) {
        ++line_number;
        line = left_trimmed(line.ends_with('\r') ? line.substr(0, line.size() - 1) : line);
        if (line.empty() || line.front() == '#') {
            continue;
        }
        const auto equals = line.find('=');
        const std::string name(line.substr(0, equals));
        if (name.empty() || name.find_first_of(" \t") != std::string::npos) {
            const std::string first = first_word(name);
            return at_line(file, line_number,
                           "\"" + printable(first, 60) + "\"" +
                               (first.size() < name.size() ? " and the text after it" : "") +
                               " is not a valid name (docker rejects it)");
        }
        const auto inherited = caller.variable(name);
        if (equals != std::string_view::npos) {
            out.variables[name] = std::string(line.substr(equals + 1));
        } else if (inherited) {
            out.variables[name] = *inherited;
        } else {
            out.unread.push_back({printable(file) + ":" + number(line_number), "ignored",
                                  "docker passes nothing: the caller has no variable of this name",
                                  "write NAME=VALUE"});
        }
    }
    return out;
}

Result<GivenEnvironment> parse_systemd_file(const std::string& file, std::string_view text) {
    return SystemdFile(file, text).read();
}

std::string env_file_path(const std::string& argument) {
    for (const std::string_view form : {"systemd:", "docker:", "sh:"}) {
        if (argument.starts_with(form)) {
            return argument.substr(form.size());
        }
    }
    return argument;
}

Result<GivenEnvironment> read_env_file(const Fs& host, const std::string& argument,
                                       const Process& caller) {
    const std::string file = env_file_path(argument);
    const auto text = host.read(file);
    if (!text) {
        return text.error();
    }
    auto found = argument.starts_with("systemd:") ? parse_systemd_file(file, *text)
                 : argument.starts_with("sh:")    ? parse_sh_file(file, *text)
                                                  : parse_docker_file(file, *text, caller);
    return found ? limited(file, *std::move(found)) : found;
}

Result<GivenEnvironment> given_environment(const std::string& pid,
                                           const std::vector<std::string>& files, const Fs& machine,
                                           const Fs& host, const Process& caller) {
    GivenEnvironment out;
    if (!pid.empty()) {
        auto found = environment_of(machine, pid);
        if (!found) {
            return found.error();
        }
        out.variables = std::move(*found);
    }
    for (const auto& file : files) {
        auto found = read_env_file(host, file, caller);
        if (!found) {
            return found;
        }
        put_over(out, std::move(*found));
    }
    return out;
}

namespace {

// Returns whether the process shares the mount and cgroup namespaces of this one.
EnvironmentOf environment_origin(const std::string& pid, const Fs& machine) {
    if (pid.empty()) {
        return EnvironmentOf::file;
    }
    for (const char* name : {"/ns/mnt", "/ns/cgroup"}) {
        const auto here = machine.link(std::string("/proc/self") + name);
        const auto there = machine.link("/proc/" + pid + name);
        if (!here || !there || *here != *there) {
            return EnvironmentOf::far_process;
        }
    }
    return EnvironmentOf::process;
}

// Returns whether the process has another effective user id than root ("Uid: real effective saved
// file", linux fs/proc/array.c).
bool is_of_a_user(const std::string& pid, const Fs& machine) {
    const auto status = machine.read("/proc/" + pid + "/status");
    for (const auto line : split(status ? std::string_view(*status) : "", '\n')) {
        const auto fields = words(line);
        if (fields.size() > 2 && fields[0] == "Uid:") {
            return fields[2] != "0";
        }
    }
    return true;
}

}  // namespace

Process process_given(const Process& caller, GivenEnvironment& given, const std::string& pid,
                      const Fs& machine) {
    Process out = caller;
    out.environment = std::move(given.variables);
    out.not_evaluated = std::move(given.not_evaluated);
    out.environment_of = environment_origin(pid, machine);
    out.pid = pid;
    out.of_another_user =
        !pid.empty() && machine.is_real() && caller.is_root && is_of_a_user(pid, machine);
    return out;
}

namespace {

// Limit of a value: MAX_ARG_STRLEN of linux include/uapi/linux/binfmts.h, with pages of 4 KiB.
constexpr std::size_t longest_value = std::size_t{128} << 10;

// Variables of launchers with a process's rank on the node: Slurm, Open MPI, MPICH and Intel MPI,
// MVAPICH2, Flux, HPE PALS (their manuals, read 2026-11).
constexpr std::array<const char*, 6> rank_names{"SLURM_LOCALID",      "OMPI_COMM_WORLD_LOCAL_RANK",
                                                "MPI_LOCALRANKID",    "MV2_COMM_WORLD_LOCAL_RANK",
                                                "FLUX_TASK_LOCAL_ID", "PALS_LOCAL_RANKID"};

std::optional<std::string> local_rank(const Process& process) {
    for (const char* name : rank_names) {
        if (auto value = process.variable(name)) {
            return value;
        }
    }
    return std::nullopt;
}

// Returns the folder of the default ROCm, which may lie below the one that ROCM_PATH names
// (/opt/rocm/core). A ROCM_PATH without ROCm is returned as it is. Without any ROCm it is the
// default of ROCm's own tools.
std::string rocm_folder(const Machine& machine, const Process& process) {
    const auto layouts = rocm_layouts(machine.fs(), process);
    const RocmLayout* layout = layouts.counting();
    auto named = process.variable("ROCM_PATH").value_or("");
    if (!named.empty() && (layout == nullptr || !layouts.misled.empty())) {
        return named;
    }
    return layout != nullptr ? layout->folder : std::string(rocm_default);
}

}  // namespace

std::size_t visible_gpus(const Machine& machine) {
    const auto& nodes = machine.kfd().nodes;
    return static_cast<std::size_t>(std::count_if(
        nodes.begin(), nodes.end(), [](const KfdNode& node) { return node.is_gpu(); }));
}

Result<std::string> expand(std::string_view text, const Lookup& lookup) {
    std::string out;
    for (std::size_t at = 0; at < text.size(); ++at) {
        const char next = at + 1 < text.size() ? text[at + 1] : '\0';
        if (text[at] != '$' || (next != '$' && next != '{')) {
            out += text[at];
            continue;
        }
        if (next == '$') {
            out += '$';
            ++at;
            continue;
        }
        const auto end = text.find('}', at);
        if (end == std::string_view::npos) {
            return Error{ErrorKind::bad_input, 0, "", "${ without } (a plain $ is written $$)"};
        }
        const std::string name(text.substr(at + 2, end - at - 2));
        const auto value = lookup(name);
        if (!value) {
            return Error{ErrorKind::bad_input, 0, "",
                         "${" + printable(name, 60) + "} is not set (a plain $ is written $$)"};
        }
        out += *value;
        if (out.size() > longest_value) {
            return Error{ErrorKind::bad_input, 0, "",
                         "it expands to more than 128 KiB, the limit of the kernel"};
        }
        at = end;
    }
    return out;
}

std::optional<std::string> lookup_here(const std::string& name, const Machine& machine,
                                       const Process& process) {
    if (name == "ROCM_PATH") {
        return rocm_folder(machine, process);
    }
    if (auto value = process.variable(name)) {
        return value;
    }
    if (name == "LOCAL_RANK") {
        return local_rank(process);
    }
    // A zero would be wrong if the GPUs could not be read.
    if (name == "GPU_COUNT" && !machine.kfd_uncertain()) {
        return number(visible_gpus(machine));
    }
    return std::nullopt;
}

}  // namespace rocenv
