// SPDX-License-Identifier: MIT
#include "util/near_names.h"

#include <string>
#include <vector>

#include "support/catch.h"

namespace near_names_test {

namespace {

using namespace rocenv;
using Names = std::vector<std::string>;

TEST_CASE("A name is suggested for a slip of the finger", "[near_names]") {
    const Names ids{"cpu.governor", "cpu.idle", "pci.acs"};
    CHECK(near_names("cpu.govenor", ids) == Names{"cpu.governor"});
    CHECK(near_names("pci.asc", ids) == Names{"pci.acs"});
    CHECK(near_names("cpu.idle", ids) == Names{"cpu.idle"});
    CHECK(near_names("network.mtu", ids).empty());
    CHECK(near_names("", ids).empty());
    CHECK(near_names("cpu", {}).empty());
    CHECK(near_names("xy", Names{"on", "off"}).empty());
}

TEST_CASE("All names of the smallest distance are suggested, by their common start",
          "[near_names]") {
    const Names gpus{"mi100", "mi200", "mi300x", "mi300a", "mi325x"};
    CHECK(near_names("mi300", gpus) == Names{"mi300a", "mi300x"});
    CHECK(near_names("mi400", gpus) == Names{"mi100", "mi200"});
    CHECK(near_names("mi30x", gpus) == Names{"mi300x"});
    CHECK(near_names("troch", Names{"rocm", "torch"}) == Names{"torch"});
    CHECK(near_names("ab", Names{"xb", "ax"}) == Names{"ax", "xb"});
    CHECK(near_names("word", Names{"worda", "wordb", "wordc", "wordd", "worde", "wordf"}).size() ==
          5);
}

TEST_CASE("Upper and lower case count as equal", "[near_names]") {
    CHECK(near_names("MI300X", Names{"mi300a", "mi300x"}) == Names{"mi300x"});
    CHECK(near_names("nccl_debgu", Names{"NCCL_DEBUG", "NCCL_NET"}) == Names{"NCCL_DEBUG"});
}

TEST_CASE("A name is suggested for a part of it", "[near_names]") {
    const Names ids{"kernel.numa_balancing", "kernel.thp", "cpu.boost"};
    CHECK(near_names("numa_balancing", ids) == Names{"kernel.numa_balancing"});
    CHECK(near_names("kernel", ids) == Names{"kernel.numa_balancing", "kernel.thp"});
    CHECK(near_names("kern", Names{"a.kernel"}) == Names{"a.kernel"});
    CHECK(near_names("ker", Names{"a.kernel"}).empty());
    CHECK(near_names("acs", Names{"pci.acs", "pci.acsx"}) == Names{"pci.acs"});
    CHECK(near_names("", Names{"pci.acs"}).empty());
}

TEST_CASE("A suggestion is a question that names all", "[near_names]") {
    CHECK(did_you_mean({}, "; none") == "; none");
    CHECK(did_you_mean(Names{"set"}) == ". Did you mean 'set'?");
    CHECK(did_you_mean(Names{"a", "b"}) == ". Did you mean 'a' or 'b'?");
    CHECK(did_you_mean(Names{"a", "b", "c"}) == ". Did you mean 'a', 'b' or 'c'?");
}

TEST_CASE("What is quoted is printable and cut", "[near_names]") {
    CHECK(in_quotes("a\nb") == R"('a\x0ab')");
    CHECK(in_quotes("abcdef", 3) == "'abc...'");
}

}  // namespace

}  // namespace near_names_test
