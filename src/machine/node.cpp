// SPDX-License-Identifier: MIT
// CPUs, the kernel command line, the installed ROCm.
#include "rocenv/machine.h"
#include "util/text.h"

namespace rocenv {

Result<std::vector<std::uint32_t>> Machine::online_cpus() const {
    const std::string path = "/sys/devices/system/cpu/online";
    const auto text = fs_.read(path);
    if (!text) {
        return text.error();
    }
    auto list = parse_number_list(trim(*text));
    if (!list || list->empty()) {
        return garbled(path, "is no list of CPUs: \"" + printable(trim(*text), 40) + "\"");
    }
    return *std::move(list);
}

// Words in double quotes may hold blanks; what follows "--" is for init
// (linux kernel/params.c parse_args, next_arg).
Result<std::vector<KernelArgument>> Machine::kernel_arguments() const {
    const std::string path = "/proc/cmdline";
    const auto text = fs_.read(path);
    if (!text) {
        return text.error();
    }
    const auto line = trim(*text);
    if (!is_plain(line)) {
        return garbled(path, "holds bytes that are no text");
    }
    std::vector<KernelArgument> arguments;
    std::string word;
    bool quoted = false;
    for (std::size_t at = 0; at <= line.size(); ++at) {
        if (at < line.size() && line[at] == '"') {
            quoted = !quoted;
        } else if (at < line.size() && (quoted || line[at] != ' ')) {
            word += line[at];
        } else if (!word.empty()) {
            if (word == "--") {
                break;
            }
            const auto equals = word.find('=');
            KernelArgument argument;
            argument.name = word.substr(0, equals);
            argument.has_value = equals != std::string::npos;
            argument.value = argument.has_value ? word.substr(equals + 1) : "";
            for (char& letter : argument.name) {
                letter = letter == '-' ? '_' : letter;
            }
            arguments.push_back(std::move(argument));
            word.clear();
        }
    }
    return arguments;
}

Result<std::string> Machine::rocm_version(const std::optional<std::string>& rocm_path) const {
    std::vector<std::string> folders{"/opt/rocm"};
    if (rocm_path && rocm_path->starts_with('/')) {
        folders.insert(folders.begin(), *rocm_path);
    }
    for (const auto& folder : folders) {
        const std::string path = folder + "/.info/version";
        const auto text = fs_.read(path);
        if (text) {
            const auto version = trim(*text);
            if (!compare_versions(version, "0") || !is_plain(version)) {
                return garbled(path, "is no version: \"" + printable(version, 40) + "\"");
            }
            return std::string(version);
        }
        if (!text.is(ErrorKind::not_here)) {
            return text.error();
        }
    }
    return Error{ErrorKind::not_here, 0, folders.back() + "/.info/version",
                 "no ROCm found (" + folders.back() + "/.info/version is missing)"};
}

}  // namespace rocenv
