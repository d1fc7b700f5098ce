// SPDX-License-Identifier: MIT
#include "sys/fs/redact.h"

#include <algorithm>
#include <array>

#include "util/letters.h"
#include "util/text.h"

namespace rocenv {

namespace {

// Parameters whose values tune the kernel and name nobody ('-' as '_'). A list of what may stay:
// what a new parameter holds is not known.
constexpr std::array known_parameters =
    std::to_array<std::string_view>({"acpi",
                                     "amd_iommu",
                                     "amd_prefcore",
                                     "amd_pstate",
                                     "apparmor",
                                     "audit",
                                     "clocksource",
                                     "crashkernel",
                                     "default_hugepagesz",
                                     "hugepages",
                                     "hugepagesz",
                                     "idle",
                                     "init_on_alloc",
                                     "init_on_free",
                                     "initcall_blacklist",
                                     "intel_iommu",
                                     "intel_pstate",
                                     "iommu",
                                     "irqaffinity",
                                     "isolcpus",
                                     "kasan",
                                     "kpti",
                                     "loglevel",
                                     "maxcpus",
                                     "mce",
                                     "mem",
                                     "mitigations",
                                     "modprobe.blacklist",
                                     "module_blacklist",
                                     "nmi_watchdog",
                                     "nohz",
                                     "nohz_full",
                                     "nr_cpus",
                                     "numa",
                                     "numa_balancing",
                                     "panic",
                                     "pci",
                                     "pcie_acs_override",
                                     "pcie_aspm",
                                     "pcie_port_pm",
                                     "pcie_ports",
                                     "preempt",
                                     "pti",
                                     "rcu_nocbs",
                                     "rd.driver.blacklist",
                                     "retbleed",
                                     "selinux",
                                     "skew_tick",
                                     "slab_debug",
                                     "slub_debug",
                                     "spec_rstack_overflow",
                                     "spectre_v2",
                                     "split_lock_detect",
                                     "swiotlb",
                                     "systemd.unified_cgroup_hierarchy",
                                     "transparent_hugepage",
                                     "tsc"});

// Modules and subsystems: all their parameters.
constexpr std::array known_prefixes = std::to_array<std::string_view>(
    {"amd_pstate.", "amdgpu.",           "amdkfd.",    "amdttm.",    "bnxt_en.",    "cpufreq.",
     "cpuidle.",    "cpuidle_haltpoll.", "drm.",       "ib_core.",   "intel_idle.", "iommu.",
     "kvm.",        "kvm_amd.",          "kvm_intel.", "mlx5_core.", "nvme_core.",  "pcie_aspm.",
     "processor.",  "rcutree.",          "ttm.",       "vfio.",      "vfio_pci.",   "workqueue."});

constexpr std::string_view kfd_folder = "/sys/class/kfd/";
constexpr std::string_view hostname_file = "/proc/sys/kernel/hostname";
constexpr std::string_view boot_id_file = "/proc/sys/kernel/random/boot_id";
constexpr std::string_view command_line_file = "/proc/cmdline";

bool is_blank(char byte) {
    return byte == ' ' || byte == '\t' || byte == '\n';
}

bool is_name_byte(char byte) {
    return is_letter_or_digit(byte) || byte == '_' || byte == '-' || byte == '.';
}

// Without the blanks and NULs around it, which stay.
std::string in_place(const std::string& content, std::string_view replacement) {
    const auto word = trim(content);
    if (word.empty()) {
        return content;
    }
    const auto at = static_cast<std::size_t>(word.data() - content.data());
    return content.substr(0, at) + std::string(replacement) + content.substr(at + word.size());
}

// Identities in the order they were first met, from 1.
class Numbering {
   public:
    std::uint64_t operator()(std::uint64_t identity) {
        return identity == 0 ? 0
                             : numbers_.try_emplace(identity, numbers_.size() + 1).first->second;
    }

   private:
    std::map<std::uint64_t, std::uint64_t> numbers_;
};

// The other rows name devices, and change all the time.
std::string redact_interrupts(std::string_view text) {
    std::string out;
    for (const auto line : split(text, '\n')) {
        const auto label = trim(line.substr(0, line.find(':')));
        if (label.starts_with("CPU") || label == "MCE" || label == "THR" || label == "DFR") {
            out += std::string(line) + "\n";
        }
    }
    return out.empty() ? std::string(text) : out;
}

class Redactor {
   public:
    explicit Redactor(const Notes& notes) {
        const auto found = notes.find(std::string(hostname_file));
        if (found != notes.end() && found->second.content && *found->second.content) {
            hostname_ = trim(**found->second.content);
        }
    }

    std::string content(const std::string& path, const std::string& text) {
        const std::string_view name = std::string_view(path).substr(path.rfind('/') + 1);
        if (path == command_line_file) {
            return redact_addresses(redact_command_line(text, hostname_));
        }
        if (path == hostname_file || name == "machine-id" || name == "vpd" ||
            name.find("serial") != std::string_view::npos) {
            return in_place(text, redacted);
        }
        if (path == boot_id_file || name == "product_uuid") {
            return in_place(text, "00000000-0000-0000-0000-000000000000");
        }
        if (name == "unique_id" || name == "xgmi_device_id" || name == "xgmi_hive_id") {
            return hexadecimal(text, name == "xgmi_hive_id" ? hives_ : gpus_);
        }
        if (path.find("/gids/") != std::string::npos) {
            return gid(text);
        }
        if (path.starts_with(kfd_folder) && name == "properties") {
            return properties(text);
        }
        if (path == "/proc/cpuinfo" || name == "meminfo") {
            return redact_addresses(redact_readings(text));
        }
        if (path == "/proc/interrupts") {
            return redact_interrupts(text);
        }
        return redact_addresses(text);
    }

   private:
    std::string properties(const std::string& text) {
        std::string out;
        for (const auto line : split(text, '\n')) {
            const bool gpu = trim(line).starts_with("unique_id");
            const bool hive = trim(line).starts_with("hive_id");
            out += gpu    ? property("unique_id", line, gpus_)
                   : hive ? property("hive_id", line, hives_)
                          : std::string(line);
            out += '\n';
        }
        out.pop_back();
        return out;
    }

    // A line that is no "key number" stays none.
    static std::string property(const std::string& key, std::string_view line, Numbering& known) {
        const auto parts = words(trim(line));
        const auto value =
            parts.size() == 2 && parts[0] == key ? parse_number(parts[1]) : std::nullopt;
        return key + " " + (value ? number(known(*value)) : std::string(redacted));
    }

    static std::string hexadecimal(const std::string& text, Numbering& known) {
        auto digits = trim(text);
        const bool prefix = digits.starts_with("0x");
        digits.remove_prefix(prefix ? 2 : 0);
        const auto value = parse_number(digits, 16);
        return in_place(text, value ? (prefix ? "0x" : "") +
                                          bare_hex(known(*value), static_cast<int>(digits.size()))
                                    : std::string(redacted));
    }

    // Which kind of address it is stays: none, mapped from IPv4, or another; and whether there is
    // anything in it beside that: 0.0.0.0 and an interface id of zero are no identities.
    std::string gid(const std::string& text) {
        constexpr std::string_view mapped = "0000:0000:0000:0000:0000:ffff:";
        constexpr std::size_t size = 39;  // eight groups of four digits
        const auto word = trim(text);
        if (word.size() != size || word.find_first_not_of("0:") == std::string_view::npos) {
            return redact_addresses(text);
        }
        const bool is_mapped = word.starts_with(mapped);
        const bool empty = word.ends_with(is_mapped ? "0000:0000" : "0000:0000:0000:0000");
        auto& known = is_mapped ? addresses_ : guids_;
        const auto identity =
            empty ? 0 : known.try_emplace(std::string(word), known.size() + 1).first->second;
        const auto digits = bare_hex(identity, 8);
        return in_place(text, std::string(is_mapped ? mapped : "fe80:0000:0000:0000:0000:0000:") +
                                  digits.substr(0, 4) + ":" + digits.substr(4));
    }

    std::string hostname_;
    std::map<std::string, std::size_t> addresses_;
    std::map<std::string, std::size_t> guids_;
    Numbering gpus_;
    Numbering hives_;
};

bool may_stay(std::string_view name) {
    std::string plain(name);
    std::replace(plain.begin(), plain.end(), '-', '_');
    return std::find(known_parameters.begin(), known_parameters.end(), plain) !=
               known_parameters.end() ||
           std::any_of(known_prefixes.begin(), known_prefixes.end(),
                       [&](std::string_view prefix) { return plain.starts_with(prefix); });
}

// Whether it says so itself, as a module's parameter that we do not know or a name within a value.
// Lists of drivers and functions hold names that sound like it.
bool tells_a_secret(std::string_view name, std::string_view word) {
    if (name.ends_with("blacklist")) {
        return false;
    }
    const std::string low = lower_case(word.substr(0, word.rfind('=')));
    constexpr std::array signs =
        std::to_array<std::string_view>({"passw", "passphrase", "secret", "token", "credential"});
    return std::any_of(signs.begin(), signs.end(),
                       [&](std::string_view sign) { return low.find(sign) != std::string::npos; });
}

std::string redact_word(std::string_view word, std::string_view hostname) {
    const auto equals = word.find('=');
    const auto name = word.substr(0, equals);
    const bool named = !hostname.empty() && name.find(hostname) != std::string_view::npos;
    if (named || !std::all_of(name.begin(), name.end(), is_name_byte)) {
        return std::string(redacted);
    }
    if (equals == std::string_view::npos) {
        return std::string(word);
    }
    return may_stay(name) && !tells_a_secret(name, word)
               ? std::string(word)
               : std::string(name) + "=" + std::string(redacted);
}

}  // namespace

std::string redact_command_line(std::string_view line, std::string_view hostname) {
    const bool binary = std::any_of(line.begin(), line.end(), [](unsigned char byte) {
        return (byte < 0x20 && byte != '\t' && byte != '\n' && byte != 0) || byte == 0x7f;
    });
    if (binary) {
        return "\x01\n";
    }
    std::string out;
    for (std::size_t at = 0; at < line.size();) {
        if (is_blank(line[at]) || line[at] == '\0') {
            out += line[at++];
            continue;
        }
        std::size_t end = at;
        for (bool quoted = false;
             end < line.size() && line[end] != '\0' && (quoted || !is_blank(line[end])); ++end) {
            quoted = quoted != (line[end] == '"');
        }
        const auto word = line.substr(at, end - at);
        if (word == "--") {  // the rest is for init
            return out + "--\n";
        }
        out += redact_word(word, hostname);
        at = end;
    }
    return out;
}

std::string redact_names(std::string text, const std::vector<std::string>& names) {
    for (const auto& name : names) {
        std::size_t at = name.empty() ? std::string::npos : text.find(name);
        while (at != std::string::npos) {
            const std::size_t end = at + name.size();
            const bool whole = (at == 0 || !is_name_byte(text[at - 1])) &&
                               (end == text.size() || !is_name_byte(text[end]));
            if (whole) {
                text.replace(at, name.size(), redacted);
            }
            at = text.find(name, whole ? at + redacted.size() : end);
        }
    }
    return text;
}

std::string redact_readings(std::string_view text) {
    constexpr std::array<std::string_view, 6> lasting{
        "processor", "vendor_id", "model name", "flags", "MemTotal:", "HardwareCorrupted:"};
    std::string out;
    std::array<bool, lasting.size()> seen{};
    for (const auto line : split(text, '\n')) {
        for (std::size_t at = 0; at < lasting.size(); ++at) {
            const auto place = line.find(lasting[at]);
            const bool begins = place == 0 || (place != std::string_view::npos &&
                                               line.starts_with("Node ") && line[place - 1] == ' ');
            if (begins && !seen[at]) {
                seen[at] = true;
                out += std::string(line) + "\n";
            }
        }
    }
    return out.empty() ? std::string(text) : out;
}

void redact(Notes& notes) {
    redact_services(notes);
    Redactor redactor(notes);
    for (auto& [path, note] : notes) {
        if (note.content && *note.content) {
            note.content.emplace(redactor.content(path, **note.content));
        }
    }
}

}  // namespace rocenv
