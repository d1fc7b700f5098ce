// SPDX-License-Identifier: MIT
#include "help/explain/vocabulary.h"

#include <iterator>
#include <list>
#include <string>
#include <utility>
#include <vector>

#include "help/explain/statuses.h"

namespace rocenv {

namespace {

constexpr WordExplanation all_words[] = {
    {"outcome", "ok", "Is as wanted.", "never counts", ""},
    {"outcome", "changed", "set, reset: was brought there and read back.", "never counts",
     "rocenv status shows what is set, rocenv reset puts it back"},
    {"outcome", "na", "Does not exist here, and that is fine: no cpufreq driver in a guest, say.",
     "never counts", ""},
    {"outcome", "hidden", "Exists, and this container may not see it.", "never counts",
     "ask on the node itself"},
    {"outcome", "unknown",
     "Could not be read: not permitted, asleep, garbled, or no answer in time. Never taken for ok; "
     "its reason says which.",
     "check: 3 where it is required and nothing required differs",
     "what the finding names as next; often the same command as root"},
    {"outcome", "differs", "Was read and is not as wanted.",
     "check: 1 where it is required (--strict: or recommended)",
     "what the finding names as next; what can be set: sudo rocenv set -p PROFILE --only ID"},
    {"outcome", "unsafe",
     "set refused: it would break isolation between devices, a guest or a running job.",
     "set: 1 where it is required; the rest was done", "--allow ID sets it all the same"},
    {"outcome", "failed", "set, reset: the write failed, or the value did not stick.",
     "set: 4 where it is required, and everything went back; reset: 5", "rocenv status"},
    {"reason", "timeout",
     "Of unknown: the kernel's file did not answer within --timeout (5 s), or not before "
     "--deadline "
     "(20 s).",
     "", "look into the kernel's log; the driver or the device may hang"},
    {"reason", "permission", "Of unknown: this user may not read it.", "", "ask again as root"},
    {"reason", "asleep",
     "Of unknown: the device is suspended, and reading would wake it; so it was not touched.", "",
     "ask again while something uses the device"},
    {"reason", "garbled", "Of unknown: it was read and makes no sense.", "",
     "look at the file that the finding names"},
    {"reason", "hidden", "Of what could not be read: this container may not see it.", "",
     "ask on the node itself"},
    {"reason", "error",
     "Of unknown: reading failed in another way, which the finding's detail names.", "",
     "look at the file that the finding names"},
    {"level", "required", "Must be so, or what the profile is for does not work as published.",
     "check: 1 where it differs, 3 where it is unknown", ""},
    {"level", "recommended", "Should be so: published advice that costs or wins something.",
     "never counts without --strict", ""},
    {"level", "info", "Worth knowing. set leaves it alone, env does not export it.", "never counts",
     "-v lists all of them"},
    {"mark", "waived",
     "The site lives with it (/etc/rocenv/waivers.toml, --waivers). The finding keeps its outcome.",
     "never counts, until the waiver's date", "--no-waivers counts it"},
    {"name", "auto",
     "The profile for the GPUs on PCI; mi for a model that nobody knows, host without any.", "",
     "rocenv profile show auto"},
    {"name", "benchmark", "The -benchmark form of what auto chooses.", "",
     "rocenv profile show benchmark"},
    {"finding", "profile.auto",
     "Reports that auto found no AMD GPU, could not list the PCI functions, or has no profile for "
     "all GPUs.",
     "required if the list is unreadable, or if something else shows a GPU",
     "name a profile with -p; a node without GPUs has -p host, or gpu.count = 0 in site.toml"},
    {"finding", "site.trust",
     "A file below /etc/rocenv that users other than root can change. Root ignores the file, so "
     "what it says is unknown.",
     "required: check is 3 unless something required differs; set is 2, run --tune 125",
     "what the finding names as next"},
    {"finding", "env.file",
     "A line of an --env-file that its reader ignores, or that rocenv does not evaluate. What such "
     "a "
     "line sets is unknown.",
     "recommended: never counts without --strict",
     "write NAME=VALUE, or check the running program with --pid"},
    {"finding", "tunableop.results",
     "Would PyTorch take the result files that the environment names, or discard them without a "
     "word?",
     "as recommended", "rocenv tunableop check FILE"},
};

// What to do about a status; what it means stands with those of the commands.
constexpr std::pair<std::string_view, std::string_view> next_of_statuses[] = {
    {"0", ""},
    {"1", "read the findings that are required"},
    {"2", "stderr names what was not understood"},
    {"3", "the same command as root; stderr and the findings say what kept it"},
    {"4", "the findings that failed say why"},
    {"5", "the report names each with its present value; rocenv status"},
    {"125", "stderr says why"},
    {"126", ""},
    {"127", ""},
    {"128+N", "kill -l N names the signal: 137 is 128+9, KILL"},
};

std::vector<WordExplanation> words_and_statuses() {
    static std::list<std::string> meanings;  // what the words' views look at
    std::vector<WordExplanation> out(std::begin(all_words), std::end(all_words));
    for (const auto& [status, next] : next_of_statuses) {
        out.push_back(
            {"status", status, meanings.emplace_back(status_over_commands(status)), "", next});
    }
    return out;
}

}  // namespace

std::span<const WordExplanation> vocabulary() {
    static const std::vector<WordExplanation> all = words_and_statuses();
    return all;
}

}  // namespace rocenv
