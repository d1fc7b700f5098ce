// SPDX-License-Identifier: MIT
// A file system with a time limit. Every operation runs in a forked helper, one at a time, and the
// caller waits no longer than its Patience. Answers are not cached, except those of read_ahead(): a
// read after a write returns the kernel's present value.
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
#include "os/fs/forwarding_fs.h"
#include "rocenv/fs.h"

namespace rocenv {

// A WritableFs that runs in helpers.
class HelperFs final : public ForwardingFs {
   public:
    // Opens the machine in each helper, so data that a machine keeps in memory ends with its
    // helper.
    using Opener = std::function<Result<std::unique_ptr<WritableFs>>()>;

    // delayed: the machine keeps writes in memory until a later write or read (SmiFs).
    enum class Writes { direct, delayed };

    // Starts the first helper. Fails with the error of the opener, with `timed_out`, or with `io`
    // if no helper starts or two died.
    static Result<std::unique_ptr<HelperFs>> start(const Patience& patience, Opener open_machine,
                                                   Writes writes = Writes::direct);
    // Starts no helper before run() or the first read.
    static std::unique_ptr<HelperFs> not_started(const Patience& patience, Opener open_machine);
    ~HelperFs() override;

    bool deadline_reached() const override { return false; }  // a late read is an error
    // Writes by a helper. A helper that was killed is replaced once if it cannot have received the
    // write; otherwise fails with `io`, and the effect is unknown.
    std::optional<Error> write(const std::string& path, std::optional<std::uint64_t> offset,
                               std::string_view bytes) override;

    // Calls `read` in a helper of its own, where this file system reads directly and rejects
    // writes. Later reads return its results; other files are read once, when needed. extend(),
    // write() and read_live() drop the results. A file that hangs costs one wait. The helper does
    // not read a device that has reached its limit of timeouts. Does nothing after a write that may
    // be delayed.
    void read_ahead(const std::function<void()>& read) override;
    void read_live() override;

    // Runs a command that only reads in one helper (run_supervised), where this file system reads
    // directly and rejects writes. The caller's own reads do not reuse its results.
    Output run(const std::function<Output()>& work);

    // Sets a new deadline `seconds` from now, for a restore after the first deadline.
    void extend(double seconds);

    // Returns a sentence for each helper that could not be ended, without a line end.
    std::vector<std::string> left_behind() const;

   private:
    class Helper;
    class Live;
    struct Ahead;
    HelperFs(std::unique_ptr<Helper> helper, Writes writes);
    const Fs& inner() const override;

    const Writes writes_;
    bool has_written_ = false;
    std::unique_ptr<Helper> helper_;
    std::unique_ptr<Live> live_;
    std::unique_ptr<Ahead> ahead_;  // nullptr: no answers of read_ahead()
    const Fs* direct_ = nullptr;    // in the helper of read_ahead(): the machine
};

}  // namespace rocenv
