// SPDX-License-Identifier: MIT
// Names and numbers are those of the header of libamd_smi, 24.5 (ROCm 6.1) to 27.1 (ROCm
// 10.1, 2026-10). Where /dev/dri is missing 24.5 takes a GPU's address from memory that it never
// filled (amdsmi_get_gpu_device_bdf); the id that is asked for here comes from the driver's
// topology.
#include <algorithm>
#include <array>
#include <cstdlib>
#include <functional>

#include "util/text.h"
#include "vendor/amd_library.h"
#include "vendor/library_child.h"
#include "vendor/smi_probe.h"

namespace rocenv {

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

// The library's functions, by scalar arguments and its own handles only.
class AmdSmi {
   public:
    using Handle = void*;

    // Nothing: it is loaded, and has every function.
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
        ::setenv("RSMI_MUTEX_THREAD_ONLY", "1", 1);  // it holds rocm_smi_lib
        const int status = init_(only_gpus);
        return status == amdsmi_success ? std::nullopt
                                        : std::optional(refused("does not start", status));
    }

    void stop() { shut_down_(); }

    // Address and level of each that is no partition, as fields.
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
    // Asks how many there are, then for them.
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
    AmdSmi library;  // nothing is loaded before the child does it
    const auto answer = ask_library(
        amdsmi_name, seconds, {[&] { return serve_amdsmi(library); }, [&] { library.stop(); }});
    return answer ? Result<std::vector<SmiDevice>>(devices_of(*answer)) : answer.error();
}

}  // namespace rocenv
