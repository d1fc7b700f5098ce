// SPDX-License-Identifier: MIT
// Conditions of entries, paths that must exist, what is needed besides, and profiles that
// contradict each other.
#include "check/check.h"
#include "launch/env_plan.h"
#include "os/fs/memory_fs.h"
#include "profile/profile.h"
#include "profile/profile_selection.h"
#include "support/catch.h"
#include "util/text.h"
#include "variables/releases/versions.h"

namespace rocenv::condition_test {

namespace {

const std::string etc = "/etc/rocenv/profiles/";

// Profiles in /etc of a machine that has ROCm and one GPU, if asked for.
struct Scene {
    MemoryFs fs;
    Process process;
    Versions::Assumed assumed;

    Scene() { fs.add_file("/proc/version", "Linux\n"); }

    Scene& add(const std::string& name, const std::string& text) {
        fs.add_file(etc + name + ".toml", "[profile]\nname = \"" + name + "\"\n" + text);
        return *this;
    }

    Scene& add_gpu(const std::string& device) {
        const std::string at = "/sys/bus/pci/devices/0000:05:00.0/";
        fs.add_file(at + "vendor", "0x1002\n");
        fs.add_file(at + "device", device + "\n");
        fs.add_file(at + "class", "0x120000\n");
        fs.add_file(at + "modalias", "pci:v00001002d0000" + upper(device.substr(2)) +
                                         "sv00001002sd00000C34bc12sc00i00\n");
        return *this;
    }

    Resolved resolved(const std::vector<std::string>& names) const {
        const Machine machine(fs);
        const Versions versions(machine, process, assumed);
        return resolve(ProfileStore(fs, process), names, {},
                       condition_here(machine, process, versions));
    }

    EnvPlan plan(const std::vector<std::string>& names) const {
        CheckRequest request;
        request.profiles = names;
        request.root = "tree";
        return plan_environment(request, Machine(fs), fs, process);
    }

    static std::string upper(std::string text) {
        for (char& byte : text) {
            byte = byte >= 'a' && byte <= 'f' ? static_cast<char>(byte - 'a' + 'A') : byte;
        }
        return text;
    }
};

std::string printed(const Resolved& profile) {
    std::vector<std::string> lines;
    for (const auto& diagnostic : profile.diagnostics) {
        lines.push_back(diagnostic_text(diagnostic));
    }
    for (const auto& expectation : profile.expectations) {
        lines.push_back(expectation.id + "=" +
                        (expectation.unset ? "unset" : toml_text(expectation.value)) +
                        (expectation.when.empty() ? "" : " when " + expectation.when));
    }
    for (const auto& each : profile.left_out) {
        lines.push_back("no " + each.id + ": " + each.why);
    }
    return join(lines, "\n");
}

std::string lint(const std::string& text) {
    std::vector<std::string> out;
    for (const auto& each :
         parse_profile("t.toml", "[profile]\nname = \"t\"\n" + text).diagnostics) {
        out.push_back(diagnostic_text(each));
    }
    return join(out, "\n");
}

std::string when_fault(const std::string& condition) {
    return lint("[env]\nA = { value = \"1\", when = " + condition + " }\n");
}

std::string with_torch(const std::string& bounds, const std::string& installed) {
    Scene scene;
    if (!installed.empty()) {
        scene.assumed["torch"] = installed;
    }
    scene.add("t", "[env]\nA = { value = \"1\", when = { torch = \"" + bounds + "\" } }\n");
    return scene.resolved({"t"}).expectations.empty() ? "out" : "in";
}

}  // namespace

TEST_CASE("when: versions within bounds", "[profile]") {
    CHECK(with_torch(">=2.6", "2.6.0") == "in");
    CHECK(with_torch(">=2.6", "2.5.1") == "out");
    CHECK(with_torch(">2.6", "2.6.0+rocm6.3") == "out");
    CHECK(with_torch(">2.6", "2.6.1") == "in");
    CHECK(with_torch("<2.9", "2.10.0") == "out");  // 10 is more than 9
    CHECK(with_torch("<2.9", "2.8.0a0+git37f92bb") == "in");
    CHECK(with_torch("<=2.7", "2.7.0") == "in");
    CHECK(with_torch("<=2.7", "2.7.1") == "out");
    CHECK(with_torch("=2.7", "2.7.0") == "in");
    CHECK(with_torch("=2.7", "2.7.1") == "out");
    CHECK(with_torch(">=2.6,<2.9", "2.8") == "in");
    CHECK(with_torch(">=2.6, <2.9", "2.9") == "out");
    CHECK(with_torch(">=99", "") == "in");  // a condition that cannot be evaluated never fails
    CHECK_FALSE(within("main", ">=1"));
}

TEST_CASE("when: an entry left out counts as not written", "[profile]") {
    Scene scene;
    scene.fs.add_file("/opt/rocm/.info/version", "6.4.1-83\n");
    scene.add("base", "[env]\nA = \"old\"\nB = { value = \"1\", when = { rocm = \"<6.4\" } }\n");
    scene.add(
        "t",
        "extends = [\"base\"]\n[env]\nA = { value = \"new\", when = { rocm = \">=7\" } }\n"
        "B = { level = \"info\" }\nC = { value = \"1\", when = { rocm = \">=6\" } }\n"
        "[settings]\n\"cpu.governor\" = { value = \"performance\", when = { rocm = \"<6\" } }\n");
    CHECK(printed(scene.resolved({"t"})) ==
          "env.A=\"old\"\nenv.C=\"1\" when rocm >=6\n"
          "no env.B: rocm is 6.4.1-83, not <6.4\n"
          "no env.A: rocm is 6.4.1-83, not >=7\n"
          "no cpu.governor: rocm is 6.4.1-83, not <6");
    const auto plan = scene.plan({"t"});
    CHECK(plan.errors.empty());
    CHECK(plan.lines == std::vector<EnvLine>{{"A", "old"}, {"C", "1"}});
}

TEST_CASE("when: another GPU fails it, no GPU does not", "[profile]") {
    const std::string text = "[env]\nA = { value = \"1\", when = { device = [\"0x74a1\"] } }\n";
    CHECK(printed(Scene().add("t", text).resolved({"t"})) == "env.A=\"1\" when 0x74a1");
    CHECK(printed(Scene().add("t", text).add_gpu("0x74a1").resolved({"t"})) ==
          "env.A=\"1\" when 0x74a1");
    CHECK(printed(Scene().add("t", text).add_gpu("0x74a5").resolved({"t"})) ==
          "no env.A: 0000:05:00.0 is AMD Instinct MI325X (0x74a5)");
}

TEST_CASE("when: a setting for a GPU is not asked of a machine without any", "[profile]") {
    const std::string text =
        "[settings]\n\"kernel.thp\" = { value = \"always\", when = { device = [\"0x74a0\"] } }\n";
    Scene scene;
    scene.add("t", text).fs.add_file("/sys/bus/pci/devices/0000:00:1f.0/modalias",
                                     "pci:v00008086d00002918sv00000000sd00000000bc06sc01i00\n");
    CHECK(printed(scene.resolved({"t"})) == "no kernel.thp: no AMD GPU is there");
    scene.add_gpu("0x74a0");
    CHECK(printed(scene.resolved({"t"})) == "kernel.thp=\"always\" when 0x74a0");
}

TEST_CASE("when: a kernel module that is not loaded fails it", "[profile]") {
    const std::string text = "[env]\nA = { value = \"1\", when = { module = \"kdreg2\" } }\n";
    Scene scene;
    scene.add("t", text);
    CHECK(printed(scene.resolved({"t"})) == "env.A=\"1\" when module kdreg2");
    scene.fs.add_file("/sys/module/cxi_ss1/refcnt", "1\n");
    CHECK(printed(scene.resolved({"t"})).find("env.A=") == std::string::npos);
    scene.fs.add_file("/sys/module/kdreg2/refcnt", "1\n");
    CHECK(printed(scene.resolved({"t"})) == "env.A=\"1\" when module kdreg2");
    CHECK(!when_fault("{ module = \"../kdreg2\" }").empty());
}

TEST_CASE("when: what only root can read is asked of root", "[profile]") {
    const std::string text = "[env]\nA = { value = \"1\", when = { root = true } }\n";
    Scene scene;
    scene.add("t", text);
    CHECK(printed(scene.resolved({"t"})) == "no env.A: rocenv does not run as root");
    scene.process.is_root = true;
    CHECK(printed(scene.resolved({"t"})) == "env.A=\"1\" when run as root");
}

TEST_CASE("when: lint names what is wrong, and the nearest key", "[profile]") {
    CHECK(when_fault("{ torch = \">=2.6\", gfx = [\"gfx942\"] }").empty());
    CHECK(when_fault("{ troch = \">=2\" }") ==
          "t.toml:4:37: error: unknown key 'troch' in when. Did you mean 'torch'?");
    CHECK(when_fault("{ torch = \"2.6\" }") ==
          "t.toml:4:37: error: when: torch: found \"2.6\", expected text such as \">=2.6\" or "
          "\">=2.6,<2.9\"");
    CHECK(when_fault("{ torch = \">=2.6,\" }").find("expected text such as") != std::string::npos);
    CHECK(when_fault("{ torch = \">=two\" }").find("expected text such as") != std::string::npos);
    CHECK(when_fault("{ rocm = 6 }").find("when: rocm: found 6") != std::string::npos);
    CHECK(when_fault("{ gfx = \"gfx942\" }") ==
          "t.toml:4:35: error: when: gfx: expected a list of texts");
    CHECK(when_fault("{ gfx = [] }").find("expected a list of texts") != std::string::npos);
    CHECK(when_fault("{ device = [\"74a1\"] }") ==
          "t.toml:4:39: error: found '74a1', expected a PCI id such as \"0x74a1\"");
    CHECK(when_fault("{ root = 1 }") == "t.toml:4:36: error: when: root: expected true or false");
    CHECK(when_fault("{ }").find("expected a table such as") != std::string::npos);
    CHECK(when_fault("\"torch\"").find("expected a table such as") != std::string::npos);
}

TEST_CASE("when: a removed variable is fine for versions that end", "[profile]") {
    const auto fault = [](const std::string& rest) {
        return lint("[env]\nVLLM_FP8_ACT_PADDING = { value = \"1\"" + rest + " }\n");
    };
    CHECK(fault("").find("no program reads this variable any more") != std::string::npos);
    CHECK(fault(", when = { vllm = \"<0.10\" }").empty());
    CHECK(fault(", when = { vllm = \">=0.6,<0.10\" }").empty());
    CHECK_FALSE(fault(", when = { vllm = \">=0.6\" }").empty());
    CHECK_FALSE(fault(", when = { torch = \"<2.9\" }").empty());
}

TEST_CASE("must_exist: the file is looked for, and only a path can be", "[profile]") {
    const std::string entry = "[env]\nA = { value = \"/opt/x.so\", must_exist = true }\n";
    Scene scene;
    scene.add("t", entry);
    CHECK(scene.plan({"t"}).warnings ==
          std::vector<std::string>{
              "/etc/rocenv/profiles/t.toml:4:1: warning: A: /opt/x.so does not exist"});
    CHECK(scene.plan({"t"}).lines == std::vector<EnvLine>{{"A", "/opt/x.so"}});
    scene.fs.add_file("/opt/x.so", "");
    CHECK(scene.plan({"t"}).warnings.empty());
    CHECK(lint(entry).empty());
    CHECK(lint("[env]\nA = { value = \"x.so\", must_exist = true }\n") ==
          "t.toml:4:1: error: must_exist = true needs a value that is an absolute path");
    CHECK(lint("[env]\nA = { value = \"/x\", must_exist = \"yes\" }\n") ==
          "t.toml:4:34: error: must_exist = true is valid for variables only");
    CHECK(lint("[settings]\n\"cpu.governor\" = { value = \"x\", must_exist = true }\n")
              .find("is valid for variables") != std::string::npos);
}

TEST_CASE("must_exist: check says so, whatever the text", "[profile]") {
    Scene scene;
    scene.add("t", "[env]\nA = { value = \"/opt/x.so\", must_exist = true }\n");
    const auto outcome = [&] {
        CheckRequest request;
        request.profiles = {"t"};
        request.only = {"env.A"};
        request.root = "tree";
        const auto findings = check(request, scene.fs, scene.fs, scene.process).report.findings;
        REQUIRE(findings.size() == 1);
        return std::string(word_of(findings[0].outcome)) + ": " + findings[0].detail;
    };
    CHECK(outcome() == "differs: the file /opt/x.so does not exist");
    scene.process.environment["A"] = "/opt/x.so";
    CHECK(outcome() == "differs: the file /opt/x.so does not exist");
    scene.fs.add_file("/opt/x.so", "");
    CHECK(outcome() == "ok: ");
    scene.process.environment["A"] = "/opt/y.so";
    CHECK(outcome() == "differs: the file /opt/y.so does not exist");
}

TEST_CASE("also: lines of all profiles involved, each once", "[profile]") {
    Scene scene;
    scene.add("base", "also = [\"b\", \"a\"]\n[env]\nA = \"1\"\n");
    scene.add("t", "extends = [\"base\"]\nalso = [\"c\", \"a\"]\n");
    const auto also = scene.resolved({"t"}).also;
    CHECK(std::vector<std::string>(also.begin(), also.end()) ==
          std::vector<std::string>{"c", "a", "b"});
    CHECK(lint("also = \"a\"\n") == "t.toml:3:8: error: also: expected a list of texts");
    CHECK(lint("alos = [\"a\"]\n") ==
          "t.toml:3:1: error: unknown key 'alos' in [profile]. Did you mean 'also'?");
    CHECK(lint("auto = 1\n") == "t.toml:3:8: error: auto: expected true or false");
}

TEST_CASE("conflicts: two of -p, neither extending the other", "[profile]") {
    Scene scene;
    scene.add("base", "[env]\nA = \"0\"\nB = \"0\"\n[settings]\n\"cpu.governor\" = \"x\"\n");
    scene.add("one", "extends = [\"base\"]\n[env]\nA = \"1\"\nC = \"1\"\n");
    scene.add("two", "extends = [\"base\"]\n[env]\nA = \"2\"\nC = { unset = true }\n");
    scene.add("same", "[env]\nA = \"1\"\n[settings]\n\"cpu.governor\" = \"y\"\n");
    scene.add("both", "extends = [\"one\", \"two\"]\n");
    const auto warnings = [&](const std::vector<std::string>& names) {
        std::vector<std::string> out;
        for (const auto& each : scene.resolved(names).diagnostics) {
            out.push_back(diagnostic_text(each));
        }
        return join(out, "\n");
    };
    CHECK(
        warnings({"one", "two"}) ==
        "/etc/rocenv/profiles/two.toml:5:1: warning: env.A: \"2\" here takes the place of \"1\" at "
        "/etc/rocenv/profiles/one.toml:5:1, and neither profile extends the other\n"
        "/etc/rocenv/profiles/two.toml:6:1: warning: env.C: unset here takes the place of \"1\" at "
        "/etc/rocenv/profiles/one.toml:6:1, and neither profile extends the other");
    CHECK(warnings({"base", "one"}).empty());  // the child knows what it changes
    CHECK(warnings({"one", "base"}).empty());  // and so does who names the parent after it
    CHECK(warnings({"one", "same"}).empty());  // one value; settings are no contradiction
    CHECK(warnings({"both"}).empty());         // the author chose the order
    CHECK(warnings({"two", "same"}).find("\"1\" here takes the place of \"2\"") !=
          std::string::npos);
    CHECK(scene.plan({"one", "two"}).warnings.size() == 2);
}

}  // namespace rocenv::condition_test
