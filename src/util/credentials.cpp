// SPDX-License-Identifier: MIT
#include "util/credentials.h"

#include <algorithm>

#include "util/letters.h"

namespace rocenv {

namespace {

constexpr std::string_view hidden = "***";
constexpr std::string_view address_ends = " \t\r\n\"'`<>\\|";
constexpr std::string_view host_ends = "/?#";
constexpr std::string_view cut_mark = "...";  // of printable()

// Whether what stands behind the last ':' can be a port, so that the '/' behind it ends the host.
bool may_end_host(std::string_view host) {
    const auto colon = host.rfind(':');
    const auto port = colon == std::string_view::npos ? std::string_view() : host.substr(colon + 1);
    return std::all_of(port.begin(), port.end(),
                       [](char byte) { return byte >= '0' && byte <= '9'; });
}

// RFC 3986, 3.2: the user stands between "//" and '@', and the host ends at the first '/', '?' or
// '#'. A password may hold one of them all the same, and '@' may be cut off.
std::size_t user_size(std::string_view address) {
    const auto host = address.substr(0, address.find_first_of(host_ends));
    const auto at = host.rfind('@');
    if (at != std::string_view::npos) {
        return at;
    }
    if (may_end_host(host)) {
        return 0;
    }
    const auto later = address.find('@');
    const bool cut = later == std::string_view::npos && address.ends_with(cut_mark);
    return cut ? address.size() - cut_mark.size() : later == std::string_view::npos ? 0 : later;
}

bool is_name_byte(char byte) {
    return is_letter_or_digit(byte) || byte == '_' || byte == '-' || byte == '.';
}

// "?name=value", "&name=value" at the start of `text`: the size up to and with '='; 0 if it is
// none.
std::size_t query_name_size(std::string_view text) {
    std::size_t size = 1;
    while (size < text.size() && is_name_byte(text[size])) {
        ++size;
    }
    return size > 1 && size < text.size() && text[size] == '=' ? size + 1 : 0;
}

// Returns the position of the first '/', '?' or '#'. std::string_view::find_first_of() calls a
// function for each byte, and whole reports pass here.
std::size_t mark_in(std::string_view text) {
    const auto* found = std::find_if(text.begin(), text.end(), [](char byte) {
        return byte == '/' || byte == '?' || byte == '#';
    });
    return static_cast<std::size_t>(found - text.begin());
}

class Cleaner {
   public:
    explicit Cleaner(std::string_view text) : rest_(text) {}

    std::string cleaned() {
        out_.reserve(rest_.size());
        for (auto at = mark_in(rest_); at < rest_.size(); at = mark_in(rest_)) {
            keep(at);
            if (rest_.starts_with("//")) {
                keep(2);
                const auto user = user_size(rest_.substr(0, rest_.find_first_of(address_ends)));
                hide(user, user > 0);
            } else if (rest_.front() == '/') {
                keep(1);
            } else {
                query();
            }
        }
        return out_.append(rest_);
    }

   private:
    void keep(std::size_t size) {
        out_.append(rest_.substr(0, size));
        rest_.remove_prefix(size);
    }
    void hide(std::size_t size, bool any) {
        out_.append(any ? hidden : "");
        rest_.remove_prefix(size);
    }
    void query() {
        auto name = query_name_size(rest_);
        keep(std::max<std::size_t>(name, 1));
        while (name > 0) {
            hide(std::min(rest_.find_first_of(" \t\r\n\"'`<>\\|&#"), rest_.size()), true);
            const bool escaped = rest_.starts_with("&amp;");
            keep(escaped ? 4 : 0);
            name = rest_.starts_with('&') || escaped ? query_name_size(rest_) : 0;
            keep(name);
        }
    }

    std::string_view rest_;
    std::string out_;
};

}  // namespace

std::string without_credentials(std::string_view text) {
    const bool any = text.find("//") != std::string_view::npos || text.find('?') != text.npos ||
                     text.find('#') != text.npos;
    return any ? Cleaner(text).cleaned() : std::string(text);
}

}  // namespace rocenv
