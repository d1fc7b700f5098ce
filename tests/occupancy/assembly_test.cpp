// SPDX-License-Identifier: MIT
// Values from assembly, its metadata and Triton's files; files of other kinds are refused by name,
// with any contents.
#include "commands/occupancy/assembly.h"

#include <algorithm>
#include <string>
#include <vector>

#include "commands/occupancy/occupancy.h"
#include "commands/occupancy/triton.h"
#include "os/fs/memory_fs.h"
#include "support/catch.h"

namespace assembly_test {

namespace {

using namespace rocenv;

std::string code(const std::string& name, const std::string& instruction) {
    return "\t.type\t" + name + ",@function\n" + name + ":   ; @" + name + "\n; %bb.0:\n\t" +
           instruction + "\n.LBB0_1:\n\ts_endpgm\n";
}

std::string entry(const std::string& name, const std::string& lds) {
    return "  - .agpr_count:     32\n"
           "    .args:\n"
           "      - .address_space:  global\n"
           "        .name:           vgpr_count_of_an_argument\n"
           "        .vgpr_count:     999\n"
           "    .group_segment_fixed_size: " +
           lds +
           "\n"
           "    .max_flat_workgroup_size: 250\n"
           "    .name:           " +
           name +
           "\n"
           "    .sgpr_count:     42\n"
           "    .symbol:         " +
           name +
           ".kd\n"
           "    .vgpr_count:     104\n";
}

std::string metadata(const std::string& entries) {
    return "---\namdhsa.kernels:\n" + entries +
           "amdhsa.target:   'amdgcn-amd-amdhsa--gfx942:xnack-'\namdhsa.version:\n  - 1\n  - "
           "2\n...\n";
}

std::string in_assembly(const std::string& entries) {
    return "\t.amdgpu_metadata\n" + metadata(entries) + "\n\t.end_amdgpu_metadata\n";
}

Assembly parse(const std::string& text) {
    const auto assembly = parse_assembly("k.s", text);
    INFO((assembly ? "" : assembly.error().text));
    REQUIRE(assembly.ok());
    return *assembly;
}

std::string fault(const std::string& text) {
    const auto assembly = parse_assembly("k.s", text);
    REQUIRE(assembly.is(ErrorKind::bad_input));
    return assembly.error().text;
}

TEST_CASE("Every kernel of an assembly file", "[occupancy]") {
    const auto assembly =
        parse("\t.amdgcn_target \"amdgcn-amd-amdhsa--gfx90a:sramecc+\"\n" +
              code("one", "v_mov_b32 v0, 0") + code("two", "ds_write_b32 v0, v1") +
              in_assembly(entry("one", "0") + entry("two", "1024")));
    CHECK(assembly.gfx == "gfx90a:sramecc+");
    REQUIRE(assembly.kernels.size() == 2);
    const auto& one = assembly.kernels[0];
    CHECK(one.name == "one");
    CHECK(one.vgprs == 104u);
    CHECK(one.agprs == 32u);
    CHECK(one.sgprs == 42u);
    CHECK(one.lds_bytes == 0u);
    CHECK(one.work_items == 250u);
    CHECK(!one.may_use_lds);
    CHECK(assembly.kernels[1].lds_bytes == 1024u);
    CHECK(assembly.kernels[1].may_use_lds);
}

TEST_CASE("Metadata alone, in the forms it is written", "[occupancy]") {
    for (const auto& text :
         {metadata(entry("one", "0")),
          "Owner Data size\n    AMDGPU Metadata:\n" + metadata(entry("one", "0")),
          std::string("amdhsa.version: [1, 0]\namdhsa.target: amdgcn-amd-amdhsa--gfx942:xnack-\n"
                      "amdhsa.kernels:\n- .name: \"one\"  # by hand\n  .symbol: 'one.kd'\n"
                      "  .vgpr_count: 104\n  .agpr_count: 32\n  .sgpr_count: 42\n"
                      "  .group_segment_fixed_size: 0\n  .max_flat_workgroup_size: 250\r\n")}) {
        const auto assembly = parse(text);
        CHECK(assembly.gfx == "gfx942:xnack-");
        REQUIRE(assembly.kernels.size() == 1);
        CHECK(assembly.kernels[0].name == "one");
        CHECK(assembly.kernels[0].vgprs == 104u);
        CHECK(assembly.kernels[0].agprs == 32u);
        CHECK(assembly.kernels[0].work_items == 250u);
        CHECK(assembly.kernels[0].may_use_lds);  // no code is seen
    }
}

TEST_CASE("A kernel descriptor without metadata", "[occupancy]") {
    const std::string text = code("one", "s_nop 0") +
                             "\t.amdhsa_kernel one\n"
                             "\t\t.amdhsa_group_segment_fixed_size 4096\n"
                             "\t\t.amdhsa_next_free_vgpr 104 ; both\n"
                             "\t\t.amdhsa_next_free_sgpr 36\n"
                             "\t\t.amdhsa_accum_offset 72\n"
                             "\t.end_amdhsa_kernel\n";
    const auto kernel = parse(text).kernels.at(0);
    CHECK(kernel.name == "one");
    CHECK(kernel.vgprs == 104u);
    CHECK(kernel.agprs == 32u);
    CHECK(kernel.sgprs == 42u);
    CHECK(kernel.lds_bytes == 4096u);
    CHECK(!kernel.work_items);
    const auto symbols = parse(
        "\t.amdhsa_kernel one\n\t\t.amdhsa_next_free_vgpr max(totalnumvgprs(one.num_agpr, "
        "one.num_vgpr), 1, 0)\n\t.end_amdhsa_kernel\n");
    CHECK(!symbols.kernels.at(0).vgprs);
}

TEST_CASE("The descriptor's registers count when they are more", "[occupancy]") {
    const auto with = [](const std::string& count) {
        return parse("\t.amdhsa_kernel one\n\t\t.amdhsa_next_free_vgpr " + count +
                     "\n\t.end_amdhsa_kernel\n" + in_assembly(entry("one", "0")))
            .kernels;
    };
    REQUIRE(with("129").size() == 1);
    CHECK(with("129")[0].vgprs == 129u);
    CHECK(with("3")[0].vgprs == 104u);
}

TEST_CASE("Which instructions use LDS", "[occupancy]") {
    const auto uses = [](const std::string& instruction) {
        return parse(code("one", instruction) + in_assembly(entry("one", "0")))
            .kernels.at(0)
            .may_use_lds;
    };
    for (const char* instruction :
         {"ds_read_b128 v[0:3], v4 offset:16", "ds_write2st64_b64 v0, v[1:2], v[3:4]",
          "ds_add_u32 v0, v1", "buffer_load_dword v1, s[0:3], 0 offen lds",
          "buffer_load_dwordx4 off, s[0:3], s4 offset:32 lds // into LDS",
          "buffer_load_dword v1, s[0:3], 0 lds glc", "global_load_lds_dword v[0:1], off",
          "v_add_f32 v0, lds_direct, v1", "DS_NOTHING\n\tds_append v0"}) {
        CAPTURE(instruction);
        CHECK(uses(instruction));
    }
    for (const char* instruction :
         {"ds_bpermute_b32 v0, v1, v2", "ds_permute_b32 v0, v1, v2", "ds_swizzle_b32 v0, v1",
          "ds_nop", "ds_gws_barrier v0 gds", "ds_add_u32 v0, v1 gds",
          "buffer_load_dword v1, s[0:3], 0", "v_mov_b32 v0, 0 ; ds_read_b32 v0, v1",
          ".ascii \"ds_read_b32 lds_direct\"", "s_nop 0"}) {
        CAPTURE(instruction);
        CHECK(!uses(instruction));
    }
}

TEST_CASE("A function beside the kernels may be called from each", "[occupancy]") {
    const auto kernels = parse(code("helper", "ds_read_b32 v0, v1") + code("one", "s_nop 0") +
                               in_assembly(entry("one", "0")))
                             .kernels;
    CHECK(kernels.at(0).may_use_lds);
}

TEST_CASE("What is wrong with assembly is said with its line", "[occupancy]") {
    CHECK(fault("") == "k.s: no kernel in it, neither amdhsa.kernels nor .amdhsa_kernel");
    CHECK(fault("amdhsa.kernels: []\n").ends_with("nor .amdhsa_kernel"));
    CHECK(fault("s_endpgm\n\t.amdgpu_metadata\n---\n" + entry("one", "0")) ==
          "k.s:2: .amdgpu_metadata has no end: the file is cut off");
    CHECK(fault("\t.amdhsa_kernel one\n") ==
          "k.s:1: .amdhsa_kernel has no end: the file is cut off");
    CHECK(fault("amdhsa.kernels:\n  - .name: one\n    .sgpr_cou") ==
          "k.s:2: kernel one has no .vgpr_count: is the file cut off?");
    CHECK(fault(metadata(entry("one", "-1"))) ==
          "k.s:8: .group_segment_fixed_size: -1 is not a count");
    CHECK(fault(metadata(entry("one", "0x10"))).ends_with("0x10 is not a count"));
    CHECK(fault(metadata(entry("one", "99999999999999999999"))).ends_with("is not a count"));
    CHECK(fault(metadata(entry("one", "1000000001"))).ends_with("is not a count"));
    CHECK(fault(metadata(entry("one", ""))).ends_with(":  is not a count"));
    std::string many = "amdhsa.kernels:\n";
    for (int at = 0; at <= 10000; ++at) {
        many += "- .vgpr_count: 1\n";
    }
    CHECK(fault(many) == "k.s:10002: more than 10000 kernels or functions");
    CHECK(fault(std::string("\x7f"
                            "ELF\0\0",
                            6))
              .starts_with("k.s: binary file, expected assembly"));
}

TEST_CASE("Triton's JSON, of today and before", "[occupancy]") {
    const auto today =
        triton_json("k.json", R"({"target": {"backend": "hip", "arch": "gfx942", "warp_size": 64},
                      "num_warps": 8, "num_stages": 2, "shared": 32768, "name": "k"})");
    REQUIRE(today.ok());
    CHECK(today->shared == 32768u);
    CHECK(today->num_warps == 8u);
    CHECK(today->gfx == "gfx942");
    for (const char* text :
         {R"({"shared": 1, "arch": "gfx90a"})", R"({"target": ["hip", "gfx90a", 64]})",
          R"({"target": "hip:gfx90a"})"}) {
        CHECK(triton_json("k.json", text)->gfx == "gfx90a");
    }
    CHECK(triton_json("k.json", R"({"target": {"backend": "cuda", "arch": 90}})")->gfx.empty());
    CHECK(triton_json("k.json", R"({"shared": -1})").error().text ==
          "k.json: shared: -1 is not a count");
    for (const char* text : {R"({"shared": 32768, "num_w)", R"({"shared": 1, "shared": 2})",
                             R"({"shared": 1} 2)", R"([1])", R"({"target": "\x"})"}) {
        CAPTURE(text);
        CHECK(triton_json("k.json", text).error().text == "k.json: not valid JSON, or cut off");
    }
}

TEST_CASE("Triton's module attributes, of today and before", "[occupancy]") {
    const auto today = triton_ir(
        "#shared = #ttg.swizzled_shared<{vec = 1}>\n#smem = #ttg.shared_memory\n"
        "module attributes {\"ttg.num-ctas\" = 1 : i32, \"ttg.num-warps\" = 4 : i32, ttg.shared = "
        "16384 : i32, ttg.target = \"hip:gfx950\", \"ttg.threads-per-warp\" = 64 : i32} {\n");
    CHECK(today.shared == 16384u);
    CHECK(today.num_warps == 4u);
    CHECK(today.gfx == "gfx950");
    const auto before = triton_ir(
        "#shared = #triton_gpu.shared<{vec = 1, perPhase = 1}>\n"
        "module attributes {\"triton_gpu.num-warps\" = 2 : i32} {\n"
        "module attributes {\"triton_gpu.num-warps\" = 8 : i32, triton_gpu.shared = 65536 : "
        "i32}\n");
    CHECK(before.shared == 65536u);
    CHECK(before.num_warps == 8u);
    CHECK(
        triton_ir("{\"ttg.num-warps\" = 4 : i32, \"ttg.total-num-warps\" = 12 : i32}").num_warps ==
        12u);
    for (const char* text : {"", "ttg.shared", "ttg.shared =", "ttg.shared = x", "xttg.shared = 4",
                             "ttg.shared = 99999999999999999999999", "ttg.shared_memory = 4"}) {
        CAPTURE(text);
        CHECK(!triton_ir(text).shared);
    }
}

std::string triton_kernel() {
    return "\t.amdgcn_target \"amdgcn-amd-amdhsa--gfx942\"\n" + code("k", "ds_read_b32 v0, v1") +
           in_assembly(entry("k", "0"));
}

TEST_CASE("A Triton cache, an entry of it, a dump", "[occupancy]") {
    MemoryFs fs;
    fs.add_file("/cache/ABC/k.amdgcn", triton_kernel());
    fs.add_file("/cache/ABC/k.json", R"({"shared": 8192, "num_warps": 2})");
    fs.add_file("/cache/ABC/__grp__k.json", "{}");
    fs.add_file("/cache/DEF/k.amdgcn", triton_kernel());
    fs.add_file("/cache/DEF/k.ttgir", "module attributes {\"ttg.num-warps\" = 4 : i32}");
    fs.add_file("/cache/GHI/cuda.ptx", "");
    fs.add_file("/cache/LICENSE", "");
    const auto whole = read_triton(fs, "/cache");
    CHECK(whole.errors.empty());
    REQUIRE(whole.kernels.size() == 2);
    CHECK(whole.kernels[0].file == "/cache/ABC/k.amdgcn");
    CHECK(whole.kernels[0].demand.lds_bytes == 8192u);
    CHECK(whole.kernels[0].demand.waves == 2u);
    CHECK(!whole.kernels[1].demand.lds_bytes);  // the dump does not say
    CHECK(whole.kernels[1].demand.waves == 4u);
    CHECK(read_triton(fs, "/cache/ABC").kernels.size() == 1);
    CHECK(read_triton(fs, "/cache/GHI").errors.at(0).starts_with("/cache/GHI: no .amdgcn file"));
    CHECK(read_triton(fs, "/nowhere").errors.size() == 1);
    fs.add_file("/cache/ABC/k.json", R"({"shared": )");
    const auto cut = read_triton(fs, "/cache");
    CHECK(cut.kernels.size() == 1);
    CHECK(cut.errors.at(0) == "/cache/ABC/k.json: not valid JSON, or cut off");
}

TEST_CASE("Assembly alone does not know what a launch gives", "[occupancy]") {
    MemoryFs fs;
    fs.add_file("/k.s", triton_kernel());
    fs.add_file("/plain.s", code("k", "s_nop 0") + in_assembly(entry("k", "0")));
    CHECK(!read_assembly(fs, "/k.s").kernels.at(0).demand.lds_bytes);
    CHECK(read_assembly(fs, "/k.s").kernels.at(0).demand.waves == 4u);  // 250 work-items
    CHECK(read_assembly(fs, "/plain.s").kernels.at(0).demand.lds_bytes == 0u);
    CHECK(read_assembly(fs, "/none.s").errors.size() == 1);
}

TEST_CASE("A file is read up to 32 MiB", "[occupancy]") {
    MemoryFs fs;
    const std::string filling(std::size_t{31} << 20, '\n');
    fs.add_file("/k.s", filling + triton_kernel());
    CHECK(read_assembly(fs, "/k.s").kernels.size() == 1);
    fs.add_file("/k.s", filling + std::string(std::size_t{1} << 20, '\n') + triton_kernel());
    CHECK(read_assembly(fs, "/k.s").errors.at(0) == "/k.s: is larger than 32 MiB");
}

// Cut anywhere, with any byte changed, or of any bytes at all: an answer or an error that names the
// file, never more.
TEST_CASE("Strangers' files", "[occupancy]") {
    const std::string whole = triton_kernel() +
                              "\t.amdhsa_kernel k\n\t\t.amdhsa_next_free_vgpr 9\n"
                              "\t.end_amdhsa_kernel\n";
    const auto try_one = [&](const std::string& text) {
        const auto assembly = parse_assembly("k.s", text);
        REQUIRE(
            (assembly ? !assembly->kernels.empty() : assembly.error().text.starts_with("k.s:")));
        const auto json = triton_json("k.s", text);
        REQUIRE((json || json.error().text.starts_with("k.s:")));
        (void)triton_ir(text);
    };
    for (std::size_t size = 0; size <= whole.size(); ++size) {
        try_one(whole.substr(0, size));
        try_one(whole.substr(size));
    }
    std::uint64_t state = 11;
    const auto random = [&](std::uint64_t below) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        return static_cast<std::size_t>((state >> 33) % below);
    };
    using namespace std::string_view_literals;
    constexpr auto bytes = "\0\n :-.#'\"{[,]}\\;/0919az_\xff\t"sv;
    for (int turn = 0; turn < 20000; ++turn) {
        std::string text = whole;
        for (std::size_t change = random(6) + 1; change > 0; --change) {
            text[random(text.size())] = bytes[random(bytes.size())];
        }
        try_one(text);
        std::string noise(random(200), ' ');
        std::generate(noise.begin(), noise.end(), [&] { return bytes[random(bytes.size())]; });
        try_one(noise);
        try_one("amdhsa.kernels:\n" + noise);
    }
}

}  // namespace

}  // namespace assembly_test
