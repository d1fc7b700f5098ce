// SPDX-License-Identifier: MIT
#include "transaction/journal/record_rules.h"

#include <algorithm>

#include "support/catch.h"

namespace record_rules_test {

namespace {

using namespace rocenv;

const std::string governor = "/sys/devices/system/cpu/cpufreq/policy0/scaling_governor";
const std::string gpu = "/sys/bus/pci/devices/0000:05:00.0/";
const std::string level = gpu + "power_dpm_force_performance_level";
const std::string clocks = gpu + "pp_od_clk_voltage";
const std::string config = gpu + "config";
const std::string idle = "/sys/devices/system/cpu/cpu3/cpuidle/state2/disable";
const std::string thp = "/sys/kernel/mm/transparent_hugepage/enabled";
const std::string numa = "/proc/sys/kernel/numa_balancing";
const std::string policies = gpu + "pm_policy/soc_pstate";
const std::string control{'\x1d', '\0'};

Change text(const std::string& path, const std::string& bytes, Codec codec = Codec::line) {
    return {{{path, std::nullopt, bytes}}, {{{path, codec}, "any", ""}}};
}

Change word(const std::string& path, std::uint64_t offset, const std::string& bytes) {
    return {{{path, offset, bytes}}, {{{path, Codec::word16, offset}, "0x001d", ""}}};
}

// A table's command, proven by the level's word.
Change table(const std::string& bytes) {
    return {{{clocks, std::nullopt, bytes}}, {{{level}, "auto", ""}}};
}

Change without_writes(Change change) {
    change.writes.clear();
    return change;
}

Change without_states(Change change) {
    change.states.clear();
    return change;
}

Change read_at(Change change, std::uint64_t offset) {
    change.states.front().attribute.offset = offset;
    return change;
}

Change both(Change first, const Change& second) {
    first.writes.push_back(second.writes.front());
    first.states.push_back(second.states.front());
    return first;
}

struct Record {
    std::string id;
    std::string target;
    Change back;
    std::string why{};  // a part of the error
};

std::string printed(const Key& key, const Change& back) {
    std::string out = key.id + " " + key.target;
    for (const auto& write : back.writes) {
        out += "\n" + write_text(write);
    }
    return out;
}

// One that passes whole must pass without its target, and so on.
void check_taken(const Key& key, const Change& back, std::span<const Retired> retired = {}) {
    INFO(printed(key, back));
    const auto error = refused_record(key, back, retired);
    CHECK((error ? error->text : "") == "");
    CHECK_FALSE(refused_record(key.id, back, retired));
}

bool is_plain_text(std::string_view text) {
    return std::all_of(text.begin(), text.end(), [](unsigned char byte) { return byte >= 0x20; });
}

void check_error(const Error& error, const Record& record) {
    CHECK(error.kind == ErrorKind::bad_input);
    CHECK(error.text.starts_with("the journal's record of "));
    CHECK(error.text.find(record.why) != std::string::npos);
    CHECK(is_plain_text(error.text));
    CHECK(is_plain_text(error.path));
    CHECK(error.text.size() < 600);
}

// Checks that a record is refused by its bytes and paths alone, for any target.
void check_refused(const Record& record) {
    INFO(printed({record.id, record.target}, record.back));
    const auto error = refused_record(record.id, record.back);
    REQUIRE(error);
    INFO(error->text);
    check_error(*error, record);
    CHECK(refused_record(Key{record.id, record.target}, record.back));
}

const std::string never_writes = "which that setting never writes";
const std::string never_does = "which that setting never does";

std::vector<Record> strange_paths() {
    const auto governor_at = [](const std::string& path) {
        return Record{"cpu.governor", "policy0", text(path, "performance\n"), "never"};
    };
    const std::string folder = "/sys/devices/system/cpu/cpufreq/";
    return {
        governor_at("/etc/passwd"),
        governor_at("/proc/sysrq-trigger"),
        governor_at("/proc/sys/kernel/core_pattern"),
        governor_at(""),
        governor_at("/"),
        governor_at(folder + "policy0/scaling_setspeed"),
        governor_at(folder + "policy0/scaling_governor/"),
        governor_at(folder + "policy0/scaling_governor.d"),
        governor_at(folder + "policy0//scaling_governor"),
        governor_at("/" + governor),
        governor_at(governor.substr(1)),
        governor_at(folder + "policy0/../policy0/scaling_governor"),
        governor_at(folder + "../../../../../etc/policy0/scaling_governor"),
        governor_at("/sys/../etc/cron.d/policy0/scaling_governor"),
        governor_at(folder + "policy/scaling_governor"),
        governor_at(folder + "policy-1/scaling_governor"),
        governor_at(folder + "policy00/scaling_governor"),
        governor_at(folder + "policy4294967296/scaling_governor"),
        governor_at(folder + "policy0x1/scaling_governor"),
        governor_at(folder + "policy0\n/scaling_governor"),
        governor_at(governor + "\n"),
        governor_at(governor + std::string(1, '\0')),
        governor_at(governor + std::string("\0/x", 3)),
        governor_at("/SYS" + governor.substr(4)),
        governor_at("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor"),
        governor_at("/mnt" + governor),
        governor_at("/etc/\x1b[2J\x07"),
        governor_at(folder + std::string(5000, 'a')),
        {"gpu.determinism", "0000:05:00.0", text(gpu + "remove", "auto"), never_does},
        {"gpu.determinism", "0000:05:00.0", text(gpu + "../0000:06:00.0/rom", "auto"), never_does},
        {"gpu.determinism", "..",
         text("/sys/bus/pci/devices/../power_dpm_force_performance_level", "auto"), never_does},
        {"gpu.determinism", "05:00.0",
         text("/sys/bus/pci/devices/05:00.0/power_dpm_force_performance_level", "auto"),
         never_does},
        {"gpu.soc_pstate", "0000:05:00.0", text(gpu + "pm_policy/xgmi_plpd", "0\n", Codec::starred),
         never_does},
        {"pci.acs", "0000:05:00.0", word(gpu + "resource0", 0x106, control), never_does},
        {"pci.acs", "0000:05:00.0", word(gpu + "reset", 0x106, control), never_does},
        {"cpu.idle", "cpu3/C2", text("/sys/devices/system/cpu/cpu3/online", "0\n"), never_does},
        {"cpu.boost", "system", text("/sys/devices/system/cpu/intel_pstate/status", "0\n"),
         never_does},
        {"kernel.thp", "system",
         text("/sys/kernel/mm/transparent_hugepage/defrag", "never\n", Codec::choice), never_does},
    };
}

std::vector<Record> strange_bytes() {
    const auto governor_is = [](const std::string& bytes) {
        return Record{"cpu.governor", "policy0", text(governor, bytes), never_does};
    };
    const auto numa_is = [](const std::string& bytes) {
        return Record{"kernel.numa_balancing", "system", text(numa, bytes), never_does};
    };
    const auto table_is = [](const std::string& bytes) {
        return Record{"gpu.determinism", "0000:05:00.0", table(bytes), never_does};
    };
    return {
        governor_is(""),
        governor_is("\n"),
        governor_is("performance\n\n"),
        governor_is("performance\r\n"),
        governor_is("performance powersave"),
        governor_is(" performance"),
        governor_is("performance\npowersave"),
        governor_is(std::string("performance\0", 12)),
        governor_is(std::string("\0performance", 12)),
        governor_is("../../evil"),
        governor_is("Performance"),
        governor_is("a_name_too_long_"),
        governor_is(std::string(100000, 'a')),
        governor_is("\x1b[2J"),
        governor_is("\xff\xfe"),
        numa_is("5\n"),
        numa_is("-1\n"),
        numa_is("+1\n"),
        numa_is("01\n"),
        numa_is("0x1\n"),
        numa_is("1 0\n"),
        numa_is("18446744073709551617\n"),
        table_is("r\n"),
        table_is("c 1\n"),
        table_is("C\n"),
        table_is("s 1\n"),
        table_is("s 1 \n"),
        table_is("s 2 1900\n"),
        table_is("s 1 -1\n"),
        table_is("s 1 65536\n"),
        table_is("s  1 1900\n"),
        table_is("s 1 1900\nc\n"),
        table_is("vc 1 1900 900\n"),
        table_is("m 0 900\n"),
    };
}

std::vector<Record> strange_words() {
    return {
        {"gpu.determinism", "0000:05:00.0", text(level, "unknown"), never_does},
        {"gpu.determinism", "0000:05:00.0", text(level, "profile_exit"), never_does},
        {"gpu.determinism", "0000:05:00.0", text(level, "auto manual"), never_does},
        {"gpu.soc_pstate", "0000:05:00.0", text(policies, "5\n", Codec::starred), never_does},
        {"kernel.thp", "system", text(thp, "[always]\n", Codec::choice), never_does},
        {"kernel.thp", "system", text(thp, "always|never\n", Codec::choice), never_does},
        {"kernel.thp", "system", text(thp, "<0-1>\n", Codec::choice), never_does},
        {"kernel.nmi_watchdog", "system", text("/proc/sys/kernel/nmi_watchdog", "2\n"), never_does},
        {"kernel.compaction_proactiveness", "system",
         text("/proc/sys/vm/compaction_proactiveness", "101\n"), never_does},
        {"cpu.boost", "system", text("/sys/devices/system/cpu/cpufreq/boost", "true\n"),
         never_does},
        {"cpu.idle", "cpu3/C2", text(idle, "yes\n"), never_does},
        {"cpu.idle", "cpu3/C2", text(idle, "18446744073709551616\n"), never_does},
        {"cpu.energy_preference", "policy0",
         text("/sys/devices/system/cpu/cpufreq/policy0/energy_performance_preference", "256\n"),
         never_does},
    };
}

std::vector<Record> strange_offsets() {
    const auto acs = [](std::uint64_t offset, const std::string& bytes) {
        return Record{"pci.acs", "0000:05:00.0", word(config, offset, bytes), never_does};
    };
    Change whole = word(config, 0x106, control);
    whole.writes.front().offset.reset();
    Change shifted = word(config, 0x106, control);
    shifted.states.front().attribute.offset = 0x04;
    Change at_zero = text(governor, "performance\n");
    at_zero.writes.front().offset = 0;
    return {
        acs(0x04, control),  // the command register
        acs(0x10, control),  // a base address
        acs(0xfe, control),
        acs(0x100, control),
        acs(0x102, control),
        acs(0x105, control),
        acs(0x107, control),
        acs(0x108, control),
        acs(0xfff, control),
        acs(0x1002, control),
        acs(UINT64_MAX, control),
        acs(0x106, ""),
        acs(0x106, control.substr(0, 1)),
        acs(0x106, control + control),
        acs(0x106, control + "\n"),
        acs(0x106, "\xff\xff"),
        {"pci.acs", "0000:05:00.0", whole, never_does},
        {"pci.acs", "0000:05:00.0", shifted, never_does},
        {"cpu.governor", "policy0", at_zero, never_does},
        {"cpu.governor", "policy0", read_at(text(governor, "performance\n"), 4), never_does},
        {"cpu.governor", "policy0", text(governor, "performance\n", Codec::choice), never_does},
        {"cpu.governor", "policy0", text(governor, "performance\n", Codec::word16), never_does},
        {"gpu.determinism", "0000:05:00.0", text(clocks, "c\n", Codec::line), never_does},
    };
}

std::vector<Record> strange_records() {
    const Change good = text(governor, "performance\n");
    const std::string stranger = "/etc/shadow";
    Change reads = good;
    reads.states.push_back({{stranger}, "", ""});
    return {
        {"kernel.thp", "system", good, never_does},
        {"cpu.energy_preference", "policy0", good, never_does},
        {"gpu.count", "system", good, "of a setting that is never written"},
        {"env.PATH", "process", good, "of a setting that is never written"},
        {"env.", "process", good, "of a setting that this program does not know"},
        {"", "", good, "of a setting that this program does not know"},
        {"cpu.governor.", "policy0", good, "this program does not know"},
        {"CPU.GOVERNOR", "policy0", good, "this program does not know"},
        {"gpu.fan_speed", "0000:05:00.0", good, "this program does not know"},
        {"\x1b[31m", "policy0", good, "this program does not know"},
        {"cpu.governor", "policy0", {}, "writes nothing"},
        {"cpu.governor", "policy0", without_writes(good), "writes nothing"},
        {"cpu.governor", "policy0", without_states(good), "proves nothing"},
        {"cpu.governor", "policy0", both(good, text(stranger, "performance\n")), stranger},
        {"cpu.governor", "policy0", both(good, text(thp, "never\n", Codec::choice)), thp},
        {"cpu.governor", "policy0", both(good, text(governor, "a b\n")), "\"a b"},
        {"cpu.governor", "policy0", reads, "reads /etc/shadow as line"},
    };
}

}  // namespace

TEST_CASE("record rules: what only some machines need passes", "[rules]") {
    check_taken({"cpu.governor", "policy4294967295"},
                text("/sys/devices/system/cpu/cpufreq/policy4294967295/scaling_governor",
                     "some_governor-1"));
    check_taken({"cpu.boost", "system"},
                text("/sys/devices/system/cpu/intel_pstate/no_turbo", "1\n"));
    check_taken({"cpu.boost", "policy7"},
                text("/sys/devices/system/cpu/cpufreq/policy7/boost", "0\n"));
    check_taken(
        {"cpu.energy_preference", "policy0"},
        text("/sys/devices/system/cpu/cpufreq/policy0/energy_performance_preference", "255\n"));
    check_taken({"cpu.idle", "cpu3/C2"}, text(idle, "18446744073709551615\n"));
    check_taken({"pci.acs", "10000:e1:00.0"},
                word("/sys/bus/pci/devices/10000:e1:00.0/config", 0xffe, control));
    check_taken({"pci.acs", "0000:05:00.0"}, word(config, 0x106, "\n\n"));
    for (const char* command : {"s 0 0\n", "s 1 1900\n", "m 1 65535\n", "c\n", "c"}) {
        check_taken({"gpu.determinism", "0000:05:00.0"}, table(command));
    }
}

TEST_CASE("record rules: a hostile record is refused", "[rules]") {
    std::size_t count = 0;
    for (const auto& records : {strange_paths(), strange_bytes(), strange_words(),
                                strange_offsets(), strange_records()}) {
        for (const auto& record : records) {
            check_refused(record);
            ++count;
        }
    }
    CHECK(count >= 120);
}

TEST_CASE("record rules: the error names record and place", "[rules]") {
    const auto error =
        refused_record("cpu.governor", both(text(governor, "powersave\n"), text(governor, "x y")));
    CHECK(error->text ==
          "the journal's record of cpu.governor writes \"x y\" to " + governor + ", " + never_does);
    CHECK(error->path == governor);
    Change passwd = text(governor, "powersave\n");
    passwd.writes.front().path = "/etc/passwd";
    CHECK(refused_record("cpu.governor", passwd)->text ==
          "the journal's record of cpu.governor names /etc/passwd, " + never_writes);
    CHECK(refused_record("gpu.gone", passwd)->text ==
          "the journal's record of gpu.gone is of a setting that this program does not know");
}

TEST_CASE("record rules: a record's places are those of its target", "[rules]") {
    const std::string other = "/sys/devices/system/cpu/cpufreq/policy1/scaling_governor";
    const Record records[] = {
        {"cpu.governor", "policy1", text(governor, "performance\n")},
        {"cpu.governor", "policy", text(governor, "performance\n")},
        {"cpu.governor", "policy0/x", text(governor, "performance\n")},
        {"cpu.governor", "system", text(governor, "performance\n")},
        {"cpu.governor", "cpufreq", text(governor, "performance\n")},
        {"cpu.governor", "", text(governor, "performance\n")},
        {"cpu.governor", "policy0", both(text(governor, "ondemand\n"), text(other, "ondemand\n"))},
        {"kernel.numa_balancing", "kernel", text(numa, "1\n")},
        {"kernel.numa_balancing", "", text(numa, "1\n")},
        {"cpu.boost", "policy0", text("/sys/devices/system/cpu/cpufreq/boost", "1\n")},
        {"cpu.idle", "cpu3", text(idle, "1\n")},
        {"cpu.idle", "cpu33/C2", text(idle, "1\n")},
        {"pci.acs", "0000:06:00.0", word(config, 0x106, control)},
        {"pci.acs", "0000:05:00.0/", word(config, 0x106, control)},
    };
    for (const auto& record : records) {
        INFO(printed({record.id, record.target}, record.back));
        CHECK_FALSE(refused_record(record.id, record.back));
        const auto error = refused_record(Key{record.id, record.target}, record.back);
        REQUIRE(error);
        CHECK(error->kind == ErrorKind::bad_input);
        CHECK(error->text.ends_with("which is not that target's"));
    }
}

TEST_CASE("record rules: an id that has gone keeps its places", "[rules]") {
    static constexpr WrittenPlace places[] = {
        {"/sys/bus/pci/devices/<bdf>/old_knob", Codec::line, "on|off|<1-9>"}};
    const Retired retired[] = {{"gpu.old_knob", places}};
    const auto knob = [](const std::string& bytes) { return text(gpu + "old_knob", bytes); };
    check_taken({"gpu.old_knob", "0000:05:00.0"}, knob("off\n"), retired);
    check_taken({"gpu.old_knob", "0000:05:00.0"}, knob("9"), retired);
    CHECK(refused_record("gpu.old_knob", knob("0\n"), retired));
    CHECK(refused_record("gpu.old_knob", text(governor, "on\n"), retired));
    CHECK(refused_record("gpu.old_knob", knob("off\n")));
    CHECK(refused_record("cpu.governor", knob("off\n"), retired));
    for (const auto& gone : retired_settings()) {
        CHECK(find_setting(gone.id) == nullptr);
        CHECK_FALSE(gone.places.empty());
    }
}

TEST_CASE("record rules: what could not be put back is not recorded", "[rules]") {
    const Target target{"policy", 0, ""};
    const auto good =
        recordable("cpu.governor", {target, "ondemand", text(governor, "ondemand\n")});
    CHECK(good.back.ok());
    const auto unusual =
        recordable("cpu.governor", {target, "Odd One", text(governor, "Odd One\n")});
    REQUIRE_FALSE(unusual.back.ok());
    CHECK(unusual.back.is(ErrorKind::garbled));
    CHECK(unusual.back.error().text ==
          governor + ": holds what could not be put back: \"Odd One\"");
    const auto unread = recordable("cpu.governor", {target, "", errno_error("read", governor, 5)});
    CHECK(unread.back.is(ErrorKind::io));
}

}  // namespace record_rules_test
