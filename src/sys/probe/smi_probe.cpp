// SPDX-License-Identifier: MIT
// Names and numbers are those of rocm_smi_lib include/rocm_smi/rocm_smi.h, 5.0 to 7.x (2025-08).
#include "sys/probe/smi_probe.h"

#include <dlfcn.h>
#include <sched.h>
#include <sys/mount.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <functional>

#include "sys/probe/library_child.h"
#include "util/rocm_folders.h"
#include "util/text.h"

namespace rocenv {

namespace {

const std::string smi_library_name = "rocm_smi_lib";

// By soname: AMD's packages from ROCm 6.1, of 6.0, of 5; then what distributions build.
constexpr std::array sonames{"librocm_smi64.so.7", "librocm_smi64.so.6", "librocm_smi64.so.5",
                             "librocm_smi64.so.1", "librocm_smi64.so"};
// By what the loader knows, then in a ROCm that it was not told of.
const std::array smi_folders{std::string(), std::string(rocm_default) + "/lib/",
                             std::string(rocm_default) + std::string(rocm_core) + "/lib/"};

constexpr int status_success = 0;
constexpr int status_permission = 4;
constexpr std::array<std::string_view, 20> status_words{
    "success",
    "invalid arguments",
    "not supported; it says that of a refused write, too",
    "a file could not be used",
    "permission denied",
    "out of resources",
    "an exception inside it",
    "out of bounds",
    "it could not initialise; is the amdgpu driver loaded?",
    "not implemented",
    "not found",
    "insufficient size",
    "interrupted",
    "unexpected size",
    "no data",
    "unexpected data",
    "busy",
    "too many users",
    "the setting is not available",
    "the driver could not be restarted"};

constexpr int level_auto = 0;
constexpr std::array<std::string_view, 9> level_words{
    "auto", "low", "high", "manual", "standard", "peak", "min_mclk", "min_sclk", "determinism"};

// RSMI_INIT_FLAG_THRAD_ONLY_MUTEX: mutexes stay in the process, from 6.2. Older ones do not look at
// this bit (rocm_smi_main.cc Initialize), and have an empty /dev/shm to themselves.
constexpr std::uint64_t thread_only_mutex = 0x400000000000000;
const char* const thread_only_variable = "RSMI_MUTEX_THREAD_ONLY";

Error smi_failure(ErrorKind kind, const std::string& text, int err = 0) {
    return library_error(smi_library_name, kind, text, err);
}

std::string status_text(int status) {
    const auto at = static_cast<std::size_t>(status);
    return "status " + number(static_cast<unsigned>(status)) +
           (at < status_words.size() ? " (" + std::string(status_words[at]) + ")" : "");
}

Error refused(const std::string& what, int status) {
    const bool permission = status == status_permission;
    return smi_failure(permission ? ErrorKind::not_permitted : ErrorKind::io,
                       what + ": " + status_text(status));
}

std::string level_text(int level) {
    const auto at = static_cast<std::size_t>(level);
    return at < level_words.size() ? std::string(level_words[at]) : "unknown";
}

// Domain [63:32], partition [31:28], bus [15:8], device [7:3], function [2:0]: so packed by every
// version that has the determinism call (rocm_smi.h rsmi_dev_pci_id_get).
std::string bdf_text(std::uint64_t id) {
    return bare_hex(id >> 32, 4) + ":" + bare_hex(id >> 8 & 0xff, 2) + ":" +
           bare_hex(id >> 3 & 0x1f, 2) + "." + number(id & 7);
}

bool is_partition(std::uint64_t id) {
    return (id >> 28 & 0xf) != 0;
}

// The library's functions, by scalar arguments only.
class SmiLibrary {
   public:
    // Nothing: it is loaded, and has every function.
    std::optional<Error> load() {
        if (auto error = open()) {
            return error;
        }
        find(init_, "rsmi_init");
        find(shut_down_, "rsmi_shut_down");
        find(count_, "rsmi_num_monitor_devices");
        find(pci_id_, "rsmi_dev_pci_id_get");
        find(set_limit_, "rsmi_perf_determinism_mode_set");
        find(get_level_, "rsmi_dev_perf_level_get");
        if (!take(set_level_, "rsmi_dev_perf_level_set_v1")) {
            find(set_level_, "rsmi_dev_perf_level_set");
        }
        return missing_.empty() ? std::nullopt
                                : std::optional(smi_failure(
                                      ErrorKind::io, name_ + " has no function " + missing_));
    }

    std::optional<Error> start() {
        ::setenv(thread_only_variable, "1", 1);
        const int status = init_(thread_only_mutex);
        return status == status_success ? std::nullopt
                                        : std::optional(refused("does not start", status));
    }

    void stop() { shut_down_(); }

    // Of every device that is no partition: its index and address.
    struct Device {
        std::uint32_t index = 0;
        std::string bdf;
    };
    Result<std::vector<Device>> devices() {
        std::uint32_t count = 0;
        if (const int status = count_(&count); status != status_success) {
            return refused("does not count its devices", status);
        }
        std::vector<Device> out;
        for (std::uint32_t at = 0; at < count; ++at) {
            std::uint64_t id = 0;
            if (pci_id_(at, &id) == status_success && !is_partition(id)) {
                out.push_back({at, bdf_text(id)});
            }
        }
        return out.empty() ? Result<std::vector<Device>>(
                                 smi_failure(ErrorKind::not_here, "knows no GPU on this machine"))
                           : out;
    }

    std::string level(std::uint32_t index) {
        int level = 0;
        const int status = get_level_(index, &level);
        return status == status_success ? level_text(level) : "(" + status_text(status) + ")";
    }
    int set_limit(std::uint32_t index, std::uint64_t mhz) { return set_limit_(index, mhz); }
    int leave_limit(std::uint32_t index) { return set_level_(index, level_auto); }

   private:
    std::optional<Error> open() {
        std::string why;
        for (const std::string& folder : smi_folders) {
            for (const std::string soname : sonames) {
                name_ = folder + soname;
                handle_ = ::dlopen(name_.c_str(), RTLD_NOW | RTLD_LOCAL);
                if (handle_ != nullptr) {
                    return std::nullopt;
                }
                note_fault(why);
            }
        }
        return why.empty() ? smi_failure(ErrorKind::not_here,
                                         "is not installed: no librocm_smi64.so.7, .6, .5 or .1")
                           : smi_failure(ErrorKind::io, "cannot be loaded: " + why);
    }

    // Keeps the first fault that is not the absence of the file itself.
    void note_fault(std::string& why) const {
        const std::string fault = ::dlerror();
        const bool absent = fault.starts_with(name_ + ": cannot open shared object file: No such");
        if (why.empty() && !absent) {
            why = printable(fault);
        }
    }

    template <class Function>
    bool take(Function& function, const char* name) {
        function = reinterpret_cast<Function>(::dlsym(handle_, name));
        return function != nullptr;
    }
    template <class Function>
    void find(Function& function, const char* name) {
        if (!take(function, name)) {
            missing_ += missing_.empty() ? name : std::string(", ") + name;
        }
    }

    void* handle_ = nullptr;
    std::string name_;
    std::string missing_;
    int (*init_)(std::uint64_t) = nullptr;
    int (*shut_down_)() = nullptr;
    int (*count_)(std::uint32_t*) = nullptr;
    int (*pci_id_)(std::uint32_t, std::uint64_t*) = nullptr;
    int (*set_limit_)(std::uint32_t, std::uint64_t) = nullptr;
    int (*set_level_)(std::uint32_t, int) = nullptr;
    int (*get_level_)(std::uint32_t, int*) = nullptr;
};

// Puts empty folders of this process's own where the library leaves files for everybody.
std::optional<Error> hide_shared_folders() {
    const auto fault = [](const char* what, int err) {
        const bool permission = err == EPERM || err == EACCES;
        return smi_failure(permission ? ErrorKind::not_permitted : ErrorKind::io,
                           "is not loaded: " + std::string(what) + ": " + errno_text(err), err);
    };
    if (::unshare(CLONE_NEWNS) != 0) {
        return fault("a /dev/shm and /tmp of its own need root and the right to mount", errno);
    }
    if (::mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0) {
        return fault("its mounts cannot be made private", errno);
    }
    for (const char* folder : {"/dev/shm", "/tmp"}) {
        if (::mount("none", folder, "tmpfs", MS_NOSUID | MS_NODEV, "mode=1777,size=16m") != 0) {
            return fault(folder, errno);
        }
    }
    return std::nullopt;
}

using Request = std::function<Result<Fields>(SmiLibrary&)>;

Result<Fields> serve(SmiLibrary& library, const Request& request) {
    if (auto error = hide_shared_folders()) {
        return *std::move(error);
    }
    if (auto error = library.load()) {
        return *std::move(error);
    }
    if (auto error = library.start()) {
        return *std::move(error);
    }
    return request(library);
}

Result<Fields> ask(double seconds, const Request& request) {
    SmiLibrary library;  // nothing is loaded before the child does it
    return ask_library(smi_library_name, seconds,
                       {[&] { return serve(library, request); }, [&] { library.stop(); }});
}

using Call = std::function<int(SmiLibrary&, std::uint32_t index)>;

// One call about the device at this address.
std::optional<Error> call(const std::string& bdf, double seconds, const std::string& what,
                          const Call& function) {
    const auto answer = ask(seconds, [&](SmiLibrary& library) -> Result<Fields> {
        const auto devices = library.devices();
        if (!devices) {
            return devices.error();
        }
        for (const auto& device : *devices) {
            if (device.bdf == bdf) {
                const int status = function(library, device.index);
                return status == status_success ? Result<Fields>(Fields()) : refused(what, status);
            }
        }
        return smi_failure(ErrorKind::not_here, "knows no GPU at " + bdf);
    });
    return answer ? std::nullopt : std::optional(answer.error());
}

}  // namespace

Result<std::vector<SmiDevice>> smi_devices(double seconds) {
    const auto answer = ask(seconds, [](SmiLibrary& library) -> Result<Fields> {
        const auto devices = library.devices();
        if (!devices) {
            return devices.error();
        }
        Fields fields;
        for (const auto& device : *devices) {
            fields.insert(fields.end(), {device.bdf, library.level(device.index)});
        }
        return fields;
    });
    if (!answer) {
        return answer.error();
    }
    std::vector<SmiDevice> out;
    for (std::size_t at = 0; at + 1 < answer->size(); at += 2) {
        out.push_back({(*answer)[at], (*answer)[at + 1]});
    }
    return out;
}

std::optional<Error> smi_set_limit(const std::string& bdf, std::uint64_t mhz, double seconds) {
    return call(
        bdf, seconds, "does not set " + number(mhz) + " MHz",
        [mhz](SmiLibrary& library, std::uint32_t index) { return library.set_limit(index, mhz); });
}

std::optional<Error> smi_leave_limit(const std::string& bdf, double seconds) {
    return call(
        bdf, seconds, "does not set level auto",
        [](SmiLibrary& library, std::uint32_t index) { return library.leave_limit(index); });
}

}  // namespace rocenv
