// SPDX-License-Identifier: MIT
#include "cli/machines.h"

#include "sys/fs/posix_fs.h"
#include "sys/fs/tree_file.h"
#include "sys/helper/given_files.h"
#include "tunableop/tunable.h"
#include "variables/env_source.h"

namespace rocenv {

namespace {

// What is read of a pipe; a file may be larger, since it is read in pieces (src/README.md).
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

}  // namespace

Output supervise(const Options& options, const Work& work) {
    return run_supervised(
        options.patience, [&] { return open_machine(options.sysroot); },
        [&](const Fs& machine, const Fs& host) {
            return work(machine, *caller_files(options, host));
        });
}

std::shared_ptr<const GivenFiles> read_given(const Options& options) {
    std::vector<GivenFiles::File> files;
    const auto add = [&](const std::vector<std::string>& paths, std::size_t most_mib) {
        for (const auto& path : paths) {
            files.push_back({path, most_mib});
        }
    };
    for (const auto* names : {&options.request.profiles, &options.names}) {
        for (const auto& name : *names) {
            if (name.find('/') != std::string::npos || name.ends_with(".toml")) {
                files.push_back({name, 1});
            }
        }
    }
    add(options.tunable.files, most_tunable_bytes >> 20);
    add(options.occupancy.assembly, assembly_mib);
    for (const auto& argument : options.request.env_files) {
        files.push_back({env_file_path(argument), 1});
    }
    return std::make_shared<const GivenFiles>(files, options.patience.deadline_seconds);
}

std::unique_ptr<Fs> caller_files(const Options& options, const Fs& host) {
    static const GivenFiles none;
    return (options.given ? *options.given : none).over(host);
}

}  // namespace rocenv
