// SPDX-License-Identifier: MIT
#include "fleet/compare/differences.h"

#include <algorithm>
#include <map>
#include <tuple>

#include "util/text.h"

namespace rocenv {

namespace {

// A target such as "policy0-3,7/C2": the text before and after a list of numbers.
struct NumberedTarget {
    std::string_view base;
    std::string_view suffix;
    std::vector<std::uint32_t> numbers;
};

std::optional<NumberedTarget> numbered_target(std::string_view target) {
    constexpr std::string_view letters = "abcdefghijklmnopqrstuvwxyz";
    const auto base = target.find_first_not_of(letters);
    if (base == target.npos || base == 0) {
        return std::nullopt;
    }
    const auto end = std::min(target.find_first_not_of("0123456789,-", base), target.size());
    if (end < target.size() && target[end] != '/') {
        return std::nullopt;
    }
    auto numbers = parse_number_list(target.substr(base, end - base));
    if (!numbers || numbers->empty()) {
        return std::nullopt;
    }
    return NumberedTarget{target.substr(0, base), target.substr(end), *std::move(numbers)};
}

// The pairs of one id. Numbered targets are compared number by number, because two sides with equal
// values may fold the numbers into different targets.
class IdPairs {
   public:
    explicit IdPairs(const std::vector<FleetFact>& facts) : facts_(facts) {}

    void add(const FactKey& key, FleetIndex here, FleetIndex others) {
        const auto target = numbered_target(key.target);
        if (!target) {
            plain_.emplace_back(key.target, std::pair(here, others));
            return;
        }
        auto& of_base = numbered_[{target->base, target->suffix}];
        for (const auto number : target->numbers) {
            auto& pair = of_base.try_emplace(number, no_fact, no_fact).first->second;
            pair.first = here != no_fact ? here : pair.first;
            pair.second = others != no_fact ? others : pair.second;
        }
    }

    void add(std::string_view id, std::vector<FleetDifference>& into) const {
        for (const auto& [target, pair] : plain_) {
            add_one(id, std::string(target), words(pair), into);
        }
        for (const auto& [around, numbers] : numbered_) {
            std::map<Words, std::vector<std::uint32_t>> folded;
            for (const auto& [number, pair] : numbers) {
                folded[words(pair)].push_back(number);
            }
            for (const auto& [texts, list] : folded) {
                add_one(id,
                        std::string(around.first) + number_list(list) + std::string(around.second),
                        texts, into);
            }
        }
    }

   private:
    using Pair = std::pair<FleetIndex, FleetIndex>;
    struct Words {
        std::string here;
        std::string others;
        bool unread = false;
        bool operator<(const Words& other) const {
            return std::tie(here, others, unread) <
                   std::tie(other.here, other.others, other.unread);
        }
    };

    const FleetFact* fact(FleetIndex index) const {
        return index == no_fact ? nullptr : &facts_[index];
    }
    // Returns the words of both sides. A value that one side could not read is unread, a missing
    // one is not.
    Words words(const Pair& pair) const {
        const FleetFact* here = fact(pair.first);
        const FleetFact* others = fact(pair.second);
        const bool unread =
            (here != nullptr && !here->value) || (others != nullptr && !others->value);
        return {fact_words(here), fact_words(others), unread};
    }
    static void add_one(std::string_view id, std::string target, const Words& texts,
                        std::vector<FleetDifference>& into) {
        if (!are_alike(texts.here, texts.others, tolerance_of(id))) {
            into.push_back({FleetSubject::fact, id, std::move(target), texts.here, texts.others,
                            texts.unread});
        }
    }

    const std::vector<FleetFact>& facts_;
    std::vector<std::pair<std::string_view, Pair>> plain_;
    std::map<std::pair<std::string_view, std::string_view>, std::map<std::uint32_t, Pair>>
        numbered_;
};

auto item_key(const FleetFinding& item) {
    return std::tuple(item.id, item.target);
}

}  // namespace

std::string fact_words(const FleetFact* fact) {
    if (fact == nullptr) {
        return "not there";
    }
    return fact->value ? std::string(*fact->value) : "unread (" + std::string(fact->reason) + ")";
}

bool is_numbered_target(std::string_view target) {
    return numbered_target(target).has_value();
}

std::vector<FleetDifference> fact_differences(std::vector<FactPair> pairs,
                                              const std::vector<FleetFact>& facts,
                                              const FactKeys& keys) {
    std::sort(pairs.begin(), pairs.end(), [&](const FactPair& a, const FactPair& b) {
        const auto key = [&](const FactPair& pair) {
            const FactKey& at = keys.all()[pair.key];
            return std::tuple(at.id, at.target);
        };
        return key(a) < key(b);
    });
    std::vector<FleetDifference> out;
    for (std::size_t at = 0; at < pairs.size();) {
        const auto id = keys.all()[pairs[at].key].id;
        IdPairs of_id(facts);
        for (; at < pairs.size() && keys.all()[pairs[at].key].id == id; ++at) {
            of_id.add(keys.all()[pairs[at].key], pairs[at].here, pairs[at].others);
        }
        of_id.add(id, out);
    }
    return out;
}

std::vector<FactPair> pairs_with(const FactBaseline& baseline, const FleetReport& report,
                                 const FactKeys& keys) {
    std::vector<FactPair> out;
    if (!report.has_facts || !baseline.there) {
        return out;
    }
    std::vector<FleetIndex> here;
    here.reserve(report.facts.size());
    for (const auto fact : report.facts) {
        const auto key = keys.of(fact);
        here.push_back(key);
        const FactBaseline::At at = baseline.at(key);
        const bool compared = at.is == FactBaseline::Is::value || at.is == FactBaseline::Is::absent;
        if (compared && at.fact != fact) {
            out.push_back({key, fact, at.fact});
        }
    }
    std::sort(here.begin(), here.end());
    for (const auto key : baseline.values) {
        if (!std::binary_search(here.begin(), here.end(), key)) {
            out.push_back({key, no_fact, baseline.at(key).fact});
        }
    }
    return out;
}

std::string finding_words(const FleetFinding& item) {
    std::string out = (item.waived ? "waived (" + std::string(item.ticket) + "): " : "") +
                      std::string(word_of(item.outcome));
    if (item.outcome == Outcome::unknown) {
        return out + " (" + std::string(word_of(item.reason)) + ")";
    }
    if (item.have) {
        out += ": have " + std::string(*item.have);
    }
    if (item.expected) {
        out += std::string(item.have ? ", " : ": ") + "want " + std::string(*item.expected);
    }
    return out;
}

std::vector<FleetDifference> item_differences(const ItemSide& here, const ItemSide& others,
                                              const std::vector<FleetFinding>& items) {
    std::map<std::tuple<std::string_view, std::string_view>, FleetDifference> out;
    const auto at = [&](FleetIndex item) -> FleetDifference& {
        const FleetFinding& row = items[item];
        const auto [known, is_new] = out.try_emplace(item_key(row));
        if (is_new) {
            known->second = {FleetSubject::finding,
                             row.id,
                             std::string(row.target),
                             std::string(here.words(row.id, row.target)),
                             std::string(others.words(row.id, row.target)),
                             false};
        }
        return known->second;
    };
    std::vector<FleetIndex> only;
    std::set_difference(here.items.begin(), here.items.end(), others.items.begin(),
                        others.items.end(), std::back_inserter(only));
    for (const auto item : only) {
        FleetDifference& difference = at(item);
        difference.here = finding_words(items[item]);
        difference.unread = items[item].outcome == Outcome::unknown;
        difference.level = items[item].level;
    }
    only.clear();
    std::set_difference(others.items.begin(), others.items.end(), here.items.begin(),
                        here.items.end(), std::back_inserter(only));
    for (const auto item : only) {
        at(item).others = finding_words(items[item]);
    }
    std::vector<FleetDifference> list;
    for (auto& [key, difference] : out) {
        if (difference.here != difference.others) {
            list.push_back(std::move(difference));
        }
    }
    return list;
}

void sort_by_weight(std::vector<FleetDifference>& differences) {
    const auto weight = [](const FleetDifference& each) {
        const int unread = each.unread ? 1 : 0;
        return each.of == FleetSubject::fact       ? 4
               : !each.level                       ? 5
               : *each.level == Level::required    ? unread
               : *each.level == Level::recommended ? 2 + unread
                                                   : 6;
    };
    std::stable_sort(differences.begin(), differences.end(),
                     [&](const auto& a, const auto& b) { return weight(a) < weight(b); });
}

}  // namespace rocenv
