// SPDX-License-Identifier: MIT
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "os/fs/input_files.h"
#include "support/catch.h"
#include "support/temp_folder.h"

namespace named_pipe_test {

using namespace rocenv;

TEST_CASE("A named pipe without a writer is waited for so long and no longer", "[fs]") {
    const TempFolder folder;
    const std::string pipe = folder.path() + "/p.json";
    REQUIRE(::mkfifo(pipe.c_str(), 0600) == 0);
    std::chrono::milliseconds wait{30};
    const auto opened = InputStream::open(pipe, wait);
    REQUIRE(!opened);
    CHECK(opened.error().kind == ErrorKind::timed_out);
    CHECK(wait.count() == 0);
}

TEST_CASE("What a writer brought to a named pipe is read", "[fs]") {
    const TempFolder folder;
    const std::string pipe = folder.path() + "/p.json";
    REQUIRE(::mkfifo(pipe.c_str(), 0600) == 0);
    const Fd both(::open(pipe.c_str(), O_RDWR | O_CLOEXEC));
    REQUIRE(::write(both.get(), "{}", 2) == 2);
    std::chrono::milliseconds wait{1000};
    auto opened = InputStream::open(pipe, wait);
    REQUIRE(opened);
    std::string text;
    REQUIRE(opened.value().read(text, 2));
    CHECK(text == "{}");
}

}  // namespace named_pipe_test
