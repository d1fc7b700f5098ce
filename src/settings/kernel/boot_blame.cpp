// SPDX-License-Identifier: MIT
#include "settings/kernel/boot_blame.h"

#include <string>
#include <vector>

#include "machine/host/boot_words.h"
#include "util/text.h"

namespace rocenv {

namespace {

// Whether the finding has what the word brings about, and did not expect it.
bool explains(const BootCause& cause, const Assessment& row) {
    const auto shows =
        cause.facts->shows == "=" ? std::string_view(cause.value) : cause.facts->shows;
    if (row.want && !shows.empty() && *row.want == shows) {
        return false;
    }
    return shows.empty() || (row.have && row.have->find(shows) != std::string::npos);
}

}  // namespace

void add_detail(std::string_view clause, std::string& detail) {
    detail += (detail.empty() ? "" : "; ") + std::string(clause);
}

void blame_boot_words(const Machine& machine, std::string_view id, BlameStep step,
                      Assessment& row) {
    if (row.outcome != Outcome::differs) {
        return;
    }
    const auto arguments = machine.kernel_arguments();
    std::vector<std::string> words;
    for (const auto& cause : arguments ? boot_causes(*arguments, id) : std::vector<BootCause>()) {
        if (explains(cause, row)) {
            add_detail(
                cause.word + " on the kernel command line " + std::string(cause.facts->effect),
                row.detail);
            words.push_back(cause.word);
        }
    }
    if (!words.empty() && step == BlameStep::replace) {
        row.next_step = boot_words_step(*arguments, {}, words);
    }
}

}  // namespace rocenv
