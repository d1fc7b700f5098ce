// SPDX-License-Identifier: MIT
#include "settings/shapes/cpufreq.h"

#include <algorithm>
#include <cerrno>
#include <utility>

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

namespace {

std::string path_in(const PolicyFacts& facts, std::uint32_t policy) {
    return concat({cpufreq_folder(policy), "/", facts.file});
}

Result<std::string> word_in(const PolicyFacts& facts, std::uint32_t policy,
                            const std::string& text) {
    constexpr std::size_t longest = 64;  // CPUFREQ_NAME_LEN is 16
    const auto word = trim(text);
    if (word.size() > longest || words(word).size() != 1 || !is_plain(word)) {
        const auto why = "is no " + facts.what + ": " + quoted_value(word);
        return garbled(path_in(facts, policy), why);
    }
    return std::string(word);
}

void explain_policy(const PolicyFacts& facts, const Fs& fs, const std::string& folder,
                    Assessment& row) {
    row.next_step = facts.command;
    row.next_step.replace(row.next_step.find("WORD"), 4, *row.want);
    if (facts.obstacle != nullptr) {
        row.detail = facts.obstacle(fs, folder, *row.want);
    }
    if (!row.detail.empty()) {
        row.change.reset();
    }
    const auto offered = fs.read(folder + "/" + facts.offered);
    if (row.detail.empty() && offered && !contains_word(trim(*offered), *row.want)) {
        row.detail = "the driver offers " + printable(trim(*offered), 80) + " only";
        row.next_step = facts.not_offered;
        row.change.reset();
    }
}

Assessment judge_policy(const PolicyFacts& facts, const Context& context, std::uint32_t policy,
                        const std::string& want, const Result<std::string>& text) {
    const Target target{"policy", policy, ""};
    if (text.is(ErrorKind::not_here) && !facts.without.empty() &&
        exists(context.fs(), cpufreq_folder(policy))) {
        auto row = no_target(facts.without);
        row.target = target;
        return row;
    }
    const auto word = text ? word_in(facts, policy, *text) : text;
    if (!word) {
        return unreadable(target, word.error(), want);
    }
    auto row = compared(target, want, *word);
    row.change = context.only_asks ? Change{} : word_change({path_in(facts, policy)}, want);
    if (row.outcome == Outcome::differs) {
        explain_policy(facts, context.fs(), cpufreq_folder(policy), row);
    }
    return row;
}

std::vector<Assessment> assess_policies(const Setting& setting, const Context& context,
                                        const Want& want) {
    const auto& facts = *setting.row.policy;
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
        const auto text = context.fs().read(path_in(facts, policy));
        if (text || text.error().err != is_inactive) {
            out.push_back(judge_policy(facts, context, policy, *want.value.text(), text));
            all_without = all_without && out.back().outcome == Outcome::na;
        }
    }
    if (out.empty()) {
        return {no_target("every cpufreq policy is offline")};
    }
    if (all_without) {
        return {no_target(facts.without)};
    }
    return out;
}

Keeping keeping_of_policies(const Setting& setting, const Want& want) {
    const auto& facts = *setting.row.policy;
    Keeping out;
    out.by_unit = true;
    if (!facts.boot_word.empty()) {
        out.boot_words = {facts.boot_word + *want.value.text()};
    }
    return out;
}

std::vector<Baseline> baseline_of_policies(const Setting& setting, const Context& context) {
    const auto& facts = *setting.row.policy;
    const auto policies = cpufreq_policies(context.fs());
    if (!policies) {
        return {{{}, "", policies.error()}};
    }
    std::vector<Baseline> out;
    for (const auto policy : *policies) {
        const Target target{"policy", policy, ""};
        const auto text = context.fs().read(path_in(facts, policy));
        const auto word = text ? word_in(facts, policy, *text) : text;
        if (word) {
            out.push_back({target, *word, text_back({path_in(facts, policy)}, *word, *text)});
        } else if (word.error().err != is_inactive && !word.is(ErrorKind::not_here)) {
            out.push_back({target, "", word.error()});
        }
    }
    return out;
}

}  // namespace

Setting policy_setting(Info info, const PolicyFacts& facts) {
    return {.info = std::move(info),
            .assess = assess_policies,
            .baseline = baseline_of_policies,
            .keeping = keeping_of_policies,
            .row = {.policy = &facts}};
}

}  // namespace rocenv
