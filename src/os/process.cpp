// SPDX-License-Identifier: MIT
#include "rocenv/process.h"

#include <sys/ioctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <chrono>
#include <ctime>
#include <string_view>

#include "util/text.h"

namespace rocenv {

namespace {

std::optional<std::uint64_t> soft_limit(__rlimit_resource resource) {
    rlimit limit{};
    if (::getrlimit(resource, &limit) != 0) {
        return std::nullopt;
    }
    return limit.rlim_cur == RLIM_INFINITY ? unlimited : std::uint64_t{limit.rlim_cur};
}

}  // namespace

Process calling_process() {
    Process self;
    for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry) {
        const std::string_view text(*entry);
        const auto equals = text.find('=');
        if (equals != std::string_view::npos) {
            // getenv(3) returns the first of two equal names, and so does emplace
            self.environment.emplace(text.substr(0, equals), text.substr(equals + 1));
        }
    }
    self.is_root = ::geteuid() == 0;
    const auto sudo_uid = self.variable("SUDO_UID");
    self.through_sudo = self.is_root && sudo_uid && *sudo_uid != "0";
    self.memlock = soft_limit(RLIMIT_MEMLOCK);
    self.nofile = soft_limit(RLIMIT_NOFILE);
    self.nproc = soft_limit(RLIMIT_NPROC);
    self.stack = soft_limit(RLIMIT_STACK);
    self.prints_to_terminal = ::isatty(STDOUT_FILENO) == 1;
    self.terminal_columns = self.prints_to_terminal ? columns_of_terminal(STDOUT_FILENO) : 0;
    return self;
}

std::size_t columns_of_terminal(int descriptor) {
    winsize size{};
    return ::ioctl(descriptor, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

// Formats without strftime(3), which reads the time zone: TZ may name a file that never responds.
std::string report_time(const Process& process) {
    constexpr std::int64_t end_of_9999 = 253402300799;
    std::int64_t seconds = ::time(nullptr);
    if (const auto fixed = process.variable("SOURCE_DATE_EPOCH")) {
        seconds = parse_signed(*fixed).value_or(seconds);
    }
    if (seconds < 0 || seconds > end_of_9999) {
        return "1970-01-01T00:00:00Z";
    }
    const std::chrono::sys_seconds now{std::chrono::seconds(seconds)};
    const auto day = std::chrono::floor<std::chrono::days>(now);
    const std::chrono::year_month_day date(day);
    const std::chrono::hh_mm_ss clock(now - day);
    const auto two = [](auto value) {
        return (value < 10 ? "0" : "") + number(static_cast<std::uint64_t>(value));
    };
    const auto year = number(static_cast<std::uint64_t>(static_cast<int>(date.year())));
    return year + "-" + two(static_cast<unsigned>(date.month())) + "-" +
           two(static_cast<unsigned>(date.day())) + "T" + two(clock.hours().count()) + ":" +
           two(clock.minutes().count()) + ":" + two(clock.seconds().count()) + "Z";
}

}  // namespace rocenv
