// SPDX-License-Identifier: MIT
// rdma.count: that every RDMA NIC of the node can be used. "consistent": each PCI function that is
// an RDMA NIC by its id, or is of the same id as one with an RDMA device, has such a device, and at
// least one port is left to train with. "per-gpu": besides, one training port for each GPU. A
// number is that of the training ports. A Slingshot NIC counts as one port.
#include <algorithm>
#include <set>

#include "machine/pci_reader.h"
#include "settings/gpu_files.h"
#include "settings/learn_count.h"
#include "settings/network_namespace.h"
#include "settings/rdma_ports.h"
#include "util/text.h"

namespace rocenv {

namespace {

std::string same_card(const std::string& bdf) {
    return bdf.substr(0, bdf.rfind('.'));
}

class Nics {
   public:
    Nics(const Context& context, const Want& want)
        : context_(context),
          machine_(context.machine),
          word_(want.value.text() != nullptr ? *want.value.text() : ""),
          want_(plain_text(want.value)),
          training_(training_ports(context)) {}

    std::vector<Assessment> answer() {
        const auto& functions = machine_.pci();
        if (!functions && !functions.is(ErrorKind::not_here)) {
            return {unreadable({}, functions.error(), want_)};
        }
        if (functions && !is_met_number()) {  // what is wrong with others is then nobody's question
            tell_missing(*functions);
        }
        const bool nothing = training_.devices.empty() && rows_.empty();
        if (nothing && !training_.uncertain && !word_.empty()) {
            return {no_rdma_nic(training_, want_)};
        }
        for (const auto& [target, error] : training_.unread) {
            rows_.push_back(unreadable(target, error, want_));
        }
        if (training_.uncertain) {
            rows_.push_back(unreadable({}, *training_.uncertain, want_));
        } else {
            tell_count();
        }
        return std::move(rows_);
    }

   private:
    // Those with a device, and which ids they have.
    void take_known() {
        for (const auto& [vendor, device] : rdma_nic_ids()) {
            ids_.emplace(vendor, device);
        }
        for (const auto& device : training_.devices) {
            known_.insert(device.bdf);
            const auto function = machine_.function(device.bdf);
            if (!function.error) {
                ids_.emplace(function.vendor, function.device);
            }
            if (device.name.find("bond") != std::string::npos) {
                bonded_.insert(same_card(device.bdf));
            }
        }
    }

    // Both functions of a card that are bonded share one device, which hangs off the first (linux
    // drivers/net/ethernet/mellanox/mlx5/core/lag, 6.12). A virtual function without a device is
    // somebody's guest's.
    void tell_missing(const std::vector<PciFunction>& functions) {
        take_known();
        const auto unknown =
            std::find_if(functions.begin(), functions.end(), [&](const PciFunction& function) {
                return function.error && !known_.contains(function.bdf);
            });
        if (unknown != functions.end()) {  // the first stands for all
            rows_.push_back(unreadable({unknown->bdf, std::nullopt, ""}, *unknown->error, want_));
        }
        for (const auto& function : functions) {
            const bool nic = !function.error && function.class_code >> 16 == network_class &&
                             ids_.contains({function.vendor, function.device});
            if (nic && !known_.contains(function.bdf) &&
                !bonded_.contains(same_card(function.bdf)) &&
                !context_.fs().link(pci_path(function.bdf) + "/physfn")) {
                tell_missing(function.bdf);
            }
        }
    }

    void tell_missing(const std::string& bdf) {
        if (training_.uncertain) {
            return;
        }
        ++missing_;
        if (const auto elsewhere = may_be_hidden()) {
            rows_.push_back(unreadable({bdf, std::nullopt, ""}, *elsewhere, want_));
            return;
        }
        auto row = compared({bdf, std::nullopt, ""}, want_, "no RDMA device");
        const auto& driver = machine_.reader_of(bdf).driver();
        const bool guest = driver && driver->find("vfio") != std::string::npos;
        row.detail = !driver           ? driver.error().text
                     : driver->empty() ? "no driver is bound to it"
                     : guest           ? "given away to " + printable(*driver, 40)
                                       : "driver " + printable(*driver, 40) + " made none";
        if (guest) {
            row.next_step = "where that is meant: rocenv check --want rdma.count=" + number(have());
        }
        rows_.push_back(std::move(row));
    }

    // Devices are shown in their own namespace alone after `rdma system set netns exclusive` (linux
    // drivers/infiniband/core/device.c ib_devices_shared_netns, 6.12).
    std::optional<Error> may_be_hidden() const {
        const auto shared = context_.fs().read("/sys/module/ib_core/parameters/netns_mode");
        auto why =
            shared && trim(*shared) == "N" ? not_the_nodes_network(context_.fs()) : std::nullopt;
        if (why) {
            why->text = "its RDMA device may be another network namespace's: " + why->text;
        }
        return why;
    }

    std::size_t have() const { return training_.ports.size() + training_.without_ports(); }

    // NICs that the site waives and that have no training port: nobody misses them.
    std::size_t excused() const {
        auto out = context_.left_out == nullptr ? std::set<std::string>() : *context_.left_out;
        for (const auto& port : training_.ports) {
            out.erase(port.bdf);
        }
        std::erase_if(out, [&](const std::string& bdf) {
            const auto function = machine_.function(bdf);
            return !function.error && function.class_code >> 16 != network_class;
        });
        return out.size();
    }

    std::size_t gpus() const {
        const auto& all = machine_.gpus();
        return static_cast<std::size_t>(std::count_if(all.begin(), all.end(), is_for_compute));
    }

    std::size_t needed() const {
        return word_.empty() ? parse_number(want_).value_or(0) : word_ == "per-gpu" ? gpus() : 1;
    }

    bool is_met_number() const {
        return word_.empty() && training_.unread.empty() && have() + excused() == needed();
    }

    // Those that could not be asked may be what is missing, or one too many.
    Outcome outcome() const {
        const std::size_t here = have() + excused();
        const bool exact = word_.empty();
        const bool enough = exact ? here == needed() : here >= needed();
        const bool may_differ = exact && here <= needed();
        const bool open = !training_.unread.empty() && (!enough || may_differ) &&
                          here <= needed() && here + training_.unread.size() >= needed();
        return open ? Outcome::unknown : enough ? Outcome::ok : Outcome::differs;
    }

    std::string told_needed() const {
        return have() == 0          ? "no port is left to train with"
               : word_ == "per-gpu" ? number(gpus()) + " GPUs"
                                    : "training ports are counted";
    }

    void tell_count() {
        if (const auto unsure = word_ == "per-gpu" ? machine_.gpus_uncertain() : std::nullopt) {
            rows_.push_back(unreadable({}, *unsure, want_));
            return;
        }
        auto row = compared({}, want_, number(have()));
        row.outcome = outcome();
        row.detail = training_.told_left_out();
        if (row.outcome != Outcome::ok) {
            row.detail = told_needed() + (row.detail.empty() ? "" : "; " + row.detail);
        }
        if (row.outcome == Outcome::unknown) {
            row.next_step = "sudo dmesg | grep -e bnxt -e mlx5 -e ionic";
        }
        // A NIC that lacks its device is told by a row of its own, and the rest are then not ok.
        const bool all_seen = missing_ == 0 && training_.unread.empty() && rows_.empty();
        if (row.outcome != Outcome::ok || all_seen) {
            rows_.push_back(std::move(row));
        }
    }

    const Context& context_;
    const Machine& machine_;
    std::string word_;  // empty: a number is wanted
    std::string want_;
    TrainingPorts training_;
    std::set<PciId> ids_;
    std::set<std::string> known_;
    std::set<std::string> bonded_;
    std::size_t missing_ = 0;
    std::vector<Assessment> rows_;
};

class RdmaCount final : public Setting {
   public:
    const Info& info() const override {
        static const Info data{
            .id = "rdma.count",
            .summary = "How many RDMA ports jobs can use, and whether every NIC is among them",
            .why = "With seven of eight NICs every collective hangs, or runs at seven eighths",
            .source =
                "ROCm/system-acceptance-docs docs/network/validation.md, 2026-07; "
                "AMD-AGI/Primus primus/tools/preflight/node_smoke, 2026-08",
            .target = "system",
            .read_from =
                "/sys/bus/pci/devices/*/{modalias,driver,physfn}, "
                "/sys/class/infiniband/*/ports/*/phys_state, /sys/class/cxi",
            .set_by = "",
            .next_step =
                "sudo dmesg | grep -e bnxt -e mlx5 -e ionic; then load the NIC's RDMA "
                "driver, or reseat it",
            .persist = "",
            .risk_note = "",
            .over_cluster = OverCluster::equal,
            .forms = {{.kind = FormKind::word, .words = {"consistent", "per-gpu"}},
                      {.kind = FormKind::integer, .lowest = 0, .highest = 1024}},
        };
        return data;
    }

    std::vector<Assessment> assess(const Context& context, const Want& want) const override {
        return Nics(context, want).answer();
    }

    std::optional<std::vector<Value>> learn(const Context& context) const override {
        return learn_count(*this, context);
    }
};

}  // namespace

const Setting& rdma_count() {
    static const RdmaCount setting;
    return setting;
}

}  // namespace rocenv
