// SPDX-License-Identifier: MIT
// A library of others, loaded in a forked child and asked one thing there: its loading, its
// environment variables and its faults stay there, and nothing it prints is seen.
//
// A child that does not answer in time is killed: timed_out; one that crashes is an io error. Every
// error's text begins with the library's name.
#pragma once

#include <functional>
#include <string>

#include "os/child/child_process.h"
#include "rocenv/result.h"

namespace rocenv {

Error library_error(const std::string& library, ErrorKind kind, const std::string& text,
                    int err = 0);

// What is done in the child.
struct LibraryWork {
    std::function<Result<Fields>()> answer;
    // Nothing, or what ends the library after an answer that is no error. The answer is out before
    // it begins, and half a second is left for it.
    std::function<void()> stop;
};

Result<Fields> ask_library(const std::string& library, double seconds, const LibraryWork& work);

}  // namespace rocenv
