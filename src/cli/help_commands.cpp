// SPDX-License-Identifier: MIT
// help and explain.
#include "cli/commands.h"

#include <algorithm>

#include "help/explain/explain.h"
#include "help/explain/render.h"
#include "help/manual/pages.h"
#include "help/manual/render.h"
#include "util/exit_status.h"
#include "util/near_names.h"
#include "util/text.h"
#include "variables/catalogue.h"

namespace rocenv {

namespace {

std::string listed(const std::vector<PageTitle>& titles) {
    std::string out;
    for (const auto& title : titles) {
        out += title.name + "." + number(title.section) + "\n";
    }
    return out;
}

Output overview_human(const std::vector<PageTitle>& titles, Screen screen) {
    return {
        exit_ok,
        render_titles_human(titles, screen) +
            "\nTo print a page: rocenv help set, rocenv help profile.5. Settings, variables and\n"
            "profiles are topics as well: rocenv help pci.acs.\n",
        ""};
}

Output page_human(const Page& page, Screen screen) {
    return {exit_ok, render_page_human(page, screen), ""};
}

Output page_mdoc(const Page& page, Screen /*screen*/) {
    return page.title.section == 0
               ? failure(exit_usage, page.title.name + " has no manual page of its own")
               : Output{exit_ok, render_page_mdoc(page, facts_date()), ""};
}

Output overview_mdoc(const std::vector<PageTitle>& /*titles*/, Screen /*screen*/) {
    return failure(exit_usage,
                   "--format mdoc needs a topic. To list all pages: rocenv help --list");
}

// mdoc is the source of a manual page.
constexpr HelpFormat help_formats[] = {
    {"human", ReadBy::person, page_human, overview_human},
    {"mdoc", ReadBy::program, page_mdoc, overview_mdoc},
};

// Returns the requested topics. "profile show" becomes the group alone, whose page contains the
// command.
std::vector<std::string> pages_asked(const HelpOptions& options) {
    std::vector<std::string> out;
    for (const auto& topic : options.topics) {
        const auto is_listed = [&](const CommandText& command) {
            return !out.empty() && command.name == out.back() + " " + topic;
        };
        if (std::none_of(options.commands.begin(), options.commands.end(), is_listed)) {
            out.push_back(topic);
        }
    }
    return out;
}

}  // namespace

template <>
std::span<const HelpFormat> formats() {
    return help_formats;
}

Output run_help(const HelpOptions& options, const Process& process) {
    const Manual manual(options.commands);
    const Screen screen = screen_for(options.print.colour, process);
    if (options.list) {
        return {exit_ok, listed(manual.titles()), ""};
    }
    if (options.topics.empty()) {
        return options.print.format->overview(manual.titles(), screen);
    }
    Output out;
    for (const auto& topic : pages_asked(options)) {
        const auto page = manual.page(topic);
        auto printed = page ? options.print.format->page(*page, screen)
                            : failure(exit_usage, page.error().text);
        if (printed.exit_code != exit_ok) {
            return printed;
        }
        out.out += printed.out;
    }
    return out;
}

namespace {

std::vector<std::string> unknown_lines(const std::vector<UnknownWord>& unknown) {
    std::vector<std::string> out;
    out.reserve(unknown.size());
    for (const auto& each : unknown) {
        const std::string word = in_quotes(each.word, 60);
        const bool names_it = each.says.find(word) != std::string::npos;
        out.push_back(names_it ? each.says : word + ": " + each.says);
    }
    return out;
}

std::string explain_json(const Explanations& found) {
    return render_explain_json(found, std::string(facts_date()));
}

constexpr ExplainFormat explain_formats[] = {
    {"human", ReadBy::person, render_explain_human},
    {"json", ReadBy::program, explain_json},
};

bool all_known(const Explanations& found) {
    return found.unknown.empty() &&
           std::none_of(found.all.begin(), found.all.end(), [](const Explanation& each) {
               const auto* profile = std::get_if<ProfileExplanation>(&each);
               return profile != nullptr && profile->is_bad;
           });
}

// Returns true if --set leaves no variable, which is a valid answer.
bool is_none_set(const Explanations& found, const ExplainOptions& options) {
    return options.request.only_set && found.all.empty() && found.unknown.empty();
}

}  // namespace

template <>
std::span<const ExplainFormat> formats() {
    return explain_formats;
}

Output run_explain(const ExplainOptions& options, const Fs& machine, const Fs& host,
                   const Process& process) {
    ExplainRequest request = options.request;
    request.many = options.print.verbose || options.print.format->reader == ReadBy::program
                       ? Many::whole
                       : Many::listed;
    Explanations found = explain(request, machine, host, process);
    Output output;
    output.err = error_lines(found.warnings) + error_lines(found.errors);
    if (!found.errors.empty()) {
        output.exit_code = exit_of_unread(found.timed_out);
        return output;
    }
    output.err += error_lines(unknown_lines(found.unknown));
    output.exit_code = all_known(found) ? exit_ok : exit_of_unread(found.timed_out);
    const bool quiet = options.print.quiet;
    if (!quiet && options.print.format->reader == ReadBy::person && is_none_set(found, options)) {
        found.notes.insert(found.notes.begin(), "none of these variables is set");
    }
    if (!quiet) {
        output.out = formatted(options.print, found, process);
    }
    return output;
}

}  // namespace rocenv
