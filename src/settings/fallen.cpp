// SPDX-License-Identifier: MIT
#include "settings/fallen.h"

#include "machine/pci_reader.h"

namespace rocenv {

Result<bool> has_fallen(const Machine& machine, const std::string& bdf) {
    if (machine.asleep(bdf)) {
        return false;
    }
    const auto identity = machine.reader_of(bdf).config().raw_word(0);
    if (!identity) {
        return identity.is(ErrorKind::not_here) ? Result(false) : identity.error();
    }
    return *identity == UINT32_MAX;
}

}  // namespace rocenv
