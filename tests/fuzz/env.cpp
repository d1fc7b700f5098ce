// SPDX-License-Identifier: MIT
// Files of variables as docker and systemd read them: what rocenv writes of what it read is read as
// the same.
#include "cli/formats.h"
#include "fuzz/fuzz.h"
#include "os/fs/memory_fs.h"
#include "util/text.h"
#include "variables/environment.h"

namespace rocenv::fuzz {

namespace env_fuzz {

namespace {

Result<Environment> read(const EnvFormat& format, std::string_view text) {
    auto given = format.word == "docker" ? parse_docker_file("f", text, Process())
                                         : parse_systemd_file("f", text);
    return given ? Result(std::move(given.value().variables)) : given.error();
}

void check_format(const EnvFormat& format, std::string_view bytes) {
    const auto found = read(format, bytes);
    if (!found) {
        return demand_message(found.error());
    }
    std::vector<EnvLine> kept;
    for (const auto& [name, value] : *found) {
        const EnvLine line{name, value};
        const auto written = render_environment(format, {&line, 1});
        if (!written) {
            demand_message(written.error());
            continue;
        }
        const auto again = read(format, written->out);
        demand(again && *again == Environment{{name, value}}, "a line is read as it was written",
               written->out);
        kept.push_back(line);
    }
    const auto written = render_environment(format, kept);
    const auto again = written ? read(format, written->out) : written.error();
    demand(again && again->size() == kept.size(), "lines do not disturb each other");
}

void check_process(std::string_view bytes) {
    MemoryFs fs;
    fs.add_file("/proc/1/environ", std::string(bytes));
    const auto found = environment_of(fs, "1");
    for (const auto& [name, value] : found ? *found : Environment()) {
        demand(name.find('=') == name.npos, "a name ends at its first =", name);
    }
}

}  // namespace

}  // namespace env_fuzz

void fuzz_env(std::string_view bytes) {
    using namespace env_fuzz;
    check_format(*format_named<EnvFormat>("docker"), bytes);
    check_format(*format_named<EnvFormat>("systemd"), bytes);
    check_process(bytes);
}

}  // namespace rocenv::fuzz
