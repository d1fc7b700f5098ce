// SPDX-License-Identifier: MIT
// cpu.governor: what chooses each CPU's clock. Real folders are cpufreq/policyN; cpuN/cpufreq is a
// link to one, and one policy may serve many CPUs. A policy whose CPUs are all offline answers
// EBUSY (linux drivers/cpufreq/cpufreq.c show). No folder: no driver, as in most guests.
#include <algorithm>

#include "settings/settings.h"
#include "util/text.h"

namespace rocenv {

namespace {

constexpr int ebusy = 16;
const std::string folder = "/sys/devices/system/cpu/cpufreq";

// Numbers of the policies there are, sorted.
Result<std::vector<std::uint32_t>> policies(const Fs& fs) {
    const auto names = fs.list(folder);
    if (!names) {
        return names.error();
    }
    std::vector<std::uint32_t> numbers;
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

class Governor final : public Setting {
   public:
    const Info& info() const override {
        static const Info data{
            .id = "cpu.governor",
            .summary = "The cpufreq governor of each policy",
            .why = "Other governors take milliseconds to raise the clock of a CPU that feeds a GPU",
            .source =
                "AMD Instinct MI300X system optimization (rocm.docs.amd.com, 2025-09); "
                "linux drivers/cpufreq/cpufreq.c, 6.12",
            .target = "cpufreq policy",
            .read_from = "/sys/devices/system/cpu/cpufreq/policy*/scaling_governor",
            .set_by = "writes the word to each policy's scaling_governor",
            .next_step = "sudo cpupower frequency-set -g performance",
            .persist =
                "lost at reboot; keep it with cpufreq.default_governor=performance on the "
                "kernel command line, or a unit that runs rocenv at boot",
            .risk_note = "more power when idle; forces the energy preference to performance",
            .risk = Risk::low,
            .forms = {{.kind = FormKind::any_word}},
        };
        return data;
    }

    std::vector<Assessment> assess(const Context& context, const Want& want) const override {
        const auto numbers = policies(context.fs());
        if (!numbers && !numbers.is(ErrorKind::not_here)) {
            return {unreadable({}, numbers.error(), *want.value.text())};
        }
        if (!numbers || numbers->empty()) {
            return {no_target("no cpufreq driver (a guest, or the firmware keeps the clocks)")};
        }
        std::vector<Assessment> out;
        for (const auto policy : *numbers) {
            assess_policy(context.fs(), policy, *want.value.text(), out);
        }
        if (out.empty()) {
            return {no_target("every cpufreq policy is offline")};
        }
        return out;
    }

   private:
    static void assess_policy(const Fs& fs, std::uint32_t policy, const std::string& want,
                              std::vector<Assessment>& out) {
        const std::string path = folder + "/policy" + number(policy) + "/scaling_governor";
        const Target target{"policy", policy, ""};
        const auto text = fs.read(path);
        if (!text) {
            if (text.error().err != ebusy) {
                out.push_back(unreadable(target, text.error(), want));
            }
            return;
        }
        const auto word = trim(*text);
        if (words(word).size() != 1 || !is_plain(word)) {
            const auto why = "is no governor's name: \"" + printable(word, 40) + "\"";
            out.push_back(unreadable(target, garbled(path, why), want));
            return;
        }
        auto row = compared(target, want, std::string(word));
        if (row.outcome == Outcome::differs) {
            explain(fs, policy, want, row);
        }
        out.push_back(std::move(row));
    }

    static void explain(const Fs& fs, std::uint32_t policy, const std::string& want,
                        Assessment& row) {
        row.next_step = "sudo cpupower frequency-set -g " + want;
        const auto offered =
            fs.read(folder + "/policy" + number(policy) + "/scaling_available_governors");
        if (!offered) {
            return;
        }
        const auto names = words(trim(*offered));
        if (std::find(names.begin(), names.end(), want) == names.end()) {
            row.detail = "the driver offers " + printable(trim(*offered), 80) + " only";
            row.next_step = "load the governor's module, or want one of those";
        }
    }
};

}  // namespace

const Setting& cpu_governor() {
    static const Governor setting;
    return setting;
}

}  // namespace rocenv
