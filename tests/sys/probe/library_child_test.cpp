// SPDX-License-Identifier: MIT
#include "vendor/library_child.h"

#include <fcntl.h>
#include <unistd.h>

#include <csignal>

#include "os/child/shared_log.h"
#include "support/catch.h"

namespace library_child_test {

namespace {

using namespace rocenv;

constexpr double fair_seconds = 20;

TEST_CASE("What a library's child answers arrives", "[library_child][timed]") {
    const auto answer = ask_library("lib", fair_seconds,
                                    {[] {
                                         return Result(Fields{"1", ""});
                                     },
                                     {}});
    REQUIRE(answer);
    CHECK(*answer == Fields{"1", ""});
}

TEST_CASE("The error of a library's child is its own", "[library_child][timed]") {
    const auto answer =
        ask_library("lib", fair_seconds,
                    {[]() -> Result<Fields> {
                         return library_error("lib", ErrorKind::not_here, "is not installed");
                     },
                     [] { ::raise(SIGKILL); }});
    CHECK(answer.is(ErrorKind::not_here));
    CHECK(answer.error().text == "lib is not installed");
}

TEST_CASE("A library that crashes ends its child alone", "[library_child][timed]") {
    const auto killed = ask_library("lib", fair_seconds,
                                    {[] {
                                         ::raise(SIGKILL);
                                         return Result(Fields());
                                     },
                                     {}});
    CHECK(killed.is(ErrorKind::io));
    CHECK(killed.error().text == "lib ended its process: signal 9");
    const auto left =
        ask_library("lib", fair_seconds, {[]() -> Result<Fields> { ::_exit(0); }, {}});
    CHECK(left.error().text == "lib ended its process");
}

TEST_CASE("A library that does not answer is not waited for", "[library_child][timed]") {
    const auto answer = ask_library("lib", 0.1,
                                    {[] {
                                         ::pause();
                                         return Result(Fields());
                                     },
                                     {}});
    CHECK(answer.is(ErrorKind::timed_out));
    CHECK(answer.error().text == "lib did not answer in 0.1 s");
}

TEST_CASE("A library that fails or hangs at its end has answered", "[library_child][timed]") {
    const auto crashed = ask_library(
        "lib", fair_seconds, {[] { return Result(Fields{"done"}); }, [] { ::raise(SIGKILL); }});
    CHECK((crashed && *crashed == Fields{"done"}));
    const auto start = now_ms();
    const auto hung = ask_library("lib", fair_seconds,
                                  {[] { return Result(Fields{"done"}); }, [] { ::pause(); }});
    CHECK((hung && *hung == Fields{"done"}));
    CHECK(now_ms() - start < static_cast<std::int64_t>(fair_seconds * 1000));
}

}  // namespace

}  // namespace library_child_test
