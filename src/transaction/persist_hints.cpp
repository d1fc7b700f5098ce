// SPDX-License-Identifier: MIT
#include "transaction/persist_hints.h"

#include <algorithm>
#include <string_view>

#include "machine/host/boot_words.h"
#include "settings/registry.h"
#include "util/text.h"

namespace rocenv {

namespace {

// Escapes a word for double quotes in a shell file.
std::string shell_safe(const std::string& word) {
    std::string out;
    for (const char byte : word) {
        out += std::string_view("\\\"$`").find(byte) == std::string_view::npos ? "" : "\\";
        out += byte;
    }
    return out;
}

// Escapes a word of ExecStart. '%' and '$' are special characters of systemd.
std::string unit_word(const std::string& word) {
    std::string out;
    for (const char byte : word) {
        const bool doubled = byte == '%' || byte == '$' || byte == '\\';
        out += doubled ? std::string(1, byte) : byte == '\'' ? "\\" : "";
        out += byte;
    }
    return out.find_first_of(" \"'{}\\;") == std::string::npos ? out : "'" + out + "'";
}

bool contains(const std::vector<std::string>& words, const std::string& word) {
    return std::find(words.begin(), words.end(), word) != words.end();
}

void append(std::vector<std::string>& to, const std::vector<std::string>& more) {
    for (const auto& each : more) {
        if (!contains(to, each)) {
            to.push_back(each);
        }
    }
}

bool shows_after_reboot(const std::string& id) {
    const Setting* setting = find_setting(id);
    return setting != nullptr && setting->info.after_reboot;
}

class Hints {
   public:
    Hints(const std::vector<Expectation>& expectations, const std::vector<std::string>& profiles,
          Site site, const Result<std::vector<KernelArgument>>& line)
        : profiles_(profiles), site_(site) {
        for (const Setting* setting : all_settings()) {
            for (const auto& expectation : expectations) {
                const bool counts = expectation.level != Level::info && !expectation.unset;
                if (counts && expectation.id == setting->info.id) {
                    take(expectation, keeping_of(*setting, expectation));
                }
            }
        }
        if (line) {
            std::erase_if(all_.unwanted_words, [&](const auto& word) {
                return !stands_on_line(*line, word) && !has_any_boot_word(*line, word);
            });
            for (auto& word : all_.unwanted_words) {
                word = as_written(*line, word);
            }
        }
    }

    std::string text() {
        lines("/etc/sysctl.d/90-rocenv.conf", all_.sysctl);
        lines("/etc/tmpfiles.d/rocenv.conf", all_.tmpfiles);
        unit();
        command_line();
        if (!all_.notes.empty()) {
            block(all_.notes, {});
        }
        if (firmware_.size() > 1) {
            block(firmware_, {});
        }
        return out_.empty() ? "# The profile names nothing that a reboot undoes.\n" : out_;
    }

   private:
    void take(const Expectation& expectation, const Keeping& keeping) {
        append(all_.sysctl, keeping.sysctl);
        append(all_.tmpfiles, keeping.tmpfiles);
        append(all_.boot_words, keeping.boot_words);
        append(all_.unwanted_words, keeping.unwanted_words);
        append(all_.notes, keeping.notes);
        if (keeping.by_unit) {
            by_unit_.push_back(&expectation);
        }
        if (!keeping.firmware.empty()) {
            firmware_.push_back(expectation.id + " = " + plain_text(expectation.value) + ": " +
                                keeping.firmware);
        }
    }

    void lines(const char* file, const std::vector<std::string>& lines) {
        if (!lines.empty()) {
            block({file}, lines);
        }
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

    // Returns the arguments of `set`; none if no setting is left for the unit. Settings that other
    // blocks or the BIOS keep are left out: the unit would otherwise end with status 1.
    std::vector<std::string> set_arguments() const {
        constexpr std::size_t longest =
            66;  // bytes of one list of ids, so that a line fits a terminal
        std::vector<std::string> lists;
        std::vector<std::string> arguments;
        for (const auto& profile : profiles_) {
            arguments.push_back("-p " + unit_word(profile));
        }
        if (site_ == Site::left_out) {
            arguments.emplace_back("--no-site");
        }
        for (const Expectation* expectation : by_unit_) {
            if (lists.empty() || lists.back().size() + expectation->id.size() >= longest) {
                lists.push_back(expectation->id);
            } else {
                lists.back() += "," + expectation->id;
            }
            if (expectation->place.file.starts_with("--want")) {
                arguments.push_back(
                    "--want " + unit_word(expectation->id + "=" + toml_text(expectation->value)));
            }
        }
        for (const auto& ids : lists) {
            arguments.push_back("--only " + ids);
        }
        return lists.empty() ? lists : arguments;
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
               "(adapt the path of rocenv; paths of profiles begin with /), then:",
               "systemctl daemon-reload && systemctl enable rocenv-set.service"},
              lines);
    }

    void command_line() {
        std::vector<std::string> comments = {
            "/etc/default/grub.d/90-rocenv.cfg, then update-grub and reboot",
            "(other boot loaders: add these words to the kernel line, each of them once)"};
        constexpr std::size_t longest = 76;  // bytes, without the leading "# "
        for (const auto& word : all_.unwanted_words) {
            const bool begins = word == all_.unwanted_words.front();
            if (begins || comments.back().size() + 1 + word.size() > longest) {
                comments.emplace_back("remove from the kernel line:");
            }
            comments.back() += " " + word;
        }
        std::vector<std::string> lines;
        lines.reserve(all_.boot_words.size());
        for (const auto& word : all_.boot_words) {
            lines.push_back("GRUB_CMDLINE_LINUX=\"$GRUB_CMDLINE_LINUX " + shell_safe(word) + "\"");
        }
        if (!lines.empty() || !all_.unwanted_words.empty()) {
            block(comments, lines);
        }
    }

    const std::vector<std::string>& profiles_;
    const Site site_;
    Keeping all_;
    std::vector<const Expectation*> by_unit_;
    std::vector<std::string> firmware_{"in the BIOS:"};
    std::string out_;
};

}  // namespace

std::string persist_hints(const std::vector<Expectation>& expectations,
                          const std::vector<std::string>& profiles, Site site,
                          const Result<std::vector<KernelArgument>>& line) {
    return Hints(expectations, profiles, site, line).text();
}

std::string reboot_note(const std::vector<Finding>& findings) {
    std::vector<std::string> ids;
    for (const auto& finding : findings) {
        if (finding.outcome == Outcome::differs && finding.level != Level::info &&
            !finding.waived && shows_after_reboot(finding.id) && !contains(ids, finding.id)) {
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
