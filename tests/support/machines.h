// SPDX-License-Identifier: MIT
// The fixture machines that tests/machines/make wrote, loaded into memory once.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "os/child/shared_log.h"
#include "os/fs/memory_fs.h"

// Returns the names of all fixture machines, sorted.
std::vector<std::string> fixture_names();

// Ends the test run when there is no such machine.
const rocenv::MemoryFs& machine_fs(std::string_view name);

// The same for those who ask a thousand times and change nothing: each answer is sought once.
const rocenv::Fs& remembered_machine(std::string_view name);

// The same with words of its text replaced, as a machine whose devices are called otherwise.
std::unique_ptr<rocenv::MemoryFs> renamed_machine(
    std::string_view name, const std::vector<std::pair<std::string, std::string>>& words);
