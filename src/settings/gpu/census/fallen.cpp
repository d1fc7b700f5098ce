// SPDX-License-Identifier: MIT
#include "settings/gpu/census/fallen.h"

#include "machine/pci/pci_reader.h"

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

std::set<std::string> waived_and_gone(const Context& context) {
    const auto& functions = context.machine.pci();
    if (context.left_out == nullptr || !functions) {
        return {};
    }
    auto out = *context.left_out;
    for (const auto& function : *functions) {
        out.erase(function.bdf);
    }
    for (const auto& gpu : context.machine.gpus()) {
        out.erase(gpu.bdf);
    }
    return out;
}

}  // namespace rocenv
