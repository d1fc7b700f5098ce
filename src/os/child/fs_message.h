// SPDX-License-Identifier: MIT
// Answers of every operation of an Fs as bytes or an error, and back: what passes between a helper
// and its caller.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "rocenv/fs.h"
#include "util/text.h"

namespace rocenv {

using Answer = Result<std::string>;

inline Answer as_answer(const Result<std::uint64_t>& value) {
    return value ? Answer(number(*value)) : Answer(value.error());
}

inline Answer as_answer(const Result<std::vector<std::string>>& names) {
    return names ? Answer(join(*names, "/")) : Answer(names.error());
}

inline Answer as_answer(const Result<Access>& access) {
    return access ? Answer(number(access->err) + " " + number(access->group))
                  : Answer(access.error());
}

inline Result<std::uint64_t> number_in(const Answer& answer) {
    if (!answer) {
        return answer.error();
    }
    return parse_number(*answer).value_or(0);
}

inline Result<std::vector<std::string>> names_in(const Answer& answer) {
    if (!answer) {
        return answer.error();
    }
    std::vector<std::string> out;
    if (!answer->empty()) {
        for (const auto name : split(*answer, '/')) {
            out.emplace_back(name);
        }
    }
    return out;
}

inline Result<Access> access_in(const Answer& answer) {
    if (!answer) {
        return answer.error();
    }
    const auto parts = split(*answer, ' ');
    return Access{static_cast<int>(parse_number(parts.front()).value_or(0)),
                  static_cast<std::uint32_t>(parse_number(parts.back()).value_or(0))};
}

}  // namespace rocenv
