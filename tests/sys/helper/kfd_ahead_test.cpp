// SPDX-License-Identifier: MIT
#include "os/child/direct_run.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <filesystem>

#include "os/fd.h"
#include "support/catch.h"
#include "support/temp_folder.h"

namespace rocenv::kfd_ahead_test {

namespace {

const std::string topology = "sys/class/kfd/kfd/topology/";
const std::string generation = "/" + topology + "generation_id";

std::string properties_of(int node) {
    return topology + "nodes/" + std::to_string(node) + "/properties";
}

void put_nodes(const TempFolder& folder, int count, std::size_t extra = 0) {
    folder.put(topology + "generation_id", "4\n");
    for (int node = 0; node < count; ++node) {
        folder.put(properties_of(node),
                   "gpu " + std::to_string(node) + std::string(extra, 'x') + "\n");
    }
}

std::optional<KfdAhead> ahead_of(const TempFolder& folder, std::int64_t ms = 10000) {
    LeftBehind left;
    auto ahead = read_kfd_ahead(folder.path(), ms, left);
    CHECK(left.still().empty());
    CHECK(::waitpid(-1, nullptr, WNOHANG) == -1);
    return ahead;
}

}  // namespace

TEST_CASE("KFD ahead: what each file says, however long", "[direct]") {
    for (const std::size_t extra : {std::size_t{0}, std::size_t{3500}}) {
        const TempFolder folder;
        put_nodes(folder, 256, extra);
        const auto real = sysroot_fs(folder.path());
        const auto ahead = ahead_of(folder);
        REQUIRE(ahead);
        CHECK(*ahead->names == *(*real)->list(KfdAhead::nodes));
        REQUIRE(ahead->files.size() == 257);
        for (const auto& [path, answer] : ahead->files) {
            INFO(path);
            CHECK(*answer == *(*real)->read(path));
        }
    }
}

TEST_CASE("KFD ahead: what cannot be read is an answer, in the words of every file", "[direct]") {
    const TempFolder folder;
    const auto none = ahead_of(folder);
    REQUIRE(none);
    CHECK(none->names.error().err == ENOENT);
    put_nodes(folder, 3);
    std::filesystem::remove(folder.path(properties_of(0)));
    std::filesystem::remove(folder.path(properties_of(1)));
    std::filesystem::create_directory(folder.path(properties_of(1)));
    const auto ahead = ahead_of(folder);
    REQUIRE(ahead);
    const auto real = real_fs();
    for (int node = 0; node < 2; ++node) {
        const std::string path = "/" + properties_of(node);
        const auto& found = ahead->files.at(path);
        const auto expected = real->read(folder.path() + path);
        REQUIRE_FALSE(found.ok());
        CHECK(found.error().kind == expected.error().kind);
        CHECK(found.error().err == expected.error().err);
        CHECK(found.error().path == path);
        std::string text = expected.error().text;
        text.erase(text.find(folder.path()), folder.path().size());
        CHECK(found.error().text == text);
    }
    CHECK(ahead->files.at("/" + properties_of(2)).ok());
    std::filesystem::remove_all(folder.path(topology + "nodes"));
    folder.put(topology + "nodes", "");
    const auto no_folder = ahead_of(folder);
    REQUIRE(no_folder);
    CHECK(no_folder->names.error().err == ENOTDIR);
}

TEST_CASE("KFD ahead: a topology that changes, or is too large, is left to others", "[direct]") {
    const TempFolder folder;
    put_nodes(folder, 3);
    const std::string id = folder.path(generation.substr(1));
    std::filesystem::remove(id);
    REQUIRE(::mkfifo(id.c_str(), 0600) == 0);
    const Fd writer(::open(id.c_str(), O_RDWR | O_CLOEXEC));
    REQUIRE(::write(writer.get(), "4\n", 2) == 2);
    CHECK_FALSE(ahead_of(folder));  // a pipe loses the bytes that were read
    std::filesystem::remove(id);
    put_nodes(folder, 257);
    CHECK_FALSE(ahead_of(folder));
    const TempFolder long_one;
    put_nodes(long_one, 1, 4096);
    CHECK_FALSE(ahead_of(long_one));
}

TEST_CASE("KFD ahead: who has no time is not waited for, and leaves nobody", "[direct]") {
    const TempFolder folder;
    put_nodes(folder, 256, 3500);
    bool waited = true;
    for (int attempt = 0; waited && attempt < 20; ++attempt) {
        waited = ahead_of(folder, 0).has_value();  // it may be done before this process goes on
    }
    CHECK_FALSE(waited);
}

TEST_CASE("KFD ahead: who could not be ended at once may have gone meanwhile", "[direct]") {
    const pid_t gone = ::fork();
    if (gone == 0) {
        ::_exit(0);
    }
    siginfo_t ended{};
    REQUIRE(::waitid(P_PID, static_cast<id_t>(gone), &ended, WEXITED | WNOWAIT) == 0);
    CHECK(LeftBehind{gone, "is there"}.still().empty());
    CHECK(::waitpid(-1, nullptr, WNOHANG) == -1);
    const pid_t there = ::fork();
    if (there == 0) {
        ::pause();
        ::_exit(0);
    }
    CHECK(LeftBehind{there, "is there"}.still() == "is there");
    ::kill(there, SIGKILL);
    ::waitpid(there, nullptr, 0);
}

}  // namespace rocenv::kfd_ahead_test
