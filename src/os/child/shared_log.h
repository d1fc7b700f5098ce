// SPDX-License-Identifier: MIT
// Memory shared by the caller and its helper: what the machine answered so far, which operation is
// under way since when, and the finished output. One writer at a time (the helper while it lives,
// the caller after it has killed it), so plain release and acquire order is all that is needed.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "os/child/fs_message.h"

namespace rocenv {

// Milliseconds of CLOCK_MONOTONIC.
std::int64_t now_ms();

class SharedLog {
   public:
    // Reserves address space only; pages are used as they are written.
    SharedLog();
    ~SharedLog();
    SharedLog(const SharedLog&) = delete;
    SharedLog& operator=(const SharedLog&) = delete;

    // False when no memory could be mapped.
    bool usable() const { return head_ != nullptr; }

    // Marks the start and the end of an operation on `path`.
    void begin(const std::string& path) noexcept;
    void end() noexcept;

    struct Pending {
        std::int64_t since_ms = 0;  // 0: no operation under way
        std::string path;
    };
    Pending pending() const;

    // A record, as long as the log lives. The key lies in the shared memory too.
    struct Record {
        std::string_view key;
        const char* at = nullptr;
        std::size_t size = 0;  // with all that follows it
    };

    // Appends a record. When the memory is full there is none: it will be read again.
    std::optional<Record> add(std::string_view key, const Answer& answer) noexcept;
    static Answer answer_of(const Record& record);
    // The last answer added under `key`.
    std::optional<std::string> find(std::string_view key) const;
    void for_each(const std::function<void(const Record&)>& visit) const;
    // Where a record begins, and back; a log is never larger than 32 bits can say.
    std::uint32_t place_of(const Record& record) const {
        return static_cast<std::uint32_t>(record.at - records_);
    }
    Record record_at(std::uint64_t place) const;

    // After the deadline: nothing that is not in the log is asked any more.
    void close_for_new() { head_->closed.store(true); }
    bool closed_for_new() const { return head_->closed.load(); }

   private:
    void visit_from(std::uint64_t at, const std::function<void(const Record&)>& visit) const;

    struct Head {
        std::atomic<std::uint64_t> used;
        std::atomic<std::uint64_t> last;  // where the last record begins
        std::atomic<std::int64_t> pending_since;
        std::atomic<bool> closed;
        char pending_path[4096];
    };
    Head* head_ = nullptr;
    char* records_ = nullptr;
    std::size_t records_size_ = 0;
};

}  // namespace rocenv
