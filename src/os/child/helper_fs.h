// SPDX-License-Identifier: MIT
// A machine that answers in time: every operation happens in a forked helper, one at a time, and
// the caller waits for it no longer than its Patience allows. Nothing is remembered between
// operations: what is read after a write is what the kernel says then.
//
// An operation that does not come back is an error of kind timed_out, and its helper is killed, or
// left behind and named when it cannot be; the next operation gets a new one. After two silences of
// one device (failure_domain() in cached_fs.h), or one of a write, nothing more of it is asked:
// such operations fail at once with timed_out. Whether a silent write took effect is not known.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "os/child/supervise.h"
#include "rocenv/fs.h"

namespace rocenv {

class HelperFs final : public WritableFs {
   public:
    // Called in each helper, so what a machine keeps in memory does not outlive one.
    using Opener = std::function<Result<std::unique_ptr<WritableFs>>()>;

    // Starts the first helper. The opener's error, or timed_out, when the machine does not open.
    static Result<std::unique_ptr<HelperFs>> start(const Patience& patience, Opener open_machine);
    ~HelperFs() override;

    Result<std::string> read(const std::string& path) const override;
    Result<std::string> read_trusted(const std::string& path) const override;
    Result<std::string> read_at(const std::string& path, std::uint64_t offset,
                                std::size_t size) const override;
    Result<std::vector<std::string>> list(const std::string& path) const override;
    Result<std::string> link(const std::string& path) const override;
    Result<std::uint64_t> size(const std::string& path) const override;
    Result<std::uint64_t> capacity(const std::string& path) const override;
    Result<Access> access(const std::string& path) const override;
    bool is_real() const override;
    std::optional<Error> write(const std::string& path, std::optional<std::uint64_t> offset,
                               std::string_view bytes) override;

    // A new deadline, that many seconds from now: for putting things back after the first one.
    void extend(double seconds);

    // A line about each helper that could not be ended, without a line end.
    std::vector<std::string> left_behind() const;

   private:
    class Helper;
    explicit HelperFs(std::unique_ptr<Helper> helper);
    std::unique_ptr<Helper> helper_;
};

}  // namespace rocenv
