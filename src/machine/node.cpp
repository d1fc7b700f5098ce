// SPDX-License-Identifier: MIT
// CPUs, kernel command line, and facts of the node.
#include <algorithm>
#include <utility>

#include "os/redact/redact_words.h"
#include "rocenv/machine.h"
#include "util/text.h"

namespace rocenv {

namespace {

std::string line_of(const Fs& fs, const std::string& path) {
    const auto text = fs.read(path);
    return text ? printable(trim(*text), 100) : std::string();
}

// Returns true outside of the initial pid or cgroup namespace, as in a container (linux
// include/linux/proc_ns.h has their inode numbers).
bool in_container(const Fs& fs) {
    if (!fs.is_real()) {
        return false;
    }
    const auto pid = fs.link("/proc/self/ns/pid");
    const auto cgroup = fs.link("/proc/self/ns/cgroup");
    if ((pid && *pid != "pid:[4026531836]") || (cgroup && *cgroup != "cgroup:[4026531835]")) {
        return true;
    }
    const bool marked = exists(fs, "/.dockerenv") || exists(fs, "/run/.containerenv");
    if (!marked) {
        return false;
    }
    const auto mounts = fs.read("/proc/self/mounts");
    for (const auto line : split(mounts ? std::string_view(*mounts) : std::string_view(), '\n')) {
        const auto parts = words(line);
        if (parts.size() > 2 && parts[1] == "/" && parts[2] == "overlay") {
            return true;
        }
    }
    return false;
}

}  // namespace

Result<std::vector<std::uint32_t>> Machine::online_cpus() const {
    const std::string path = "/sys/devices/system/cpu/online";
    const auto text = fs_.read(path);
    if (!text) {
        return text.error();
    }
    auto list = parse_number_list(trim(*text));
    if (!list || list->empty()) {
        return garbled(path, "is not a valid list of CPUs: " + quoted_value(trim(*text)));
    }
    return *std::move(list);
}

Result<std::vector<KernelArgument>> Machine::kernel_arguments() const {
    const std::string path = "/proc/cmdline";
    const auto text = fs_.read(path);
    if (!text) {
        return text.error();
    }
    const auto found = kernel_words(*text);
    const bool blank = text->find_first_not_of('\0') == std::string::npos;
    if (blank || !found) {
        return garbled(path, text->empty() ? "is empty" : "holds bytes that are not text");
    }
    std::vector<KernelArgument> arguments;
    for (const auto& word : *found) {
        arguments.push_back({word.name, word.value, word.has_value});
        auto& name = arguments.back().name;
        std::replace(name.begin(), name.end(), '-', '_');
    }
    return arguments;
}

Result<std::string> boot_id_of(const Fs& fs) {
    constexpr std::size_t id_size = 36;
    const std::string path = "/proc/sys/kernel/random/boot_id";
    const auto text = fs.read(path);
    if (!text) {
        return text.error();
    }
    std::string id(trim(*text));
    const bool sensible =
        id.size() == id_size && id.find_first_not_of("0123456789abcdef-") == std::string::npos;
    return sensible ? Result<std::string>(std::move(id)) : garbled(path, "holds no boot id");
}

NodeFacts Machine::facts() const {
    return {line_of(fs_, "/proc/sys/kernel/hostname"),
            line_of(fs_, "/proc/sys/kernel/random/boot_id"),
            line_of(fs_, "/proc/sys/kernel/osrelease"), in_container(fs_)};
}

}  // namespace rocenv
