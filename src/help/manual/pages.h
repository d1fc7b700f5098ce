// SPDX-License-Identifier: MIT
// The pages of the manual, made of what the program knows: commands and their options, statuses,
// settings, variables, profiles and their keys; prose.h adds the rest. Reads no machine and no
// file.
#pragma once

#include <string>
#include <vector>

#include "help/manual/commands.h"
#include "help/manual/page.h"
#include "rocenv/result.h"

namespace rocenv {

// Returns the topic that a person types: "check" for "rocenv-check".
std::string topic_of(const PageTitle& title);

class Manual {
   public:
    explicit Manual(std::vector<CommandText> commands) : commands_(std::move(commands)) {}

    // In their order: the program, its commands, then the other sections.
    std::vector<PageTitle> titles() const;

    // A page by its topic: "check", "rocenv-check", "check.1", "rocenv-check(1)"; of several
    // sections the lowest. Else the id of a setting, or the name of a variable or a shipped
    // profile, which has a page of its own for a person alone. Errors: bad_input, with the nearest.
    Result<Page> page(const std::string& topic) const;

   private:
    Page made(const PageTitle& title) const;
    Page program_page(const PageTitle& title) const;
    Page command_page(const PageTitle& title) const;
    std::vector<std::string> topics() const;

    const std::vector<CommandText> commands_;
};

}  // namespace rocenv
