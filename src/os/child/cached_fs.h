// SPDX-License-Identifier: MIT
// An Fs that notes every operation in a SharedLog: each is asked once, an operation that an earlier
// helper did not come back from fails at once with timed_out, and after two such operations on one
// device (or in KFD) nothing more of it is tried.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "os/child/record_index.h"
#include "os/child/shared_log.h"
#include "rocenv/fs.h"

namespace rocenv {

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

    // An operation on exactly `path` that never came back.
    std::optional<Error> lost(const std::string& path) const;

   private:
    void keep(const SharedLog::Record& record, std::uint32_t hash);

    SharedLog& log_;
    std::size_t bytes_ = 0;
    RecordIndex answers_;
    std::unordered_map<std::string, Error> lost_;  // by path: an operation never came back
    std::unordered_map<std::string, int> silent_;  // by fate: how many of them
};

// The key under which the caller notes an operation on `path` that never came back.
std::string lost_key(const std::string& path);

// `prefix` keeps two machines apart that share one log.
std::unique_ptr<Fs> cached_fs(const Fs& inner, Known& known, std::string prefix);

}  // namespace rocenv
