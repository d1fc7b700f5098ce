// SPDX-License-Identifier: MIT
// Lists of nodes: the names of a list fold into a list of the same names.
#include <algorithm>

#include "fleet/read/hostlist.h"
#include "fuzz/fuzz.h"
#include "util/text.h"

namespace rocenv::fuzz {

namespace hostlist_fuzz {

namespace {

// A few bytes may name a million nodes; those beyond this take their time and say no more.
constexpr std::size_t most_digits = 3;
constexpr std::size_t most_brackets = 2;

bool is_long(std::string_view list) {
    std::size_t digits = 0;
    std::size_t brackets = 0;
    for (const char byte : list) {
        digits = byte >= '0' && byte <= '9' ? digits + 1 : 0;
        brackets += byte == '[' ? 1 : 0;
        if (brackets > 0 && digits > (brackets > 1 ? 1 : most_digits)) {
            return true;
        }
    }
    return brackets > most_brackets;
}

std::string folded(const std::vector<std::string>& names) {
    return folded_names(std::vector<std::string_view>(names.begin(), names.end()));
}

void check_order(const std::vector<std::string>& names) {
    for (std::size_t at = 1; at < std::min<std::size_t>(names.size(), 40); ++at) {
        const bool before = is_name_before(names[at - 1], names[at]);
        const bool after = is_name_before(names[at], names[at - 1]);
        demand(!(before && after), "one name is before the other", names[at]);
        demand(before || after, "two names have an order", names[at]);
    }
}

}  // namespace

}  // namespace hostlist_fuzz

void fuzz_hostlist(std::string_view bytes) {
    using namespace hostlist_fuzz;
    if (is_long(bytes)) {
        return;
    }
    auto names = expanded_names(bytes);
    if (!names) {
        return demand_message(names.error());
    }
    for (const auto& name : *names) {
        demand(name.find_first_of("[], \n") == name.npos, "a name is one name", name);
    }
    std::sort(names.value().begin(), names.value().end());
    names.value().erase(std::unique(names.value().begin(), names.value().end()),
                        names.value().end());
    check_order(*names);
    const std::string list = folded(*names);
    auto again = expanded_names(list);
    demand(again.ok(), "a folded list is a list", list);
    std::sort(again.value().begin(), again.value().end());
    demand(*again == *names, "a folded list names what it was made of", list);
    demand(folded(*again) == list, "it folds into the same list", list);
}

}  // namespace rocenv::fuzz
