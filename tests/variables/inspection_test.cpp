// SPDX-License-Identifier: MIT
// Findings about the variables of an environment, one kind of fault after another.
#include "variables/inspection.h"

#include <algorithm>
#include <random>

#include "os/fs/memory_fs.h"
#include "support/catch.h"
#include "util/text.h"
#include "variables/catalogue.h"

namespace rocenv::inspection_test {

namespace {

// Inspects with ROCm's version in its files, and the other versions as given.
std::vector<Inspection> inspected(const Environment& environment, const char* rocm = "7.0.2",
                                  const char* torch = "2.8.0", const char* triton = "3.6.0") {
    MemoryFs fs;
    fs.add_file("/opt/rocm/.info/version", std::string(rocm) + "-56\n");
    const Machine machine(fs);
    const Process process;
    Versions::Assumed assumed;
    if (*torch != '\0') {
        assumed = {{"torch", torch}, {"triton", triton}};
    }
    const Versions versions(machine, process, assumed);
    return inspect(environment, Readers(machine, versions));
}

std::string faults_of(const std::vector<Inspection>& rows, const std::string& name) {
    const auto row = std::find_if(rows.begin(), rows.end(),
                                  [&](const Inspection& each) { return each.name == name; });
    return row == rows.end() ? "(no row)" : join(row->faults, "; ");
}

struct Row {
    const char* name;
    const char* text;
    const char* faults;  // "": none; "(no row)": not inspected
    const char* rocm = "7.0.2";
    const char* torch = "2.8.0";
};

constexpr Row rows[] = {
    // Names.
    {"PYTORCH_TUNABLEOP_ENABLE", "1",
     "not in this catalogue (facts of 2026-11-22). Did you mean 'PYTORCH_TUNABLEOP_ENABLED'?"},
    {"HIP_FORCE_DEV_KERNAGR", "1",
     "not in this catalogue (facts of 2026-11-22). Did you mean 'HIP_FORCE_DEV_KERNARG'?"},
    {"HSA_NO_SCRATCHRECLAIM", "1",
     "not in this catalogue (facts of 2026-11-22). Did you mean 'HSA_NO_SCRATCH_RECLAIM'?"},
    {"PYTORCH_TUNABLEOP_SPEED_OF_LIGHT", "1", "not in this catalogue (facts of 2026-11-22)"},
    {"PYTORCH_TUNABLEOP_SPEED_OF_LIGHT", "1", "not in this catalogue (facts of 2026-11-22)",
     "7.0.2", "2.11.0"},
    {"NCCL_MY_OWN_NAME", "1", "not in this catalogue (facts of 2026-11-22)"},
    {"HSA_OVERRIDE_GFX_VERSION_3", "9.4.2", ""},
    {"HSA_OVERRIDE_GFX_VERSION_3", "9.4.2", "first read in rocm 6.3, not yet in 6.2.4", "6.2.4"},
    {"HF_TOKEN_3", "x", "(no row)"},
    {"HSA_OVERRIDE_GFX_VERSION_X", "9.4.2",
     "not in this catalogue (facts of 2026-11-22). Did you mean 'HSA_OVERRIDE_GFX_VERSION'?"},
    {"PATH", "/usr/bin", "(no row)"},
    {"HOME", "/root", "(no row)"},
    {"SLURM_JOB_ID", "7", "(no row)"},
    {"LS_COLORS", "", "(no row)"},
    {"XDG_SESSION_ID", "1", "(no row)"},
    {"PYTHONPATH", "/x", "(no row)"},
    {"", "", "(no row)"},
    // Texts.
    {"PYTORCH_TUNABLEOP_ENABLED", "1", ""},
    {"PYTORCH_TUNABLEOP_ENABLED", "true", R"(PyTorch TunableOp reads "true" as off; write 1 or 0)"},
    {"MIOPEN_FIND_MODE", "quick",
     R"(MIOpen fails on "quick"; write NORMAL, 1, FAST, 2, HYBRID, 3, DYNAMIC_HYBRID, 5, )"
     "TRUST_VERIFY, 6, TRUST_VERIFY_FULL, 7"},
    {"MIOPEN_FIND_MODE", "fast", ""},
    {"MIOPEN_FIND_MODE", "2", ""},
    {"HIPBLASLT_LOG_MASK", "255", ""},
    {"HIPBLASLT_LOG_MASK", "256", "out of range: 0 to 255 is expected"},
    {"CQ_THREAD_STACK_SIZE", "65536", ""},
    {"TENSILE_SOLUTION_SELECTION_METHOD", "2", ""},
    {"TENSILE_SOLUTION_SELECTION_METHOD", "1",
     "not one of the words that its reader accepts: 0, 2"},
    {"RCCL_OVERRIDE_PROTO", "Fast", R"(RCCL ignores "Fast"; write LL, LL128, Simple)"},
    {"NCCL_MIN_NCHANNELS", "true",
     R"(NCCL and RCCL read "true" as 0; write a number in plain digits)"},
    {"NCCL_DEBUG_TIMESTAMP_LEVELS", "warn,^info", ""},
    {"NCCL_DEBUG_TIMESTAMP_LEVELS", "^WARN", ""},
    {"NCCL_DEBUG_TIMESTAMP_LEVELS", "WARN,LOUD",
     "not one of the words that its reader accepts: VERSION, WARN, INFO, ABORT, TRACE, ALL"},
    {"NCCL_CTA_POLICY", "zero|efficiency", ""},
    {"NCCL_NETDEVS_POLICY", "max:2", ""},
    {"HSA_ASYNCEVENTS_THREAD_PRIORITY", "MAX", ""},
    // Faults by the releases of the readers.
    {"HIP_TRACE_API", "0", "read before rocm 3.5, no longer in 7.0.2"},
    {"HIP_COHERENT_HOST_ALLOC", "0",
     "read before rocm 3.5, no longer in 7.0.2, and its new name is HIP_HOST_COHERENT"},
    {"TORCHINDUCTOR_ABI_COMPATIBLE", "0", "read before torch 2.6, no longer in 2.8.0"},
    {"TORCHINDUCTOR_ABI_COMPATIBLE", "0", "no program reads this variable since torch 2.6", "x",
     ""},
    {"TORCHINDUCTOR_ABI_COMPATIBLE", "0", "", "7.0.2", "2.5.1"},
    {"RCCL_MSCCL_ENABLE", "1", "read before rocm 7.13, no longer in 7.13.0", "7.13.0"},
    {"RCCL_MSCCL_ENABLE", "1", "", "7.12.0"},
    {"AITER_ASM_DIR", "/x", "this variable has no effect: AITER overwrites it at import"},
    {"HF_HUB_CACHE", "/models", ""},
    {"HUGGINGFACE_HUB_CACHE", "/models", "deprecated, use HF_HUB_CACHE"},
    {"TRITON_STORE_BINARY_ONLY", "1", ""},
    {"TORCHINDUCTOR_SEARCH_AUTOTUNE_CACHE", "1", "", "7.0.2", "2.6.0"},
    {"TORCHINDUCTOR_SEARCH_AUTOTUNE_CACHE", "1", "", "7.0.2", "2.8.0"},
    {"TORCHINDUCTOR_SEARCH_AUTOTUNE_CACHE", "1", "last read in torch 2.6.0, no longer in 2.11.0",
     "7.0.2", "2.11.0"},
    {"TORCHINDUCTOR_AUTOTUNE_FALLBACK_TO_ATEN", "1", "", "7.0.2", "2.6.0"},
    {"TORCHINDUCTOR_C_SHIM_VERSION", "2", "", "7.0.2", "2.6.0"},
    {"TORCHINDUCTOR_FORCE_SAME_PRECISION", "0", "", "7.0.2", "2.11.0"},
    {"TORCHINDUCTOR_FORCE_SAME_PRECISION", "0", "last read in torch 2.11.0, no longer in 2.14.1",
     "7.0.2", "2.14.1"},
    {"TORCHINDUCTOR_TLX_MODE", "allow", "first read in torch 2.14.1, not yet in 2.8.0"},
    {"PYTORCH_HIP_ALLOC_CONF", "expandable_segments:True",
     "PyTorch before 2.9 ignores expandable_segments on ROCm"},
    {"PYTORCH_HIP_ALLOC_CONF", "expandable_segments:False", ""},
    {"PYTORCH_CUDA_ALLOC_CONF", "expandable_segments:True", "", "7.0.2", "2.8.0+cu128"},
    {"PYTORCH_ALLOC_CONF", "expandable_segments:True",
     "Expandable segments have known bugs on ROCm before 10.0: the first copy hangs, allocations "
     "fail, and data is wrong after the GPU runs out of memory.",
     "7.0.2", "2.14.1"},
    {"TORCH_COMPILE_DEBUG", "0", "", "7.0.2", "2.11.0"},
    {"TORCH_COMPILE_DEBUG", "false", "PyTorch Inductor fails on \"false\"; write 1 or 0", "7.0.2",
     "2.11.0"},
    {"TORCH_COMPILE_DEBUG", "false", "", "7.0.2", "2.6.0"},
    // Left over.
    {"TRITON_KERNEL_DUMP", "0", ""},
    {"TRITON_KERNEL_DUMP", "1", "a dump switch is on, which is not for production"},
    {"TRITON_KERNEL_OVERRIDE", "1", "a debug switch is on, which is not for production"},
    {"TENSILE_ENABLE_MARKER", "1", "a trace switch is on, which is not for production"},
};

TEST_CASE("Each kind of fault is told of a variable alone", "[inspection]") {
    for (const auto& row : rows) {
        INFO(row.name << "=" << row.text);
        const auto found = inspected({{row.name, row.text}}, row.rocm, row.torch);
        CHECK(faults_of(found, row.name) == row.faults);
    }
}

TEST_CASE("A misspelt name is reported, one that is like no other is quiet", "[inspection]") {
    const auto quiet = [](const char* name) {
        const auto found = inspected({{name, "1"}});
        REQUIRE(found.size() == 1);
        return found.front().quiet;
    };
    CHECK_FALSE(quiet("HIP_FORCE_DEV_KERNAGR"));
    CHECK(quiet("NCCL_MY_OWN_NAME"));
}

TEST_CASE("The form of a text is told where its reader takes it", "[inspection]") {
    const auto faults =
        faults_of(inspected({{"NCCL_NETDEVS_POLICY", "two"}}), "NCCL_NETDEVS_POLICY");
    CHECK(faults.starts_with("not of the form that its reader accepts (^"));
    // A pattern without anchors is for the whole text as well.
    const char* name = "PYTORCH_TUNABLEOP_NUMERICAL_CHECK";
    const auto check = [&](const char* text) {
        return faults_of(inspected({{name, text}, {"PYTORCH_TUNABLEOP_ENABLED", "1"}}), name);
    };
    CHECK(check("1").empty());
    CHECK(check("x0x").starts_with("not of the form that its reader accepts ("));
}

TEST_CASE("Versions decide who reads a variable", "[inspection]") {
    const auto of = [](const char* name, const char* text, const char* rocm, const char* torch) {
        return faults_of(inspected({{name, text}}, rocm, torch), name);
    };
    const std::string early = of("RCCL_OVERRIDE_ALGO", "Tree", "6.4.1", "2.8.0");
    CHECK(early.starts_with("first read in rocm 7.0, not yet in 6.4.1"));
    CHECK(of("RCCL_OVERRIDE_ALGO", "Tree", "7.0.0", "2.8.0").find("first read") ==
          std::string::npos);
    CHECK(of("TORCH_COMPILE_DISABLE", "0", "7.0.2", "2.6.0") ==
          R"(PyTorch Dynamo reads "0" as on; write 1 or leave it empty)");
    CHECK(of("TORCH_COMPILE_DISABLE", "0", "7.0.2", "2.8.0").empty());
    CHECK(of("TORCH_COMPILE_DISABLE", "0", "7.0.2", "").empty());
}

TEST_CASE("What another variable must say first is told", "[inspection]") {
    const char* name = "AMDGCN_USE_BUFFER_ATOMICS";
    const char* other = "AMDGCN_USE_BUFFER_OPS";
    CHECK(faults_of(inspected({{name, "1"}}), name).empty());
    CHECK(faults_of(inspected({{name, "1"}, {other, "1"}}), name).empty());
    CHECK(faults_of(inspected({{name, "1"}, {other, "0"}}), name) ==
          "no effect without AMDGCN_USE_BUFFER_OPS=1");
    CHECK(faults_of(inspected({{"PYTORCH_TUNABLEOP_MAX_TUNING_ITERATIONS", "7"}}),
                    "PYTORCH_TUNABLEOP_MAX_TUNING_ITERATIONS") ==
          "no effect without PYTORCH_TUNABLEOP_ENABLED=1");
}

TEST_CASE("Values that do not go together are told once", "[inspection]") {
    const auto found =
        inspected({{"NCCL_P2P_DISABLE", "1"}, {"NCCL_SHM_DISABLE", "1"}, {"NCCL_ALGO", "Ring"}});
    const std::string says =
        "Both paths inside a node are off, so its GPUs exchange data over the network.";
    CHECK(faults_of(found, "NCCL_P2P_DISABLE").ends_with(says));
    CHECK(faults_of(found, "NCCL_SHM_DISABLE").find(says) == std::string::npos);
    const auto one = inspected({{"NCCL_P2P_DISABLE", "1"}, {"NCCL_SHM_DISABLE", "0"}});
    CHECK(faults_of(one, "NCCL_P2P_DISABLE").find(says) == std::string::npos);
    // The reader accepts the number 1 only, in any notation.
    const auto number = inspected({{"NCCL_P2P_DISABLE", "1"}, {"NCCL_SHM_DISABLE", "0x1"}});
    CHECK(faults_of(number, "NCCL_P2P_DISABLE").ends_with(says));
    const auto other = inspected({{"NCCL_P2P_DISABLE", "1"}, {"NCCL_SHM_DISABLE", "2"}});
    CHECK(faults_of(other, "NCCL_P2P_DISABLE").find(says) == std::string::npos);
}

TEST_CASE("What is equal to the default is a remark", "[inspection]") {
    const auto found = inspected({{"TRITON_KERNEL_DUMP", "0"}, {"TRITON_ENABLE_NVTX", "1"}});
    REQUIRE(found.size() == 2);
    for (const auto& row : found) {
        CHECK(row.remark == "equal to its default");
        CHECK(row.faults.empty());
        CHECK(row.advice.empty());
    }
}

TEST_CASE("What was not checked is neither a fault nor well", "[inspection]") {
    const auto one = [](const char* torch) {
        return inspected({{"TORCHINDUCTOR_TLX_MODE", "allow"}}, "7.0.2", torch).at(0);
    };
    CHECK(one("2.12.0").uncertain);
    CHECK(one("2.12.0").remark.starts_with("torch 2.12.0 was not checked"));
    CHECK(one("2.12.0").faults.empty());
    CHECK_FALSE(one("2.14.1").uncertain);
    CHECK_FALSE(one("2.8.0").uncertain);
    CHECK_FALSE(one("").uncertain);
}

TEST_CASE("A secret is never shown", "[inspection]") {
    for (const char* name : {"VLLM_API_KEY", "HF_TOKEN", "HUGGING_FACE_HUB_TOKEN", "WANDB_API_KEY",
                             "S3_SECRET_ACCESS_KEY", "NCCL_PSK_FOR_TESTING_ONLY"}) {
        const auto found = inspected({{name, "hf_geheim"}});
        REQUIRE(found.size() == 1);
        INFO(name);
        CHECK_FALSE(found[0].value);
        CHECK_FALSE(found[0].effective);
        const std::string all =
            join(found[0].faults, " ") + found[0].remark + found[0].advice + found[0].name;
        CHECK(all.find("geheim") == std::string::npos);
    }
}

TEST_CASE("Advice is to unset what is useless and to correct the rest", "[inspection]") {
    const auto advice = [](const char* name, const char* text) {
        return inspected({{name, text}}).at(0).advice;
    };
    CHECK(advice("TRITON_KERNEL_DUMP", "1") == "remove TRITON_KERNEL_DUMP where it is set");
    CHECK(advice("HIP_TRACE_API", "0") == "remove HIP_TRACE_API where it is set");
    CHECK(advice("PYTORCH_TUNABLEOP_ENABLED", "true").starts_with("correct the variable"));
    CHECK(advice("PYTORCH_TUNABLEOP_ENABLED", "1").empty());
}

// A catalogued name, one with a slip, or any.
std::string random_name(std::mt19937& random, const std::vector<std::string>& names) {
    std::string name = names[random() % names.size()];
    for (std::size_t slips = random() % 3; slips > 0 && !name.empty(); --slips) {
        name[random() % name.size()] = static_cast<char>(1 + random() % 255);
    }
    if (random() % 8 == 0) {
        name.resize(random() % 40, '_');
    }
    return name;
}

std::string random_text(std::mt19937& random) {
    static const std::vector<std::string> common = {
        "0",          "1",   "true", "",      "-1",        "INFO",
        "^A,b;c:d|e", "4GB", "0x10", "9.4.2", "1e-5_1e-5", "99999999999999999999",
        ":",          ";",   "|",    "^"};
    if (random() % 3 != 0) {
        return common[random() % common.size()];
    }
    std::string text;
    for (std::size_t left = random() % 200; left > 0; --left) {
        text += static_cast<char>(1 + random() % 255);
    }
    return text;
}

TEST_CASE("Any environment is inspected to its end", "[inspection]") {
    const auto names = catalogued_names();
    std::mt19937 random(20261121);
    constexpr const char* torches[] = {"", "2.4.0", "2.6.0", "2.10.1", "nightly"};
    for (int round = 0; round < 150; ++round) {
        Environment environment;
        for (std::size_t left = random() % 60; left > 0; --left) {
            environment[random_name(random, names)] = random_text(random);
        }
        const auto found =
            inspected(environment, round % 2 == 0 ? "6.2.4" : "x", torches[random() % 5]);
        CHECK(found.size() <= environment.size());
        for (const auto& row : found) {
            CHECK(environment.count(row.name) == 1);
            for (const auto& fault : row.faults) {
                CHECK((!fault.empty() && fault.size() < 2000));
            }
        }
    }
}

TEST_CASE("Every variable stands every text", "[inspection]") {
    std::mt19937 random(5);
    for (const auto& name : catalogued_names()) {
        INFO(name);
        const auto found = inspected({{name, random_text(random)}});
        CHECK(found.size() == 1);
    }
}

// Returns a part of a sentence that a value left empty, ": ," or "as )"; empty if there is none.
std::string empty_part(std::string sentence, const std::string& text) {
    for (auto at = sentence.find(text); !text.empty() && at != std::string::npos;
         at = sentence.find(text, at)) {
        sentence.replace(at, text.size(), "VALUE");
    }
    for (const char* part : {": ,", ", ,", "  ", "as )", " ,", "()", "as ,", ", from"}) {
        if (sentence.find(part) != std::string::npos) {
            return part;
        }
    }
    return sentence.ends_with(": ") || sentence.ends_with(", ")
               ? sentence.substr(sentence.size() - 2)
               : "";
}

TEST_CASE("No sentence about a value has an empty part", "[inspection]") {
    for (const auto& name : catalogued_names()) {
        for (const std::string text : {"", "0", "qx", "-7"}) {
            for (const auto& row : inspected({{name, text}}, "x")) {
                INFO(name << "=" << text);
                CHECK(empty_part(row.advice, text).empty());
                CHECK(empty_part(row.remark, text).empty());
                for (const auto& fault : row.faults) {
                    INFO(fault);
                    CHECK(empty_part(fault, text).empty());
                }
            }
        }
    }
}

}  // namespace

}  // namespace rocenv::inspection_test
