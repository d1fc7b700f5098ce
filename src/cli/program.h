// SPDX-License-Identifier: MIT
#pragma once

namespace rocenv {

// The whole program: parses, dispatches, prints, and gives the exit status. Never throws.
int run(int argc, const char* const* argv) noexcept;

}  // namespace rocenv
