// SPDX-License-Identifier: MIT
// From judged settings to what a set will write: items, in the registry's order.
#pragma once

#include <string>
#include <vector>

#include "check/evaluate.h"
#include "transaction/journal_session.h"
#include "util/exit_status.h"

namespace rocenv {

// Why nothing can be set over a damaged journal, and what to do.
std::string damage_sentence(const Journal& journal);

// The next step about a target of this id that could not be put back.
std::string way_out(const std::string& id, const std::string& reset = "sudo rocenv reset");

// One target that a set brings to, or keeps at, what is wanted.
struct SetItem {
    Key key;
    Change change;
    Level level;
    Assessment* row;       // in Evaluation
    std::string was;       // the text form of what the baseline found
    bool written = false;  // and stands
    bool tried = false;    // to write it, whatever became of that
    bool failed = false;

    // Not to be touched: unsafe, or somebody else's.
    bool refused() const { return row->outcome == Outcome::unsafe; }
};

// One sentence for each wanted value that is above what the node itself states.
std::vector<std::string> refusals(const Evaluation& evaluation);

// `reset --to-defaults`: every setting with a default of the kernel's own, judged against it; a
// note names the settings that have none.
Evaluation judge_defaults(const Context& context, const ResetRequest& request);
SetResult set_defaults(const ResetRequest& request, WritableFs& machine, const Process& process,
                       JournalStore& store, const Caller& caller);

// Everything wanted at level recommended or required that can be set. Marks as unsafe what would
// break something (unless allowed), and what a holder of another name wants otherwise.
std::vector<SetItem> choose_items(Evaluation& evaluation, const Context& context,
                                  const Journal& journal, const SetRequest& request);

}  // namespace rocenv
