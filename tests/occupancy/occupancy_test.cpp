// SPDX-License-Identifier: MIT
// The arithmetic against tables as published: nothing here computes as src/commands/occupancy does.
#include "commands/occupancy/occupancy.h"

#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "os/fs/memory_fs.h"
#include "rocenv/machine.h"
#include "support/catch.h"

namespace occupancy_test {

namespace {

using namespace rocenv;

// Up to `registers` of them, `waves` waves fit.
struct Threshold {
    std::uint64_t registers;
    std::uint64_t waves;
};

// AMD lab notes and occ.sh for CDNA2 and CDNA3, LLVM's getNumWavesPerEUWithNumVGPRs for CDNA4;
// AMD's GCN tables for gfx908.
const std::vector<Threshold> cdna2 = {{64, 8},  {72, 7},  {80, 6},  {96, 5},
                                      {128, 4}, {168, 3}, {256, 2}, {512, 1}};
const std::vector<Threshold> cdna1 = {{24, 10}, {28, 9}, {32, 8}, {36, 7},  {40, 6},
                                      {48, 5},  {64, 4}, {84, 3}, {128, 2}, {256, 1}};

std::uint64_t published(const std::vector<Threshold>& table, std::uint64_t registers) {
    for (const auto& line : table) {
        if (registers <= line.registers) {
            return line.waves;
        }
    }
    return 0;
}

GpuLimits gpu(const char* gfx) {
    const auto limits = gpu_limits(gfx);
    REQUIRE(limits.ok());
    return *limits;
}

Demand asks(std::uint64_t vgprs, std::uint64_t lds = 0, std::uint64_t waves = 1) {
    return {vgprs, 0, 0, lds, waves, false};
}

TEST_CASE("Waves are as published for every VGPR count", "[occupancy]") {
    for (const char* gfx : {"gfx908", "gfx90a", "gfx942", "gfx950"}) {
        const bool first = std::string(gfx) == "gfx908";
        const std::uint64_t most = first ? 256 : 512;
        for (std::uint64_t vgprs = 1; vgprs <= most; ++vgprs) {
            CAPTURE(gfx, vgprs);
            REQUIRE(!impossible(gpu(gfx), asks(vgprs)));
            const auto answer = occupancy(gpu(gfx), asks(vgprs));
            REQUIRE(answer.waves_per_simd == published(first ? cdna1 : cdna2, vgprs));
        }
        CHECK(impossible(gpu(gfx), asks(most + 1)));
    }
}

TEST_CASE("The next step is where the published table steps", "[occupancy]") {
    for (std::uint64_t vgprs = 65; vgprs <= 512; ++vgprs) {
        const auto now = published(cdna2, vgprs);
        auto less = vgprs;
        while (published(cdna2, less) == now) {
            --less;
        }
        CAPTURE(vgprs);
        const auto next = occupancy(gpu("gfx942"), asks(vgprs)).next;
        REQUIRE(next);
        CHECK(next->vgprs == vgprs - less);
        CHECK(next->waves_per_simd == published(cdna2, less));
    }
    CHECK(!occupancy(gpu("gfx942"), asks(64)).next);
}

// The guides: 170 VGPRs are given 176, which leaves 2 waves; at 168 there would be 3.
TEST_CASE("The tuning guides' example", "[occupancy]") {
    const auto answer = occupancy(gpu("gfx942"), asks(170));
    CHECK(answer.waves_per_simd == 2u);
    CHECK(answer.limited_by == Limit::vgpr);
    REQUIRE(answer.next);
    CHECK(answer.next->vgprs == 2);
    CHECK(answer.next->waves_per_simd == 3);
}

struct Guide {
    std::uint64_t vgprs;
    std::uint64_t lds;
    std::uint64_t waves;
};

// occ = min(floor(occ_vgpr * 4 / nW), floor(65536 / L)) * nW / 4, as the guides have it. LDS in
// powers of two, where the granule they leave out does nothing.
TEST_CASE("The tuning guides' formula", "[occupancy]") {
    for (const auto& item : {Guide{170, 32768, 4}, Guide{128, 16384, 4}, Guide{128, 65536, 8},
                             Guide{96, 8192, 2}, Guide{256, 32768, 8}, Guide{512, 4096, 4}}) {
        const auto by_vgpr = published(cdna2, item.vgprs) * 4 / item.waves;
        const auto by_lds = 65536 / item.lds;
        CAPTURE(item.vgprs, item.lds, item.waves);
        CHECK(occupancy(gpu("gfx942"), asks(item.vgprs, item.lds, item.waves)).waves_per_simd ==
              std::min(by_vgpr, by_lds) * item.waves / 4);
    }
}

TEST_CASE("LDS is given in granules", "[occupancy]") {
    const auto groups = [](const char* gfx, std::uint64_t lds) {
        return occupancy(gpu(gfx), asks(8, lds)).workgroups_per_cu;
    };
    CHECK(groups("gfx950", 16384) == 9u);  // 16640 each of 163840
    CHECK(groups("gfx950", 32768) == 4u);  // 33280 each
    CHECK(groups("gfx950", 163840) == 1u);
    CHECK(groups("gfx942", 16384) == 4u);
    CHECK(groups("gfx942", 8193) == 7u);  // 8704 each
    CHECK(groups("gfx942", 65536) == 1u);
    CHECK(groups("gfx942", 0) == 32u);
    CHECK(impossible(gpu("gfx942"), asks(8, 65537)));
    CHECK(impossible(gpu("gfx950"), asks(8, 163841)));
}

TEST_CASE("The next step of LDS, and of two resources at once", "[occupancy]") {
    const auto lds = occupancy(gpu("gfx942"), asks(8, 32769, 4));
    CHECK(lds.waves_per_simd == 1u);
    CHECK(lds.limited_by == Limit::lds);
    REQUIRE(lds.next);
    CHECK(lds.next->lds_bytes == 1);
    CHECK(lds.next->vgprs == 0);
    CHECK(lds.next->waves_per_simd == 2);
    const auto both = occupancy(gpu("gfx942"), asks(170, 32768, 4));
    REQUIRE(both.next);
    CHECK(both.next->vgprs == 2);
    CHECK(both.next->lds_bytes == 32768 - 21504);
    CHECK(both.next->waves_per_simd == 3);
}

TEST_CASE("SGPRs limit as LLVM says", "[occupancy]") {
    const auto waves = [](const char* gfx, std::uint64_t sgprs) {
        Demand demand = asks(8);
        demand.sgprs = sgprs;
        REQUIRE(!impossible(gpu(gfx), demand));
        return occupancy(gpu(gfx), demand);
    };
    for (const char* gfx : {"gfx90a", "gfx942", "gfx950"}) {
        CHECK(waves(gfx, 100).waves_per_simd == 8u);
        CHECK(waves(gfx, 101).waves_per_simd == 7u);
        CHECK(waves(gfx, 101).limited_by == Limit::sgpr);
        CHECK(waves(gfx, 103).next->sgprs == 3);
        CHECK(waves(gfx, 112).waves_per_simd == 7u);
    }
    CHECK(waves("gfx908", 80).waves_per_simd == 10u);
    CHECK(waves("gfx908", 81).waves_per_simd == 9u);
    CHECK(waves("gfx908", 89).waves_per_simd == 8u);
    CHECK(waves("gfx908", 101).waves_per_simd == 7u);
    Demand demand = asks(8);
    demand.sgprs = 113;
    CHECK(impossible(gpu("gfx942"), demand));
}

// 16 barriers a CU: two waves each are 8 a SIMD where 10 would fit. One wave needs no barrier.
TEST_CASE("Work-groups of several waves need barriers", "[occupancy]") {
    const auto two = occupancy(gpu("gfx908"), asks(8, 0, 2));
    CHECK(two.waves_per_simd == 8u);
    CHECK(two.workgroups_per_cu == 16u);
    CHECK(two.limited_by == Limit::barrier);
    CHECK(!two.next);
    CHECK(occupancy(gpu("gfx908"), asks(8, 0, 1)).workgroups_per_cu == 40u);
    CHECK(occupancy(gpu("gfx942"), asks(8, 0, 1)).workgroups_per_cu == 32u);
    CHECK(occupancy(gpu("gfx942"), asks(8, 0, 2)).workgroups_per_cu == 16u);
    CHECK(occupancy(gpu("gfx942"), asks(8, 0, 2)).limited_by == Limit::max);
    CHECK(occupancy(gpu("gfx942"), asks(8, 0, 16)).workgroups_per_cu == 2u);
    CHECK(impossible(gpu("gfx942"), asks(8, 0, 17)));
    CHECK(impossible(gpu("gfx942"), asks(8, 0, 0)));
}

TEST_CASE("AGPRs share the registers, but on gfx908", "[occupancy]") {
    const auto waves = [](const char* gfx, std::uint64_t vgprs, std::uint64_t agprs) {
        Demand demand = asks(vgprs);
        demand.agprs = agprs;
        return occupancy(gpu(gfx), demand);
    };
    CHECK(waves("gfx942", 64, 64).waves_per_simd == 4u);
    CHECK(waves("gfx942", 65, 60).waves_per_simd == 4u);  // 68 + 60
    CHECK(waves("gfx942", 65, 61).waves_per_simd == 3u);
    CHECK(waves("gfx942", 256, 256).waves_per_simd == 1u);
    CHECK(waves("gfx942", 65, 61).next->either == 1);
    CHECK(waves("gfx908", 64, 64).waves_per_simd == 4u);
    CHECK(waves("gfx908", 64, 65).waves_per_simd == 3u);
    CHECK(waves("gfx908", 64, 65).next->agprs == 1);
    CHECK(waves("gfx908", 256, 256).waves_per_simd == 1u);
    Demand demand = asks(257);
    demand.agprs = 256;
    CHECK(impossible(gpu("gfx942"), demand));
}

// .vgpr_count counts the AGPRs on gfx90a and later: 104 is 72 and 32, not 104 and 32.
TEST_CASE("A count of both is taken apart", "[occupancy]") {
    Demand demand = asks(104);
    demand.agprs = 32;
    demand.counts_both = true;
    CHECK(apart(gpu("gfx90a"), demand).vgprs == 72u);
    CHECK(apart(gpu("gfx908"), demand).vgprs == 104u);
    demand.agprs = 104;
    CHECK(apart(gpu("gfx90a"), demand).vgprs == 104u);
    demand.agprs.reset();
    CHECK(apart(gpu("gfx90a"), demand).vgprs == 104u);
    demand.counts_both = false;
    demand.agprs = 32;
    CHECK(apart(gpu("gfx90a"), demand).vgprs == 104u);
}

TEST_CASE("What is not known is unknown unless it cannot matter", "[occupancy]") {
    Demand demand = asks(128, 0, 4);
    demand.lds_bytes.reset();
    const auto maybe = occupancy(gpu("gfx942"), demand);
    CHECK(!maybe.waves_per_simd);
    CHECK(!maybe.workgroups_per_cu);
    CHECK(!maybe.next);
    CHECK(maybe.at_most == 4);
    CHECK(maybe.limited_by == Limit::unknown);
    demand.vgprs = 512;  // one work-group of 4 waves, however little LDS it has
    const auto known = occupancy(gpu("gfx942"), demand);
    CHECK(known.waves_per_simd == 1u);
    CHECK(known.limited_by == Limit::vgpr);
    CHECK(!known.next);  // the amount of LDS to free is not known
    demand = asks(128);
    demand.sgprs.reset();  // at most 7 waves: 128 VGPRs leave 4
    CHECK(occupancy(gpu("gfx942"), demand).waves_per_simd == 4u);
    demand.vgprs = 64;
    CHECK(!occupancy(gpu("gfx942"), demand).waves_per_simd);
    demand = asks(64);
    demand.vgprs.reset();
    CHECK(!occupancy(gpu("gfx942"), demand).waves_per_simd);
    demand = asks(64);
    demand.waves.reset();
    CHECK(!occupancy(gpu("gfx942"), demand).waves_per_simd);
}

TEST_CASE("A work-group that does not fit is none", "[occupancy]") {
    const auto answer = occupancy(gpu("gfx942"), asks(512, 0, 8));
    CHECK(answer.waves_per_simd == 0u);
    CHECK(answer.workgroups_per_cu == 0u);
    CHECK(answer.limited_by == Limit::vgpr);
    REQUIRE(answer.next);
    CHECK(answer.next->vgprs == 256);
    CHECK(answer.next->waves_per_simd == 2);
}

TEST_CASE("How full a grid leaves the CUs", "[occupancy]") {
    CHECK(grid_fill(256, 304) == 0.842);
    CHECK(grid_fill(1024, 304) == 0.842);
    CHECK(grid_fill(304, 304) == 1);
    CHECK(grid_fill(305, 304) == 0.502);
    CHECK(grid_fill(4096, 304) == 0.962);
    CHECK(grid_fill(1, 304) == 0.003);
    for (const std::uint64_t grid : {std::uint64_t{1} << 63, ~std::uint64_t{0}}) {
        CHECK(grid_fill(grid, 304) == 1);
        CHECK(grid_fill(grid, 1) == 1);
        CHECK(grid_fill(1, grid) == 0);
    }
    CHECK(grid_fill(0, 304) == 0);
    CHECK(grid_fill(1, 0) == 0);
}

TEST_CASE("Other GPUs are refused by name", "[occupancy]") {
    CHECK(gpu_limits("gfx942:sramecc+:xnack-").ok());
    for (const char* gfx : {"gfx1100", "gfx940", "gfx9", "", "GFX942", "gfx942x", ":", "mi300x"}) {
        CAPTURE(gfx);
        CHECK(gpu_limits(gfx).is(ErrorKind::bad_input));
    }
    CHECK(gpu_limits("gfx943").error().text ==
          "unknown GPU 'gfx943': expected gfx908, gfx90a, gfx942 or gfx950. Did you mean "
          "'gfx942'?");
}

TEST_CASE("Families without a table are named with the reason", "[occupancy]") {
    const auto why = [](const char* gfx) { return gpu_limits(gfx).error().text; };
    const std::string modes =
        " is not supported by occupancy: a SIMD has other registers and granules for waves of 32 "
        "lanes than for 64, and a work-group runs on one CU or on two (CU or WGP mode). Supported: "
        "gfx908, gfx90a, gfx942, gfx950";
    CHECK(why("gfx1030") == "GPU 'gfx1030' (RDNA 1 and 2)" + modes);
    CHECK(why("gfx1100") == "GPU 'gfx1100' (RDNA 3)" + modes);
    CHECK(why("gfx1201") == "GPU 'gfx1201' (RDNA 4)" + modes);
    CHECK(why("gfx1250") ==
          "GPU 'gfx1250' (GFX12.5) is not supported by occupancy: a kernel may have up to 1024 "
          "VGPRs and 320 KiB of LDS, and no rule for its waves was checked against LLVM. "
          "Supported: gfx908, gfx90a, gfx942, gfx950");
    for (const char* gfx : {"gfx1030", "gfx1100", "gfx1201", "gfx1250"}) {
        CHECK(gpu_limits(gfx).is(ErrorKind::bad_input));
    }
}

std::string node(const char* version, const char* rest) {
    return std::string("cpu_cores_count 0\ngfx_target_version ") + version + "\n" + rest;
}

void add_node(MemoryFs& fs, const std::string& index, const std::string& properties) {
    const std::string folder = "/sys/class/kfd/kfd/topology/nodes/" + index;
    fs.add_file(folder + "/gpu_id", "1\n");
    fs.add_file(folder + "/properties", properties);
}

TEST_CASE("The node's driver wins over the table", "[occupancy]") {
    MemoryFs fs;
    fs.add_file("/sys/class/kfd/kfd/topology/generation_id", "1\n");
    add_node(fs, "0", node("90402", "simd_count 152\nsimd_per_cu 4\nlds_size_in_kb 64\n"));
    add_node(fs, "1",
             node("90500",
                  "simd_count 18446744073709551615\nsimd_per_cu 4\n"
                  "lds_size_in_kb 18446744073709551615\n"));
    const Machine machine(fs, Machine::GpusFrom::kfd);
    const auto cpx = gpu_limits_here("gfx942", machine);
    REQUIRE(cpx.ok());
    CHECK(cpx->compute_units.value == 38);
    CHECK(cpx->compute_units.from_node);
    CHECK(cpx->lds_bytes.from_node);
    const auto garbled = gpu_limits_here("gfx950", machine);
    REQUIRE(garbled.ok());
    CHECK(garbled->lds_bytes.value == 163840);
    CHECK(!garbled->lds_bytes.from_node);
    CHECK(!garbled->compute_units.from_node);
    CHECK(garbled->simds.from_node);
    CHECK(gpu_limits_here("gfx90a", machine)->compute_units.value == 110);
    CHECK(gfx_here(machine).error().text ==
          "this node has several kinds of GPU: gfx942, gfx950. Name one with --arch");
}

// Any demand that is possible, with any part of it not known: no overflow, and no promise of more
// waves than fit.
TEST_CASE("Answers hold for every demand", "[occupancy]") {
    std::uint64_t state = 7;
    const auto random = [&](std::uint64_t below) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        return (state >> 33) % below;
    };
    const auto maybe = [&](std::uint64_t below) {
        return random(8) == 0 ? std::nullopt : std::optional(random(below));
    };
    constexpr std::array<const char*, 4> names = {"gfx908", "gfx90a", "gfx942", "gfx950"};
    std::size_t possible = 0;
    for (int turn = 0; turn < 20000; ++turn) {
        const auto limits = gpu(names.at(random(4)));
        const Demand demand = {maybe(520), maybe(260), maybe(114), maybe(170000), maybe(18), false};
        if (impossible(limits, demand)) {
            continue;
        }
        ++possible;
        const auto answer = occupancy(limits, demand);
        REQUIRE(answer.at_most <= limits.waves);
        REQUIRE(answer.waves_per_simd.has_value() == (answer.limited_by != Limit::unknown));
        if (answer.next) {
            REQUIRE(answer.next->waves_per_simd > *answer.waves_per_simd);
            Demand less = demand;
            const auto& next = *answer.next;
            const auto agprs = std::min(next.either, demand.agprs.value_or(0));
            less.vgprs = demand.vgprs.value_or(0) - next.vgprs - (next.either - agprs);
            less.agprs = demand.agprs.value_or(0) - next.agprs - agprs;
            less.sgprs = demand.sgprs.value_or(0) - next.sgprs;
            less.lds_bytes = demand.lds_bytes.value_or(0) - next.lds_bytes;
            REQUIRE(occupancy(limits, less).waves_per_simd == next.waves_per_simd);
        }
    }
    CHECK(possible > 5000);
}

}  // namespace

}  // namespace occupancy_test
