// SPDX-License-Identifier: MIT
// A node with one MI300X, PyTorch 2.7.1 for ROCm 7.2 and its libraries, and files made for it.
#pragma once

#include <array>
#include <string>
#include <utility>
#include <vector>

#include "commands/tunableop/tunable.h"
#include "os/fs/memory_fs.h"

namespace rocenv {

inline const char* const tunable_head =
    "Validator,PT_VERSION,2.7.1\n"
    "Validator,ROCM_VERSION,7.2.0.0-43-0a1b2c3d\n"
    "Validator,HIPBLASLT_VERSION,100201-4e5f60718\n"
    "Validator,GCN_ARCH_NAME,gfx942:sramecc+:xnack-\n"
    "Validator,ROCBLAS_VERSION,5.2.0.4e5f60718\n";

inline const char* const tunable_results =
    "GemmTunableOp_float_NN,nn_64_64_128_ld_64_128_64,Gemm_Hipblaslt_1234,0.0085\n"
    "GemmTunableOp_BFloat16_TN,tn_32_16_8_ld_8_8_32,Gemm_Rocblas_-77,0.25\n"
    "GemmTunableOp_float_NN,nn_1_64_128_ld_64_128_64,Default,0.004\n";

inline std::string tunable_text() {
    return std::string(tunable_head) + tunable_results;
}

struct TunableNode {
    MemoryFs fs;
    Process process;

    TunableNode() {
        const std::string topology = "/sys/class/kfd/kfd/topology";
        fs.add_file(topology + "/generation_id", "2\n");
        fs.add_file("/sys/module/amdgpu/parameters/noretry", "-1\n");
        add_gpu(1, "90402");
        fs.add_file(site + "/torch/version.py",
                    "__version__ = '2.7.1'\nhip: Optional[str] = '7.2.26015-abc'\n");
        fs.add_file("/opt/rocm/.info/version", "7.2.0-43\n");
        fs.add_file("/opt/rocm/include/rocm-core/rocm_version.h",
                    "#define ROCM_BUILD_INFO \"7.2.0.0-43-0a1b2c3d\"\n");
        add_header("/opt/rocm/include/hipblaslt/hipblaslt-version.h", "HIPBLASLT", {"1", "2", "1"});
        add_header("/opt/rocm/include/rocblas/internal/rocblas-version.h", "ROCBLAS",
                   {"5", "2", "0"});
    }
    void add_gpu(int index, const std::string& version) {
        fs.add_file("/sys/class/kfd/kfd/topology/nodes/" + std::to_string(index) + "/properties",
                    "simd_count 1216\ncapability 67108864\ngfx_target_version " + version + "\n");
    }
    void add_header(const std::string& path, const std::string& name,
                    const std::array<const char*, 3>& numbers,
                    const std::string& tweak = "4e5f60718") {
        const std::string define = "#define " + name + "_VERSION_";
        fs.add_file(path, define + "MAJOR " + numbers[0] + "\n" + define + "MINOR " + numbers[1] +
                              "\n" + define + "PATCH " + numbers[2] + "\n" + define + "TWEAK " +
                              tweak + "\n");
    }

    TunableJudgement judge(const std::string& text, Versions::Assumed assumed = {}) const {
        const Machine machine(fs);
        const Versions versions(machine, process, std::move(assumed));
        return TunableJudge(versions, machine, process).judge(parse_tunable("a0.csv", text));
    }
    std::vector<TunableJudgement> judge_results() const {
        const Machine machine(fs);
        const Versions versions(machine, process);
        return judge_tunable_results(process, fs, versions, machine);
    }

    static inline const std::string site = "/opt/venv/lib/python3.12/site-packages";
};

// `text` with the first `from` in it replaced.
inline std::string with(std::string text, const std::string& from, const std::string& to) {
    const auto at = text.find(from);
    return at == std::string::npos ? text : text.replace(at, from.size(), to);
}

}  // namespace rocenv
