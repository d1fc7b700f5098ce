// SPDX-License-Identifier: MIT
// Conversion between results of Fs operations and bytes, for messages between a helper and its
// caller.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "rocenv/fs.h"
#include "util/text.h"

namespace rocenv {

using Answer = Result<std::string>;

// Returns a number in decimal digits, or the error.
inline Answer as_answer(const Result<std::uint64_t>& value) {
    return value ? Answer(number(*value)) : Answer(value.error());
}

// Returns names joined by '/', which no name contains.
inline Answer as_answer(const Result<std::vector<std::string>>& names) {
    return names ? Answer(join(*names, "/")) : Answer(names.error());
}

// Returns the errno and the group of an access, as two numbers.
inline Answer as_answer(const Result<Access>& access) {
    return access ? Answer(number(access->err) + " " + number(access->group))
                  : Answer(access.error());
}

// Returns the number, 0 for another text, or the error of the answer.
inline Result<std::uint64_t> number_in(const Answer& answer) {
    if (!answer) {
        return answer.error();
    }
    return parse_number(*answer).value_or(0);
}

// Returns the names, or the error of the answer.
inline Result<std::vector<std::string>> names_in(const Answer& answer) {
    if (!answer) {
        return answer.error();
    }
    std::vector<std::string> out;
    if (!answer->empty()) {
        for (const auto name : split(*answer, '/')) {
            out.emplace_back(name);
        }
    }
    return out;
}

// Returns the access, or the error of the answer.
inline Result<Access> access_in(const Answer& answer) {
    if (!answer) {
        return answer.error();
    }
    const auto parts = split(*answer, ' ');
    return Access{static_cast<int>(parse_number(parts.front()).value_or(0)),
                  static_cast<std::uint32_t>(parse_number(parts.back()).value_or(0))};
}

// Memory shared by the caller and its helper: the answers so far, the pending operation with its
// start, and the finished output. It has one writer at a time: the helper, or the caller after
// killing it. So release and acquire order suffices.

// Returns milliseconds of CLOCK_MONOTONIC_COARSE, a clock that advances every few ms.
std::int64_t now_ms();

// A log of answers in shared memory.
class SharedLog {
   public:
    // Reserves address space: 256, 64 or 16 MiB, the first that can be mapped. The two larger sizes
    // must fit a quarter of a limit (ulimit -v). Pages are allocated on write.
    SharedLog();
    ~SharedLog();
    SharedLog(const SharedLog&) = delete;
    SharedLog& operator=(const SharedLog&) = delete;

    // Returns false if no memory could be mapped; all other functions require it.
    bool usable() const { return head_ != nullptr; }

    // Marks the start of an operation on `path`, of which 4,095 bytes are kept.
    void begin(const std::string& path) noexcept;
    // Marks the end of the operation in progress.
    void end() noexcept;

    // The operation in progress.
    struct Pending {
        std::int64_t since_ms = 0;  // 0: no operation
        std::string path;
    };
    // Returns the operation in progress; `since_ms` is on the clock of now_ms().
    Pending pending() const;

    // A record, valid as long as the log. The key is in the shared memory.
    struct Record {
        std::string_view key;
        const char* at = nullptr;
        std::size_t size = 0;  // including its header
    };

    // Appends a record. Returns std::nullopt if the memory is full; the file is then read again.
    std::optional<Record> add(std::string_view key, const Answer& answer) noexcept;
    // Returns the answer of a record.
    static Answer answer_of(const Record& record);
    // Returns the last answer added under `key`; std::nullopt if there is none or it is an error.
    std::optional<std::string> find(std::string_view key) const;
    // Calls `visit` for each record in the order in which they were added.
    void for_each(const std::function<void(const Record&)>& visit) const;
    // Returns the offset of a record, in bytes; it always fits 32 bits.
    std::uint32_t offset_of(const Record& record) const {
        return static_cast<std::uint32_t>(record.at - records_);
    }
    // Returns the record at an offset, which must be one of offset_of().
    Record record_at(std::uint64_t offset) const;

    // Closes the log at the deadline: operations that are not in the log are refused.
    void close_for_new() { head_->closed.store(true); }
    bool closed_for_new() const { return head_->closed.load(); }

   private:
    void visit_from(std::uint64_t at, const std::function<void(const Record&)>& visit) const;

    struct Head {
        std::atomic<std::uint64_t> used;
        std::atomic<std::uint64_t> last;  // offset of the last record
        std::atomic<std::int64_t> pending_since;
        std::atomic<bool> closed;
        char pending_path[4096];
    };
    Head* head_ = nullptr;
    char* records_ = nullptr;
    std::size_t records_size_ = 0;
};

}  // namespace rocenv
