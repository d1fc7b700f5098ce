// SPDX-License-Identifier: MIT
// Texts that tests/report/test_schema.sh validates, made by unit tests; UPDATE=1 rewrites them.
#pragma once

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>

inline bool is_sample(const std::string& name, const std::string& text) {
    const std::string path = std::string(ROCENV_SOURCE_DIR) + "/tests/report/" + name;
    if (std::getenv("UPDATE") != nullptr) {
        std::ofstream(path) << text;
    }
    std::ifstream file(path);
    return text == std::string(std::istreambuf_iterator<char>(file), {});
}
