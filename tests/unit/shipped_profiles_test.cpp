// SPDX-License-Identifier: MIT
// What the shipped profiles say: each line with its reason and dated source, and its level.
#include <algorithm>
#include <map>
#include <set>

#include "rocenv/profile.h"
#include "rocenv/registry.h"
#include "support/catch.h"
#include "sys/memory_fs.h"
#include "util/text.h"

namespace rocenv {

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
// "rec", "info",
// "-": not in it.
struct Row {
    const char* id;
    const char* levels;
};

constexpr Row table[] = {
    {"gpu.driver", "-    req  req  req  req  -    -"},
    {"gpu.count", "-    req  req  req  req  -    -"},
    {"gpu.visible", "-    -    -    -    rec  req  -"},
    {"access.kfd", "-    -    -    -    rec  req  -"},
    {"access.render", "-    -    -    -    rec  req  -"},
    {"gpu.users", "-    info rec  -    info -    -"},
    {"kernel.numa_balancing", "rec  rec  req  req  rec  info req"},
    {"cpu.governor", "rec  rec  rec  rec  -    -    req"},
    {"cpu.idle", "info info rec  rec  -    -    rec"},
    {"gpu.determinism", "-    info rec  -    -    -    rec"},
    {"pci.acs", "-    info rec  req  -    -    rec"},
    {"kernel.cmdline", "info rec  rec  req  -    -    -"},
    {"kernel.iommu", "info rec  rec  -    -    -    -"},
    {"pci.link", "info rec  rec  -    rec  -    -"},
    {"pci.large_bar", "info rec  rec  -    rec  -    -"},
    {"limits.memlock", "info info info req  rec  rec  -"},
    {"limits.shm", "-    -    -    rec  -    rec  -"},
    {"env.HIP_FORCE_DEV_KERNARG", "info rec  rec  -    -    rec  rec"},
    {"cpu.smt", "-    info info info -    -    -"},
    {"kernel.nmi_watchdog", "-    info info info -    -    -"},
    {"gpu.compute_partition", "-    info info info -    -    -"},
    {"gpu.memory_partition", "-    info info info -    -    -"},
    {"host.rivals", "-    info info info -    -    -"},
    {"rocm.version", "-    info info info -    -    -"},
};

std::string column_of(const std::string& profile, const std::string& levels) {
    const std::vector<std::string> others{"rccl-multinode", "ci-preflight", "container",
                                          "env-check"};
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
    const bool of_gpus = id.starts_with("gpu.") || id == "pci.acs" || id == "rocm.version";
    if ((profile == "host-benchmark" && of_gpus) || (profile == "mi" && id == "rocm.version")) {
        return "-";
    }
    return column_of(profile, row.levels);
}

std::string level_found(const std::vector<Want>& wants, const std::string& id) {
    for (const auto& want : wants) {
        if (want.id == id) {
            return want.level == Level::required      ? "req"
                   : want.level == Level::recommended ? "rec"
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
        const auto source = store().find(name).value();
        const auto text = parse_profile(source.file, source.text);
        CHECK(text.name == name);
        CHECK_FALSE(text.summary.empty());
        const auto profile = resolved(name);
        CHECK(profile.diagnostics.empty());
        CHECK_FALSE(profile.wants.empty());
        for (const auto& want : profile.wants) {
            INFO(want.id << ": " << want.why << " (" << want.source << ")");
            CHECK_FALSE(want.why.empty());
            CHECK(want.why.size() <= 150);
            CHECK(holds_year(want.source));
        }
    }
}

TEST_CASE("shipped: node profiles never require what belongs to the process", "[profile]") {
    for (const auto& name : names()) {
        if (!name.starts_with("host") && !name.starts_with("mi")) {
            continue;
        }
        for (const auto& want : resolved(name).wants) {
            INFO(name << ": " << want.id);
            CHECK((find_setting(want.id)->info().scope == Scope::node ||
                   want.level != Level::required));
        }
    }
}

TEST_CASE("shipped: the levels of the table", "[profile]") {
    for (const auto& name : names()) {
        const auto wants = resolved(name).wants;
        for (const auto& row : table) {
            INFO(name << ": " << row.id);
            CHECK(level_found(wants, row.id) == level_stated(name, row));
        }
    }
}

// What AMD's guide for this model wants besides; no other profile has a line outside of the table.
TEST_CASE("shipped: nothing outside of the table but what only MI300A wants", "[profile]") {
    std::set<std::string> ids;
    for (const auto& row : table) {
        ids.insert(row.id);
    }
    for (const auto& name : names()) {
        for (const auto& want : resolved(name).wants) {
            const bool of_mi300a =
                name.starts_with("mi300a") &&
                (want.id == "kernel.thp" || want.id == "kernel.compaction_proactiveness");
            INFO(name << ": " << want.id);
            CHECK((of_mi300a || ids.contains(want.id)));
        }
    }
}

TEST_CASE("shipped: every model's GPUs lead to its profile, and no GPU to two", "[profile]") {
    std::map<std::uint32_t, std::string> owner;
    for (const auto& name : names()) {
        const auto source = store().find(name).value();
        for (const auto device : parse_profile(source.file, source.text).match.devices) {
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

}  // namespace rocenv
