// SPDX-License-Identifier: MIT
#include "settings/shapes/end_values.h"

#include "machine/pci/path_ends.h"
#include "machine/pci/pci_reader.h"
#include "util/text.h"

namespace rocenv {

LikeDevices end_values(const Context& context, const ReadEnd& read) {
    const auto ends = path_ends(context.machine);
    LikeDevices out{
        .values = {}, .uncertain = ends.uncertain, .nobody = "no GPU and no RDMA NIC on PCI"};
    for (const auto& bdf : ends.functions) {
        const auto function = context.machine.function(bdf);
        out.values.push_back({.device = bdf,
                              .kind = hex(function.vendor << 16 | function.device, 8),
                              .value = read(context.machine, bdf),
                              .left_out = context.leaves_out(bdf)});
    }
    return out;
}

// A function without its file is no function without the capability.
Result<std::uint16_t> express_register(const Machine& machine, const std::string& bdf,
                                       std::uint16_t offset) {
    if (const auto sleeping = machine.asleep(bdf)) {
        return *sleeping;
    }
    const auto value = machine.reader_of(bdf).config().express_register(offset);
    if (!value) {
        Error error = value.error();
        error.kind = error.kind == ErrorKind::not_here ? ErrorKind::io : error.kind;
        return error;
    }
    return *value ? Result(**value)
                  : Error{ErrorKind::not_here, 0, "", "it has no PCI Express capability"};
}

}  // namespace rocenv
