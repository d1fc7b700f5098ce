// SPDX-License-Identifier: MIT
// Names that hold a hardware address: "enx001122334455" of systemd (systemd.net-naming-scheme(7),
// ID_NET_NAME_MAC), "rocex0011223344556677" and "ibx001122334455" of rdma-core (kernel-boot
// rdma_rename, NAME_GUID).
#pragma once

#include <functional>
#include <string>
#include <string_view>

namespace rocenv {

struct NamedAddress {
    std::string_view prefix;  // "enx"
    std::string_view digits;  // "001122334455": 12 or 16
};

// Returns the text with each word that is such a name replaced.
std::string replace_named_addresses(
    std::string_view text, const std::function<std::string(const NamedAddress&)>& replacement);

}  // namespace rocenv
