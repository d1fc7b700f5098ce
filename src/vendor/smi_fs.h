// SPDX-License-Identifier: MIT
// A machine whose GPU clock limits are written by rocm_smi_lib; everything else, and all reading,
// goes to the machine below, so that what proves a write is the same.
//
// The library makes the three writes of a limit in one call, so of
//   level "perf_determinism", table "s 1 N", table "c"
// the first two are only kept in mind, and the third calls it; level "auto" calls it, too. Whatever
// it cannot do with a number alone (manual, both clocks) passes; so does a level perf_determinism
// that no limit has followed when the device is read again, to prove it. After a call that failed
// it is not called again: what follows is putting back, which must not depend on it.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "os/fs/forwarding_fs.h"

namespace rocenv {

struct SmiCalls {
    std::function<std::optional<Error>(const std::string& bdf, std::uint64_t mhz)> set_limit;
    std::function<std::optional<Error>(const std::string& bdf)> leave_limit;
};

// The library's own (smi_probe.h), each with this many seconds to end.
SmiCalls smi_calls(double seconds);

class SmiFs final : public ForwardingFs {
   public:
    SmiFs(std::unique_ptr<WritableFs> machine, SmiCalls calls);

    std::optional<Error> write(const std::string& path, std::optional<std::uint64_t> offset,
                               std::string_view bytes) override;
    Result<std::string> read_now(const std::string& path) const override;

   private:
    const Fs& inner() const override { return *machine_; }
    // False: not the library's, it passes.
    Result<bool> write_level(const std::string& bdf, std::string_view word);
    Result<bool> write_table(const std::string& bdf, std::string_view command);
    Result<bool> ended(std::optional<Error> error);
    std::optional<Error> write_bare_level(const std::string& bdf) const;

    std::unique_ptr<WritableFs> machine_;
    SmiCalls calls_;
    // By address; 0: no limit was named yet. A read ends the waiting for one.
    mutable std::map<std::string, std::uint64_t> wanted_;
    bool failed_ = false;
};

}  // namespace rocenv
