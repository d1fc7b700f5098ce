// SPDX-License-Identifier: MIT
// Where the report of a check goes, and what stands in its place where there is none.
#pragma once

#include "cli/options.h"
#include "os/child/supervise.h"
#include "os/fs/write_file.h"

namespace rocenv {

// Moves what was for stdout to the file, if one is named; without any the file is left as it is.
// A file that cannot be written is told, 3; one that will not be replaced is bad usage, 2.
Output to_file(const std::string& path, const PrintOptions& options, FileReaders readers,
               Output output);

// The same of a check, whose verdict stays the status where the file cannot be written. With
// --format nagios a check that came to no report is a line, too, and 3.
Output check_delivered(const CheckOptions& options, Output output);

// Of words that could not be understood: the same where they ask for --format nagios.
Output misuse_delivered(int argc, const char* const* argv, Output output);

}  // namespace rocenv
