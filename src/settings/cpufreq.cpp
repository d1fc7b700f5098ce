// SPDX-License-Identifier: MIT
#include "settings/cpufreq.h"

#include <algorithm>

#include "util/text.h"

namespace rocenv {

namespace {

constexpr int ebusy = 16;

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
    std::sort(numbers.begin(), numbers.end());
    return numbers;
}

const std::string& cpufreq_folder() {
    static const std::string folder = "/sys/devices/system/cpu/cpufreq";
    return folder;
}

std::string cpufreq_folder(std::uint32_t policy) {
    return cpufreq_folder() + "/policy" + number(policy);
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
    bool all_without = true;
    for (const auto policy : *policies) {
        const auto text = context.fs().read(cpufreq_folder(policy) + "/" + facts_.file);
        if (text || text.error().err != ebusy) {
            out.push_back(judge(context.fs(), policy, *want.value.text(), text));
            all_without = all_without && out.back().outcome == Outcome::na;
        }
    }
    if (out.empty()) {
        return {no_target("every cpufreq policy is offline")};
    }
    return all_without ? std::vector{no_target(facts_.without)} : out;
}

Assessment PolicySetting::judge(const Fs& fs, std::uint32_t policy, const std::string& want,
                                const Result<std::string>& text) const {
    const std::string folder = cpufreq_folder(policy);
    const Target target{"policy", policy, ""};
    if (text.is(ErrorKind::not_here) && !facts_.without.empty() && exists(fs, folder)) {
        auto row = no_target(facts_.without);
        row.target = target;
        return row;
    }
    if (!text) {
        return unreadable(target, text.error(), want);
    }
    const auto word = trim(*text);
    if (words(word).size() != 1 || !is_plain(word)) {
        const auto why = "is no " + facts_.what + ": \"" + printable(word, 40) + "\"";
        return unreadable(target, garbled(folder + "/" + facts_.file, why), want);
    }
    auto row = compared(target, want, std::string(word));
    if (row.outcome == Outcome::differs) {
        explain(fs, folder, row);
    }
    return row;
}

void PolicySetting::explain(const Fs& fs, const std::string& folder, Assessment& row) const {
    row.next_step = facts_.command;
    row.next_step.replace(row.next_step.find("WORD"), 4, *row.want);
    if (facts_.obstacle != nullptr) {
        row.detail = facts_.obstacle(fs, folder, *row.want);
    }
    const auto offered = fs.read(folder + "/" + facts_.offered);
    const auto names = words(offered ? trim(*offered) : std::string_view());
    if (row.detail.empty() && offered &&
        std::find(names.begin(), names.end(), *row.want) == names.end()) {
        row.detail = "the driver offers " + printable(trim(*offered), 80) + " only";
        row.next_step = facts_.not_offered;
    }
}

}  // namespace rocenv
