// SPDX-License-Identifier: MIT
// The network interface of each RDMA NIC: net.link, net.mtu and net.flaps.
#include <algorithm>
#include <cerrno>
#include <map>
#include <set>

#include "machine/kernel_attribute.h"
#include "os/redact/redact_words.h"
#include "settings/rdma/inventory.h"
#include "settings/shapes/devices.h"
#include "util/text.h"

namespace rocenv {

// net.link: the network interface of each RDMA NIC is up, or has a speed in Mb/s. carrier, speed
// and duplex of an interface that is down give `EINVAL` or -1 (linux net/core/net-sysfs.c, 6.12),
// so operstate is read first. "up" expects the speed of the majority over all models, like
// rdma.rate. An interface without a stated speed is not compared. Members of a bond are judged
// individually.

namespace {

Result<std::string> link_word(const Fs& fs, const std::string& path, Reread reread) {
    const auto text = reread == Reread::yes ? fs.read_now(path) : fs.read(path);
    if (!text) {
        return text.error();
    }
    const auto word = trim(*text);
    constexpr std::size_t longest = 20;
    return word.empty() || word.size() > longest || !is_plain(word)
               ? garbled(path, "is not a valid word: " + quoted_value(word))
               : Result(std::string(word));
}

// The states of linux net/core/link_watch.c and RFC 2863.
bool is_operstate(const std::string& word) {
    const std::vector<std::string> known{"unknown", "notpresent", "down", "lowerlayerdown",
                                         "testing", "dormant",    "up"};
    return std::find(known.begin(), known.end(), word) != known.end();
}

// Returns "up", or the fault.
Result<std::string> state_of(const Fs& fs, const std::string& folder, Reread reread) {
    auto state = link_word(fs, folder + "/operstate", reread);
    if (state && !is_operstate(*state)) {
        return garbled(folder + "/operstate", "is not a valid state: \"" + *state + "\"");
    }
    if (!state || (*state != "up" && *state != "unknown")) {
        return state;
    }
    const auto carrier = has_carrier(fs, folder, reread);
    if (!carrier) {
        return carrier.is(ErrorKind::not_here) && *state == "up" ? state : carrier.error();
    }
    return std::string(*carrier ? "up" : "no carrier");
}

// Returns the fault; empty if there is none, or if the driver states "unknown".
Result<std::string> half_duplex(const Fs& fs, const std::string& folder, Reread reread) {
    const auto duplex = link_word(fs, folder + "/duplex", reread);
    if (!duplex) {
        return duplex.is(ErrorKind::not_here) ? Result<std::string>(std::string()) : duplex;
    }
    const bool known = *duplex == "full" || *duplex == "half" || *duplex == "unknown";
    return !known ? garbled(folder + "/duplex", "is not a valid duplex mode: \"" + *duplex + "\"")
                  : Result(std::string(*duplex == "half" ? "half duplex" : ""));
}

Result<std::string> speed_of(const Fs& fs, const std::string& folder, Reread reread) {
    auto speed = link_word(fs, folder + "/speed", reread);
    if (!speed) {
        return speed;
    }
    // SPEED_UNKNOWN is -1; some drivers show it as unsigned.
    const std::string path = folder + "/speed";
    if (*speed == "-1" || *speed == "4294967295" || *speed == "0") {
        return Error{ErrorKind::not_here, 0, path, path + ": reports no speed: \"" + *speed + "\""};
    }
    constexpr std::uint64_t highest = 10000000;
    const auto mbit = parse_number(*speed);
    return mbit && *mbit > 0 && *mbit <= highest
               ? speed
               : garbled(path, "is not a valid speed: \"" + *speed + "\"");
}

Result<std::string> link_of(const Fs& fs, const std::string& folder, const std::string& expected,
                            Reread reread) {
    auto state = state_of(fs, folder, reread);
    if (!state || *state != "up") {
        return state;
    }
    auto wrong = half_duplex(fs, folder, reread);
    if (!wrong || !wrong->empty()) {
        return wrong;
    }
    return expected == "up" ? state : speed_of(fs, folder, reread);
}

// Returns true if the driver states no speed: no file, `EINVAL`, or a value for "unknown".
bool is_unstated(const Result<std::string>& speed) {
    return !speed && (speed.is(ErrorKind::not_here) || speed.error().err == EINVAL);
}

// The speeds of interfaces that are up.
class Speeds {
   public:
    explicit Speeds(const Context& context) : context_(context) {}

    void add(const RdmaNetdev& netdev, Reread reread) {
        const std::string kind = kind_of_nic(context_.machine, netdev.bdf);
        auto speed = speed_of(context_.fs(), netdev.folder(), reread);
        if (speed) {
            with_speed_.insert(kind);
        }
        kinds_[netdev.name] = kind;
        all_.values.push_back({.device = netdev.name,
                               .kind = "",
                               .value = std::move(speed),
                               .left_out = context_.leaves_out(netdev.bdf)});
    }

    // Adds rows for outliers, unreadable speeds, and interfaces without a speed while others of
    // their model state one.
    void judge(std::vector<Assessment>& rows) {
        std::erase_if(all_.values, [&](const DeviceValue& each) {
            return is_unstated(each.value) && !with_speed_.contains(kinds_.at(each.device));
        });
        for (auto& outlier : judge_nics(all_, "equal", {})) {
            const bool reports =
                outlier.outcome == Outcome::differs || outlier.outcome == Outcome::unknown;
            const auto row = std::find_if(rows.begin(), rows.end(), [&](const Assessment& each) {
                return each.target.text() == outlier.target.text();
            });
            if (reports && row != rows.end()) {
                *row = std::move(outlier);
            }
        }
    }

   private:
    const Context& context_;
    LikeDevices all_;
    std::map<std::string, std::string> kinds_;  // keyed by interface
    std::set<std::string> with_speed_;          // kinds with a stated speed
};

// Compares a speed, and names the unit if the expected number is in Gb/s.
Assessment compared_speed(const std::string& expected, const std::string& have) {
    constexpr std::uint64_t mbps = 1000;  // Mb/s in a Gb/s
    auto row = compared({}, expected, have);
    const auto expected_number = parse_number(expected);
    const auto speed = parse_number(have);
    if (expected_number && speed && *expected_number * mbps == *speed) {
        row.detail = "the expected number is in Mb/s: " + expected + " Gb/s are " + have;
    }
    return row;
}

std::vector<Assessment> assess_links(const Setting&, const Context& context,
                                     const Expectation& expectation) {
    const std::string expected = plain_text(expectation.value);
    const auto netdevs = rdma_netdevs(context, training_ports(context));
    return judged_after_wait(context.fs(), [&](Reread reread) {
        Speeds speeds(context);
        auto rows = judge_netdevs(context, netdevs, expected, [&](const RdmaNetdev& netdev) {
            const auto have = link_of(context.fs(), netdev.folder(), expected, reread);
            if (have && *have == "up") {
                speeds.add(netdev, reread);
            }
            return have ? compared_speed(expected, *have) : unreadable({}, have.error(), expected);
        });
        speeds.judge(rows);
        return rows;
    });
}

constexpr Grade link_grades[] = {
    {"rate", Level::info, "Drivers compute the rate of an RDMA port in different ways"},
};

// One function with one RDMA port and one interface, whose speed and rate are those of one link.
struct OneLink {
    std::string netdev;
    std::string speed;  // Mb/s
    std::string rate;   // Gb/s
};

// Returns true if both are known and one is at least twice the other: drivers round slow rates.
bool contradicts(const OneLink& link) {
    constexpr std::uint64_t mbps = 1000;
    constexpr std::uint64_t slowest = 100;
    const auto speed = parse_number(link.speed);
    const auto rate = parse_number(link.rate);
    return speed && rate && *rate >= slowest &&
           (*speed >= 2 * *rate * mbps || 2 * *speed <= *rate * mbps);
}

std::vector<OneLink> links_of_one_port(const Context& context, const TrainingPorts& training,
                                       const RdmaNetdevs& netdevs) {
    std::map<std::string, std::vector<const RdmaNetdev*>> of_function;
    for (const auto& netdev : netdevs.all) {
        of_function[netdev.bdf].push_back(&netdev);
    }
    std::vector<OneLink> out;
    for (const auto& port : training.ports) {
        const auto found = of_function.find(port.bdf);
        const bool one = found != of_function.end() && found->second.size() == 1 &&
                         training.target_of(port).suffix.empty();
        if (!one || context.machine.asleep(port.bdf)) {
            continue;
        }
        const auto& netdev = *found->second.front();
        const auto speed = speed_of(context.fs(), netdev.folder(), Reread::no);
        const auto rate = port_rate(context.fs(), port);
        if (speed && rate) {
            out.push_back({netdev.name, *speed, *rate});
        }
    }
    return out;
}

// Adds one row for all interfaces whose RDMA port states a different rate.
void add_contradictions(const Context& context, std::vector<Assessment>& rows) {
    const bool fine = std::all_of(rows.begin(), rows.end(),
                                  [](const Assessment& row) { return row.outcome == Outcome::ok; });
    if (!fine || context.machine.in_guest()) {
        return;
    }
    const auto training = training_ports(context);
    auto links = links_of_one_port(context, training, rdma_netdevs(context, training));
    const std::size_t count = links.size();
    std::erase_if(links, [](const OneLink& link) { return !contradicts(link); });
    if (links.empty()) {
        return;
    }
    std::vector<std::string> names;
    names.reserve(links.size());
    for (const auto& link : links) {
        names.push_back(link.netdev);
    }
    const auto& first = links.front();
    auto row = compared({}, first.rate + "000", first.speed);
    row.outcome = Outcome::differs;
    row.grade = &link_grades[0];
    row.detail = (names.size() == count && count > 1
                      ? "each of the " + number(count) + " interfaces reports "
                      : join(names, ", ") + (names.size() == 1 ? " reports " : " report ")) +
                 first.speed + " Mb/s, but the RDMA port of the same link reports " + first.rate +
                 " Gb/s";
    row.next_step = "ethtool " + first.netdev;
    rows.push_back(std::move(row));
}

std::vector<Assessment> assess_link(const Setting& setting, const Context& context,
                                    const Expectation& expectation) {
    auto rows = assess_links(setting, context, expectation);
    if (expectation.value.text() != nullptr) {  // the number of a site decides
        add_contradictions(context, rows);
    }
    return rows;
}

std::vector<ClusterFact> facts_of_link(const Setting& setting, const Context& context) {
    auto links = setting;
    links.assess = assess_links;
    return assessed_facts(links, context);
}

}  // namespace

const Setting& net_link() {
    static const Setting setting{
        .info =
            {
                .id = "net.link",
                .summary =
                    "Whether the network interface of each RDMA NIC is up, or its speed in Mb/s",
                .why = "RoCE cannot use an interface that is down, so collectives fail or use "
                       "fewer NICs",
                .source = "ROCm/system-acceptance-docs docs/network/validation.md, 2026-07; linux "
                          "net/core/net-sysfs.c, 6.12",
                .target = "network interface",
                .read_from = "operstate, carrier, duplex, speed in net/* of the NIC's PCI "
                             "function, and of the "
                             "other members of its bond; "
                             "/sys/class/infiniband/*/ports/*/rate",
                .set_by = "",
                .next_step = "ip link show; if the link stays down, check the cable, the optics "
                             "and the switch port",
                .persist = "",
                .risk_note = "",
                .over_cluster = OverCluster::equal,
                .forms = {{.kind = FormKind::word, .words = {"up"}},
                          {.kind = FormKind::integer, .lowest = 1, .highest = 10000000}},
                .grades = link_grades,
            },
        .assess = assess_link,
        .facts = facts_of_link,
    };
    return setting;
}

// net.mtu: the maximum packet of each RDMA NIC's network interface. AMD's sources name no figure
// (read 2026-08). 9000 is common practice, and all interfaces of a node should be equal, bonds and
// VLANs included. Reads touch no hardware (linux net/core/net-sysfs.c, 6.12).

namespace {

// Returns the next step for one interface: a bond passes its MTU to its members. Without a majority
// the outlier is unknown.
std::string step_for(const Fs& fs, const RdmaNetdev& netdev, const Assessment& row) {
    if (!row.expected || !parse_number(*row.expected)) {
        return "";
    }
    const auto master = netdev.enslaved ? master_of(fs, netdev.folder()) : Result(std::string());
    const std::string& name = master && !master->empty() ? *master : netdev.name;
    return "sudo ip link set dev " + name + " mtu " + *row.expected +
           "; set the MTU in the network configuration, and check that the switch port carries "
           "packets of that size";
}

void add_steps(const Fs& fs, const RdmaNetdevs& netdevs, std::vector<Assessment>& rows) {
    for (auto& row : rows) {
        for (const auto& netdev : netdevs.all) {
            if (row.outcome == Outcome::differs && row.target.text() == netdev.name) {
                row.next_step = step_for(fs, netdev, row);
            }
        }
    }
}

// RoCE sends 4096 bytes in a packet if the interface carries them and 96 bytes of headers (linux
// include/rdma/ib_addr.h iboe_get_mtu, 6.12). That no Ethernet NIC carries 16 KiB is unverified.
constexpr std::uint64_t full_packet = 4096 + 96;
constexpr std::uint64_t largest_packet = 16384;
constexpr Grade mtu_grades[] = {
    {"small", Level::info, "AMD names no value, because the switch decides"},
    {"large", Level::info, "No source states the largest packet that a NIC carries"},
};

// Returns the RoCE payload of an interface's MTU, in bytes: 4096, 2048, 1024, 512 or 256.
std::uint64_t roce_payload(std::uint64_t mtu) {
    constexpr std::uint64_t headers = full_packet - 4096;
    std::uint64_t payload = 4096;
    while (payload > 256 && mtu < payload + headers) {
        payload /= 2;
    }
    return payload;
}

// Adds one row if all interfaces have an equal MTU that RoCE cannot use.
void add_unusual_mtu(const Context& context, const RdmaNetdevs& netdevs,
                     std::vector<Assessment>& rows) {
    std::set<std::string> values;
    bool fine = true;
    for (const auto& row : rows) {
        fine = fine && (row.outcome == Outcome::ok || row.outcome == Outcome::na);
    }
    std::size_t count = 0;
    for (const auto& netdev : netdevs.all) {
        if (!netdev.slingshot) {
            const auto mtu = read_number(context.fs(), netdev.folder() + "/mtu");
            values.insert(mtu ? *mtu : "");
            ++count;
        }
    }
    const auto mtu = values.size() == 1 ? parse_number(*values.begin()) : std::nullopt;
    const bool small = mtu && *mtu < full_packet;
    if (!fine || !mtu || (!small && *mtu <= largest_packet) || context.machine.in_guest()) {
        return;
    }
    auto row = compared({}, small ? number(full_packet) : number(largest_packet), number(*mtu));
    row.outcome = Outcome::differs;
    row.grade = &mtu_grades[small ? 0 : 1];
    row.detail =
        (count == 1 ? "the interface has MTU " : "all " + number(count) + " interfaces have MTU ") +
        number(*mtu) +
        (small ? ": RoCE sends " + number(roce_payload(*mtu)) +
                     " bytes in a packet, but 4096 with an MTU of at least " + number(full_packet)
               : ", which Ethernet does not carry");
    row.next_step =
        "set another MTU in the network configuration; if this MTU is right, set net.mtu in the "
        "site file";
    rows.push_back(std::move(row));
}

std::vector<Assessment> assess_mtus(const Setting&, const Context& context,
                                    const Expectation& expectation) {
    const auto netdevs = rdma_netdevs(context, training_ports(context));
    const std::string expected = plain_text(expectation.value);
    std::vector<Assessment> rows;
    LikeDevices all;
    for (const auto& netdev : netdevs.all) {
        all.values.push_back({.device = netdev.name,
                              .kind = "",
                              .value = read_number(context.fs(), netdev.folder() + "/mtu"),
                              .left_out = context.leaves_out(netdev.bdf)});
    }
    for (const auto& [target, error] : netdevs.unread) {
        all.values.push_back({.device = target.text(), .kind = "", .value = error});
    }
    if (!netdevs.all.empty()) {
        rows = judge_nics(all, expected, {});
        add_steps(context.fs(), netdevs, rows);
    }
    add_unjudged(netdevs, expected, rows);
    return rows;
}

std::vector<Assessment> assess_mtu(const Setting& setting, const Context& context,
                                   const Expectation& expectation) {
    auto rows = assess_mtus(setting, context, expectation);
    if (expectation.value.text() != nullptr) {  // the number of a site decides
        add_unusual_mtu(context, rdma_netdevs(context, training_ports(context)), rows);
    }
    return rows;
}

std::vector<ClusterFact> facts_of_mtu(const Setting& setting, const Context& context) {
    auto interfaces = setting;
    interfaces.assess = assess_mtus;
    return assessed_facts(interfaces, context);
}

}  // namespace

const Setting& net_mtu() {
    static const Setting setting{
        .info =
            {
                .id = "net.mtu",
                .summary = "Largest packet (MTU) of each RDMA NIC's network interface, in bytes",
                .why = "A small MTU forces RoCE into small packets and reduces its throughput",
                .source = "ROCm/gpu-cluster-networking docs/how-to/multi-node-config.rst, 2024-10; "
                          "linux include/rdma/ib_addr.h, 6.12",
                .target = "network interface",
                .read_from = "mtu in net/* of the NIC's PCI function, and in /sys/class/net/* of "
                             "bonds and VLANs above it, found by gid_attrs/ndevs/* and master",
                .set_by = "",
                .next_step = "ip link show; if the MTUs differ, set one MTU that the switch "
                             "carries in the network configuration",
                .persist = "",
                .risk_note = "",
                .over_cluster = OverCluster::equal,
                .forms = {{.kind = FormKind::word, .words = {"equal"}},
                          {.kind = FormKind::integer, .lowest = 68, .highest = 65535}},
                .grades = mtu_grades,
            },
        .assess = assess_mtu,
        .facts = facts_of_mtu,
    };
    return setting;
}

// net.flaps: the number of times the link of each RDMA NIC's network interface went down since its
// driver created it, and the number of damaged packets. carrier_down_count exists since about Linux
// 4.16 (unverified); before that, half of carrier_changes. Many drivers count one at their start. A
// count of damaged packets above zero differs regardless of the allowed flaps.

namespace {

// Returns the count; fails with `not_here` if the kernel does not count.
Result<std::uint64_t> times_down(const Fs& fs, const std::string& folder) {
    auto downs = count_of_file(fs, folder + "/carrier_down_count");
    if (!downs.is(ErrorKind::not_here)) {
        return downs;
    }
    const auto changes = count_of_file(fs, folder + "/carrier_changes");
    return changes ? Result(*changes / 2) : changes;
}

struct Link {
    Result<std::uint64_t> downs;
    Result<std::uint64_t> damaged;
    Counters counters;
};

constexpr const char* downs_name = "carrier_down";
constexpr const char* damaged_name = "rx_crc_errors";

Link read_link(const Fs& fs, const std::string& folder) {
    Link out{times_down(fs, folder), count_of_file(fs, folder + "/statistics/rx_crc_errors"), {}};
    if (out.downs) {
        out.counters[downs_name] = *out.downs;
    }
    if (out.damaged) {
        out.counters[damaged_name] = *out.damaged;
    }
    return out;
}

// Returns the row of missing counts; std::nullopt if all existing ones were read.
std::optional<Assessment> without_counts(const Link& link, std::uint64_t most) {
    if (!link.downs && !link.downs.is(ErrorKind::not_here)) {
        return unreadable({}, link.downs.error(), number(most));
    }
    if (!link.damaged && !link.damaged.is(ErrorKind::not_here)) {
        return unreadable({}, link.damaged.error(), number(most));
    }
    return link.downs
               ? std::nullopt
               : std::optional(no_target("this kernel does not count how often a link went down"));
}

constexpr Grade flaps_grades[] = {
    {"since-boot", Level::info, "The count starts when the driver is loaded and includes the boot"},
    {"damaged", Level::info, "Damaged packets alone show a bad cable that still carries the link"},
};

// The limit of flaps. A number of a profile is compared alone. "steady" expects no flap since the
// earlier report; without one, at most the single flap of many drivers' start, at level info.
struct FlapLimit {
    std::uint64_t most = 0;
    bool steady = false;
};

FlapLimit flap_limit(const Expectation& expectation, const Growth& growth) {
    if (expectation.value.integer() != nullptr) {
        return {static_cast<std::uint64_t>(*expectation.value.integer())};
    }
    return {growth.whole ? 1U : 0U, true};
}

Assessment judge_flaps(const Link& link, const Growth& growth, const FlapLimit& limit) {
    const std::uint64_t most = limit.most;
    const auto of = [&](const char* name) {
        const auto found = growth.counts.find(name);
        return found == growth.counts.end() ? 0 : found->second;
    };
    const bool flapped = of(downs_name) > most;
    const bool crc = of(damaged_name) > 0;
    if (!flapped && !crc) {
        if (auto row = without_counts(link, most)) {
            return *std::move(row);
        }
    }
    auto row = compared({}, number(most), link.downs ? number(of(downs_name)) : "unknown");
    row.outcome = flapped || crc ? Outcome::differs : Outcome::ok;
    row.detail =
        crc ? counted(of(damaged_name), "packet") + " arrived damaged (rx_crc_errors)" : "";
    row.detail += (row.detail.empty() || growth.note.empty() ? "" : "; ") + growth.note;
    row.remark = !growth.note.empty();
    row.counters = link.counters;
    if (limit.steady && row.outcome == Outcome::differs) {
        row.grade = !flapped ? &flaps_grades[1] : growth.whole ? &flaps_grades[0] : nullptr;
    }
    return row;
}

std::vector<Assessment> assess_flaps(const Setting&, const Context& context,
                                     const Expectation& expectation) {
    const auto netdevs = rdma_netdevs(context, training_ports(context));
    const auto usual = number(flap_limit(expectation, {}).most);
    auto rows = judge_netdevs(context, netdevs, usual, [&](const RdmaNetdev& netdev) {
        const auto link = read_link(context.fs(), netdev.folder());
        const auto growth = context.grown(netdev.name, link.counters);
        return judge_flaps(link, growth, flap_limit(expectation, growth));
    });
    const bool whole = expectation.value.integer() == nullptr && context.since == nullptr;
    for (auto& row : rows) {
        if (whole && row.outcome == Outcome::unknown) {
            row.grade = &flaps_grades[0];
        }
    }
    return rows;
}

// Returns 1: flaps are not a value to expect.
std::optional<std::vector<Value>> learn_flaps(const Setting&, const Context&) {
    return std::vector{Value{std::int64_t{1}, {}}};
}

}  // namespace

const Setting& net_flaps() {
    static const Setting setting{
        .info =
            {
                .id = "net.flaps",
                .summary = "How often the link of each RDMA NIC's network interface went down",
                .why = "A flapping link fails collectives at random",
                .source = "oracle-quickstart/oci-hpc rdma_link_flapping.py, 2026-05; "
                          "Azure/azurehpc-health-checks customTests, 2026-05",
                .target = "network interface",
                .read_from =
                    "carrier_down_count, carrier_changes, statistics/rx_crc_errors in net/* "
                    "of the NIC's PCI function",
                .set_by = "",
                .next_step = "sudo dmesg | grep -i link; ip -s link show; if a count grows, check "
                             "the cable, the optics and the switch port",
                .persist = "",
                .risk_note = "",
                .only_when_named = true,
                .over_cluster = OverCluster::own,
                .forms = {{.kind = FormKind::integer, .lowest = 0, .highest = 1000000000},
                          {.kind = FormKind::word, .words = {"steady"}}},
                .grades = flaps_grades,
            },
        .assess = assess_flaps,
        .learn = learn_flaps,
    };
    return setting;
}

}  // namespace rocenv
