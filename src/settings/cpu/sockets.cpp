// SPDX-License-Identifier: MIT
// cpu.sockets: how many packages the online CPUs are in. How many there should be a profile says:
// boards take one, two or four.
#include "machine/host/cpus.h"
#include "machine/host/packages.h"
#include "rocenv/setting.h"
#include "util/text.h"

namespace rocenv {

namespace {

class Sockets final : public Setting {
   public:
    const Info& info() const override {
        static const Info data{
            .id = "cpu.sockets",
            .summary = "How many processors the node has",
            .why = "A processor that is missing takes its memory, its slots and half of the CPUs",
            .source =
                "Azure/azurehpc-health-checks customTests, 2026-05; linux "
                "Documentation/admin-guide/cputopology.rst, 6.12",
            .target = "system",
            .read_from =
                "/sys/devices/system/cpu/online, "
                "cpu*/topology/{physical_package_id,core_siblings_list}; for facts /proc/cpuinfo",
            .set_by = "",
            .next_step = "lscpu | grep Socket; look at the BIOS's list of processors",
            .persist = "is persistent: what is plugged in",
            .risk_note = "",
            .host_decides = true,
            .over_cluster = OverCluster::equal,
            .forms = {{.kind = FormKind::integer, .lowest = 1, .highest = 64}},
        };
        return data;
    }

    std::vector<Assessment> assess(const Context& context, const Want& want) const override {
        const std::string wanted = number(*want.value.integer());
        const auto packages = read_packages_of(context.machine);
        return {packages ? compared({}, wanted, number(packages->size()))
                         : unreadable({}, packages.error(), wanted)};
    }

    // How many, and of which model.
    std::vector<ClusterFact> facts(const Context& context) const override {
        auto out = Setting::facts(context);
        add_fact({"system", std::nullopt, "/model"}, read_cpu_model(context.fs()), out);
        return out;
    }
};

}  // namespace

const Setting& cpu_sockets() {
    static const Sockets setting;
    return setting;
}

}  // namespace rocenv
