// SPDX-License-Identifier: MIT
// A library of others, loaded in a forked child and asked one thing there: its loading, its
// environment variables and its faults stay there, and nothing it prints is seen.
//
// A child that does not answer in time is killed: timed_out; one that crashes is an io error. Every
// error's text begins with the library's name.
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

Error library_error(const std::string& library, ErrorKind kind, const std::string& text,
                    int err = 0);

// What is done in the child.
struct LibraryWork {
    std::function<Result<Fields>()> answer;
    // Nothing, or what ends the library after an answer that is no error. The answer is out before
    // it begins, and half a second is left for it.
    std::function<void()> stop;
};

Result<Fields> ask_library(const std::string& library, double seconds, const LibraryWork& work);

// What AMD's libraries for GPUs, rocm_smi_lib and amdsmi, have in common: where they are found, how
// they pack an address and number a level, and that they leave files for everybody.

class AmdLibrary {
   public:
    // Loads nothing. `name` begins every error's text. Both must outlive this.
    AmdLibrary(const char* name, std::span<const char* const> sonames)
        : name_(name), sonames_(sonames) {}

    // Loads the first of the sonames that the loader knows, else one of the ROCm that it was not
    // told of. Errors: not_here (none is installed), io (what is there cannot be loaded).
    std::optional<Error> open();

    // Whether it has a function of this name.
    template <class Function>
    bool take(Function& function, const char* name) const {
        function = reinterpret_cast<Function>(symbol(name));
        return function != nullptr;
    }
    // The same; what it lacks is kept for lacking().
    template <class Function>
    void find(Function& function, const char* name) {
        if (!take(function, name)) {
            missing_ += missing_.empty() ? name : std::string(", ") + name;
        }
    }
    // Nothing, or an io error that names the functions that were not found.
    std::optional<Error> lacking() const;

    Error failure(ErrorKind kind, const std::string& text, int err = 0) const;

    // "status 8 (WORDS)"; without words nothing is in brackets.
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

// Puts empty folders of this process's own over /dev/shm and /tmp. Errors: not_permitted, io.
std::optional<Error> hide_shared_folders(const AmdLibrary& library);

// Domain [63:32], partition [31:28], bus [15:8], device [7:3], function [2:0]
// (rsmi_dev_pci_id_get of rocm_smi_lib; amdsmi_get_gpu_bdf_id hands it on, 2025-08).
std::string packed_bdf(std::uint64_t id);
bool is_partition(std::uint64_t id);

// What a child answered: an address and a level by turns.
std::vector<SmiDevice> devices_of(const Fields& fields);

// The libraries' word for a level ("determinism"); both number them alike.
std::string smi_level_text(int level);

}  // namespace rocenv
