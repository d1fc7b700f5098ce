// SPDX-License-Identifier: MIT
// Conversion of the contents of kernel files to values, and descriptions of writes.
#include "machine/kernel_attribute.h"
#include "os/fs/memory_fs.h"
#include "support/catch.h"

namespace rocenv::kernel_attribute_test {

namespace {

Result<std::string> value_of(Codec codec, const std::string& content) {
    MemoryFs fs;
    fs.add_file("/sys/x", content);
    return read_attribute(fs, {"/sys/x", codec});
}

bool is_garbled(Codec codec, const std::string& content) {
    const auto value = value_of(codec, content);
    return value.is(ErrorKind::garbled) && value.error().path == "/sys/x";
}

const std::string config = "/sys/bus/pci/devices/0000:00:01.1/config";

Result<std::string> word_at(const std::string& content, std::uint64_t offset) {
    MemoryFs fs;
    fs.add_config(config, content, 4096);
    return read_attribute(fs, {config, Codec::word16, offset});
}

}  // namespace

TEST_CASE("attribute: words of codecs and back", "[attribute]") {
    for (const auto codec : {Codec::line, Codec::choice, Codec::starred, Codec::word16,
                             Codec::upper_clock, Codec::clocks, Codec::memory_clock}) {
        CHECK(rocenv::value_of<Codec>(word_of(codec)) == codec);
    }
    CHECK(word_of(Codec::line) == "line");
    CHECK(word_of(Codec::choice) == "choice");
    CHECK(word_of(Codec::starred) == "starred");
    CHECK(word_of(Codec::word16) == "word16");
    CHECK(word_of(Codec::clocks) == "clocks");
    CHECK(word_of(Codec::memory_clock) == "memory-clock");
    CHECK_FALSE(rocenv::value_of<Codec>(""));
    CHECK_FALSE(rocenv::value_of<Codec>("lines"));
}

TEST_CASE("attribute: a line", "[attribute]") {
    using namespace std::string_literals;
    CHECK(*value_of(Codec::line, "performance\n") == "performance");
    CHECK(*value_of(Codec::line, "schedutil \n\0\0"s) == "schedutil");
    CHECK(*value_of(Codec::line, "0") == "0");
    for (const auto& content : {""s, "\n"s, " \n\n"s, "\0\0"s}) {
        CHECK(is_garbled(Codec::line, content));
    }
}

TEST_CASE("attribute: a choice", "[attribute]") {
    CHECK(*value_of(Codec::choice, "always [madvise] never\n") == "madvise");
    CHECK(*value_of(Codec::choice, "[defer+madvise]") == "defer+madvise");
    for (const char* content : {"", "always madvise never", "[a] [b]", "[] a", "[a b"}) {
        CHECK(is_garbled(Codec::choice, content));
    }
    CHECK(parse_choice("/sys/x", "a [b] c")->offered == std::vector<std::string>{"a", "b", "c"});
}

TEST_CASE("attribute: a starred line", "[attribute]") {
    CHECK(*value_of(Codec::starred, "0 : a\n1 : soc_pstate_0 *\n2 : b\n") == "1");
    CHECK(*value_of(Codec::starred, "0 : a*") == "0");
    for (const char* content :
         {"", "0 : a\n1 : b", "0 : a*\n1 : b*", "a*", "x : a*", "0 : a*\nb"}) {
        CHECK(is_garbled(Codec::starred, content));
    }
    const auto choices = parse_starred("/sys/x", "0 : a*\n2 : b\n");
    CHECK((choices->offers("2") && !choices->offers("1")));
}

TEST_CASE("attribute: a clock table", "[attribute]") {
    CHECK(*value_of(Codec::upper_clock, "OD_SCLK:\n0: 500Mhz\n1: 1900Mhz\n") == "1900");
    CHECK(*value_of(Codec::clocks, "OD_SCLK:\n0: 500Mhz\n1: 1900Mhz\nOD_MCLK:\n0: 900Mhz\n") ==
          "500-1900");
    CHECK(*value_of(Codec::clocks, "GFXCLK:\n0: 500Mhz\n1: 800Mhz *\n2: 1700MHZ\n") == "500-1700");
    CHECK(*value_of(Codec::clocks, "OD_SCLK:\nS: 19Mhz *\n0: 132Mhz\n1: 2100Mhz\n") == "132-2100");
    for (const char* content :
         {"", "\n", "unavailable\n", "OD_SCLK:\n", "OD_SCLK:\n0: 500Mhz\n",
          "OD_SCLK:\n0: 500Mhz\n1: ????Mhz\n", "OD_SCLK:\n0: 500Mhz\n1: 1900\n",
          "OD_MCLK:\n0: 900Mhz\n1: 1300Mhz\n"}) {
        CHECK(is_garbled(Codec::clocks, content));
    }
}

TEST_CASE("attribute: a limit of the memory clock", "[attribute]") {
    const std::string graphics = "OD_SCLK:\n0: 500Mhz\n1: 1900Mhz\n";
    CHECK(*value_of(Codec::memory_clock, graphics + "OD_MCLK:\n0: 900Mhz\n1: 1000Mhz\n") == "1000");
    CHECK(*value_of(Codec::memory_clock, "MCLK:\n0: 400Mhz\n1: 1600Mhz\nGFXCLK:\n0: 1Mhz\n") ==
          "1600");
    CHECK(is_garbled(Codec::memory_clock, graphics));
    CHECK(is_garbled(Codec::memory_clock, graphics + "OD_MCLK:\n0: 900Mhz\n"));
}

TEST_CASE("attribute: a word of configuration space", "[attribute]") {
    std::string space(0x110, '\0');
    space[0x106] = '\x1d';
    space[0x107] = '\x10';
    CHECK(*word_at(space, 0x106) == "0x101d");
    CHECK(*word_at(space, 0x10a) == "0x0000");
    CHECK(word_at(space, 0x10f).is(ErrorKind::not_permitted));
    CHECK(word_at(std::string(64, '\0'), 0x106).is(ErrorKind::not_permitted));
    CHECK(word_at(std::string(0x110, '\xff'), 0x106).is(ErrorKind::io));
}

TEST_CASE("attribute: errors are those of the machine", "[attribute]") {
    MemoryFs fs;
    fs.add_error("/sys/x", 13);
    CHECK(read_attribute(fs, {"/sys/x"}).is(ErrorKind::not_permitted));
    CHECK(read_attribute(fs, {"/sys/y", Codec::clocks}).is(ErrorKind::not_here));
    CHECK(read_attribute(fs, {"/sys/y", Codec::word16, 6}).is(ErrorKind::not_here));
}

TEST_CASE("attribute: a write as a person reads it", "[attribute]") {
    CHECK(write_text({"/sys/a", std::nullopt, "performance\n"}) == "echo performance > /sys/a");
    CHECK(write_text({"/sys/a", std::nullopt, "auto"}) == "echo auto > /sys/a");
    CHECK(write_text({"/sys/a", std::nullopt, "s 1 1900\n"}) == "echo s 1 1900 > /sys/a");
    CHECK(write_text({"/sys/a", std::nullopt, "a\x1b[2J\n"}) == "echo a\\x1b[2J > /sys/a");
    CHECK(write_text({"/sys/a", std::nullopt, ""}) == "echo  > /sys/a");
    CHECK(write_text({config, 0x14e, std::string("\x11\x00", 2)}) ==
          "setpci -s 0000:00:01.1 14e.w=0011");
    CHECK(write_text({"/sys/bus/pci/devices/10000:e1:00.0/config", 0x106, "\x1d\x10"}) ==
          "setpci -s 10000:e1:00.0 106.w=101d");
}

}  // namespace rocenv::kernel_attribute_test
