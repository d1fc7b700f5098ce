// SPDX-License-Identifier: MIT
// Writes a file of the caller's, whole or not at all.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "rocenv/result.h"

namespace rocenv {

// Who may read a new file: whom the umask lets, or its owner alone.
enum class FileReaders { by_umask, owner };

// Writes beside it and renames, so that a reader sees the old content or the new one. What is there
// already must be a regular file: a device or a link is not replaced. Its mode stays, and where the
// caller may give it away, its owner; set-id bits go. What is for its owner alone does not replace
// somebody else's file.
std::optional<Error> write_file(const std::string& path, std::string_view content,
                                FileReaders readers = FileReaders::by_umask);

}  // namespace rocenv
