// SPDX-License-Identifier: MIT
// What the program that reads a variable makes of its text.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "rocenv/setting.h"

namespace rocenv {

struct Reading {
    std::string effective;  // "true", "false", a number, text; "default" when it cannot be known
    std::string note;       // one sentence, may be empty
    bool applies = true;    // false: nothing on this node reads it
};

class EnvReader {
   public:
    EnvReader() = default;
    EnvReader(const EnvReader&) = delete;
    EnvReader& operator=(const EnvReader&) = delete;
    virtual ~EnvReader() = default;
    virtual std::string_view name() const = 0;
    // `text` is nullopt when the variable is not set.
    virtual Reading read(const Context& context, const std::optional<std::string>& text) const = 0;
    // Why a wanted text would be misread; empty when it would not.
    virtual std::string misread(std::string_view text) const = 0;
};

// nullptr: no reader is known for the variable.
const EnvReader* find_env_reader(std::string_view name);
std::vector<std::string> known_variables();

}  // namespace rocenv
