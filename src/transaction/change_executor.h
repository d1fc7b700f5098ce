// SPDX-License-Identifier: MIT
// Making changes and taking them back. Nothing here knows a setting or the journal: changes are
// writes and the states that prove them.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "transaction/set.h"

namespace rocenv {

// The values that the attributes of a change read now; an error when one of them cannot be read.
Result<std::vector<std::string>> read_values(const Fs& fs, const Change& change);

// Whether all attributes read as stated.
bool holds(const Change& change, const std::vector<std::string>& values);
bool holds_now(const Fs& fs, const Change& change);

// Keeps a note of every write that was tried.
class Writer {
   public:
    // A rehearsing one only takes the note.
    enum class Mode { write, rehearse };
    Writer(WritableFs& fs, std::vector<PlannedWrite>& log, Mode mode = Mode::write)
        : fs_(fs), log_(log), mode_(mode) {}

    WritableFs& fs() { return fs_; }
    bool rehearses() const { return mode_ == Mode::rehearse; }

    // On the way back a write that finds the disk full (of a --sysroot) is tried again if this
    // makes room.
    void on_full_disk(std::function<bool()> make_room) { make_room_ = std::move(make_room); }

    // Whether a write for the key was tried.
    bool touched(const Key& key) const;

    // All writes in order, up to the first that fails, then the proof. Nothing: it stands.
    std::optional<Error> apply(const Key& key, const Change& change);

    // The same, going on after a failure: on the way back a refusal may be about a step that is not
    // needed.
    void apply_tolerantly(const Key& key, const Change& change);

    // The first write of the last tolerant attempt that was refused; nothing: none was.
    std::optional<Error> refusal(const Key& key) const;

   private:
    std::optional<Error> write(const Key& key, const Write& write);

    WritableFs& fs_;
    std::vector<PlannedWrite>& log_;
    Mode mode_;
    std::function<bool()> make_room_;
    std::map<Key, Error> refused_;
};

struct Goal {
    Key key;
    Change change;
    bool optional = false;  // was not to be changed: only what is seen to differ is mended
};

// Drives every goal to its states, last first, in passes until nothing differs or two of them
// achieve nothing (the first may have failed by chance): so no order needs to be declared, and side
// effects of one way back on another are mended. Returns the positions of goals that were not
// reached; a rehearsal makes the first pass only and reaches all that is there.
std::vector<std::size_t> restore(Writer& writer, const std::vector<Goal>& goals);

}  // namespace rocenv
