// SPDX-License-Identifier: MIT
// net.link: whether the network interface of each RDMA NIC is up, or its speed in Mb/s. carrier,
// speed and duplex of an interface that is down give EINVAL, or -1 (linux net/core/net-sysfs.c,
// 6.12), so operstate is asked first. "up" wants the speed that most have, whatever their models,
// as rdma.rate does; where no driver tells a speed there is none to compare. Members of a bond are
// judged themselves.
#include <algorithm>
#include <cerrno>
#include <map>
#include <set>

#include "os/redact/redact_words.h"
#include "settings/rdma/rdma_netdevs.h"
#include "settings/settling.h"
#include "util/text.h"

namespace rocenv {

namespace {

Result<std::string> link_word(const Fs& fs, const std::string& path, ReadAnew anew) {
    const auto text = anew == ReadAnew::yes ? fs.read_now(path) : fs.read(path);
    if (!text) {
        return text.error();
    }
    const auto word = trim(*text);
    constexpr std::size_t longest = 20;
    return word.empty() || word.size() > longest || !is_plain(word)
               ? garbled(path, "is no word: " + quoted_value(word))
               : Result(std::string(word));
}

// The states that linux net/core/link_watch.c and RFC 2863 know.
bool is_operstate(const std::string& word) {
    const std::vector<std::string> known{"unknown", "notpresent", "down", "lowerlayerdown",
                                         "testing", "dormant",    "up"};
    return std::find(known.begin(), known.end(), word) != known.end();
}

// "up", or what is wrong.
Result<std::string> state_of(const Fs& fs, const std::string& folder, ReadAnew anew) {
    auto state = link_word(fs, folder + "/operstate", anew);
    if (state && !is_operstate(*state)) {
        return garbled(folder + "/operstate", "is no state: \"" + *state + "\"");
    }
    if (!state || (*state != "up" && *state != "unknown")) {
        return state;
    }
    const auto carrier = has_carrier(fs, folder, anew);
    if (!carrier) {
        return carrier.is(ErrorKind::not_here) && *state == "up" ? state : carrier.error();
    }
    return std::string(*carrier ? "up" : "no carrier");
}

// Empty: nothing is wrong, or the driver does not tell ("unknown").
Result<std::string> half_duplex(const Fs& fs, const std::string& folder, ReadAnew anew) {
    const auto duplex = link_word(fs, folder + "/duplex", anew);
    if (!duplex) {
        return duplex.is(ErrorKind::not_here) ? Result<std::string>(std::string()) : duplex;
    }
    const bool known = *duplex == "full" || *duplex == "half" || *duplex == "unknown";
    return !known ? garbled(folder + "/duplex", "is no duplex: \"" + *duplex + "\"")
                  : Result(std::string(*duplex == "half" ? "half duplex" : ""));
}

Result<std::string> speed_of(const Fs& fs, const std::string& folder, ReadAnew anew) {
    auto speed = link_word(fs, folder + "/speed", anew);
    if (!speed) {
        return speed;
    }
    // SPEED_UNKNOWN is -1, and some drivers' tables show it without its sign.
    const std::string path = folder + "/speed";
    if (*speed == "-1" || *speed == "4294967295" || *speed == "0") {
        return Error{ErrorKind::not_here, 0, path, path + ": tells no speed: \"" + *speed + "\""};
    }
    constexpr std::uint64_t highest = 10000000;
    const auto mbit = parse_number(*speed);
    return mbit && *mbit > 0 && *mbit <= highest ? speed
                                                 : garbled(path, "is no speed: \"" + *speed + "\"");
}

Result<std::string> link_of(const Fs& fs, const std::string& folder, const std::string& want,
                            ReadAnew anew) {
    auto state = state_of(fs, folder, anew);
    if (!state || *state != "up") {
        return state;
    }
    auto wrong = half_duplex(fs, folder, anew);
    if (!wrong || !wrong->empty()) {
        return wrong;
    }
    return want == "up" ? state : speed_of(fs, folder, anew);
}

// A driver that has no speed to tell: no file, EINVAL, or what stands for "unknown".
bool is_untold(const Result<std::string>& speed) {
    return !speed && (speed.is(ErrorKind::not_here) || speed.error().err == EINVAL);
}

// The speeds of interfaces that are up.
class Speeds {
   public:
    explicit Speeds(const Context& context) : context_(context) {}

    void add(const RdmaNetdev& netdev, ReadAnew anew) {
        const std::string kind = kind_of_nic(context_.machine, netdev.bdf);
        auto speed = speed_of(context_.fs(), netdev.folder(), anew);
        if (speed) {
            telling_.insert(kind);
        }
        kinds_[netdev.name] = kind;
        all_.values.push_back({.device = netdev.name,
                               .kind = "",
                               .value = std::move(speed),
                               .left_out = context_.leaves_out(netdev.bdf)});
    }

    // Tells of those whose speed is odd, could not be read, or is not told while that of others of
    // their model is.
    void judge(std::vector<Assessment>& rows) {
        std::erase_if(all_.values, [&](const DeviceValue& each) {
            return is_untold(each.value) && !telling_.contains(kinds_.at(each.device));
        });
        for (auto& odd : judge_nics(all_, "equal", {})) {
            const bool tells = odd.outcome == Outcome::differs || odd.outcome == Outcome::unknown;
            const auto row = std::find_if(rows.begin(), rows.end(), [&](const Assessment& each) {
                return each.target.text() == odd.target.text();
            });
            if (tells && row != rows.end()) {
                *row = std::move(odd);
            }
        }
    }

   private:
    const Context& context_;
    LikeDevices all_;
    std::map<std::string, std::string> kinds_;  // by interface
    std::set<std::string> telling_;             // kinds of which one tells its speed
};

std::vector<Assessment> assess_link(const Setting&, const Context& context, const Want& want) {
    const std::string wanted = plain_text(want.value);
    const auto netdevs = rdma_netdevs(context, training_ports(context));
    return judged_settled(context.fs(), [&](ReadAnew anew) {
        Speeds speeds(context);
        auto rows = judge_netdevs(context, netdevs, wanted, [&](const RdmaNetdev& netdev) {
            const auto have = link_of(context.fs(), netdev.folder(), wanted, anew);
            if (have && *have == "up") {
                speeds.add(netdev, anew);
            }
            return have ? compared({}, wanted, *have) : unreadable({}, have.error(), wanted);
        });
        speeds.judge(rows);
        return rows;
    });
}

}  // namespace

const Setting& net_link() {
    static const Setting setting{
        .info =
            {
                .id = "net.link",
                .summary =
                    "Whether the network interface of each RDMA NIC is up, or its speed in Mb/s",
                .why = "RoCE goes nowhere over an interface that is down",
                .source = "ROCm/system-acceptance-docs docs/network/validation.md, 2026-07; linux "
                          "net/core/net-sysfs.c, 6.12",
                .target = "network interface",
                .read_from = "operstate, carrier, duplex, speed in net/* of the NIC's PCI "
                             "function, and of the "
                             "other members of its bond",
                .set_by = "",
                .next_step = "ip link show; then look at cable, optics and the switch's port",
                .persist = "",
                .risk_note = "",
                .over_cluster = OverCluster::equal,
                .forms = {{.kind = FormKind::word, .words = {"up"}},
                          {.kind = FormKind::integer, .lowest = 1, .highest = 10000000}},
            },
        .assess = assess_link,
    };
    return setting;
}

}  // namespace rocenv
