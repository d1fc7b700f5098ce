// SPDX-License-Identifier: MIT
// The fixture machines that tests/machines/make wrote, loaded into memory once.
#pragma once

#include <string_view>

#include "sys/fs/memory_fs.h"
#include "sys/helper/shared_log.h"

// Ends the test run when there is no such machine.
const rocenv::MemoryFs& machine_fs(std::string_view name);
