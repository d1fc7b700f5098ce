// SPDX-License-Identifier: MIT
#include "cli/machines.h"

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
        options.patience, [&] { return open_machine(options.sysroot); }, work);
}

}  // namespace rocenv
