// SPDX-License-Identifier: MIT
// A machine whose GPU clock limits are written by rocm_smi_lib. All other writes, and all reads, go
// to the machine below, so that writes are proven in the same way.
//
// The library makes the three writes of a limit in one call. So of level "perf_determinism", table
// "s 1 N" and table "c" the first two are only stored, and the third calls the library. Level
// "auto" calls it as well. Writes without an equivalent (manual, both clocks) go to the machine
// below. So does a level perf_determinism without a limit, when the device is read again for the
// proof. After a failed call the library is not used again: a rollback must not depend on it.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "os/fs/forwarding_fs.h"

namespace rocenv {

// The calls of the library.
struct SmiCalls {
    std::function<std::optional<Error>(const std::string& bdf, std::uint64_t mhz)> set_limit;
    std::function<std::optional<Error>(const std::string& bdf)> leave_limit;
};

// Returns the calls of the library (smi_probe.h), each with a time limit in seconds.
SmiCalls smi_calls(double seconds);

// A WritableFs that uses these calls. An error of a call has the kind and errno of the library's,
// and a text that begins with the written path.
class SmiFs final : public ForwardingFs {
   public:
    SmiFs(std::unique_ptr<WritableFs> machine, SmiCalls calls);

    std::optional<Error> write(const std::string& path, std::optional<std::uint64_t> offset,
                               std::string_view bytes) override;
    // Reads like the machine below. A read of the level or the clock table of a GPU first writes
    // its level perf_determinism if that still waits for a limit. It fails with the error of that
    // write.
    Result<std::string> read_now(const std::string& path) const override;

   private:
    const Fs& inner() const override { return *machine_; }
    // Return false if the write is not for the library and goes to the machine below.
    Result<bool> write_level(const std::string& bdf, std::string_view word);
    Result<bool> write_table(const std::string& bdf, std::string_view command);
    Result<bool> ended(std::optional<Error> error);
    std::optional<Error> write_bare_level(const std::string& bdf) const;

    std::unique_ptr<WritableFs> machine_;
    SmiCalls calls_;
    // Limits by address; 0: no limit written yet. A read ends the wait for one.
    mutable std::map<std::string, std::uint64_t> requested_;
    bool failed_ = false;
};

}  // namespace rocenv
