// SPDX-License-Identifier: MIT
#include "os/state/state_folder.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <vector>

#include "support/skip.h"
#include "support/small_mount.h"
#include "support/temp_folder.h"
#include "transaction/journal/journal.h"

namespace state_folder_test {

namespace {

using namespace rocenv;
using Mode = StateFolder::Mode;

Result<std::unique_ptr<StateFolder>> open_state(const TempFolder& folder, Mode mode = Mode::write) {
    return StateFolder::open(std::nullopt, folder.path("state"), mode);
}

std::unique_ptr<StateFolder> opened(const TempFolder& folder, Mode mode = Mode::write) {
    auto state = open_state(folder, mode);
    REQUIRE(state.ok());
    return std::move(state).value();
}

TEST_CASE("state folder: text is added, cut, read and discarded") {
    const TempFolder folder;
    const mode_t before = ::umask(0077);
    const auto state = opened(folder);
    CHECK(text_of(*state).is(ErrorKind::not_here));
    CHECK_FALSE(state->append("one\n"));
    CHECK_FALSE(state->append("two\ntorn"));
    ::umask(before);
    CHECK(*text_of(*state) == "one\ntwo\ntorn");
    CHECK_FALSE(state->cut(8));
    CHECK(*text_of(*state) == "one\ntwo\n");
    CHECK(folder.mode("state") == 0755);
    CHECK(folder.mode("state/journal") == 0644);
    CHECK(*text_of(*opened(folder, Mode::inspect)) == "one\ntwo\n");
    CHECK_FALSE(state->discard());
    CHECK_FALSE(state->discard());
    CHECK(text_of(*state).is(ErrorKind::not_here));
    CHECK(folder.names("state").empty());
}

TEST_CASE("state folder: looking makes nothing") {
    const TempFolder folder;
    const auto state = opened(folder, Mode::inspect);
    CHECK(text_of(*state).is(ErrorKind::not_here));
    CHECK(state->append("x")->kind == ErrorKind::not_here);
    CHECK(state->lock(0, {}, {}).is(ErrorKind::not_here));
    CHECK_FALSE(state->discard());
    CHECK(folder.names("").empty());
}

TEST_CASE("state folder: in a sysroot it is DIR/run/rocenv") {
    const TempFolder folder;
    std::filesystem::create_directories(folder.path("in/sys"));
    auto state = StateFolder::open(folder.path("in"), std::nullopt, Mode::write);
    REQUIRE(state.ok());
    CHECK_FALSE((*state)->append("x\n"));
    CHECK(folder.get("in/run/rocenv/journal") == "x\n");
    CHECK((*state)->name() == folder.path("in/run/rocenv"));
    const auto nowhere = StateFolder::open(folder.path("none"), std::nullopt, Mode::inspect);
    CHECK(nowhere.is(ErrorKind::bad_input));
}

TEST_CASE("state folder: links on the way are refused, by name") {
    const TempFolder folder;
    std::filesystem::create_directories(folder.path("outside/rocenv"));
    std::filesystem::create_directories(folder.path("in"));
    folder.link("state", "outside");
    folder.link("in/run", folder.path("outside"));
    const auto mode = GENERATE(Mode::inspect, Mode::write);
    const auto state = open_state(folder, mode);
    REQUIRE(state.is(ErrorKind::bad_input));
    CHECK(state.error().text == "will not keep files in " + folder.path("state") +
                                    ": a symbolic link or no folder is on the way");
    const auto sysroot = StateFolder::open(folder.path("in"), std::nullopt, mode);
    REQUIRE(sysroot.is(ErrorKind::bad_input));
    CHECK(sysroot.error().path == folder.path("in/run/rocenv"));
    CHECK(StateFolder::open(std::nullopt, folder.path("state/rocenv"), mode)
              .is(ErrorKind::bad_input));
}

TEST_CASE("state folder: a folder that others may change is refused for writing") {
    const TempFolder folder;
    std::filesystem::create_directories(folder.path("state"));
    SECTION("group may write") {
        REQUIRE(::chmod(folder.path("state").c_str(), 0775) == 0);
        CHECK(open_state(folder).error().text ==
              "will not keep files in " + folder.path("state") +
                  ": it can be written to by its group or others");
    }
    SECTION("others may write") {
        REQUIRE(::chmod(folder.path("state").c_str(), 0757) == 0);
        CHECK(open_state(folder).is(ErrorKind::bad_input));
    }
    SECTION("somebody else's") {
        if (::geteuid() != 0) {
            say_skipped("only root can give a folder away");
            return;
        }
        REQUIRE(::chown(folder.path("state").c_str(), 12345, 0) == 0);
        CHECK(open_state(folder).error().text ==
              "will not keep files in " + folder.path("state") + ": it belongs to user 12345");
    }
    CHECK(open_state(folder, Mode::inspect).ok());
}

TEST_CASE("state folder: a journal that is a link, a FIFO or has two names is refused") {
    const TempFolder folder;
    folder.put("other", "other\n");
    const auto state = opened(folder);
    SECTION("symbolic link") {
        folder.link("state/journal", folder.path("other"));
        CHECK(text_of(*state).is(ErrorKind::bad_input));
    }
    SECTION("hard link") {
        std::filesystem::create_hard_link(folder.path("other"), folder.path("state/journal"));
        CHECK(state->cut(0)->kind == ErrorKind::bad_input);
    }
    SECTION("FIFO") {
        REQUIRE(::mkfifo(folder.path("state/journal").c_str(), 0600) == 0);
        CHECK(text_of(*state).is(ErrorKind::bad_input));
    }
    SECTION("a folder") {
        std::filesystem::create_directories(folder.path("state/journal"));
        CHECK(text_of(*state).is(ErrorKind::bad_input));
    }
    CHECK(state->append("x\n"));
    CHECK(folder.get("other") == "other\n");
}

TEST_CASE("state folder: of a record for which there is no room nothing stays") {
    const TempFolder folder;
    const bool first = GENERATE(true, false);
    if (!first) {
        REQUIRE_FALSE(opened(folder)->append("old\n"));
    }
    const pid_t child = ::fork();
    if (child == 0) {
        auto state = open_state(folder);
        std::signal(SIGXFSZ, SIG_IGN);
        const rlimit little{8, 8};
        ::setrlimit(RLIMIT_FSIZE, &little);
        const auto error = (*state)->append("a longer record\n");
        ::_exit(error && error->err == EFBIG ? 0 : 1);
    }
    int status = -1;
    REQUIRE(::waitpid(child, &status, 0) == child);
    CHECK(status == 0);
    const auto now = text_of(*opened(folder));
    CHECK((first ? now.is(ErrorKind::not_here) : now.ok() && *now == "old\n"));
}

TEST_CASE("state folder: on a full disk the journal stays as it was") {
    const TempFolder folder;
    std::filesystem::create_directories(folder.path("state"));
    CHECK(right_on_small_mount(folder.path("state"), [&] {
        const auto state = opened(folder);
        const std::string large(40000, 'x');
        const auto first = state->append(large);
        const bool nothing =
            first && first->err == ENOSPC && text_of(*state).is(ErrorKind::not_here);
        const bool room = !state->append("old\n");
        const auto second = state->append(large);
        return nothing && room && second && second->err == ENOSPC && *text_of(*state) == "old\n";
    }));
}

// A process that holds the lock until it is killed.
class LockHolder {
   public:
    explicit LockHolder(const TempFolder& folder) {
        int ready[2];
        REQUIRE(::pipe(ready) == 0);
        child_ = ::fork();
        if (child_ == 0) {
            auto state = open_state(folder);
            const auto lock = (*state)->lock(1, {"alice", "set \x1b[31mfast"}, {});
            const char done = lock ? 'y' : 'n';
            [[maybe_unused]] const auto written = ::write(ready[1], &done, 1);
            for (;;) {
                ::pause();
            }
        }
        char done = 'n';
        REQUIRE(::read(ready[0], &done, 1) == 1);
        REQUIRE(done == 'y');
        ::close(ready[0]);
        ::close(ready[1]);
    }
    ~LockHolder() { end(); }
    LockHolder(const LockHolder&) = delete;
    LockHolder& operator=(const LockHolder&) = delete;

    void end() {
        if (child_ > 0) {
            ::kill(child_, SIGKILL);
            ::waitpid(child_, nullptr, 0);
            child_ = -1;
        }
    }
    std::string shown() const { return std::to_string(child_) + " alice set \\x1b[31mfast"; }

   private:
    pid_t child_ = -1;
};

TEST_CASE("state folder: who holds the lock is named, and gives it back by dying") {
    const TempFolder folder;
    LockHolder holder(folder);
    const auto state = opened(folder);
    std::vector<std::string> holders;
    const auto collect = [&](const std::string& shown, std::int64_t) { holders.push_back(shown); };
    const auto late = state->lock(0.2, {"bob", "reset"}, collect);
    REQUIRE(late.is(ErrorKind::timed_out));
    CHECK(late.error().text == folder.path("state/lock") + " is held by " + holder.shown());
    CHECK(holders.size() > 1);
    CHECK(std::all_of(holders.begin(), holders.end(),
                      [&](const std::string& shown) { return shown == holder.shown(); }));
    holders.clear();
    const auto ended = state->lock(5, {"bob", "reset"}, {}, [] { return true; });
    CHECK(ended.error().err == EINTR);
    CHECK(ended.error().text == "the wait for " + folder.path("state/lock") + ", held by " +
                                    holder.shown() + ", was ended by a signal");
    holder.end();
    const auto lock = state->lock(1, {"bob", "reset"}, collect);
    REQUIRE(lock.ok());
    CHECK(holders.empty());
    CHECK(folder.get("state/lock") == std::to_string(::getpid()) + " bob reset\n");
    CHECK(folder.mode("state/lock") == 0600);
}

TEST_CASE("state folder: who signed the lock earlier is not named for who holds it now") {
    const TempFolder folder;
    const auto state = opened(folder);
    REQUIRE(state->lock(1, {"alice", "set"}, {}).ok());
    REQUIRE(folder.get("state/lock").ends_with(" alice set\n"));
    folder.put("state/lock", "1 alice set\n");
    const int lock = ::open(folder.path("state/lock").c_str(), O_RDONLY | O_CLOEXEC);
    REQUIRE(::flock(lock, LOCK_EX) == 0);
    const auto late = state->lock(0, {"bob", "reset"}, {});
    ::close(lock);
    REQUIRE(late.is(ErrorKind::timed_out));
    CHECK(late.error().text ==
          folder.path("state/lock") + " is held by process " + std::to_string(::getpid()));
}

TEST_CASE("state folder: the lock is free again when what holds it is closed") {
    const TempFolder folder;
    const auto state = opened(folder);
    auto first = state->lock(0, {"a", "x"}, {});
    REQUIRE(first.ok());
    CHECK(opened(folder)->lock(0, {"b", "y"}, {}).is(ErrorKind::timed_out));
    first.value().close();
    CHECK(opened(folder)->lock(0, {"b", "y"}, {}).ok());
}

TEST_CASE("state folder: whoever only looks sees that somebody had the lock meanwhile") {
    const TempFolder folder;
    const auto state = opened(folder);
    (void)state->lock(0, {"a", "x"}, {});
    const auto before = state->generation();
    CHECK(state->generation() == before);
    ::usleep(20'000);  // file times are no finer than this on some kernels
    (void)opened(folder)->lock(0, {"a", "x"}, {});
    CHECK(state->generation() != before);
}

}  // namespace

}  // namespace state_folder_test
