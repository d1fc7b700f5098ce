// SPDX-License-Identifier: MIT
// Known bad values: for an environment, versions and the kind of node, which variable is reported,
// and how.
#include <string>
#include <vector>

#include "os/fs/memory_fs.h"
#include "support/catch.h"
#include "util/text.h"
#include "variables/inspection.h"

namespace rocenv::rules_test {

namespace {

struct Row {
    const char* environment;  // "NAME=TEXT NAME=TEXT"
    const char* versions;     // "rocm=6.4.1 torch=2.8"
    const char* gfx;
    const char* nic;
    const char* name;   // the variable of a rule
    const char* level;  // "info", "recommended"; "-": no rule applies
};

// One row a rule or more; beside some the nearest one that no rule is about.
constexpr Row table[] = {
    {"RCCL_MSCCL_ENABLE=1", "rocm=6.4.1", "gfx942", "", "RCCL_MSCCL_ENABLE", "recommended"},
    {"RCCL_MSCCL_ENABLE=1", "rocm=6.4.2", "gfx942", "", "RCCL_MSCCL_ENABLE", "-"},
    {"RCCL_MSCCL_ENABLE=0", "rocm=6.4.1", "gfx942", "", "RCCL_MSCCL_ENABLE", "-"},
    {"RCCL_MSCCL_FORCE_ENABLE=1", "rocm=6.4.1", "gfx90a", "", "RCCL_MSCCL_FORCE_ENABLE",
     "recommended"},
    {"RCCL_MSCCL_ENABLE=1", "rocm=7.1.0", "gfx950", "", "RCCL_MSCCL_ENABLE", "recommended"},
    {"RCCL_MSCCL_ENABLE=1", "rocm=7.1.1", "gfx950", "", "RCCL_MSCCL_ENABLE", "-"},
    {"RCCL_MSCCL_ENABLE=1", "rocm=7.1.0", "gfx942", "", "RCCL_MSCCL_ENABLE", "-"},
    {"NCCL_MAX_P2P_NCHANNELS=4", "rocm=5.7.1", "", "", "NCCL_MAX_P2P_NCHANNELS", "recommended"},
    {"NCCL_MAX_P2P_NCHANNELS=2", "rocm=5.7.1", "", "", "NCCL_MAX_P2P_NCHANNELS", "-"},
    {"NCCL_NCHANNELS_PER_NET_PEER=4", "nccl=2.27.7", "", "", "NCCL_NCHANNELS_PER_NET_PEER", "info"},
    {"NCCL_NCHANNELS_PER_NET_PEER=32", "nccl=2.28.9", "", "", "NCCL_NCHANNELS_PER_NET_PEER",
     "info"},
    {"NCCL_P2P_DISABLE=1", "", "gfx942", "", "NCCL_P2P_DISABLE", "info"},
    {"NCCL_P2P_DISABLE=1", "", "gfx1100", "", "NCCL_P2P_DISABLE", "-"},
    {"NCCL_IB_DISABLE=1", "", "", "bnxt_en", "NCCL_IB_DISABLE", "info"},
    {"NCCL_IB_DISABLE=1", "", "", "", "NCCL_IB_DISABLE", "-"},
    {"NCCL_NET=Socket", "", "", "cxi", "NCCL_NET", "info"},
    {"NCCL_NET_GDR_LEVEL=PHB", "rocm=7.0", "gfx90a", "cxi", "NCCL_NET_GDR_LEVEL", "info"},
    {"NCCL_NET_GDR_LEVEL=PHB", "rocm=6.4", "gfx90a", "cxi", "NCCL_NET_GDR_LEVEL", "-"},
    {"NCCL_NET_GDR_LEVEL=PHB", "rocm=7.0", "gfx90a", "mlx5_core", "NCCL_NET_GDR_LEVEL", "-"},
    {"FI_MR_CACHE_MONITOR=memhooks", "", "", "cxi", "FI_MR_CACHE_MONITOR", "recommended"},
    {"FI_MR_CACHE_MONITOR=kdreg2", "", "", "cxi", "FI_MR_CACHE_MONITOR", "-"},
    {"FI_MR_CACHE_MONITOR=memhooks", "", "", "mlx5_core", "FI_MR_CACHE_MONITOR", "-"},
    {"FI_CXI_RDZV_GET_MIN=0", "", "", "cxi", "FI_CXI_RDZV_GET_MIN", "info"},
    {"FI_CXI_RDZV_GET_MIN=0 FI_CXI_RDZV_PROTO=alt_read", "", "", "cxi", "FI_CXI_RDZV_GET_MIN", "-"},
    {"HSA_XNACK=1", "rocm=5.6.0", "gfx90a", "", "HSA_XNACK", "recommended"},
    {"HSA_XNACK=1", "rocm=6.4", "gfx90a", "", "HSA_XNACK", "-"},
    {"HSA_XNACK=1", "rocm=6.4", "gfx908", "", "HSA_XNACK", "info"},
    {"HSA_XNACK=1", "rocm=6.4", "gfx1100", "", "HSA_XNACK", "info"},
    {"HSA_ENABLE_SDMA=0", "rocm=6.1", "gfx90c", "", "HSA_ENABLE_SDMA", "info"},
    {"HSA_OVERRIDE_CPU_AFFINITY_DEBUG=1", "rocm=6.2", "", "", "HSA_OVERRIDE_CPU_AFFINITY_DEBUG",
     "info"},
    {"MIOPEN_FIND_MODE=FAST", "rocm=6.3.0", "gfx942", "", "MIOPEN_FIND_MODE", "recommended"},
    {"PYTORCH_HIP_ALLOC_CONF=expandable_segments:True", "torch=2.14 rocm=7.2", "gfx942", "",
     "PYTORCH_HIP_ALLOC_CONF", "info"},
    {"PYTORCH_ALLOC_CONF=expandable_segments:True", "torch=2.14 rocm=7.14", "gfx942", "",
     "PYTORCH_ALLOC_CONF", "info"},
    {"PYTORCH_ALLOC_CONF=expandable_segments:True", "torch=2.14 rocm=10.0", "gfx942", "",
     "PYTORCH_ALLOC_CONF", "-"},
    {"PYTORCH_ALLOC_CONF=expandable_segments:False", "torch=2.14 rocm=7.14", "gfx942", "",
     "PYTORCH_ALLOC_CONF", "-"},
    {"TORCH_BLAS_PREFER_HIPBLASLT=1", "rocm=6.2", "gfx908", "", "TORCH_BLAS_PREFER_HIPBLASLT",
     "info"},
    {"TORCH_BLAS_PREFER_HIPBLASLT=1", "rocm=6.2", "gfx942", "", "TORCH_BLAS_PREFER_HIPBLASLT", "-"},
    {"PYTORCH_TUNABLEOP_ENABLED=1", "", "gfx906", "", "PYTORCH_TUNABLEOP_ENABLED", "info"},
    {"PYTORCH_TUNABLEOP_ENABLED=1 PYTORCH_TUNABLEOP_HIPBLASLT_ENABLED=0", "", "gfx906", "",
     "PYTORCH_TUNABLEOP_ENABLED", "-"},
    {"VLLM_ROCM_USE_AITER=1", "vllm=0.13", "gfx1201", "", "VLLM_ROCM_USE_AITER", "info"},
    {"VLLM_ROCM_USE_AITER=1", "vllm=0.13", "gfx942", "", "VLLM_ROCM_USE_AITER", "-"},
    {"VLLM_USE_V1=0", "vllm=0.11.0", "", "", "VLLM_USE_V1", "info"},
    {"VLLM_USE_V1=0", "vllm=0.9.2", "", "", "VLLM_USE_V1", "-"},
    {"SGLANG_USE_AITER=1", "", "gfx90a", "", "SGLANG_USE_AITER", "info"},
    {"SGLANG_USE_AITER=1", "", "gfx1201", "", "SGLANG_USE_AITER", "recommended"},
    {"SGLANG_USE_AITER=1", "", "gfx942", "", "SGLANG_USE_AITER", "-"},
    {"ROCR_VISIBLE_DEVICES=0", "ray=2.45", "", "", "ROCR_VISIBLE_DEVICES", "recommended"},
    {"ROCR_VISIBLE_DEVICES=0", "ray=2.44", "", "", "ROCR_VISIBLE_DEVICES", "-"},
    {"ROCR_VISIBLE_DEVICES=0 HIP_VISIBLE_DEVICES=0", "ray=2.46", "", "", "ROCR_VISIBLE_DEVICES",
     "recommended"},
    {"ROCR_VISIBLE_DEVICES=0 HIP_VISIBLE_DEVICES=0", "ray=2.49", "", "", "ROCR_VISIBLE_DEVICES",
     "-"},
    {"RAY_EXPERIMENTAL_NOSET_ROCR_VISIBLE_DEVICES=1", "ray=2.50", "", "",
     "RAY_EXPERIMENTAL_NOSET_ROCR_VISIBLE_DEVICES", "info"},
    {"NCCL_MIN_CTAS=8 NCCL_MAX_CTAS=4", "", "", "", "NCCL_MIN_CTAS", "info"},
    {"NCCL_MIN_CTAS=4 NCCL_MAX_CTAS=4", "", "", "", "NCCL_MIN_CTAS", "-"},
    {"NCCL_MIN_P2P_NCHANNELS=8 NCCL_MAX_P2P_NCHANNELS=4", "", "", "", "NCCL_MIN_P2P_NCHANNELS",
     "info"},
};

// Returns the level of a rule about the row's variable whose text is a fault of the row; "-" if
// there is none.
std::string level_of(const Inspection& row) {
    for (const auto& rule : variable_rules()) {
        const bool about = rule.when.front().substr(0, row.name.size()) == row.name;
        for (const auto& fault : row.faults) {
            if (about && fault == rule.says) {
                return row.level == Level::recommended ? "recommended" : "info";
            }
        }
    }
    return "-";
}

TEST_CASE("Known bad values are reported for their release, GPU and NIC only", "[variables]") {
    const MemoryFs fs;
    const Machine machine(fs);
    const Process process;
    for (const auto& row : table) {
        INFO(row.environment << " with " << row.versions << " " << row.gfx << " " << row.nic);
        Versions::Assumed assumed;
        for (const auto version : words(row.versions)) {
            const auto equals = version.find('=');
            assumed[std::string(version.substr(0, equals))] = version.substr(equals + 1);
        }
        Environment environment;
        for (const auto text : words(row.environment)) {
            const auto equals = text.find('=');
            environment[std::string(text.substr(0, equals))] = text.substr(equals + 1);
        }
        const Versions versions(machine, process, assumed);
        const auto rows = inspect(environment, Readers(machine, versions), {}, [&] {
            return NodeKinds{{row.gfx}, {row.nic}, {}};
        });
        std::string level = "missing";
        for (const auto& each : rows) {
            level = each.name == row.name ? level_of(each) : level;
        }
        CHECK(level == row.level);
    }
}

}  // namespace

}  // namespace rocenv::rules_test
