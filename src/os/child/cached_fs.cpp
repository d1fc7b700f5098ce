// SPDX-License-Identifier: MIT
#include "os/child/cached_fs.h"

#include <optional>
#include <utility>
#include <vector>

#include "util/text.h"

namespace rocenv {

namespace {

// Timeouts until a device counts as stuck. One file may be a single case; with two, a hung GPU
// costs two waits and not one for each file.
constexpr int silences_before_giving_up = 2;

class CachedFs final : public Fs {
   public:
    CachedFs(const Fs& inner, Known& known, std::string prefix, ReadNow read_now)
        : inner_(inner), known_(known), prefix_(std::move(prefix)), read_now_(read_now) {}

    Result<std::string> read(const std::string& path) const override {
        return known_.answer(key('r', path), path, [&] { return inner_.read(path); });
    }

    Result<std::string> read_now(const std::string& path) const override {
        if (read_now_ == ReadNow::replayed) {
            if (auto found = known_.find(key('n', path))) {
                return *std::move(found);
            }
        }
        Answer answer = known_.fresh_answer(path, [&] { return inner_.read_now(path); });
        if (read_now_ == ReadNow::recorded) {
            known_.record(key('n', path), answer);
        }
        return answer;
    }

    Result<std::string> read_trusted(const std::string& path) const override {
        return known_.answer(key('t', path), path, [&] { return inner_.read_trusted(path); });
    }

    Result<std::string> read_at(const std::string& path, std::uint64_t offset,
                                std::size_t size) const override {
        std::string& where = key('a', path);
        where += '\n' + number(offset) + '+' + number(size);
        return known_.answer(where, path, [&] { return inner_.read_at(path, offset, size); });
    }

    // Returns a fresh list directly, without parsing its answer.
    Result<std::vector<std::string>> list(const std::string& path) const override {
        std::optional<Result<std::vector<std::string>>> fresh;
        const Answer answer = known_.answer(key('l', path), path, [&] {
            fresh = inner_.list(path);
            return as_answer(*fresh);
        });
        return fresh && answer ? *std::move(fresh) : names_in(answer);
    }

    Result<std::string> link(const std::string& path) const override {
        return known_.answer(key('s', path), path, [&] { return inner_.link(path); });
    }

    Result<std::uint64_t> size(const std::string& path) const override {
        return number_in(
            known_.answer(key('z', path), path, [&] { return as_answer(inner_.size(path)); }));
    }

    Result<std::uint64_t> capacity(const std::string& path) const override {
        return number_in(
            known_.answer(key('c', path), path, [&] { return as_answer(inner_.capacity(path)); }));
    }

    Result<Access> access(const std::string& path) const override {
        return access_in(
            known_.answer(key('o', path), path, [&] { return as_answer(inner_.access(path)); }));
    }

    bool is_real() const override { return inner_.is_real(); }
    std::string remark() const override { return inner_.remark(); }
    bool deadline_reached() const override { return known_.deadline_reached(); }

   private:
    // Returns the key of an operation, valid until the next call.
    std::string& key(char operation, const std::string& path) const {
        key_ = prefix_;
        key_ += operation;
        key_ += path;
        return key_;
    }

    const Fs& inner_;
    Known& known_;
    std::string prefix_;
    ReadNow read_now_;
    mutable std::string key_;
};

}  // namespace

std::string failure_domain(const std::string& path) {
    constexpr std::string_view devices = "/sys/bus/pci/devices/";
    constexpr std::string_view kfd = "/sys/class/kfd";
    if (path.starts_with(devices)) {
        return path.substr(0, path.find('/', devices.size()));
    }
    return path.starts_with(kfd) ? std::string(kfd) : path.substr(0, path.rfind('/'));
}

// The key of the mark of a log whose machine changed while it was read.
const std::string torn_key = "~";

std::string lost_key(const std::string& path) {
    return "!" + path;
}

Known::Known(SharedLog& log) : log_(log), answers_(log) {
    log.for_each([&](const SharedLog::Record& record) {
        torn_ = torn_ || record.key == torn_key;
        if (!record.key.starts_with('!')) {
            keep(record, RecordIndex::hash_of(record.key));
            return;
        }
        const Error error = SharedLog::answer_of(record).error();
        lost_.emplace(record.key.substr(1), error);
        ++silent_[failure_domain(error.path)];
    });
}

template <class Ask>
Answer Known::fresh_answer(const std::string& path, Ask ask) {
    if (auto refused = not_asked(path)) {
        late_ = late_ || log_.closed_for_new();
        return *std::move(refused);
    }
    log_.begin(path);
    Answer answer = ask();
    log_.end();
    return answer;
}

template <class Ask>
Answer Known::answer(const std::string& key, const std::string& path, Ask ask) {
    const std::uint32_t hash = RecordIndex::hash_of(key);
    if (const auto found = answers_.find(key, hash)) {
        return SharedLog::answer_of(*found);
    }
    if (bytes_ > most_bytes) {
        return garbled(path, "is not read: files of more than " + number(most_bytes >> 20) +
                                 " MiB were read before it");
    }
    Answer answer = fresh_answer(path, ask);
    if (const auto record = log_.add(key, answer)) {
        keep(*record, hash);
    }
    return answer;
}

std::optional<Answer> Known::find(const std::string& key) const {
    const auto found = answers_.find(key, RecordIndex::hash_of(key));
    return found ? std::optional(SharedLog::answer_of(*found)) : std::nullopt;
}

void Known::record(const std::string& key, const Answer& answer) {
    const auto same = [&](const Answer& before) {
        return before && answer ? *before == *answer
                                : !before && !answer && before.error().text == answer.error().text;
    };
    if (const auto before = find(key)) {
        if (!torn_ && !same(*before)) {
            torn_ = true;
            log_.add(torn_key, Answer(""));
        }
    } else if (const auto record = log_.add(key, answer)) {
        keep(*record, RecordIndex::hash_of(key));
    }
}

void Known::keep(const SharedLog::Record& record, std::uint32_t hash) {
    constexpr std::size_t bookkeeping = 100;  // bytes beside one answer
    bytes_ += record.size + bookkeeping;
    answers_.add(record, hash);
}

std::optional<Error> Known::not_asked(const std::string& path) const {
    const auto timed_out = [&](const char* why) {
        return Error{ErrorKind::timed_out, 0, path, path + why};
    };
    if (!lost_.empty()) {
        if (auto error = lost(path)) {
            return error;
        }
        const auto silent = silent_.find(failure_domain(path));
        if (silent != silent_.end() && silent->second >= silences_before_giving_up) {
            return timed_out(": not asked, other files of the same device did not answer");
        }
    }
    if (log_.closed_for_new()) {
        return timed_out(": not asked before the deadline");
    }
    return std::nullopt;
}

std::optional<Error> Known::lost(const std::string& path) const {
    const auto found = lost_.find(path);
    return found == lost_.end() ? std::nullopt : std::optional(found->second);
}

std::unique_ptr<Fs> cached_fs(const Fs& inner, Known& known, std::string prefix, ReadNow read_now) {
    return std::make_unique<CachedFs>(inner, known, std::move(prefix), read_now);
}

}  // namespace rocenv
