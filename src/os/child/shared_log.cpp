// SPDX-License-Identifier: MIT
#include "os/child/shared_log.h"

#include <sys/mman.h>
#include <sys/resource.h>
#include <algorithm>
#include <cstring>
#include <ctime>
#include <new>

namespace rocenv {

namespace {

// Log sizes, tried in turn: strict overcommit may refuse the larger ones. A log uses at most a
// quarter of a limit on address space (RLIMIT_AS), except for the smallest size.
constexpr std::size_t log_sizes[] = {std::size_t{256} << 20, std::size_t{64} << 20,
                                     std::size_t{16} << 20};
constexpr std::size_t head_size = 8192;

// The sizes of the parts of one record, in order.
struct RecordHead {
    std::uint32_t key;
    std::uint32_t value;  // bytes of the answer, or of the error's text
    std::uint32_t path;   // path of the error
    std::int32_t err;
    std::int32_t kind;  // ErrorKind, -1 for an answer
};

}  // namespace

std::int64_t now_ms() {
    timespec now{};
    ::clock_gettime(CLOCK_MONOTONIC_COARSE, &now);
    return std::int64_t{now.tv_sec} * 1000 + now.tv_nsec / 1000000;
}

SharedLog::SharedLog() {
    static_assert(sizeof(Head) <= head_size);
    rlimit space{};
    ::getrlimit(RLIMIT_AS, &space);
    for (const std::size_t size : log_sizes) {
        if (size > space.rlim_cur / 4 && size != std::end(log_sizes)[-1]) {
            continue;
        }
        void* memory = ::mmap(nullptr, size, PROT_READ | PROT_WRITE,
                              MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (memory != MAP_FAILED) {
            head_ = new (memory) Head();
            records_ = static_cast<char*>(memory) + head_size;
            records_size_ = size - head_size;
            return;
        }
    }
}

SharedLog::~SharedLog() {
    if (head_ != nullptr) {
        ::munmap(head_, records_size_ + head_size);
    }
}

void SharedLog::begin(const std::string& path) noexcept {
    const std::size_t size = std::min(path.size(), sizeof head_->pending_path - 1);
    std::memcpy(head_->pending_path, path.data(), size);
    head_->pending_path[size] = '\0';
    head_->pending_since.store(now_ms(), std::memory_order_release);
}

void SharedLog::end() noexcept {
    head_->pending_since.store(0, std::memory_order_release);
}

SharedLog::Pending SharedLog::pending() const {
    Pending now;
    now.since_ms = head_->pending_since.load(std::memory_order_acquire);
    if (now.since_ms != 0) {
        now.path = head_->pending_path;
    }
    return now;
}

std::optional<SharedLog::Record> SharedLog::add(std::string_view key,
                                                const Answer& answer) noexcept {
    const std::string_view value = answer ? std::string_view(*answer) : answer.error().text;
    const std::string_view path = answer ? std::string_view() : answer.error().path;
    const RecordHead head{static_cast<std::uint32_t>(key.size()),
                          static_cast<std::uint32_t>(value.size()),
                          static_cast<std::uint32_t>(path.size()), answer ? 0 : answer.error().err,
                          answer ? -1 : static_cast<std::int32_t>(answer.error().kind)};
    const std::uint64_t used = head_->used.load(std::memory_order_relaxed);
    const std::size_t size = sizeof head + key.size() + value.size() + path.size();
    if (size > records_size_ - used) {
        return std::nullopt;
    }
    char* const at = records_ + used;
    char* to = at;
    std::memcpy(to, &head, sizeof head);
    to += sizeof head;
    for (const auto part : {key, value, path}) {
        to = std::copy(part.begin(), part.end(), to);
    }
    head_->last.store(used, std::memory_order_relaxed);
    head_->used.store(used + size, std::memory_order_release);
    return Record{{at + sizeof head, key.size()}, at, size};
}

Answer SharedLog::answer_of(const Record& record) {
    RecordHead head{};
    std::memcpy(&head, record.at, sizeof head);
    const char* value = record.at + sizeof head + head.key;
    if (head.kind < 0) {
        return std::string(value, head.value);
    }
    return Error{static_cast<ErrorKind>(head.kind), head.err,
                 std::string(value + head.value, head.path), std::string(value, head.value)};
}

void SharedLog::for_each(const std::function<void(const Record&)>& visit) const {
    visit_from(0, visit);
}

void SharedLog::visit_from(std::uint64_t at,
                           const std::function<void(const Record&)>& visit) const {
    const std::uint64_t used = head_->used.load(std::memory_order_acquire);
    while (at < used) {
        const Record record = record_at(at);
        visit(record);
        at += record.size;
    }
}

SharedLog::Record SharedLog::record_at(std::uint64_t offset) const {
    const char* at = records_ + offset;
    RecordHead head{};
    std::memcpy(&head, at, sizeof head);
    return {{at + sizeof head, head.key}, at, sizeof head + head.key + head.value + head.path};
}

std::optional<std::string> SharedLog::find(std::string_view key) const {
    std::optional<Record> found;
    const auto take = [&](const Record& record) {
        if (record.key == key) {
            found = record;
        }
    };
    visit_from(head_->last.load(std::memory_order_relaxed), take);  // usually the last record
    if (!found) {
        for_each(take);
    }
    const auto answer = found ? std::optional(answer_of(*found)) : std::nullopt;
    return answer && *answer ? std::optional(**answer) : std::nullopt;
}

}  // namespace rocenv
