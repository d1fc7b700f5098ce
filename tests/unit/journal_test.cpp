// SPDX-License-Identifier: MIT
// The journal's text: what is written is read back, and a file cut or damaged anywhere still tells
// everything that is whole in it.
#include "core/journal.h"

#include <tuple>

#include "support/catch.h"

namespace rocenv {

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

std::string whole_journal() {
    Transaction first;
    first.number = 1;
    first.time = "2026-11-20T00:00:00Z";
    first.user = "a user\nwith \\ and \xff";
    first.announced = 2;
    Transaction second = first;
    second.number = 2;
    second.hold = "job-17";
    second.announced = 0;
    return head_record("boot") + begin_record(first) + entry_record(governor, governor_entry()) +
           entry_record(acs, acs_entry()) + writing_record() +
           changed_record(governor, {"performance", {"performance"}, true}) +
           changed_record(acs, {"0x0011", {"0x0011"}, false}) + end_record() +
           begin_record(second) + wanted_record(governor, "performance") + writing_record() +
           end_record();
}

std::string told(const Recorded& entry) {
    return entry_record({"", ""}, entry);
}

}  // namespace

TEST_CASE("journal: what is written is read back", "[journal]") {
    const auto journal = parse_journal(whole_journal());
    REQUIRE(journal);
    CHECK(journal->boot_id == "boot");
    CHECK_FALSE(journal->cut);
    CHECK(journal->good_size == whole_journal().size());
    REQUIRE(journal->transactions.size() == 2);
    const auto& [first, second] = std::tie(journal->transactions[0], journal->transactions[1]);
    CHECK(first.user == "a user\nwith \\ and \xff");
    CHECK(first.announced == 2);
    CHECK(told(first.entries.at(governor)) == told(governor_entry()));
    CHECK(told(first.entries.at(acs)) == told(acs_entry()));
    CHECK(first.changed.at(governor).wanted);
    CHECK(first.changed.at(acs).values == std::vector<std::string>{"0x0011"});
    CHECK((first.began_writing && first.ended));
    CHECK(told(second.entries.at(acs)) == told(acs_entry()));  // from the first
    CHECK(second.wanted.at(governor) == "performance");
    CHECK(journal->holders == std::vector<std::string>{"job-17"});
}

TEST_CASE("journal: settled, foreign, undone, left", "[journal]") {
    const std::string whole = whole_journal();
    CHECK(parse_journal(whole + settled_record(acs, {1}))->transactions[0].changed.size() == 1);
    CHECK(parse_journal(whole + settled_record(acs, {2}))->transactions[0].changed.size() == 2);
    CHECK(parse_journal(whole + foreign_record(acs, "0x1"))->foreign.at(acs).shown == "0x1");
    CHECK(parse_journal(whole + undone_record(1))->transactions.front().number == 2);
    CHECK(parse_journal(whole + leave_record("job-17"))->holders.empty());
    CHECK(parse_journal(whole + reset_record())->reset_begun);
    CHECK_FALSE(parse_journal(whole + reset_record() + rest_record())->reset_begun);
    CHECK(parse_journal(whole + reset_record())->resetting == std::vector<std::size_t>{1, 2});
    CHECK(parse_journal(whole + reset_record({2}))->resetting == std::vector<std::size_t>{2});
    CHECK(parse_journal(whole + reset_record({2}) + rest_record())->resetting.empty());
    const auto empty =
        parse_journal(whole + leave_record("job-17") + undone_record(1) + undone_record(2));
    CHECK((empty->empty() && empty->begun == 2));
}

TEST_CASE("journal: cut at every byte", "[journal]") {
    const std::string whole = whole_journal();
    std::size_t lines = 0;
    for (std::size_t size = 0; size <= whole.size(); ++size) {
        const auto journal = parse_journal(whole.substr(0, size));
        INFO(size);
        REQUIRE(journal);
        const bool at_line = size == 0 || whole[size - 1] == '\n';
        lines += at_line ? 1 : 0;
        CHECK(journal->cut == !at_line);
        CHECK((journal->good_size == 0 || whole[journal->good_size - 1] == '\n'));
        CHECK(journal->good_size <= size);
    }
    CHECK(lines == 14);
}

TEST_CASE("journal: every byte damaged in turn", "[journal]") {
    const std::string whole = whole_journal();
    for (std::size_t at = 0; at < whole.size(); ++at) {
        std::string text = whole;
        text[at] = text[at] == 'x' ? 'y' : 'x';
        const auto journal = parse_journal(text);
        INFO(at);
        CHECK((!journal || (journal->cut && journal->good_size <= at)));
    }
}

TEST_CASE("journal: a stranger's file, and one of another format", "[journal]") {
    CHECK(parse_journal("hello\n").is(ErrorKind::garbled));
    CHECK(parse_journal(std::string(5000, '\0')).is(ErrorKind::garbled));
    CHECK(parse_journal("rocenv-journal\t2\tffffffff\n").is(ErrorKind::bad_input));
    CHECK(parse_journal("")->empty());
}

}  // namespace rocenv
