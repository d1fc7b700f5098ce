// SPDX-License-Identifier: MIT
// Messages between a helper and its caller: a few strings each, over one end of a socketpair(2).
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sys/fd.h"

namespace rocenv {

class Channel {
   public:
    Channel() = default;
    explicit Channel(Fd end) : end_(std::move(end)) {}

    int fd() const { return end_.get(); }
    explicit operator bool() const { return static_cast<bool>(end_); }

    // False when nobody is there to read it.
    bool send(std::span<const std::string_view> fields);

    enum class Got { message, closed, timed_out };
    // The next message, waited for until that time of now_ms(); 0 waits for ever.
    Got receive(std::vector<std::string>& fields, std::int64_t until_ms);

   private:
    bool take(std::vector<std::string>& fields);

    Fd end_;
    std::string arrived_;
};

// Two connected ends; both false when there are no descriptors left.
std::pair<Channel, Channel> channel_pair();

}  // namespace rocenv
