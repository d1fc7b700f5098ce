// SPDX-License-Identifier: MIT
// A list that is missing or unreadable is not an empty list: whatever source of the inventory a
// machine loses, no finding turns into "does not exist here".
#include <algorithm>
#include <cerrno>
#include <map>

#include "check/check.h"
#include "report/render.h"
#include "support/catch.h"
#include "support/machines.h"
#include "util/text.h"

namespace rocenv::lost_sources_test {

namespace {

constexpr const char* gpu_machines[] = {"mi300x-tuned", "mi250x", "mi300a"};
constexpr const char* sources[] = {"/sys/bus/pci",          "/sys/bus/pci/devices",
                                   "/sys/class/kfd",        "/sys/class/drm",
                                   "/sys/module",           "/sys/devices/system/cpu/cpufreq",
                                   "/sys/class/infiniband", "/sys/class/net"};

Report checked(const Fs& machine, const std::vector<std::string>& profiles,
               const std::string& site = "", const std::vector<std::string>& expectations = {}) {
    MemoryFs host;
    if (!site.empty()) {
        host.add_file("/etc/rocenv/site.toml", site);
    }
    CheckRequest request;
    request.profiles = profiles;
    request.overrides = expectations;
    Process process;
    process.environment.emplace("SOURCE_DATE_EPOCH", "86400");
    const auto result = check(request, machine, host, process);
    CHECK(result.errors.empty());
    return result.report;
}

std::map<std::string, std::vector<Outcome>> outcomes_by_id(const Report& report) {
    std::map<std::string, std::vector<Outcome>> out;
    for (const auto& finding : report.findings) {
        out[finding.id].push_back(finding.outcome);
    }
    return out;
}

bool has(const std::vector<Outcome>& outcomes, Outcome outcome) {
    return std::find(outcomes.begin(), outcomes.end(), outcome) != outcomes.end();
}

const Finding* find(const Report& report, const std::string& id) {
    const auto found = std::find_if(report.findings.begin(), report.findings.end(),
                                    [&](const Finding& each) { return each.id == id; });
    return found == report.findings.end() ? nullptr : &*found;
}

// A machine with what shows that each source should have entries.
MemoryFs with_evidence(const char* name) {
    MemoryFs fs(machine_fs(name));
    fs.add_folder("/sys/devices/system/cpu/cpu0/cpufreq");
    fs.add_folder("/sys/module/ib_core");
    return fs;
}

enum class Loss { missing, refused, broken };

void lose(MemoryFs& fs, const std::string& folder, Loss loss) {
    fs.remove(folder);
    if (loss != Loss::missing) {
        fs.add_error(folder, loss == Loss::refused ? EACCES : EIO);
    }
}

// A machine without PCI, KFD, DRM and driver, as some sandboxes have it.
MemoryFs bare() {
    MemoryFs fs(machine_fs("no-gpu"));
    fs.remove("/sys/bus/pci");
    return fs;
}

}  // namespace

TEST_CASE("lost sources: nothing that was judged does not exist afterwards") {
    std::size_t asked = 0;
    for (const char* name : gpu_machines) {
        const auto before = outcomes_by_id(checked(with_evidence(name), {"acceptance"}));
        for (const char* source : sources) {
            for (const auto loss : {Loss::missing, Loss::broken}) {
                INFO(name << " without " << source << " " << static_cast<int>(loss));
                auto fs = with_evidence(name);
                lose(fs, source, loss);
                const auto report = checked(fs, {"acceptance"});
                for (const auto& [id, now] : outcomes_by_id(report)) {
                    INFO(id);
                    const auto found = before.find(id);
                    const bool judged = found != before.end() && !has(found->second, Outcome::na) &&
                                        !has(found->second, Outcome::unknown);
                    CHECK_FALSE((judged && has(now, Outcome::na)));
                    ++asked;
                }
            }
        }
    }
    CHECK(asked > 3000);
}

TEST_CASE("lost sources: without the PCI list a node with GPUs never passes") {
    for (const char* name : gpu_machines) {
        for (const auto loss : {Loss::missing, Loss::refused, Loss::broken}) {
            for (const char* profile : {"auto", "ci-preflight", "acceptance", "benchmark"}) {
                INFO(name << " " << profile << " " << static_cast<int>(loss));
                MemoryFs fs(machine_fs(name));
                lose(fs, "/sys/bus/pci", loss);
                const auto report = checked(fs, {profile});
                CHECK((report.exit_code == 3 || report.exit_code == 1));
                const Finding* count = find(report, "gpu.count");
                REQUIRE(count != nullptr);
                CHECK(count->outcome == Outcome::unknown);
                CHECK(count->level == Level::required);
                const Finding* chosen = find(report, "profile.auto");
                CHECK((chosen == nullptr) == (std::string(profile) == "ci-preflight"));
                CHECK((chosen == nullptr ||
                       (chosen->outcome == Outcome::unknown && chosen->level == Level::required)));
                for (const auto& finding : report.findings) {
                    INFO(finding.id);
                    CHECK_FALSE((finding.id.starts_with("gpu.") && finding.outcome == Outcome::na));
                }
            }
        }
    }
}

TEST_CASE("lost sources: no PCI list and no evidence") {
    const auto fs = bare();
    const auto report = checked(fs, {"auto"});
    const Finding* chosen = find(report, "profile.auto");
    REQUIRE(chosen != nullptr);
    CHECK(chosen->outcome == Outcome::unknown);
    CHECK(chosen->level == Level::recommended);
    CHECK(report.exit_code == 0);

    const auto stated = checked(fs, {"auto"}, "", {"gpu.count=8"});
    REQUIRE(find(stated, "profile.auto") != nullptr);
    CHECK(find(stated, "profile.auto")->level == Level::required);
    CHECK(find(stated, "gpu.count")->outcome == Outcome::unknown);
    CHECK(stated.exit_code == 3);

    for (const char* profile : {"ci-preflight", "mi300x", "acceptance"}) {
        const auto asked = checked(fs, {profile, "mi300x"});
        for (const auto& finding : asked.findings) {
            INFO(finding.id);
            CHECK_FALSE((finding.id.starts_with("gpu.") && finding.level == Level::required &&
                         finding.outcome != Outcome::unknown));
        }
    }
}

TEST_CASE("lost sources: gpu.count is required, whatever the profile names") {
    for (const char* evidence : {"kfd", "drm", "driver"}) {
        MemoryFs fs(machine_fs("mi300x-tuned"));
        lose(fs, "/sys/bus/pci/devices", Loss::missing);
        if (std::string(evidence) != "kfd") {
            lose(fs, "/sys/class/kfd", Loss::missing);
        }
        if (std::string(evidence) != "driver") {
            lose(fs, "/sys/bus/pci/drivers", Loss::missing);
        }
        for (const char* profile : {"auto", "benchmark", "acceptance", "mi300x",
                                    "mlperf-5.1-llama2-70b-offline-mi300x", "ci-preflight"}) {
            INFO(evidence << ", " << profile);
            const auto report = checked(fs, {profile});
            const Finding* count = find(report, "gpu.count");
            REQUIRE(count != nullptr);
            CHECK(count->outcome == Outcome::unknown);
            CHECK(count->level == Level::required);
            CHECK((report.exit_code == 3 || report.exit_code == 1));
        }
        const auto lowered =
            checked(fs, {"auto"}, "", {"gpu.count={value=8,level=\"recommended\"}"});
        CHECK(find(lowered, "gpu.count")->level == Level::required);
        CHECK(find(checked(fs, {"host"}), "gpu.count") == nullptr);
        CHECK(find(checked(fs, {"inductor-ck"}), "gpu.count") == nullptr);
    }
    const auto stated = checked(bare(), {"mlperf-5.1-llama2-70b-offline-mi300x"});
    REQUIRE(find(stated, "gpu.count") != nullptr);
    CHECK(stated.exit_code == 3);
    CHECK(find(checked(bare(), {"auto"}), "gpu.count") == nullptr);
}

TEST_CASE("lost sources: the driver's parameters and the CPUs' policies") {
    MemoryFs fs(machine_fs("mi300x-tuned"));
    lose(fs, "/sys/module/amdgpu/parameters", Loss::missing);
    CHECK(outcomes_by_id(checked(fs, {"acceptance"}))["gpu.parameters"] ==
          std::vector<Outcome>{Outcome::unknown});
    lose(fs, "/sys/module/amdgpu", Loss::missing);
    CHECK(outcomes_by_id(checked(fs, {"acceptance"}))["gpu.parameters"] ==
          std::vector<Outcome>{Outcome::unknown});

    for (const char* cpu : {"cpu0", "cpu7"}) {
        INFO(cpu);
        MemoryFs linked(machine_fs("mi300x-tuned"));
        lose(linked, "/sys/devices/system/cpu/cpufreq", Loss::missing);
        linked.add_link("/sys/devices/system/cpu/" + std::string(cpu) + "/cpufreq",
                        "../cpufreq/policy0");
        const auto governor = outcomes_by_id(checked(linked, {"host"}))["cpu.governor"];
        CHECK(governor == std::vector<Outcome>{Outcome::unknown});
    }
}

TEST_CASE("lost sources: memory controllers whose driver is loaded") {
    MemoryFs fs(machine_fs("mi300a"));
    lose(fs, "/sys/devices/system/edac", Loss::missing);
    CHECK(outcomes_by_id(checked(fs, {"acceptance"}))["memory.errors"] ==
          std::vector<Outcome>{Outcome::na});
    fs.add_folder("/sys/module/amd64_edac");
    CHECK(outcomes_by_id(checked(fs, {"acceptance"}))["memory.errors"] ==
          std::vector<Outcome>{Outcome::unknown});
}

TEST_CASE("lost sources: a guest's values that may not be read are unknown") {
    for (const char* file : {"/sys/devices/system/node/online", "/sys/devices/system/cpu/online"}) {
        INFO(file);
        MemoryFs fs(machine_fs("guest"));
        CHECK_FALSE(has(outcomes_by_id(checked(fs, {"acceptance"}))["cpu.nodes_per_socket"],
                        Outcome::unknown));
        fs.add_error(file, EACCES);
        CHECK(outcomes_by_id(checked(fs, {"acceptance"}))["cpu.nodes_per_socket"] ==
              std::vector<Outcome>{Outcome::unknown});
    }
}

TEST_CASE("lost sources: PCI lists no GPU") {
    const Fs& fs = machine_fs("no-gpu");
    for (const char* profile : {"auto", "benchmark"}) {
        const auto report = checked(fs, {profile});
        const Finding* chosen = find(report, "profile.auto");
        REQUIRE(chosen != nullptr);
        CHECK(chosen->outcome == Outcome::differs);
        CHECK(chosen->level == Level::recommended);
        CHECK(chosen->detail == "no AMD GPU found; only host settings were checked");
        CHECK(report.exit_code == 0);
    }
    CHECK(find(checked(fs, {"host"}), "profile.auto") == nullptr);
    const std::string none = "[settings]\n\"gpu.count\" = 0\n";
    CHECK(find(checked(fs, {"auto"}, none), "profile.auto") == nullptr);
    CHECK(checked(fs, {"auto"}, none).exit_code == 0);

    const auto stated = checked(fs, {"auto"}, "[settings]\n\"gpu.count\" = 8\n");
    REQUIRE(find(stated, "profile.auto") != nullptr);
    CHECK(find(stated, "profile.auto")->level == Level::required);
    CHECK(stated.exit_code == 1);
    CHECK(find(checked(fs, {"auto", "mi300x"}), "profile.auto")->level == Level::required);
}

TEST_CASE("lost sources: every format says that no GPU was found") {
    const auto one_line = [](const std::string& text) {
        std::string out;
        for (const auto word : words(text)) {
            out.append(word).append(" ");
        }
        return out;
    };
    for (const std::string fault : {"", "kernel.numa_balancing={value=3,level=\"required\"}"}) {
        const auto report =
            checked(machine_fs("no-gpu"), {"auto"}, "",
                    fault.empty() ? std::vector<std::string>() : std::vector{fault});
        const bool failed = !fault.empty();
        INFO(fault);
        CHECK((report.exit_code == 0) != failed);
        const std::string sentence = "no AMD GPU found; only host settings were checked";
        for (const auto& text : {render_human(report, Detail::normal, Colour::no),
                                 render_json(report), render_jsonl(report), render_junit(report),
                                 render_github(report), render_prometheus(report)}) {
            CHECK(one_line(text).find(sentence.substr(1)) != std::string::npos);
        }
        for (const auto& text : {render_brief(report), render_nagios(report)}) {
            INFO(text);
            CHECK(text.find(failed ? "; no AMD GPU found" : sentence) != std::string::npos);
            CHECK(text.substr(0, text.find(" | ")).size() <= 81);
        }
    }
    const auto with_gpus = checked(machine_fs("mi300x-tuned"), {"auto"});
    CHECK(render_prometheus(with_gpus).find("no AMD GPU") == std::string::npos);
}

TEST_CASE("lost sources: PCI lists no GPU, and another source has one") {
    for (const char* name : gpu_machines) {
        INFO(name);
        MemoryFs fs(machine_fs(name));
        lose(fs, "/sys/bus/pci/devices", Loss::missing);
        fs.add_folder("/sys/bus/pci/devices");
        const auto report = checked(fs, {"auto"});
        const Finding* chosen = find(report, "profile.auto");
        REQUIRE(chosen != nullptr);
        CHECK(chosen->outcome == Outcome::differs);
        CHECK(chosen->level == Level::required);
        CHECK(report.exit_code == 1);
    }
    MemoryFs fs(machine_fs("no-gpu"));
    fs.add_link("/sys/class/drm/card1/device/driver", "../../../bus/pci/drivers/amdgpu");
    const auto report = checked(fs, {"auto"});
    REQUIRE(find(report, "profile.auto") != nullptr);
    CHECK(find(report, "profile.auto")->level == Level::required);
    CHECK(report.exit_code == 1);
}

}  // namespace rocenv::lost_sources_test
