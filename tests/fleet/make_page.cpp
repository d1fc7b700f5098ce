// SPDX-License-Identifier: MIT
// make_page NODES: prints the page of an example fleet; with 0 nodes the page is empty.
#include <unistd.h>

#include "fleet/example_fleet.h"
#include "fleet/print/render.h"
#include "util/text.h"

int main(int count, char** words) {
    const auto nodes = count == 2 ? rocenv::parse_number(words[1]) : std::nullopt;
    if (!nodes) {
        return 2;
    }
    const rocenv::ExampleFleet fleet(*nodes);
    std::string_view page;
    const std::string text =
        rocenv::render_fleet_html(*nodes == 0 ? rocenv::FleetResult{} : fleet.result);
    for (page = text; !page.empty();) {
        const ssize_t wrote = write(STDOUT_FILENO, page.data(), page.size());
        if (wrote <= 0) {
            return 1;
        }
        page.remove_prefix(static_cast<std::size_t>(wrote));
    }
    return 0;
}
