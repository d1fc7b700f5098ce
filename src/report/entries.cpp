// SPDX-License-Identifier: MIT
#include "report/entries.h"
#include "report/model/consequences.h"

#include <algorithm>
#include <map>
#include <tuple>

#include "report/finding_lines.h"
#include "report/model/message.h"
#include "rocenv/machine.h"
#include "settings/have_codes.h"
#include "util/text.h"

namespace rocenv {

namespace {

// Returns the members that are equal in findings of one entry. Errors of unread files name
// different files, so the next step counts instead. For changed values and failed restores the
// old value counts as well.
auto kind_of(const Finding& finding) {
    const bool unread = finding.outcome == Outcome::unknown;
    const bool has_old_value =
        finding.outcome == Outcome::changed || finding.put_back == PutBack::no;
    return std::make_tuple(
        finding.id, finding.outcome, finding.level, finding.expected.value_or("\n"),
        finding.have.value_or("\n"), unread ? finding.fix : finding.detail,
        has_old_value ? finding.was.value_or("\n") : std::string(),
        finding.waived ? finding.waived->ticket : std::string(),
        finding.cause ? finding.cause->id + " " + finding.cause->target : std::string());
}

// Returns the sentence about the devices of a count, with {} for them; empty for other settings and
// for values without a sentence.
std::string wording_of(const Entry& item) {
    const Finding& finding = *item.first;
    const bool is_count = finding.id == "gpu.count" || finding.id == "rdma.count";
    return is_count && finding.have
               ? code_sentence(have_code(finding.id, *finding.have), item.targets.size() > 1)
               : "";
}

// Returns the name of a device: "GPU 4 (0000:85:00.0)"; the target itself if it has no name.
std::string name_of(const Report& report, const std::string& target) {
    const auto base = target.substr(0, target.find('/'));
    const auto name = report.device_names.find(base);
    if (name == report.device_names.end()) {
        return target;
    }
    std::string out = name->second;
    return out.replace(out.find("{}"), 2, target);
}

// Returns true if the targets are all GPUs of the node: "all 8 GPUs".
bool are_all_gpus(const Report& report, const std::vector<std::string>& targets) {
    return targets.size() > 1 && targets.size() == report.device_names.size() &&
           std::all_of(targets.begin(), targets.end(),
                       [&](const std::string& each) { return report.device_names.contains(each); });
}

std::string upper_first(std::string text) {
    if (!text.empty() && text[0] >= 'a' && text[0] <= 'z') {
        text[0] = static_cast<char>(text[0] - 'a' + 'A');
    }
    return text;
}

// Returns the text with a capital letter if it begins with "the" or "all". Other texts begin with a
// name and keep their case.
std::string begun(std::string text) {
    const bool is_word = text.starts_with("the ") || text.starts_with("all ");
    return is_word ? upper_first(std::move(text)) : text;
}

// Returns "pci=realloc=off is missing; iommu=off is unwanted" for the deviations of
// kernel.cmdline, "missing pci=realloc=off, unwanted iommu=off"; empty for another text.
std::string boot_words_text(const std::string& have) {
    static constexpr std::pair<std::string_view, std::string_view> states[] = {
        {"missing ", " missing"}, {"unwanted ", " unwanted"}, {"noted ", " set"}};
    std::vector<std::string> parts;
    for (std::string_view rest = have; !rest.empty();) {
        constexpr std::string_view comma = ", ";
        const auto part = rest.substr(0, std::min(rest.find(comma), rest.size()));
        const auto state =
            std::find_if(std::begin(states), std::end(states),
                         [&](const auto& each) { return part.starts_with(each.first); });
        if (state == std::end(states)) {
            return "";
        }
        const auto words = part.substr(state->first.size());
        parts.push_back(std::string(words) + (words.find(' ') == words.npos ? " is" : " are") +
                        std::string(state->second));
        rest.remove_prefix(std::min(part.size() + comma.size(), rest.size()));
    }
    return join(parts, "; ");
}

// Returns the value and the expected one; for an unknown value, or one without both, a sentence
// about it.
std::string values_text(const Finding& finding) {
    if (finding.id == "kernel.cmdline" && finding.outcome == Outcome::differs && finding.have) {
        if (std::string text = boot_words_text(*finding.have); !text.empty()) {
            return text;
        }
    }
    if (std::string some = some_devices(finding); !some.empty()) {
        return some;
    }
    if (finding.outcome == Outcome::unknown) {
        return finding.detail.empty()
                   ? "could not be read (" + std::string(word_of(finding.reason)) + ")"
                   : "could not be read";
    }
    if (!finding.have && !finding.expected && !finding.detail.empty()) {
        return finding.detail;
    }
    if (finding.have && !finding.expected && finding.detail.empty()) {
        return have_text(finding) + ", expected to be unset";
    }
    std::string out = have_text(finding);
    if (finding.effective && finding.have && *finding.effective != *finding.have) {
        out += " (read as " + shown_value(*finding.effective) + ")";
    }
    return out + (finding.expected ? ", expected " + shown_value(*finding.expected) : "");
}

// Returns the parts of a next step, separated by "; " outside quotes: commands and sentences.
std::vector<std::string> steps_of(const std::string& fix) {
    std::vector<std::string> out;
    std::size_t start = 0;
    bool quoted = false;
    for (std::size_t at = 0; at < fix.size(); ++at) {
        quoted = quoted != (fix[at] == '\'' || fix[at] == '"');
        if (!quoted && fix.compare(at, 2, "; ") == 0) {
            out.push_back(fix.substr(start, at - start));
            start = at + 2;
        }
    }
    if (start < fix.size()) {
        out.push_back(fix.substr(start));
    }
    return out;
}

// Returns true if the step begins with the name of a known program.
bool is_command(const std::string& step) {
    static constexpr std::string_view starts[] = {
        "sudo ",    "rocenv ",    "export ",  "unset ",   "lspci ",      "grep ",
        "cat ",     "ls ",        "dmesg ",   "ip ",      "uname ",      "getent ",
        "ulimit ",  "echo ",      "rdma ",    "ethtool ", "lscpu",       "dkms ",
        "modinfo ", "docker ",    "podman ",  "ibstat",   "numactl ",    "ipmitool ",
        "chronyc ", "systemctl ", "findmnt ", "nvme ",    "mount ",      "python3 ",
        "pip ",     "mkdir ",     "namei ",   "ps ",      "timedatectl", "ibv_devinfo "};
    return std::any_of(std::begin(starts), std::end(starts),
                       [&](std::string_view each) { return step.starts_with(each); });
}

}  // namespace

Severity severity_of(Level level) {
    switch (level) {
        case Level::required:
            return {Tone::fail, "FAIL"};
        case Level::recommended:
            return {Tone::warn, "WARN"};
        case Level::info:
            break;
    }
    return {Tone::info, "INFO"};
}

void add_count(std::vector<std::string>& parts, std::size_t count, std::string_view one,
               std::string_view many) {
    if (count > 0) {
        parts.push_back(number(count) + " " + std::string(count == 1 ? one : many));
    }
}

std::vector<Entry> entries_of(const std::vector<const Finding*>& findings) {
    std::vector<Entry> out;
    std::map<decltype(kind_of(std::declval<const Finding&>())), std::size_t> known;
    for (const auto* finding : findings) {
        const auto [found, is_new] = known.emplace(kind_of(*finding), out.size());
        if (is_new) {
            out.push_back({finding, {}, 0, true, true});
        }
        Entry& item = out[found->second];
        item.targets.push_back(finding->target);
        item.things += finding->count;
        item.same_fix = item.same_fix && finding->fix == item.first->fix;
        item.same_detail = item.same_detail && finding->detail == item.first->detail;
    }
    return out;
}

std::string targets_text(const Report& report, const Entry& item, bool everything) {
    const auto& targets = item.targets;
    if (targets.size() == 1 && is_trivial_target(targets.front())) {
        return "";
    }
    if (are_all_gpus(report, targets)) {
        return "all " + number(targets.size()) + " GPUs";
    }
    std::vector<std::string> names;
    names.reserve(targets.size());
    for (const auto& target : targets) {
        names.push_back(name_of(report, target));
    }
    return some_of(names, everything ? Detail::everything : Detail::normal);
}

std::string several_of(const std::vector<std::string>& targets) {
    const bool are_pci = std::all_of(targets.begin(), targets.end(),
                                     [](const auto& each) { return is_pci_address(each); });
    return are_pci ? " PCI functions" : " devices";
}

std::string sentence(const Report& report, const Entry& item, bool everything) {
    const Finding& finding = *item.first;
    const std::string targets = targets_text(report, item, everything);
    if (std::string out = wording_of(item); !out.empty()) {
        const auto marker = out.find("{}");
        const bool plain = !targets.empty() && targets[0] >= '0' && targets[0] <= '9';
        const std::string kind = item.targets.size() == 1 ? "the device " : "the devices ";
        return begun(out.replace(marker, 2, plain ? kind + targets : targets));
    }
    return (targets.empty() ? "" : begun(targets) + ": ") + values_text(finding);
}

bool is_in_sentence(const Report& /*report*/, const Entry& item) {
    const Finding& finding = *item.first;
    return finding.outcome != Outcome::unknown && !finding.have && !finding.expected;
}

std::string quiet_sentence(const Report& report, const Entry& item) {
    const Finding& finding = *item.first;
    std::string out = targets_text(report, item, true);
    if (finding.have && finding.outcome == Outcome::ok) {
        out += (out.empty() ? "" : ": ") + have_text(finding);
    }
    return out + (out.empty() ? "(" : " (") + std::string(word_of(finding.level)) + ")";
}

void add_steps(const Finding& finding, Document& document) {
    std::string label = "next";
    for (const auto& step : steps_of(finding.fix)) {
        const auto colon = step.find(": ");
        if (is_command(step)) {
            document.command(label, step);
        } else if (step.find("sudo ") != step.npos || step.find("rocenv ") != step.npos ||
                   (colon != step.npos && is_command(step.substr(colon + 2)))) {
            document.command(label, upper_first(step));
        } else {
            document.field(label, as_sentence(step));
        }
        label.clear();
    }
}

std::string as_sentence(const std::string& text) {
    const bool is_word = text.find_first_of("/=_.:", 0) > text.find(' ') ||
                         text.find_first_of("/=_.:") == std::string::npos;
    const bool ends = text.empty() || text.ends_with('.') || text.ends_with('?');
    return (is_word ? upper_first(text) : text) + (ends ? "" : ".");
}

}  // namespace rocenv
