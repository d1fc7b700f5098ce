// SPDX-License-Identifier: MIT
// gpu.count: every GPU of the node is usable. "consistent" needs no number: at least one GPU, and
// every accelerator on PCI responds, has a driver and a KFD node. "full" also expects as many as
// the model's board has, if known. A number is compared with the physical GPUs on which PCI and KFD
// agree. gpu.xgmi checks the links.
#include <algorithm>
#include <set>

#include "rocenv/setting.h"
#include "settings/gpu/census.h"
#include "settings/safety.h"
#include "settings/shapes/devices.h"
#include "settings/shapes/requirements.h"
#include "util/text.h"

namespace rocenv {

namespace {

// The next step for missing GPUs with an unknown address.
constexpr const char* no_address =
    "sudo dmesg | grep -e amdgpu -e pcieport; if the log shows no reason, reseat the missing GPU "
    "or power-cycle the node";

// One evaluation of this node's GPUs.
class Count {
   public:
    Count(const Context& context, const Expectation& expectation)
        : context_(context),
          machine_(context.machine),
          word_(expectation.value.text() != nullptr ? *expectation.value.text() : ""),
          expected_(word_.empty() ? toml_text(expectation.value) : word_),
          value_(expectation.value),
          census_(take_census(machine_)) {
        find_excused();
    }

    std::vector<Assessment> answer() {
        const auto unsure = uncertain();
        const bool met = !is_word() && is_met_number();
        add_faults(unsure.has_value());
        if (met) {  // faults of further GPUs are then irrelevant
            std::erase_if(rows_, [&](const Assessment& row) {
                return !context_.leaves_out(row.target.base);
            });
        }
        if (unsure) {
            add(unreadable({}, *unsure, expected_));
        } else if (is_word()) {
            judge_word();
        } else {
            judge_number(met);
        }
        return std::move(rows_);
    }

   private:
    bool is_word() const { return word_ == "consistent" || word_ == "full"; }
    std::size_t usable() const { return census_.usable.size(); }
    std::size_t hidden() const { return machine_.kfd().hidden(); }
    void add(Assessment row) {
        row.expected = expected_;
        rows_.push_back(std::move(row));
    }

    // Finds unusable GPUs that the site waives. Waived GPUs that are nowhere excuse GPUs missing
    // beyond all known ones, and get their own rows.
    void find_excused() {
        if (context_.left_out == nullptr) {
            return;
        }
        excused_ = *context_.left_out;
        std::erase_if(excused_, [&](const std::string& bdf) { return !census_.all.contains(bdf); });
        for (const auto& bdf : census_.usable) {
            excused_.erase(bdf);
        }
        gone_ = waived_and_gone(context_);
        if (!gone_.empty()) {
            excused_gone_ =
                std::min(gone_.size(), is_word() ? missing_beside_known() : missing_of_number());
        }
        if (excused_gone_ == 0) {
            gone_.clear();
        }
    }

    // Returns the number of missing GPUs of a full board or, if boards differ, of occupied slots.
    std::size_t missing_beside_known() const {
        if (census_.board_gpus == 0) {
            return word_ == "full" ? slot_evidence(machine_).count : 0;
        }
        const auto& gpus = machine_.gpus();
        const auto known =
            std::count_if(gpus.begin(), gpus.end(), [](const Gpu& gpu) { return !gpu.on_pci; });
        return missing_on_board() - std::min(missing_on_board(), static_cast<std::size_t>(known));
    }

    // Returns true if the number equals the usable GPUs, with or without some excused ones.
    bool is_met_number() const {
        const auto requirement = version_requirement(value_);
        for (std::size_t more = 0; more <= excused_.size() + excused_gone_; ++more) {
            if (requirement.accepts_count(usable() + more)) {
                return true;
            }
        }
        return false;
    }

    // Returns by how many the known GPUs, usable or not, are too few.
    std::size_t missing_of_number() const {
        const auto requirement = version_requirement(value_);
        std::size_t missing = 0;
        while (missing < gone_.size() && !requirement.accepts_count(census_.all.size() + missing)) {
            ++missing;
        }
        return requirement.accepts_count(census_.all.size() + missing) ? missing : 0;
    }

    // Returns the reason why the number may be wrong. An unreadable GPU has its own row.
    std::optional<Error> uncertain() const {
        auto unsure = machine_.kfd_uncertain();
        return unsure ? unsure : machine_.gpus_uncertain();
    }

    void add_faults(bool unsure) {
        for (const auto& fault : census_.faults) {
            auto row = compared({fault.bdf, std::nullopt, ""}, expected_, fault.have);
            row.detail = fault.detail;
            if (fault.given_away) {
                row.next_step = "if a guest should use the GPU: rocenv check --want gpu.count=" +
                                number(usable()) +
                                "; if this node should use the GPU, bind it to amdgpu again";
            }
            add(std::move(row));
        }
        for (const auto& bdf : gone_) {
            auto row = compared({bdf, std::nullopt, ""}, expected_, "not on PCI");
            row.detail = "no GPU responds at this address";
            add(std::move(row));
        }
        for (const auto& [bdf, error] : census_.unread) {
            add(unreadable({bdf, std::nullopt, ""}, error));
        }
        if (hidden() == 0 && !unsure) {
            for (const auto& bdf : census_.no_node) {
                add(without_node(bdf));
            }
        } else if (hidden() > 0 && is_word()) {
            add_hidden();
        }
    }

    // Returns the row of a GPU without a KFD node. It names the port without AtomicOps, which KFD
    // requires for some GPUs (linux drivers/gpu/drm/amd/amdkfd/kfd_device.c kgd2kfd_device_init,
    // "PCI rejects atomics").
    Assessment without_node(const std::string& bdf) const {
        auto row = compared({bdf, std::nullopt, ""}, expected_, "no KFD node");
        if (const auto obstacle = port_without_atomics(machine_, bdf)) {
            row.detail = "the driver created no KFD node: port " + obstacle->port +
                         " above the GPU " + obstacle->what;
            row.next_step = atomics_step(obstacle->port);
        } else {
            row.detail = "the driver created no KFD node";
        }
        return row;
    }

    // Reports hidden nodes: each may belong to any GPU without a node.
    void add_hidden() {
        const auto& lacking = census_.no_node;
        if (lacking.empty()) {
            return;
        }
        Assessment row;
        row.have = number(usable());
        row.outcome = hidden() < lacking.size() ? Outcome::differs : Outcome::hidden;
        row.next_step = row.outcome == Outcome::differs ? no_address : "";
        row.detail = hidden_text();
        if (row.outcome == Outcome::differs) {
            row.detail += ", and " + counted(lacking.size(), "GPU") +
                          (lacking.size() == 1 ? " has" : " have") +
                          " no KFD node: " + join(lacking, ", ");
        }
        add(std::move(row));
    }

    std::string hidden_text() const {
        return counted_are(hidden(), "KFD node") + " hidden from this container";
    }

    void judge_number(bool met) {
        auto row = compared({}, expected_, number(usable()));
        row.outcome = met ? Outcome::ok : Outcome::differs;
        if (!met) {
            row.next_step = no_address;
            row.detail = hidden() > 0                     ? hidden_text()
                         : usable() == 0 && rows_.empty() ? "this node has no AMD GPU"
                                                          : "";
        }
        add(std::move(row));
    }

    // Returns 1 if a die is missing: a module of two dies shows both or none.
    std::size_t missing_die() const { return census_.dies % 2; }

    std::size_t missing_of_model() const {
        return census_.board_gpus == 0 ? missing_die() : missing_on_board();
    }

    std::string missing_text(std::size_t missing) const {
        const std::string where = where_to_search(machine_);
        return census_.board_gpus > 0
                   ? "the board carries " + number(census_.board_gpus) + " GPUs, and " +
                         number(missing) + (missing == 1 ? " is" : " are") + " not on PCI" + where
                   : counted_are(census_.dies, "die") +
                         " on PCI, and each module has two: " + lone_die(context_, census_.all) +
                         where;
    }

    void judge_word() {
        const std::size_t board = word_ == "full" ? missing_of_model() : 0;
        const std::size_t missing = board - std::min(board, excused_missing());
        const std::string weaker = missing == 0              ? ""
                                   : is_guest(context_.fs()) ? "this is a guest"
                                   : hidden() > 0            ? hidden_text()
                                                             : "";
        const bool is_short = missing > 0 && weaker.empty();
        const bool reported = std::any_of(rows_.begin(), rows_.end(), [&](const Assessment& row) {
            return !context_.leaves_out(row.target.base);
        });
        if (reported && !is_short) {
            return;
        }
        auto row = compared({}, expected_, number(usable()));
        row.outcome = is_short || usable() == 0 ? Outcome::differs : Outcome::ok;
        row.next_step = row.outcome == Outcome::ok ? "" : no_address;
        if (is_short) {
            row.detail = missing_text(missing);
        } else if (usable() == 0) {
            row.detail = "this node has no AMD GPU";
        } else if (missing > 0) {
            row.detail = "the GPUs of a full board are not expected: " + weaker;
        } else if (word_ == "full" && census_.board_gpus == 0) {
            ask_slots(row);
        }
        add(std::move(row));
    }

    // Checks the slots: boards of this model differ, so only a slot can show a missing GPU.
    void ask_slots(Assessment& row) const {
        if (hidden() > 0 || is_guest(context_.fs())) {
            return;
        }
        const auto evidence = slot_evidence(machine_);
        if (evidence.count > excused_missing()) {
            row.outcome = Outcome::differs;
            row.next_step = no_address;
            row.detail =
                "a port of the same kind as those of the GPUs holds a device that does not "
                "respond: " +
                evidence.ports;
        } else if (evidence.refused) {
            row.detail = "only root can read whether similar slots hold more GPUs";
        }
    }

    // Returns the missing GPUs of the incomplete board of a node with two boards.
    std::size_t missing_on_board() const {
        const std::size_t board = census_.board_gpus;
        const std::size_t over = board == 0 ? 0 : census_.on_board % board;
        return over == 0 ? 0 : board - over;
    }

    // Returns the number of excused GPUs that are missing, those included that only KFD lists.
    std::size_t excused_missing() const {
        const auto& gpus = machine_.gpus();
        const auto known = std::count_if(gpus.begin(), gpus.end(), [&](const Gpu& gpu) {
            return !gpu.on_pci && excused_.contains(gpu.bdf);
        });
        return static_cast<std::size_t>(known) + excused_gone_;
    }

    const Context& context_;
    const Machine& machine_;
    std::string word_;
    std::string expected_;
    const Value& value_;
    Census census_;
    std::set<std::string> excused_;
    std::set<std::string> gone_;  // waived and not listed anywhere
    std::size_t excused_gone_ = 0;
    std::vector<Assessment> rows_;
};

std::vector<Assessment> assess_count(const Setting&, const Context& context,
                                     const Expectation& expectation) {
    return Count(context, expectation).answer();
}

}  // namespace

const Setting& gpu_count() {
    static const Setting setting{
        .info =
            {
                .id = "gpu.count",
                .summary = "Number of usable GPUs, and whether every GPU on PCI is usable",
                .why = "A job that needs a missing GPU fails, hangs or runs slowly",
                .source = "ROCm/system-acceptance-docs docs/common/health-checks.md, 2026-07",
                .target = "system",
                .read_from = "/sys/bus/pci/devices/*/{modalias,driver,config,physfn}, "
                             "/sys/class/kfd/kfd/topology/nodes/*/{gpu_id,properties}",
                .set_by = "",
                .next_step = "sudo dmesg | grep -e amdgpu -e BDF; if the log shows no reason, "
                             "reset or reseat the GPU, or power-cycle the node",
                .persist = "",
                .risk_note = "",
                .over_cluster = OverCluster::equal,
                .forms = {{.kind = FormKind::word, .words = {"full", "consistent"}},
                          {.kind = FormKind::at_least}},
            },
        .assess = assess_count,
        .learn = learn_count,
    };
    return setting;
}

}  // namespace rocenv
