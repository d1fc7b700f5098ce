// SPDX-License-Identifier: MIT
#include "fleet/read/pools.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "profile/request.h"
#include "util/exit_status.h"
#include "util/text.h"
#include "util/utc_time.h"

namespace rocenv {

namespace {

constexpr std::size_t block_size = std::size_t{64} << 10;
constexpr std::size_t first_slots = 4096;

std::uint64_t eight_bytes(const char* at, std::size_t size) {
    std::uint64_t out = 0;
    std::memcpy(&out, at, size);
    return out;
}

}  // namespace

std::uint64_t quick_hash(std::string_view text) {
    const char* at = text.data();
    std::size_t left = text.size();
    std::uint64_t sum = mixed(0x2545f4914f6cdd1dU, left);
    for (; left >= 8; at += 8, left -= 8) {
        sum = mixed(sum, eight_bytes(at, 8));
    }
    if (left > 0) {
        sum = mixed(sum, eight_bytes(at, left));
    }
    return mixed(sum, sum >> 32);
}

TextPool::TextPool() : slots_(first_slots), bytes_(first_slots * sizeof(Slot)) {}

std::string_view TextPool::keep(std::string_view text) {
    if (used_ * 2 >= slots_.size()) {
        grow();
    }
    const auto hash = static_cast<std::uint32_t>(quick_hash(text));
    for (auto at = hash & (slots_.size() - 1);; at = (at + 1) & (slots_.size() - 1)) {
        Slot& slot = slots_[at];
        if (slot.text == nullptr) {
            const auto kept = add(text);
            slot = {kept.data(), static_cast<std::uint32_t>(kept.size()), hash};
            ++used_;
            return kept;
        }
        if (slot.hash == hash && std::string_view(slot.text, slot.size) == text) {
            return {slot.text, slot.size};
        }
    }
}

std::string_view TextPool::add(std::string_view text) {
    const std::size_t size =
        std::max((text.size() + alignment - 1) / alignment * alignment, alignment);
    if (size > left_) {
        const std::size_t block = std::max(size, block_size);
        blocks_.push_back(std::make_unique_for_overwrite<char[]>(block));
        free_ = blocks_.back().get();
        left_ = block;
        bytes_ += block;
    }
    char* const start = free_;
    std::copy(text.begin(), text.end(), start);
    free_ += size;
    left_ -= size;
    return {start, text.size()};
}

void TextPool::grow() {
    std::vector<Slot> old(slots_.size() * 2);
    std::swap(old, slots_);
    bytes_ += old.size() * sizeof(Slot);
    for (const Slot& slot : old) {
        if (slot.text == nullptr) {
            continue;
        }
        auto at = slot.hash & (slots_.size() - 1);
        while (slots_[at].text != nullptr) {
            at = (at + 1) & (slots_.size() - 1);
        }
        slots_[at] = slot;
    }
}

namespace {

// Returns the address of a text of the pool, which identifies it.
const char* address(std::string_view text) {
    return text.data();
}

const char* address(const std::optional<std::string_view>& text) {
    return text ? text->data() : nullptr;
}

std::uint64_t bits(const void* at) {
    return std::bit_cast<std::uintptr_t>(at);
}

auto parts(const FleetFinding& row) {
    return std::tuple(address(row.id), address(row.target), address(row.expected),
                      address(row.have), address(row.code), address(row.detail), address(row.fix),
                      address(row.ticket), address(row.until), address(row.waived_why),
                      address(row.cause_id), address(row.cause_target), row.counters.data(),
                      row.level, row.outcome, row.reason, row.waived, row.counters.size());
}

auto parts(const FleetFact& row) {
    return std::tuple(address(row.id), address(row.target), address(row.value),
                      address(row.reason));
}

auto parts(const FleetReport& row) {
    return std::tuple(address(row.version), address(row.profiles), address(row.profile_digest),
                      address(row.kernel), address(row.result), address(row.only),
                      address(row.skip), address(row.scope), address(row.because),
                      address(row.beside), row.findings.data(), row.facts.data(),
                      row.findings.size(), row.facts.size(), row.exit_code, row.fault, row.strict,
                      row.deadline_reached, row.contradicts, row.lapsed, row.has_findings,
                      row.judged, row.container, row.recording, row.has_facts);
}

}  // namespace

std::uint64_t FindingTraits::hash(const FleetFinding& row) {
    std::uint64_t sum = mixed(bits(address(row.id)), bits(address(row.target)));
    sum = mixed(sum, bits(address(row.have)));
    sum = mixed(sum, bits(address(row.expected)));
    sum = mixed(sum, bits(address(row.detail)));
    sum = mixed(sum, bits(row.counters.data()));
    return mixed(sum, static_cast<std::uint64_t>(row.outcome));
}

bool FindingTraits::equal(const FleetFinding& a, const FleetFinding& b) {
    return parts(a) == parts(b);
}

std::uint64_t FactTraits::hash(const FleetFact& row) {
    return mixed(mixed(bits(address(row.id)), bits(address(row.target))), bits(address(row.value)));
}

bool FactTraits::equal(const FleetFact& a, const FleetFact& b) {
    return parts(a) == parts(b);
}

std::uint64_t ReportTraits::hash(const FleetReport& row) {
    std::uint64_t sum = mixed(bits(row.findings.data()), bits(row.facts.data()));
    sum = mixed(sum, bits(address(row.profile_digest)));
    return mixed(sum, bits(address(row.kernel)));
}

bool ReportTraits::equal(const FleetReport& a, const FleetReport& b) {
    return parts(a) == parts(b);
}

std::size_t FleetPools::bytes() const {
    return texts->bytes() + findings.bytes() + facts.bytes() + reports.bytes();
}

bool IdFilter::accepts(std::string_view id) {
    if (all()) {
        return true;
    }
    const auto known = known_.find(id.data());
    if (known != known_.end()) {
        return known->second;
    }
    return known_[id.data()] = selected(std::string(id), only_, skip_);
}

bool IdFilter::accepts_fact(std::string_view id) {
    if (all()) {
        return true;
    }
    const auto known = known_facts_.find(id.data());
    if (known != known_facts_.end()) {
        return known->second;
    }
    const bool groups = std::any_of(grouping_.begin(), grouping_.end(),
                                    [&](const std::string& each) { return glob_match(each, id); });
    return known_facts_[id.data()] = groups || accepts(id);
}

namespace {

// Returns whether a text is a date in the form of waivers. A waiver with another text would never
// end, and is not valid.
bool is_date(std::string_view text) {
    return utc_seconds(std::string(text) + "T00:00:00Z").has_value();
}

bool has_lapsed(const FleetFinding& row, std::string_view reported, std::string_view today) {
    return row.waived && (row.ticket.empty() || !is_date(row.until) ||
                          row.until < reported.substr(0, row.until.size()) || row.until < today);
}

}  // namespace

bool lapse_waivers(std::vector<FleetIndex>& findings, FleetPools& pools, std::string_view reported,
                   std::string_view today) {
    bool any = false;
    for (auto& index : findings) {
        FleetFinding row = pools.findings.rows()[index];
        if (has_lapsed(row, reported, today)) {
            row.waived = false;
            index = pools.findings.keep(row);
            any = true;
        }
    }
    return any;
}

void judge_lapsed(FleetReport& report, const FleetPools& pools) {
    const int found = exit_code_of(report.findings, pools, report.strict);
    if (is_worse(found, report.exit_code)) {
        report.exit_code = found;
        report.result = pools.texts->keep(result_of(found));
    }
}

bool is_not_as_expected(Outcome outcome) {
    return outcome == Outcome::differs || outcome == Outcome::failed || outcome == Outcome::unsafe;
}

int exit_code_of(std::span<const FleetIndex> findings, const FleetPools& pools, bool strict) {
    const Level least = strict ? Level::recommended : Level::required;
    bool unknown = false;
    for (const auto index : findings) {
        const FleetFinding& row = pools.findings.rows()[index];
        const bool counts = row.level >= least && !row.waived;
        if (counts && is_not_as_expected(row.outcome)) {
            return exit_differs;
        }
        unknown = unknown || (counts && row.outcome == Outcome::unknown);
    }
    return unknown ? exit_unknown : exit_ok;
}

std::string_view result_of(int exit_code) {
    return exit_code == exit_differs ? "differs" : exit_code == exit_unknown ? "unknown" : "ok";
}

bool is_worse(int exit_code, int other) {
    const auto rank = [](int code) { return code == exit_ok ? 0 : code == exit_unknown ? 1 : 2; };
    return rank(exit_code) > rank(other);
}

void judge_again(FleetReport& report, const FleetPools& pools) {
    report.exit_code = exit_code_of(report.findings, pools, report.strict);
    report.result = pools.texts->keep(result_of(report.exit_code));
}

// Returns the status of a result. A word of a newer rocenv is unknown; a report without a result
// states only its status, so that "" is exit_ok.
static int exit_code_of_result(std::string_view result) {
    return result == result_of(exit_differs)                ? exit_differs
           : result.empty() || result == result_of(exit_ok) ? exit_ok
                                                            : exit_unknown;
}

void hold_against_findings(FleetReport& report, const FleetPools& pools) {
    const int said = report.exit_code;
    int found = exit_code_of(report.findings, pools, report.strict);
    if (!report.strict && said != found && is_worse(said, found)) {
        // Reports of older versions do not state `strict`.
        const int strictly = exit_code_of(report.findings, pools, true);
        report.strict = strictly == said;
        found = report.strict ? strictly : found;
    }
    report.contradicts =
        said != found || (!report.result.empty() && report.result != result_of(said));
    report.exit_code = is_worse(found, said) ? found : said;
    const int stated = exit_code_of_result(report.result);
    report.exit_code = is_worse(stated, report.exit_code) ? stated : report.exit_code;
    report.result = pools.texts->keep(result_of(report.exit_code));
}

void append_sized(std::string& out, std::string_view text) {
    out += number(text.size()) + ':';
    out += text;
}

namespace {

void append_value(std::string& out, const std::optional<std::string_view>& text) {
    out += text ? "" : "-";
    append_sized(out, text.value_or(std::string_view()));
}

}  // namespace

std::string bytes_of(const FleetReport& report, const FleetPools& pools) {
    std::string out;
    for (const auto text : {report.version, report.profiles, report.profile_digest, report.kernel,
                            report.only, report.skip, report.scope, report.result}) {
        append_sized(out, text);
    }
    for (const bool flag :
         {report.container, report.strict, report.deadline_reached, report.has_facts}) {
        out += flag ? '1' : '0';
    }
    for (const auto index : report.findings) {
        const FleetFinding& row = pools.findings.rows()[index];
        for (const int word : {static_cast<int>(row.level), static_cast<int>(row.outcome),
                               static_cast<int>(row.reason)}) {
            out += number(word) + (row.waived ? "w" : " ");
        }
        for (const auto text : {row.id, row.target, row.code, row.detail, row.fix, row.ticket,
                                row.until, row.waived_why, row.cause_id, row.cause_target}) {
            append_sized(out, text);
        }
        append_value(out, row.expected);
        append_value(out, row.have);
        for (const auto& count : row.counters) {
            append_sized(out, count.name);
            out += number(count.count);
        }
    }
    for (const auto index : report.facts) {
        const FleetFact& row = pools.facts.rows()[index];
        append_sized(out, row.id);
        append_sized(out, row.target);
        append_value(out, row.value);
        append_sized(out, row.reason);
    }
    return out;
}

bool is_known_scope(std::string_view scope) {
    return scope.empty() || contains_word("node process all", scope);
}

std::string asked_for(const FleetReport& report) {
    std::string out;
    for (const auto& [option, value] : {std::pair{"--only ", report.only},
                                        {"--skip ", report.skip},
                                        {"--scope ", report.scope}}) {
        if (!value.empty()) {
            out += (out.empty() ? "" : " ") + std::string(option) + printable(value, 200);
        }
    }
    return out;
}

}  // namespace rocenv
