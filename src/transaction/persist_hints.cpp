// SPDX-License-Identifier: MIT
#include "transaction/persist_hints.h"

#include <algorithm>
#include <map>
#include <string_view>
#include <utility>

#include "util/text.h"

namespace rocenv {

namespace {

constexpr std::string_view reboot_ids[] = {
    "kernel.cmdline", "kernel.iommu",          "cpu.smt",
    "pci.large_bar",  "gpu.compute_partition", "gpu.memory_partition"};

constexpr std::pair<std::string_view, std::string_view> sysctl_names[] = {
    {"kernel.numa_balancing", "kernel.numa_balancing"},
    {"kernel.compaction_proactiveness", "vm.compaction_proactiveness"},
    {"kernel.nmi_watchdog", "kernel.nmi_watchdog"},
};

constexpr std::string_view unit_ids[] = {"cpu.governor",    "cpu.energy_preference", "cpu.idle",
                                         "gpu.determinism", "gpu.soc_pstate",        "pci.acs"};

bool is_one_of(std::string_view id, const auto& ids) {
    return std::find(std::begin(ids), std::end(ids), id) != std::end(ids);
}

std::string plain_text(const Value& value) {
    return value.text() != nullptr ? *value.text() : toml_text(value);
}

// A word inside double quotes of a shell file.
std::string shell_safe(const std::string& word) {
    std::string out;
    for (const char byte : word) {
        out += std::string_view("\\\"$`").find(byte) == std::string_view::npos ? "" : "\\";
        out += byte;
    }
    return out;
}

// A word of ExecStart. '%' and '$' mean something to systemd.
std::string unit_word(const std::string& word) {
    std::string out;
    for (const char byte : word) {
        const bool doubled = byte == '%' || byte == '$' || byte == '\\';
        out += doubled ? std::string(1, byte) : byte == '\'' ? "\\" : "";
        out += byte;
    }
    return out.find_first_of(" \"'{}\\;") == std::string::npos ? out : "'" + out + "'";
}

const Value* field_of(const Want& want, const std::string& name) {
    const auto* table = want.value.table();
    if (table == nullptr || !table->contains(name)) {
        return nullptr;
    }
    return &table->at(name);
}

std::vector<std::string> texts(const Want& want, const std::string& name) {
    const Value* field = field_of(want, name);
    std::vector<std::string> out;
    if (field == nullptr || field->list() == nullptr) {
        return out;
    }
    for (const auto& value : *field->list()) {
        if (value.text() != nullptr) {
            out.push_back(*value.text());
        }
    }
    return out;
}

class Hints {
   public:
    Hints(const std::vector<Want>& wants, const std::vector<std::string>& profiles)
        : profiles_(profiles) {
        for (const auto& want : wants) {
            if (want.level != Level::info && !want.unset) {
                wants_[want.id] = &want;
            }
        }
    }

    std::string text() {
        sysctl();
        tmpfiles();
        unit();
        command_line();
        acs();
        firmware();
        return out_.empty() ? "# nothing that the profile wants needs help over a reboot\n" : out_;
    }

   private:
    const Want* find(std::string_view id) const {
        const auto found = wants_.find(id);
        return found == wants_.end() ? nullptr : found->second;
    }

    void block(const std::vector<std::string>& comments, const std::vector<std::string>& lines) {
        out_ += out_.empty() ? "" : "\n";
        for (const auto& comment : comments) {
            out_ += "# " + comment + "\n";
        }
        for (const auto& line : lines) {
            out_ += line + "\n";
        }
    }

    void sysctl() {
        std::vector<std::string> lines;
        for (const auto& [id, name] : sysctl_names) {
            if (const Want* want = find(id)) {
                lines.push_back(std::string(name) + " = " + plain_text(want->value));
            }
        }
        if (!lines.empty()) {
            block({"/etc/sysctl.d/90-rocenv.conf"}, lines);
        }
    }

    // A line "w" leaves out what is not there.
    void tmpfiles() {
        std::vector<std::string> lines;
        const auto add = [&](const char* path, const std::string& value) {
            lines.push_back(std::string(path) + " - - - - " + value);
        };
        if (const Want* want = find("kernel.thp")) {
            add("w /sys/kernel/mm/transparent_hugepage/enabled", plain_text(want->value));
        }
        if (const Want* want = find("kernel.thp_defrag")) {
            add("w /sys/kernel/mm/transparent_hugepage/defrag", plain_text(want->value));
        }
        if (const Want* want = find("cpu.boost"); want != nullptr && want->value.boolean()) {
            const bool on = *want->value.boolean();
            add("w /sys/devices/system/cpu/cpufreq/boost", on ? "1" : "0");
            add("w /sys/devices/system/cpu/intel_pstate/no_turbo", on ? "0" : "1");
        }
        if (!lines.empty()) {
            block({"/etc/tmpfiles.d/rocenv.conf"}, lines);
        }
    }

    // The arguments of `set`, empty when nothing is left for it. Only what nothing above keeps: a
    // unit that ends with 1 for the BIOS' sake would look broken.
    std::vector<std::string> set_arguments() const {
        std::string ids;
        std::vector<std::string> arguments;
        for (const auto& profile : profiles_) {
            arguments.push_back("-p " + unit_word(profile));
        }
        for (const auto id : unit_ids) {
            const Want* want = find(id);
            if (want == nullptr) {
                continue;
            }
            ids += (ids.empty() ? "" : ",") + want->id;
            if (want->place.file.starts_with("--want")) {
                arguments.push_back("--want " + unit_word(want->id + "=" + toml_text(want->value)));
            }
        }
        if (ids.empty()) {
            return {};
        }
        arguments.push_back("--only " + ids);
        return arguments;
    }

    void unit() {
        const auto arguments = set_arguments();
        if (arguments.empty()) {
            return;
        }
        std::vector<std::string> lines = {
            "[Unit]",
            "Description=GPU node settings of rocenv",
            "Wants=systemd-udev-settle.service",
            "After=systemd-udev-settle.service tuned.service cpupower.service",
            "Before=slurmd.service kubelet.service",
            "",
            "[Service]",
            "Type=oneshot",
            "RemainAfterExit=yes",
            "ExecStart=/usr/local/bin/rocenv set"};
        for (const auto& argument : arguments) {
            lines.back() += " \\";
            lines.push_back("    " + argument);
        }
        lines.insert(lines.end(), {"", "[Install]", "WantedBy=multi-user.target"});
        block({"/etc/systemd/system/rocenv-set.service",
               "(where rocenv is, and paths of profiles, from / on), then:",
               "systemctl daemon-reload && systemctl enable rocenv-set.service"},
              lines);
    }

    void command_line() {
        const auto words = boot_words();
        std::vector<std::string> comments = {
            "/etc/default/grub.d/90-rocenv.cfg, then update-grub and reboot",
            "(elsewhere: these words on the boot loader's kernel line; none twice)"};
        const Want* want = find("kernel.cmdline");
        const auto unwanted =
            want == nullptr ? std::vector<std::string>() : texts(*want, "unwanted");
        for (const auto& word : unwanted) {
            comments.push_back("take this out where it is: " + word);
        }
        std::vector<std::string> lines;
        lines.reserve(words.size());
        for (const auto& word : words) {
            lines.push_back("GRUB_CMDLINE_LINUX=\"$GRUB_CMDLINE_LINUX " + shell_safe(word) + "\"");
        }
        if (!lines.empty() || !unwanted.empty()) {
            block(comments, lines);
        }
    }

    std::vector<std::string> boot_words() const {
        std::vector<std::string> out;
        if (const Want* want = find("kernel.cmdline")) {
            out = texts(*want, "wanted");
        }
        const auto add = [&](const std::string& word) {
            if (!is_one_of(word, out)) {
                out.push_back(word);
            }
        };
        if (const Want* want = find("kernel.iommu")) {
            const std::string mode = plain_text(want->value);
            add(mode == "passthrough" ? "iommu=pt" : mode == "off" ? "iommu=off" : "iommu=nopt");
        }
        if (const Want* want = find("cpu.governor")) {
            add("cpufreq.default_governor=" + plain_text(want->value));
        }
        if (const Want* want = find("cpu.idle"); want != nullptr && keeps_c1(*want)) {
            add("processor.max_cstate=1");
        }
        return out;
    }

    // C1 takes about 1 us to leave, C2 from 30 on.
    static bool keeps_c1(const Want& want) {
        const Value* limit = field_of(want, "max_latency_us");
        const auto* us = limit == nullptr ? nullptr : limit->integer();
        return us != nullptr && *us >= 1 && *us < 30;
    }

    // As comments: which functions it is for is not known here, and too many is unsafe. Linux 6.12
    // takes bits for the function beside them only.
    void acs() {
        const Want* want = find("pci.acs");
        if (want == nullptr) {
            return;
        }
        const bool off = want->value.field("policy") == "off";
        const std::string bits = off ? "0000000" : "x0x00xx";
        block({"pci.acs without the unit: on the kernel line, from Linux 6.11,",
               "  pci=config_acs=" + bits + "@0000:00:01.1;" + bits + "@0000:00:01.2",
               "before that only the redirect bits:",
               "  pci=disable_acs_redir=0000:00:01.1;0000:00:01.2",
               "with the bridges that rocenv check --only pci.acs -v lists, parted by ';'",
               "(in quotes for GRUB), and after a comma where pci= is there already"},
              {});
    }

    void firmware() {
        std::vector<std::string> lines;
        const auto add = [&](std::string_view id, const std::string& how) {
            if (const Want* want = find(id)) {
                lines.push_back(std::string(id) + " = " + plain_text(want->value) + ": " + how);
            }
        };
        add("cpu.smt", "SMT Control, or nosmt on the kernel line");
        add("pci.large_bar", "Above 4G Decoding and Re-Size BAR");
        if (!lines.empty()) {
            lines.insert(lines.begin(), "in the BIOS:");
            block(lines, {});
        }
    }

    const std::vector<std::string>& profiles_;
    std::map<std::string, const Want*, std::less<>> wants_;
    std::string out_;
};

}  // namespace

std::string persist_hints(const std::vector<Want>& wants,
                          const std::vector<std::string>& profiles) {
    return Hints(wants, profiles).text();
}

std::string reboot_note(const std::vector<Finding>& findings) {
    std::vector<std::string> ids;
    for (const auto& finding : findings) {
        if (finding.outcome == Outcome::differs && finding.level != Level::info &&
            is_one_of(finding.id, reboot_ids) && !is_one_of(finding.id, ids)) {
            ids.push_back(finding.id);
        }
    }
    if (ids.empty()) {
        return {};
    }
    return number(ids.size()) + (ids.size() == 1 ? " setting needs" : " settings need") +
           " a reboot or the BIOS: " + join(ids, ", ") + "; --persist-hints prints what to add";
}

}  // namespace rocenv
