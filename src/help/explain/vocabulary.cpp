// SPDX-License-Identifier: MIT
#include "help/explain/vocabulary.h"

#include <algorithm>
#include <iterator>
#include <list>
#include <string>
#include <utility>
#include <vector>

#include "print/layout.h"

namespace rocenv {

namespace {

constexpr std::string_view bad_input = "bad usage, profile or input file";
constexpr std::string_view bad_usage = "bad usage";
constexpr std::string_view silent = "a file did not answer in time";

constexpr StatusMeaning status_table[] = {
    {"check", "0", "all required checks passed"},
    {"check", "1", "a required check failed (--strict: or a recommended one)"},
    {"check", "2", "bad usage, profile or input file; nothing was checked"},
    {"check", "3", "something required could not be read, and no required check failed"},
    {"check --format nagios", "0", "all required and recommended checks passed"},
    {"check --format nagios", "1", "a recommended check failed"},
    {"check --format nagios", "2", "a required check failed"},
    {"check --format nagios", "3",
     "something required could not be read, or bad usage, profile or input file"},
    {"set", "0", "done"},
    {"set", "1", "done, except for something required that is unsafe or cannot be set"},
    {"set", "2", "bad usage, profile or input file; nothing was written"},
    {"set", "3",
     "done, except for something required that could not be read; or nothing was written, because "
     "the user has no right to write, or the journal is damaged or of another boot"},
    {"set", "4", "failed or interrupted; everything was restored"},
    {"set", "5", "something could not be restored; the report names it"},
    {"reset", "0", "done, or nothing was recorded"},
    {"reset", "1", "refused, because a name holds the settings"},
    {"reset", "2", "bad usage; nothing was written"},
    {"reset", "3",
     "nothing was written, because the user has no right to write, or the journal cannot be read "
     "or is of another boot"},
    {"reset", "5",
     "something could not be restored, or was modified outside rocenv; the report names it"},
    {"status", "0", "nothing is set"},
    {"status", "1", "something is set, or a set or reset is running"},
    {"status", "2", bad_usage},
    {"status", "3", "the journal cannot be read, is damaged or of another boot"},
    {"status", "5", "something was modified outside rocenv since"},
    {"env", "0", "printed"},
    {"env", "2",
     "bad usage or profile, a ${NAME} that is not set, or a value that the format cannot express; "
     "nothing was printed"},
    {"env", "3", silent},
    {"run", "0-255", "the status of the program"},
    {"run", "2", "--tune without -p"},
    {"run", "125", "rocenv refused or failed before the program started"},
    {"run", "126", "the program exists and could not be started"},
    {"run", "127", "the program does not exist"},
    {"run", "128+N", "signal N ended the program"},
    {"topo", "0", "printed"},
    {"topo", "2", "bad usage, or an unknown key or rank"},
    {"topo", "3", "the topology of the driver, or a file of the format, could not be read"},
    {"occupancy", "0", "computed"},
    {"occupancy", "2", "bad usage or input"},
    {"occupancy", "3", "nothing could be computed"},
    {"fleet", "0", "every report has status 0"},
    {"fleet", "1",
     "a report has status 1 (--strict: or a node is an outlier, or a fact has no majority)"},
    {"fleet", "2", bad_input},
    {"fleet", "3",
     "a report has status 3 and none has 1, a node is missing, a report is too old or cannot be "
     "read, or several machines share a name (--strict: or a node was compared with no other)"},
    {"explain", "0", "explained"},
    {"explain", "2", "bad usage or profile, or an unknown word; the other words were explained"},
    {"explain", "3", "a process or file could not be read, or did not answer in time"},
    {"record", "0", "recorded"},
    {"record", "2", bad_usage},
    {"record", "3", "some files did not answer in time, or the recording could not be written"},
    {"profile list", "0", "listed"},
    {"profile list", "2", bad_usage},
    {"profile show", "0", "shown"},
    {"profile show", "2", "bad usage or profile"},
    {"profile show", "3", silent},
    {"profile lint", "0", "no errors"},
    {"profile lint", "2", "errors (--strict: or warnings)"},
    {"profile lint", "3", silent},
    {"profile diff", "0", "the profiles are equal"},
    {"profile diff", "1", "the profiles differ"},
    {"profile diff", "2", "bad usage, or an invalid profile"},
    {"profile diff", "3", silent},
    {"profile learn", "0", "written"},
    {"profile learn", "2", bad_usage},
    {"profile learn", "3", "the profile could not be written"},
    {"tunableop check", "0", "PyTorch accepts the files"},
    {"tunableop check", "1", "PyTorch would discard a file, or a file is damaged"},
    {"tunableop check", "2", "bad usage, or a file cannot be read or is not a TunableOp file"},
    {"tunableop check", "3", "unknown whether PyTorch accepts the files"},
    {"tunableop show", "0", "shown"},
    {"tunableop show", "2", "bad usage, or a file cannot be used"},
    {"tunableop show", "3", silent},
    {"tunableop merge", "0", "merged"},
    {"tunableop merge", "2", "bad usage, or a file cannot be used"},
    {"tunableop merge", "3", silent},
    {"help", "0", "printed"},
    {"help", "2", "bad usage, or an unknown topic"},
    {"completion", "0", "printed"},
    {"completion", "2", bad_usage},
};

using Said = std::vector<std::pair<std::string, std::string_view>>;  // by whom, and what

// Commands that say the same are told together.
Said said_of(std::string_view status) {
    Said out;
    for (const auto& row : status_table) {
        if (row.status != status) {
            continue;
        }
        const auto same = std::find_if(out.begin(), out.end(),
                                       [&](const auto& each) { return each.second == row.means; });
        if (same == out.end()) {
            out.emplace_back(row.command, row.means);
        } else {
            same->first += ", " + std::string(row.command);
        }
    }
    return out;
}

}  // namespace

std::span<const StatusMeaning> status_meanings() {
    return status_table;
}

std::vector<StatusMeaning> statuses_of(std::string_view command) {
    std::vector<StatusMeaning> out;
    std::copy_if(std::begin(status_table), std::end(status_table), std::back_inserter(out),
                 [&](const StatusMeaning& row) {
                     return row.command == command ||
                            row.command.starts_with(std::string(command) + " --");
                 });
    return out;
}

std::string status_over_commands(std::string_view status) {
    std::string out;
    for (const auto& [who, means] : said_of(status)) {
        out += (out.empty() ? "" : ". ") + who + ": " + std::string(means);
    }
    return out + ".";
}

std::string status_lines(std::string_view command) {
    constexpr std::size_t words_margin = 10;
    std::string out;
    std::string_view told;  // of the command, or of it with an option
    for (const auto& row : statuses_of(command)) {
        if (told != row.command) {
            told = row.command;
            out += "Exit status" + (told == command ? "" : " of " + std::string(told)) + ":\n";
        }
        std::string first = "  " + std::string(row.status);
        first.resize(words_margin, ' ');
        out += wrapped(first, words_margin, row.means);
    }
    return out;
}

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
     "read the file that the finding names"},
    {"reason", "hidden", "Of what could not be read: this container may not see it.", "",
     "ask on the node itself"},
    {"reason", "error",
     "Of unknown: reading failed in another way, which the finding's detail names.", "",
     "read the file that the finding names"},
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
