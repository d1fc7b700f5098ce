// SPDX-License-Identifier: MIT
#include "help/manual/commands.h"

#include "util/text.h"

namespace rocenv {

std::string usage_of(const CommandText& command) {
    if (command.is_group) {
        return "rocenv " + command.name + " COMMAND [OPTIONS]";
    }
    std::string out = "rocenv " + command.name + " [OPTIONS]";
    for (const auto& option : command.options) {
        if (!option.is_positional) {
            continue;
        }
        const std::string& name = option.names.front();
        const std::string each = name + (option.repeats && option.exactly == 1 ? "..." : "");
        for (int left = option.exactly; left > 0; --left) {
            out += option.required ? " " + each : " [" + each + "]";
        }
    }
    return out + (command.programs ? " -- PROGRAM [ARGUMENT...]" : "");
}

std::string term_of(const OptionText& option) {
    const std::string names = join(option.names, ", ");
    if (option.value_may_miss) {
        return names + "[=" + option.value + "]";
    }
    return names + (option.value.empty() ? "" : " " + option.value);
}

}  // namespace rocenv
