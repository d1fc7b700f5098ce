// SPDX-License-Identifier: MIT
// rocm.driver_match: whether AMD publishes that the loaded amdgpu driver carries the ROCm that
// programs here take. In a container the ROCm is the container's, the driver is the host's. What
// AMD's table does not have (the kernel's own driver, previews, what is newer) is unknown and told
// at info: many such pairs work, and nobody says so.
#include "machine/gpu/driver_releases.h"
#include "rocenv/setting.h"
#include "settings/rocm/rocm_trees.h"
#include "settings/shapes/version_wish.h"
#include "util/text.h"
#include "variables/releases/versions.h"

namespace rocenv {

namespace {

const std::string amdgpu = "/sys/module/amdgpu";

constexpr Grade grades[] = {
    {"unpublished", Level::info,
     "AMD's table has no such pair of a driver and a ROCm: it may work, and nobody says so"},
};

Assessment unpublished(const std::string& pair, const std::string& what) {
    Assessment row;
    row.want = "match";
    row.have = pair;
    row.detail = "AMD's table of 2026-09 has no " + what;
    row.grade = &grades[0];
    return row;
}

// Names what to change by which of both is the older one.
void tell_mismatch(const std::string& rocm, const CarriedRocm& carried, Assessment& row) {
    const bool newer = compare_versions(rocm, carried.last).value_or(0) > 0;
    row.detail = "AMD publishes this driver for ROCm " + std::string(carried.first) + " to " +
                 std::string(carried.last);
    row.next_step =
        newer ? "install a newer amdgpu-dkms (in a container: on its host), or take ROCm " +
                    std::string(carried.last)
              : "take ROCm " + std::string(carried.first) + " or newer, or an older amdgpu-dkms";
}

Assessment judge_pair(const std::string& rocm, const std::string& driver) {
    const auto release = driver_release(driver);
    const std::string pair = "ROCm " + rocm + " on amdgpu " + driver +
                             (release ? " (driver release " + *release + ")" : std::string());
    const auto carried = release ? rocm_carried_by(*release) : std::nullopt;
    if (!carried) {
        return unpublished(pair, "such driver");
    }
    const auto good = carries_rocm(*release, rocm);
    if (!good) {
        return unpublished(pair, "such ROCm");
    }
    auto row = compared({}, "match", pair);
    row.outcome = *good ? Outcome::ok : Outcome::differs;
    if (!*good) {
        tell_mismatch(rocm, *carried, row);
    }
    return row;
}

// ROCm's that do not count by themselves, but may for a program that brings its own.
std::string others_told(const RocmLayouts& layouts, const std::string& driver) {
    const auto release = driver_release(driver);
    std::string out;
    for (std::size_t at = 1; release && at < layouts.all.size(); ++at) {
        const auto& version = layouts.all[at].version;
        if (version && carries_rocm(*release, *version) == false) {
            out += (out.empty() ? "not for this driver: " : ", ") + layouts.all[at].folder + " (" +
                   *version + ")";
        }
    }
    return out;
}

std::vector<Assessment> assess_driver_match(const Setting&, const Context& context, const Want&) {
    const auto layouts = layouts_of(context.versions, context.fs(), context.process);
    const auto assumed = assumed_rocm(context.versions);
    const auto rocm = assumed ? *assumed : layouts.version();
    if (!assumed && layouts.all.empty()) {
        return {no_target("no ROCm found")};
    }
    const auto driver = version_of_file(context.fs(), amdgpu + "/version", "version");
    if (!driver && !driver.is(ErrorKind::not_here)) {
        return {unreadable({}, driver.error(), "match")};
    }
    if (!driver && !exists(context.fs(), amdgpu)) {
        return {no_target("the amdgpu driver is not loaded")};
    }
    if (!rocm) {
        return {layouts.why_none ? none_counts_for(layouts, "match")
                                 : unreadable({}, rocm.error(), "match")};
    }
    if (!driver) {
        return {unpublished("ROCm " + *rocm + " on the kernel's own driver", "such driver")};
    }
    auto row = judge_pair(*rocm, *driver);
    const auto others = others_told(layouts, *driver);
    row.detail += (row.detail.empty() || others.empty() ? "" : "; ") + others;
    row.remark = !others.empty();
    return {row};
}

}  // namespace

const Setting& rocm_driver_match() {
    static const Setting setting{
        .info =
            {
                .id = "rocm.driver_match",
                .summary = "Whether the loaded amdgpu driver carries the ROCm that programs take",
                .why = "A ROCm that is far from the driver fails in calls that the other does not "
                       "know",
                .source = "ROCm/amdgpu-docs docs/compatibility/compatibility-matrix.rst, 2026-09",
                .target = "system",
                .read_from = "/sys/module/amdgpu/version, the files that state ROCm's version",
                .set_by = "",
                .next_step = "rocenv explain rocm.version gpu.driver",
                .persist = "is persistent: installed",
                .risk_note = "",
                .over_cluster = OverCluster::equal,
                .forms = {{.kind = FormKind::word, .words = {"match"}}},
                .grades = grades,
            },
        .assess = assess_driver_match,
    };
    return setting;
}

}  // namespace rocenv
