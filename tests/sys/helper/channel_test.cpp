// SPDX-License-Identifier: MIT
#include "os/child/child_process.h"

#include <sys/socket.h>

#include <cerrno>
#include <utility>

#include "support/catch.h"

namespace channel_test {

namespace {

using namespace rocenv;

std::pair<Channel, Channel> channel_pair() {
    int ends[2];
    REQUIRE(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) == 0);
    return {Channel(Fd(ends[0])), Channel(Fd(ends[1]))};
}

Result<Fields> sent_and_received(const Result<Fields>& result) {
    auto [here, there] = channel_pair();
    REQUIRE(send_result(here, result));
    Fields message;
    REQUIRE(there.receive(message, 0) == Channel::Got::message);
    return result_in(std::move(message), "the other end");
}

TEST_CASE("A value arrives field by field, whatever they hold", "[channel]") {
    for (const Fields& fields :
         {Fields{}, Fields{""}, Fields{"", ""}, Fields{"7", "2", "path", "text"},
          Fields{std::string("a\0\n\xff", 4), std::string(100000, 'x')}}) {
        const auto arrived = sent_and_received(fields);
        REQUIRE(arrived);
        CHECK(*arrived == fields);
    }
}

TEST_CASE("An error arrives with all it says", "[channel]") {
    const auto arrived = sent_and_received(
        Error{ErrorKind::not_permitted, EACCES, "/sys/x", "cannot read /sys/x: EACCES"});
    REQUIRE_FALSE(arrived);
    CHECK(arrived.is(ErrorKind::not_permitted));
    CHECK(arrived.error().err == EACCES);
    CHECK(arrived.error().path == "/sys/x");
    CHECK(arrived.error().text == "cannot read /sys/x: EACCES");
}

TEST_CASE("A message that is no result names who sent it", "[channel]") {
    for (const Fields& message : {Fields{}, Fields{"6"}, Fields{"6", "5", "path"},
                                  Fields{"x", "5", "path", "text"}, Fields{"6", "", "", ""}}) {
        const auto result = result_in(message, "hwloc");
        CHECK(result.is(ErrorKind::io));
        CHECK(result.error().text == "hwloc gave no whole answer");
    }
}

TEST_CASE("Nobody is there to read a result", "[channel]") {
    auto [here, there] = channel_pair();
    there = Channel();
    CHECK_FALSE(send_result(here, Fields{"value"}));
}

}  // namespace

}  // namespace channel_test
