// SPDX-License-Identifier: MIT
// host.product: what the maker calls the node, by which nodes of a fleet are told apart before they
// are compared (linux drivers/firmware/dmi-id.c, 6.12). Boards with blanks at the end of their name
// are told without them.
#include "rocenv/setting.h"
#include "settings/shapes/like_devices.h"
#include "util/text.h"

namespace rocenv {

namespace {

const std::string product_file = "/sys/class/dmi/id/product_name";
const std::string board_file = "/sys/class/dmi/id/board_name";

std::vector<Assessment> assess_product(const Setting&, const Context& context, const Want& want) {
    const std::string& wanted = *want.value.text();
    const auto product = read_line(context.fs(), product_file);
    if (product.is(ErrorKind::not_here) && exists(context.fs(), "/sys/class")) {
        return {no_target("the firmware does not tell the product")};
    }
    if (!product) {
        return {unreadable({}, product.error(), wanted)};
    }
    return {compared({}, wanted, *product)};
}

// The product, and the board in it.
std::vector<ClusterFact> facts_of_product(const Setting& setting, const Context& context) {
    auto out = assessed_facts(setting, context);
    add_fact({"system", std::nullopt, "/board_name"}, read_line(context.fs(), board_file), out);
    return out;
}

std::optional<std::vector<Value>> learn_product(const Setting&, const Context& context) {
    const auto product = read_line(context.fs(), product_file);
    return product ? std::vector{Value{*product, {}}} : std::vector<Value>();
}

}  // namespace

const Setting& host_product() {
    static const Setting setting{
        .info =
            {
                .id = "host.product",
                .summary = "What the maker calls the node",
                .why = "Bus addresses, slots and NICs are alike only among nodes of one product",
                .source = "ROCm/cvs cvs/tests/platform/host_configs_cvs.py, 2026-08; linux "
                          "drivers/firmware/dmi-id.c, 6.12",
                .target = "system",
                .read_from = "/sys/class/dmi/id/product_name; for facts board_name beside it",
                .set_by = "",
                .next_step =
                    "sudo dmidecode -t system; is this node in the right partition or rack",
                .persist = "is persistent: in the board's flash",
                .risk_note = "",
                .host_decides = true,
                .over_cluster = OverCluster::equal,
                .forms = {{.kind = FormKind::any_text}},
            },
        .assess = assess_product,
        .facts = facts_of_product,
        .learn = learn_product,
    };
    return setting;
}

}  // namespace rocenv
