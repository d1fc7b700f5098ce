// SPDX-License-Identifier: MIT
// Profiles: messages, merging, where they are found, and what the shipped ones say.
#include "profile/profile.h"

#include <sys/wait.h>
#include <unistd.h>

#include <csignal>

#include "os/fs/memory_fs.h"
#include "settings/registry.h"
#include "support/catch.h"
#include "util/text.h"

namespace rocenv::profile_test {

namespace {

const std::string head = "[profile]\nname = \"t\"\n";
const std::string etc = "/etc/rocenv/profiles/";

std::vector<std::string> messages(const std::vector<Diagnostic>& diagnostics) {
    std::vector<std::string> out;
    out.reserve(diagnostics.size());
    for (const auto& diagnostic : diagnostics) {
        out.push_back(diagnostic_text(diagnostic));
    }
    return out;
}

std::string lint(const std::string& text) {
    return join(messages(parse_profile("t.toml", text).diagnostics), "\n");
}

// Names to texts of profiles in /etc, and what names resolve to.
struct Files {
    MemoryFs host;
    Process process;

    Files& add(const std::string& name, const std::string& text) {
        host.add_file(etc + name + ".toml", "[profile]\nname = \"" + name + "\"\n" + text);
        return *this;
    }
    ProfileStore store() const { return {host, process}; }

    Resolved resolved(const std::vector<std::string>& names,
                      const std::vector<std::string>& overrides = {}) const {
        std::vector<ProfileEntry> entries;
        entries.reserve(overrides.size());
        for (const auto& override : overrides) {
            entries.push_back(parse_override(override).value());
        }
        return resolve(store(), names, entries);
    }
    std::string faults(const std::string& name) const {
        return join(messages(resolved({name}).diagnostics), "\n");
    }
};

std::string printed(const Expectation& expectation) {
    return expectation.id + " = " + (expectation.unset ? "unset" : toml_text(expectation.value)) +
           " " + std::string(word_of(expectation.level)) + " [" + expectation.why + "] [" +
           expectation.source + "]";
}

std::string printed(const Resolved& profile) {
    std::vector<std::string> lines = messages(profile.diagnostics);
    for (const auto& expectation : profile.expectations) {
        lines.push_back(printed(expectation));
    }
    return join(lines, "\n");
}

std::string expected_text(const std::string& argument) {
    const auto entry = parse_override(argument);
    return !entry         ? "error: " + entry.error().text
           : entry->unset ? entry->id + " unset"
                          : entry->id + " = " + toml_text(*entry->value);
}

bool holds(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

// Returns whether a child process that parses the text ends by itself.
bool survives(const std::string& text) {
    const pid_t child = ::fork();
    if (child == 0) {
        ::signal(SIGSEGV, SIG_DFL);
        ::alarm(20);
        (void)parse_profile("t.toml", text);
        ::_exit(0);
    }
    int status = 0;
    return child > 0 && ::waitpid(child, &status, 0) == child && status == 0;
}

std::string repeated(const std::string& piece, std::size_t count) {
    std::string out;
    for (std::size_t at = 0; at < count; ++at) {
        out += piece;
    }
    return out;
}

// Counts reads of the files of one folder.
class CountingFs final : public Fs {
   public:
    explicit CountingFs(const Fs& inner) : inner_(inner) {}
    Result<std::string> read(const std::string& path) const override {
        ++reads;
        return inner_.read(path);
    }
    Result<std::string> read_at(const std::string& path, std::uint64_t offset,
                                std::size_t size) const override {
        return inner_.read_at(path, offset, size);
    }
    Result<std::vector<std::string>> list(const std::string& path) const override {
        return inner_.list(path);
    }
    Result<std::string> link(const std::string& path) const override { return inner_.link(path); }
    Result<std::uint64_t> size(const std::string& path) const override { return inner_.size(path); }
    Result<std::uint64_t> capacity(const std::string& path) const override {
        return inner_.capacity(path);
    }
    bool is_real() const override { return false; }
    mutable std::size_t reads = 0;

   private:
    const Fs& inner_;
};

}  // namespace

TEST_CASE("profile: each fault has its place and a way out", "[profile]") {
    struct Row {
        std::string text;
        std::string message;  // the start of the first
    };
    const std::string s = head + "[settings]\n";
    const std::string e = head + "[env]\n";
    const Row rows[] = {
        {s + "\"kernel.numa_balancng\" = 0\n",
         "t.toml:4:1: error: unknown setting 'kernel.numa_balancng'. Did you mean "
         "'kernel.numa_balancing'?"},
        {s + "\"what.ever.this.is\" = 0\n",
         "t.toml:4:1: error: unknown setting 'what.ever.this.is"},
        {s + "\"env.HIP_FORCE_DEV_KERNARG\" = \"1\"\n", "t.toml:4:1: error: unknown setting 'env."},
        {s + "kernel.numa_balancing = 0\n", "t.toml:4:1: error: unknown setting 'kernel"},
        {s + "\"kernel.numa_balancing\" = \"0\"\n",
         "t.toml:4:27: error: kernel.numa_balancing: found \"0\", expected a whole number from 0 "
         "to "
         "3"},
        {s + "\"kernel.numa_balancing\" = 4\n",
         "t.toml:4:27: error: kernel.numa_balancing: found 4"},
        {s + "\"kernel.numa_balancing\" = -1\n",
         "t.toml:4:27: error: kernel.numa_balancing: found -1"},
        {s + "\"kernel.numa_balancing\" = true\n",
         "t.toml:4:27: error: kernel.numa_balancing: found t"},
        {s + "\"kernel.numa_balancing\" = [0]\n",
         "t.toml:4:27: error: kernel.numa_balancing: found [0]"},
        {s + "\"kernel.numa_balancing\" = { value = 9, level = \"info\" }\n",
         "t.toml:4:37: error: kernel.numa_balancing: found 9"},
        {s + "\"cpu.governor\" = \"two words\"\n", "t.toml:4:18: error: cpu.governor: "},
        {s + "\"cpu.governor\" = 1\n",
         "t.toml:4:18: error: cpu.governor: found 1, expected a word"},
        {s + "\"cpu.idle\" = \"some\"\n",
         "t.toml:4:14: error: cpu.idle: found \"some\", expected "},
        {s + "\"cpu.idle\" = { max_latency_us = -1 }\n",
         "t.toml:4:33: error: cpu.idle: max_latency_us: found -1"},
        {s + "\"cpu.idle\" = { max_latency = 1 }\n",
         "t.toml:4:30: error: cpu.idle: unknown key 'max_latency'. Did you mean 'max_latency_us'?"},
        {s + "\"pci.acs\" = { policy = \"off\" }\n",
         "t.toml:4:13: error: pci.acs: scope is missing"},
        {s + "\"pci.acs\" = { scope = \"gpu\", policy = \"off\" }\n",
         "t.toml:4:23: error: pci.acs: scope: found \"gpu\", expected \"gpu-path\" or \"all\""},
        {s + "\"pci.acs\" = { scope = \"all\", policy = \"off\", polcy = \"x\" }\n",
         "t.toml:4:54: error: pci.acs: unknown key 'polcy'. Did you mean 'policy'?"},
        {s + "\"gpu.determinism\" = 0\n", "t.toml:4:21: error: gpu.determinism: found 0"},
        {s + "\"gpu.determinism\" = \"max\"\n",
         "t.toml:4:21: error: gpu.determinism: found \"max\""},
        {s + "\"gpu.count\" = \"all\"\n", "t.toml:4:15: error: gpu.count: found \"all\""},
        {s + "\"gpu.count\" = -1\n", "t.toml:4:15: error: gpu.count: found -1"},
        {s + "\"gpu.driver\" = \">6\"\n", "t.toml:4:16: error: gpu.driver: found \">6\""},
        {s + "\"gpu.driver\" = \">=new\"\n", "t.toml:4:16: error: gpu.driver: found \">=new\""},
        {s + "\"limits.memlock\" = -1\n", "t.toml:4:20: error: limits.memlock: found -1"},
        {s + "\"limits.memlock\" = \"64K\"\n", "t.toml:4:20: error: limits.memlock: found \"64K\""},
        {s + "\"kernel.cmdline\" = [\"iommu=pt\"]\n",
         "t.toml:4:20: error: kernel.cmdline: found ["},
        {s + "\"kernel.cmdline\" = { wanted = \"iommu=pt\" }\n",
         "t.toml:4:31: error: kernel.cmdline: wanted: found \"iommu=pt\", expected a list of "
         "texts"},
        {s + "\"os.release\" = []\n",
         "t.toml:4:16: error: os.release: found [], expected a list of one text or more"},
        {s + "\"kernel.version\" = []\n",
         "t.toml:4:20: error: kernel.version: found [], expected "},
        {s + "\"rdma.port\" = []\n",
         "t.toml:4:15: error: rdma.port: found [], expected \"active\" or a list of one text or "
         "more"},
        {s + "\"kernel.cmdline\" = { wanted = [\"\"] }\n", "t.toml:4:31: error: kernel.cmdline: "},
        {s + "\"kernel.cmdline\" = { wanted = [1] }\n", "t.toml:4:31: error: kernel.cmdline: "},
        {s + "\"cpu.governor\" = { value = \"x\", levl = \"info\" }\n",
         "t.toml:4:40: error: unknown key 'levl' beside value. Did you mean 'level'?"},
        {s + "\"cpu.governor\" = { value = \"x\", level = \"must\" }\n",
         "t.toml:4:41: error: level: found 'must', expected \"required\", \"recommended\" or "
         "\"info\""},
        {s + "\"cpu.governor\" = { value = \"x\", level = 1 }\n", "t.toml:4:41: error: level: "},
        {s + "\"cpu.governor\" = { value = \"x\", why = 1 }\n",
         "t.toml:4:39: error: why: expected te"},
        {s + "\"cpu.governor\" = { value = \"x\", source = [] }\n", "t.toml:4:42: error: source: "},
        {s + "\"cpu.governor\" = { unset = true }\n",
         "t.toml:4:28: error: unset = true is valid for v"},
        {e + "A = true\n", "t.toml:4:5: error: A: found true, expected text"},
        {e + "A = 1.5\n", "t.toml:4:5: error: A: found 1.5, expected text"},
        {e + "A = [\"1\"]\n", "t.toml:4:5: error: A: "},
        {e + "A = { valeu = \"1\" }\n", "t.toml:4:5: error: A: "},
        {e + "A = { unset = false }\n", "t.toml:4:15: error: unset = true is valid for variables"},
        {e + "\"\" = \"1\"\n", "t.toml:4:1: error: '' is not a valid name of a variable"},
        {e + "\"A=B\" = \"1\"\n", "t.toml:4:1: error: 'A=B' is not a valid name of a variable"},
        {e + "\"A B\" = \"1\"\n", "t.toml:4:1: error: 'A B' is not a valid name of a variable"},
        {e + "\"A\\u0000\" = \"1\"\n",
         "t.toml:4:1: error: 'A\\x00' is not a valid name of a variable"},
        {e + "HIP_FORCE_DEV_KERNARG = \"yes\"\n",
         "t.toml:4:25: warning: HIP_FORCE_DEV_KERNARG: HIP runtime (CLR) reads \"yes\" as off; "
         "write 1 or 0"},
        {e + "HIP_FORCE_DEV_KERNARG = \"2\"\n",
         "t.toml:4:25: warning: HIP_FORCE_DEV_KERNARG: HIP runtime (CLR) reads \"2\" as on; write "
         "1 or 0"},
        {e + "HIP_FORCE_DEV_KERNARGS = \"1\"\n",
         "t.toml:4:1: warning: HIP_FORCE_DEV_KERNARGS: not in this catalogue (facts of "
         "2026-11-22). Did you mean 'HIP_FORCE_DEV_KERNARG'?"},
        {"[profil]\nname = \"t\"\n",
         "t.toml:1:2: error: unknown key 'profil'. Did you mean 'profile"},
        {"name = \"t\"\n", "t.toml:1:1: error: unknown key 'name'"},
        {"profile = 1\n", "t.toml:1:1: error: [profile] must be a table"},
        {"[[profile]]\nname = \"t\"\n", "t.toml:1:3: error: [profile] must be a table"},
        {"[profile]\nnam = \"t\"\n",
         "t.toml:2:1: error: unknown key 'nam' in [profile]. Did you me"},
        {"[profile]\nname = 1\n", "t.toml:2:8: error: name: expected text"},
        {"[profile]\nsummary = \"x\"\n", "t.toml:1:1: error: [profile] name is missing"},
        {"[profile]\nname = \"\"\n", "t.toml:1:1: error: [profile] name is missing"},
        {head + "extends = \"host\"\n", "t.toml:3:11: error: extends: expected a list of texts"},
        {head + "extends = [\"host\", 1]\n",
         "t.toml:3:20: error: extends: expected a list of texts"},
        {head + "[match]\ndevic = []\n",
         "t.toml:4:1: error: unknown key 'devic' in [match]. Did y"},
        {head + "[match]\ndevice = [\"74a1\"]\n",
         "t.toml:4:11: error: found '74a1', expected a PCI id such as \"0x74a1\""},
        {head + "[match]\ndevice = [\"0x174a1\"]\n", "t.toml:4:11: error: found '0x174a1'"},
        {head + "[match]\ndevice = [29857]\n", "t.toml:4:11: error: device: expected a list of te"},
        {head + "[match]\ndevice = \"0x74a1\"\n",
         "t.toml:4:10: error: device: expected a list of t"},
        {head + "[match]\ngfx = \"gfx942\"\n", "t.toml:4:7: error: gfx: expected a list of texts"},
        {head + "[match]\nnic = \"ionic\"\n", "t.toml:4:7: error: nic: expected a list of texts"},
        {head + "[match]\nnic = [\"../ionic\"]\n",
         "t.toml:4:8: error: found '../ionic', expected a driver's name"},
        {head + "[match]\nrocm = \"6.2\"\n", "t.toml:4:8: error: rocm: expected text such as"},
        {head + "[match]\nrocm = 6.2\n", "t.toml:4:8: error: rocm: expected text"},
        {"", "t.toml:1:1: error: [profile] name is missing"},
        {"# only a comment\n", "t.toml:1:1: error: [profile] name is missing"},
        {"[profile\n", "t.toml:1:9: error: "},
        {"[profile]\nname = \"t\n", "t.toml:2:"},
        {head + head, "t.toml:3:"},
        {std::string("\0\x01\xff\xfe", 4), "t.toml:1:"},
    };
    for (const auto& row : rows) {
        const auto found = lint(row.text);
        INFO(row.text << "found:  " << found << "\nwanted: " << row.message);
        CHECK(found.starts_with(row.message));
    }
}

TEST_CASE("profile: what is right has no message", "[profile]") {
    CHECK(lint(head).empty());
    CHECK(lint("\xef\xbb\xbf" + head).empty());
    CHECK(lint(repeated("# long\r\n", 3) + "[profile]\r\nname = \"t\"\r\n").empty());
    CHECK(
        lint(head + "[settings]\n\"cpu.idle\" = \"all\"\n\"cpu.governor\" = { level = \"info\" }\n")
            .empty());
    CHECK(lint(head + "[env]\nANY_NAME = \"x\"\nCOUNT = 112\nGONE = { unset = true }\n").empty());
    const auto profile = parse_profile("t.toml", head + "[env]\nCOUNT = 112\n");
    CHECK(toml_text(*profile.entries.at(0).value) == "\"112\"");
}

TEST_CASE("profile: a key that begins as none is refused", "[profile]") {
    CHECK(lint("[[}x]]\n").starts_with("t.toml:1:3: error: "));
    CHECK(lint("[}x]\n").starts_with("t.toml:1:2: error: "));
    CHECK(lint("[a.}x]\n").starts_with("t.toml:1:"));
}

// toml++ 3.3.0 and 3.4.0 promise the compiler that no letter between two Unicode blanks is one of
// these. A build with -fsanitize=undefined ends here where the promise is still made.
TEST_CASE("profile: a letter near a Unicode blank is no blank", "[profile]") {
    for (const char* letter : {"\xc3\xa9", "\xe3\x81\x82", "\xef\xbb\x90"}) {
        INFO(letter);
        CHECK(lint(letter + std::string("/")).starts_with("t.toml:1:1: error: "));
        CHECK(lint(head + "[env]\nA = " + letter + "1\n").starts_with("t.toml:4:5: error: "));
    }
}

TEST_CASE("profile: all messages, in the order of the file", "[profile]") {
    CHECK(lint(head + "[settings]\n\"x.y\" = 1\n[env]\nA = true\n[match]\nb = 1\n") ==
          "t.toml:4:1: error: unknown setting 'x.y'\n"
          "t.toml:6:5: error: A: found true, expected text (the environment holds text only)\n"
          "t.toml:8:1: error: unknown key 'b' in [match]");
}

TEST_CASE("profile: nothing from a stranger reaches the terminal raw", "[profile]") {
    const auto found = lint(head + "[settings]\n\"\\u001b[2J\" = 1\n");
    CHECK(holds(found, "\\x1b[2J"));
    CHECK_FALSE(holds(found, "\x1b"));
    const auto quoted = lint(head + "[env]\nA = n\n");  // toml++ says what it saw, line end and all
    CHECK(printable(quoted, uncut) == quoted);
    CHECK(lint(head + "[env]\nA = { level = \"" + std::string(100000, 'x') + "\" }\n").size() <
          300);
}

TEST_CASE("profile: large and deep files end by themselves", "[profile]") {
    const std::string large = head + "[env]\n";
    CHECK(lint(large + repeated("# " + std::string(97, 'x') + "\n", 1000)).empty());
    CHECK(lint(large + "A = \"" + std::string(100000, 'x') + "\"\n").empty());
    CHECK_FALSE(lint(head + std::string(100000, 'a') + " = 1\n").empty());
    CHECK_FALSE(lint(std::string(100000, '\xff')).empty());
    CHECK_FALSE(lint(std::string(100000, '\0')).empty());
    CHECK(survives(head + "settings = " + std::string(100000, '[')));
    CHECK(survives(head + "[settings]\n\"cpu.idle\" = " + repeated("{ a = ", 20000)));
}

TEST_CASE("profile: a key of 60,000 parts ends by itself", "[profile]") {
    CHECK(survives(head + "[" + repeated("a.", 60000) + "a]\n"));
}

TEST_CASE("profile: dotted keys in nested tables end by themselves", "[profile]") {
    const std::string key = repeated("a.", 100) + "a = ";
    for (const std::size_t depth : {20U, 250U, 500U}) {
        const std::string value = repeated("{" + key, depth) + "1" + repeated("}", depth);
        CHECK_FALSE(lint(head + "[settings]\n\"cpu.idle\" = " + value + "\n").empty());
        const auto entry = parse_override("cpu.idle=" + value);
        CHECK((!entry || entry->value->table() == nullptr));
    }
}

TEST_CASE("profile: a date is shown as written", "[profile]") {
    CHECK(holds(lint(head + "[env]\nA = 2026-11-20\n"), "2026-11-20"));
}

TEST_CASE("profile: a variable with a value and unset", "[profile]") {
    CHECK_FALSE(lint(head + "[env]\nA = { value = \"1\", unset = true }\n").empty());
}

TEST_CASE("profile: faults of what is extended", "[profile]") {
    Files files;
    files.add("nothing", "extends = [\"hots\"]\n").add("self", "extends = [\"self\"]\n");
    files.add("a", "extends = [\"b\"]\n").add("b", "extends = [\"c\"]\n");
    files.add("c", "extends = [\"a\"]\n").add("bad", "extends = [\"broken\"]\n");
    files.add("broken", "x\n").add("level", "[settings]\n\"cpu.idle\" = { level = \"info\" }\n");
    CHECK(files.faults("nothing") ==
          etc + "nothing.toml:3:12: error: unknown profile 'hots'" + ". Did you mean 'host'?");
    CHECK(files.faults("self") ==
          etc + "self.toml:3:12: error: profile self extends itself (self)");
    CHECK(files.faults("a") == etc + "c.toml:3:12: error: profile a extends itself (a > b > c)");
    CHECK(files.faults("bad").starts_with(etc + "broken.toml:3:2: error: "));
    CHECK(files.faults("level") ==
          etc +
              "level.toml:4:1: error: cpu.idle has no value here or in a profile that is extended");
    CHECK(files.faults("missing").starts_with("unknown profile 'missing'"));
    CHECK(files.faults("mi250x") == "unknown profile 'mi250x'. Did you mean 'mi200'?");
    CHECK(files.faults("mi355x-benchmark").ends_with("Did you mean 'mi350x-benchmark'?"));
}

TEST_CASE("profile: a path extends itself by another spelling", "[profile]") {
    Files files;
    files.host.add_file("/x/a.toml", "[profile]\nname = \"a\"\nextends = [\"/x/../x/a.toml\"]\n");
    CHECK(holds(files.faults("/x/a.toml"), "extends itself"));
}

TEST_CASE("merge: a table changes what it states", "[profile]") {
    Files files;
    files.add("base",
              "[settings]\n\"cpu.governor\" = { value = \"a\", level = \"info\", why = \"w\", "
              "source = \"s\" }\n");
    const auto child = [&](const std::string& entry) {
        files.add("child", "extends = [\"base\"]\n[settings]\n\"cpu.governor\" = " + entry + "\n");
        return printed(files.resolved({"child"}));
    };
    CHECK(child("{ level = \"required\" }") == "cpu.governor = \"a\" required [w] [s]");
    CHECK(child("{ value = \"b\" }") == "cpu.governor = \"b\" info [w] [s]");
    CHECK(child("{ why = \"x\" }") == "cpu.governor = \"a\" info [x] [s]");
    CHECK(child("{ source = \"x\" }") == "cpu.governor = \"a\" info [w] [x]");
    CHECK(child("{}") == "cpu.governor = \"a\" info [w] [s]");
    CHECK(child("\"b\"") == "cpu.governor = \"b\" required [] []");
}

TEST_CASE("merge: a table without a level is required where none is inherited", "[profile]") {
    Files files;
    files.add("t", "[settings]\n\"cpu.governor\" = { value = \"a\" }\n");
    CHECK(printed(files.resolved({"t"})) == "cpu.governor = \"a\" required [] []");
}

TEST_CASE("merge: the value keys are one group", "[profile]") {
    Files files;
    files.add("base",
              "[settings]\n\"kernel.cmdline\" = { wanted = [\"a\"], unwanted = [\"b\"], "
              "level = \"info\" }\n");
    files.add("child",
              "extends = [\"base\"]\n[settings]\n\"kernel.cmdline\" = { wanted = [\"c\"] "
              "}\n");
    CHECK(printed(files.resolved({"child"})) == "kernel.cmdline = { wanted = [\"c\"] } info [] []");
}

TEST_CASE("merge: unset and a value replace each other", "[profile]") {
    Files files;
    files.add("value", "[env]\nA = { value = \"1\", level = \"info\" }\n");
    files.add("unset", "extends = [\"value\"]\n[env]\nA = { unset = true }\n");
    CHECK(printed(files.resolved({"value", "unset"})) == "env.A = unset info [] []");
    CHECK(printed(files.resolved({"unset", "value"})) == "env.A = \"1\" info [] []");
    CHECK(printed(files.resolved({"value", "unset"}, {"env.A=2"})) ==
          "env.A = \"2\" required [] []");
}

// Profiles p0 to p(N-1), each with `text`, each extending the next one.
void add_chain(Files& files, std::size_t length, const std::string& text = "") {
    for (std::size_t at = 0; at < length; ++at) {
        const std::string next = "extends = [\"./p" + number(at + 1) + ".toml\"]\n";
        files.add("p" + number(at), (at + 1 < length ? next : "") + text);
    }
}

TEST_CASE("profile: the paths of a chain do not grow with it", "[profile]") {
    Files files;
    files.host.add_file("/x/a.toml", "[profile]\nname = \"a\"\nextends = [\"./../x/./b.toml\"]\n");
    files.host.add_file("/x/b.toml", "[profile]\nname = \"b\"\n[settings]\n\"cpu.smt\" = \"on\"\n");
    const auto profile = files.resolved({"/x/a.toml", "/x/./b.toml"});
    REQUIRE(profile.expectations.size() == 1);
    CHECK(profile.expectations[0].place.file == "/x/b.toml");
}

TEST_CASE("profile: how many extend each other is limited", "[profile]") {
    Files files;
    add_chain(files, 1000);
    CHECK(files.faults("p968").empty());
    CHECK(files.faults("p967") ==
          etc + "p998.toml:3:12: error: more than 32 profiles extend each other in a row");
    CHECK(holds(files.faults("p0"), "more than 32 profiles extend each other in a row"));
}

TEST_CASE("profile: how many are involved is limited", "[profile]") {
    Files files;
    std::string names;
    for (int at = 0; at < 300; ++at) {
        files.add("w" + number(at), "");
        names += (at == 0 ? "\"w" : ", \"w") + number(at) + "\"";
    }
    files.add("wide", "extends = [" + names + "]\n");
    const std::string faults = files.faults("wide");
    CHECK(holds(faults, "more than 256 profiles are involved"));
    CHECK(faults.find('\n') == std::string::npos);  // said once
}

TEST_CASE("profile: what they hold together is limited", "[profile]") {
    Files files;
    add_chain(files, 10, "# " + std::string(30000, 'x') + "\n");
    CHECK(holds(files.faults("p0"), "larger than 256 KiB together"));
    CHECK(files.faults("p5").empty());
    std::string many = "also = [";
    for (int at = 0; at < 1500; ++at) {
        many += "\"" + number(at) + "\",";
    }
    Files valued;
    add_chain(valued, 10, many + "]\n");
    CHECK(holds(valued.faults("p0"), "hold more than 8000 values"));
    CHECK(valued.faults("p6").empty());
}

TEST_CASE("profile: one file is limited in bytes, values and the length of its name", "[profile]") {
    CHECK(lint(head + "# " + std::string(131072, 'x')) == "t.toml:1:1: error: larger than 128 KiB");
    std::string many = head + "[env]\n";
    for (int at = 0; at < 2000; ++at) {
        many += "A" + number(at) + "=1\n";
    }
    CHECK(lint(many) == "t.toml:1:1: error: more than 2000 values");
    Files files;
    CHECK(holds(files.faults("/" + std::string(2000, 'x')), "is longer than 1024 bytes"));
}

TEST_CASE("merge: left to right, in extends and after -p, and --want last", "[profile]") {
    Files files;
    files.add("x", "[settings]\n\"cpu.governor\" = \"x\"\n")
        .add("y",
             "extends = [\"x\"]\n"
             "[settings]\n\"cpu.governor\" = \"y\"\n\"cpu.idle\" = \"all\"\n");
    files.add("xy", "extends = [\"x\", \"y\"]\n").add("yx", "extends = [\"y\", \"x\"]\n");
    const auto governor = [&](const std::vector<std::string>& names) {
        const auto expectations = files.resolved(names).expectations;
        return *expectations.at(0).value.text();
    };
    CHECK(governor({"x", "y"}) == "y");
    CHECK(governor({"y", "x"}) == "x");
    CHECK(governor({"xy"}) == "y");
    CHECK(governor({"yx"}) == "y");  // x counts once, where y brings it
    CHECK(printed(files.resolved({"y"}, {"cpu.governor=w", "cpu.governor=v", "gpu.count=1"})) ==
          "gpu.count = 1 required [] []\ncpu.governor = \"v\" required [] []\n"
          "cpu.idle = \"all\" required [] []");
    CHECK(files.resolved({"x", "y"}).names == std::vector<std::string>{"x", "y"});
    CHECK(printed(files.resolved({}, {"cpu.governor=w"})) == "cpu.governor = \"w\" required [] []");
}

TEST_CASE("merge: a later name gives an entry the value it lacks", "[profile]") {
    Files files;
    files.add("level", "[settings]\n\"cpu.governor\" = { level = \"info\" }\n");
    files.add("value", "[settings]\n\"cpu.governor\" = { value = \"x\" }\n");
    CHECK(printed(files.resolved({"level", "value"})) == "cpu.governor = \"x\" info [] []");
    CHECK(printed(files.resolved({"level"}, {"cpu.governor=w"})) ==
          "cpu.governor = \"w\" required [] []");
}

TEST_CASE("merge: wants are in the order of the registry, variables by name", "[profile]") {
    Files files;
    files.add("t",
              "[env]\nB = \"1\"\nA = \"1\"\n[settings]\n\"limits.shm\" = 1\n\"cpu.idle\" = "
              "\"all\"\n\"gpu.count\" = 1\n");
    std::vector<std::string> ids;
    for (const auto& expectation : files.resolved({"t"}).expectations) {
        ids.push_back(expectation.id);
    }
    CHECK(ids == std::vector<std::string>{"gpu.count", "cpu.idle", "limits.shm", "env.A", "env.B"});
}

TEST_CASE("merge: [match] is inherited", "[profile]") {
    Files files;
    files.add("base", "[match]\ndevice = [\"0x74A1\"]\n").add("t", "extends = [\"base\"]\n");
    const auto matches = files.resolved({"t"}).matches;
    REQUIRE(matches.size() == 1);
    CHECK(matches[0].profile == "base");
    CHECK(matches[0].devices == std::vector<std::uint32_t>{0x74a1});
}

TEST_CASE("merge: profiles that extend each other twice end soon", "[profile]") {
    Files files;
    constexpr std::size_t levels = 12;
    for (std::size_t at = 0; at < levels; ++at) {
        const std::string next = "\"p" + number(at + 1) + "\"";
        files.add("p" + number(at), "extends = [" + next + ", " + next + "]\n");
    }
    files.add("p" + number(levels), "");
    const CountingFs counted(files.host);
    resolve(ProfileStore(counted, files.process), {"p0"}, {});
    CHECK(counted.reads < 1000);
}

TEST_CASE("merge: a message is told once", "[profile]") {
    Files files;
    files.add("base", "[env]\nA = true\n").add("t", "extends = [\"base\", \"base\"]\n");
    CHECK(files.resolved({"t"}).diagnostics.size() == 1);
}

TEST_CASE("The forms of --want", "[profile]") {
    CHECK(expected_text("cpu.governor=performance") == "cpu.governor = \"performance\"");
    CHECK(expected_text("cpu.governor=\"performance\"") == "cpu.governor = \"performance\"");
    CHECK(expected_text("kernel.numa_balancing=0") == "kernel.numa_balancing = 0");
    CHECK(expected_text("kernel.numa_balancing = 0").starts_with("error: "));
    CHECK(expected_text("gpu.count=>=8") == "gpu.count = \">=8\"");
    CHECK(expected_text("gpu.driver=6.80") == "gpu.driver = \"6.80\"");
    CHECK(expected_text("cpu.idle={ max_latency_us = 5 }") == "cpu.idle = { max_latency_us = 5 }");
    CHECK(expected_text("cpu.idle=all") == "cpu.idle = \"all\"");
    CHECK(expected_text("pci.acs={scope=\"all\",policy=\"off\"}") ==
          "pci.acs = { policy = \"off\", scope = \"all\" }");
    CHECK(expected_text("limits.memlock=unlimited") == "limits.memlock = \"unlimited\"");
    CHECK(expected_text("env.A=b=c") == "env.A = \"b=c\"");
    CHECK(expected_text("env.A=") == "env.A = \"\"");
    CHECK(expected_text("env.A=two words") == "env.A = \"two words\"");
    CHECK(expected_text("env.A=1") == "env.A = \"1\"");
    CHECK(expected_text("env.A='x y'") == "env.A = \"x y\"");
    CHECK(expected_text("env.A=1\nw = 2") == "env.A = \"1\\u000aw = 2\"");
    CHECK(expected_text("env.A={ unset = true }") == "env.A unset");
    CHECK(parse_override("cpu.governor=x").value().bare);
}

TEST_CASE("The faults of --want", "[profile]") {
    for (const char* text : {"", "=", "=1", "kernel.numa_balancing"}) {
        CHECK(expected_text(text) ==
              std::string("error: invalid value '") + text + "' for --want: expected ID=VALUE");
    }
    CHECK(holds(expected_text("kernel.numa_balancng=0"), "Did you mean 'kernel.numa_balancing'?"));
    CHECK(holds(expected_text("kernel.numa_balancing=off"),
                "found \"off\", expected a whole number"));
    CHECK(holds(expected_text("kernel.numa_balancing=4"), "found 4"));
    CHECK(holds(expected_text("cpu.idle={ max_latency_us = 5"), ", expected "));
    CHECK(holds(expected_text("cpu.governor="), "found \"\", expected a word"));
    CHECK(holds(expected_text("env.=1"), "is not a valid name of a variable"));
    CHECK(holds(expected_text("env.A=b \xee"), "env.A=b \\xee' for --want: expected UTF-8"));
    CHECK(expected_text("env.A=[1]") == "env.A = \"[1]\"");
    CHECK(expected_text("\x1b=1").find('\x1b') == std::string::npos);
    CHECK(expected_text("gpu.count=" + std::string(1000000, '[')).size() < 500);
}

TEST_CASE("A variable gets by --want the text that was written", "[profile]") {
    CHECK(expected_text("env.A=0x10") == "env.A = \"0x10\"");
    CHECK(expected_text("env.A=1_000") == "env.A = \"1_000\"");
    CHECK(expected_text("env.A=true") == "env.A = \"true\"");
    CHECK(expected_text("env.A=1.5") == "env.A = \"1.5\"");
}

TEST_CASE("store: folders, the first wins", "[profile]") {
    Files files;
    const auto summary = [&] {
        const auto found = files.store().find("host");
        return found.value().summary;
    };
    const auto text = [](const char* words) {
        return "[profile]\nname = \"host\"\nsummary = \"" + std::string(words) + "\"\n";
    };
    CHECK(files.store().find("host").value().file == "built-in:host");
    files.host.add_file(etc + "host.toml", text("etc"));
    CHECK(summary() == "etc");
    files.process.environment["HOME"] = "/home/u";
    CHECK(summary() == "etc");
    files.host.add_file("/home/u/.config/rocenv/profiles/host.toml", text("home"));
    CHECK(summary() == "home");
    files.host.add_file("/cfg/rocenv/profiles/host.toml", text("xdg"));
    files.process.environment["XDG_CONFIG_HOME"] = "/cfg";
    CHECK(summary() == "xdg");
    files.process.environment["XDG_CONFIG_HOME"] = "relative";
    CHECK(summary() == "home");
    files.process.environment["XDG_CONFIG_HOME"] = "";
    CHECK(summary() == "home");
    files.process.is_root = files.process.through_sudo = true;
    CHECK(summary() == "etc");
    files.process.environment["XDG_CONFIG_HOME"] = "/cfg";
    CHECK(summary() == "etc");
}

TEST_CASE("store: what cannot be read is not passed over", "[profile]") {
    Files files;
    files.host.add_error(etc + "host.toml", 13);
    const auto found = files.store().find("host");
    REQUIRE_FALSE(found);
    CHECK(found.error().kind == ErrorKind::bad_input);
    CHECK(holds(found.error().text, etc + "host.toml': Permission denied"));
}

TEST_CASE("store: an argument with a slash or .toml is a path", "[profile]") {
    Files files;
    files.host.add_file("/x/site", head);
    files.host.add_folder("/y");
    files.host.add_file("/site.toml", head);
    CHECK(files.store().find("/x/site").value().file == "/x/site");
    CHECK(files.store().find("/site.toml").value().file == "/site.toml");
    CHECK_FALSE(files.store().find("/x/host"));
    CHECK_FALSE(files.store().find("./host"));
    CHECK_FALSE(files.store().find("host.toml"));
    CHECK_FALSE(files.store().find("/y"));
    files.host.add_file("/etc/secret.toml", head);
    CHECK(files.store().find("../../secret").ok() == false);
}

TEST_CASE("store: names, and the nearest of them", "[profile]") {
    Files files;
    files.add("site", "").add("host", "");
    files.host.add_file(etc + "readme.txt", "");
    files.host.add_file(etc + ".toml", "");
    const auto names = files.store().names();
    CHECK(std::is_sorted(names.begin(), names.end()));
    CHECK(std::count(names.begin(), names.end(), "host") == 1);
    CHECK(std::count(names.begin(), names.end(), "site") == 1);
    CHECK(std::count(names.begin(), names.end(), "readme") == 0);
    CHECK(std::count(names.begin(), names.end(), "") == 0);
    const auto near = [&](const char* name) { return files.store().find(name).error().text; };
    CHECK(holds(near("mi30x"), "Did you mean 'mi300x'"));
    CHECK(holds(near("sit"), "Did you mean 'site'?"));
    CHECK(holds(near("something-else-entirely"), "rocenv profile list"));
    CHECK_FALSE(holds(near("\x1b[2J"), "\x1b"));
}

TEST_CASE("shipped: values", "[profile]") {
    const auto value = [](const char* profile, std::string_view id) {
        for (const auto& expectation : Files().resolved({profile}).expectations) {
            if (expectation.id == id) {
                return toml_text(expectation.value);
            }
        }
        return std::string();
    };
    for (const char* name : {"mi300x", "mi300x-benchmark"}) {
        CHECK(value(name, "gpu.count") == "\"full\"");
        CHECK(value(name, "gpu.determinism") == "\"recommended\"");
        CHECK(value(name, "pci.acs") == "{ policy = \"no-redirect\", scope = \"gpu-path\" }");
        CHECK(value(name, "kernel.numa_balancing") == "0");
        CHECK(value(name, "cpu.governor") == "\"performance\"");
        CHECK(value(name, "cpu.idle") == "{ max_latency_us = 10 }");
        CHECK(value(name, "env.HIP_FORCE_DEV_KERNARG") == "\"1\"");
        CHECK(Files().resolved({name}).matches.at(0).devices.at(0) == 0x74a1);
    }
    CHECK(Files().resolved({"host-benchmark"}).matches.empty());
}

}  // namespace rocenv::profile_test
