// SPDX-License-Identifier: MIT
// Finds records of a SharedLog by their keys, in eight bytes a slot and without an allocation for
// each: a check asks for thousands of files.
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

class RecordIndex {
   public:
    explicit RecordIndex(const SharedLog& log) : log_(log) {}

    // Of a key, for find() and add(): whoever needs both computes it once.
    static std::uint32_t hash_of(std::string_view key) {
        return static_cast<std::uint32_t>(std::hash<std::string_view>()(key));
    }

    std::optional<SharedLog::Record> find(std::string_view key, std::uint32_t hash) const {
        for (std::size_t at = hash & mask();; at = (at + 1) & mask()) {
            const Slot& slot = slots_[at];
            if (slot.next_place == 0) {
                return std::nullopt;
            }
            if (slot.hash == hash) {
                const auto record = log_.record_at(slot.next_place - 1);
                if (record.key == key) {
                    return record;
                }
            }
        }
    }

    // A key is added once.
    void add(const SharedLog::Record& record, std::uint32_t hash) {
        if (++count_ * 2 > slots_.size()) {
            grow();
        }
        put({hash, log_.place_of(record) + 1});
    }

   private:
    struct Slot {
        std::uint32_t hash = 0;
        std::uint32_t next_place = 0;  // the record's place and 1; 0: the slot is free
    };

    std::size_t mask() const { return slots_.size() - 1; }

    void put(const Slot& slot) {
        std::size_t at = slot.hash & mask();
        while (slots_[at].next_place != 0) {
            at = (at + 1) & mask();
        }
        slots_[at] = slot;
    }

    void grow() {
        std::vector<Slot> old(slots_.size() * 2);
        old.swap(slots_);
        for (const Slot& slot : old) {
            if (slot.next_place != 0) {
                put(slot);
            }
        }
    }

    static constexpr std::size_t usual_node = 8192;  // of some 3,500 files

    const SharedLog& log_;
    std::size_t count_ = 0;
    std::vector<Slot> slots_ = std::vector<Slot>(usual_node);  // a power of two
};

// An Fs that notes every operation in a SharedLog: each is asked once, an operation that an earlier
// helper did not come back from fails at once with timed_out, and after two such operations on one
// device (or in KFD) nothing more of it is tried.

// What opening the machine's folder is called in the log and in errors.
inline const std::string root_name = "the machine's root";

// What shares its fate with `path` when the kernel does not answer: the PCI device, all of KFD, or
// the folder the file is in.
std::string failure_domain(const std::string& path);

// Everything known from the log when the helper starts, by key.
class Known {
   public:
    explicit Known(SharedLog& log);

    // Runs `ask` unless the answer is known; `key` names the operation, `path` the file.
    template <class Ask>
    Answer answer(const std::string& key, const std::string& path, Ask ask);

    // The same, asked again every time.
    template <class Ask>
    Answer fresh_answer(const std::string& path, Ask ask);

    // Why `path` is not asked; nothing when it may be.
    std::optional<Error> not_asked(const std::string& path) const;
    // What is kept of all answers: beyond that, files are refused unread.
    static constexpr std::size_t most_bytes = std::size_t{24} << 20;

    // Whether a file was refused after the deadline.
    bool deadline_reached() const { return late_; }

    // An operation on exactly `path` that never came back.
    std::optional<Error> lost(const std::string& path) const;

   private:
    void keep(const SharedLog::Record& record, std::uint32_t hash);

    SharedLog& log_;
    std::size_t bytes_ = 0;
    bool late_ = false;
    RecordIndex answers_;
    std::unordered_map<std::string, Error> lost_;  // by path: an operation never came back
    std::unordered_map<std::string, int> silent_;  // by fate: how many of them
};

// The key under which the caller notes an operation on `path` that never came back.
std::string lost_key(const std::string& path);

// `prefix` keeps two machines apart that share one log.
std::unique_ptr<Fs> cached_fs(const Fs& inner, Known& known, std::string prefix);

}  // namespace rocenv
