// SPDX-License-Identifier: MIT
// A machine in memory that acts like a difficult kernel: it records every write, breaks single ones
// on request, makes unrequested changes, and admits a third party or death in between.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "os/fs/forwarding_fs.h"
#include "os/fs/memory_fs.h"

namespace rocenv {

struct WriteCall {
    std::string path;
    std::optional<std::uint64_t> offset;
    std::string bytes;
    bool operator==(const WriteCall&) const = default;
};

// Thrown by a hook: the process died there.
struct Death {};

class KernelMachine final : public ForwardingFs {
   public:
    explicit KernelMachine(const MemoryFs& machine) : memory_(machine) {}

    std::optional<Error> write(const std::string& path, std::optional<std::uint64_t> offset,
                               std::string_view bytes) override;

    // Writes count from 0: the index in `writes`, which holds every one that was tried.
    std::vector<WriteCall> writes;

    void fail(std::size_t write, int err);     // no effect
    void ignore(std::size_t write);            // says yes, no effect: does not stick
    void half_do(std::size_t write, int err);  // takes effect, and fails
    void hang(std::size_t write);              // timed_out, no effect
    void fail_read(std::size_t read) {
        failing_read_ = read;
    }  // number in `reads`; its helper died
    void forgive() {
        faults_.clear();
        failing_read_.reset();
    }

    Result<std::string> read(const std::string& path) const override;
    Result<std::string> read_now(const std::string& path) const override;
    Result<std::string> read_at(const std::string& path, std::uint64_t offset,
                                std::size_t size) const override;
    Result<std::vector<std::string>> list(const std::string& path) const override;
    Result<std::string> link(const std::string& path) const override;
    mutable std::size_t reads = 0;  // reads of any kind so far

    // As the machine that this program runs on has it: its boot has an id.
    bool real = false;
    bool is_real() const override { return real; }

    // Reads for which this is true fail, as where a device has gone silent.
    std::function<bool(const std::string& path)> unreadable;

    // A governor that is written turns boost on, globally and in each policy that has it.
    bool governor_turns_boost_on = false;

    // Called around every write with its number; may change memory() or throw Death.
    std::function<void(std::size_t)> before;
    std::function<void(std::size_t)> after;

    MemoryFs& memory() { return memory_; }
    const MemoryFs& memory() const { return memory_; }

   private:
    enum class Effect { none, done };
    struct Fault {
        Effect effect = Effect::none;
        int err = 0;
        bool silent = false;
    };
    const Fs& inner() const override { return memory_; }
    std::optional<Error> attempt(const WriteCall& call, const std::optional<Fault>& fault);
    void turn_boost_on();
    std::optional<Error> lost_read(const std::string& path) const;

    MemoryFs memory_;
    std::map<std::size_t, Fault> faults_;
    std::optional<std::size_t> failing_read_;
};

// Paths of files whose content differs, for a message.
std::vector<std::string> differences(const MemoryFs& left, const MemoryFs& right);

}  // namespace rocenv
