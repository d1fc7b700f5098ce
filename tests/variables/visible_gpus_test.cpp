// SPDX-License-Identifier: MIT
// The agents that a process sees: a row for each rule of the readers' sources.
#include "variables/visible_gpus.h"

#include <sstream>

#include "support/catch.h"

namespace rocenv {
namespace visible_gpus_test {

namespace {

// ROCr: ROCR-Runtime runtime/hsa-runtime/core/runtime/amd_filter_device.cpp.
// CLR: clr rocclr/device/rocm/rocdevice.cpp, Device::init.
struct Row {
    const char* rule;
    std::size_t agents;       // ids 0xa0 + position, but for the rows that state `zero`
    const char* environment;  // NAME=VALUE, separated by spaces
    const char* devices;      // positions in HIP's order
    const char* fault = "";   // part of the fault of ROCr's or HIP's selection
    const char* rocm = "";    // its release; empty: not known
};

constexpr Row rows[] = {
    {"nothing set", 4, "", "0 1 2 3"},
    {"nothing set, no device", 0, "", ""},
    // ROCr
    {"ROCr: one", 4, "ROCR_VISIBLE_DEVICES=2", "2"},
    {"ROCr: order", 4, "ROCR_VISIBLE_DEVICES=3,1", "3 1"},
    {"ROCr: empty is none", 4, "ROCR_VISIBLE_DEVICES=", ""},
    {"ROCr: -1 is none", 4, "ROCR_VISIBLE_DEVICES=-1", "", "ends the list"},
    {"ROCr: -1 ends the list", 4, "ROCR_VISIBLE_DEVICES=1,-1,2", "1", "ends the list"},
    {"ROCr: beyond the end", 4, "ROCR_VISIBLE_DEVICES=4", "", "beyond the last device (0 to 3)"},
    {"ROCr: beyond ends the list", 4, "ROCR_VISIBLE_DEVICES=0,9,1", "0", "'9' is beyond"},
    {"ROCr: beyond, one device", 1, "ROCR_VISIBLE_DEVICES=1", "", "only 0 exists"},
    {"ROCr: no device at all", 0, "ROCR_VISIBLE_DEVICES=0", "", "1 entries for 0"},
    {"ROCr: repeated ends the list", 4, "ROCR_VISIBLE_DEVICES=1,1,2", "1", "repeated"},
    {"ROCr: first N entries only", 2, "ROCR_VISIBLE_DEVICES=0,1,0", "0 1", "3 entries for 2"},
    {"ROCr: first N, the last bad", 2, "ROCR_VISIBLE_DEVICES=1,0,7,8", "1 0", "4 entries for 2"},
    {"ROCr: hexadecimal", 4, "ROCR_VISIBLE_DEVICES=0x2", "2"},
    {"ROCr: octal", 16, "ROCR_VISIBLE_DEVICES=010", "8"},
    {"ROCr: not octal", 16, "ROCR_VISIBLE_DEVICES=08", "", "not a number"},
    {"ROCr: plus", 4, "ROCR_VISIBLE_DEVICES=+3", "3"},
    {"ROCr: letters behind", 4, "ROCR_VISIBLE_DEVICES=1gpu", "", "not a number"},
    {"ROCr: a word", 4, "ROCR_VISIBLE_DEVICES=all", "", "not a number"},
    {"ROCr: NoDevFiles of CUDA scripts", 4, "ROCR_VISIBLE_DEVICES=NoDevFiles", "", "not a number"},
    {"ROCr: last comma", 4, "ROCR_VISIBLE_DEVICES=0,1,", "0 1"},
    {"ROCr: an empty entry aborts", 4, "ROCR_VISIBLE_DEVICES=0,,1", "", "abort"},
    {"ROCr: a first comma aborts", 4, "ROCR_VISIBLE_DEVICES=,1", "", "abort"},
    {"ROCr: blanks are trimmed", 4, "ROCR_VISIBLE_DEVICES=0,\t1", "0 1"},
    {"ROCr: semicolons", 4, "ROCR_VISIBLE_DEVICES=0;1", "", "not a number"},
    {"ROCr: a range", 4, "ROCR_VISIBLE_DEVICES=0-3", "", "not a number"},
    {"ROCr: 2^32 is 0", 4, "ROCR_VISIBLE_DEVICES=4294967296", "0"},
    {"ROCr: uuid", 4, "ROCR_VISIBLE_DEVICES=GPU-00000000000000a1", "1"},
    {"ROCr: uuid, upper case", 4, "ROCR_VISIBLE_DEVICES=GPU-00000000000000A1", "1"},
    {"ROCr: uuid, all lower case", 4, "ROCR_VISIBLE_DEVICES=gpu-00000000000000a3", "3"},
    {"ROCr: uuid prefix of several", 4, "ROCR_VISIBLE_DEVICES=GPU-0", "", "more than one"},
    {"ROCr: uuid prefix of one", 1, "ROCR_VISIBLE_DEVICES=GPU-0", "0"},
    {"ROCr: uuid without digits", 1, "ROCR_VISIBLE_DEVICES=GPU-", "", "not a valid UUID"},
    {"ROCr: uuid too long", 1, "ROCR_VISIBLE_DEVICES=GPU-00000000000000a00", "", "not a valid"},
    {"ROCr: uuid unknown", 4, "ROCR_VISIBLE_DEVICES=GPU-00000000000000ff", "", "no device has"},
    {"ROCr: uuid as CUDA's", 4, "ROCR_VISIBLE_DEVICES=GPU-8a1c2d3e-0000-1111", "", "not a valid"},
    {"ROCr: mixed forms", 4, "ROCR_VISIBLE_DEVICES=2,GPU-00000000000000a0", "2 0"},
    {"ROCr: the same by uuid", 4, "ROCR_VISIBLE_DEVICES=0,GPU-00000000000000a0", "0", "repeated"},
    {"ROCr: uuid without GPU-", 4, "ROCR_VISIBLE_DEVICES=00000000000000a1", "", "not a number"},
    // HIP
    {"HIP: one", 4, "HIP_VISIBLE_DEVICES=2", "2"},
    {"HIP: order", 4, "HIP_VISIBLE_DEVICES=3,0", "3 0"},
    {"HIP: empty falls back to all", 4, "HIP_VISIBLE_DEVICES=", "0 1 2 3"},
    {"HIP: empty falls back to CUDA's", 4, "HIP_VISIBLE_DEVICES= CUDA_VISIBLE_DEVICES=1", "1"},
    {"HIP: before CUDA's", 4, "HIP_VISIBLE_DEVICES=0 CUDA_VISIBLE_DEVICES=1,2", "0"},
    {"HIP: CUDA's alone", 4, "CUDA_VISIBLE_DEVICES=1,2", "1 2"},
    {"HIP: CUDA's empty is all", 4, "CUDA_VISIBLE_DEVICES=", "0 1 2 3"},
    {"HIP: CUDA's -1", 4, "CUDA_VISIBLE_DEVICES=-1", "", "'-1' ends the list"},
    {"HIP: OpenCL's does not count", 4, "GPU_DEVICE_ORDINAL=0", "0 1 2 3"},
    {"HIP: repeated is skipped", 4, "HIP_VISIBLE_DEVICES=1,1,2", "1 2", "repeated"},
    {"HIP: beyond ends the list", 4, "HIP_VISIBLE_DEVICES=0,4,1", "0", "'4' is beyond"},
    {"HIP: a blank ends the list", 4, "HIP_VISIBLE_DEVICES=0,\t1", "0", "plain digits"},
    {"HIP: no octal", 16, "HIP_VISIBLE_DEVICES=010", "", "plain digits"},
    {"HIP: no hexadecimal", 4, "HIP_VISIBLE_DEVICES=0x1", "", "plain digits"},
    {"HIP: no plus", 4, "HIP_VISIBLE_DEVICES=+1", "", "plain digits"},
    {"HIP: last comma", 4, "HIP_VISIBLE_DEVICES=0,1,", "0 1"},
    {"HIP: an empty entry ends the list", 4, "HIP_VISIBLE_DEVICES=0,,1", "0", "empty entry"},
    {"HIP: a first comma is none", 4, "HIP_VISIBLE_DEVICES=,1", "", "empty entry"},
    {"HIP: a word", 4, "HIP_VISIBLE_DEVICES=all", "", "plain digits"},
    {"HIP: -0", 4, "HIP_VISIBLE_DEVICES=-0", "", "ends the list"},
    {"HIP: a large number", 4, "HIP_VISIBLE_DEVICES=99999999999", "", "beyond"},
    {"HIP: uuid", 4, "HIP_VISIBLE_DEVICES=GPU-00000000000000a2", "2", "", "6.2.0"},
    {"HIP: uuid before 6.2", 4, "HIP_VISIBLE_DEVICES=GPU-00000000000000a2", "", "6.2", "6.1.2"},
    {"HIP: uuid, release not known", 4, "HIP_VISIBLE_DEVICES=GPU-00000000000000a2", "2"},
    {"HIP: uuid, upper case", 4, "HIP_VISIBLE_DEVICES=GPU-00000000000000A2", "", "no device"},
    {"HIP: first that fits", 4, "HIP_VISIBLE_DEVICES=GPU-0", "0"},
    {"HIP: uuid in CUDA's", 4, "CUDA_VISIBLE_DEVICES=GPU-00000000000000a3", "3"},
    // Both
    {"both: the same index", 4, "ROCR_VISIBLE_DEVICES=1 CUDA_VISIBLE_DEVICES=1", "", "only 0"},
    {"both: into what ROCr left", 4, "ROCR_VISIBLE_DEVICES=3,2 HIP_VISIBLE_DEVICES=1", "2"},
    {"both: two of one", 4, "ROCR_VISIBLE_DEVICES=1 CUDA_VISIBLE_DEVICES=0,1", "1", "only 0"},
    {"both: eight of four", 8, "ROCR_VISIBLE_DEVICES=4,5,6,7 HIP_VISIBLE_DEVICES=0,1,2,3,4,5,6,7",
     "4 5 6 7", "'4' is"},
    {"both: ROCr leaves none", 4, "ROCR_VISIBLE_DEVICES= HIP_VISIBLE_DEVICES=0", "",
     "no device exists"},
    {"both: uuid that ROCr removed", 4,
     "ROCR_VISIBLE_DEVICES=0 HIP_VISIBLE_DEVICES=GPU-00000000000000a1", "", "ROCr left"},
    {"both: uuid that ROCr kept", 4,
     "ROCR_VISIBLE_DEVICES=3,1 HIP_VISIBLE_DEVICES=GPU-00000000000000a1", "1"},
    {"both: all", 2, "ROCR_VISIBLE_DEVICES=0,1 HIP_VISIBLE_DEVICES=0,1", "0 1"},
    {"CPX: partitions are agents", 64, "HIP_VISIBLE_DEVICES=8,63", "8 63"},
    {"CPX: beyond", 64, "HIP_VISIBLE_DEVICES=64", "", "0 to 63"},
};

std::map<std::string, std::string> environment_of(const char* text) {
    std::map<std::string, std::string> out;
    std::istringstream words(text);
    for (std::string word; std::getline(words, word, ' ');) {
        out[word.substr(0, word.find('='))] = word.substr(word.find('=') + 1);
    }
    return out;
}

std::vector<std::uint64_t> ids_of(std::size_t count) {
    std::vector<std::uint64_t> out;
    for (std::size_t at = 0; at < count; ++at) {
        out.push_back(0xa0 + at);
    }
    return out;
}

std::string shown(const std::vector<std::size_t>& devices) {
    std::string out;
    for (const auto at : devices) {
        out += (out.empty() ? "" : " ") + std::to_string(at);
    }
    return out;
}

}  // namespace

TEST_CASE("Visible GPUs follow the readers' sources", "[variables]") {
    CHECK(std::size(rows) >= 60);
    for (const auto& row : rows) {
        INFO(row.rule << ": " << row.environment);
        const std::string rocm = row.rocm;
        const auto seen = visible_devices(ids_of(row.agents), environment_of(row.environment),
                                          rocm.empty() ? std::nullopt : std::optional(rocm));
        CHECK(shown(seen.devices) == row.devices);
        const std::string faults =
            (seen.rocr ? seen.rocr->fault : "") + (seen.hip ? seen.hip->fault : "");
        const std::string expected = row.fault;
        CHECK((expected.empty() ? faults.empty() : faults.find(expected) != faults.npos));
        CAPTURE(faults);
    }
}

TEST_CASE("An agent without a unique id has no UUID", "[variables]") {
    const std::vector<std::uint64_t> ids = {0, 0xb1};
    CHECK(rocr_selection("GPU-0", ids).kept == std::vector<std::size_t>{1});
    CHECK(rocr_selection("GPU-XX", ids).kept.empty());
    // HIP compares with GPU-XX, which ROCr answers for such an agent.
    CHECK(hip_selection("HIP_VISIBLE_DEVICES", "GPU-XX", ids, true).kept ==
          std::vector<std::size_t>{0});
}

TEST_CASE("PyTorch counts by itself", "[variables]") {
    struct Torch {
        const char* environment;
        std::size_t count;
        const char* error = "";
    };
    // pytorch torch/cuda/__init__.py _parse_visible_devices, _device_count_amdsmi.
    constexpr Torch cases[] = {
        {"", 4},
        {"HIP_VISIBLE_DEVICES=0,1", 2},
        {"HIP_VISIBLE_DEVICES=", 0},
        {"HIP_VISIBLE_DEVICES= CUDA_VISIBLE_DEVICES=1", 0},
        {"CUDA_VISIBLE_DEVICES=", 0},
        {"CUDA_VISIBLE_DEVICES=1gpu2,2", 2},
        {"HIP_VISIBLE_DEVICES=0,0", 0},
        {"HIP_VISIBLE_DEVICES=0,-1,1", 1},
        {"HIP_VISIBLE_DEVICES=0,9", 1},
        {"HIP_VISIBLE_DEVICES=0,\t1", 2},
        {"ROCR_VISIBLE_DEVICES=2,3", 2},
        {"ROCR_VISIBLE_DEVICES=2,3 CUDA_VISIBLE_DEVICES=0", 2},
        {"ROCR_VISIBLE_DEVICES=2 HIP_VISIBLE_DEVICES=0,1", 0, "contains more devices"},
        {"ROCR_VISIBLE_DEVICES=2,3 HIP_VISIBLE_DEVICES=1", 1},
        {"HIP_VISIBLE_DEVICES=GPU-00000000000000a1", 1},
        {"HIP_VISIBLE_DEVICES=GPU-0", 0},
        {"HIP_VISIBLE_DEVICES=GPU-00000000000000a1,GPU-00000000000000a1", 0},
        {"HIP_VISIBLE_DEVICES=GPU-00000000000000a1,2", 1},
    };
    for (const auto& each : cases) {
        INFO(each.environment);
        const auto torch = torch_count(ids_of(4), environment_of(each.environment));
        CHECK(torch.count == each.count);
        CHECK(torch.error.find(each.error) != torch.error.npos);
        CHECK(torch.error.empty() == std::string(each.error).empty());
    }
}

}  // namespace visible_gpus_test
}  // namespace rocenv
