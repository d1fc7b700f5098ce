// SPDX-License-Identifier: MIT
#include "cli/help_command.h"

#include <algorithm>

#include "cli/commands.h"
#include "help/manual/pages.h"
#include "help/manual/render.h"
#include "util/exit_status.h"
#include "util/text.h"
#include "variables/releases/releases.h"

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

// Every topic, but of "profile show" the group alone, on whose page the command is told.
std::vector<std::string> pages_asked(const HelpOptions& options) {
    std::vector<std::string> out;
    for (const auto& topic : options.topics) {
        const auto is_told = [&](const CommandText& command) {
            return !out.empty() && command.name == out.back() + " " + topic;
        };
        if (std::none_of(options.commands.begin(), options.commands.end(), is_told)) {
            out.push_back(topic);
        }
    }
    return out;
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
    Output out;
    for (const auto& topic : pages_asked(options)) {
        const auto page = manual.page(topic);
        auto told = page ? page_told(*page, options.print.format, colour)
                         : failure(exit_usage, page.error().text);
        if (told.exit_code != exit_ok) {
            return told;
        }
        out.out += told.out;
    }
    return out;
}

}  // namespace rocenv
