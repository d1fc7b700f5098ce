// SPDX-License-Identifier: MIT
// An index of the records of a SharedLog by key. It uses eight bytes a slot and no allocation for
// each key, because a check reads thousands of files.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "os/child/shared_log.h"
#include "rocenv/fs.h"

namespace rocenv {

// A hash table of records.
class RecordIndex {
   public:
    explicit RecordIndex(const SharedLog& log) : log_(log) {}

    // Returns the hash for find() and add(), so that a caller that needs both computes it once.
    static std::uint32_t hash_of(std::string_view key) {
        return static_cast<std::uint32_t>(std::hash<std::string_view>()(key));
    }

    // Returns the record of a key; std::nullopt if there is none.
    std::optional<SharedLog::Record> find(std::string_view key, std::uint32_t hash) const {
        for (std::size_t at = hash & mask();; at = (at + 1) & mask()) {
            const Slot& slot = slots_[at];
            if (slot.next_offset == 0) {
                return std::nullopt;
            }
            if (slot.hash == hash) {
                const auto record = log_.record_at(slot.next_offset - 1);
                if (record.key == key) {
                    return record;
                }
            }
        }
    }

    // Adds a record. Each key may be added only once.
    void add(const SharedLog::Record& record, std::uint32_t hash) {
        if (++count_ * 2 > slots_.size()) {
            grow();
        }
        put({hash, log_.offset_of(record) + 1});
    }

   private:
    struct Slot {
        std::uint32_t hash = 0;
        std::uint32_t next_offset = 0;  // offset of the record plus 1; 0: free slot
    };

    std::size_t mask() const { return slots_.size() - 1; }

    void put(const Slot& slot) {
        std::size_t at = slot.hash & mask();
        while (slots_[at].next_offset != 0) {
            at = (at + 1) & mask();
        }
        slots_[at] = slot;
    }

    void grow() {
        std::vector<Slot> old(slots_.size() * 2);
        old.swap(slots_);
        for (const Slot& slot : old) {
            if (slot.next_offset != 0) {
                put(slot);
            }
        }
    }

    static constexpr std::size_t usual_node = 8192;  // slots for a node with some 3,500 files

    const SharedLog& log_;
    std::size_t count_ = 0;
    std::vector<Slot> slots_ = std::vector<Slot>(usual_node);  // the size is a power of two
};

// A file system that caches every operation in a SharedLog. Each operation is tried once. An
// operation that never returned in an earlier helper fails at once with `timed_out`. After two such
// operations on one device (or in KFD) all further operations on it fail.

// The name of opening the machine's root, in the log and in errors.
inline const std::string root_name = "the machine's root";

// Returns the part of the machine that may hang together with `path`: the PCI device
// (/sys/bus/pci/devices/BDF), all of KFD (/sys/class/kfd), or the folder of the file.
std::string failure_domain(const std::string& path);

// The cached answers, by key; read from the log when the helper starts.
class Known {
   public:
    explicit Known(SharedLog& log);

    // Returns the cached answer, or runs `ask` and caches its answer. `key` names the operation,
    // `path` the file. Without a cached answer it fails with the error of not_asked(), or with
    // `garbled` above most_bytes.
    template <class Ask>
    Answer answer(const std::string& key, const std::string& path, Ask ask);

    // Runs `ask` and does not cache its answer. Fails with the error of not_asked().
    template <class Ask>
    Answer fresh_answer(const std::string& path, Ask ask);

    // Returns the cached answer; std::nullopt if there is none.
    std::optional<Answer> find(const std::string& key) const;
    // Adds an answer that is not cached otherwise. If `key` has another answer, the machine changed
    // while it was read, and all answers of the log are to be dropped: is_torn().
    void record(const std::string& key, const Answer& answer);
    bool is_torn() const { return torn_; }

    // Returns the reason why `path` is not read: the error of lost(), or `timed_out` for a stuck
    // device or a closed log. std::nullopt if it may be read.
    std::optional<Error> not_asked(const std::string& path) const;
    // Limit of the bytes of all cached answers; beyond it reads are refused.
    static constexpr std::size_t most_bytes = std::size_t{24} << 20;

    // Returns true if a file was refused after the deadline.
    bool deadline_reached() const { return late_; }

    // Returns the error of an operation on exactly `path` that never returned (`timed_out`) or
    // whose helper died (`io`); std::nullopt if there is none.
    std::optional<Error> lost(const std::string& path) const;

   private:
    void keep(const SharedLog::Record& record, std::uint32_t hash);

    SharedLog& log_;
    std::size_t bytes_ = 0;
    bool late_ = false;
    bool torn_ = false;
    RecordIndex answers_;
    std::unordered_map<std::string, Error>
        lost_;  // errors of operations that never returned, by path
    std::unordered_map<std::string, int> silent_;  // number of such operations, by failure domain
};

// Returns the key that the caller uses for an operation on `path` that never returned.
std::string lost_key(const std::string& path);

// The handling of Fs::read_now(): its answers are not cached; or they are added to the log for
// another process; or the answers in the log are returned.
enum class ReadNow { live, recorded, replayed };

// Returns a cached view of `inner`; both `inner` and `known` must outlive it. `prefix` separates
// two machines in one log.
std::unique_ptr<Fs> cached_fs(const Fs& inner, Known& known, std::string prefix,
                              ReadNow read_now = ReadNow::live);

}  // namespace rocenv
