// SPDX-License-Identifier: MIT
// Names and numbers of rocm_smi_lib include/rocm_smi/rocm_smi.h, 5.0 to 7.x (2025-08).
#include "vendor/smi_probe.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <functional>

#include "util/text.h"
#include "vendor/library_child.h"

namespace rocenv {

namespace {

constexpr const char* smi_library_name = "rocm_smi_lib";

constexpr std::array smi_sonames{
#include "facts/rsmi_sonames.inc"
};

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

// RSMI_INIT_FLAG_THRAD_ONLY_MUTEX: mutexes stay in the process, from 6.2. Older versions ignore
// this bit (rocm_smi_main.cc Initialize), and have their own empty /dev/shm.
constexpr std::uint64_t thread_only_mutex = 0x400000000000000;
const char* const thread_only_variable = "RSMI_MUTEX_THREAD_ONLY";

std::string status_text(int status) {
    const auto at = static_cast<std::size_t>(status);
    return AmdLibrary::status_text(status, at < status_words.size() ? status_words[at] : "");
}

// The functions of the library with scalar arguments.
class SmiLibrary {
   public:
    // Loads the library. Returns std::nullopt if it has every function.
    std::optional<Error> load() {
        if (auto error = library_.open()) {
            return error;
        }
        library_.find(init_, "rsmi_init");
        library_.find(shut_down_, "rsmi_shut_down");
        library_.find(count_, "rsmi_num_monitor_devices");
        library_.find(pci_id_, "rsmi_dev_pci_id_get");
        library_.find(set_limit_, "rsmi_perf_determinism_mode_set");
        library_.find(get_level_, "rsmi_dev_perf_level_get");
        if (!library_.take(set_level_, "rsmi_dev_perf_level_set_v1")) {
            library_.find(set_level_, "rsmi_dev_perf_level_set");
        }
        return library_.lacking();
    }

    std::optional<Error> start() {
        ::setenv(thread_only_variable, "1", 1);
        const int status = init_(thread_only_mutex);
        return status == status_success ? std::nullopt
                                        : std::optional(refused("does not start", status));
    }

    void stop() { shut_down_(); }

    // The index and address of a device that is not a partition.
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
                out.push_back({at, packed_bdf(id)});
            }
        }
        return out.empty() ? Result<std::vector<Device>>(library_.failure(
                                 ErrorKind::not_here, "knows no GPU on this machine"))
                           : out;
    }

    std::string level(std::uint32_t index) {
        int level = 0;
        const int status = get_level_(index, &level);
        return status == status_success ? smi_level_text(level) : "(" + status_text(status) + ")";
    }
    int set_limit(std::uint32_t index, std::uint64_t mhz) { return set_limit_(index, mhz); }
    int leave_limit(std::uint32_t index) { return set_level_(index, level_auto); }

    Error refused(const std::string& what, int status) const {
        const bool permission = status == status_permission;
        return library_.failure(permission ? ErrorKind::not_permitted : ErrorKind::io,
                                what + ": " + status_text(status));
    }
    const AmdLibrary& base() const { return library_; }

   private:
    AmdLibrary library_{smi_library_name, smi_sonames};
    int (*init_)(std::uint64_t) = nullptr;
    int (*shut_down_)() = nullptr;
    int (*count_)(std::uint32_t*) = nullptr;
    int (*pci_id_)(std::uint32_t, std::uint64_t*) = nullptr;
    int (*set_limit_)(std::uint32_t, std::uint64_t) = nullptr;
    int (*set_level_)(std::uint32_t, int) = nullptr;
    int (*get_level_)(std::uint32_t, int*) = nullptr;
};

using Request = std::function<Result<Fields>(SmiLibrary&)>;

Result<Fields> serve(SmiLibrary& library, const Request& request) {
    if (auto error = hide_shared_folders(library.base())) {
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
    SmiLibrary library;  // the library is loaded in the child only
    return ask_library(smi_library_name, seconds,
                       {[&] { return serve(library, request); }, [&] { library.stop(); }});
}

using Call = std::function<int(SmiLibrary&, std::uint32_t index)>;

// Makes one call for the device at this address.
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
                return status == status_success ? Result<Fields>(Fields())
                                                : library.refused(what, status);
            }
        }
        return library.base().failure(ErrorKind::not_here, "knows no GPU at " + bdf);
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
    return answer ? Result<std::vector<SmiDevice>>(devices_of(*answer)) : answer.error();
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

// Names and numbers of the header of libamd_smi, 24.5 (ROCm 6.1) to 27.1 (ROCm 10.1, 2026-10).
// Without /dev/dri, 24.5 reads a GPU's address from uninitialized memory
// (amdsmi_get_gpu_device_bdf). The id used here comes from the driver's topology.

namespace {

constexpr const char* amdsmi_name = "amdsmi";

constexpr std::array amdsmi_sonames{
#include "facts/amdsmi_sonames.inc"
};

constexpr int amdsmi_success = 0;
constexpr int amdsmi_no_permission = 10;
struct StatusWords {
    int status;
    std::string_view words;
};
constexpr std::array<StatusWords, 8> amdsmi_words{
    {{1, "invalid arguments"},
     {2, "not supported"},
     {10, "permission denied"},
     {14, "a file could not be used"},
     {16, "an exception inside it"},
     {18, "it could not initialise"},
     {31, "not found"},
     {34, "it could not initialise; is the amdgpu driver loaded?"}}};

std::string_view words_of(int status) {
    const auto* found = std::find_if(amdsmi_words.begin(), amdsmi_words.end(),
                                     [&](const StatusWords& row) { return row.status == status; });
    return found == amdsmi_words.end() ? std::string_view() : found->words;
}

std::string amdsmi_status_text(int status) {
    return AmdLibrary::status_text(status, words_of(status));
}

// The functions of the library with scalar arguments and its own handles.
class AmdSmi {
   public:
    using Handle = void*;

    // Loads the library. Returns std::nullopt if it has every function.
    std::optional<Error> load() {
        if (auto error = library_.open()) {
            return error;
        }
        library_.find(init_, "amdsmi_init");
        library_.find(shut_down_, "amdsmi_shut_down");
        library_.find(sockets_, "amdsmi_get_socket_handles");
        library_.find(processors_, "amdsmi_get_processor_handles");
        library_.find(bdf_id_, "amdsmi_get_gpu_bdf_id");
        library_.find(level_, "amdsmi_get_gpu_perf_level");
        return library_.lacking();
    }

    std::optional<Error> start() {
        constexpr std::uint64_t only_gpus = 2;
        ::setenv("RSMI_MUTEX_THREAD_ONLY", "1", 1);  // amdsmi contains rocm_smi_lib
        const int status = init_(only_gpus);
        return status == amdsmi_success ? std::nullopt
                                        : std::optional(refused("does not start", status));
    }

    void stop() { shut_down_(); }

    // Returns address and level of each device that is not a partition, as fields.
    Result<Fields> devices() {
        const auto sockets =
            handles([&](std::uint32_t* count, Handle* into) { return sockets_(count, into); });
        if (!sockets) {
            return sockets.error();
        }
        Fields fields;
        for (const Handle socket : *sockets) {
            const auto gpus = handles([&](std::uint32_t* count, Handle* into) {
                return processors_(socket, count, into);
            });
            for (const Handle gpu : gpus ? *gpus : std::vector<Handle>()) {
                add_device(gpu, fields);
            }
        }
        return fields.empty() ? Result<Fields>(library_.failure(ErrorKind::not_here,
                                                                "knows no GPU on this machine"))
                              : fields;
    }

    const AmdLibrary& base() const { return library_; }

   private:
    // Reads the number of handles, then the handles.
    Result<std::vector<Handle>> handles(
        const std::function<int(std::uint32_t*, Handle*)>& list) const {
        constexpr std::uint32_t most = 4096;
        std::uint32_t count = 0;
        int status = list(&count, nullptr);
        count = std::min(count, most);
        std::vector<Handle> out(count);
        if (status == amdsmi_success && count != 0) {
            status = list(&count, out.data());
            out.resize(std::min<std::size_t>(count, out.size()));
        }
        return status == amdsmi_success
                   ? Result<std::vector<Handle>>(std::move(out))
                   : Result<std::vector<Handle>>(refused("does not list its devices", status));
    }

    void add_device(Handle gpu, Fields& into) const {
        std::uint64_t id = 0;
        if (bdf_id_(gpu, &id) != amdsmi_success || is_partition(id)) {
            return;
        }
        int level = 0;
        const int status = level_(gpu, &level);
        into.insert(into.end(), {packed_bdf(id), status == amdsmi_success
                                                     ? smi_level_text(level)
                                                     : "(" + amdsmi_status_text(status) + ")"});
    }

    Error refused(const std::string& what, int status) const {
        const bool permission = status == amdsmi_no_permission;
        return library_.failure(permission ? ErrorKind::not_permitted : ErrorKind::io,
                                what + ": " + amdsmi_status_text(status));
    }

    AmdLibrary library_{amdsmi_name, amdsmi_sonames};
    int (*init_)(std::uint64_t) = nullptr;
    int (*shut_down_)() = nullptr;
    int (*sockets_)(std::uint32_t*, Handle*) = nullptr;
    int (*processors_)(Handle, std::uint32_t*, Handle*) = nullptr;
    int (*bdf_id_)(Handle, std::uint64_t*) = nullptr;
    int (*level_)(Handle, int*) = nullptr;
};

Result<Fields> serve_amdsmi(AmdSmi& library) {
    if (auto error = hide_shared_folders(library.base())) {
        return *std::move(error);
    }
    if (auto error = library.load()) {
        return *std::move(error);
    }
    if (auto error = library.start()) {
        return *std::move(error);
    }
    return library.devices();
}

}  // namespace

Result<std::vector<SmiDevice>> amdsmi_devices(double seconds) {
    AmdSmi library;  // the library is loaded in the child only
    const auto answer = ask_library(
        amdsmi_name, seconds, {[&] { return serve_amdsmi(library); }, [&] { library.stop(); }});
    return answer ? Result<std::vector<SmiDevice>>(devices_of(*answer)) : answer.error();
}

}  // namespace rocenv
