// SPDX-License-Identifier: MIT
#include "support/machines.h"

#include <map>
#include <memory>
#include <stdexcept>
#include <string>

#include "sys/fs/tree_file.h"

const rocenv::MemoryFs& machine_fs(std::string_view asked) {
    static std::map<std::string, std::unique_ptr<rocenv::MemoryFs>> loaded;
    const std::string name(asked);
    auto& machine = loaded[name];
    if (!machine) {
        auto tree = rocenv::load_tree(std::string(ROCENV_MACHINES_DIR) + "/" + name + ".tree");
        if (!tree) {
            throw std::runtime_error(tree.error().text + " (tests/machines/make build/machines)");
        }
        machine = std::move(tree).value();
    }
    return *machine;
}
