// SPDX-License-Identifier: MIT
// Contents of the shipped profiles: each line with its reason and dated source, and its level.
#include <algorithm>
#include <map>
#include <set>

#include "machine/gpu/gpu_models.h"
#include "machine/host/boot_words.h"
#include "os/fs/memory_fs.h"
#include "os/fs/posix_fs.h"
#include "profile/profile.h"
#include "profile/profile_image.h"
#include "settings/registry.h"
#include "support/catch.h"
#include "util/text.h"
#include "variables/catalogue.h"
#include "variables/reading.h"
#include "variables/releases/versions.h"

namespace rocenv::shipped_profiles_test {

namespace {

const ProfileStore& store() {
    static const MemoryFs nothing;
    static const Process process;
    static const ProfileStore shipped(nothing, process);
    return shipped;
}

std::vector<std::string> names() {
    return store().names();
}

Resolved resolved(const std::string& name) {
    return resolve(store(), {name}, {});
}

bool holds_year(const std::string& text) {
    for (std::size_t at = 0; at + 4 <= text.size(); ++at) {
        const auto year = parse_number(std::string_view(text).substr(at, 4));
        if (year && *year >= 2000 && *year < 2100) {
            return true;
        }
    }
    return false;
}

// Columns: host, mi…, …-benchmark, rccl-multinode, ci-preflight, container, env-check. "req",
// "rec", "info", "-": not in it.
struct Row {
    const char* id;
    const char* levels;
};

constexpr Row table[] = {
    {"gpu.driver", "-    req  req  req  req  -    -"},
    {"gpu.count", "-    req  req  req  req  -    -"},
    {"gpu.model", "-    req  req  -    req  -    -"},
    {"gpu.xgmi", "-    req  req  req  req  -    -"},
    {"gpu.compute_units", "-    req  req  -    req  -    -"},
    {"gpu.atomics", "-    info info -    rec  info -"},
    {"gpu.parameters", "-    info info -    rec  info -"},
    {"gpu.soc_pstate", "-    info info -    -    -    -"},
    {"cpu.boost", "info info info -    -    -    -"},
    {"pci.aer", "-    req  req  -    req  -    -"},
    {"gpu.bad_pages", "-    -    -    -    req  -    -"},
    {"gpu.ras_events", "-    -    -    -    req  -    -"},
    {"memory.errors", "-    -    -    -    req  -    -"},
    {"memory.corrupted", "-    -    -    -    req  -    -"},
    {"kernel.health", "-    -    -    -    req  -    -"},
    {"limits.cpus", "-    -    -    -    -    rec  -"},
    {"limits.memory", "-    -    -    -    -    info -"},
    {"limits.pids", "-    -    -    -    -    info -"},
    {"gpu.visible", "-    rec  rec  req  req  req  -"},
    {"access.kfd", "-    -    -    -    rec  req  -"},
    {"access.render", "-    -    -    -    rec  req  -"},
    {"gpu.users", "-    info rec  -    info -    -"},
    {"kernel.numa_balancing", "rec  rec  req  req  -    info req"},
    {"cpu.governor", "rec  rec  rec  rec  -    -    req"},
    {"cpu.idle", "info info rec  rec  -    -    rec"},
    {"gpu.determinism", "-    info rec  -    -    -    rec"},
    {"pci.acs", "-    info rec  req  -    -    rec"},
    {"kernel.cmdline", "info rec  rec  req  -    -    -"},
    {"kernel.iommu", "info rec  rec  rec  rec  -    -"},
    {"pci.link", "info rec  rec  rec  rec  -    -"},
    {"pci.large_bar", "info rec  rec  -    rec  -    -"},
    {"limits.memlock", "info info info req  rec  rec  -"},
    {"limits.shm", "-    -    -    rec  -    rec  -"},
    {"env.HIP_FORCE_DEV_KERNARG", "info rec  rec  -    -    rec  rec"},
    {"cpu.smt", "-    info info info -    -    -"},
    {"kernel.nmi_watchdog", "-    info info info -    -    -"},
    {"gpu.compute_partition", "-    req  req  info req  -    -"},
    {"gpu.memory_partition", "-    req  req  info req  -    -"},
    {"host.rivals", "-    info info info -    -    -"},
    {"rocm.version", "-    info info info -    -    -"},
    {"rocm.arch", "-    rec  rec  -    -    rec  -"},
    {"rocm.driver_match", "-    rec  rec  -    -    rec  -"},
    {"rdma.count", "-    -    -    req  -    -    -"},
    {"rdma.port", "-    -    -    req  -    -    -"},
    {"rdma.rate", "-    -    -    req  -    -    -"},
    {"rdma.gid", "-    -    -    req  -    -    -"},
    {"rdma.firmware", "-    -    -    rec  -    -    -"},
    {"rdma.errors", "-    -    -    rec  -    -    -"},
    {"rdma.gpu_direct", "-    -    -    rec  -    -    -"},
    {"gpu.nic", "-    -    -    rec  -    -    -"},
    {"net.link", "-    -    -    req  -    -    -"},
    {"net.mtu", "-    -    -    rec  -    -    -"},
    {"net.flaps", "-    -    -    info -    -    -"},
    {"net.rp_filter", "-    -    -    rec  -    -    -"},
    {"net.arp_ignore", "-    -    -    rec  -    -    -"},
    {"net.arp_announce", "-    -    -    rec  -    -    -"},
    {"limits.nofile", "-    -    -    rec  -    -    -"},
};

const std::vector<std::string> special_nodes{"rccl-multinode", "ci-preflight", "container",
                                             "env-check"};

// Returns whether a profile is of the spec's kind for a node's state, not of the kind for a
// program's environment.
bool is_of_node(const std::string& name) {
    const bool model = name == "mi" || (name.starts_with("mi") && name[2] >= '0' && name[2] <= '9');
    return model || name.starts_with("host") ||
           std::find(special_nodes.begin(), special_nodes.end(), name) != special_nodes.end();
}

std::vector<std::string> names_where(bool of_node) {
    std::vector<std::string> out;
    for (const auto& name : names()) {
        if (name != "acceptance" && is_of_node(name) == of_node) {
            out.push_back(name);
        }
    }
    return out;
}

ProfileText text_of(const std::string& name) {
    return store().find(name).value();
}

std::string column_of(const std::string& profile, const std::string& levels) {
    const auto& others = special_nodes;
    std::size_t column = profile == "host" ? 0 : profile.ends_with("-benchmark") ? 2 : 1;
    const auto other = std::find(others.begin(), others.end(), profile);
    if (other != others.end()) {
        column = 3 + static_cast<std::size_t>(other - others.begin());
    }
    return std::string(words(levels).at(column));
}

// Cells of the table that name a profile of their own, and what a profile for any model cannot say.
std::string level_stated(const std::string& profile, const Row& row) {
    const std::string id = row.id;
    const bool older = profile.starts_with("mi100") || profile.starts_with("mi200");
    if (id == "env.HIP_FORCE_DEV_KERNARG" && older) {
        return "info";
    }
    const bool of_gpus =
        id.starts_with("gpu.") || id == "pci.acs" || id == "pci.aer" || id.starts_with("rocm.");
    const bool of_any_model = profile == "mi" || profile == "mi-benchmark";
    if ((profile == "host-benchmark" && of_gpus) || (of_any_model && id == "rocm.version")) {
        return "-";
    }
    if (id == "gpu.xgmi" && (older || of_any_model)) {
        return "rec";  // no published full mesh for these boards
    }
    return column_of(profile, row.levels);
}

std::string level_found(const std::vector<Expectation>& expectations, const std::string& id) {
    for (const auto& expectation : expectations) {
        if (expectation.id == id) {
            return expectation.level == Level::required      ? "req"
                   : expectation.level == Level::recommended ? "rec"
                                                             : "info";
        }
    }
    return "-";
}

}  // namespace

TEST_CASE("shipped: each resolves, with reasons and dated sources", "[profile]") {
    CHECK(names().size() >= 19);
    for (const auto& name : names()) {
        INFO(name);
        CHECK(is_shipped(name));
        const auto text = text_of(name);
        CHECK(text.name == name);
        CHECK_FALSE(text.summary.empty());
        const auto profile = resolved(name);
        CHECK(profile.diagnostics.empty());
        CHECK_FALSE(profile.expectations.empty());
        for (const auto& expectation : profile.expectations) {
            INFO(expectation.id << ": " << expectation.why << " (" << expectation.source << ")");
            CHECK_FALSE(expectation.why.empty());
            CHECK(expectation.why.size() <= 150);
            CHECK(holds_year(expectation.source));
        }
    }
}

TEST_CASE("shipped: node profiles never require what belongs to the process", "[profile]") {
    for (const auto& name : names_where(true)) {
        if (!name.starts_with("host") && !name.starts_with("mi")) {
            continue;
        }
        for (const auto& expectation : resolved(name).expectations) {
            INFO(name << ": " << expectation.id);
            CHECK((find_setting(expectation.id)->info.scope == Scope::node ||
                   expectation.level != Level::required));
        }
    }
}

TEST_CASE("shipped: the levels of the table", "[profile]") {
    for (const auto& name : names_where(true)) {
        const auto expectations = resolved(name).expectations;
        for (const auto& row : table) {
            INFO(name << ": " << row.id);
            CHECK(level_found(expectations, row.id) == level_stated(name, row));
        }
    }
}

constexpr Row acceptance[] = {
    {"gpu.count", "req"},
    {"gpu.model", "req"},
    {"gpu.xgmi", "req"},
    {"gpu.xgmi_links", "rec"},
    {"gpu.compute_units", "req"},
    {"gpu.atomics", "req"},
    {"gpu.vram", "req"},
    {"gpu.vram_used", "rec"},
    {"gpu.compute_partition", "req"},
    {"gpu.memory_partition", "req"},
    {"gpu.firmware", "rec"},
    {"gpu.vbios", "rec"},
    {"gpu.power_cap", "rec"},
    {"gpu.parameters", "req"},
    {"gpu.numa", "rec"},
    {"gpu.vfs", "info"},
    {"gpu.unique_id", "info"},
    {"gpu.drm_devices", "info"},
    {"gpu.runtime_pm", "info"},
    {"gpu.bad_pages", "req"},
    {"gpu.ras", "rec"},
    {"gpu.ras_events", "rec"},
    {"pci.slots", "rec"},
    {"pci.symmetry", "info"},
    {"pci.tags", "rec"},
    {"pci.link", "req"},
    {"pci.large_bar", "req"},
    {"pci.aer", "req"},
    {"pci.aer_status", "rec"},
    {"pci.device_status", "req"},
    {"pci.dpc", "req"},
    {"pci.lane_errors", "info"},
    {"pci.function", "rec"},
    {"pci.max_payload", "rec"},
    {"pci.max_read_request", "rec"},
    {"pci.relaxed_ordering", "info"},
    {"pci.aspm", "rec"},
    {"rdma.count", "req"},
    {"rdma.port", "req"},
    {"rdma.rate", "req"},
    {"rdma.gid", "req"},
    {"rdma.firmware", "rec"},
    {"rdma.errors", "rec"},
    {"rdma.gpu_direct", "rec"},
    {"gpu.nic", "rec"},
    {"net.link", "req"},
    {"net.mtu", "rec"},
    {"net.flaps", "rec"},
    {"net.rp_filter", "rec"},
    {"net.arp_ignore", "rec"},
    {"net.arp_announce", "rec"},
    {"memory.total", "rec"},
    {"memory.balance", "req"},
    {"memory.dimms", "info"},
    {"memory.errors", "req"},
    {"memory.corrupted", "req"},
    {"memory.swap", "info"},
    {"memory.hugepages", "rec"},
    {"limits.memory", "rec"},
    {"kernel.health", "req"},
    {"kernel.lockdown", "info"},
    {"kernel.zone_reclaim_mode", "info"},
    {"cpu.machine_checks", "req"},
    {"cpu.online", "rec"},
    {"cpu.cores", "rec"},
    {"cpu.nodes_per_socket", "req"},
    {"cpu.microcode", "rec"},
    {"cpu.clocksource", "rec"},
    {"host.nvme", "info"},
    {"host.time_sync", "info"},
    {"memory.ttm_pages", "req"},
    {"kernel.thp", "req"},
    {"kernel.compaction_proactiveness", "req"},
    {"kernel.compact_unevictable_allowed", "req"},
    {"rocm.arch", "rec"},
    {"rocm.driver_match", "rec"},
    {"gpu.driver_origin", "info"},
    {"kernel.thp_defrag", "info"},
    {"kernel.version", "info"},
    {"cpu.energy_preference", "info"},
    {"cpu.sockets", "info"},
    {"host.product", "info"},
    {"host.bios", "info"},
    {"limits.cpus", "info"},
    {"limits.nofile", "info"},
    {"limits.nproc", "info"},
    {"limits.stack", "info"},
    {"limits.pids", "info"},
    {"limits.shm", "info"},
    {"os.release", "info"},
};

TEST_CASE("shipped: the levels of acceptance", "[profile]") {
    const auto expectations = resolved("acceptance").expectations;
    CHECK(expectations.size() == std::size(acceptance));
    for (const auto& row : acceptance) {
        INFO(row.id);
        CHECK(level_found(expectations, row.id) == row.levels);
    }
}

// A fault that no profile of a node asks about would never be reported.
TEST_CASE("shipped: each setting is judged by acceptance or by a profile of nodes", "[profile]") {
    std::set<std::string> named;
    auto profiles = names_where(true);
    profiles.emplace_back("acceptance");
    for (const auto& name : profiles) {
        for (const auto& expectation : resolved(name).expectations) {
            named.insert(expectation.id);
        }
    }
    for (const auto* setting : all_settings()) {
        INFO(setting->info.id);
        if (setting->info.id != "env.") {  // a family
            CHECK(named.contains(std::string(setting->info.id)));
        }
    }
}

// A required setting needs a published expectation, and a file that all users may read; bad pages
// and events are checked if root runs the check.
TEST_CASE("shipped: evidence decides what is required every day", "[profile]") {
    for (const auto& name : names_where(true)) {
        for (const auto& expectation : resolved(name).expectations) {
            INFO(name << ": " << expectation.id);
            const bool required = expectation.level == Level::required;
            const bool doubted = expectation.source.find("unverified") != std::string::npos ||
                                 expectation.why.find("our choice") != std::string::npos;
            CHECK_FALSE((doubted && expectation.level != Level::info));
            const bool of_root = expectation.when.find("root") != std::string::npos;
            CHECK_FALSE(
                (required && !of_root && find_setting(expectation.id)->info.only_when_named));
            CHECK_FALSE(
                (required && (expectation.source.empty() || !holds_year(expectation.source))));
        }
    }
}

// Expectations of AMD's guide for this model; no other profile has a line outside of the table.
TEST_CASE("shipped: nothing outside of the table but what one model wants", "[profile]") {
    std::set<std::string> ids;
    for (const auto& row : table) {
        ids.insert(row.id);
    }
    for (const auto& name : names_where(true)) {
        for (const auto& expectation : resolved(name).expectations) {
            const bool of_mi300a = name.starts_with("mi300a") &&
                                   (expectation.id == "kernel.thp" ||
                                    expectation.id == "kernel.compaction_proactiveness" ||
                                    expectation.id == "kernel.compact_unevictable_allowed" ||
                                    expectation.id == "memory.ttm_pages");
            const bool of_mi3xx =
                name.starts_with("mi3") && expectation.id == "env.HSA_OVERRIDE_CPU_AFFINITY_DEBUG";
            const bool of_mi200 =
                name.starts_with("mi200") && expectation.id == "env.HSA_NO_SCRATCH_RECLAIM";
            INFO(name << ": " << expectation.id);
            CHECK((of_mi200 || of_mi300a || of_mi3xx || ids.contains(expectation.id)));
        }
    }
}

TEST_CASE("shipped: every model's GPUs lead to its profile, and no GPU to two", "[profile]") {
    std::map<std::uint32_t, std::string> owner;
    for (const auto& name : names()) {
        const auto text = text_of(name);
        CHECK((text.match.automatic || name.starts_with("mlperf-5.1-")));
        for (const auto device :
             text.match.automatic ? text.match.devices : std::vector<std::uint32_t>()) {
            INFO(name << ": " << device);
            CHECK(owner.emplace(device, name).second);
        }
    }
    CHECK(owner[0x738c] == "mi100");
    CHECK(owner[0x740f] == "mi200");
    CHECK(owner[0x74a0] == "mi300a");
    CHECK(owner[0x74a1] == "mi300x");
    CHECK(owner[0x74a5] == "mi325x");
    CHECK(owner[0x75a0] == "mi350x");
    CHECK_FALSE(owner.contains(0x74a2));  // MI308X: other clocks
}

TEST_CASE("shipped: a model's profile asks for the driver that the table of models names",
          "[profile]") {
    for (const std::string name : {"mi100", "mi200", "mi300a", "mi300x", "mi325x", "mi350x"}) {
        std::size_t asked = 0;
        for (const auto& model : gpu_models()) {
            const auto profile = resolved(name);
            const bool is_its =
                std::any_of(profile.matches.begin(), profile.matches.end(), [&](const auto& match) {
                    return std::find(match.devices.begin(), match.devices.end(),
                                     model.ids.front().device) != match.devices.end();
                });
            if (is_its) {
                INFO(model.name << " " << name);
                ++asked;
                const auto driver = std::find_if(
                    profile.expectations.begin(), profile.expectations.end(),
                    [](const Expectation& expectation) { return expectation.id == "gpu.driver"; });
                REQUIRE(driver != profile.expectations.end());
                CHECK(plain_text(driver->value) == ">=" + std::string(model.first_driver));
            }
        }
        INFO(name);
        CHECK(asked > 0);
    }
}

// The list of spec.md; the recipes are counted below.
TEST_CASE("shipped: MI300A is told nothing of Intel's IOMMU", "[profile]") {
    for (const char* name : {"mi300a", "mi300a-benchmark"}) {
        for (const auto& expectation : resolved(name).expectations) {
            INFO(name << " " << expectation.id);
            CHECK(toml_text(expectation.value).find("intel") == std::string::npos);
        }
    }
}

TEST_CASE("shipped: the environment profiles that were promised", "[profile]") {
    const std::vector<std::string> promised{"tunableop-tune",
                                            "tunableop-use",
                                            "tunableop-off",
                                            "tunableop-record",
                                            "tunableop-offline-tune",
                                            "inductor-max-autotune",
                                            "inductor-inference",
                                            "inductor-cpp-wrapper",
                                            "inductor-nhwc",
                                            "inductor-ck",
                                            "inductor-gemm-tuner",
                                            "inductor-debug",
                                            "triton-tune",
                                            "triton-dump",
                                            "miopen-tune",
                                            "miopen-use",
                                            "rccl",
                                            "fsdp",
                                            "vllm",
                                            "sglang",
                                            "primus",
                                            "megatron",
                                            "debug-memory-fault"};
    for (const auto& name : promised) {
        INFO(name);
        CHECK(is_shipped(name));
        CHECK_FALSE(is_of_node(name));
    }
}

// A value that its reader would take for something else would be worse than none.
TEST_CASE("shipped: every variable is catalogued and read as meant", "[profile]") {
    const MemoryFs fs;
    const Machine machine(fs);
    const Process process;
    const Versions versions(machine, process);
    const Readers readers(machine, versions);
    std::size_t judged = 0;
    for (const auto& name : names()) {
        for (const auto& expectation : resolved(name).expectations) {
            if (!expectation.id.starts_with("env.")) {
                continue;
            }
            INFO(name << ": " << expectation.id);
            const auto variable = find_variable(expectation.id.substr(4));
            REQUIRE(variable);
            if (!expectation.unset) {
                ++judged;
                const auto reading = readers.read(*variable, *expectation.value.text());
                INFO(reading.note);
                CHECK_FALSE(reading.misread);
            }
        }
    }
    CHECK(judged >= 150);
}

TEST_CASE("shipped: what nothing public reads any more is tied to a version", "[profile]") {
    for (const auto& name : names()) {
        for (const auto& entry : text_of(name).entries) {
            const auto variable =
                entry.id.starts_with("env.") ? find_variable(entry.id.substr(4)) : std::nullopt;
            if (variable && variable->status == "removed" && !entry.unset) {
                INFO(name << ": " << entry.id);
                CHECK((entry.when && ends(*entry.when, variable->package)));
            }
        }
    }
}

TEST_CASE("shipped: no two environment profiles of one program are merged unnoticed", "[profile]") {
    const auto warned = [](const std::vector<std::string>& pair) {
        return !resolve(store(), pair, {}).diagnostics.empty();
    };
    CHECK(warned({"tunableop-tune", "tunableop-use"}));
    CHECK(warned({"tunableop-record", "tunableop-offline-tune"}));
    CHECK(warned({"miopen-tune", "miopen-use"}));
    CHECK(warned({"inductor-max-autotune", "inductor-ck"}));
    CHECK_FALSE(warned({"inductor-max-autotune", "inductor-inference", "inductor-nhwc"}));
    CHECK_FALSE(warned({"rccl", "fsdp"}));
    CHECK_FALSE(warned({"rccl", "vllm"}));
    CHECK_FALSE(warned({"fsdp", "primus"}));
    CHECK(warned({"rccl", "primus"}));  // RCCL_MSCCL_ENABLE: AMD's texts disagree
    CHECK_FALSE(warned({"mlperf-5.1", "mlperf-5.1-llama2-70b-offline-mi355x"}));
}

TEST_CASE("shipped: the MLPerf recipes", "[profile]") {
    std::map<std::string, std::string> clocks;
    for (const auto& name : names()) {
        if (!name.starts_with("mlperf-5.1-")) {
            continue;
        }
        const auto profile = resolved(name);
        CHECK_FALSE(profile.also.empty());
        CHECK(profile.matches.size() == 1);
        auto& clock = clocks[name.substr(11)];
        for (const auto& expectation : profile.expectations) {
            INFO(name << ": " << expectation.id);
            CHECK((expectation.level == Level::recommended || name.starts_with("mlperf-5.1-sdxl")));
            if (expectation.id == "gpu.determinism" || expectation.id == "gpu.soc_pstate") {
                clock += (clock.empty() ? "" : " ") + toml_text(expectation.value);
            }
        }
    }
    const std::map<std::string, std::string> published{{"llama2-70b-offline-mi300x", "1400 1"},
                                                       {"llama2-70b-server-mi300x", "1300 1"},
                                                       {"llama2-70b-interactive-mi300x", "2000 0"},
                                                       {"llama2-70b-offline-mi325x", "1700 0"},
                                                       {"llama2-70b-server-mi325x", "1600 0"},
                                                       {"llama2-70b-interactive-mi325x", "1700 0"},
                                                       {"llama2-70b-offline-mi355x", ""},
                                                       {"mixtral-8x7b-offline-mi300x", "1500 0"},
                                                       {"mixtral-8x7b-server-mi300x", "1500 0"},
                                                       {"mixtral-8x7b-offline-mi325x", "1500 0"},
                                                       {"mixtral-8x7b-server-mi325x", "1500 0"},
                                                       {"sdxl-offline-mi325x", ""},
                                                       {"sdxl-server-mi325x", ""}};
    CHECK(clocks == published);
}

TEST_CASE("shipped: words of the kernel line that a site may mean are noted only", "[shipped]") {
    std::size_t tried = 0;
    for (const auto& name : names()) {
        for (const auto& expectation : resolved(name).expectations) {
            const bool is_line = expectation.id == "kernel.cmdline";
            for (const bool noted : {false, true}) {
                for (const auto& word :
                     is_line ? field_texts(expectation.value, noted ? "noted" : "unwanted")
                             : std::vector<std::string>()) {
                    INFO(name << ": " << word);
                    const auto* facts = facts_of_boot_word(word);
                    CHECK((facts == nullptr || facts->is_choice == noted));
                    ++tried;
                }
            }
        }
    }
    CHECK(tried > 100);
}

// Condition of env and run, which ignore [settings].
TEST_CASE("shipped: what was read when the program was built is what its file says", "[shipped]") {
    for (const auto& profile : builtin_profiles) {
        INFO(profile.name);
        const std::string file =
            std::string(ROCENV_SOURCE_DIR) + "/profiles/" + std::string(profile.name) + ".toml";
        const auto text = real_fs()->read(file);
        REQUIRE(text.ok());
        CHECK(image_of(parse_profile("built-in:" + std::string(profile.name), *text)) ==
              profile.image);
        CHECK(image_of(profile_in(profile.image, "x", Entries::all)) == profile.image);
        const Process no_process;
        const MemoryFs empty;
        const std::string name(profile.name);
        const auto whole = resolve(ProfileStore(empty, no_process), {name}, {});
        const auto part =
            resolve(ProfileStore(empty, no_process, ProfileStore::Parts::variables), {name}, {});
        const auto variables = [](const Resolved& resolved) {
            std::vector<std::string> out;
            for (const auto& expectation : resolved.expectations) {
                if (expectation.id.starts_with("env.")) {
                    out.push_back(expectation.id + toml_text(expectation.value) +
                                  place_text(expectation.place));
                }
            }
            return out;
        };
        CHECK(variables(whole) == variables(part));
        CHECK(variables(part).size() == part.expectations.size());
        CHECK(whole.matches.size() == part.matches.size());
    }
}

}  // namespace rocenv::shipped_profiles_test
