// SPDX-License-Identifier: MIT
// The journal's text: written records are read back, and a file that is cut or damaged anywhere
// still yields all whole records.
#include "transaction/journal/journal_grammar.h"

#include <numeric>
#include <tuple>
#include <utility>

#include "support/catch.h"
#include "util/text.h"

namespace rocenv::journal_test {

namespace {

const Key governor{"cpu.governor", "policy0"};
const Key acs{"pci.acs", "0000:00:01.1"};

Recorded governor_entry() {
    const std::string path = "/sys/devices/system/cpu/cpufreq/policy0/scaling_governor";
    return {"schedutil",
            {{{path, std::nullopt, "schedutil\n"}}, {{{path, Codec::line, 0}, "schedutil", ""}}}};
}

Recorded acs_entry() {
    const std::string path = "/sys/bus/pci/devices/0000:00:01.1/config";
    return {"0x001d",
            {{{path, 0x2a6, std::string("\x1d\0", 2)}},
             {{{path, Codec::word16, 0x2a6}, "0x001d", "tab\there"}}}};
}

Records whole_journal() {
    Transaction first;
    first.number = 1;
    first.time = "2026-11-20T00:00:00Z";
    first.user = "a user\nwith \\ and \xff";
    first.announced = 2;
    Transaction second = first;
    second.number = 2;
    second.hold = "job-17";
    second.announced = 0;
    return {begin_record(first),
            entry_record(governor, governor_entry(), second_format),
            entry_record(acs, acs_entry(), second_format),
            writing_record(),
            changed_record(governor, {"performance", {"performance"}, true}),
            changed_record(acs, {"0x0011", {"0x0011"}, false}),
            end_record(),
            begin_record(second),
            expected_record(governor, "performance"),
            writing_record(),
            end_record()};
}

constexpr std::size_t whole_lines = 13;  // with the first and the boot's

std::string text_of(const Records& records) {
    JournalText text;
    return text.add(records, "boot", second_format);
}

Records operator+(Records records, const Record& more) {
    records.push_back(more);
    return records;
}

Result<Journal> parse(const std::string& text) {
    JournalText reader;
    for (std::size_t at = 0; at < text.size(); at += 7) {
        reader.feed(std::string_view(text).substr(at, 7));
    }
    const auto error = reader.finish();
    return error ? Result<Journal>(*error) : reader.journal();
}

Journal parse(const Records& records) {
    return parse(text_of(records)).value();
}

std::string printed(const Recorded& entry) {
    return join(entry_record({"", ""}, entry, second_format), "|");
}

}  // namespace

TEST_CASE("journal: what is written is read back", "[journal]") {
    const std::string text = text_of(whole_journal());
    const auto journal = parse(text);
    REQUIRE(journal);
    CHECK(journal->boot_id == "boot");
    CHECK(journal->damage.empty());
    CHECK_FALSE(journal->torn);
    CHECK(journal->good_size == text.size());
    REQUIRE(journal->transactions.size() == 2);
    const auto& [first, second] = std::tie(journal->transactions[0], journal->transactions[1]);
    CHECK(first.user == "a user\nwith \\ and \xff");
    CHECK(first.announced == 2);
    CHECK(printed(first.entries.at(governor)) == printed(governor_entry()));
    CHECK(printed(first.entries.at(acs)) == printed(acs_entry()));
    CHECK(first.changed.at(governor).requested);
    CHECK(first.changed.at(acs).values == std::vector<std::string>{"0x0011"});
    CHECK((first.began_writing && first.ended));
    CHECK(second.expected.at(governor) == "performance");
    CHECK(journal->holders == std::vector<std::string>{"job-17"});
}

TEST_CASE("journal: settled, foreign, undone, left", "[journal]") {
    const Records whole = whole_journal();
    CHECK(parse(whole + resolved_record(acs, {1})).transactions[0].changed.size() == 1);
    CHECK(parse(whole + resolved_record(acs, {2})).transactions[0].changed.size() == 2);
    CHECK(parse(whole + foreign_record(acs, "0x1")).foreign.at(acs).shown == "0x1");
    CHECK(parse(whole + undone_record(1)).transactions.front().number == 2);
    CHECK(parse(whole + leave_record("job-17")).holders.empty());
    CHECK(parse(whole + reset_record()).reset_begun);
    CHECK_FALSE(parse(whole + reset_record() + rest_record()).reset_begun);
    CHECK(parse(whole + reset_record()).resetting == std::vector<std::size_t>{1, 2});
    CHECK(parse(whole + reset_record({2})).resetting == std::vector<std::size_t>{2});
    CHECK(parse(whole + reset_record({2}) + rest_record()).resetting.empty());
    const auto empty = parse(whole + leave_record("job-17") + undone_record(1) + undone_record(2));
    CHECK((empty.empty() && empty.begun == 2));
}

TEST_CASE("journal: cut at every byte", "[journal]") {
    const std::string whole = text_of(whole_journal());
    std::size_t lines = 0;
    for (std::size_t size = 0; size <= whole.size(); ++size) {
        const auto journal = parse(whole.substr(0, size));
        INFO(size);
        REQUIRE(journal);
        const bool at_line = size == 0 || whole[size - 1] == '\n';
        lines += at_line ? 1 : 0;
        CHECK(journal->torn == !at_line);
        CHECK(journal->damage.empty());
        CHECK((journal->good_size == 0 || whole[journal->good_size - 1] == '\n'));
        CHECK(journal->good_size <= size);
    }
    CHECK(lines == whole_lines + 1);
}

TEST_CASE("journal: a changed byte is damage, but of the last line's end, which is a torn line",
          "[journal]") {
    const std::string whole = text_of(whole_journal());
    for (std::size_t at = 0; at < whole.size(); ++at) {
        std::string text = whole;
        text[at] = text[at] == 'x' ? 'y' : 'x';
        const auto journal = parse(text);
        INFO(at);
        CHECK((!journal || journal->damage.empty() == (at + 1 == whole.size())));
    }
}

TEST_CASE("journal: a line that was removed, doubled or moved is damage", "[journal]") {
    const std::string whole = text_of(whole_journal());
    const auto lines = split(std::string_view(whole).substr(0, whole.size() - 1), '\n');
    REQUIRE(lines.size() == whole_lines);
    const auto text_with = [&](const std::vector<std::size_t>& order) {
        std::string text;
        for (const auto at : order) {
            text += std::string(lines[at]) + "\n";
        }
        return text;
    };
    std::vector<std::size_t> all(lines.size());
    std::iota(all.begin(), all.end(), 0U);
    CHECK(parse(text_with(all))->damage.empty());
    for (std::size_t at = 1; at < lines.size(); ++at) {
        INFO("line " << at + 1);
        auto removed = all;
        removed.erase(removed.begin() + static_cast<std::ptrdiff_t>(at));
        // Without its last line it is what it was before that was added.
        CHECK(parse(text_with(removed))->damage.empty() == (at + 1 == lines.size()));
        auto doubled = all;
        doubled.insert(doubled.begin() + static_cast<std::ptrdiff_t>(at), at);
        CHECK_FALSE(parse(text_with(doubled))->damage.empty());
        CHECK(salvage(text_with(doubled)).transactions.size() == 2);
        for (std::size_t other = at + 1; other < lines.size(); ++other) {
            auto swapped = all;
            std::swap(swapped[at], swapped[other]);
            CHECK_FALSE(parse(text_with(swapped))->damage.empty());
            CHECK(salvage(text_with(swapped)).transactions[0].changed.size() == 2);
        }
    }
}

TEST_CASE("journal: a line of another journal at the same position is damage", "[journal]") {
    const std::string whole = text_of(whole_journal());
    auto records = whole_journal();
    records[0] = begin_record({.number = 1, .time = "2026-11-21T00:00:00Z", .user = "another"});
    const std::string other = text_of(records);
    auto lines = split(std::string_view(whole).substr(0, whole.size() - 1), '\n');
    const auto others = split(std::string_view(other).substr(0, other.size() - 1), '\n');
    REQUIRE(lines.size() == others.size());
    constexpr std::size_t after_the_first_record = 3;
    for (std::size_t at = after_the_first_record; at + 1 < lines.size(); ++at) {
        INFO("line " << at + 1);
        REQUIRE(lines[at] != others[at]);
        const auto own = std::exchange(lines[at], others[at]);
        std::string text;
        for (const auto line : lines) {
            text += std::string(line) + "\n";
        }
        CHECK_FALSE(parse(text)->damage.empty());
        lines[at] = own;
    }
}

TEST_CASE("journal: a whole line with another serial number is damage", "[journal]") {
    const std::string whole = text_of(whole_journal());
    const auto last = whole.substr(whole.rfind('\t') + 1, whole.size() - whole.rfind('\t') - 2);
    for (const std::uint64_t serial : {whole_lines - 2, whole_lines - 1, whole_lines}) {
        Chain chain{second_format, serial, last};
        const std::string line = line_of(end_record(), chain);
        INFO(line);
        REQUIRE(parse_line(std::string_view(line).substr(0, line.size() - 1), second_format));
        CHECK(parse(whole + line)->damage.empty() == (serial == whole_lines - 1));
    }
}

TEST_CASE("journal: a stranger's file, and one of another format", "[journal]") {
    for (const auto& text : {std::string("hello\n"), std::string(5000, '\0'),
                             std::string("rocenv-journal\t2\t0000\r\n")}) {
        const auto journal = parse(text);
        REQUIRE(journal);
        CHECK(journal->damage == std::vector<std::string>{"line 1 is damaged"});
    }
    CHECK(parse("rocenv-journal\t3\tffffffff\n").is(ErrorKind::bad_input));
    CHECK(parse(std::string())->empty());
}

}  // namespace rocenv::journal_test
