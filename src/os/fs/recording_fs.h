// SPDX-License-Identifier: MIT
// An Fs that notes every question and its answer, errors included: what `rocenv record` writes
// down. It says that it is not the real machine, as what replays the notes will not be: so exactly
// that is asked which a replay asks.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "rocenv/fs.h"

namespace rocenv {

// What was asked about one path; of an operation asked twice the last answer.
struct Note {
    struct Part {
        std::size_t asked = 0;  // bytes
        Result<std::string> bytes;
    };
    std::optional<Result<std::string>> content;
    std::map<std::uint64_t, Part> parts;  // of read_at, by offset
    std::optional<Result<std::vector<std::string>>> names;
    std::optional<Result<std::string>> target;
    std::optional<Result<std::uint64_t>> size;
    std::optional<Result<std::uint64_t>> capacity;
};
using Notes = std::map<std::string, Note>;

class RecordingFs final : public Fs {
   public:
    // `inner` must outlive it.
    explicit RecordingFs(const Fs& inner) : inner_(inner) {}

    Result<std::string> read(const std::string& path) const override;
    Result<std::string> read_now(const std::string& path) const override;
    Result<std::string> read_at(const std::string& path, std::uint64_t offset,
                                std::size_t size) const override;
    Result<std::vector<std::string>> list(const std::string& path) const override;
    Result<std::string> link(const std::string& path) const override;
    Result<std::uint64_t> size(const std::string& path) const override;
    Result<std::uint64_t> capacity(const std::string& path) const override;
    bool is_real() const override { return false; }

    const Notes& notes() const { return notes_; }
    // Paths that did not answer in time, sorted.
    std::vector<std::string> silent() const;

   private:
    const Fs& inner_;
    mutable Notes notes_;
};

}  // namespace rocenv
