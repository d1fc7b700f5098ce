// SPDX-License-Identifier: MIT
// make_schemas FOLDER: writes the JSON Schemas of all JSON that rocenv prints,
// FOLDER/NAME.schema.json each.
#include <fstream>
#include <iostream>
#include <string>

#include "cli/commands.h"
#include "commands/occupancy/occupancy.h"
#include "commands/topology/topology.h"
#include "commands/tunableop/tunable.h"
#include "fleet/print/render.h"
#include "help/explain/render.h"
#include "profile/profile_diff.h"
#include "report/render.h"

namespace {

struct Schema {
    const char* name;
    std::string (*text)();
};

constexpr Schema schemas[] = {
    {"explain", rocenv::explain_schema},
    {"fleet", rocenv::fleet_schema},
    {"occupancy", rocenv::occupancy_schema},
    {"profile_diff", rocenv::profile_diff_schema},
    {"profile_list", rocenv::profile_list_schema},
    {"profile_show", rocenv::profile_show_schema},
    {"report", rocenv::report_schema},
    {"status", rocenv::status_schema},
    {"topo", rocenv::topology_schema},
    {"tunableop_check", rocenv::tunable_check_schema},
    {"tunableop_show", rocenv::tunable_show_schema},
};

}  // namespace

int main(int argc, char** argv) {
    if (argc != 2) {
        std::cerr << "usage: make_schemas FOLDER\n";
        return 2;
    }
    for (const auto& [name, text] : schemas) {
        const std::string path = std::string(argv[1]) + "/" + name + ".schema.json";
        std::ofstream file(path, std::ios::binary);
        if (!(file << text()).flush()) {
            std::cerr << path << ": could not be written\n";
            return 1;
        }
    }
    return 0;
}
