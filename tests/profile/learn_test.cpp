// SPDX-License-Identifier: MIT
// profile learn: on every machine a profile without findings of lint and check, in which each
// setting has an expectation or a reason for its absence, and no name of a user or host.
#include "profile/learn.h"

#include <algorithm>

#include "check/check.h"
#include "profile/profile.h"
#include "settings/registry.h"
#include "support/catch.h"
#include "support/machines.h"
#include "util/text.h"

namespace rocenv::learn_test {

namespace {

Process asking(std::map<std::string, std::string> environment = {}) {
    Process process;
    process.environment = std::move(environment);
    process.environment.emplace("SOURCE_DATE_EPOCH", "86400");
    return process;
}

std::string learned(const Fs& machine, const Process& process = asking(),
                    const LearnRequest& request = {}) {
    const auto out = learn_profile(request, machine, process);
    CHECK(out.errors.empty());
    return out.text;
}

// Checks the machine against a profile's text.
Report checked(const Fs& machine, const std::string& text, const Process& process = asking()) {
    MemoryFs host;
    host.add_file("/learned.toml", text);
    CheckRequest request;
    request.profiles = {"/learned.toml"};
    const auto result = check(request, machine, host, process);
    CHECK(result.errors.empty());
    return result.report;
}

bool holds(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

// The line of an id, without the id: " = { … }" or ": why not".
std::string line_of(const std::string& text, const std::string& id) {
    for (const auto line : split(text, '\n')) {
        const std::string quoted = "\"" + id + "\" ";
        if (line.starts_with(quoted) || line.starts_with(id + " ")) {
            return std::string(trim(line.substr(line.find('='))));
        }
        if (line.starts_with("# " + id + ": ")) {
            return std::string(line.substr(2 + id.size()));
        }
    }
    return "";
}

void check_all_as_expected(const Report& report) {
    for (const auto& finding : report.findings) {
        CAPTURE(finding.id, finding.target, finding.detail);
        CHECK((finding.outcome == Outcome::ok || finding.outcome == Outcome::na));
    }
}

bool is_ok_somewhere(const Report& report, const std::string& id) {
    return std::any_of(report.findings.begin(), report.findings.end(), [&](const Finding& finding) {
        return finding.id == id && finding.outcome == Outcome::ok;
    });
}

const std::string required_level = "level = \"required\"";

std::string expected(const std::string& value, const std::string& level = "recommended") {
    return "= { " + value + ", level = \"" + level + "\", why = \"as learned on 1970-01-02\" }";
}

MemoryFs small_machine() {
    MemoryFs fs;
    fs.add_folder("/sys/kernel/mm");
    fs.add_file("/proc/sys/kernel/numa_balancing", "1\n");
    fs.add_file("/proc/sys/kernel/hostname", "node17\n");
    for (const char* policy : {"policy0", "policy1"}) {
        fs.add_file(std::string("/sys/devices/system/cpu/cpufreq/") + policy + "/scaling_governor",
                    "powersave\n");
    }
    return fs;
}

}  // namespace

TEST_CASE("learned from any machine: lint finds nothing and check finds all as wanted", "[long]") {
    const auto names = fixture_names();
    REQUIRE(names.size() >= 15);
    for (const auto& name : names) {
        CAPTURE(name);
        const std::string text = learned(machine_fs(name));
        const auto profile = parse_profile("learned.toml", text);
        CHECK(profile.diagnostics.empty());
        CHECK(profile.entries.size() >= 10);
        const auto report = checked(machine_fs(name), text);
        CHECK(report.findings.size() >= profile.entries.size());
        check_all_as_expected(report);
        for (const auto& entry : profile.entries) {
            CAPTURE(entry.id);
            const bool required = line_of(text, entry.id).find(required_level) != std::string::npos;
            CHECK(entry.level == (required ? Level::required : Level::recommended));
            CHECK((!required || entry.id.starts_with("gpu.") || entry.id == "pci.link"));
            CHECK(is_ok_somewhere(report, entry.id));
        }
    }
}

TEST_CASE("learned from any machine: each setting is wanted, or told why not", "[long]") {
    for (const auto& name : fixture_names()) {
        CAPTURE(name);
        const std::string text = learned(machine_fs(name));
        for (const Setting* setting : all_settings()) {
            const std::string id(setting->info.id);
            CAPTURE(id);
            CHECK((id == "env." || line_of(text, id).size() > 10));
        }
        const auto hostname = Machine(machine_fs(name)).facts().hostname;
        CHECK(!holds(text, hostname + "."));
    }
}

TEST_CASE("learned values") {
    const std::string tuned = learned(machine_fs("mi300x-tuned"));
    CHECK(line_of(tuned, "gpu.count") == expected("value = 8", "required"));
    CHECK(line_of(tuned, "gpu.xgmi_links") == expected("value = \"equal\"", "required"));
    CHECK(line_of(tuned, "pci.link") == expected("value = \"32.0 GT/s x16\"", "required"));
    CHECK(line_of(tuned, "gpu.driver") == expected("value = \">=6.8.5\""));
    CHECK(line_of(tuned, "gpu.determinism") == expected("value = 1900"));
    CHECK(line_of(tuned, "pci.acs") == expected("policy = \"off\", scope = \"all\""));
    CHECK(line_of(tuned, "cpu.idle") == expected("max_latency_us = 1"));
    CHECK(holds(tuned, "device = [\"0x74a1\"]"));
    CHECK(holds(line_of(tuned, "kernel.cmdline"), "wanted = [\"iommu=pt\", \"pci=realloc=off\"]"));
    const std::string untuned = learned(machine_fs("mi300x-spx"));
    CHECK(line_of(untuned, "gpu.determinism") == expected("value = \"off\""));
    CHECK(line_of(untuned, "cpu.idle") == expected("max_latency_us = 100"));
}

TEST_CASE("what is not learned says why") {
    CHECK(line_of(learned(machine_fs("mi300x-cpx")), "gpu.determinism") ==
          ": differs between targets: 1900 on 0000:05:00.0 and 6 more, lost on 0000:49:00.0");
    CHECK(line_of(learned(machine_fs("mi300x-fallen")), "gpu.count") ==
          ": is fallen off the bus here: the GPU returns all ones to every read of its PCI "
          "configuration");
    CHECK(line_of(learned(machine_fs("suspended")), "gpu.compute_partition") ==
          ": not known: 0000:63:00.0: 0000:63:00.0 is suspended, and a read would wake it");
    CHECK(line_of(learned(machine_fs("guest")), "kernel.iommu") ==
          ": not here: this is a guest, and its host decides this setting");
    MemoryFs fs = small_machine();
    fs.add_file("/sys/devices/system/cpu/cpufreq/policy1/scaling_governor", "performance\n");
    CHECK(line_of(learned(fs), "cpu.governor") ==
          ": differs between targets: performance on policy1, powersave on policy0");
    CHECK(line_of(learned(small_machine()), "cpu.governor") == expected("value = \"powersave\""));
}

TEST_CASE("a job on the GPUs and a service that is no rival are nothing to want") {
    MemoryFs fs(machine_fs("mi300x-spx"));
    fs.add_file("/sys/class/kfd/kfd/proc/4711/pasid", "32769\n");
    fs.add_folder("/sys/fs/cgroup/system.slice/tuned.service");
    const std::string text = learned(fs);
    CHECK(line_of(text, "gpu.users").starts_with(": is 1 here"));
    CHECK(line_of(text, "host.rivals").starts_with(": is tuned here"));
}

TEST_CASE("Learning with --only and --skip") {
    LearnRequest request;
    request.only = {"kernel.*"};
    request.skip = {"kernel.thp*"};
    const std::string text = learned(small_machine(), asking({{"NCCL_DEBUG", "INFO"}}), request);
    CHECK(line_of(text, "kernel.numa_balancing") == expected("value = 1"));
    CHECK(line_of(text, "kernel.thp").empty());
    CHECK(line_of(text, "cpu.governor").empty());
    CHECK(!holds(text, "[env]"));
    request.only = {"kernel.nuna_balancing"};
    const auto wrong = learn_profile(request, small_machine(), asking());
    REQUIRE(wrong.errors.size() == 1);
    CHECK(holds(wrong.errors.front(), "Did you mean 'kernel.numa_balancing'?"));
    CHECK(wrong.text.empty());
}

TEST_CASE("Learning at a level") {
    LearnRequest request;
    request.only = {"gpu.count", "cpu.governor", "env.*"};
    for (const auto level : {Level::required, Level::recommended, Level::info}) {
        request.level = level;
        const std::string text =
            learned(machine_fs("mi300x-tuned"), asking({{"NCCL_DEBUG", "INFO"}}), request);
        const std::string word(word_of(level));
        CHECK(line_of(text, "gpu.count") == expected("value = 8", word));
        CHECK(line_of(text, "cpu.governor") == expected("value = \"performance\"", word));
        CHECK(line_of(text, "NCCL_DEBUG") == expected("value = \"INFO\"", word));
    }
}

TEST_CASE("names that learn takes for its profile") {
    for (const char* name : {"", "a/b", ".hidden", "-p", "a b", "site.toml", "a\nb"}) {
        CAPTURE(name);
        LearnRequest request;
        request.name = name;
        CHECK(learn_profile(request, small_machine(), asking()).errors.size() == 1);
    }
    LearnRequest request;
    request.name = "site-1.a";
    CHECK(parse_profile("x", learned(small_machine(), asking(), request)).name == "site-1.a");
}

TEST_CASE("variables are learned without who set them") {
    const Process process = asking({{"HOME", "/home/anna"},
                                    {"USER", "anna"},
                                    {"TRITON_CACHE_DIR", "/home/anna/.triton"},
                                    {"MIOPEN_USER_DB_PATH", "/scratch/anna/db"},
                                    {"MIOPEN_CUSTOM_CACHE_DIR", "/data/node17/cache"},
                                    {"NCCL_DEBUG", "INFO"},
                                    {"NCCL_DEBUG_FILE", "/tmp/10.1.2.3.log"},
                                    {"HIP_FORCE_DEV_KERNARG", "yes"},
                                    {"MASTER_ADDR", "peer99"},
                                    {"PYTORCH_TUNABLEOP_ENABLED", "0"},
                                    {"PYTORCH_TUNABLEOP_FILENAME", "/a/${x}$$.csv"},
                                    {"UMBP_MASTER_ADDRESS", "bob:word17@master:50051"},
                                    {"MY_TOKEN", "hunter2"}});
    const std::string text = learned(small_machine(), process);
    CHECK(line_of(text, "TRITON_CACHE_DIR") == expected("value = \"${HOME}/.triton\""));
    CHECK(line_of(text, "NCCL_DEBUG") == expected("value = \"INFO\""));
    CHECK(line_of(text, "PYTORCH_TUNABLEOP_FILENAME") == expected("value = \"/a/$${x}$$$.csv\""));
    for (const char* name : {"MIOPEN_USER_DB_PATH", "MIOPEN_CUSTOM_CACHE_DIR", "NCCL_DEBUG_FILE"}) {
        CHECK(line_of(text, name) == ": holds the name of a user or host, or an address");
    }
    CHECK(line_of(text, "MASTER_ADDR") == ": belongs to one process or job");
    CHECK(holds(line_of(text, "HIP_FORCE_DEV_KERNARG"), "as off; write 1 or 0"));
    CHECK(line_of(text, "PYTORCH_TUNABLEOP_ENABLED").empty());  // as it would be unset
    for (const char* secret :
         {"anna", "node17", "10.1.2.3", "TOKEN", "hunter2", "peer99", "word17"}) {
        CAPTURE(secret);
        CHECK(!holds(text, secret));
    }
    CHECK(parse_profile("x", text).diagnostics.empty());
    for (const auto& finding : checked(small_machine(), text, process).findings) {
        const bool learnt = holds(text, "\n" + finding.id.substr(4) + " ");
        CAPTURE(finding.id, finding.detail);
        CHECK((!learnt || finding.outcome == Outcome::ok));
    }
}

TEST_CASE("under sudo nothing of the caller is learned") {
    Process process = asking({{"NCCL_DEBUG", "INFO"}});
    process.is_root = process.through_sudo = true;
    const std::string text = learned(small_machine(), process);
    CHECK(!holds(text, "NCCL_DEBUG"));
    CHECK(line_of(text, "limits.memlock").starts_with(": asked through sudo"));
    CHECK(line_of(text, "kernel.numa_balancing") == expected("value = 1"));
}

TEST_CASE("identities in a comment") {
    const Identity identity(asking({{"HOME", "/home/anna/"}, {"USER", "anna"}}), "guest");
    CHECK(identity.taken_out("/home/anna/rocm: no") == "${HOME}/rocm: no");
    CHECK(identity.taken_out("no driver (a guest)") == "no driver (a guest)");
    CHECK(identity.taken_out("/data/guest/x is \"anna\"") == "/data/redacted/x is \"redacted\"");
    CHECK(identity.taken_out("/susanna/x anna@here") == "/susanna/x redacted@here");
    CHECK(identity.as_value("/a:/home/anna:/home/annabel") == "/a:${HOME}:/home/annabel");
    CHECK(!identity.is_in("/opt/rocm-6.2.0/lib"));
    CHECK(!identity.is_in("9.4.2"));
    CHECK(identity.is_in("tcp://x"));
    CHECK(identity.is_in("fe80::1"));
    CHECK(identity.is_in("[2001:db8:0:0:1:2:3:4]:80"));
    CHECK(identity.is_in("a=10.0.0.1."));
    CHECK(identity.is_in("52:54:00:12:34:56"));
    const Identity other_user(asking({{"HOME", "/"}}), "");
    CHECK(other_user.as_value("/a/b") == "/a/b");
}

}  // namespace rocenv::learn_test
