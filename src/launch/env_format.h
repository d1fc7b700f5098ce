// SPDX-License-Identifier: MIT
// An environment as text for the program that will read it. No value can break out of its quotes; a
// value or name that a format cannot carry is an error that names the variable, and nothing is
// printed. How each consumer reads is proved with the consumer itself in tests/env.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "launch/env_plan.h"

namespace rocenv {

struct EnvText {
    std::string out;
    std::vector<std::string> not_unset;  // names to be unset, where the format has no way to say so
};

// "sh", "fish", "csh", "docker", "systemd", "slurm", "lmod", "github", "json".
const std::vector<std::string>& env_formats();

// `format` is one of env_formats().
Result<EnvText> render_environment(std::string_view format, std::span<const EnvLine> lines);

}  // namespace rocenv
