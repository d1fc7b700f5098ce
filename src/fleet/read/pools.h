// SPDX-License-Identifier: MIT
// Pools that keep repeated parts of reports once: texts, lists and rows, and all data that the
// reports of a fleet hold.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <type_traits>
#include <unordered_map>
#include <vector>

#include "fleet/fleet.h"
#include "rocenv/report.h"

namespace rocenv {

// Pools of texts, lists and rows. They only grow.

// Returns 64 bits that distinguish texts, computed eight bytes at a time.
std::uint64_t quick_hash(std::string_view text);

// Returns a hash sum with one more value.
constexpr std::uint64_t mixed(std::uint64_t sum, std::uint64_t next) {
    sum = (sum ^ next) * 0x9e3779b97f4a7c15U;
    return sum ^ (sum >> 29);
}

// Distinct texts.
class TextPool {
   public:
    TextPool();

    // Returns a view of an equal text that lives as long as the pool. Equal texts have equal
    // data().
    std::string_view keep(std::string_view text);

    // Returns a view of an equal list of plain values. Lists with equal bytes have equal data().
    template <class Each>
    std::span<const Each> keep_list(std::span<const Each> list) {
        static_assert(std::is_trivially_copyable_v<Each> && alignof(Each) <= alignment);
        const void* bytes = list.data();
        const auto kept = keep({static_cast<const char*>(bytes), list.size_bytes()});
        const void* start = kept.data();
        return {static_cast<const Each*>(start), list.size()};
    }

    // Returns the memory that the pool occupies.
    std::size_t bytes() const { return bytes_; }
    // Returns the number of kept texts. keep() added a new text if the number grew.
    std::size_t count() const { return used_; }

   private:
    static constexpr std::size_t alignment = 8;
    struct Slot {
        const char* text = nullptr;
        std::uint32_t size = 0;
        std::uint32_t hash = 0;
    };
    std::string_view add(std::string_view text);
    void grow();

    std::vector<std::unique_ptr<char[]>> blocks_;
    char* free_ = nullptr;
    std::size_t left_ = 0;
    std::vector<Slot> slots_;
    std::size_t used_ = 0;
    std::size_t bytes_ = 0;
};

// Distinct rows in the order of their arrival. `Traits::hash(row)` and `Traits::equal(a, b)` may
// compare texts of one pool by their addresses.
template <class Row, class Traits>
class RowPool {
   public:
    // Returns the index of a row. Adds the row if no equal one is kept.
    std::uint32_t keep(const Row& row) {
        if (rows_.size() * 2 >= slots_.size()) {
            grow();
        }
        for (auto at = Traits::hash(row) & (slots_.size() - 1);;
             at = (at + 1) & (slots_.size() - 1)) {
            if (slots_[at] == 0) {
                rows_.push_back(row);
                slots_[at] = static_cast<std::uint32_t>(rows_.size());
                return slots_[at] - 1;
            }
            if (Traits::equal(rows_[slots_[at] - 1], row)) {
                return slots_[at] - 1;
            }
        }
    }
    // Returns the index of an equal row, or std::nullopt if there is none.
    std::optional<std::uint32_t> find(const Row& row) const {
        if (slots_.empty()) {
            return std::nullopt;
        }
        auto at = Traits::hash(row) & (slots_.size() - 1);
        while (slots_[at] != 0 && !Traits::equal(rows_[slots_[at] - 1], row)) {
            at = (at + 1) & (slots_.size() - 1);
        }
        return slots_[at] == 0 ? std::nullopt : std::optional(slots_[at] - 1);
    }
    const std::vector<Row>& rows() const { return rows_; }
    // Returns the rows. The pool must not be used afterwards.
    std::vector<Row> take_rows() { return std::move(rows_); }
    // Returns the allocated memory in bytes.
    std::size_t bytes() const {
        return rows_.capacity() * sizeof(Row) + slots_.size() * sizeof(std::uint32_t);
    }

   private:
    void grow() {
        slots_.assign(slots_.empty() ? 256 : slots_.size() * 2, 0);
        for (std::size_t row = 0; row < rows_.size(); ++row) {
            auto at = Traits::hash(rows_[row]) & (slots_.size() - 1);
            while (slots_[at] != 0) {
                at = (at + 1) & (slots_.size() - 1);
            }
            slots_[at] = static_cast<std::uint32_t>(row + 1);
        }
    }
    std::vector<Row> rows_;
    std::vector<std::uint32_t> slots_;  // the row's index plus 1; 0: free
};

// The repeated data of the reports of a fleet, each kept once.

// Traits of rows whose texts are all of one pool, so that equal texts have equal addresses.
struct FindingTraits {
    // Returns a hash of the texts' addresses.
    static std::uint64_t hash(const FleetFinding& row);
    // Returns whether all members are equal.
    static bool equal(const FleetFinding& a, const FleetFinding& b);
};
struct FactTraits {
    // Returns a hash of the texts' addresses.
    static std::uint64_t hash(const FleetFact& row);
    // Returns whether all members are equal.
    static bool equal(const FleetFact& a, const FleetFact& b);
};
struct ReportTraits {
    // Returns a hash of findings, facts, profile and kernel.
    static std::uint64_t hash(const FleetReport& row);
    // Returns whether all members are equal.
    static bool equal(const FleetReport& a, const FleetReport& b);
};

// The pools of one fleet.
struct FleetPools {
    std::shared_ptr<TextPool> texts = std::make_shared<TextPool>();
    RowPool<FleetFinding, FindingTraits> findings;
    RowPool<FleetFact, FactTraits> facts;
    RowPool<FleetReport, ReportTraits> reports;
    // Texts of a setting, by address of the id. `at` is the time of the report with these texts.
    struct ReportedSetting {
        FleetSetting setting;
        std::string_view at;
    };
    std::unordered_map<const char*, ReportedSetting> settings;

    // Returns the text of the pool that is equal to `text`; adds it if there is none.
    std::string_view keep(std::string_view text) { return texts->keep(text); }
    // Returns the allocated memory of all pools in bytes.
    std::size_t bytes() const;
};

// Filter of ids. The answer for each id is computed once.
class IdFilter {
   public:
    // `only`, `skip` and `grouping` are ids or globs. Facts of `grouping` are kept in any case.
    IdFilter(std::vector<std::string> only, std::vector<std::string> skip,
             std::vector<std::string> grouping = {})
        : only_(std::move(only)), skip_(std::move(skip)), grouping_(std::move(grouping)) {}
    // Returns whether every id is accepted.
    bool all() const { return only_.empty() && skip_.empty(); }
    // Returns whether findings or facts of an id of the pool count: it matches one of `only`, if
    // any, and none of `skip`.
    bool accepts(std::string_view id);
    // Returns the same for facts; facts of `grouping` are accepted in any case.
    bool accepts_fact(std::string_view id);

   private:
    std::vector<std::string> only_;
    std::vector<std::string> skip_;
    std::vector<std::string> grouping_;
    std::unordered_map<const char*, bool> known_;
    std::unordered_map<const char*, bool> known_facts_;
};

// The parts of a report that belong to one node, and the index of the equal reports' content.
struct ReadReport {
    std::string_view node;
    std::string_view time;
    std::string_view boot_id;
    FleetIndex report = 0;
};

// Returns the options --only, --skip and --scope of a report's check, printable: "--only gpu.*
// --scope node". Empty if it has none.
std::string asked_for(const FleetReport& report);

// Returns whether this version knows a report's scope: "node", "process", "all", or "" for none.
bool is_known_scope(std::string_view scope);

// Appends the length of a text and the text: "3:abc".
void append_sized(std::string& out, std::string_view text);

// Returns the content of a report as bytes that do not depend on what was read before. They order
// reports that are equal otherwise.
std::string bytes_of(const FleetReport& report, const FleetPools& pools);

// Cancels waivers that ended before one of these dates, and those without a ticket or a valid end.
// Cancelled ones get the index of a finding without waiver. Returns whether there was one. An empty
// `today` is ignored.
bool lapse_waivers(std::vector<FleetIndex>& findings, FleetPools& pools, std::string_view reported,
                   std::string_view today);

// Sets status and result of a report with cancelled waivers: the worse of its own and those of its
// findings.
void judge_lapsed(FleetReport& report, const FleetPools& pools);

// Returns whether an outcome that counts makes a check end with 1: differs, failed or unsafe.
bool is_not_as_expected(Outcome outcome);

// Returns the exit status of a check with these findings: 1, 3 or 0. Required ones without a waiver
// count, with `strict` also recommended ones.
int exit_code_of(std::span<const FleetIndex> findings, const FleetPools& pools, bool strict);

// Returns whether the first exit status of a check is worse: 1 is worse than 3, 3 than 0.
bool is_worse(int exit_code, int other);

// Returns the result of a check with this status: "ok", "differs", "unknown".
std::string_view result_of(int exit_code);

// Sets result and status to those of the findings. For reports from which findings were removed.
void judge_again(FleetReport& report, const FleetPools& pools);

// Sets result and status to the worse of the report's own and those of its findings, and
// `contradicts` if they differ. Sets `strict` if that explains a worse status of the report.
void hold_against_findings(FleetReport& report, const FleetPools& pools);

}  // namespace rocenv
