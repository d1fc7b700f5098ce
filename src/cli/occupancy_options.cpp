// SPDX-License-Identifier: MIT
#include "cli/occupancy_options.h"

#include "cli/option_tree.h"

namespace rocenv {

namespace {

const char* const footer =
    "What an option says wins over what a file says.\n"
    "Exit: 0 known, 2 bad usage or input, 3 nothing could be known.\n";

}  // namespace

void add_occupancy_options(CommandOptions& command, OccupancyOptions& into) {
    command.text("--arch", into.arch, "GFX", "For this GPU (the file's, else this node's)");
    command.list("--asm", into.assembly, "FILE", "Every kernel of AMDGCN assembly or its metadata");
    command.list("--triton", into.triton, "DIR", "Every kernel of a Triton cache or dump");
    command.whole_number("--vgprs", into.vgprs, "N", "Vector registers (0)");
    command.whole_number("--agprs", into.agprs, "N", "Accumulation registers (0)");
    command.whole_number("--sgprs", into.sgprs, "N", "Scalar registers (0)");
    command.whole_number("--lds", into.lds, "BYTES", "LDS of a work-group, at launch (0)");
    command.whole_number("--waves", into.waves, "N", "Waves of a work-group (1)");
    command.whole_number("--grid", into.grid, "N", "Work-groups of the launch");
    command.footer(footer);
}

}  // namespace rocenv
