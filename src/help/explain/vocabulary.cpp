// SPDX-License-Identifier: MIT
#include "help/explain/vocabulary.h"

#include <algorithm>
#include <iterator>
#include <list>
#include <string>
#include <utility>
#include <vector>

#include "print/wrap.h"

namespace rocenv {

namespace {

constexpr std::string_view bad_input = "bad usage, profile or input file";
constexpr std::string_view bad_usage = "bad usage";
constexpr std::string_view silent = "a file did not respond in time";

constexpr StatusMeaning status_table[] = {
    {"check", "0", "all required checks passed"},
    {"check", "1", "a required check failed (--strict: or a recommended one)"},
    {"check", "2", "bad usage, profile or input file; nothing was checked"},
    {"check", "3", "something required could not be read, and no required check failed"},
    {"check", "143", "SIGTERM ended --wait; nothing was printed"},
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
     "a report that counts or may be newer has status 1 (--strict: or a node is an outlier, "
     "or a fact has no majority)"},
    {"fleet", "2", "bad usage or profile, or a named file that does not exist"},
    {"fleet", "3",
     "a report that counts or may be newer has status 3 and none has 1, a node is missing, "
     "has no complete report or no finding that --only and --skip select, an input is too old or "
     "cannot be read whole, or several machines share a name (--strict: or a node was compared "
     "with no other)"},
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

using Said = std::vector<std::pair<std::string, std::string_view>>;  // commands and their meaning

// Returns the meanings of a status; commands with equal ones share a row.
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
    for (const auto& [speaker, means] : said_of(status)) {
        out += (out.empty() ? "" : ". ") + speaker + ": " + std::string(means);
    }
    return out + ".";
}

std::string status_lines(std::string_view command) {
    constexpr std::size_t words_margin = 10;
    std::string out;
    std::string_view heading;  // command, or command with an option, of the last heading
    for (const auto& row : statuses_of(command)) {
        if (heading != row.command) {
            heading = row.command;
            out +=
                "Exit status" + (heading == command ? "" : " of " + std::string(heading)) + ":\n";
        }
        std::string first = "  " + std::string(row.status);
        first.resize(words_margin, ' ');
        out += wrapped_to(Screen::usual_width, first, words_margin, row.means);
    }
    return out;
}

namespace {

constexpr WordExplanation all_words[] = {
    {"outcome", "ok", "The value is as expected. Reports for people print PASS.", "never counts",
     ""},
    {"outcome", "changed", "set and reset: the value was written and read back.", "never counts",
     "rocenv status lists what is set; rocenv reset restores it"},
    {"outcome", "na",
     "The object does not exist here, and that is fine: a guest has no cpufreq driver, for "
     "example.",
     "never counts", ""},
    {"outcome", "hidden", "The object exists, but this container may not see it.", "never counts",
     "run the check on the node itself"},
    {"outcome", "unknown",
     "The value could not be read: not permitted, asleep, garbled, or no answer in time. The "
     "finding never counts as ok, and its reason states the cause.",
     "check: 3 if it is required and no required check failed",
     "follow the next step of the finding; often the same command as root"},
    {"outcome", "differs",
     "The value was read and is not as expected. Reports for people print FAIL, WARN or INFO.",
     "check: 1 if it is required (--strict: or recommended)",
     "follow the next step of the finding; if it can be set: sudo rocenv set -p PROFILE --only "
     "ID"},
    {"outcome", "unsafe",
     "set refused the write, because it would break isolation between devices, a guest or a "
     "running job.",
     "set: 1 if it is required; the rest was done", "if the risk is acceptable: --allow ID"},
    {"outcome", "failed", "set and reset: the write failed, or the value changed back.",
     "set: 4 if it is required, and everything was restored; reset: 5", "rocenv status"},
    {"reason", "timeout",
     "A reason of unknown: the kernel file did not respond within --timeout (5 s), or not before "
     "--deadline (20 s).",
     "", "read the kernel log, because the driver or the device may hang"},
    {"reason", "permission", "A reason of unknown: this user may not read the file.", "",
     "check again as root"},
    {"reason", "asleep",
     "A reason of unknown: the device is suspended and was not read, because a read would wake it.",
     "", "check again while a program uses the device"},
    {"reason", "garbled", "A reason of unknown: the file was read, but its content is not valid.",
     "", "read the file that the finding names"},
    {"reason", "hidden", "A reason of hidden and unknown: this container may not see the object.",
     "", "run the check on the node itself"},
    {"reason", "error", "A reason of unknown: the read failed with the error in the detail.", "",
     "read the file that the finding names"},
    {"level", "required",
     "The purpose of the profile fails without it: a node that does not meet it does not work as "
     "published.",
     "check: 1 if it differs, 3 if it is unknown", ""},
    {"level", "recommended", "Published advice with a measurable effect.",
     "never counts without --strict", ""},
    {"level", "info", "Worth knowing. set does not write it, and env does not export it.",
     "never counts", "-v lists all of them"},
    {"mark", "waived",
     "The site accepts the finding (/etc/rocenv/waivers.toml, --waivers). The finding keeps its "
     "outcome.",
     "does not count until the date of the waiver", "--no-waivers counts it"},
    {"name", "auto",
     "The profile for the GPUs on PCI: mi for an unknown model, host for a node without GPUs.", "",
     "rocenv profile show auto"},
    {"name", "benchmark", "The -benchmark form of the profile that auto selects.", "",
     "rocenv profile show benchmark"},
    {"finding", "profile.auto",
     "Reports that auto found no AMD GPU, could not list the PCI functions, or has no profile for "
     "all GPUs.",
     "required if the list is unreadable, or if something else shows a GPU",
     "name a profile with -p; a node without GPUs has -p host, or gpu.count = 0 in site.toml"},
    {"finding", "site.trust",
     "Reports a file below /etc/rocenv that users other than root can change. Root ignores the "
     "file, so its content is unknown.",
     "required: check is 3 unless a required check failed; set is 2, run --tune 125",
     "follow the next step of the finding"},
    {"finding", "env.file",
     "Reports a line of an --env-file that its reader ignores, or that rocenv does not evaluate. "
     "The variable of such a line is unknown.",
     "recommended: never counts without --strict",
     "write NAME=VALUE, or check the running program with --pid"},
    {"finding", "tunableop.results",
     "Reports result files of the environment that PyTorch would discard without a message.",
     "as recommended", "rocenv tunableop check FILE"},
};

// Next steps of statuses. Their meanings are those of the commands.
constexpr std::pair<std::string_view, std::string_view> next_of_statuses[] = {
    {"0", ""},
    {"1", "read the findings that begin with FAIL"},
    {"2", "read the error on stderr"},
    {"3", "run the same command as root; stderr and the findings state the cause"},
    {"4", "read the findings that failed"},
    {"5", "rocenv status; the report names each setting with its present value"},
    {"125", "read the error on stderr"},
    {"126", ""},
    {"127", ""},
    {"128+N", "kill -l N names the signal: 137 is 128+9, KILL"},
};

std::vector<WordExplanation> words_and_statuses() {
    static std::list<std::string> meanings;  // storage of the views
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
