// SPDX-License-Identifier: MIT
#include "os/state/state_folder.h"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>

#include "support/temp_folder.h"
#include "transaction/journal/journal.h"

namespace run_lock_test {

namespace {

using namespace rocenv;

Fd folder_of(const TempFolder& folder) {
    return Fd(::open(folder.path().c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
}

TEST_CASE("alive file: a hold lives as long as its lock", "[alive_file]") {
    const TempFolder folder;
    const Fd fd = folder_of(folder);
    auto hold = new_run_hold(fd.get(), folder.path());
    REQUIRE(hold.ok());
    RunHold mine = std::move(hold).value();
    CHECK(is_run_hold(mine.name));
    CHECK(folder.names("").size() == 1);
    CHECK(folder.mode(folder.names("").front()) == 0644);
    CHECK_FALSE(is_known_dead(fd.get(), mine.name));
    remove_stale_holds(fd.get(), {});
    CHECK(folder.names("").size() == 1);
    mine.alive.close();
    CHECK(is_known_dead(fd.get(), mine.name));
    remove_stale_holds(fd.get(), {"job", mine.name});
    CHECK(folder.names("").size() == 1);
    remove_stale_holds(fd.get(), {"job"});
    CHECK(folder.names("").empty());
    CHECK(is_known_dead(fd.get(), mine.name));  // without a file, too
}

TEST_CASE("alive file: what a run starts does not keep it alive, and readers cannot",
          "[alive_file]") {
    const TempFolder folder;
    const Fd fd = folder_of(folder);
    const int flags = ::fcntl(new_run_hold(fd.get(), "x")->alive.get(), F_GETFD);
    CHECK((flags & FD_CLOEXEC) != 0);
    remove_stale_holds(fd.get(), {});
    RunHold hold = std::move(new_run_hold(fd.get(), folder.path())).value();
    const Fd reader(
        ::open(folder.path(folder.names("").front()).c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC));
    hold.alive.close();
    struct flock shared {};
    shared.l_type = F_RDLCK;
    REQUIRE(::fcntl(reader.get(), F_OFD_SETLK, &shared) == 0);
    CHECK(is_known_dead(fd.get(), hold.name));
    struct flock exclusive {};
    exclusive.l_type = F_WRLCK;
    CHECK(::fcntl(reader.get(), F_OFD_SETLK, &exclusive) != 0);
}

TEST_CASE("alive file: seen by another process, also when it was killed", "[alive_file]") {
    const TempFolder folder;
    const Fd fd = folder_of(folder);
    int pipe[2];
    REQUIRE(::pipe(pipe) == 0);
    const pid_t child = ::fork();
    if (child == 0) {
        const auto hold = new_run_hold(fd.get(), "x");
        const bool sent = hold && ::write(pipe[1], hold->name.data(), hold->name.size()) > 0;
        ::pause();
        ::_exit(sent ? 0 : 1);
    }
    char name[64]{};
    REQUIRE(::read(pipe[0], name, sizeof name - 1) > 0);
    CHECK_FALSE(is_known_dead(fd.get(), name));
    ::kill(child, SIGKILL);
    ::waitpid(child, nullptr, 0);
    CHECK(is_known_dead(fd.get(), name));
    ::close(pipe[0]);
    ::close(pipe[1]);
}

TEST_CASE("alive file: names that are none, and what cannot be told", "[alive_file]") {
    const TempFolder folder;
    const Fd fd = folder_of(folder);
    for (const char* name : {"", "job", "run/", "run/../../etc/passwd", "run/4711.x"}) {
        CHECK_FALSE(is_known_dead(fd.get(), name));
    }
    CHECK_FALSE(is_known_dead(-1, "run/1-00000001"));
    folder.put("elsewhere", "");
    folder.link("run-1-00000001.alive", folder.path("elsewhere"));
    CHECK_FALSE(is_known_dead(fd.get(), "run/1-00000001"));
    remove_stale_holds(fd.get(), {});
    CHECK(folder.names("").size() == 2);  // a stranger's, left alone
    CHECK_FALSE(new_run_hold(-1, folder.path()).ok());
}

}  // namespace

}  // namespace run_lock_test
