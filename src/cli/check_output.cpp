// SPDX-License-Identifier: MIT
#include "cli/check_output.h"

#include <optional>
#include <string_view>

#include "cli/commands.h"
#include "report/render.h"
#include "util/exit_status.h"
#include "util/text.h"

namespace rocenv {

namespace {

std::string first_line(std::string_view err) {
    constexpr std::string_view name = "rocenv: ";
    err = err.substr(0, err.find('\n'));
    err.remove_prefix(err.starts_with(name) ? name.size() : 0);
    return std::string(err);
}

Output as_plugin(Output output, const std::string& reason) {
    output.out = nagios_failure(reason);
    output.exit_code = exit_unknown;
    return output;
}

bool asks_for_nagios(int argc, const char* const* argv) {
    constexpr std::string_view format = "--format";
    bool asks = false;
    for (int at = 2; at < argc; ++at) {
        const std::string_view word = argv[at];
        if (word == format || word.starts_with("--format=")) {
            const bool joined = word.size() > format.size();
            asks = joined ? word.ends_with("=nagios")
                          : at + 1 < argc && std::string_view(argv[at + 1]) == "nagios";
        }
    }
    return asks && std::string_view(argv[1]) == "check";
}

// Error: the file could not be written, and `output` is as it was.
std::optional<Error> moved_to_file(const std::string& path, const PrintOptions& options,
                                   FileReaders readers, Output& output) {
    if (path.empty() || output.out.empty()) {
        return std::nullopt;
    }
    if (auto error = write_file(path, output.out, readers)) {
        return error;
    }
    if (!options.quiet) {
        output.err +=
            "rocenv: wrote " + printable(path) + ", " + number(output.out.size()) + " bytes\n";
    }
    output.out.clear();
    return std::nullopt;
}

}  // namespace

Output to_file(const std::string& path, const PrintOptions& options, FileReaders readers,
               Output output) {
    const auto error = moved_to_file(path, options, readers, output);
    if (!error) {
        return output;
    }
    const bool usage = error->kind == ErrorKind::bad_input;
    return {usage ? exit_usage : exit_unknown, "", output.err + error_lines({error->text})};
}

Output check_delivered(const CheckOptions& options, Output output) {
    const bool plugin = options.print.format == CheckFormat::nagios;
    if (plugin && output.out.empty()) {
        output = as_plugin(output, first_line(output.err));
    }
    if (options.print.format == CheckFormat::human && !options.output.empty()) {
        output.out = printable_but(Kept::both, output.out);
    }
    const auto error = moved_to_file(options.output, options.print, FileReaders::by_umask, output);
    if (!error) {
        return output;
    }
    const int verdict = output.exit_code == exit_ok ? exit_unknown : output.exit_code;
    output.exit_code = error->kind == ErrorKind::bad_input ? exit_usage : verdict;
    output.out.clear();
    output.err += error_lines({error->text});
    return plugin ? as_plugin(std::move(output), error->text) : output;
}

Output misuse_delivered(int argc, const char* const* argv, Output output) {
    if (output.exit_code != exit_ok && asks_for_nagios(argc, argv)) {
        return as_plugin({}, first_line(output.err));
    }
    return output;
}

}  // namespace rocenv
