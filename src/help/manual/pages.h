// SPDX-License-Identifier: MIT
// The pages of the manual, made from the program's data: commands and their options, statuses,
// settings, variables, profiles and their keys. prose.h adds the rest. Reads neither a machine nor
// a file.
#pragma once

#include <string>
#include <vector>

#include "help/manual/commands.h"
#include "help/manual/page.h"
#include "rocenv/result.h"

namespace rocenv {

// Returns the topic that a person types: "check" for "rocenv-check", "rocenv" for the program.
std::string topic_of(const PageTitle& title);

// All pages.
class Manual {
   public:
    explicit Manual(std::vector<CommandText> commands) : commands_(std::move(commands)) {}

    // Returns the titles in their order: the program, its commands, then the other sections.
    std::vector<PageTitle> titles() const;

    // Returns a page by its topic: "check", "rocenv-check", "check.1", "rocenv-check(1)"; without a
    // section the lowest one. Other topics are the id of a setting, and the name of a variable or a
    // shipped profile, whose pages have section 0 and are for people only. Fails with bad_input and
    // the nearest topic.
    Result<Page> page(const std::string& topic) const;

   private:
    Page made(const PageTitle& title) const;
    Page program_page(const PageTitle& title) const;
    Page command_page(const PageTitle& title) const;
    std::vector<std::string> topics() const;

    const std::vector<CommandText> commands_;
};

}  // namespace rocenv
