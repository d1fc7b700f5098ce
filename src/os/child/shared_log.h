// SPDX-License-Identifier: MIT
// Answers of every operation of an Fs as bytes or an error, and back: what passes between a helper
// and its caller.
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

inline Answer as_answer(const Result<std::uint64_t>& value) {
    return value ? Answer(number(*value)) : Answer(value.error());
}

inline Answer as_answer(const Result<std::vector<std::string>>& names) {
    return names ? Answer(join(*names, "/")) : Answer(names.error());
}

inline Answer as_answer(const Result<Access>& access) {
    return access ? Answer(number(access->err) + " " + number(access->group))
                  : Answer(access.error());
}

inline Result<std::uint64_t> number_in(const Answer& answer) {
    if (!answer) {
        return answer.error();
    }
    return parse_number(*answer).value_or(0);
}

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

inline Result<Access> access_in(const Answer& answer) {
    if (!answer) {
        return answer.error();
    }
    const auto parts = split(*answer, ' ');
    return Access{static_cast<int>(parse_number(parts.front()).value_or(0)),
                  static_cast<std::uint32_t>(parse_number(parts.back()).value_or(0))};
}

// Memory shared by the caller and its helper: what the machine answered so far, which operation is
// under way since when, and the finished output. One writer at a time (the helper while it lives,
// the caller after it has killed it), so plain release and acquire order is all that is needed.

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
