// SPDX-License-Identifier: MIT
// Messages between a helper and its caller: a few strings each, over one end of a socketpair(2);
// and what came of a work as one such message.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "os/fd.h"
#include "rocenv/result.h"

namespace rocenv {

using Fields = std::vector<std::string>;

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
    Got receive(Fields& fields, std::int64_t until_ms);

   private:
    bool take(Fields& fields);

    Fd end_;
    std::string arrived_;
};

// False when nobody is there to read it.
bool send_result(Channel& channel, const Result<Fields>& result);

// What send_result() sent; an error of kind io, "SENDER gave no whole answer", for any other
// message.
Result<Fields> result_in(Fields message, const std::string& sender);

}  // namespace rocenv
