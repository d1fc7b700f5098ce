// SPDX-License-Identifier: MIT
// Facts about releases that were once wrong here, or that guides still state wrongly: each with the
// releases on both sides of it.
#include <algorithm>

#include "os/fs/memory_fs.h"
#include "support/catch.h"
#include "util/text.h"
#include "variables/catalogue.h"
#include "variables/inspection.h"

namespace rocenv::release_facts_test {

namespace {

// A node with one GPU: KFD's number of its instruction set, its PCI id.
struct Node {
    const char* gfx = "90402";
    const char* device = "74A1";
};
constexpr Node mi300x;
constexpr Node mi300a{"90400", "74A0"};
constexpr Node mi100{"90008", "738C"};
constexpr Node mi210{"90010", "740F"};

void add_gpu(const Node& node, MemoryFs& fs) {
    const std::string slot = "/0000:05:00.0";
    fs.add_file(
        "/sys/bus/pci/devices" + slot + "/modalias",
        std::string("pci:v00001002d0000") + node.device + "sv00001002sd00000000bc12sc00i00\n");
    fs.add_file("/sys/class/kfd/kfd/topology/nodes/0/properties", "simd_count 0\n");
    fs.add_file("/sys/class/kfd/kfd/topology/nodes/1/properties",
                std::string("simd_count 480\nlocation_id 1280\ndomain 0\ngfx_target_version ") +
                    node.gfx + "\n");
}

// All that was said of a variable, where only this version and this environment are known.
struct Inspected {
    std::string effective;
    std::string faults;
    std::string remark;
    bool uncertain = false;
};

Inspected inspected(const std::string& name, const Environment& environment, const char* package,
                    const char* version, const Node& node = mi300x) {
    MemoryFs fs;
    add_gpu(node, fs);
    const Machine machine(fs);
    const Process process;
    const Versions versions(machine, process, {{package, version}});
    const Readers readers(machine, versions);
    const auto text = environment.find(name);
    if (text == environment.end()) {
        return {readers.read(*find_variable(name), std::nullopt).effective, "", "", false};
    }
    const auto row = inspect_one(*find_variable(name), text->second, environment, readers);
    return {row.effective.value_or("(none)"), join(row.faults, "; "), row.remark, row.uncertain};
}

std::string faults(const std::string& name, const std::string& text, const char* package,
                   const char* version) {
    return inspected(name, {{name, text}}, package, version).faults;
}

std::string unset(const std::string& name, const char* package, const char* version,
                  const Node& node = mi300x) {
    return inspected(name, {}, package, version, node).effective;
}

std::string kernarg_faults(const char* rocm, const Node& node, const Environment& also = {}) {
    Environment environment = also;
    environment["HIP_FORCE_DEV_KERNARG"] = "1";
    return inspected("HIP_FORCE_DEV_KERNARG", environment, "rocm", rocm, node).faults;
}

}  // namespace

// ROCm/clr rocclr/device/rocm/rocsettings.cpp of 2024-10.
TEST_CASE("Facts: on MI100 kernel arguments stay in host memory whatever is asked",
          "[release-facts]") {
    const std::string stays =
        "from ROCm 6.3 on kernel arguments stay in host memory on gfx908, unless "
        "DEBUG_CLR_KERNARG_HDP_FLUSH_WA=1";
    CHECK(kernarg_faults("6.3.0", mi100) == stays);
    CHECK(kernarg_faults("7.0.2", mi100) == stays);
    CHECK(kernarg_faults("6.2.0", mi100).empty());
    CHECK(kernarg_faults("7.0.2", mi210).empty());
    CHECK(kernarg_faults("7.0.2", mi300x).empty());
    CHECK(kernarg_faults("7.0.2", mi100, {{"DEBUG_CLR_KERNARG_HDP_FLUSH_WA", "1"}}).empty());
    CHECK(kernarg_faults("7.0.2", mi100, {{"DEBUG_CLR_KERNARG_HDP_FLUSH_WA", "yes"}}) == stays);
    CHECK(
        inspected("HIP_FORCE_DEV_KERNARG", {{"HIP_FORCE_DEV_KERNARG", "0"}}, "rocm", "7.0.2", mi100)
            .faults.empty());
}

TEST_CASE("Facts: kernel arguments in GPU memory are the default of gfx94x from 6.1.2 on",
          "[release-facts]") {
    for (const auto& node : {mi300a, mi300x}) {
        CHECK(unset("HIP_FORCE_DEV_KERNARG", "rocm", "6.0.2", node) == "false");
        CHECK(unset("HIP_FORCE_DEV_KERNARG", "rocm", "6.1.0", node) == "default");
        CHECK(unset("HIP_FORCE_DEV_KERNARG", "rocm", "6.1.2", node) == "true");
        CHECK(unset("HIP_FORCE_DEV_KERNARG", "rocm", "7.0.2", node) == "true");
    }
    for (const auto& node : {mi100, mi210}) {
        CHECK(unset("HIP_FORCE_DEV_KERNARG", "rocm", "7.0.2", node) == "false");
    }
}

TEST_CASE("Facts: which GID a RoCE port takes by default", "[release-facts]") {
    CHECK(unset("NCCL_IB_GID_INDEX", "nccl", "2.20.5") == "0");
    CHECK(unset("NCCL_IB_GID_INDEX", "nccl", "2.21.5") == "-1");
    CHECK(unset("NCCL_IB_GID_INDEX", "rocm", "6.2.2") == "0");
}

TEST_CASE("Facts: expandable segments on ROCm", "[release-facts]") {
    for (const auto* name :
         {"PYTORCH_ALLOC_CONF", "PYTORCH_HIP_ALLOC_CONF", "PYTORCH_CUDA_ALLOC_CONF"}) {
        INFO(name);
        const auto at = [&](const char* torch) {
            return inspected(name, {{name, "max_split_size_mb:64,expandable_segments:True"}},
                             "torch", torch);
        };
        const bool is_new = std::string_view(name) == "PYTORCH_ALLOC_CONF";
        CHECK(at("2.8.0").faults.ends_with(
            is_new ? "not yet in 2.8.0" : "before 2.9 ignores expandable_segments on ROCm"));
        CHECK(at("2.11.0").uncertain);
        CHECK(at("2.11.0").remark.ends_with("on ROCm in AMD's own builds only"));
        CHECK(at("2.11.0").faults.empty());
        CHECK_FALSE(at("2.14.1").uncertain);
        CHECK(at("2.14.1").faults.empty());
        CHECK(at("2.11.0+cu128").remark.find("ROCm") == std::string::npos);
    }
}

TEST_CASE("Facts: PyTorch before 2.7 on ROCm reads one name of its allocator's",
          "[release-facts]") {
    const auto at = [](const char* torch) {
        return faults("PYTORCH_CUDA_ALLOC_CONF", "max_split_size_mb:64", "torch", torch);
    };
    CHECK(at("2.6.0+rocm6.2") ==
          "on ROCm, PyTorch before 2.7 reads PYTORCH_HIP_ALLOC_CONF instead");
    CHECK(at("2.6.0+cu124").empty());
    CHECK(at("2.7.0+rocm6.3").empty());
}

TEST_CASE("Facts: one reader's release says nothing of another reader", "[release-facts]") {
    const std::tuple<const char*, const char*, const char*, const char*> rows[] = {
        {"HIP_VISIBLE_DEVICES", "0", "triton", "3.4"},
        {"PYTORCH_CUDA_ALLOC_CONF", "max_split_size_mb:64", "triton", "3.4"},
        {"TORCH_COMPILE_DISABLE", "1", "vllm", "0.12.0"},
        {"TRITON_CACHE_DIR", "/x", "vllm", "0.12.0"},
        {"PYTORCH_ROCM_ARCH", "gfx942", "vllm", "0.12.0"},
    };
    for (const auto& [name, text, package, version] : rows) {
        INFO(name);
        CHECK(faults(name, text, package, version).empty());
    }
    // NCCL and RCCL are makes of one library.
    CHECK(faults("NCCL_CTA_POLICY", "ZERO", "rocm", "6.2.0") ==
          "first read in rocm 10.2, not yet in 6.2.0");
}

TEST_CASE("Facts: libhsakmt's names before ROCR took it in", "[release-facts]") {
    CHECK(faults("HSA_OVERRIDE_GFX_VERSION", "11.0.0", "rocm", "6.1.2").empty());
    CHECK(faults("HSA_OVERRIDE_GFX_VERSION", "11.0.0", "rocm", "6.2.0").empty());
    CHECK(faults("HSA_MAX_VA_ALIGN", "9", "rocm", "5.5.1").empty());
    CHECK(faults("HSA_USE_SVM", "1", "rocm", "5.5.1") ==
          "first read in rocm 5.7.1, not yet in 5.5.1");
}

TEST_CASE("Facts: what documents or a build leave out may be read", "[release-facts]") {
    const auto rccl =
        inspected("NCCL_SOCKET_RETRY_CNT", {{"NCCL_SOCKET_RETRY_CNT", "9"}}, "rocm", "7.0.2");
    CHECK(rccl.faults.empty());
    CHECK(rccl.uncertain);
    CHECK(faults("NCCL_SOCKET_RETRY_CNT", "9", "rocm", "6.2.0") ==
          "RCCL of rocm 6.2.0 does not read the variable, but NCCL does");
    const std::string miopen = "MIOPEN_DEBUG_CONV_CK_IGEMM_FWD_BIAS_ACTIV";
    const auto built = inspected(miopen, {{miopen, "1"}}, "rocm", "6.4.3");
    CHECK(built.faults.empty());
    CHECK(built.uncertain);
}

TEST_CASE("Facts: RCCL's own defaults", "[release-facts]") {
    CHECK(unset("NCCL_NET_DISABLE_INTRA", "rocm", "6.2.0") == "true");
    CHECK(unset("NCCL_NET_DISABLE_INTRA", "nccl", "2.20.5") == "false");
    CHECK(unset("NCCL_IB_AR_THRESHOLD", "rocm", "6.2.0") == "8192");
    CHECK(unset("NCCL_DEBUG", "nccl", "2.27.3") == "NONE");
}

TEST_CASE("Facts: words that a reader does not know are told", "[release-facts]") {
    CHECK(faults("NCCL_CTA_POLICY", "1", "nccl", "2.28.3").empty());
    CHECK_FALSE(faults("NCCL_CTA_POLICY", "foo", "nccl", "2.28.3").empty());
    CHECK(faults("NCCL_DEBUG", "INF", "nccl", "2.28.3").starts_with("not one of the words"));
    CHECK(faults("NCCL_DEBUG", "info", "nccl", "2.28.3").empty());
    CHECK(faults("NCCL_NET_MERGE_LEVEL", "text", "nccl", "2.28.3").find("not one of the words") !=
          std::string::npos);
}

TEST_CASE("Facts: a release that does not read a name misreads nothing", "[release-facts]") {
    CHECK(faults("TORCHINDUCTOR_DETERMINISTIC", "yes", "torch", "2.6.0") ==
          "first read in torch 2.11.0, not yet in 2.6.0");
    CHECK(faults("S3_ACCESS_KEY_ID", "x", "vllm", "0.3.3") ==
          "first read in vllm 0.4.2, not yet in 0.3.3");
    CHECK(faults("VLLM_ATTENTION_BACKEND", "X", "vllm", "0.15") ==
          "read before vllm 0.15, no longer in 0.15");
}

TEST_CASE("Facts: passwords in addresses are not told", "[release-facts]") {
    CHECK(inspected("HF_ENDPOINT", {{"HF_ENDPOINT", "https://u:word@hf/x"}}, "vllm", "0.12.0")
              .effective == "https://***@hf/x");
}

TEST_CASE("Facts: what AMD's guides set and nothing reads is told with the guides",
          "[release-facts]") {
    const auto fast = faults("SAFETENSORS_FAST_GPU", "1", "accelerate", "1.14.0");
    CHECK(fast.starts_with("this variable has no effect: "));
    CHECK(fast.find("AMD's vLLM guide still sets 1") != std::string::npos);
    const auto msccl = inspected("MSCCL_ENABLE", {{"MSCCL_ENABLE", "0"}}, "rocm", "6.2.0");
    CHECK(msccl.uncertain);
    CHECK(msccl.remark.find("it may be meant as RCCL_MSCCL_ENABLE") != std::string::npos);
    CHECK(find_variable("MSCCL_ENABLE")->doc.find("AMD's training guides") != std::string::npos);
    CHECK(faults("RCCL_MSCCL_ENABLE", "0", "rocm", "6.2.0").empty());
    CHECK(find_variable("RCCL_MSCCL_ENABLE")->note.find("AMD's training guides") !=
          std::string::npos);
}

TEST_CASE("Facts: TORCH_COMPILE_DEBUG is read by int(), too", "[release-facts]") {
    for (const auto* text : {"true", "yes", "1.5"}) {
        INFO(text);
        CHECK(faults("TORCH_COMPILE_DEBUG", text, "torch", "2.11.0")
                  .starts_with("PyTorch Inductor fails on "));
        CHECK(faults("TORCH_COMPILE_DEBUG", text, "torch", "2.6.0").find("fails") ==
              std::string::npos);
    }
    CHECK(faults("TORCH_COMPILE_DEBUG", "0", "torch", "2.11.0").empty());
}

TEST_CASE("Facts: what PyTorch 2.6 read is not called unread in general", "[release-facts]") {
    struct Row {
        const char* name;
        const char* text;
        const char* last;
        const char* gone;
    };
    for (const Row& row : {Row{"TORCHINDUCTOR_SEARCH_AUTOTUNE_CACHE", "1", "2.6.0", "2.11.0"},
                           Row{"TORCHINDUCTOR_AUTOTUNE_FALLBACK_TO_ATEN", "0", "2.6.0", "2.11.0"},
                           Row{"TORCHINDUCTOR_C_SHIM_VERSION", "1", "2.6.0", "2.11.0"},
                           Row{"TORCHINDUCTOR_FORCE_SAME_PRECISION", "1", "2.11.0", "2.14.1"}}) {
        INFO(row.name);
        CHECK(faults(row.name, row.text, "torch", "2.6.0").empty());
        CHECK(faults(row.name, row.text, "torch", row.last).empty());
        CHECK(faults(row.name, row.text, "torch", row.gone) ==
              std::string("last read in torch ") + row.last + ", no longer in " + row.gone);
        // Without a version nothing more than what holds in general.
        CHECK(faults(row.name, row.text, "rocm", "7.0.2") ==
              std::string("no program reads this variable since torch ") + row.gone);
    }
}

TEST_CASE("Facts: words of Inductor that differ by version", "[release-facts]") {
    const auto effective = [](const char* name, const char* text, const char* torch) {
        return inspected(name, {{name, text}}, "torch", torch).effective;
    };
    const char* contract = "TORCHINDUCTOR_CPP_ENABLE_FLOATING_POINT_CONTRACT_FLAG";
    CHECK(effective(contract, "fast", "2.6.0") == "off");
    CHECK(effective(contract, "fast", "2.11.0") == "fast");
    CHECK(effective(contract, "1", "2.6.0") != "off");
    const char* space = "TORCHINDUCTOR_MAX_AUTOTUNE_GEMM_SEARCH_SPACE";
    CHECK(effective(space, "all", "2.6.0") == "DEFAULT");
    CHECK(effective(space, "all", "2.14.1") == "ALL");
}

// Releases for which a mined list contradicted the catalogue.
TEST_CASE("Facts: first and last releases that were told wrong", "[release-facts]") {
    struct Row {
        const char* name;
        const char* package;
        const char* reads;
        const char* does_not;
    };
    for (const Row& row : {Row{"NCCL_NVB_DISABLE", "nccl", "2.10.3", "2.9.9"},
                           Row{"NCCL_CGA_CLUSTER_SIZE", "nccl", "2.15.5", "2.14.3"},
                           Row{"NCCL_MNNVL_CLIQUE_ID", "nccl", "2.23.4", "2.22.3"},
                           Row{"NCCL_ALLOC_P2P_NET_LL_BUFFERS", "nccl", "2.17.1", "2.16.2"},
                           Row{"NCCL_GIN_PLUGIN", "nccl", "2.29.7", "2.29.3"},
                           Row{"DEBUG_CLR_GRAPH_PACKET_CAPTURE", "rocm", "6.4.3", "5.7.1"},
                           Row{"HIP_FORCE_DEV_KERNARG", "rocm", "5.7.1", "5.5.1"},
                           Row{"RCCL_ENABLE_CLIQUE", "rocm", "5.0.2", "5.2.3"},
                           Row{"SAFETENSORS_FAST_GPU", "accelerate", "0.20.3", "0.22.0"},
                           Row{"AITER_USE_OPUS_MOE_SORTING", "aiter", "0.1.13", "0.1.14"},
                           Row{"HIP_FORCE_QUEUE_PROFILING", "rocm", "5.3.3", "5.4.4"},
                           Row{"TRITON_ENABLE_EXPERIMENTAL_CONSAN", "triton", "3.5", "3.6"},
                           Row{"TRITON_HIP_GLOBAL_PREFETCH", "triton", "3.5", "3.6"},
                           Row{"TRITON_HIP_LOCAL_PREFETCH", "triton", "3.5", "3.6"},
                           Row{"K_SCALE_CONSTANT", "vllm", "0.24.0", "0.28.0"},
                           Row{"Q_SCALE_CONSTANT", "vllm", "0.24.0", "0.28.0"},
                           Row{"V_SCALE_CONSTANT", "vllm", "0.24.0", "0.28.0"}}) {
        INFO(row.name);
        const auto variable = find_variable(row.name);
        REQUIRE(variable);
        const auto at = [&](const char* version) {
            return reads_at(*variable, row.package, version).reads;
        };
        CHECK(at(row.reads) == Reads::yes);
        CHECK(at(row.does_not) != Reads::yes);
    }
    CHECK(unset("DEBUG_CLR_GRAPH_PACKET_CAPTURE", "rocm", "6.1.2") == "false");
    CHECK(unset("DEBUG_CLR_GRAPH_PACKET_CAPTURE", "rocm", "6.2.0") == "true");
    CHECK(find_variable("NCCL_ALLOC_P2P_NET_LL_BUFFERS")->note.find("NCCL_NCCL_ALLOC") !=
          std::string::npos);
}

// Defaults for which the newest searched release differs from the catalogue's version.
TEST_CASE("Facts: defaults that were told wrong", "[release-facts]") {
    struct Row {
        const char* name;
        const char* package;
        const char* version;
        const char* effective;
    };
    for (const Row& row : {Row{"AMD_DIRECT_DISPATCH", "rocm", "6.2.0", "true"},
                           Row{"DEBUG_CLR_SYSMEM_POOL", "rocm", "6.4.3", "true"},
                           Row{"GPU_FORCE_BLIT_COPY_SIZE", "rocm", "6.2.0", "0"},
                           Row{"GPU_SINGLE_ALLOC_PERCENT", "rocm", "6.2.0", "85"},
                           Row{"NCCL_DMABUF_ENABLE", "rocm", "6.2.0", "0"},
                           Row{"NCCL_IB_AR_THRESHOLD", "nccl", "2.30.7", "-2"},
                           Row{"NCCL_NSOCKS_PERTHREAD", "nccl", "2.20.5", "-2"},
                           Row{"NCCL_SOCKET_NTHREADS", "nccl", "2.20.5", "-2"},
                           Row{"ROC_CPU_WAIT_FOR_SIGNAL", "rocm", "6.2.0", "true"}}) {
        INFO(row.name);
        CHECK(unset(row.name, row.package, row.version) == row.effective);
    }
}

// Dao-AILab/flash-attention flash_attn/flash_attn_interface.py and flash_attn_triton_amd/utils.py.
TEST_CASE("Facts: what flash-attention takes for on", "[release-facts]") {
    const char* enable = "FLASH_ATTENTION_TRITON_AMD_ENABLE";
    const char* autotune = "FLASH_ATTENTION_TRITON_AMD_AUTOTUNE";
    CHECK(faults(enable, "TRUE", "flash-attn", "2.8.3").empty());
    CHECK(faults(enable, "1", "flash-attn", "2.8.3") ==
          R"(flash-attention reads "1" as off; write TRUE or 0)");
    CHECK(faults(autotune, "1", "flash-attn", "2.8.3").empty());
    CHECK(faults(autotune, "on", "flash-attn", "2.8.3").find("as off") != std::string::npos);
    const auto at = [&](const char* version) {
        return reads_at(*find_variable(enable), "flash-attn", version).reads;
    };
    CHECK(at("2.7.0") == Reads::not_yet);
    CHECK(at("2.7.1") == Reads::yes);
}

}  // namespace rocenv::release_facts_test
