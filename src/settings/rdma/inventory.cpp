// SPDX-License-Identifier: MIT
#include "settings/rdma/inventory.h"

#include <algorithm>
#include <cerrno>
#include <iterator>
#include <map>
#include <set>

#include "machine/pci/pci.h"
#include "machine/rdma/rdma.h"
#include "settings/shapes/devices.h"
#include "util/place_pattern.h"
#include "util/text.h"

namespace rocenv {

namespace {

struct NicId {
    std::uint32_t vendor;
    std::uint32_t device;
};

constexpr NicId nic_ids[] = {
#include "facts/nic_ids.inc"
};

constexpr std::uint32_t infiniband_class = 0x0207;

constexpr std::string_view rdma_drivers[] = {
#include "facts/rdma_drivers.inc"
};

bool is_virtual(const Machine& machine, const std::string& bdf) {
    return machine.fs().link(pci_path(bdf, "/physfn")).ok();
}

std::vector<std::string> compute_gpus(const Machine& machine) {
    std::vector<std::string> out;
    for (const auto& gpu : machine.gpus()) {
        if (is_for_compute(gpu) && gpu.on_pci) {
            out.push_back(gpu.bdf);
        }
    }
    return out;
}

// Returns the common part of PCI of neighbouring functions: the root port, or the root itself.
// Empty if unknown.
std::string part_of(const Machine& machine, const std::string& bdf, bool port) {
    const auto place = machine.place_of(bdf);
    if (!place || place->root.empty()) {
        return "";
    }
    if (!port) {
        return bdf.substr(0, bdf.find(':')) + place->root;
    }
    return place->bridges.empty() ? "" : place->bridges.front();
}

// Returns the NICs that share such a part with a GPU; none if fewer than half of the GPUs have one.
std::set<std::string> beside(const Machine& machine, const std::vector<std::string>& gpus,
                             const std::set<std::string>& nics, bool port) {
    std::multimap<std::string, std::string> by_part;
    for (const auto& nic : nics) {
        by_part.emplace(part_of(machine, nic, port), nic);
    }
    by_part.erase("");
    std::set<std::string> out;
    std::size_t served = 0;
    for (const auto& gpu : gpus) {
        const auto [begin, end] = by_part.equal_range(part_of(machine, gpu, port));
        served += begin == end ? 0U : 1U;
        std::transform(begin, end, std::inserter(out, out.end()),
                       [](const auto& each) { return each.second; });
    }
    return served * 2 >= gpus.size() ? out : std::set<std::string>();
}

// The devices below one root port.
struct GpuGroup {
    std::vector<std::string> gpus;
    std::set<std::string> cards;
};

std::vector<GpuGroup> groups_of_gpus(const Machine& machine, const std::set<std::string>& nics) {
    std::map<std::string, GpuGroup> by_port;
    for (const auto& gpu :
         machine.gpus_uncertain() ? std::vector<std::string>() : compute_gpus(machine)) {
        by_port[part_of(machine, gpu, true)].gpus.push_back(gpu);
    }
    by_port.erase("");
    for (const auto& nic : nics) {
        const auto group = by_port.find(part_of(machine, nic, true));
        if (group != by_port.end()) {
            group->second.cards.insert(card_of(nic));
        }
    }
    std::vector<GpuGroup> out;
    out.reserve(by_port.size());
    for (auto& [port, group] : by_port) {
        out.push_back(std::move(group));
    }
    return out;
}

// Returns the gap; std::nullopt if the group equals the majority of its size, or without a
// majority.
std::optional<NicGap> gap_of(const GpuGroup& group, const std::vector<GpuGroup>& groups) {
    constexpr std::size_t fewest = 3;
    std::map<std::size_t, std::size_t> counts;  // number of groups by their number of cards
    std::size_t compared = 0;
    for (const auto& each : groups) {
        if (each.gpus.size() == group.gpus.size()) {
            ++counts[each.cards.size()];
            ++compared;
        }
    }
    for (const auto& [cards, count] : counts) {
        if (count >= fewest && count * 2 > compared && cards > group.cards.size()) {
            return NicGap{group.gpus, group.cards.size(), cards, count};
        }
    }
    return std::nullopt;
}

}  // namespace

bool is_rdma_nic(const PciFunction& function) {
    return !function.error &&
           (function.class_code >> 8 == infiniband_class ||
            (function.class_code >> 16 == network_class &&
             std::any_of(std::begin(nic_ids), std::end(nic_ids), [&](const NicId& id) {
                 return id.vendor == function.vendor && id.device == function.device;
             })));
}

std::optional<Error> lost_nic(const Machine& machine) {
    const auto& functions = machine.pci();
    if (!functions) {
        return functions.is(ErrorKind::not_here) ? std::nullopt : std::optional(functions.error());
    }
    for (const auto& function : *functions) {
        if (is_rdma_nic(function) && !is_virtual(machine, function.bdf)) {
            return Error{ErrorKind::not_here, 0, pci_path(function.bdf, "/infiniband"),
                         function.bdf + " is an RDMA NIC by its id, but has no RDMA device"};
        }
    }
    return std::nullopt;
}

std::vector<std::string> nics_without_rdma(const Machine& machine) {
    std::vector<std::string> out;
    const auto& functions = machine.pci();
    for (const auto& function : functions ? *functions : std::vector<PciFunction>()) {
        if (function.error || function.class_code >> 16 != network_class) {
            continue;
        }
        const auto& driver = machine.reader_of(function.bdf).driver();
        if (driver && std::find(std::begin(rdma_drivers), std::end(rdma_drivers), *driver) !=
                          std::end(rdma_drivers)) {
            out.push_back(function.bdf + " (" + kind_of_nic(machine, function.bdf) + ", " +
                          *driver + ")");
        }
    }
    return out;
}

std::string card_of(const std::string& bdf) {
    return bdf.substr(0, bdf.rfind('.'));
}

std::string kind_of_nic(const Machine& machine, const std::string& bdf) {
    const PciFunction function = machine.function(bdf);
    return bare_hex(function.vendor, 4) + ":" + bare_hex(function.device, 4);
}

std::set<std::string> nics_beside_gpus(const Machine& machine, const std::set<std::string>& nics) {
    const auto gpus = compute_gpus(machine);
    if (gpus.empty() || machine.gpus_uncertain()) {
        return {};
    }
    auto near = beside(machine, gpus, nics, true);
    return near.empty() ? beside(machine, gpus, nics, false) : near;
}

std::vector<NicGap> gaps_beside_gpus(const Machine& machine, const std::set<std::string>& nics) {
    std::vector<NicGap> out;
    const auto groups = groups_of_gpus(machine, nics);
    for (const auto& group : groups) {
        if (auto gap = gap_of(group, groups)) {
            out.push_back(*std::move(gap));
        }
    }
    return out;
}

std::set<std::string> nics_of_the_host(const Machine& machine, const std::set<std::string>& nics) {
    const auto near = nics_beside_gpus(machine, nics);
    std::set<std::string> kinds;
    for (const auto& nic : near) {
        kinds.insert(machine.function(nic).error ? "" : kind_of_nic(machine, nic));
    }
    if (near.empty() || kinds.contains("")) {
        return {};
    }
    std::set<std::string> out;
    std::copy_if(nics.begin(), nics.end(), std::inserter(out, out.end()),
                 [&](const std::string& nic) {
                     return !machine.function(nic).error && !near.contains(nic) &&
                            !kinds.contains(kind_of_nic(machine, nic));
                 });
    return out;
}

Result<std::set<std::string>> bonds_of(const Machine& machine, const std::string& bdf) {
    const auto names = netdevs_of(machine, bdf);
    if (!names) {
        return names.error();
    }
    std::set<std::string> out;
    for (const auto& name : *names) {
        const auto master = master_of(machine.fs(), pci_path(bdf) + "/net/" + name);
        if (!master) {
            return master.error();
        }
        if (!master->empty() && exists(machine.fs(), "/sys/class/net/" + *master + "/bonding")) {
            out.insert(*master);
        }
    }
    return out;
}

namespace {

constexpr const char* nic_log_commands =
    "sudo dmesg | grep -e bnxt -e mlx5 -e ionic; rdma link show";

// Returns the number at the start of a text, like atoi(3); else 0.
std::int64_t leading_number(std::string_view text) {
    const auto end = std::min(text.find_first_not_of("0123456789"), text.size());
    return static_cast<std::int64_t>(parse_number(text.substr(0, end)).value_or(0));
}

Target of(const std::string& bdf) {
    return {bdf, std::nullopt, ""};
}

// Returns true if a network interface of the port is up and has no carrier. Most drivers of RoCE
// NICs report a dead cable as Disabled as well (linux drivers/infiniband/hw/bnxt_re/ib_verbs.c
// bnxt_re_query_port, hw/mlx5/main.c mlx5_query_port_roce, 6.12). An interface that is down does
// not wait for a carrier.
Result<bool> lacks_carrier(const Machine& machine, const RdmaPort& port) {
    const auto names = netdevs_of(machine, port.bdf);
    if (!names) {
        return names.error();
    }
    for (const auto& name : *names) {
        const std::string folder = pci_path(port.bdf) + "/net/" + name;
        const auto of_port = machine.fs().read(folder + "/dev_port");
        const auto number = of_port ? parse_number(trim(*of_port)) : std::nullopt;
        if (names->size() > 1 && number && *number + 1 != port.number) {
            continue;
        }
        const auto carrier = has_carrier(machine.fs(), folder);
        const bool unstated =
            carrier.is(ErrorKind::not_here) || (!carrier && carrier.error().err == EINVAL);
        if (!carrier && !unstated) {
            return carrier.error();
        }
        if (carrier && !*carrier) {
            return true;
        }
    }
    return false;
}

std::set<std::string> nics_of(const std::vector<RdmaDevice>& devices) {
    std::set<std::string> nics;
    for (const auto& device : devices) {
        nics.insert(device.bdf);
    }
    return nics;
}

// A sorter of the ports of one device: training, not training, and unread.
class Sorter {
   public:
    Sorter(const Context& context, TrainingPorts& out)
        : context_(context),
          named_(context.process.variable("NCCL_IB_HCA").value_or("")),
          out_(out) {
        if (!named_.names_ports()) {
            of_host_ = nics_of_the_host(context.machine, nics_of(out.devices));
        }
    }

    void take(const RdmaDevice& device) {
        if (!device.verbs) {
            return;
        }
        if (of_host_.contains(device.bdf)) {
            out_.left_out.push_back(device.name + " (beside no GPU, and a " +
                                    kind_of_nic(context_.machine, device.bdf) +
                                    ", unlike the NICs beside GPUs)");
            return;
        }
        const auto sleeping = context_.machine.asleep(device.bdf);
        if (sleeping || !device.ports) {
            const auto selected = !named_.names_ports() || named_.selects({device.name, 1, "", ""});
            if (selected) {
                out_.unread.push_back(
                    {of(device.bdf), sleeping ? *sleeping : device.ports.error()});
            }
            return;
        }
        for (const auto& port : *device.ports) {
            take(port);
        }
    }

    // Excludes virtual functions, unless all are virtual, as in guests and containers.
    void leave_virtual_to_others() {
        std::vector<RdmaPort> own;
        std::copy_if(out_.ports.begin(), out_.ports.end(), std::back_inserter(own),
                     [&](const RdmaPort& port) {
                         return !context_.fs().link(pci_path(port.bdf, "/physfn"));
                     });
        if (!own.empty() && !named_.names_ports()) {
            out_.ports = std::move(own);
        }
    }

   private:
    void take(const RdmaPort& port) {
        if (!named_.selects(port)) {
            out_.left_out.push_back(port.name() + " (NCCL_IB_HCA)");
            return;
        }
        if (named_.names_ports()) {
            out_.ports.push_back(port);
            return;
        }
        const auto state = port_phys_state(context_.fs(), port);
        const bool off = state && (state->number == phys_disabled || state->number == phys_sleep);
        const auto cut = off ? lacks_carrier(context_.machine, port) : Result(false);
        if (!state || !cut) {
            out_.unread.push_back({out_.target_of(port), state ? cut.error() : state.error()});
        } else if (off && !*cut) {
            out_.left_out.push_back(port.name() + " (" + printable(state->word, 20) + ")");
            out_.off.push_back(port);
        } else {
            out_.ports.push_back(port);
        }
    }

    const Context& context_;
    const HcaList named_;
    std::set<std::string> of_host_;
    TrainingPorts& out_;
};

}  // namespace

HcaList::HcaList(std::string_view text) {
    denies_ = text.starts_with('^');
    text.remove_prefix(denies_ ? 1 : 0);
    exact_ = text.starts_with('=');
    text.remove_prefix(exact_ ? 1 : 0);
    for (const auto part : split(text, ',')) {
        add(part);
    }
}

// Adds an entry. Text behind a second colon is ignored.
void HcaList::add(std::string_view entry) {
    constexpr std::size_t most = 32;  // limit of RCCL: MAX_IB_DEVS
    const auto colon = entry.find(':');
    const auto name = entry.substr(0, colon);
    if (!name.empty() && entries_.size() < most) {
        entries_.push_back(
            {std::string(name), colon == std::string_view::npos
                                    ? std::nullopt
                                    : std::optional(leading_number(entry.substr(colon + 1)))});
    }
}

// A list without entries accepts all ports, so that "^" alone excludes all.
bool HcaList::selects(const RdmaPort& port) const {
    return (entries_.empty() || matches(port)) != denies_;
}

bool HcaList::matches(const RdmaPort& port) const {
    return std::any_of(entries_.begin(), entries_.end(), [&](const Entry& entry) {
        const bool name = exact_ ? port.device == entry.name : port.device.starts_with(entry.name);
        return name && (!entry.port || *entry.port == port.number);
    });
}

Target TrainingPorts::target_of(const RdmaPort& port) const {
    std::size_t count = 0;
    for (const auto& device : devices) {
        count += device.bdf == port.bdf && device.ports ? device.ports->size() : 0;
    }
    return {port.bdf, std::nullopt, count > 1 ? "/" + port.name() : ""};
}

std::vector<std::string> TrainingPorts::slingshot() const {
    std::vector<std::string> out;
    for (const auto& device : devices) {
        if (!device.verbs) {
            out.push_back(device.name);
        }
    }
    return out;
}

std::size_t TrainingPorts::without_ports() const {
    return slingshot().size();
}

std::string TrainingPorts::none_text() const {
    constexpr std::size_t most = 8;
    std::vector<std::string> named(
        others.begin(),
        others.begin() + static_cast<std::ptrdiff_t>(std::min(most, others.size())));
    if (others.size() > most) {
        named.push_back(number(others.size() - most) + " more");
    }
    return "this node has no RDMA NIC" +
           (named.empty() ? "" : "; without an RDMA device: " + join(named, ", "));
}

bool TrainingPorts::trains(const std::string& bdf) const {
    return std::any_of(ports.begin(), ports.end(),
                       [&](const RdmaPort& port) { return port.bdf == bdf; });
}

std::size_t TrainingPorts::left_out_by_variable() const {
    const auto count = std::count_if(left_out.begin(), left_out.end(), [](const std::string& each) {
        return each.ends_with(" (NCCL_IB_HCA)");
    });
    return static_cast<std::size_t>(count);
}

std::string_view TrainingPorts::left_out_by() const {
    const bool all = ports.empty() && unread.empty() && !left_out.empty() &&
                     left_out_by_variable() == left_out.size();
    return all ? "NCCL_IB_HCA" : "";
}

std::string TrainingPorts::left_out_text() const {
    return left_out.empty() ? "" : "excluded: " + join(left_out, ", ");
}

std::string place_on_card(const RdmaPort& port) {
    return port.bdf.substr(card_of(port.bdf).size()) + ":" + number(port.number);
}

TrainingPorts training_ports(const Context& context) {
    TrainingPorts out;
    auto devices = rdma_devices(context.machine);
    if (!devices) {
        out.uncertain = devices.error();
        return out;
    }
    out.devices = std::move(devices).value();
    if (out.devices.empty()) {
        out.lost = lost_nic(context.machine);
        out.others = nics_without_rdma(context.machine);
    }
    Sorter sorter(context, out);
    for (const auto& device : out.devices) {
        sorter.take(device);
    }
    sorter.leave_virtual_to_others();
    return out;
}

std::size_t count_waived(const Context& context, const TrainingPorts& training,
                         const std::function<bool(const PciFunction&)>& is_nic) {
    const auto& functions = context.machine.pci();
    if (context.left_out == nullptr || context.left_out->empty() || !functions) {
        return 0;
    }
    auto others = nics_of_the_host(context.machine, nics_of(training.devices));
    for (const auto& device : training.devices) {
        if (!device.verbs) {  // counted as one port
            others.insert(device.bdf);
        }
    }
    return static_cast<std::size_t>(
        std::count_if(functions->begin(), functions->end(), [&](const PciFunction& function) {
            return context.leaves_out(function.bdf) && !training.trains(function.bdf) &&
                   !others.contains(function.bdf) && (function.error || is_nic(function));
        }));
}

std::size_t count_left_out(const Context& context, const TrainingPorts& training) {
    const auto waived =
        std::count_if(training.off.begin(), training.off.end(),
                      [&](const RdmaPort& port) { return context.leaves_out(port.bdf); });
    const auto others = nics_of_the_host(context.machine, nics_of(training.devices)).size() +
                        static_cast<std::size_t>(waived);
    return training.left_out.size() - std::min(training.left_out.size(), others);
}

void add_unread(const std::vector<UnreadNic>& unread, const std::string& expected,
                std::vector<Assessment>& rows) {
    std::set<std::string> reported;
    for (const auto& row : rows) {
        reported.insert(row.target.text());
    }
    for (const auto& [target, error] : unread) {
        if (reported.insert(target.text()).second) {
            rows.push_back(unreadable(target, error, expected));
        }
    }
}

Assessment nothing_trains(const std::string& expected, std::string detail) {
    Assessment row;
    row.expected = expected;
    row.detail = std::move(detail);
    row.next_step = nic_log_commands;
    return row;
}

void add_unjudged(const TrainingPorts& training, const std::string& expected,
                  std::vector<Assessment>& rows) {
    add_unread(training.unread, expected, rows);
    if (training.uncertain) {
        rows.push_back(unreadable({}, *training.uncertain, expected));
    }
    if (!rows.empty()) {
        return;
    }
    if (training.devices.size() == training.without_ports()) {
        rows.push_back(training.devices.empty()
                           ? no_rdma_nic(training, expected)
                           : no_target("the kernel reports no ports of Slingshot NICs: " +
                                       join(training.slingshot(), ", ")));
        return;
    }
    rows.push_back(
        nothing_trains(expected, "no training port is available; " + training.left_out_text()));
    rows.back().by_variable = training.left_out_by();
    if (!training.left_out_by().empty()) {
        rows.back().next_step = correct_hca_list;
    }
}

Assessment no_rdma_nic(const TrainingPorts& training, const std::string& expected) {
    if (!training.lost) {
        return no_target(training.none_text());
    }
    auto row = unreadable({}, *training.lost, expected);
    row.next_step = nic_log_commands;
    return row;
}

std::vector<Assessment> judge_ports(const TrainingPorts& training, const std::string& expected,
                                    const std::function<Assessment(const RdmaPort&)>& judge) {
    std::vector<Assessment> rows;
    for (const auto& port : training.ports) {
        rows.push_back(judge(port));
        rows.back().target = training.target_of(port);
    }
    add_unjudged(training, expected, rows);
    return rows;
}

std::vector<Assessment> judge_nics(const LikeDevices& devices, const std::string& expected,
                                   LikeRules rules) {
    rules.log_command = nic_log_commands;
    return judge_alike(devices, expected, rules);
}

namespace {

Target function_target(const std::string& bdf) {
    return {bdf, std::nullopt, ""};
}

// A search for the interfaces of functions, then those above them.
class NetdevSearch {
   public:
    NetdevSearch(const Context& context, RdmaNetdevs& out)
        : machine_(context.machine), fs_(context.fs()), out_(out) {}

    void add_function(const std::string& bdf, bool slingshot) {
        const auto names = netdevs_of(machine_, bdf);
        for (const auto& name : names ? *names : std::vector<std::string>()) {
            add_interface({.name = name, .bdf = bdf, .slingshot = slingshot});
        }
        if (!names) {
            out_.unread.push_back({function_target(bdf), names.error()});
        } else if (names->empty()) {
            without_.push_back(bdf);
        }
    }

    // Adds interfaces above. A bond has the addresses of its members; a VLAN has its own in
    // addition.
    void add_above(const RdmaPort& port) {
        const auto names = gid_netdevs(fs_, port);
        if (!names) {
            out_.unread.push_back({function_target(port.bdf), names.error()});
            return;
        }
        for (const auto& name : *names) {
            above_.emplace(name, RdmaNetdev{.name = name, .bdf = port.bdf, .above = true});
        }
    }

    void finish() {
        explain_missing();
        for (const auto& netdev : out_.all) {
            above_.erase(netdev.name);
        }
        for (auto& [name, netdev] : above_) {
            if (exists(fs_, netdev.folder())) {  // it may be in another namespace
                add_members(netdev);
                out_.all.push_back(std::move(netdev));
            }
        }
    }

   private:
    void add_interface(RdmaNetdev netdev) {
        const auto master = master_of(fs_, netdev.folder());
        if (!master) {
            out_.unread.push_back({function_target(netdev.bdf), master.error()});
        } else if (!master->empty()) {
            netdev.enslaved = true;
            above_.emplace(*master, RdmaNetdev{.name = *master,
                                               .bdf = netdev.bdf,
                                               .slingshot = netdev.slingshot,
                                               .above = true});
        }
        out_.all.push_back(std::move(netdev));
    }

    // Adds the members of an interface above. Two bonded functions of a card share one RDMA device,
    // so one member belongs to a function without a device. A VLAN also has its interface below.
    void add_members(const RdmaNetdev& above) {
        constexpr std::string_view prefix = "lower_";
        const auto names = fs_.list(above.folder());
        if (!names) {
            out_.unread.push_back({{above.name, std::nullopt, ""}, names.error()});
            return;
        }
        for (const auto& entry : *names) {
            const std::string name = entry.substr(std::min(prefix.size(), entry.size()));
            const bool known = above_.contains(name) ||
                               std::any_of(out_.all.begin(), out_.all.end(),
                                           [&](const auto& each) { return each.name == name; });
            if (entry.starts_with(prefix) && is_interface_name(name) && !known) {
                out_.all.push_back({.name = name,
                                    .bdf = above.bdf,
                                    .slingshot = above.slingshot,
                                    .enslaved = true,
                                    .lower = true});
            }
        }
    }

    // Explains missing interfaces: those of Ethernet NICs are in this or another network namespace.
    void explain_missing() {
        if (!without_.empty() && out_.all.empty() && is_another_network(fs_)) {
            out_.why_none =
                "this network namespace has no interface of the RDMA NICs, because it is not that "
                "of the node";
            return;
        }
        for (const auto& bdf : without_) {
            out_.unread.push_back(
                {function_target(bdf), Error{ErrorKind::not_here, 0, pci_path(bdf, "/net"),
                                             "this network namespace has no interface of the NIC; "
                                             "another network namespace may have it"}});
        }
    }

    const Machine& machine_;
    const Fs& fs_;
    RdmaNetdevs& out_;
    std::map<std::string, RdmaNetdev> above_;
    std::vector<std::string> without_;
};

}  // namespace

std::string RdmaNetdev::folder() const {
    return (above || lower ? "/sys/class/net/" : pci_path(bdf) + "/net/") + name;
}

RdmaNetdevs rdma_netdevs(const Context& context, const TrainingPorts& training) {
    RdmaNetdevs out;
    NetdevSearch search(context, out);
    std::map<std::string, bool> functions;  // address, and true for Slingshot
    std::size_t infiniband = 0;
    for (const auto& device : training.devices) {
        if (!device.verbs) {
            functions.emplace(device.bdf, true);
        }
    }
    for (const auto& port : training.ports) {
        const auto layer = port_link_layer(context.fs(), port);
        if (!layer) {
            out.unread.push_back({function_target(port.bdf), layer.error()});
        } else if (*layer == "Ethernet") {
            functions.emplace(port.bdf, false);
            search.add_above(port);
        } else {
            ++infiniband;
        }
    }
    for (const auto& [bdf, slingshot] : functions) {
        search.add_function(bdf, slingshot);
    }
    search.finish();
    out.unread.insert(out.unread.end(), training.unread.begin(), training.unread.end());
    for (const auto& why : {training.uncertain, training.lost}) {
        if (why) {
            out.unread.push_back({{}, *why});
        }
    }
    if (training.devices.empty() && out.unread.empty()) {
        out.why_none = training.none_text();
    } else if (infiniband > 0 && functions.empty()) {
        out.why_none = "InfiniBand needs no network interface";
    }
    return out;
}

void add_unjudged(const RdmaNetdevs& netdevs, const std::string& expected,
                  std::vector<Assessment>& rows) {
    add_unread(netdevs.unread, expected, rows);
    if (rows.empty()) {
        rows.push_back(
            netdevs.why_none.empty()
                ? nothing_trains(
                      expected,
                      "no training port is available, so no network interface was checked")
                : no_target(netdevs.why_none));
    }
}

std::vector<Assessment> judge_netdevs(const Context& context, const RdmaNetdevs& netdevs,
                                      const std::string& expected,
                                      const std::function<Assessment(const RdmaNetdev&)>& judge) {
    std::vector<Assessment> rows;
    for (const auto& netdev : netdevs.all) {
        if (!netdev.above) {
            const auto sleeping = context.machine.asleep(netdev.bdf);
            rows.push_back(sleeping ? unreadable({}, *sleeping, expected) : judge(netdev));
            rows.back().target = {netdev.name, std::nullopt, ""};
        }
    }
    add_unjudged(netdevs, expected, rows);
    return rows;
}

}  // namespace rocenv
