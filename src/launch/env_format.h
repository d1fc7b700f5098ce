// SPDX-License-Identifier: MIT
// An environment as text for the program that will read it. No value can break out of its quotes; a
// value or name that a format cannot carry is an error that names the variable, and nothing is
// printed. How each consumer reads is proved with the consumer itself in
// tests/launch/test_formats.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "launch/env_plan.h"

namespace rocenv {

enum class EnvFormat { sh, fish, csh, docker, systemd, slurm, lmod, github, json };
// The word on the command line (util/words.h).
constexpr std::string_view word_of(EnvFormat format) {
    switch (format) {
        case EnvFormat::sh:
            return "sh";
        case EnvFormat::fish:
            return "fish";
        case EnvFormat::csh:
            return "csh";
        case EnvFormat::docker:
            return "docker";
        case EnvFormat::systemd:
            return "systemd";
        case EnvFormat::slurm:
            return "slurm";
        case EnvFormat::lmod:
            return "lmod";
        case EnvFormat::github:
            return "github";
        case EnvFormat::json:
            return "json";
    }
    return "";
}

struct EnvText {
    std::string out;
    std::vector<std::string> not_unset;  // names to be unset, where the format has no way to say so
};

Result<EnvText> render_environment(EnvFormat format, std::span<const EnvLine> lines);

}  // namespace rocenv
