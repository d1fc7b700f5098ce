// SPDX-License-Identifier: MIT
// Root in somebody else's folder acts as that somebody: whatever his files, links and modes make of
// a write, it gains him nothing that he could not do himself.
#pragma once

#include <memory>
#include <string>

#include "rocenv/result.h"

namespace rocenv {

class ActingUser {
   public:
    // As long as the object lives, the effective user and group of this process are those that
    // `folder` belongs to, and it is in no other group. Nothing changes where the caller is not
    // root, or the folder is root's. A group 0 is not taken over: then the group has the user's
    // number. A folder that is not there changes nothing. Error: not_permitted where the kernel
    // refuses the change.
    static Result<std::unique_ptr<ActingUser>> owner_of(const std::string& folder);
    ~ActingUser();
    ActingUser(const ActingUser&) = delete;
    ActingUser& operator=(const ActingUser&) = delete;

   private:
    ActingUser() = default;
    struct Former;
    std::unique_ptr<Former> former_;  // nothing: nothing was changed
};

}  // namespace rocenv
