// SPDX-License-Identifier: MIT
// rdma.gid: the address that jobs use on each training port. On Ethernet that is the GID of one
// index: RoCE v2, and mapped from an IPv4 address (::ffff:a.b.c.d). "equal" wants one of that kind
// at the same index on all ports: that of NCCL_IB_GID_INDEX where the asking process has it, else
// the first. On InfiniBand any GID that is not zero will do.
#include "settings/rdma_gids.h"
#include "settings/rdma_ports.h"
#include "util/text.h"

namespace rocenv {

namespace {

constexpr std::string_view mapped = "0000:0000:0000:0000:0000:ffff:";

// What is wrong with a GID that is there; empty: nothing.
Result<std::string> wrong_with(const Fs& fs, const RdmaPort& port, std::uint64_t index,
                               const std::string& gid) {
    const std::string path = port.folder + "/gid_attrs/types/" + number(index);
    const auto text = fs.read(path);
    if (!text) {
        return text.error();
    }
    const auto type = trim(*text);
    if (type == "IB/RoCE v1") {
        return std::string("RoCE v1");
    }
    if (type != "RoCE v2") {
        return garbled(path, "is no type of a GID: \"" + printable(type, 40) + "\"");
    }
    return std::string(gid.starts_with(mapped) ? "" : "no IPv4 address");
}

// What the index holds: the index itself where that can be used.
Result<std::string> judged_index(const Fs& fs, const RdmaPort& port, std::uint64_t index) {
    const auto gid = gid_at(fs, port, index);
    if (!gid) {
        return gid.is(ErrorKind::not_here) ? Result<std::string>("no GID") : gid.error();
    }
    if (gid->empty()) {
        return std::string("no GID");
    }
    const auto wrong = wrong_with(fs, port, index, *gid);
    return wrong && wrong->empty() ? Result(number(index)) : wrong;
}

// The first that can be used. One that could not be read may be an earlier one.
Result<std::string> first_index(const Fs& fs, const RdmaPort& port) {
    const auto indices = gid_indices(fs, port);
    if (!indices) {
        return indices.error();
    }
    for (const auto index : *indices) {
        auto found = judged_index(fs, port, index);
        if (!found || *found == number(index)) {
            return found;
        }
    }
    return std::string("none");
}

Result<std::string> any_gid(const Fs& fs, const RdmaPort& port) {
    const auto indices = gid_indices(fs, port);
    if (!indices) {
        return indices.error();
    }
    for (const auto index : *indices) {
        const auto gid = gid_at(fs, port, index);
        if (!gid || !gid->empty()) {
            return gid ? Result<std::string>("any") : gid;
        }
    }
    return std::string("none");
}

class Gid final : public Setting {
   public:
    const Info& info() const override {
        static const Info data{
            .id = "rdma.gid",
            .summary = "The index of the address that jobs use on each RDMA port",
            .why = "Without the address that its peers expect a job hangs at its first collective",
            .source =
                "AMD-AGI/Primus runner/helpers/envs/base_env.sh, 2026-08; ROCm/cvs "
                "cvs/lib/preflight, 2026-08",
            .target = "PCI function",
            .read_from = "/sys/class/infiniband/*/ports/*/{link_layer,gids/*,gid_attrs/types/*}",
            .set_by = "",
            .next_step =
                "rdma link show; ip address show; then give the port's network interface "
                "an IPv4 address and RoCE v2",
            .persist = "",
            .risk_note = "",
            .over_cluster = OverCluster::equal,
            .forms = {{.kind = FormKind::word, .words = {"equal"}},
                      {.kind = FormKind::integer, .lowest = 0, .highest = 255}},
        };
        return data;
    }

    std::vector<Assessment> assess(const Context& context, const Want& want) const override {
        const auto training = training_ports(context);
        const std::string wanted = wanted_index(context, plain_text(want.value));
        LikeDevices roce;
        std::vector<Assessment> rows;
        for (const auto& port : training.ports) {
            take(context, training, port, wanted, roce, rows);
        }
        if (!roce.values.empty()) {
            const auto judged = judge_roce(roce, wanted);
            rows.insert(rows.begin(), judged.begin(), judged.end());
        }
        add_unjudged(training, wanted, rows);
        return rows;
    }

   private:
    // The asking process may say which one its jobs use; -1 finds one.
    static std::string wanted_index(const Context& context, const std::string& want) {
        const auto named = context.process.variable("NCCL_IB_GID_INDEX");
        const auto index = named ? parse_number(*named) : std::nullopt;
        return want == "equal" && index && *index < most_gids ? number(*index) : want;
    }

    static void take(const Context& context, const TrainingPorts& training, const RdmaPort& port,
                     const std::string& want, LikeDevices& roce, std::vector<Assessment>& rows) {
        const auto target = training.target_of(port);
        const auto layer = port_link_layer(context.fs(), port);
        if (!layer) {
            rows.push_back(unreadable(target, layer.error(), want));
        } else if (*layer == "InfiniBand") {
            const auto gid = any_gid(context.fs(), port);
            rows.push_back(gid ? compared(target, "any", *gid)
                               : unreadable(target, gid.error(), "any"));
            if (gid && *gid == "none") {
                rows.back().next_step =
                    "sudo sminfo; then look at the subnet manager, which gives the address";
            }
        } else {
            roce.values.push_back(
                {.device = target.text(),
                 .kind = "",
                 .value = want == "equal" ? first_index(context.fs(), port)
                                          : judged_index(context.fs(), port, *parse_number(want)),
                 .left_out = context.leaves_out(port.bdf)});
        }
    }

    // That all ports are without an address is no agreement; a single port agrees with itself.
    static std::vector<Assessment> judge_roce(const LikeDevices& roce, const std::string& want) {
        auto rows = judge_nics(roce, want, {});
        if (want != "equal") {
            return rows;
        }
        if (roce.values.size() == 1 && roce.values.front().value) {
            const std::string& have = *roce.values.front().value;
            rows.front() = compared(rows.front().target, have, have);
        }
        for (auto& row : rows) {
            if (row.have == "none") {
                row.outcome = Outcome::differs;
                row.want = "equal";
                row.detail = "no RoCE v2 GID that is mapped from an IPv4 address";
            }
        }
        return rows;
    }
};

}  // namespace

const Setting& rdma_gid() {
    static const Gid setting;
    return setting;
}

}  // namespace rocenv
