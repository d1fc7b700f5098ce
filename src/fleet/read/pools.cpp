// SPDX-License-Identifier: MIT
#include "fleet/read/pools.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "fleet/read/report_time.h"
#include "profile/request.h"
#include "util/exit_status.h"
#include "util/text.h"

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
    char* const place = free_;
    std::copy(text.begin(), text.end(), place);
    free_ += size;
    left_ -= size;
    return {place, text.size()};
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

// A text of the pool by its place.
const char* place(std::string_view text) {
    return text.data();
}

const char* place(const std::optional<std::string_view>& text) {
    return text ? text->data() : nullptr;
}

std::uint64_t bits(const void* at) {
    return std::bit_cast<std::uintptr_t>(at);
}

auto parts(const FleetFinding& row) {
    return std::tuple(place(row.id), place(row.target), place(row.want), place(row.have),
                      place(row.code), place(row.detail), place(row.fix), place(row.ticket),
                      place(row.until), place(row.waived_why), place(row.cause_id),
                      place(row.cause_target), row.counters.data(), row.level, row.outcome,
                      row.reason, row.waived, row.counters.size());
}

auto parts(const FleetFact& row) {
    return std::tuple(place(row.id), place(row.target), place(row.value), place(row.reason));
}

auto parts(const FleetReport& row) {
    return std::tuple(place(row.version), place(row.profiles), place(row.profile_digest),
                      place(row.kernel), place(row.result), place(row.only), place(row.skip),
                      place(row.scope), place(row.because), row.findings.data(), row.facts.data(),
                      row.findings.size(), row.facts.size(), row.exit_code, row.strict,
                      row.contradicts, row.lapsed, row.judged, row.container, row.recording,
                      row.has_facts);
}

std::string_view kept(const std::string& text, FleetPools& pools) {
    return pools.keep(text);
}

std::optional<std::string_view> kept(const std::optional<std::string>& text, FleetPools& pools) {
    return text ? std::optional(pools.keep(*text)) : std::nullopt;
}

std::span<const FleetCount> kept(const Counters& counters, FleetPools& pools) {
    std::vector<FleetCount> counts;
    for (const auto& [name, count] : counters) {
        if (count > 0) {
            counts.push_back({pools.keep(name), count});
        }
    }
    return pools.texts->keep_list<FleetCount>(counts);
}

FleetFinding kept(const Finding& finding, FleetPools& pools) {
    FleetFinding out;
    out.id = kept(finding.id, pools);
    out.target = kept(finding.target, pools);
    out.level = finding.level;
    out.outcome = finding.outcome;
    out.reason = finding.outcome == Outcome::unknown ? finding.reason : Reason::error;
    out.want = kept(finding.want, pools);
    out.have = kept(finding.have, pools);
    out.code = pools.keep("");  // known from `have`
    out.detail = kept(finding.detail, pools);
    out.fix = kept(finding.fix, pools);
    const Waived waived = finding.waived.value_or(Waived());
    out.waived = finding.waived.has_value();
    out.ticket = kept(waived.ticket, pools);
    out.until = kept(waived.until, pools);
    out.waived_why = kept(waived.why, pools);
    const Cause cause = finding.cause.value_or(Cause());
    out.cause_id = kept(cause.id, pools);
    out.cause_target = kept(cause.target, pools);
    out.counters = kept(finding.counters, pools);
    return out;
}

std::vector<FleetIndex> kept_findings(const Report& report, FleetPools& pools, IdFilter& filter) {
    std::vector<FleetIndex> out;
    for (const auto& finding : report.findings) {
        if (filter.takes(pools.keep(finding.id))) {
            out.push_back(pools.findings.keep(kept(finding, pools)));
        }
    }
    return out;
}

std::vector<FleetIndex> kept_facts(const FactSheet& sheet, FleetPools& pools, IdFilter& filter) {
    std::vector<FleetIndex> out;
    for (const auto& fact : sheet.facts) {
        const auto id = pools.keep(fact.id);
        if (filter.takes_fact(id)) {
            const auto reason = fact.value ? std::string_view() : word_of(fact.reason);
            out.push_back(pools.facts.keep(
                {id, pools.keep(fact.target), kept(fact.value, pools), pools.keep(reason)}));
        }
    }
    return out;
}

}  // namespace

std::uint64_t FindingTraits::hash(const FleetFinding& row) {
    std::uint64_t sum = mixed(bits(place(row.id)), bits(place(row.target)));
    sum = mixed(sum, bits(place(row.have)));
    sum = mixed(sum, bits(place(row.want)));
    sum = mixed(sum, bits(place(row.detail)));
    sum = mixed(sum, bits(row.counters.data()));
    return mixed(sum, static_cast<std::uint64_t>(row.outcome));
}

bool FindingTraits::equal(const FleetFinding& a, const FleetFinding& b) {
    return parts(a) == parts(b);
}

std::uint64_t FactTraits::hash(const FleetFact& row) {
    return mixed(mixed(bits(place(row.id)), bits(place(row.target))), bits(place(row.value)));
}

bool FactTraits::equal(const FleetFact& a, const FleetFact& b) {
    return parts(a) == parts(b);
}

std::uint64_t ReportTraits::hash(const FleetReport& row) {
    std::uint64_t sum = mixed(bits(row.findings.data()), bits(row.facts.data()));
    sum = mixed(sum, bits(place(row.profile_digest)));
    return mixed(sum, bits(place(row.kernel)));
}

bool ReportTraits::equal(const FleetReport& a, const FleetReport& b) {
    return parts(a) == parts(b);
}

std::size_t FleetPools::bytes() const {
    return texts->bytes() + findings.bytes() + facts.bytes() + reports.bytes();
}

bool IdFilter::takes(std::string_view id) {
    if (all()) {
        return true;
    }
    const auto known = known_.find(id.data());
    if (known != known_.end()) {
        return known->second;
    }
    return known_[id.data()] = selected(std::string(id), only_, skip_);
}

bool IdFilter::takes_fact(std::string_view id) {
    if (all()) {
        return true;
    }
    const auto known = known_facts_.find(id.data());
    if (known != known_facts_.end()) {
        return known->second;
    }
    const bool groups = std::any_of(grouping_.begin(), grouping_.end(),
                                    [&](const std::string& each) { return glob_match(each, id); });
    return known_facts_[id.data()] = groups || takes(id);
}

namespace {

// A date as waivers have it; what has another form never ends, and so is none.
bool is_date(std::string_view text) {
    return seconds_of_time(std::string(text) + "T00:00:00Z").has_value();
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

bool is_not_as_wanted(Outcome outcome) {
    return outcome == Outcome::differs || outcome == Outcome::failed || outcome == Outcome::unsafe;
}

int exit_code_of(std::span<const FleetIndex> findings, const FleetPools& pools, bool strict) {
    const Level least = strict ? Level::recommended : Level::required;
    bool unknown = false;
    for (const auto index : findings) {
        const FleetFinding& row = pools.findings.rows()[index];
        const bool counts = row.level >= least && !row.waived;
        if (counts && is_not_as_wanted(row.outcome)) {
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

void hold_against_findings(FleetReport& report, const FleetPools& pools) {
    const int said = report.exit_code;
    int found = exit_code_of(report.findings, pools, report.strict);
    if (!report.strict && said != found && is_worse(said, found)) {
        // Reports of older versions do not say that they are strict.
        const int strictly = exit_code_of(report.findings, pools, true);
        report.strict = strictly == said;
        found = report.strict ? strictly : found;
    }
    report.contradicts =
        said != found || (!report.result.empty() && report.result != result_of(said));
    report.exit_code = is_worse(found, said) ? found : said;
    for (const int code : {exit_unknown, exit_differs}) {
        if (report.result == result_of(code) && is_worse(code, report.exit_code)) {
            report.exit_code = code;
        }
    }
    report.result = pools.texts->keep(result_of(report.exit_code));
}

ReadReport kept_report(const Report& report, FleetPools& pools, IdFilter& filter,
                       std::string_view today) {
    FleetReport row;
    row.version = pools.keep(ROCENV_VERSION);
    row.profiles = pools.keep(join(report.profiles, " + "));
    row.profile_digest = pools.keep(report.profile_digest);
    row.kernel = pools.keep(report.node.kernel);
    row.result = pools.keep(report.result);
    row.exit_code = report.exit_code;
    row.only = row.skip = row.scope = row.because = pools.keep("");
    row.strict = report.strict == Strict::yes;
    row.container = report.node.container;
    row.recording = true;
    row.has_facts = report.facts.has_value();
    row.judged = !report.findings.empty();
    auto findings = kept_findings(report, pools, filter);
    row.lapsed = lapse_waivers(findings, pools, report.time, today);
    row.findings = pools.texts->keep_list<FleetIndex>(findings);
    if (report.facts) {
        row.facts = pools.texts->keep_list<FleetIndex>(kept_facts(*report.facts, pools, filter));
    }
    const auto time = pools.keep(report.time);
    for (const auto& [id, note] : report.settings) {
        const auto place = pools.keep(id);
        pools.settings[place.data()] = {
            {place, pools.keep(note.why), pools.keep(note.source), pools.keep(note.persist)}, time};
    }
    if (!filter.all()) {
        judge_again(row, pools);
    } else if (row.lapsed) {
        judge_lapsed(row, pools);
    }
    return {pools.keep(report.node.hostname), time, pools.keep(report.node.boot_id),
            pools.reports.keep(row)};
}

}  // namespace rocenv
