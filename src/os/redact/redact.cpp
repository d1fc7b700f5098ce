// SPDX-License-Identifier: MIT
#include "os/redact/redact.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "os/redact/redact_words.h"
#include "util/text.h"

namespace rocenv {

// Rules that state which parts of a file a recording keeps. A file without a rule is recorded as
// "redacted".

namespace {

enum class Keep {
    nothing,
    kernel_words,      // all, if its parts are numbers or words that kernels write
    keyed_numbers,     // lines "key number"
    name,              // one name given by the kernel, a driver or the site
    modalias,          // the ids of a PCI function
    text,              // short text of a vendor, without host name, addresses and credentials
    version,           // like text; four numbers with dots are a version
    command_line,      // result of redact_command_line()
    kfd_properties,    // keyed numbers; ids of GPUs and hives renumbered
    identity,          // hexadecimal, renumbered
    hive,              // hexadecimal of a hive, renumbered
    gid,               // kind kept, rest renumbered
    boot_id,           // zeros
    cpu_names,         // the first CPU's maker, model and flags
    total_memory,      // total memory
    interrupt_counts,  // rows about machine checks
    swap_areas,        // kinds and sizes
    distribution,      // known keys of os-release(5)
    kernel_options,    // lines CONFIG_NAME=y, m or n
    symbols,           // only the symbol that rdma.gpu_direct looks for
    release,           // one word that starts with a digit
    python_versions,   // versions that a Python package assigns
    process,           // selected by redact_services()
};

// A rule for files; the first match counts.
struct Rule {
    std::string_view start;   // start of the path
    std::string_view inside;  // text within the rest; empty: any
    std::string_view names;   // file names; empty: any
    Keep keep;
};

constexpr std::string_view numbers_and_words =
    "active aer_dev_correctable aer_dev_fatal aer_dev_nonfatal aer_rootport_total_err_cor "
    "aer_rootport_total_err_fatal aer_rootport_total_err_nonfatal available_clocksource bios_limit "
    "block_size_bytes boost carrier carrier_changes carrier_down_count carrier_up_count ce_count "
    "class "
    "control core_siblings_list cpuinfo_max_freq cpulist current_clocksource "
    "current_compute_partition "
    "current_link_speed current_link_width current_memory_partition default_status defrag dev_port "
    "dimm_ce_count dimm_mem_type dimm_ue_count disable duplex enabled "
    "energy_performance_available_preferences energy_performance_preference event_state features "
    "generation_id gpu_id gpu_vram_bad_pages initstate isolated latency link_layer local_cpulist "
    "lockdown "
    "level max_link_speed max_link_width max_perf_pct mem_info_vis_vram_total mem_info_vram_total "
    "mem_info_vram_used "
    "mtu netns_mode no_turbo nr_hugepages numa_node online oops_count operstate package_cpus_list "
    "page_pool_size pages_limit phys_state physical_package_id possible power1_cap "
    "power1_cap_default power1_cap_max power_dpm_force_performance_level power_state "
    "pp_od_clk_voltage present rate resource revision runtime_status rx_crc_errors "
    "scaling_available_frequencies scaling_available_governors scaling_governor "
    "scaling_max_freq seconds_since_reset shared_cpu_list "
    "shared_cpu_map size "
    "soc_pstate speed "
    "sriov_numvfs state taint thread_siblings_list type ue_count warn_count xgmi_num_hops "
    "xgmi_num_links device vendor subsystem_device subsystem_vendor synchronized";

constexpr auto rules = std::to_array<Rule>({
    {"/proc/cmdline", "", "cmdline", Keep::command_line},
    {"/proc/cpuinfo", "", "cpuinfo", Keep::cpu_names},
    {"/proc/meminfo", "", "meminfo", Keep::total_memory},
    {"/proc/interrupts", "", "interrupts", Keep::interrupt_counts},
    {"/proc/swaps", "", "swaps", Keep::swap_areas},
    {"/proc/kallsyms", "", "kallsyms", Keep::symbols},
    {"/proc/", "", "comm", Keep::process},
    {"/proc/sys/kernel/random/", "", "boot_id", Keep::boot_id},
    {"/proc/sys/kernel/", "", "hostname", Keep::nothing},
    {"/proc/sys/kernel/", "", "osrelease", Keep::release},
    {"/proc/sys/", "", "", Keep::kernel_words},
    {"/etc/tuned/", "", "active_profile", Keep::kernel_words},
    {"/etc/os-release", "", "os-release", Keep::distribution},
    {"/boot/config-", "", "", Keep::kernel_options},
    {"/sys/class/kfd/", "/nodes/", "properties", Keep::kfd_properties},
    {"/sys/class/dmi/id/", "", "bios_date bios_vendor bios_version", Keep::version},
    {"/sys/class/dmi/id/", "", "board_name product_name", Keep::text},
    {"/sys/bus/pci/slots/", "", "address", Keep::kernel_words},
    {"/sys/module/amdgpu/parameters/", "", "", Keep::kernel_words},
    {"/sys/module/", "", "version", Keep::release},
    {"/sys/devices/system/cpu/", "/microcode/", "version", Keep::kernel_words},
    {"/sys/devices/system/cpu/", "/cpuidle/", "name", Keep::kernel_words},
    {"/sys/devices/system/node/", "", "meminfo", Keep::total_memory},
    {"/sys/", "/gids/", "", Keep::gid},
    {"/sys/", "/gid_attrs/ndevs/", "", Keep::name},
    {"/sys/", "/gid_attrs/types/", "", Keep::kernel_words},
    {"/sys/", "/counters/", "", Keep::kernel_words},
    {"/sys/", "/hw_counters/", "", Keep::kernel_words},
    {"/sys/", "/fw_version/", "", Keep::kernel_words},
    {"/sys/", "/hugepages/", "", Keep::kernel_words},
    {"/sys/", "", "unique_id xgmi_device_id", Keep::identity},
    {"/sys/", "", "xgmi_hive_id", Keep::hive},
    {"/sys/", "", "modalias", Keep::modalias},
    {"/sys/", "", "phys_port_name", Keep::name},
    {"/sys/", "", "board_id fw_ver vbios_version", Keep::version},
    {"/sys/", "", numbers_and_words, Keep::kernel_words},
    {"/", "/.info/", "version", Keep::release},
    {"/", "-packages/", "__init__.py version.py _version.py", Keep::python_versions},
});

Keep keep_of(std::string_view path) {
    const auto slash = path.rfind('/');
    const auto name = path.substr(slash + 1);
    const bool option = path.starts_with("/sys/module/amdgpu/parameters/");
    if (option && !is_amdgpu_parameter(name)) {
        return Keep::nothing;
    }
    const auto* const found = std::find_if(rules.begin(), rules.end(), [&](const Rule& rule) {
        return path.starts_with(rule.start) && path.find(rule.inside) != std::string_view::npos &&
               (rule.names.empty() || contains_word(rule.names, name));
    });
    return found == rules.end() ? Keep::nothing : found->keep;
}

constexpr std::string_view hostname_file = "/proc/sys/kernel/hostname";
constexpr std::string_view no_boot_id = "00000000-0000-0000-0000-000000000000";

// Replaces the text between surrounding blanks and NULs, which stay.
std::string replace_word(const std::string& content, std::string_view replacement) {
    const auto word = trim(content);
    if (word.empty()) {
        return content;
    }
    const auto at = static_cast<std::size_t>(word.data() - content.data());
    return content.substr(0, at) + std::string(replacement) + content.substr(at + word.size());
}

// Maps each line by `kept`; std::nullopt removes the line.
template <typename Kept>
std::string by_line(std::string_view text, Kept kept) {
    std::string out;
    while (!text.empty()) {
        const auto end = std::min(text.find('\n'), text.size());
        const std::optional<std::string> line = kept(text.substr(0, end));
        const bool whole = end < text.size();
        out += line ? *line + (whole ? "\n" : "") : std::string();
        text.remove_prefix(end + (whole ? 1 : 0));
    }
    return out;
}

// Returns "redacted" if no line of a file is left: the file is of another kind.
std::string or_redacted(const std::string& kept, const std::string& text) {
    return kept.empty() && !text.empty() ? std::string(redacted) + "\n" : kept;
}

// A renumbering of identities in order of appearance, from 1.
class Numbering {
   public:
    std::uint64_t operator()(std::uint64_t identity) {
        return identity == 0 ? 0
                             : numbers_.try_emplace(identity, numbers_.size() + 1).first->second;
    }

   private:
    std::map<std::uint64_t, std::uint64_t> numbers_;
};

// Returns a line with unknown words as its last number, as counters have it.
std::string kernel_line(std::string_view line) {
    if (is_kernel_text(line)) {
        return redact_addresses(std::string(line));
    }
    const auto parts = words(line);
    const auto count = parts.size() > 1 ? parse_number(parts.back()) : std::nullopt;
    return std::string(redacted) + (count ? " " + number(*count) : "");
}

// Redacts "key number"; keys are names of the driver.
std::string keyed_number(std::string_view line) {
    const auto parts = words(line);
    const bool plain =
        parts.size() == 2 && std::all_of(parts[0].begin(), parts[0].end(), [](char byte) {
            return is_letter_or_digit(byte) || byte == '_';
        });
    return trim(line).empty() || (plain && is_kernel_text(parts[1])) ? std::string(line)
           : plain ? std::string(parts[0]) + " " + std::string(redacted)
                   : std::string(redacted);
}

// Keeps rows about machine checks; the other rows name devices and change all the time.
std::optional<std::string> interrupt_row(std::string_view line) {
    const auto label = trim(line.substr(0, line.find(':')));
    const bool stays =
        label.starts_with("CPU") || label == "MCE" || label == "THR" || label == "DFR";
    return stays ? std::optional(std::string(line)) : std::nullopt;
}

// Redacts a line "Filename Type Size Used Priority"; names may contain blanks.
std::string swap_area(std::string_view line) {
    constexpr std::size_t columns = 5;
    const auto fields = words(line);
    if (fields.empty() || (fields.size() == columns && fields[0] == "Filename")) {
        return std::string(line);
    }
    if (fields.size() < columns) {
        return std::string(redacted);
    }
    std::string out = "/" + std::string(redacted);
    const auto type = fields[fields.size() - 4];
    out += type == "file" || type == "partition" ? "\t" + std::string(type) : "\tfile";
    for (auto at = fields.size() - 3; at < fields.size(); ++at) {
        out += "\t" + kernel_line(fields[at]);
    }
    return out;
}

// Returns true for a short text of letters, digits and a few marks, as vendors write.
bool is_makers_text(std::string_view text) {
    constexpr std::size_t longest = 80;
    return text.size() <= longest && std::all_of(text.begin(), text.end(), [](char byte) {
               return is_letter_or_digit(byte) ||
                      std::string_view(" ._+()/,&:-").find(byte) != std::string_view::npos;
           });
}

// Returns the server part of a URL: "https://example.org/" of "https://example.org/support".
std::optional<std::string> server_of(std::string_view url) {
    const auto start = url.find("://");
    if (start == std::string_view::npos) {
        return std::nullopt;
    }
    auto host = url.substr(start + 3);
    host = host.substr(0, host.find_first_of("/?#"));
    host = host.substr(host.rfind('@') + 1);
    return std::string(url.substr(0, start + 3)) + std::string(host) + "/";
}

// Keeps the keys of os-release(5) that name the distribution, and the servers of its URLs.
std::optional<std::string> distribution_line(std::string_view line, const HostName& host) {
    constexpr std::string_view plain = "ID ID_LIKE NAME VERSION_ID VERSION_CODENAME";
    constexpr std::string_view urls = "BUG_REPORT_URL HOME_URL SUPPORT_URL";
    const auto key = line.substr(0, line.find('='));
    if (key.size() == line.size()) {
        return std::nullopt;
    }
    const auto value = line.substr(key.size() + 1);
    if (contains_word(plain, key)) {
        const auto word = trim(value);
        const bool in_quotes = word.size() > 1 && word.front() == word.back() &&
                               (word.front() == '"' || word.front() == '\'');
        if (!is_makers_text(in_quotes ? word.substr(1, word.size() - 2) : word)) {
            return std::string(key) + "=" + std::string(redacted);
        }
        return std::string(key) + "=" + redact_text(value, host, Dotted::version);
    }
    const auto bare = trim(value);
    const bool quoted = bare.size() > 1 && (bare.front() == '"' || bare.front() == '\'');
    const auto server = contains_word(urls, key)
                            ? server_of(quoted ? bare.substr(1, bare.size() - 2) : bare)
                            : std::nullopt;
    return server ? std::optional(std::string(key) + "=\"" + host.taken_out(*server) + "\"")
                  : std::nullopt;
}

// Keeps "CONFIG_PCI_P2PDMA=y"; drops an option with a text value.
std::optional<std::string> kernel_option(std::string_view line) {
    const bool stays = line.starts_with("CONFIG_") && line.size() > 2 &&
                       std::string_view("ymn").find(line.back()) != std::string_view::npos &&
                       line[line.size() - 2] == '=' && line.find('=') == line.size() - 2;
    return stays ? std::optional(std::string(line)) : std::nullopt;
}

// Keeps one symbol, which shows that the kernel lists symbols.
std::string symbols(const std::string& text) {
    constexpr std::string_view sought = "ib_register_peer_memory_client";
    std::string other;
    for (const auto line : split(text, '\n')) {
        const auto parts = words(line);
        if (parts.size() > 2 && parts[2] == sought) {
            return "0000000000000000 T " + std::string(sought) + "\n";
        }
        other = parts.size() > 2 ? "0000000000000000 T other\n" : other;
    }
    return or_redacted(other, text);
}

bool is_release(std::string_view word) {
    constexpr std::size_t longest = 64;
    return !word.empty() && word.size() <= longest && word.front() >= '0' && word.front() <= '9' &&
           std::all_of(word.begin(), word.end(), [](char byte) {
               return is_letter_or_digit(byte) ||
                      std::string_view("._+~-").find(byte) != std::string_view::npos;
           });
}

bool is_name(std::string_view word) {
    constexpr std::size_t longest = 64;
    return word.size() <= longest && std::all_of(word.begin(), word.end(), [](char byte) {
               return is_letter_or_digit(byte) ||
                      std::string_view("._:-").find(byte) != std::string_view::npos;
           });
}

// Keeps lines such as "hip: Optional[str] = '6.4.43482'", from which versions are read.
std::optional<std::string> python_version(std::string_view line) {
    constexpr std::string_view names[] = {"__version__", "hip", "rocm"};
    for (const auto name : names) {
        const auto rest = line.starts_with(name) ? line.substr(name.size()) : std::string_view();
        if (rest.empty() || std::string_view(" :=").find(rest.front()) == std::string_view::npos ||
            rest.find('=') == std::string_view::npos) {
            continue;
        }
        const auto value = trim(rest.substr(rest.rfind('=') + 1));
        const char quote = value.empty() ? ' ' : value.front();
        const auto end = value.find(quote, 1);
        const bool quoted = (quote == '"' || quote == '\'') && end != std::string_view::npos;
        const auto text = quoted ? value.substr(1, end - 1) : std::string_view();
        return std::string(name) + " = " +
               (!quoted            ? "None"
                : is_release(text) ? "'" + std::string(text) + "'"
                                   : "'" + std::string(redacted) + "'");
    }
    return std::nullopt;
}

// Returns true for "pci:v00001002d000074A1sv00001002sd000074A1bc12sc00i00" (linux
// drivers/pci/pci-driver.c).
bool is_modalias(std::string_view word) {
    static constexpr std::string_view letters = "vdsbci";
    return word.starts_with("pci:") && std::all_of(word.begin() + 4, word.end(), [](char byte) {
               return is_hex_digit(byte) || letters.find(byte) != std::string_view::npos;
           });
}

class Redactor {
   public:
    explicit Redactor(const Notes& notes) : host_(host_of(notes)) {}

    std::string content(const std::string& path, const std::string& text) {
        switch (keep_of(path)) {
            case Keep::nothing:
                return replace_word(text, redacted);
            case Keep::kernel_words:
                return by_line(text, kernel_line);
            case Keep::keyed_numbers:
                return by_line(text, keyed_number);
            case Keep::name:
                return is_name(trim(text)) ? text : replace_word(text, redacted);
            case Keep::modalias:
                return is_modalias(trim(text)) ? text : replace_word(text, redacted);
            case Keep::text:
                return is_makers_text(trim(text)) ? redact_text(text, host_)
                                                  : replace_word(text, redacted);
            case Keep::version:
                return is_makers_text(trim(text)) ? redact_text(text, host_, Dotted::version)
                                                  : replace_word(text, redacted);
            case Keep::python_versions:
                return or_redacted(by_line(text, python_version), text);
            case Keep::release:
                return is_release(trim(text)) ? redact_text(text, host_, Dotted::version)
                                              : replace_word(text, redacted);
            case Keep::command_line:
                return redact_command_line(text, host_);
            case Keep::kfd_properties:
                return properties(text);
            case Keep::identity:
                return hexadecimal(text, gpus_);
            case Keep::hive:
                return hexadecimal(text, hives_);
            case Keep::gid:
                return gid(text);
            case Keep::boot_id:
                return replace_word(text, no_boot_id);
            case Keep::cpu_names:
            case Keep::total_memory:
                return or_redacted(redact_text(redact_readings(text), host_), text);
            case Keep::interrupt_counts:
                return or_redacted(by_line(text, interrupt_row), text);
            case Keep::swap_areas:
                return by_line(text, swap_area);
            case Keep::distribution:
                return or_redacted(
                    by_line(text,
                            [&](std::string_view line) { return distribution_line(line, host_); }),
                    text);
            case Keep::kernel_options:
                return or_redacted(by_line(text, kernel_option), text);
            case Keep::symbols:
                return symbols(text);
            case Keep::process:
                return text;
        }
        return std::string(redacted);
    }

   private:
    static HostName host_of(const Notes& notes) {
        const auto found = notes.find(std::string(hostname_file));
        const bool known = found != notes.end() && found->second.content && *found->second.content;
        return HostName(known ? std::string_view(**found->second.content) : "");
    }

    std::string properties(const std::string& text) {
        return by_line(text, [&](std::string_view line) {
            return trim(line).starts_with("unique_id") ? property("unique_id", line, gpus_)
                   : trim(line).starts_with("hive_id") ? property("hive_id", line, hives_)
                                                       : keyed_number(line);
        });
    }

    // Renumbers the value of a line "key number"; other lines stay without a number.
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
        return replace_word(text, value
                                      ? (prefix ? "0x" : "") +
                                            bare_hex(known(*value), static_cast<int>(digits.size()))
                                      : std::string(redacted));
    }

    // Keeps the kind of address: none, mapped from IPv4, or other. Keeps also whether the rest is
    // zero: 0.0.0.0 and an interface id of zero identify nothing.
    std::string gid(const std::string& text) {
        constexpr std::string_view mapped = "0000:0000:0000:0000:0000:ffff:";
        constexpr std::size_t size = 39;  // eight groups of four digits
        const auto word = trim(text);
        if (word.size() != size ||
            word.find_first_not_of("0123456789abcdefABCDEF:") != std::string_view::npos) {
            return replace_word(text, redacted);
        }
        if (word.find_first_not_of("0:") == std::string_view::npos) {
            return text;
        }
        const bool is_mapped = word.starts_with(mapped);
        const bool empty = word.ends_with(is_mapped ? "0000:0000" : "0000:0000:0000:0000");
        auto& known = is_mapped ? addresses_ : guids_;
        const auto identity =
            empty ? 0 : known.try_emplace(std::string(word), known.size() + 1).first->second;
        const auto digits = bare_hex(identity, 8);
        return replace_word(text,
                            std::string(is_mapped ? mapped : "fe80:0000:0000:0000:0000:0000:") +
                                digits.substr(0, 4) + ":" + digits.substr(4));
    }

    HostName host_;
    std::map<std::string, std::size_t> addresses_;
    std::map<std::string, std::size_t> guids_;
    Numbering gpus_;
    Numbering hives_;
};

}  // namespace

std::string redact_readings(std::string_view text) {
    constexpr std::array<std::string_view, 6> lasting{
        "processor", "vendor_id", "model name", "flags", "MemTotal:", "HardwareCorrupted:"};
    std::string out;
    std::array<bool, lasting.size()> seen{};
    for (const auto line : split(text, '\n')) {
        for (std::size_t at = 0; at < lasting.size(); ++at) {
            const auto found = line.find(lasting[at]);
            const bool begins = found == 0 || (found != std::string_view::npos &&
                                               line.starts_with("Node ") && line[found - 1] == ' ');
            if (begins && !seen[at]) {
                seen[at] = true;
                out += std::string(line) + "\n";
            }
        }
    }
    return out;
}

void redact(Notes& notes) {
    redact_services(notes);
    redact_links(notes);
    Redactor redactor(notes);
    for (auto& [path, note] : notes) {
        if (note.content && *note.content) {
            note.content.emplace(redactor.content(path, **note.content));
        }
    }
}

}  // namespace rocenv
