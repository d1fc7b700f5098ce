// SPDX-License-Identifier: MIT
// A file system with a time limit. Every operation runs in a forked helper, one at a time, and the
// caller waits no longer than its Patience. Answers are not cached: a read after a write returns
// the kernel's present value.
//
// An operation that does not return is an error of kind `timed_out`. Its helper is killed, or left
// behind and reported, and the next operation starts a new one. After two timeouts of one device
// (failure_domain() in cached_fs.h), or one of a write, all operations on it fail with `timed_out`.
// The effect of a write that timed out is unknown.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "os/child/supervise.h"
#include "rocenv/fs.h"

namespace rocenv {

// A WritableFs that runs in helpers.
class HelperFs final : public WritableFs {
   public:
    // Opens the machine in each helper, so data that a machine keeps in memory ends with its
    // helper.
    using Opener = std::function<Result<std::unique_ptr<WritableFs>>()>;

    // Starts the first helper. Fails with the error of the opener, or with `timed_out`.
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

    // Sets a new deadline `seconds` from now, for a restore after the first deadline.
    void extend(double seconds);

    // Returns a sentence for each helper that could not be ended, without a line end.
    std::vector<std::string> left_behind() const;

   private:
    class Helper;
    explicit HelperFs(std::unique_ptr<Helper> helper);
    std::unique_ptr<Helper> helper_;
};

}  // namespace rocenv
