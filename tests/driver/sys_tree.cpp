// SPDX-License-Identifier: MIT
#include "driver/sys_tree.h"

#include <dirent.h>
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <utility>

namespace lab {

namespace {

namespace fs = std::filesystem;

const std::string pci_devices = "/bus/pci/devices";
const std::string platform_devices = "/devices/platform";
const std::string kfd_nodes = "/devices/virtual/kfd/kfd/topology/nodes";
const std::string level_name = "power_dpm_force_performance_level";
const std::string table_name = "pp_od_clk_voltage";
constexpr int nodes_per_gpu = 8;  // DRM devices, one a possible partition
constexpr int first_render = 128;

std::string name_of(const std::string& path) {
    return path.substr(path.rfind('/') + 1);
}

std::string folder_of(const std::string& path) {
    return path.substr(0, path.rfind('/'));
}

bool is_under(const std::string& path, const std::string& folder) {
    return path.compare(0, folder.size(), folder) == 0 &&
           (path.size() == folder.size() || path[folder.size()] == '/');
}

std::string content(const fs::path& path) {
    std::stringstream out;
    out << std::ifstream(path, std::ios::binary).rdbuf();
    return out.str();
}

long property(const std::string& text, const std::string& requested) {
    std::istringstream lines(text);
    std::string key;
    for (long value = 0; lines >> key >> value;) {
        if (key == requested) return value;
    }
    return 0;
}

// Names in a folder, sorted; none when it is not there.
std::vector<std::string> names_in(const fs::path& folder) {
    std::vector<std::string> out;
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(folder, error)) {
        out.push_back(entry.path().filename());
    }
    std::sort(out.begin(), out.end());
    return out;
}

// The number of the render node below a device; -1: none.
int render_of(const fs::path& device) {
    const std::string start = "renderD";
    for (const auto& name : names_in(device / "drm")) {
        if (name.compare(0, start.size(), start) == 0) return std::stoi(name.substr(start.size()));
    }
    return -1;
}

using Texts = std::vector<std::pair<const char*, const char*>>;

// Files of an idle GPU. Bytes; percent.
const Texts idle_device{{"gpu_busy_percent", "0"},
                        {"mem_busy_percent", "0"},
                        {"mem_info_vram_used", "297795584"},
                        {"mem_info_vis_vram_used", "297795584"},
                        {"mem_info_gtt_total", "1081956466688"},
                        {"mem_info_gtt_used", "37748736"}};

// mV; uW; Hz.
const Texts idle_hwmon{{"in0_label", "vddgfx"},         {"in0_input", "750"},
                       {"power1_average", "136000000"}, {"power1_cap_default", "750000000"},
                       {"power1_cap_min", "0"},         {"freq1_label", "sclk"},
                       {"freq1_input", "132000000"}};

bool is_policy(const std::string& path) {
    return path.find("/pm_policy/") != std::string::npos;
}

// Returns whether the driver lets root write to a file of a GPU's own folder.
bool accepts_writes(const std::string& path) {
    const auto name = name_of(path);
    return name == level_name || name == table_name || is_policy(path) || name == "config" ||
           name == "sriov_numvfs" || name == "power1_cap" || name == "control" ||
           name == "numa_node" || name == "remove" || name == "reset";
}

// "1: 2100Mhz" of the last line becomes this clock.
std::string with_last_clock(std::string text, long mhz) {
    const auto end = text.rfind("Mhz");
    const auto start = text.rfind(": ", end);
    if (end == std::string::npos || start == std::string::npos) return text;
    return text.replace(start + 2, end - start - 2, std::to_string(mhz));
}

std::string one_line(std::string_view text) {
    while (!text.empty() && text.back() == '\n') text.remove_suffix(1);
    return std::string(text);
}

}  // namespace

SysTree::SysTree(int base_fd) : base_(base_fd) {
    find_gpus();
}

std::string SysTree::under(const std::string& path) const {
    return "/proc/self/fd/" + std::to_string(base_) + "/." + path;
}

void SysTree::find_gpus() {
    for (const auto& bdf : names_in(under(pci_devices))) {
        const auto link = under(pci_devices) + "/" + bdf;
        if (!fs::exists(link + "/" + level_name)) continue;
        const auto folder =
            "/" + fs::canonical(link).lexically_relative(fs::canonical(under(""))).string();
        gpus_.emplace(bdf, Gpu{folder, model_of(folder), parts_of(folder)});
        add_sensors(folder);
    }
}

// Files that the fixtures lack and AMD's library asks for (linux
// drivers/gpu/drm/amd/pm/amdgpu_pm.c, amdgpu_vram_mgr.c); in0 is there up to MI200 only, but
// version 5 does not start without.
void SysTree::add_sensors(const std::string& folder) {
    for (const auto& [name, text] : idle_device) {
        written_.emplace(folder + "/" + name, text + std::string("\n"));
    }
    for (const auto& hwmon : names_in(under(folder) + "/hwmon")) {
        for (const auto& [name, text] : idle_hwmon) {
            written_.emplace(folder + "/hwmon/" + hwmon + "/" + name, text + std::string("\n"));
        }
    }
}

// The top of the clock table is what KFD says of the device.
GpuModel SysTree::model_of(const std::string& folder) const {
    const int render = render_of(under(folder));
    long maximum = 0;
    for (const auto& node : names_in(under(kfd_nodes))) {
        const auto text = content(under(kfd_nodes) + "/" + node + "/properties");
        if (property(text, "drm_render_minor") == render && render > 0) {
            maximum = property(text, "max_engine_clk_fcompute");
        }
    }
    return GpuModel(content(under(folder) + "/" + level_name),
                    content(under(folder) + "/" + table_name), maximum);
}

// The GPU's folder, its platform devices and KFD nodes.
std::vector<std::string> SysTree::parts_of(const std::string& folder) const {
    std::vector<std::string> out{folder};
    const int render = render_of(under(folder));
    if (render < first_render) return out;
    const auto is_its = [&](long other) {
        return other >= render && other < render + nodes_per_gpu;
    };
    for (const auto& name : names_in(under(platform_devices))) {
        const auto device = platform_devices + "/" + name;
        if (name.rfind("amdgpu_xcp", 0) == 0 && is_its(render_of(under(device)))) {
            out.push_back(device);
        }
    }
    for (const auto& name : names_in(under(kfd_nodes))) {
        const auto node = kfd_nodes + "/" + name;
        const auto text = content(under(node) + "/properties");
        if (is_its(property(text, "drm_render_minor"))) out.push_back(node);
    }
    return out;
}

bool SysTree::is_gone(const std::string& path) const {
    return std::any_of(gpus_.begin(), gpus_.end(), [&](const auto& entry) {
        const Gpu& gpu = entry.second;
        return gpu.removed &&
               std::any_of(gpu.gone.begin(), gpu.gone.end(),
                           [&](const auto& folder) { return is_under(path, folder); });
    });
}

bool SysTree::leads_to_gone(const std::string& path) const {
    char target[PATH_MAX];
    const ssize_t length = readlink(under(path).c_str(), target, sizeof target);
    if (length < 0) return false;
    const auto place =
        fs::path(folder_of(path)) / std::string(target, static_cast<std::size_t>(length));
    return is_gone(place.lexically_normal());
}

SysTree::Gpu* SysTree::gpu_at(const std::string& path) {
    for (auto& [bdf, gpu] : gpus_) {
        if (is_under(path, gpu.folder)) return &gpu;
    }
    return nullptr;
}

int SysTree::attributes(const std::string& path, struct stat* out) {
    const std::scoped_lock lock(mutex_);
    if (is_gone(path) || leads_to_gone(path)) return ENOENT;
    if (written_.count(path) != 0) {
        out->st_mode = S_IFREG;
    } else if (lstat(under(path).c_str(), out) < 0) {
        return errno;
    }
    if (S_ISREG(out->st_mode)) {
        const bool shut = gpu_at(path) != nullptr && !accepts_writes(path);
        out->st_mode = S_IFREG | (shut ? 0444 : 0644);
        if (!never_changes(path) && name_of(path) != "config") out->st_size = 4096;
    }
    return 0;
}

int SysTree::link(const std::string& path, std::string& target) {
    const std::scoped_lock lock(mutex_);
    if (leads_to_gone(path)) return ENOENT;
    char text[PATH_MAX];
    const ssize_t length = readlink(under(path).c_str(), text, sizeof text);
    if (length < 0) return errno;
    target.assign(text, static_cast<std::size_t>(length));
    return 0;
}

int SysTree::list(const std::string& path, std::vector<std::string>& names) {
    const std::scoped_lock lock(mutex_);
    if (is_gone(path)) return ENOENT;
    for (auto& name : names_in(under(path))) {
        const auto entry = path + "/" + name;
        if (!is_gone(entry) && !leads_to_gone(entry)) names.push_back(std::move(name));
    }
    for (auto added = written_.lower_bound(path + "/"); added != written_.end(); ++added) {
        if (!is_under(added->first, path)) break;
        if (folder_of(added->first) == path && access(under(added->first).c_str(), F_OK) != 0) {
            names.push_back(name_of(added->first));
        }
    }
    return 0;
}

bool SysTree::never_changes(const std::string& path) {
    return is_under(path, kfd_nodes);
}

int SysTree::may_open(const std::string& path, bool to_write) {
    struct stat about {};
    const int fault = attributes(path, &about);
    return fault == 0 && to_write && (about.st_mode & 0200) == 0 ? EACCES : fault;
}

std::string SysTree::stored(const std::string& path) const {
    const auto found = written_.find(path);
    return found != written_.end() ? found->second : content(under(path));
}

int SysTree::read(const std::string& path, std::string& text) {
    if (const int fault = faults_.before_read(path)) return fault;
    const std::scoped_lock lock(mutex_);
    if (is_gone(path)) return ENODEV;
    const Gpu* gpu = gpu_at(path);
    const auto name = name_of(path);
    if (gpu != nullptr && name == level_name) {
        text = gpu->model.level();
    } else if (gpu != nullptr && name == table_name) {
        text = gpu->model.table();
    } else if (gpu != nullptr && name == "pp_dpm_sclk") {
        text = with_last_clock(content(under(path)), gpu->model.upper());
    } else {
        text = stored(path);
    }
    return 0;
}

int SysTree::write(const std::string& path, std::string_view bytes, off_t offset) {
    int error = faults_.before_write(path, bytes);
    const bool dropped = faults_.ignores(path, bytes);
    const std::scoped_lock lock(mutex_);
    if (is_gone(path)) return ENODEV;
    Gpu* gpu = gpu_at(path);
    if (error == 0 && !dropped) {
        const bool driven = gpu != nullptr && accepts_writes(path) && name_of(path) != "config";
        error = driven ? write_driver(*gpu, path, bytes) : write_stored(path, bytes, offset);
    }
    log_ += name_of(folder_of(path)) + "/" + name_of(path) + " " + one_line(bytes) + " " +
            std::to_string(error) + "\n";
    return error;
}

int SysTree::write_driver(Gpu& gpu, const std::string& path, std::string_view text) {
    const auto name = name_of(path);
    if (name == level_name) return gpu.model.write_level(text);
    if (name == table_name) return gpu.model.write_table(text);
    if (!is_policy(path)) return write_stored(path, text, 0);
    std::string choices = stored(path);
    const int error = choose_starred(choices, text);
    written_[path] = std::move(choices);
    return error;
}

// A kernel's file holds what was written last; config space keeps its size.
int SysTree::write_stored(const std::string& path, std::string_view bytes, off_t offset) {
    std::string& text = written_[path];
    if (name_of(path) != "config") {
        text = one_line(bytes) + "\n";
        return 0;
    }
    if (text.empty()) text = content(under(path));
    const auto start = static_cast<std::size_t>(offset);
    if (start + bytes.size() > text.size()) return EFBIG;
    text.replace(start, bytes.size(), bytes);
    return 0;
}

int SysTree::command(const std::string& line) {
    std::istringstream text(line);
    std::vector<std::string> words;
    for (std::string word; text >> word;) words.push_back(word);
    if (faults_.command(words)) return 0;
    const std::scoped_lock lock(mutex_);
    const auto found = words.size() == 2 ? gpus_.find(words[1]) : gpus_.end();
    if (found == gpus_.end()) return EINVAL;
    Gpu& gpu = found->second;
    if (words[0] == "reset") {
        gpu.model.reset();
    } else if (words[0] == "remove") {
        gpu.removed = true;
    } else if (words[0] == "return") {
        gpu.removed = false;
        gpu.model = model_of(gpu.folder);
    } else {
        return EINVAL;
    }
    return 0;
}

std::string SysTree::state() {
    const std::scoped_lock lock(mutex_);
    std::string out;
    for (const auto& [bdf, gpu] : gpus_) {
        out += bdf + (gpu.removed ? " gone" : " " + gpu.model.state()) + "\n";
    }
    return out;
}

std::string SysTree::log() {
    const std::scoped_lock lock(mutex_);
    return log_;
}

}  // namespace lab
