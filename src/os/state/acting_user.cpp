// SPDX-License-Identifier: MIT
#include "os/state/acting_user.h"

#include <grp.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <vector>

#include "util/text.h"

namespace rocenv {

struct ActingUser::Former {
    std::vector<gid_t> groups;
    gid_t group;
};

namespace {

Error cannot(const std::string& folder, uid_t user, int err) {
    return {ErrorKind::not_permitted, err, folder,
            "cannot switch to user " + number(user) + ", the owner of " + printable(folder) + ": " +
                errno_text(err)};
}

std::vector<gid_t> groups_of_this() {
    const int count = ::getgroups(0, nullptr);
    std::vector<gid_t> groups(static_cast<std::size_t>(count < 0 ? 0 : count));
    const int got = ::getgroups(static_cast<int>(groups.size()), groups.data());
    groups.resize(static_cast<std::size_t>(got < 0 ? 0 : got));
    return groups;
}

}  // namespace

Result<std::unique_ptr<ActingUser>> ActingUser::owner_of(const std::string& folder) {
    std::unique_ptr<ActingUser> out(new ActingUser());
    struct stat status {};
    const bool foreign = ::stat(folder.c_str(), &status) == 0 && status.st_uid != 0;
    if (!foreign || ::geteuid() != 0) {
        return out;
    }
    auto former = std::make_unique<Former>(Former{groups_of_this(), ::getegid()});
    const gid_t group = status.st_gid != 0 ? status.st_gid : static_cast<gid_t>(status.st_uid);
    if (::setgroups(1, &group) != 0) {
        return cannot(folder, status.st_uid, errno);
    }
    out->former_ = std::move(former);  // from here on the way back is the destructor's
    if (::setegid(group) != 0 || ::seteuid(status.st_uid) != 0) {
        return cannot(folder, status.st_uid, errno);
    }
    return out;
}

ActingUser::~ActingUser() {
    if (!former_) {
        return;
    }
    // Whoever cannot become root again must not go on as something between.
    if (::seteuid(0) != 0 || ::setegid(former_->group) != 0 ||
        ::setgroups(former_->groups.size(), former_->groups.data()) != 0) {
        std::abort();
    }
}

}  // namespace rocenv
