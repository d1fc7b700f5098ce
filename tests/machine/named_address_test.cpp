// SPDX-License-Identifier: MIT
#include "machine/identity.h"

#include "support/catch.h"

namespace rocenv::named_address_test {

namespace {

std::string hidden(std::string_view text) {
    return replace_named_addresses(text, [](const NamedAddress& address) {
        return std::string(address.prefix) + "#" + std::to_string(address.digits.size());
    });
}

}  // namespace

TEST_CASE("named addresses: words that hold one are found anywhere in a text") {
    CHECK(hidden("enx001122334455") == "enx#12");
    CHECK(hidden("enx001122334455.100 and ibx0011223344556677:1") == "enx#12.100 and ibx#16:1");
    CHECK(hidden("/sys/class/infiniband/rocex001122334455/ports") ==
          "/sys/class/infiniband/rocex#12/ports");
    CHECK(hidden("^=mlx00112233aAbB,mlx5_0") == "^=mlx#12,mlx5_0");
}

TEST_CASE("named addresses: numbers, hashes and other names are none") {
    for (const char* text :
         {"", "x", "ens6np0", "0x001122334455", "0x0011223344556677", "6.8.0-g0123456789ab",
          "x001122334455", "enx00112233445", "enx0011223344556", "enx00112233445g", "mlx5_0",
          "rocm-4x001122334455", "enx 001122334455", "a_x001122334455"}) {
        CAPTURE(text);
        CHECK(hidden(text) == text);
    }
}

}  // namespace rocenv::named_address_test
