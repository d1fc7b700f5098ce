// SPDX-License-Identifier: MIT
// The page of a fleet: fleet.html with the result as data in it, which fleet.js shows.
#include "fleet/print/fleet_page.h"
#include "fleet/print/page_writer.h"
#include "fleet/print/render.h"
#include "print/script_text.h"

namespace rocenv {

std::string render_fleet_html(const FleetResult& fleet) {
    PageWriter data;
    data.json.open_object();
    write_comparison(data, fleet);
    write_reports(data, fleet);
    data.json.close_object();
    std::string page(fleet_page_start);
    page += script_text(data.json.finish());
    page += fleet_page_end;
    return page;
}

}  // namespace rocenv
