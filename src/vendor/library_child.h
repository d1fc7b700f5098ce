// SPDX-License-Identifier: MIT
// A third-party library, loaded in a forked child for one request. Its loading, environment
// variables and faults do not affect rocenv, and its output is discarded.
//
// A child that does not respond in time is killed (`timed_out`). A crash, an end without an answer
// and a failed fork are `io` errors. The text of these errors begins with the library's name.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "os/child/child_process.h"
#include "rocenv/result.h"
#include "vendor/smi_probe.h"

namespace rocenv {

// Returns an error with the text "LIBRARY TEXT". `text` continues the sentence: "is not loaded".
// `err` is an errno or 0.
Error library_error(const std::string& library, ErrorKind kind, const std::string& text,
                    int err = 0);

// The work of the child.
struct LibraryWork {
    std::function<Result<Fields>()> answer;
    // Ends the library after a successful answer; may be empty. The answer is sent before, and half
    // a second is left for this function.
    std::function<void()> stop;
};

// Runs the work in a child and returns its answer. Errors of answer() are returned unchanged; use
// library_error() for them. Waits at most `seconds` for the answer, then up to half a second for
// stop(), whose faults are ignored, and up to a second for the end of the child. A status line may
// show the library during the wait.
Result<Fields> ask_library(const std::string& library, double seconds, const LibraryWork& work);

// Common parts of AMD's GPU libraries rocm_smi_lib and amdsmi. They cover the locations, packed
// addresses and level numbers of both, and the files that both leave for all users.

// One of AMD's libraries.
class AmdLibrary {
   public:
    // Stores its arguments only. `name` begins the text of every error. Both must outlive this
    // object.
    AmdLibrary(const char* name, std::span<const char* const> sonames)
        : name_(name), sonames_(sonames) {}

    // Loads the first soname that the loader finds, else one in the default ROCm folders. Fails
    // with `not_here` if none is installed, and with `io` if a library cannot be loaded.
    std::optional<Error> open();

    // Returns true and sets `function` if the library has a function of this name, else sets
    // nullptr. Requires open().
    template <class Function>
    bool take(Function& function, const char* name) const {
        function = reinterpret_cast<Function>(symbol(name));
        return function != nullptr;
    }
    // Sets `function` like take(), and records a missing name for lacking().
    template <class Function>
    void find(Function& function, const char* name) {
        if (!take(function, name)) {
            missing_ += missing_.empty() ? name : std::string(", ") + name;
        }
    }
    // Returns an `io` error that names the missing functions; std::nullopt if there are none.
    std::optional<Error> lacking() const;

    // Returns the library_error() of this library.
    Error failure(ErrorKind kind, const std::string& text, int err = 0) const;

    // Returns "status 8 (WORDS)", without brackets if it has no words. A negative status is shown
    // as an unsigned number.
    static std::string status_text(int status, std::string_view words);

   private:
    void* symbol(const char* name) const;
    void note_fault(std::string& why) const;

    const char* const name_;
    const std::span<const char* const> sonames_;
    void* handle_ = nullptr;
    std::string file_;
    std::string missing_;
};

// Mounts empty folders over /dev/shm and /tmp, in a new mount namespace of this process. Fails with
// `not_permitted` without the rights, else with `io`.
std::optional<Error> hide_shared_folders(const AmdLibrary& library);

// Returns the address in a packed id: domain [63:32], partition [31:28], bus [15:8], device [7:3],
// function [2:0] (rsmi_dev_pci_id_get of rocm_smi_lib; amdsmi_get_gpu_bdf_id forwards it,
// 2025-08). The partition is not in the address.
std::string packed_bdf(std::uint64_t id);
// Returns whether the partition in the id is not 0.
bool is_partition(std::uint64_t id);

// Returns the devices in the answer of a child: alternating addresses and levels. A last address
// without a level is ignored.
std::vector<SmiDevice> devices_of(const Fields& fields);

// Returns the libraries' word for a level ("determinism"), "unknown" for another number; both
// libraries use the same numbers.
std::string smi_level_text(int level);

}  // namespace rocenv
