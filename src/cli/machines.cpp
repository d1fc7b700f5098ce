// SPDX-License-Identifier: MIT
#include "cli/machines.h"

#include "commands/tunableop/tunable.h"
#include "os/child/direct_run.h"
#include "os/fs/posix_fs.h"
#include "os/fs/tree_file.h"
#include "util/text.h"
#include "variables/environment.h"

namespace rocenv {

namespace {

// Limit of a pipe in MiB. A file may be larger, since it is read in pieces
// (src/decisions/003-limits-of-input.md).
constexpr std::size_t assembly_mib = 16;

Result<std::unique_ptr<Fs>> open_tree(const std::string& file) {
    auto tree = load_tree(file);
    if (!tree) {
        return tree.error();
    }
    return std::unique_ptr<Fs>(std::move(tree).value());
}

Result<std::unique_ptr<Fs>> open_machine(const std::optional<std::string>& sysroot) {
    if (!sysroot) {
        return real_fs();
    }
    return sysroot->ends_with(".tree") ? open_tree(*sysroot) : sysroot_fs(*sysroot);
}

NamedFiles all_of(const std::vector<std::string>& paths, std::size_t most_mib) {
    NamedFiles files;
    for (const auto& path : paths) {
        files.push_back({path, most_mib});
    }
    return files;
}

Work with(const GivenFiles& given, const Work& work) {
    return [&](const Fs& machine, const Fs& host) { return work(machine, *given.over(host)); };
}

}  // namespace

Output supervise(const MachineOptions& options, const GivenFiles& given, const Work& work) {
    return run_supervised(
        options.patience, [&] { return open_machine(options.sysroot); }, with(given, work));
}

Output supervise_if_needed(const MachineOptions& options, const GivenFiles& given,
                           const Work& work) {
    LeftBehind left;
    auto done = options.sysroot ? std::nullopt : run_directly(with(given, work), left);
    Output output = done ? *std::move(done) : supervise(options, given, work);
    if (const auto text = left.still(); !text.empty()) {
        output.err += "rocenv: " + printable(text, uncut) + "\n";
    }
    return output;
}

NamedFiles profile_files(const std::vector<std::string>& names) {
    NamedFiles files;
    for (const auto& name : names) {
        if (name.find('/') != std::string::npos || name.ends_with(".toml")) {
            files.push_back({name, 1});
        }
    }
    return files;
}

NamedFiles waiver_files(const std::string& file) {
    return file.empty() ? NamedFiles() : NamedFiles{{file, 1, GivenFiles::ForRoot::regular}};
}

NamedFiles env_source_files(const std::vector<std::string>& arguments) {
    NamedFiles files;
    for (const auto& argument : arguments) {
        files.push_back({env_file_path(argument), 1});
    }
    return files;
}

NamedFiles tunable_files(const std::vector<std::string>& paths) {
    return all_of(paths, most_tunable_bytes >> 20);
}

NamedFiles assembly_files(const std::vector<std::string>& paths) {
    return all_of(paths, assembly_mib);
}

}  // namespace rocenv
