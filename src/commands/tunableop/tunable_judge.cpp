// SPDX-License-Identifier: MIT
#include <algorithm>

#include "commands/tunableop/tunable.h"
#include "commands/tunableop/tunable_stack.h"
#include "util/text.h"

namespace rocenv {

namespace {

std::string plural(std::size_t count, const std::string& noun) {
    return number(count) + " " + noun + (count == 1 ? "" : "s");
}

std::string damaged_text(const TunableFile& file) {
    const std::string line = "line " + number(file.damaged.front());
    return file.damaged_count == 1
               ? line + " is damaged"
               : plural(file.damaged_count, "line") + " are damaged, the first is " + line;
}

// Returns the faults of a file that do not depend on the node.
std::vector<std::string> faults_of(const TunableFile& file, const TunableRepeats& repeats) {
    std::vector<std::string> faults;
    if (file.kind != TunableKind::results) {
        return faults;
    }
    if (file.crlf) {
        faults.emplace_back(
            "its lines end in CR LF, and PyTorch reads the CR as part of each value");
    }
    if (file.cut) {
        faults.emplace_back(
            "it ends within a line: it was cut, or saved without its last line end");
    }
    if (file.damaged_count > 0) {
        faults.push_back(damaged_text(file));
    }
    if (file.contradicted > 0) {
        faults.push_back(plural(file.contradicted, "validator") +
                         (file.contradicted == 1 ? " has" : " have") + " two values");
    }
    if (repeats.different > 0) {
        faults.push_back(plural(repeats.different, "result") + " contradict" +
                         (repeats.different == 1 ? "s" : "") + " an earlier one, which counts (" +
                         repeats.example + ")");
    }
    if (file.results.empty()) {
        faults.emplace_back("it holds no results");
    }
    return faults;
}

std::string not_results_text(TunableKind kind) {
    switch (kind) {
        case TunableKind::untuned:
            return "holds GEMMs that are still to be tuned, and no results "
                   "(torch.cuda.tunable.tune_gemm_in_file makes results of it)";
        case TunableKind::empty:
            return "is empty";
        case TunableKind::hipblaslt:
            return "is a tuning file of hipBLASLt itself (HIPBLASLT_TUNING_OVERRIDE_FILE), not of "
                   "TunableOp";
        case TunableKind::results:
        case TunableKind::foreign:
        case TunableKind::unreadable:
            break;
    }
    return "is not a TunableOp result file";
}

// "GCN_ARCH_NAME is gfx1151, here gfx942:sramecc+:xnack-".
std::string row_reason(const TunableRow& row) {
    if (!row.file) {
        return row.name + " " + row.detail;
    }
    return printable(row.name, 80) + " is " + printable(*row.file, 80) +
           (row.here ? ", here " + printable(*row.here, 80) : ": " + row.detail);
}

bool has(const std::vector<TunableRow>& rows, Outcome outcome) {
    return std::any_of(rows.begin(), rows.end(),
                       [&](const TunableRow& row) { return row.outcome == outcome; });
}

std::string refusal(const TunableFile& file, const TunableJudgement& judgement) {
    std::vector<std::string> reasons;
    for (const auto& row : judgement.rows) {
        if (row.outcome == Outcome::differs) {
            reasons.push_back(row_reason(row));
        }
    }
    const bool refused = file.crlf || !reasons.empty();
    reasons.insert(reasons.end(), judgement.faults.begin(), judgement.faults.end());
    return (refused ? "PyTorch would discard it: " : "PyTorch would accept it, but ") +
           join(reasons, "; ");
}

std::string doubt(const TunableJudgement& judgement) {
    std::vector<std::string> names;
    for (const auto& row : judgement.rows) {
        if (row.outcome == Outcome::unknown) {
            names.push_back(row.name);
        }
    }
    return "unknown whether PyTorch would accept it: " + join(names, ", ") +
           (names.size() == 1 ? " is" : " are") + " unknown here";
}

}  // namespace

TunableJudge::TunableJudge(const Versions& versions, const Machine& machine, const Process& process)
    : stack_(std::make_unique<const TunableStack>(tunable_stack(versions, machine, process))) {}

TunableJudge::~TunableJudge() = default;

TunableJudgement TunableJudge::judge(const TunableFile& file) const {
    TunableJudgement out;
    out.path = file.path;
    out.kind = file.kind;
    out.results = file.results.size();
    if (file.kind != TunableKind::results) {
        out.outcome = Outcome::differs;
        out.sentence = not_results_text(file.kind);
        return out;
    }
    out.repeats = repeats_in(file);
    out.rows = judge_validators(file.validators, *stack_);
    out.faults = faults_of(file, out.repeats);
    if (!out.faults.empty() || has(out.rows, Outcome::differs)) {
        out.outcome = Outcome::differs;
        out.sentence = refusal(file, out);
    } else if (has(out.rows, Outcome::unknown)) {
        out.outcome = Outcome::unknown;
        out.sentence = doubt(out);
    } else {
        out.outcome = Outcome::ok;
        out.sentence = "PyTorch would accept its " + plural(out.results, "result");
    }
    return out;
}

TunableJudgement unreadable_tunable(const std::string& path, const Error& error) {
    TunableJudgement out;
    out.path = path;
    out.sentence = error.text;
    return out;
}

}  // namespace rocenv
