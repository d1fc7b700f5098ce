// SPDX-License-Identifier: MIT
#include "settings/shapes/cpufreq.h"

#include <algorithm>
#include <cerrno>

#include "os/redact/redact_words.h"
#include "settings/shapes/text_change.h"
#include "util/text.h"

namespace rocenv {

namespace {

// A policy whose CPUs are all offline keeps its folder, and each of its files answers EBUSY (linux
// drivers/cpufreq/cpufreq.c show: policy_is_inactive). It is no target.
constexpr int is_inactive = EBUSY;

}  // namespace

Result<std::vector<std::uint32_t>> cpufreq_policies(const Fs& fs) {
    std::vector<std::uint32_t> numbers;
    const auto names = fs.list(cpufreq_folder());
    if (!names) {
        return names.is(ErrorKind::not_here) ? Result(std::move(numbers)) : names.error();
    }
    for (const auto& name : *names) {
        if (name.starts_with("policy")) {
            const auto value = parse_number(std::string_view(name).substr(6));
            if (value && *value <= UINT32_MAX) {
                numbers.push_back(static_cast<std::uint32_t>(*value));
            }
        }
    }
    std::sort(numbers.begin(), numbers.end());  // names come by bytes: policy10 before policy2
    return numbers;
}

const std::string& cpufreq_folder() {
    static const std::string folder = "/sys/devices/system/cpu/cpufreq";
    return folder;
}

std::string cpufreq_folder(std::uint32_t policy) {
    return concat({cpufreq_folder(), "/policy", number(policy)});
}

Assessment no_cpufreq() {
    return no_target("no cpufreq driver (a guest, or the firmware keeps the clocks)");
}

std::vector<Assessment> PolicySetting::assess(const Context& context, const Want& want) const {
    const auto policies = cpufreq_policies(context.fs());
    if (!policies) {
        return {unreadable({}, policies.error(), *want.value.text())};
    }
    if (policies->empty()) {
        return {no_cpufreq()};
    }
    std::vector<Assessment> out;
    out.reserve(policies->size());
    bool all_without = true;
    for (const auto policy : *policies) {
        const auto text = context.fs().read(path(policy));
        if (text || text.error().err != is_inactive) {
            out.push_back(judge(context, policy, *want.value.text(), text));
            all_without = all_without && out.back().outcome == Outcome::na;
        }
    }
    if (out.empty()) {
        return {no_target("every cpufreq policy is offline")};
    }
    if (all_without) {
        return {no_target(facts_.without)};
    }
    return out;
}

Keeping PolicySetting::keeping(const Want& want) const {
    Keeping out;
    out.by_unit = true;
    if (!facts_.boot_word.empty()) {
        out.boot_words = {facts_.boot_word + *want.value.text()};
    }
    return out;
}

std::vector<Baseline> PolicySetting::baseline(const Context& context) const {
    const auto policies = cpufreq_policies(context.fs());
    if (!policies) {
        return {{{}, "", policies.error()}};
    }
    std::vector<Baseline> out;
    for (const auto policy : *policies) {
        const Target target{"policy", policy, ""};
        const auto text = context.fs().read(path(policy));
        const auto word = text ? word_in(policy, *text) : text;
        if (word) {
            out.push_back({target, *word, text_back({path(policy)}, *word, *text)});
        } else if (word.error().err != is_inactive && !word.is(ErrorKind::not_here)) {
            out.push_back({target, "", word.error()});
        }
    }
    return out;
}

std::string PolicySetting::path(std::uint32_t policy) const {
    return concat({cpufreq_folder(policy), "/", facts_.file});
}

Result<std::string> PolicySetting::word_in(std::uint32_t policy, const std::string& text) const {
    constexpr std::size_t longest = 64;  // CPUFREQ_NAME_LEN is 16
    const auto word = trim(text);
    if (word.size() > longest || words(word).size() != 1 || !is_plain(word)) {
        const auto why = "is no " + facts_.what + ": " + quoted_value(word);
        return garbled(path(policy), why);
    }
    return std::string(word);
}

Assessment PolicySetting::judge(const Context& context, std::uint32_t policy,
                                const std::string& want, const Result<std::string>& text) const {
    const Target target{"policy", policy, ""};
    if (text.is(ErrorKind::not_here) && !facts_.without.empty() &&
        exists(context.fs(), cpufreq_folder(policy))) {
        auto row = no_target(facts_.without);
        row.target = target;
        return row;
    }
    const auto word = text ? word_in(policy, *text) : text;
    if (!word) {
        return unreadable(target, word.error(), want);
    }
    auto row = compared(target, want, *word);
    row.change = context.only_asks ? Change{} : word_change({path(policy)}, want);
    if (row.outcome == Outcome::differs) {
        explain(context.fs(), cpufreq_folder(policy), row);
    }
    return row;
}

void PolicySetting::explain(const Fs& fs, const std::string& folder, Assessment& row) const {
    row.next_step = facts_.command;
    row.next_step.replace(row.next_step.find("WORD"), 4, *row.want);
    if (facts_.obstacle != nullptr) {
        row.detail = facts_.obstacle(fs, folder, *row.want);
    }
    if (!row.detail.empty()) {
        row.change.reset();
    }
    const auto offered = fs.read(folder + "/" + facts_.offered);
    if (row.detail.empty() && offered && !contains_word(trim(*offered), *row.want)) {
        row.detail = "the driver offers " + printable(trim(*offered), 80) + " only";
        row.next_step = facts_.not_offered;
        row.change.reset();
    }
}

}  // namespace rocenv
