// SPDX-License-Identifier: MIT
// The state of each training port: rdma.port and rdma.rate.
#include <algorithm>
#include <map>
#include <set>
#include <vector>

#include "machine/pci/pci.h"
#include "settings/rdma/inventory.h"
#include "settings/shapes/devices.h"
#include "util/text.h"

namespace rocenv {

namespace {

// Ports beside GPUs that are off while those of equal NICs train. Ports are equal if they have the
// same location on cards of one model: the first of each card, or the second. If the second is off
// on all or most cards, that is by design.

struct OutlierPort {
    RdmaPort port;
    std::size_t like = 0;  // number of equal training ports on other cards
};

// Locations of training ports by card; none for a card whose ports are all off.
using PlacesByCard = std::map<std::string, std::set<std::string>>;

std::size_t cards_that(const PlacesByCard& cards,
                       const std::function<bool(const std::set<std::string>&)>& holds) {
    return static_cast<std::size_t>(std::count_if(
        cards.begin(), cards.end(), [&](const auto& each) { return holds(each.second); }));
}

// Returns the number of cards with a training port at this location; 0 if the port is not an
// outlier. A port of a card that trains over another port is an outlier if more than half of the
// cards train over more ports, including this one.
std::size_t like_it(const PlacesByCard& cards, const RdmaPort& port) {
    const auto place = place_on_card(port);
    const auto own = cards.at(card_of(port.bdf)).size();
    const auto like = cards_that(cards, [&](const auto& places) { return places.contains(place); });
    const auto more = cards_that(cards, [&](const auto& places) { return places.size() > own; });
    const bool is_outlier = own == 0 || (like * 2 > cards.size() && more * 2 > cards.size());
    return is_outlier ? like : 0;
}

// The cards beside GPUs, by the model of their NICs.
class CardsBesideGpus {
   public:
    explicit CardsBesideGpus(const Context& context, const TrainingPorts& training)
        : context_(context) {
        std::set<std::string> nics;
        for (const auto& device : training.devices) {
            const bool own = !context.fs().link(pci_path(device.bdf, "/physfn"));
            if (device.verbs && own) {
                nics.insert(device.bdf);
            }
        }
        near_ = nics_beside_gpus(context.machine, nics);
    }

    void add_training(const RdmaPort& port) {
        if (!context_.leaves_out(port.bdf) && near_.contains(port.bdf)) {
            cards_of(port)[card_of(port.bdf)].insert(place_on_card(port));
        }
    }

    void add_off(const RdmaPort& port) {
        if (near_.contains(port.bdf)) {
            cards_of(port)[card_of(port.bdf)];
        }
    }

    std::size_t like(const RdmaPort& port) {
        return near_.contains(port.bdf) ? like_it(cards_of(port), port) : 0;
    }

   private:
    PlacesByCard& cards_of(const RdmaPort& port) {
        return by_kind_[kind_of_nic(context_.machine, port.bdf)];
    }

    const Context& context_;
    std::set<std::string> near_;
    std::map<std::string, PlacesByCard> by_kind_;
};

// Returns the outliers among the ports that are off.
std::vector<OutlierPort> outlier_ports(const Context& context, const TrainingPorts& training) {
    std::vector<OutlierPort> out;
    if (training.off.empty() || training.ports.empty()) {
        return out;
    }
    CardsBesideGpus cards(context, training);
    for (const auto& port : training.ports) {
        cards.add_training(port);
    }
    for (const auto& port : training.off) {
        cards.add_off(port);
    }
    for (const auto& port : training.off) {
        if (const auto like = cards.like(port); like > 0) {
            out.push_back({port, like});
        }
    }
    return out;
}

}  // namespace

// rdma.port: each training port is up: its link, and its state by a subnet manager or the driver
// (linux include/rdma/ib_verbs.h enum ib_port_state and ib_port_phys_state, 6.12). A list requires
// exactly these ports, "mlx5_0:1" or all of "mlx5_0", Disabled or not. A port beside a GPU that is
// off is not a training port, but an outlier if those of equal NICs train.

namespace {

constexpr std::uint64_t highest_state = 5;  // ACTIVE_DEFER
constexpr std::uint64_t highest_phys_state = 7;

struct PortStates {
    Result<NumberedWord> state;
    Result<NumberedWord> phys;
};

// Returns the meaning of a port that is not up.
std::string meaning(const PortStates& now, const std::string& layer) {
    static const std::map<std::uint64_t, const char*> of_link{
        {1, "the port is in the sleep state"},
        {2, "the port receives no signal: check the cable, the optics and the switch port"},
        {3, "the port has no carrier, or it was switched off"},
        {4, "the link is still training"},
        {6, "the link is recovering from errors"},
        {7, "the port is in a test mode"}};
    if (now.phys) {
        if (const auto found = of_link.find(now.phys->number); found != of_link.end()) {
            return found->second;
        }
    }
    const std::uint64_t state = now.state ? now.state->number : 0;
    if (state == 2 && layer == "InfiniBand") {
        return "the link is up, but no subnet manager has configured the port";
    }
    return state == 2   ? "the link is up, but the driver has not configured the port"
           : state == 3 ? "the subnet manager has not activated the port"
           : state == 1 ? "the link is up but the port is down: its network interface may be down"
                        : "";
}

// Returns the next step for a port that may be switched off, or whose link is up, so that the cable
// is not the cause.
std::string step_for_state(const PortStates& now, const std::string& layer) {
    constexpr std::uint64_t phys_disabled = 3;
    if (now.phys && now.phys->number == phys_disabled && layer == "Ethernet") {
        return "ip link show; if the network interface is switched off, bring it up; if the port "
               "stays down, check the cable, the optics and the switch port";
    }
    if (!now.phys || now.phys->number != phys_link_up || !now.state) {
        return "";
    }
    const bool managed =
        layer == "InfiniBand" && (now.state->number == 2 || now.state->number == 3);
    return managed ? "sudo sminfo; if no subnet manager answers, start one"
           : now.state->number == 1 && layer == "Ethernet"
               ? "ip link show; if the network interface is down, bring it up"
               : "sudo dmesg | grep -e bnxt -e mlx5 -e ionic; rdma link show";
}

bool is_known(const Result<NumberedWord>& state, std::uint64_t highest) {
    return state && state->number > 0 && state->number <= highest;
}

Assessment judge(const Fs& fs, const RdmaPort& port, Reread reread) {
    const PortStates now{port_state(fs, port, reread), port_phys_state(fs, port, reread)};
    const bool bad = (is_known(now.state, highest_state) && now.state->number != state_active) ||
                     (is_known(now.phys, highest_phys_state) && now.phys->number != phys_link_up);
    if (!bad) {
        for (const auto* each : {&now.state, &now.phys}) {
            if (!*each) {
                return unreadable({}, each->error(), "active");
            }
        }
        if (!is_known(now.state, highest_state) || !is_known(now.phys, highest_phys_state)) {
            return unreadable({},
                              garbled(port.folder, "is in an unknown state: " + now.state->word +
                                                       ", " + now.phys->word),
                              "active");
        }
        return compared({}, "active", "active");
    }
    const auto word = [](const Result<NumberedWord>& state) {
        return state ? state->word : std::string("unknown");
    };
    auto row = compared({}, "active", word(now.state) + ", " + word(now.phys));
    const auto layer = port_link_layer(fs, port);
    const auto what = meaning(now, layer ? *layer : "");
    row.detail = port.name() + (what.empty() ? "" : ": " + what);
    row.next_step = step_for_state(now, layer ? *layer : "");
    return row;
}

bool names_port(const Value& name, const RdmaPort& port) {
    return *name.text() == port.name() || *name.text() == port.device;
}

bool is_listed(const Value& listed, const RdmaPort& port) {
    const auto& names = *listed.list();
    return std::any_of(names.begin(), names.end(),
                       [&](const Value& name) { return names_port(name, port); });
}

// Returns the ports of a site's list, which overrides the node's own data.
TrainingPorts listed_ports(const Context& context, const Value& listed,
                           std::vector<Assessment>& missing) {
    TrainingPorts out = training_ports(context);
    out.ports.clear();
    std::erase_if(out.unread, [](const UnreadNic& each) { return each.target.suffix != ""; });
    for (const auto& device : out.devices) {
        for (const auto& port : device.ports ? *device.ports : std::vector<RdmaPort>()) {
            if (is_listed(listed, port) && !context.machine.asleep(port.bdf)) {
                out.ports.push_back(port);
            }
        }
    }
    for (const auto& name : *listed.list()) {
        const bool found =
            std::any_of(out.ports.begin(), out.ports.end(),
                        [&](const RdmaPort& port) { return names_port(name, port); });
        if (!found && !out.uncertain && out.unread.empty()) {
            missing.push_back(
                compared({printable(*name.text(), 40), std::nullopt, ""}, "active", "missing"));
            missing.back().detail = "this RDMA port does not exist; the names may have changed";
            missing.back().next_step = "rdma link show";
        }
    }
    return out;
}

void add_outliers(const Fs& fs, const TrainingPorts& training,
                  const std::vector<OutlierPort>& outliers, Reread reread,
                  std::vector<Assessment>& rows) {
    for (const auto& [port, like] : outliers) {
        auto row = judge(fs, port, reread);
        row.target = training.target_of(port);
        if (row.outcome == Outcome::differs) {
            row.detail += "; " + number(like) + (like == 1 ? " port" : " ports") +
                          " of similar NICs " + (like == 1 ? "is up" : "are up");
            row.next_step =
                "rdma link show; ip link show; enable the port, or set NCCL_IB_HCA to the ports "
                "that jobs use";
        }
        rows.push_back(std::move(row));
    }
}

// Judges all ports. If all are excluded, jobs have no training port.
std::vector<Assessment> judge_all(const Context& context, const TrainingPorts& training,
                                  Reread reread) {
    auto rows = judge_ports(training, "active", [&](const RdmaPort& port) {
        return judge(context.fs(), port, reread);
    });
    const bool none = training.ports.empty() && !training.left_out.empty();
    if (none && training.unread.empty()) {
        rows.front() = compared({}, "active", "no port");
        rows.front().detail = training.left_out_text();
        rows.front().by_variable = training.left_out_by();
        rows.front().next_step = training.left_out_by().empty() ? "" : correct_hca_list;
    }
    return rows;
}

std::vector<Assessment> assess_port(const Setting&, const Context& context,
                                    const Expectation& expectation) {
    std::vector<Assessment> missing;
    const bool listed = expectation.value.list() != nullptr;
    const auto training =
        listed ? listed_ports(context, expectation.value, missing) : training_ports(context);
    const auto outliers = listed ? std::vector<OutlierPort>() : outlier_ports(context, training);
    auto rows = judged_after_wait(context.fs(), [&](Reread reread) {
        auto all = judge_all(context, training, reread);
        add_outliers(context.fs(), training, outliers, reread, all);
        return all;
    });
    const bool nothing = training.ports.empty() && !missing.empty();
    if (nothing) {
        rows.clear();
    }
    rows.insert(rows.end(), missing.begin(), missing.end());
    return rows;
}

}  // namespace

const Setting& rdma_port() {
    static const Setting setting{
        .info =
            {
                .id = "rdma.port",
                .summary = "Whether each RDMA port that jobs use is up",
                .why = "A collective over a port that is down fails or uses a slower path",
                .source = "ROCm/system-acceptance-docs docs/network/validation.md, 2026-07; linux "
                          "drivers/infiniband/core/sysfs.c, 6.12",
                .target = "PCI function",
                .read_from = "/sys/class/infiniband/*/ports/*/{state,phys_state,link_layer}",
                .set_by = "",
                .next_step = "rdma link show; if the port stays down, check the cable, the optics "
                             "and the switch port",
                .persist = "",
                .risk_note = "",
                .over_cluster = OverCluster::equal,
                .forms = {{.kind = FormKind::word, .words = {"active"}},
                          {.kind = FormKind::text_list, .lowest = 1}},
            },
        .assess = assess_port,
    };
    return setting;
}

// rdma.rate: Gb/s of each training port. A port that is not up shows the lowest rate, or that of
// its last link (linux drivers/infiniband/core/verbs.c ib_get_eth_speed, 6.12), so its rate is read
// only while it is up. "model" expects the rate of AMD's reference nodes with these GPUs. "equal"
// compares all training ports regardless of the NIC model: a collective waits for the slowest.

namespace {

// Returns the rate; fails for a NIC that cannot be identified.
Result<std::string> rate_of(const Context& context, const RdmaPort& port, Reread reread) {
    const Fs& fs = context.fs();
    if (const auto error = context.machine.function(port.bdf).error) {
        return *error;
    }
    const auto state = port_phys_state(fs, port, reread);
    if (!state) {
        return state.error();
    }
    if (state->number != phys_link_up) {
        return Error{
            ErrorKind::io, 0, port.folder,
            port.name() + " is " + printable(state->word, 20) + ", so its rate was not judged"};
    }
    return port_rate(fs, port, reread);
}

// Returns the rate; std::nullopt for GPUs of several models, or of a model without a published
// rate.
std::optional<std::string> rate_of_models(const Machine& machine) {
    std::uint32_t rate = 0;
    for (const auto& gpu : machine.gpus()) {
        const GpuModel* model = is_for_compute(gpu) ? gpu_model(gpu.device) : nullptr;
        if (model == nullptr || (rate != 0 && model->nic_gbps != rate)) {
            return std::nullopt;
        }
        rate = model->nic_gbps;
    }
    return rate == 0 ? std::nullopt : std::optional(number(rate));
}

// Returns a note on a port whose NIC is of another model than the majority; empty if it is not.
std::string other_model(const Machine& machine, const TrainingPorts& training,
                        const RdmaPort& port) {
    const std::string kind = kind_of_nic(machine, port.bdf);
    const auto same = std::count_if(
        training.ports.begin(), training.ports.end(),
        [&](const RdmaPort& other) { return kind_of_nic(machine, other.bdf) == kind; });
    const bool is_outlier = static_cast<std::size_t>(same) * 2 < training.ports.size();
    return is_outlier ? "the NIC is a " + kind + ", unlike most NICs: NCCL_IB_HCA can exclude it"
                      : "";
}

// Adds the unread ports, so that agreement is not reported.
void add_unasked(const TrainingPorts& training, LikeDevices& all) {
    for (const auto& [target, error] : training.unread) {
        all.values.push_back({.device = target.text(), .kind = "", .value = error});
    }
}

std::vector<Assessment> judge_all(const Context& context, const TrainingPorts& training,
                                  const std::string& expected, Reread reread) {
    const auto of_model = expected == "model" ? rate_of_models(context.machine) : std::nullopt;
    LikeDevices all;
    for (const auto& port : training.ports) {
        all.values.push_back({.device = training.target_of(port).text(),
                              .kind = "",
                              .value = rate_of(context, port, reread),
                              .of_model = of_model,
                              .left_out = context.leaves_out(port.bdf)});
        if (all.values.back().value) {
            all.values.back().note = other_model(context.machine, training, port);
        }
    }
    std::vector<Assessment> rows;
    if (!all.values.empty()) {
        add_unasked(training, all);
        rows = judge_nics(all, expected, {});
    }
    add_unjudged(training, expected, rows);
    return rows;
}

std::vector<Assessment> assess_port_rates(const Setting&, const Context& context,
                                          const Expectation& expectation) {
    const auto training = training_ports(context);
    return judged_after_wait(context.fs(), [&](Reread reread) {
        return judge_all(context, training, plain_text(expectation.value), reread);
    });
}

constexpr Grade rate_grades[] = {
    {"pcie", Level::info, "A card with two PCI functions spreads one port over both"},
};

// Returns the maximum Gb/s of the function's PCIe link, without the encoding (8b/10b up to 5 GT/s,
// then 128b/130b; PCI Express Base Specification). Returns std::nullopt if it is unknown, as for
// virtual functions and guests.
std::optional<std::uint64_t> pcie_gbps(const Context& context, const std::string& bdf) {
    if (context.machine.in_guest() || context.fs().link(pci_path(bdf, "/physfn"))) {
        return std::nullopt;
    }
    const auto& link = context.machine.reader_of(bdf).link();
    if (!link || link->most.speed == 0 || link->most.width == 0) {
        return std::nullopt;
    }
    constexpr std::uint64_t tenths = 10;
    constexpr std::uint64_t last_8b10b = 50;
    const std::uint64_t raw = link->most.speed * link->most.width;
    return link->most.speed <= last_8b10b ? raw * 8 / 10 / tenths : raw * 128 / 130 / tenths;
}

// Adds one row for all ports whose rate agrees with the other ports but exceeds their own PCIe
// link.
void add_too_fast(const Context& context, const TrainingPorts& training,
                  std::vector<Assessment>& rows) {
    std::vector<std::string> names;
    std::string rate;
    std::uint64_t carried = 0;
    for (const auto& port : training.ports) {
        const auto target = training.target_of(port).text();
        const auto row = std::find_if(rows.begin(), rows.end(), [&](const Assessment& each) {
            return each.target.text() == target && each.outcome != Outcome::differs && each.have;
        });
        const auto gbps = row == rows.end() ? std::nullopt : parse_number(*row->have);
        const auto most = gbps ? pcie_gbps(context, port.bdf) : std::nullopt;
        if (most && *gbps > *most) {
            names.push_back(port.name());
            rate = *row->have;
            carried = *most;
        }
    }
    if (names.empty()) {
        return;
    }
    auto row = compared({}, number(carried), rate);
    row.outcome = Outcome::differs;
    row.grade = &rate_grades[0];
    row.detail = (names.size() == training.ports.size() && names.size() > 1
                      ? "each of the " + number(names.size()) + " ports reports "
                      : join(names, ", ") + (names.size() == 1 ? " reports " : " report ")) +
                 rate + " Gb/s, but the PCIe link of the NIC carries at most " + number(carried);
    row.next_step = "ibv_devinfo -v | grep -e hca_id -e active_width -e active_speed";
    rows.push_back(std::move(row));
}

std::vector<Assessment> assess_rate(const Setting& setting, const Context& context,
                                    const Expectation& expectation) {
    auto rows = assess_port_rates(setting, context, expectation);
    if (expectation.value.text() != nullptr) {  // the number of a site decides
        add_too_fast(context, training_ports(context), rows);
    }
    return rows;
}

std::vector<ClusterFact> facts_of_rate(const Setting& setting, const Context& context) {
    auto ports = setting;
    ports.assess = assess_port_rates;
    return assessed_facts(ports, context);
}

}  // namespace

const Setting& rdma_rate() {
    static const Setting setting{
        .info =
            {
                .id = "rdma.rate",
                .summary = "Rate of each RDMA port that jobs use, in Gb/s",
                .why = "One port at a lower rate slows every collective",
                .source = "ROCm/system-acceptance-docs docs/network/validation.md, 2026-07; linux "
                          "drivers/infiniband/core/sysfs.c, 6.12",
                .target = "PCI function",
                .read_from = "/sys/class/infiniband/*/ports/*/{rate,phys_state}, "
                             "max_link_{speed,width} of the NIC's PCI function",
                .set_by = "",
                .next_step = "rdma link show; if one port is slower, compare its cable, optics and "
                             "switch port with those of a healthy port",
                .persist = "",
                .risk_note = "",
                .over_cluster = OverCluster::equal,
                .forms = {{.kind = FormKind::word, .words = {"equal", "model"}},
                          {.kind = FormKind::integer, .lowest = 1, .highest = 10000}},
                .grades = rate_grades,
            },
        .assess = assess_rate,
        .facts = facts_of_rate,
    };
    return setting;
}

}  // namespace rocenv
