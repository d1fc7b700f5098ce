// SPDX-License-Identifier: MIT
// What paths are, asked by a process of its own: a file system that does not answer keeps that
// process, and nobody else.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "rocenv/result.h"

namespace rocenv {

enum class Looks {
    missing,  // or not to be seen: whoever opens it says why
    folder,
    regular,
    other,   // a pipe, a device
    silent,  // no answer in time
};

// Asked by this process itself: of a path that is known to answer.
Looks look(const std::string& path);

// One for each path, in their order; together they get `ms`. After the first that is silent all
// are. Where the process cannot be had, or dies, nothing is known: missing.
std::vector<Looks> looks_of(const std::vector<std::string>& paths, std::int64_t ms);

// timed_out, of a path that is silent.
Error not_answering(const std::string& path);

// timed_out for the first of these that does not answer.
std::optional<Error> first_silent(const std::vector<std::string>& paths, std::int64_t ms);

}  // namespace rocenv
