// SPDX-License-Identifier: MIT
#include "cli/help_command.h"

#include "cli/commands.h"
#include "manual/pages.h"
#include "manual/render.h"
#include "util/exit_status.h"
#include "util/text.h"
#include "variables/releases.h"

namespace rocenv {

namespace {

std::string listed(const std::vector<PageTitle>& titles) {
    std::string out;
    for (const auto& title : titles) {
        out += title.name + "." + number(title.section) + "\n";
    }
    return out;
}

std::string overview(const std::vector<PageTitle>& titles, Colour colour) {
    return render_titles_human(titles, colour) +
           "\nrocenv help PAGE prints one: rocenv help set, rocenv help profile.5. A setting, a\n"
           "variable and a profile are topics, too: rocenv help pci.acs.\n";
}

Output page_told(const Page& page, HelpFormat format, Colour colour) {
    switch (format) {
        case HelpFormat::human:
            return {exit_ok, render_page_human(page, colour), ""};
        case HelpFormat::mdoc:
            return page.title.section == 0
                       ? failure(exit_usage, page.title.name + " is part of a page and none")
                       : Output{exit_ok, render_page_mdoc(page, facts_date()), ""};
    }
    return {};
}

}  // namespace

Output run_help(const HelpOptions& options, const Process& process) {
    const Manual manual(options.commands);
    const Colour colour = colour_for(options.print.colour, process);
    if (options.list) {
        return {exit_ok, listed(manual.titles()), ""};
    }
    if (options.topics.empty()) {
        return options.print.format == HelpFormat::human
                   ? Output{exit_ok, overview(manual.titles(), colour), ""}
                   : failure(exit_usage, "--format mdoc is for one page; --list has their names");
    }
    // "profile show" is told on the page of its group.
    const auto page = manual.page(options.topics.front());
    if (!page) {
        return failure(exit_usage, page.error().text);
    }
    return page_told(*page, options.print.format, colour);
}

}  // namespace rocenv
