// SPDX-License-Identifier: MIT
// Registers that are spilled, and what the code does with memory, as assembly says them.
#include "commands/occupancy/assembly.h"

#include <string>

#include "commands/occupancy/occupancy.h"
#include "commands/occupancy/triton.h"
#include "os/fs/memory_fs.h"
#include "support/catch.h"

namespace scratch_test {

namespace {

using namespace rocenv;

std::string metadata(const std::string& more) {
    return "amdhsa.kernels:\n  - .group_segment_fixed_size: 16384\n"
           "    .max_flat_workgroup_size: 256\n    .name: k\n    .sgpr_count: 40\n" +
           more + "    .symbol: k.kd\n    .vgpr_count: 256\n";
}

const std::string spilled =
    "    .private_segment_fixed_size: 516\n    .sgpr_spill_count: 3\n"
    "    .uses_dynamic_stack: false\n    .vgpr_spill_count: 128\n";

AssemblyKernel kernel_of(const std::string& text) {
    const auto assembly = parse_assembly("k.s", text);
    INFO((assembly ? "" : assembly.error().text));
    REQUIRE(assembly.ok());
    REQUIRE(assembly->kernels.size() == 1);
    return assembly->kernels[0];
}

TEST_CASE("What the metadata says of spilled registers", "[occupancy]") {
    const auto scratch = kernel_of(metadata(spilled)).scratch;
    CHECK(scratch.vgpr_spills == 128u);
    CHECK(scratch.sgpr_spills == 3u);
    CHECK(scratch.bytes == 516u);
    CHECK(scratch.dynamic_stack == false);
    CHECK(scratch.spills());
    const auto unsaid = kernel_of(metadata("")).scratch;
    CHECK(!unsaid.vgpr_spills);
    CHECK(!unsaid.bytes);
    CHECK(!unsaid.dynamic_stack);
    CHECK(!unsaid.spills());
    CHECK(kernel_of(metadata("    .uses_dynamic_stack: true\n")).scratch.dynamic_stack == true);
    const auto wrong = parse_assembly("k.s", metadata("    .vgpr_spill_count: -1\n"));
    CHECK(wrong.error().text == "k.s:6: .vgpr_spill_count: -1 is not a count");
}

TEST_CASE("What a descriptor says of scratch", "[occupancy]") {
    const auto scratch = kernel_of(
                             ".amdhsa_kernel k\n.amdhsa_private_segment_fixed_size 64\n"
                             ".amdhsa_uses_dynamic_stack 1\n.end_amdhsa_kernel\n")
                             .scratch;
    CHECK(scratch.bytes == 64u);
    CHECK(scratch.dynamic_stack == true);
    CHECK(!scratch.vgpr_spills);
    const auto both =
        kernel_of(".amdhsa_kernel k\n.amdhsa_private_segment_fixed_size 900\n.end_amdhsa_kernel\n" +
                  metadata(spilled));
    CHECK(both.scratch.bytes == 900u);
    CHECK(both.scratch.vgpr_spills == 128u);
}

TEST_CASE("Spilled registers outrank the advice to have fewer", "[occupancy]") {
    Occupancy answer;
    answer.next = NextStep{2, 88, 0, 0, 0, 0};
    heed_spills(Scratch{}, answer);
    CHECK(answer.next);
    heed_spills(Scratch{0, 0, 64, false}, answer);  // an array, and no register
    CHECK(answer.next);
    CHECK(Scratch{std::nullopt, 0, 64, false}.may_spill());  // the count for VGPRs is missing
    heed_spills(Scratch{0, 1, 0, false}, answer);
    CHECK(!answer.next);
    answer.next = NextStep{2, 0, 0, 0, 0, 512};  // LDS alone
    heed_spills(Scratch{128, 0, 516, false}, answer);
    CHECK(answer.next);
}

TEST_CASE("The registers that a work-group leaves each wave", "[occupancy]") {
    const auto of = [](const char* gfx, std::uint64_t waves) {
        return registers_possible(*gpu_limits(gfx), waves);
    };
    CHECK(of("gfx942", 1) == 512);
    CHECK(of("gfx942", 4) == 512);
    CHECK(of("gfx942", 5) == 256);
    CHECK(of("gfx942", 8) == 256);
    CHECK(of("gfx942", 12) == 168);
    CHECK(of("gfx942", 16) == 128);
    CHECK(of("gfx908", 16) == 64);
    CHECK(of("gfx908", 0) == 256);
}

TEST_CASE("The guide's 1024 work-groups are for 304 CUs", "[occupancy]") {
    CHECK(advised_grid(304) == 1024);
    CHECK(advised_grid(38) == 128);
    CHECK(advised_grid(256) == 863);
    CHECK(advised_grid(0) == 0);
}

CodeCounts counts_of(const std::string& code) {
    const auto kernel =
        kernel_of("\t.type k,@function\nk:\n" + code + "\ts_endpgm\n" + metadata(spilled));
    REQUIRE(kernel.counts);
    return *kernel.counts;
}

TEST_CASE("Loads, reads of LDS, waits and matrix instructions are counted", "[occupancy]") {
    const auto counts = counts_of(
        "\tglobal_load_dwordx4 v[0:3], v[4:5], off\n"
        "\tglobal_load_dword v0, v[4:5], off\n"
        "\tbuffer_load_dwordx4 v[0:3], v4, s[0:3], 0 offen\n"
        "\tbuffer_load_dwordx4 v4, s[0:3], 0 offen lds\n"
        "\tflat_load_dwordx2 v[0:1], v[2:3]\n"
        "\tglobal_load_b128 v[0:3], v[4:5], off\n"
        "\tbuffer_load_dword v1, off, s[0:3], s32 offset:4 ; 4-byte Folded Reload\n"
        "\tscratch_load_dwordx4 v[0:3], off, off\n"
        "\tglobal_store_dwordx4 v[4:5], v[0:3], off\n"
        "\tds_read_b128 v[0:3], v4\n\tds_read_b32 v0, v1\n\tds_read2_b64 v[0:3], v4\n"
        "\tds_write_b128 v4, v[0:3]\n"
        "\ts_waitcnt vmcnt(0)\n\ts_waitcnt lgkmcnt(0)\n\ts_wait_loadcnt 0x0\n"
        "\tv_mfma_f32_32x32x8_f16 a[0:15], v[0:1], v[2:3], a[0:15]\n"
        "\tv_smfmac_f32_32x32x16_f16 a[0:15], v[0:1], v[2:5], v6\n"
        "\t; v_mfma_f32_32x32x8_f16 in a comment\n");
    CHECK(counts.loads == 6);
    CHECK(counts.wide_loads == 4);
    CHECK(counts.lds_reads == 3);
    CHECK(counts.wide_lds_reads == 2);
    CHECK(counts.waits == 3);
    CHECK(counts.mfma == 2);
    CHECK(counts.spills == 1);
    CHECK(counts.calls == 0);
}

// A kernel whose spills stand in LLVM's remarks alone, and one without.
const std::string remarked =
    "\t.type k,@function\nk:\n"
    "\tscratch_store_dword off, v1, off offset:4 ; 4-byte Folded Spill\n"
    "\tscratch_load_dword v1, off, off offset:4 ; 4-byte Folded Reload\n"
    "\ts_endpgm\n; ScratchSize: 528\n";
const std::string calling =
    "\t.type k,@function\nk:\n\ts_swappc_b64 s[30:31], s[16:17]\n\ts_endpgm\n";

TEST_CASE("Spills that LLVM remarks alone are spills", "[occupancy]") {
    for (const auto& rest : {metadata(""), metadata("    .private_segment_fixed_size: 0\n"),
                             std::string("\t.amdhsa_kernel k\n\t\t.amdhsa_next_free_vgpr 8\n"
                                         "\t\t.amdhsa_private_segment_fixed_size k.seg\n"
                                         "\t.end_amdhsa_kernel\n")}) {
        CAPTURE(rest);
        const auto scratch = kernel_of(remarked + rest).scratch;
        CHECK(scratch.spill_instructions == 2);
        CHECK(scratch.spills());
        CHECK(scratch.may_spill());
        CHECK(scratch.bytes == (rest.find("size: 0") == std::string::npos ? 528u : 0u));
    }
}

TEST_CASE("What a kernel calls may spill though the kernel does not", "[occupancy]") {
    const auto none = [](const char* bytes) {
        return metadata(
            "    .sgpr_spill_count: 0\n    .vgpr_spill_count: 0\n"
            "    .private_segment_fixed_size: " +
            std::string(bytes) + "\n");
    };
    CHECK(kernel_of(calling + none("528")).scratch.may_spill());
    CHECK(!kernel_of(calling + none("528")).scratch.spills());
    CHECK(!kernel_of(calling + none("0")).scratch.may_spill());
    CHECK(!kernel_of(none("528")).scratch.may_spill());
}

TEST_CASE("Each kernel's own code is counted", "[occupancy]") {
    const auto helper =
        std::string("\t.type f,@function\nf:\n\tds_read_b128 v[0:3], v4\n\ts_setpc_b64 s[30:31]\n");
    const auto kernel = kernel_of(helper + "\t.type k,@function\nk:\n\ts_waitcnt vmcnt(0)\n" +
                                  "\ts_endpgm\n" + metadata(spilled));
    REQUIRE(kernel.counts);
    CHECK(kernel.counts->waits == 1);
    CHECK(kernel.counts->lds_reads == 0);
    CHECK(!kernel_of(metadata(spilled)).counts);
}

TEST_CASE("What Triton keeps of spills fills what assembly does not say", "[occupancy]") {
    CHECK(triton_json("k.json", R"({"n_spills": 12, "shared": 0})")->spills == 12u);
    CHECK(!triton_json("k.json", R"({"n_spills": null})")->spills);
    CHECK(triton_json("k.json", R"({"n_spills": -1})").error().text ==
          "k.json: n_spills: -1 is not a count");
    MemoryFs fs;
    fs.add_file("/c/k.amdgcn", metadata(""));
    fs.add_file("/c/k.json", R"({"n_spills": 12, "num_warps": 4, "shared": 0})");
    CHECK(read_triton(fs, "/c").kernels.at(0).scratch.vgpr_spills == 12u);
    fs.add_file("/c/k.amdgcn", metadata(spilled));
    CHECK(read_triton(fs, "/c").kernels.at(0).scratch.vgpr_spills == 128u);
}

}  // namespace

}  // namespace scratch_test
