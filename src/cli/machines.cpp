// SPDX-License-Identifier: MIT
#include "cli/machines.h"

#include <algorithm>
#include <iterator>

#include "rocenv/env_source.h"
#include "sys/given_files.h"
#include "sys/posix_fs.h"
#include "sys/tree_file.h"

namespace rocenv {

namespace {

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
    std::vector<std::string> paths;
    for (const auto* words : {&options.request.profiles, &options.names, &options.tunable.files,
                              &options.occupancy.assembly}) {
        std::copy_if(words->begin(), words->end(), std::back_inserter(paths),
                     [](const std::string& word) { return word.find('/') != std::string::npos; });
    }
    for (const auto& argument : options.request.env_files) {
        paths.push_back(env_file_path(argument));
    }
    return std::make_shared<const GivenFiles>(paths, options.patience.deadline_seconds);
}

std::unique_ptr<Fs> caller_files(const Options& options, const Fs& host) {
    static const GivenFiles none;
    return (options.given ? *options.given : none).over(host);
}

}  // namespace rocenv
