// SPDX-License-Identifier: MIT
// A stand-in for AMD's rocm_smi_lib: the few functions rocenv calls, on a folder that stands for
// /sys. As the real one it writes without asking, prints, and leaves files in /dev/shm and /tmp.
//
// FAKE_RSMI_ROOT: that folder. FAKE_RSMI_LOG: a line per call. FAKE_RSMI_MODE: "init N" and "set N"
// fail with status N, "hang-init" and "hang-set" never end, "crash" ends the process at a write.
#include <dirent.h>
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <set>
#include <sstream>
#include <string>
#include <vector>

namespace {

const int not_supported = 2;
const int unlimited_mhz = 2100;

std::string variable(const char* name) {
    const char* value = std::getenv(name);
    return value == nullptr ? "" : value;
}

void log(const std::string& text) {
    std::ofstream(variable("FAKE_RSMI_LOG"), std::ios::app) << text << "\n";
}

std::string devices_folder() {
    return variable("FAKE_RSMI_ROOT") + "/bus/pci/devices/";
}

bool exists(const std::string& path) {
    return ::access(path.c_str(), F_OK) == 0;
}

// Addresses of the GPUs, sorted.
std::vector<std::string> gpus() {
    std::set<std::string> found;
    DIR* folder = ::opendir(devices_folder().c_str());
    while (const dirent* entry = folder == nullptr ? nullptr : ::readdir(folder)) {
        if (exists(devices_folder() + entry->d_name + "/pp_od_clk_voltage")) {
            found.insert(entry->d_name);
        }
    }
    if (folder != nullptr) {
        ::closedir(folder);
    }
    return {found.begin(), found.end()};
}

std::string file_of(std::uint32_t index, const std::string& name) {
    return devices_folder() + gpus().at(index) + "/" + name;
}

void put_level(std::uint32_t index, const std::string& word) {
    std::ofstream(file_of(index, "power_dpm_force_performance_level")) << word << "\n";
}

// The graphics clock's upper entry comes before the memory clock's.
void put_limit(std::uint32_t index, std::uint64_t mhz) {
    const std::string path = file_of(index, "pp_od_clk_voltage");
    std::stringstream before;
    before << std::ifstream(path).rdbuf();
    std::ofstream after(path);
    bool done = false;
    for (std::string line; std::getline(before, line);) {
        const bool upper = !done && line.rfind("1: ", 0) == 0;
        after << (upper ? "1: " + std::to_string(mhz) + "Mhz" : line) << "\n";
        done = done || upper;
    }
}

// 0, or the status of a mode that begins with `call`.
int fault(const std::string& call) {
    const std::string mode = variable("FAKE_RSMI_MODE");
    while (mode == "hang-" + call) {
        ::pause();
    }
    if (mode == "crash" && call == "set") {
        std::abort();
    }
    return mode.rfind(call + " ", 0) == 0 ? std::atoi(mode.c_str() + call.size()) : 0;
}

}  // namespace

extern "C" {

int rsmi_init(std::uint64_t flags) {
    std::printf("fake_rsmi: starts\n");
    std::fprintf(stderr, "fake_rsmi: starts\n");
    std::fflush(nullptr);
    std::ofstream("/dev/shm/rocm_smi_renderD128") << "mutex";
    std::ofstream("/tmp/rocmsmi_boot_compute_partition_0") << "SPX";
    log("init " + std::to_string(flags) + " " + variable("RSMI_MUTEX_THREAD_ONLY"));
    return fault("init");
}

int rsmi_shut_down() {
    log("shut_down");
    return 0;
}

int rsmi_num_monitor_devices(std::uint32_t* count) {
    *count = static_cast<std::uint32_t>(gpus().size());
    return 0;
}

int rsmi_dev_pci_id_get(std::uint32_t index, std::uint64_t* id) {
    unsigned domain = 0;
    unsigned bus = 0;
    unsigned device = 0;
    unsigned function = 0;
    std::sscanf(gpus().at(index).c_str(), "%x:%x:%x.%x", &domain, &bus, &device, &function);
    *id = std::uint64_t{domain} << 32 | std::uint64_t{bus} << 8 | device << 3 | function;
    return 0;
}

int rsmi_dev_perf_level_get(std::uint32_t index, int* level) {
    std::string word;
    std::ifstream(file_of(index, "power_dpm_force_performance_level")) >> word;
    *level = word == "auto" ? 0 : word == "manual" ? 3 : word == "perf_determinism" ? 8 : 0x100;
    return word.empty() ? not_supported : 0;
}

int rsmi_dev_perf_level_set_v1(std::uint32_t index, int level) {
    log("level " + gpus().at(index) + " " + std::to_string(level));
    const int status = fault("set");
    if (status == 0) {
        put_level(index, level == 0 ? "auto" : "manual");
        put_limit(index, unlimited_mhz);
    }
    return status;
}

int rsmi_perf_determinism_mode_set(std::uint32_t index, std::uint64_t mhz) {
    log("limit " + gpus().at(index) + " " + std::to_string(mhz));
    const int status = fault("set");
    if (status == 0) {
        put_level(index, "perf_determinism");
        put_limit(index, mhz);
    }
    return status;
}

}  // extern "C"
