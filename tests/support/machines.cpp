// SPDX-License-Identifier: MIT
#include "support/machines.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>

#include "os/child/cached_fs.h"
#include "os/fs/tree_file.h"

std::vector<std::string> fixture_names() {
    std::vector<std::string> out;
    for (const auto& entry : std::filesystem::directory_iterator(ROCENV_MACHINES_DIR)) {
        if (entry.path().extension() == ".tree") {
            out.push_back(entry.path().stem().string());
        }
    }
    std::sort(out.begin(), out.end());
    return out;
}

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

const rocenv::Fs& remembered_machine(std::string_view asked) {
    struct Remembered {
        rocenv::SharedLog log;
        rocenv::Known known{log};
        std::unique_ptr<rocenv::Fs> fs;
    };
    static std::map<std::string, Remembered> machines;
    const std::string name(asked);
    auto& machine = machines[name];
    if (!machine.fs) {
        machine.fs = cached_fs(machine_fs(name), machine.known, "");
    }
    return *machine.fs;
}

std::unique_ptr<rocenv::MemoryFs> renamed_machine(
    std::string_view name, const std::vector<std::pair<std::string, std::string>>& words) {
    const std::string path = std::string(ROCENV_MACHINES_DIR) + "/" + std::string(name) + ".tree";
    std::ifstream file(path);
    std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
    for (const auto& [from, to] : words) {
        for (auto at = text.find(from); at != std::string::npos;
             at = text.find(from, at + to.size())) {
            text.replace(at, from.size(), to);
        }
    }
    auto tree = rocenv::parse_tree(path, text);
    if (!tree) {
        throw std::runtime_error(tree.error().text);
    }
    return std::move(tree).value();
}
