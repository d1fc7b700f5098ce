// SPDX-License-Identifier: MIT
#include <algorithm>
#include <map>
#include <set>
#include <string>

#include "machine/pci/pci.h"
#include "machine/rdma/rdma.h"
#include "settings/gpu/census.h"
#include "settings/rdma/inventory.h"
#include "settings/shapes/devices.h"
#include "settings/shapes/requirements.h"
#include "util/text.h"

namespace rocenv {

namespace {

// Cards whose two bonded functions share one RDMA device on the first function (linux
// drivers/net/ethernet/mellanox/mlx5/core/lag, 6.12): their interfaces belong to one bond.

class SharedRdmaDevices {
   public:
    explicit SharedRdmaDevices(const Machine& machine) : machine_(machine) {}

    void add(const RdmaDevice& device);

    // Returns true if a function without an RDMA device shares one of the added devices. If its
    // interface is in another network namespace, the device's name decides. Fails if the bonds of
    // its interfaces, or of those of the device, cannot be read.
    Result<bool> reach(const std::string& bdf) const;

   private:
    const Machine& machine_;
    std::set<std::string> cards_;          // cards with a device
    std::set<std::string> named_;          // cards whose device is named as a bond
    std::set<std::string> bonds_;          // card, and the bond of one of its interfaces
    std::map<std::string, Error> unread_;  // errors by card
};

void SharedRdmaDevices::add(const RdmaDevice& device) {
    const auto card = card_of(device.bdf);
    cards_.insert(card);
    if (device.name.find("bond") != std::string::npos) {
        named_.insert(card);
    }
    const auto bonds = bonds_of(machine_, device.bdf);
    if (!bonds) {
        unread_.emplace(card, bonds.error());
        return;
    }
    for (const auto& bond : *bonds) {
        bonds_.insert(card + bond);
    }
}

Result<bool> SharedRdmaDevices::reach(const std::string& bdf) const {
    const auto card = card_of(bdf);
    if (!cards_.contains(card)) {
        return false;
    }
    const auto bonds = bonds_of(machine_, bdf);
    if (!bonds || unread_.contains(card)) {
        return bonds ? unread_.at(card) : bonds.error();
    }
    const bool in_bond = std::any_of(bonds->begin(), bonds->end(), [&](const auto& bond) {
        return bonds_.contains(card + bond);
    });
    if (in_bond || !named_.contains(card)) {
        return in_bond;
    }
    const auto names = netdevs_of(machine_, bdf);
    return names && names->empty();
}

}  // namespace

// Cards of one model beside GPUs have equal numbers of PCI functions, and their RDMA devices equal
// numbers of ports. A card with fewer than the majority has lost some. A card with more is another
// product of the same id.

namespace {

constexpr Grade count_grades[] = {
    {"sibling", Level::recommended, "Cards with one id are sold with one port and with two"},
};

struct FewerThanMost {
    std::string bdf;
    std::size_t have = 0;
    std::size_t usual = 0;
    std::size_t others = 0;  // number of cards with the usual number
};

using CountByNic = std::map<std::string, std::size_t>;

// Returns the number of the majority of a kind and the size of the majority: three or more, and
// more than half. Returns std::nullopt if there is none.
std::optional<std::pair<std::size_t, std::size_t>> majority(const CountByNic& all) {
    constexpr std::size_t fewest = 3;
    std::map<std::size_t, std::size_t> counts;
    for (const auto& [bdf, have] : all) {
        ++counts[have];
    }
    for (const auto& each : counts) {
        if (each.second >= fewest && each.second * 2 > all.size()) {
            return each;
        }
    }
    return std::nullopt;
}

std::vector<FewerThanMost> fewer_than_most(const std::map<std::string, CountByNic>& kinds) {
    std::vector<FewerThanMost> out;
    for (const auto& [kind, all] : kinds) {
        const auto most = majority(all);
        for (const auto& [bdf, have] : all) {
            if (most && have < most->first) {
                out.push_back({bdf, have, most->first, most->second});
            }
        }
    }
    return out;
}

Assessment sibling_row(const FewerThanMost& found, const std::string& expected,
                       const std::string& what) {
    auto row = compared({found.bdf, std::nullopt, ""}, expected, "a " + what + " is missing");
    row.grade = &count_grades[0];
    row.detail = "the NIC has " + counted(found.have, what) + ", but " + number(found.others) +
                 " equal NICs beside GPUs have " + number(found.usual);
    row.next_step = "sudo dmesg | grep " + found.bdf.substr(0, found.bdf.rfind('.'));
    return row;
}

}  // namespace

// rdma.count: every RDMA NIC of the node is usable. "consistent": each PCI function that is an RDMA
// NIC by its id, or has the id of one with an RDMA device, has such a device, and at least one
// training port is left. If the GPUs of most root ports have equal numbers of cards beside them,
// all must. "per-gpu" also expects one training port for each GPU. A number is that of the training
// ports. A Slingshot NIC counts as one port.

namespace {

class Nics {
   public:
    Nics(const Context& context, const Expectation& expectation)
        : context_(context),
          machine_(context.machine),
          word_(expectation.value.text() != nullptr ? *expectation.value.text() : ""),
          expected_(plain_text(expectation.value)),
          training_(training_ports(context)),
          shared_(machine_) {}

    std::vector<Assessment> answer() {
        const auto& functions = machine_.pci();
        if (!functions && !functions.is(ErrorKind::not_here)) {
            return {unreadable({}, functions.error(), expected_)};
        }
        take_known();
        if (functions && !is_met_number()) {
            add_missing(*functions);
        } else if (functions) {  // faults of other functions are irrelevant then
            add_fallen();
        }
        const bool nothing = training_.devices.empty() && rows_.empty();
        if (nothing && !training_.uncertain && !word_.empty()) {
            return {no_rdma_nic(training_, expected_)};
        }
        for (const auto& [target, error] : training_.unread) {
            rows_.push_back(unreadable(target, error, expected_));
        }
        if (training_.uncertain) {
            rows_.push_back(unreadable({}, *training_.uncertain, expected_));
        } else {
            add_count();
        }
        if (excused_gone() > 0) {
            for (const auto& bdf : gone_) {
                rows_.push_back(compared({bdf, std::nullopt, ""}, expected_, "not on PCI"));
            }
        }
        return std::move(rows_);
    }

   private:
    // Collects the functions with a device, and their ids.
    void take_known() {
        for (const auto& device : training_.devices) {
            known_.insert(device.bdf);
            shared_.add(device);
            const auto function = machine_.function(device.bdf);
            if (!function.error) {
                ids_.emplace(function.vendor, function.device);
            }
        }
        gone_ = waived_and_gone(context_);
        excused_here_ = count_waived(
            context_, training_, [this](const PciFunction& function) { return is_nic(function); });
    }

    // Returns true for an RDMA NIC by id, or by the id of one with an RDMA device.
    bool is_nic(const PciFunction& function) const {
        return is_rdma_nic(function) ||
               (!function.error && function.class_code >> 16 == network_class &&
                ids_.contains({function.vendor, function.device}));
    }

    // Reports functions without a device. A virtual function without one belongs to a guest.
    void add_missing(const std::vector<PciFunction>& functions) {
        const auto unknown =
            std::find_if(functions.begin(), functions.end(), [&](const PciFunction& function) {
                return function.error && !known_.contains(function.bdf);
            });
        if (unknown != functions.end()) {  // one row for all unreadable functions
            rows_.push_back(
                unreadable({unknown->bdf, std::nullopt, ""}, *unknown->error, expected_));
        }
        std::set<std::string> nics;
        for (const auto& function : functions) {
            const std::string& bdf = function.bdf;
            if (!is_nic(function) || context_.fs().link(pci_path(bdf, "/physfn"))) {
                continue;
            }
            nics.insert(nics.end(), bdf);
            if (!add_fallen(bdf) && !known_.contains(bdf)) {
                judge_without_device(bdf);
            }
        }
        add_gaps(nics);
        add_siblings(nics);
    }

    // Returns true for a card with a waived function; it is not compared, since the excused parts
    // are unknown.
    bool is_waived_card(const std::string& bdf) const {
        const auto of_card = [&](const std::string& each) { return card_of(each) == card_of(bdf); };
        return context_.left_out != nullptr &&
               std::any_of(context_.left_out->begin(), context_.left_out->end(), of_card);
    }

    void add_siblings(const std::set<std::string>& nics) {
        using Counts = std::map<std::string, std::map<std::string, std::size_t>>;
        const auto near = nics_beside_gpus(machine_, nics);
        Counts functions;
        std::map<std::string, std::string> first;  // first function, by card
        for (const auto& bdf : near) {
            if (!is_waived_card(bdf)) {
                const auto& of_card = first.emplace(card_of(bdf), bdf).first->second;
                ++functions[kind_of_nic(machine_, of_card)][of_card];
            }
        }
        Counts ports;
        for (const auto& device : training_.devices) {
            if (device.verbs && device.ports && near.contains(device.bdf) &&
                !is_waived_card(device.bdf)) {
                ports[kind_of_nic(machine_, device.bdf)][device.bdf] += device.ports->size();
            }
        }
        add_fewer(fewer_than_most(functions), "function");
        add_fewer(fewer_than_most(ports), "port");
    }

    void add_fewer(const std::vector<FewerThanMost>& found, const std::string& what) {
        for (const auto& each : found) {
            const bool reported =
                std::any_of(rows_.begin(), rows_.end(),
                            [&](const Assessment& row) { return row.target.text() == each.bdf; });
            if (!reported) {
                rows_.push_back(sibling_row(each, expected_, what));
            }
        }
    }

    // Reports NICs that are gone from PCI by their location: where others have one beside their
    // GPUs.
    void add_gaps(const std::set<std::string>& nics) {
        for (const auto& gap : gaps_beside_gpus(machine_, nics)) {
            const std::size_t lacking = gap.usual - gap.cards;
            if (gone_.size() - excused_gaps_ >= lacking) {
                excused_gaps_ += lacking;
                continue;
            }
            ++missing_;
            const auto gpu = std::find_if(gap.gpus.begin(), gap.gpus.end(), [&](const auto& each) {
                return !context_.leaves_out(each);  // a waiver of the GPU does not cover the NIC
            });
            rows_.push_back(
                compared(gpu == gap.gpus.end() ? Target{} : Target{*gpu, std::nullopt, ""},
                         expected_, gap.cards == 0 ? "no NIC beside it" : "a NIC is missing"));
            rows_.back().detail = number(gap.usual) + (gap.usual == 1 ? " NIC is" : " NICs are") +
                                  " beside the GPUs of " + counted(gap.groups, "other port") +
                                  " of the root, but only " + number(gap.cards) + " beside " +
                                  join(gap.gpus, ", ");
            rows_.back().next_step =
                "lspci -nn -d ::0200; sudo dmesg | grep -i pcie; if the NIC stays missing, "
                "power-cycle the node and reseat the NIC";
        }
    }

    void add_fallen() {
        std::set<std::string> asked;
        for (const auto& port : training_.ports) {
            if (asked.insert(port.bdf).second) {
                add_fallen(port.bdf);
            }
        }
    }

    // Reports a function that has fallen off the bus. Returns true if the function needs no further
    // check.
    bool add_fallen(const std::string& bdf) {
        const auto fallen = has_fallen(machine_, bdf);
        if (!fallen) {
            rows_.push_back(unreadable({bdf, std::nullopt, ""}, fallen.error(), expected_));
        } else if (*fallen) {
            miss(bdf);
            rows_.push_back(compared({bdf, std::nullopt, ""}, expected_, "fallen off the bus"));
            rows_.back().detail = "the NIC returns all ones to every read of its PCI configuration";
            rows_.back().next_step =
                "sudo dmesg | grep -i pcie; if the NIC stays missing, power-cycle the node and "
                "reseat the NIC";
        }
        return !fallen || *fallen;
    }

    void judge_without_device(const std::string& bdf) {
        const auto shares = shared_.reach(bdf);
        if (!shares) {
            rows_.push_back(unreadable({bdf, std::nullopt, ""}, shares.error(), expected_));
        } else if (!*shares) {
            add_missing(bdf);
        }
    }

    void add_missing(const std::string& bdf) {
        if (training_.uncertain) {
            return;
        }
        miss(bdf);
        if (!hidden_) {
            hidden_ = hidden_error();
        }
        if (const auto& elsewhere = *hidden_) {
            rows_.push_back(unreadable({bdf, std::nullopt, ""}, *elsewhere, expected_));
            return;
        }
        auto row = compared({bdf, std::nullopt, ""}, expected_, "no RDMA device");
        const auto& driver = machine_.reader_of(bdf).driver();
        const bool guest = driver && driver->find("vfio") != std::string::npos;
        row.detail = !driver           ? driver.error().text
                     : driver->empty() ? "no driver is bound to the NIC"
                     : guest           ? "the NIC is bound to " + printable(*driver, 40)
                             : "driver " + printable(*driver, 40) + " created no RDMA device";
        row.next_step = guest ? "if a guest should use the NIC: rocenv check --want rdma.count=" +
                                    number(have())
                              : step_without_device(machine_, bdf, driver ? *driver : "");
        rows_.push_back(std::move(row));
    }

    // Returns an error if devices may be hidden: `rdma system set netns exclusive` shows them only
    // in their own namespace (linux drivers/infiniband/core/device.c ib_devices_shared_netns,
    // 6.12).
    std::optional<Error> hidden_error() const {
        const auto shared = context_.fs().read("/sys/module/ib_core/parameters/netns_mode");
        auto why =
            shared && trim(*shared) == "N" ? not_the_nodes_network(context_.fs()) : std::nullopt;
        if (why) {
            why->text = "the RDMA device may belong to another network namespace: " + why->text;
        }
        return why;
    }

    std::size_t have() const { return training_.ports.size() + training_.without_ports(); }

    void miss(const std::string& bdf) {
        ++missing_;
        if (!context_.leaves_out(bdf)) {
            missed_.insert(bdf);
        }
    }

    // Returns the number of excused NICs that are nowhere, at most as many as are missing beyond
    // all known ones.
    std::size_t excused_gone() const {
        if (gone_.empty()) {
            return 0;
        }
        const std::size_t here = have() + excused_here_;
        const std::size_t lacking = here < needed() ? needed() - here : 0;
        const std::size_t known = missed_.size() + count_left_out(context_, training_);
        return std::max(std::min(gone_.size(), lacking - std::min(lacking, known)), excused_gaps_);
    }

    std::size_t excused() const { return excused_here_ + excused_gone(); }

    std::size_t gpus() const {
        const auto& all = machine_.gpus();
        return static_cast<std::size_t>(std::count_if(all.begin(), all.end(), is_for_compute));
    }

    std::size_t needed() const {
        return word_.empty()        ? parse_number(expected_).value_or(0)
               : word_ == "per-gpu" ? gpus()
                                    : 1;
    }

    bool is_met_number() const {
        return word_.empty() && training_.unread.empty() && have() <= needed() &&
               needed() <= have() + excused_here_;
    }

    // Returns the outcome. Unreadable functions may be the missing ones, or surplus.
    Outcome outcome() const {
        const std::size_t here = have() + excused();
        const bool exact = word_.empty();
        const bool enough = here >= needed() && (!exact || have() <= needed());
        const bool may_differ = exact && here <= needed();
        const bool open = !training_.unread.empty() && (!enough || may_differ) &&
                          here <= needed() && here + training_.unread.size() >= needed();
        return open ? Outcome::unknown : enough ? Outcome::ok : Outcome::differs;
    }

    std::string needed_text() const {
        return have() == 0          ? "no port is left for training"
               : word_ == "per-gpu" ? counted(gpus(), "GPU")
                                    : "training ports are counted";
    }

    std::string step_for_count(Outcome outcome) const {
        if (outcome == Outcome::unknown) {
            return "sudo dmesg | grep -e bnxt -e mlx5 -e ionic";
        }
        if (have() > needed()) {
            return "rdma link show; set NCCL_IB_HCA to the ports that jobs use; if jobs should use "
                   "all ports: rocenv check --want rdma.count=" +
                   number(have());
        }
        return training_.left_out.empty() ? "rdma link show; lspci -nn -d ::0200; if a NIC is "
                                            "missing, power-cycle the node and reseat the NIC"
                                          : "rdma link show; enable the excluded ports, or set "
                                            "NCCL_IB_HCA to the ports that jobs use";
    }

    void add_count() {
        if (const auto unsure = word_ == "per-gpu" ? machine_.gpus_uncertain() : std::nullopt) {
            rows_.push_back(unreadable({}, *unsure, expected_));
            return;
        }
        auto row = compared({}, expected_, number(have()));
        row.outcome = outcome();
        row.detail = training_.left_out_text();
        if (row.outcome != Outcome::ok) {
            row.detail = needed_text() + (row.detail.empty() ? "" : "; " + row.detail);
        }
        row.next_step = step_for_count(row.outcome);
        row.by_variable = training_.left_out_by();
        if (training_.left_out_by_variable() > 0 && row.outcome != Outcome::ok) {
            row.next_step = correct_hca_list;
        }
        // A NIC without its device has its own row, and the remaining ones do not pass then.
        const bool all_seen = missing_ == 0 && training_.unread.empty() && rows_.empty();
        if (row.outcome != Outcome::ok || all_seen) {
            rows_.push_back(std::move(row));
        }
    }

    const Context& context_;
    const Machine& machine_;
    std::string word_;  // empty: the expected value is a number
    std::string expected_;
    TrainingPorts training_;
    std::set<std::pair<std::uint32_t, std::uint32_t>> ids_;  // vendor, device
    std::set<std::string> known_;
    std::set<std::string> gone_;    // waived and not listed anywhere
    std::set<std::string> missed_;  // missing and not waived
    std::size_t excused_here_ = 0;  // waived, on PCI and without a training port
    std::size_t excused_gaps_ = 0;  // number of waived missing NICs with a known location
    SharedRdmaDevices shared_;
    std::optional<std::optional<Error>> hidden_;  // read once
    std::size_t missing_ = 0;
    std::vector<Assessment> rows_;
};

std::vector<Assessment> assess_count(const Setting&, const Context& context,
                                     const Expectation& expectation) {
    return Nics(context, expectation).answer();
}

// Returns the number, and the name of the device at each address: jobs use these names
// (NCCL_IB_HCA).
std::vector<ClusterFact> facts_of_count(const Setting& setting, const Context& context) {
    auto out = assessed_facts(setting, context);
    std::map<std::string, std::vector<std::string>> names;
    const auto devices = rdma_devices(context.machine);
    for (const auto& device : devices ? *devices : std::vector<RdmaDevice>()) {
        names[device.bdf].push_back(device.name);
    }
    for (const auto& [bdf, all] : names) {
        add_fact({bdf, std::nullopt, "/name"}, join(all, " "), out);
    }
    return out;
}

}  // namespace

const Setting& rdma_count() {
    static const Setting setting{
        .info =
            {
                .id = "rdma.count",
                .summary = "Number of RDMA ports that jobs can use, and whether every NIC has one",
                .why = "With one NIC missing, every collective hangs or loses the bandwidth of "
                       "that NIC",
                .source = "ROCm/system-acceptance-docs docs/network/validation.md, 2026-07; "
                          "AMD-AGI/Primus primus/tools/preflight/node_smoke, 2026-08",
                .target = "system",
                .read_from = "/sys/bus/pci/devices/*/{modalias,driver,physfn,config,net/*/master}, "
                             "/sys/class/infiniband/*/ports/*/phys_state, /sys/class/cxi",
                .set_by = "",
                .next_step = "sudo dmesg | grep -e bnxt -e mlx5 -e ionic; if the NIC has no RDMA "
                             "device, load its RDMA driver or reseat it",
                .persist = "",
                .risk_note = "",
                .over_cluster = OverCluster::equal,
                .forms = {{.kind = FormKind::word, .words = {"consistent", "per-gpu"}},
                          {.kind = FormKind::integer, .lowest = 0, .highest = 1024}},
                .grades = count_grades,
            },
        .assess = assess_count,
        .facts = facts_of_count,
        .learn = learn_count,
    };
    return setting;
}

}  // namespace rocenv
