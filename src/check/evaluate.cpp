// SPDX-License-Identifier: MIT
#include "check/evaluate.h"

#include <algorithm>
#include <array>
#include <ctime>
#include <iterator>
#include <utility>

#include "check/causes.h"
#include "check/earlier.h"
#include "check/facts.h"
#include "check/profile_findings.h"
#include "check/set_command.h"
#include "commands/tunableop/tunable.h"
#include "machine/gpu/gpu_models.h"
#include "machine/host/cpus.h"
#include "machine/identity.h"
#include "machine/pci/pci.h"
#include "machine/pci/slots.h"
#include "machine/rdma/rdma.h"
#include "profile/profile.h"
#include "profile/profile_selection.h"
#include "settings/registry.h"
#include "settings/shapes/device_access.h"
#include "settings/shapes/references.h"
#include "util/text.h"
#include "variables/environment.h"
#include "variables/inspection.h"

namespace rocenv {

namespace {

// Returns whether a step needs hands on the hardware of the node, or its BIOS.
bool is_by_hand(std::string_view step) {
    static constexpr std::array<std::string_view, 7> hardware{
        "BIOS", "slot", "cable", "reseat", "replace", "power-cycle", "power the node off"};
    return std::any_of(hardware.begin(), hardware.end(), [&](std::string_view word) {
        return step.find(word) != std::string_view::npos;
    });
}

// Returns one part of a step by hand as a guest can follow it: "if that changes nothing, replace
// the GPU" becomes a report, "enable the IOMMU in the BIOS" a step on the hypervisor.
std::string part_in_guest(const std::string& part) {
    const std::string report = "report it to the administrator of the hypervisor";
    const std::size_t comma = part.find(", ");
    if (part.starts_with("if ") && comma != std::string::npos) {
        return part.substr(0, comma + 2) + report;
    }
    return part.starts_with("then ") ? "then " + report : "on the hypervisor: " + part;
}

// Returns a step with parts by hand, "; " between, as a guest can follow it.
std::string step_in_guest(const std::string& step) {
    std::vector<std::string> parts;
    std::size_t start = 0;
    while (start < step.size()) {
        const std::size_t end = std::min(step.find("; ", start), step.size());
        const std::string part = step.substr(start, end - start);
        parts.push_back(is_by_hand(part) ? part_in_guest(part) : part);
        start = end + 2;
    }
    return join(parts, "; ");
}

class Judge {
   public:
    Judge(const CheckRequest& request, const Machine& machine, const Fs& host,
          const Process& process, Versions::Assumed assumed, Rows rows)
        : request_(request),
          process_(process),
          machine_(machine),
          versions_(machine, process, std::move(assumed)),
          host_(host),
          rows_(rows),
          only_node_(request.scope ? *request.scope == Scope::node
                                   : process.through_sudo && !request.all_scopes) {}

    Evaluation run() {
        SelectedProfile here = select_profile(request_, machine_, host_, process_, versions_);
        out_.errors = std::move(here.errors);
        out_.warnings = std::move(here.warnings);
        take_doubts(here.doubts);
        out_.timed_out = here.timed_out;
        if (!out_.errors.empty()) {
            return std::move(evaluation_);
        }
        if (has_unlisted_gpus(machine_, here.profile, here.chose)) {
            require_count(here.profile.expectations);
        }
        fill_head(here);
        add_machine();
        if (!take_waivers(here.profile) || !take_earlier()) {
            return std::move(evaluation_);
        }
        judge(here.profile);
        find_tuned(here.profile.names);
        judge_rest_of_environment(here.profile);
        judge_tunable_files(here.profile);
        state_facts(here.profile);
        state_identities();
        if (here.chose && here.choice.finding && selected(auto_id, request_.only, request_.skip)) {
            add_profile_finding(auto_finding(*here.choice.finding, here.choice.level), auto_note());
        }
        if (evaluation_.judged.empty() && evaluation_.extra.empty()) {
            out_.report.notes.emplace_back(
                "nothing was checked: no setting of the profile was selected");
        }
        return std::move(evaluation_);
    }

   private:
    // Adds gpu.count to a profile that does not name it, or makes it required.
    static void require_count(std::vector<Expectation>& expectations) {
        const std::string count = "gpu.count";
        const auto position = std::find_if(
            expectations.begin(), expectations.end(),
            [&](const Expectation& each) { return rank_of(each.id) >= rank_of(count); });
        if (position != expectations.end() && position->id == count) {
            position->level = Level::required;
            return;
        }
        Expectation expectation;
        expectation.id = count;
        expectation.value.data = std::string("consistent");
        expectation.why = "The GPUs of a node cannot be counted without its list of PCI functions";
        expectations.insert(position, std::move(expectation));
    }

    void fill_head(const SelectedProfile& here) {
        Report& report = out_.report;
        report.command = "check";
        report.profiles = here.profile.shown_names();
        report.profile_digest = profile_digest(here.profile);
        if (here.chose || !here.profile.matches.empty()) {  // else no profile concerns GPUs
            report.gpus = gpus_text(machine_);
        }
        report.root = request_.root;
        report.only = request_.only;
        report.skip = request_.skip;
        if (request_.scope) {
            report.scope = word_of(*request_.scope);
        } else if (request_.all_scopes) {
            report.scope = "all";
        }
        report.time = report_time(process_);
        report.node = machine_.facts();
        if (!request_.node_name.empty()) {
            report.node.hostname = request_.node_name;
        }
    }

    void add_machine() {
        const std::string remark = machine_.fs().remark();
        if (!remark.empty()) {
            out_.report.notes.push_back(request_.root + " " + remark);
        }
    }

    bool take_waivers(const Resolved& profile) {
        LoadedWaivers loaded = load_waivers(request_, profile, host_, process_);
        take_doubts(loaded.doubts);
        out_.errors = std::move(loaded.errors);
        out_.timed_out = loaded.timed_out;
        if (!loaded.note.empty()) {
            out_.report.notes.push_back(loaded.note);
        }
        constexpr std::size_t date = 10;  // characters
        evaluation_.waivers = Waivers(loaded.all, machine_, out_.report.node.hostname,
                                      report_time(process_).substr(0, date));
        evaluation_.filtered = !request_.only.empty() || !request_.skip.empty();
        return out_.errors.empty();
    }

    void take_doubts(const std::vector<Doubt>& doubts) {
        const auto lines = doubt_lines(doubts);
        for (auto* list : {&out_.doubts, &out_.warnings}) {
            list->insert(list->end(), lines.begin(), lines.end());
        }
        for (const auto& doubt : doubts) {
            if (doubt.use == Doubt::Use::site_ignored &&
                selected(trust_id, {}, request_.skip)) {  // independent of --only
                add_profile_finding(trust_finding(doubt), trust_note());
            }
        }
    }

    // Reads the earlier report, if one is named; false: it cannot be compared with.
    bool take_earlier() {
        if (request_.since.empty()) {
            return true;
        }
        auto found = read_earlier(host_, request_.since);
        if (!found) {
            out_.errors.push_back(found.error().text);
            out_.timed_out = found.is(ErrorKind::timed_out);
            return false;
        }
        const NodeFacts& node = out_.report.node;
        if (found->hostname != node.hostname) {
            out_.errors.push_back(printable(request_.since) + ": is of node \"" +
                                  printable(found->hostname) + "\", and this is \"" +
                                  printable(node.hostname) + "\"");
            return false;
        }
        earlier_ = *std::move(found);
        return true;
    }

    // Returns the counters of the earlier report, or nullptr if no such report of this boot exists.
    const EarlierCounters* counters_before(const std::string& id) {
        const bool counts = earlier_ && same_boot(*earlier_, out_.report.node) == SameBoot::yes;
        return counts ? &earlier_->counters[id] : nullptr;
    }

    void state_facts(const Resolved& profile) {
        std::optional<FactSheet> sheet;
        const auto ids = fact_ids(request_, profile);
        const bool compares = earlier_ && earlier_->facts;
        if ((request_.facts || compares) && !out_of_scope(Scope::node)) {
            sheet = gather_facts(ids, {machine_, process_, &versions_});
        }
        if (earlier_) {
            out_.report.since = compared_since(*earlier_, out_.report.node, sheet, ids);
            auto notes = comparison_notes(*out_.report.since, *earlier_, sheet, ids);
            std::move(notes.begin(), notes.end(), std::back_inserter(out_.report.notes));
        }
        if (request_.facts) {
            out_.report.facts = std::move(sheet);
        }
        if (request_.facts && !out_.report.facts) {
            out_.report.notes.emplace_back(
                "facts describe the node, and only a process was checked");
        }
    }

    void state_identities() {
        if (!request_.with_ids) {
            return;
        }
        if (out_of_scope(Scope::node)) {
            out_.report.notes.emplace_back("ids describe the node, and only a process was checked");
            return;
        }
        auto& identities = out_.report.identities.emplace();
        for (auto& [target, name, value] : identities_of(machine_)) {
            const auto why = value ? std::nullopt : std::optional(value.error());
            identities.push_back({target, name, value ? std::optional(*value) : std::nullopt,
                                  why ? reason_of(*why) : Reason::error, why ? why->text : ""});
        }
    }

    void judge(const Resolved& profile) {
        bool left_out = false;
        for (const auto& expectation : profile.expectations) {
            const Setting& setting = *find_setting(expectation.id);
            if (!selected(expectation.id, request_.only, request_.skip)) {
                continue;
            }
            if (out_of_scope(setting.info.scope)) {
                left_out = true;
                continue;
            }
            const auto waived = evaluation_.waivers.left_out(expectation.id);
            Context context{machine_, process_, &versions_, &waived,
                            counters_before(expectation.id)};
            context.only_asks = rows_ == Rows::reported;
            evaluation_.judged.push_back(
                {expectation, &setting, assessed(setting, context, expectation)});
            add_next_steps(evaluation_.judged.back(), profile.names);
            if (rows_ == Rows::reported) {
                make_findings(evaluation_.judged.back());
            }
            out_.report.settings[expectation.id] = note_of(expectation, setting.info);
        }
        if (left_out && !request_.scope) {
            out_.report.notes.emplace_back(
                "under sudo only the node is checked, not this process (--scope all checks both)");
        }
    }

    static void make_findings(Judged& judged) {
        judged.findings = to_findings(judged.expectation, *judged.setting, judged.rows);
        judged.rows = std::vector<Assessment>();  // {} would keep its memory
    }

    // Judges variables that no profile names: those of the catalogue, and those with similar names.
    void judge_rest_of_environment(const Resolved& profile) {
        if (out_of_scope(Scope::process)) {
            return;
        }
        constexpr std::size_t most_variables = 4096;  // each may be a finding
        if (process_.environment.size() > most_variables) {
            out_.report.notes.push_back("the environment has more than " + number(most_variables) +
                                        " variables, so only those of the profile were checked");
            return;
        }
        auto inspected = inspect(process_.environment, Readers(machine_, versions_),
                                 process_.not_evaluated, [&] {
                                     NodeKinds kinds = node_kinds();
                                     kinds.several_nodes = is_for_several_nodes(profile);
                                     return kinds;
                                 });
        add_selection_faults(inspected);
        add_references(profile, inspected);
        for (const auto& found : inspected) {
            Expectation expectation;
            expectation.id = "env." + found.name;
            expectation.level =
                found.misread ? std::max(found.level, Level::recommended) : found.level;
            const bool asked =
                std::any_of(profile.expectations.begin(), profile.expectations.end(),
                            [&](const Expectation& each) { return each.id == expectation.id; });
            if (!asked && selected(expectation.id, request_.only, request_.skip)) {
                add_inspection(std::move(expectation), found);
            }
        }
    }

    NodeKinds node_kinds() const {
        NodeKinds out;
        for (const auto& node : machine_.kfd().nodes) {
            if (node.is_gpu()) {
                out.gfx.push_back(
                    gcn_arch(node.get("gfx_target_version"), 0, std::nullopt, std::nullopt).gfx);
            }
        }
        for (const auto& gpu : machine_.gpus()) {
            const auto mode = machine_.fs().read(pci_path(gpu.bdf, "/current_compute_partition"));
            if (mode) {
                out.modes.emplace_back(trim(*mode));
            }
        }
        const auto devices = rdma_devices(machine_);
        for (const auto& device : devices ? *devices : std::vector<RdmaDevice>()) {
            const auto& driver = machine_.reader_of(device.bdf).driver();
            out.nics.push_back(!device.verbs ? "cxi" : driver ? *driver : "");
        }
        return out;
    }

    // Returns whether the profile is of a library or framework for jobs on several nodes.
    static bool is_for_several_nodes(const Resolved& profile) {
        static constexpr std::array<std::string_view, 7> names{
            "rccl-multinode", "slingshot", "slingshot-userfaultfd", "ainic", "megatron",
            "primus",         "fsdp"};
        return std::any_of(profile.names.begin(), profile.names.end(), [](const auto& name) {
            return std::find(names.begin(), names.end(), name) != names.end();
        });
    }

    // Values that name what is not on the node. Only rccl-multinode requires that they do, of the
    // asking process itself.
    void add_references(const Resolved& profile, std::vector<Inspection>& inspected) const {
        const bool required = process_.environment_of != EnvironmentOf::file &&
                              process_.environment_of != EnvironmentOf::far_process &&
                              std::find(profile.names.begin(), profile.names.end(),
                                        "rccl-multinode") != profile.names.end();
        const JudgedFor purpose{is_for_several_nodes(profile), request_.root.ends_with(".tree")};
        for (auto& row : inspected) {
            const auto variable = known_variable(row.name);
            const bool known = process_.environment.contains(row.name);
            const auto unmet = variable && known
                                   ? unmet_reference(*variable, process_.environment.at(row.name),
                                                     {machine_, process_, &versions_}, purpose)
                                   : std::nullopt;
            if (!unmet) {
                continue;
            }
            if (unmet->unknown) {
                row.uncertain = true;
                row.remark = unmet->says;
                continue;
            }
            row.faults.push_back(unmet->says);
            row.quiet = false;
            row.level = std::max(row.level, unmet->level);
            row.level = unmet->none_met && required && unmet->level == Level::recommended
                            ? Level::required
                            : row.level;
            row.advice = unmet->next.empty() ? "correct the variable where it is set" : unmet->next;
        }
    }

    // Entries of the lists that select GPUs and select none.
    void add_selection_faults(std::vector<Inspection>& inspected) const {
        const bool selects = std::any_of(inspected.begin(), inspected.end(), [](const auto& each) {
            return each.name.ends_with("_VISIBLE_DEVICES");
        });
        const auto agents = selects ? gpu_agents(machine_) : std::vector<GpuAgent>();
        if (agents.empty() || selection_unknown(process_)) {
            return;
        }
        const auto selected = selected_devices({machine_, process_, &versions_}, agents);
        for (const auto* selection : {&selected.rocr, &selected.hip}) {
            if (!*selection || (*selection)->fault.empty() || (*selection)->named == 0) {
                continue;
            }
            for (auto& row : inspected) {
                if (row.name == (*selection)->variable) {
                    row.faults.push_back((*selection)->fault);
                    row.misread = true;
                    row.quiet = false;
                    row.advice = slurm_set_both(process_) && row.name == "CUDA_VISIBLE_DEVICES"
                                     ? "unset CUDA_VISIBLE_DEVICES GPU_DEVICE_ORDINAL"
                                     : "unset " + row.name;
                }
            }
        }
    }

    void judge_tunable_files(const Resolved& profile) {
        if (out_of_scope(Scope::process) ||
            !selected(tunable_results_id, request_.only, request_.skip)) {
            return;
        }
        auto findings = tunable_findings(profile, machine_, host_, process_, versions_);
        if (!findings.empty()) {
            out_.report.settings[tunable_results_id] = {
                "PyTorch ignores a result file of another version or GPU without a warning",
                "pytorch/pytorch aten/src/ATen/cuda/tunable/Tunable.cpp, 2026-11", ""};
        }
        std::move(findings.begin(), findings.end(), std::back_inserter(evaluation_.extra));
    }

    // Returns the catalogue's text of a variable; of one without a text its reader.
    static std::string why_of(const std::optional<Variable>& variable) {
        if (!variable) {
            return "No program reads a variable of this name, so it has no effect";
        }
        return variable->doc.empty() ? "A variable" + of_reader(*variable)
                                     : std::string(variable->doc);
    }

    void add_inspection(Expectation expectation, const Inspection& found) {
        const auto variable = known_variable(found.name);
        expectation.why = why_of(variable);
        expectation.source =
            variable ? std::string(variable->source) : "the catalogue of variables";
        Assessment row;
        row.target = {"process", std::nullopt, ""};
        row.outcome = !found.faults.empty() ? Outcome::differs
                      : found.uncertain     ? Outcome::unknown
                                            : Outcome::ok;
        row.have = found.value ? std::optional(printable(*found.value)) : std::nullopt;
        row.effective = found.effective;
        row.detail = found.faults.empty() ? found.remark : join_sentences(found.faults);
        row.next_step = found.advice.empty() ? "correct the name where it is set" : found.advice;
        row.aside = found.quiet;
        const Setting& setting = *find_setting(expectation.id);
        out_.report.settings[expectation.id] = note_of(expectation, setting.info);
        evaluation_.judged.push_back({std::move(expectation), &setting, {std::move(row)}});
    }

    // Replaces the manual command with one of rocenv if rocenv can set the value.
    void add_next_steps(Judged& judged, const std::vector<std::string>& names) {
        const bool of_node = judged.setting->info.scope == Scope::node;
        std::string to_set;  // the same of each CPU
        for (auto& row : judged.rows) {
            if (row.outcome == Outcome::differs && row.change) {
                if (to_set.empty()) {
                    to_set = step_that_sets(judged.expectation, names);
                }
                row.next_step = to_set;
            } else if (row.outcome == Outcome::unknown && of_node && row.next_step == ask_as_root) {
                row.next_step = check_command(request_, for_root(names), judged.expectation);
            } else if (!is_quiet(row.outcome) && of_node) {
                fit_to_guest(judged.setting->info, row);
            }
        }
    }

    std::string step_that_sets(const Expectation& expectation,
                               const std::vector<std::string>& names) {
        if (rows_ == Rows::reported) {  // a set names no command that sets
            evaluation_.settable.add(expectation);
        }
        return on_node(set_command(request_, for_root(names), expectation));
    }

    // A container cannot set the kernel that it shares with its node.
    std::string on_node(std::string command) const {
        return machine_.facts().container ? "on the node: " + std::move(command) : command;
    }

    // Finds profiles "NAME-benchmark" that expect the optional values here, so that a short command
    // sets all of them.
    void find_tuned(const std::vector<std::string>& names) {
        if (evaluation_.settable.empty()) {
            return;
        }
        auto& settable = evaluation_.settable;
        settable.take_names(for_root(names));
        CheckRequest tuned = request_;
        tuned.profiles.clear();
        for (const auto& name : names) {
            const std::string benchmark = name + "-benchmark";
            tuned.profiles.push_back(is_shipped(benchmark) ? benchmark : name);
        }
        if (!settable.any_optional() || tuned.profiles == names) {
            return;
        }
        const auto found = select_profile(tuned, machine_, host_, process_, versions_);
        if (found.errors.empty()) {
            settable.take_tuned(names_for_root(tuned.profiles, host_, process_),
                                found.profile.expectations);
        }
    }

    // Sends the parts of a step that need hands on hardware from a guest to its hypervisor.
    void fit_to_guest(const Info& info, Assessment& row) const {
        const std::string step = row.next_step.empty() && row.outcome != Outcome::unknown
                                     ? std::string(info.next_step)
                                     : row.next_step;
        if (is_by_hand(step) && is_guest(machine_.fs())) {
            row.next_step = step_in_guest(step);
        }
    }

    // Looked up once, and only where a next step needs them.
    const std::vector<std::string>& for_root(const std::vector<std::string>& names) {
        if (names_for_root_.empty()) {
            names_for_root_ = names_for_root(names, host_, process_);
        }
        return names_for_root_;
    }

    bool out_of_scope(Scope scope) const {
        const bool only_process = request_.scope && *request_.scope == Scope::process;
        return (only_node_ && scope == Scope::process) || (only_process && scope == Scope::node);
    }

    // Returns the texts of a setting. A variable has those of the catalogue unless the profile has
    // its own.
    static SettingNote note_of(const Expectation& expectation, const Info& info) {
        const bool asks = expectation.id.starts_with("env.") &&
                          (expectation.why.empty() || expectation.source.empty());
        const auto variable = asks ? find_variable(expectation.id.substr(4)) : std::nullopt;
        const std::string_view why = variable ? variable->doc : info.why;
        const std::string_view source = variable ? variable->source : info.source;
        return {expectation.why.empty() ? std::string(why) : expectation.why,
                expectation.source.empty() ? std::string(source) : expectation.source,
                std::string(info.persist)};
    }

    void add_profile_finding(Finding finding, SettingNote note) {
        out_.report.settings[finding.id] = std::move(note);
        evaluation_.extra.push_back(std::move(finding));
    }

    const CheckRequest& request_;
    const Process& process_;
    const Machine& machine_;
    const Versions versions_;
    const Fs& host_;
    const Rows rows_;
    bool only_node_;
    std::vector<std::string> names_for_root_;
    std::optional<EarlierReport> earlier_;
    Evaluation evaluation_;
    CheckResult& out_ = evaluation_.result;
};

Evaluation refused(const Error& error) {
    Evaluation out;
    out.result.errors.push_back(error.text);
    out.result.timed_out =
        error.kind == ErrorKind::not_permitted || error.kind == ErrorKind::timed_out;
    return out;
}

}  // namespace

namespace {

// Returns the request about another environment: what depends on its variables. Limits and rights
// are those of this process.
CheckRequest about_environment(const CheckRequest& request) {
    CheckRequest out = request;
    out.scope.reset();
    out.all_scopes = true;
    if (out.only.empty()) {
        out.only = {"env.*", "gpu.visible", "rdma.*", "rocm.*"};
    }
    return out;
}

void add_unread_lines(const std::vector<UnreadLine>& lines, const CheckRequest& request,
                      Evaluation& evaluation) {
    if (lines.empty() || !evaluation.result.errors.empty() ||
        !selected(env_file_id, request.only, request.skip)) {
        return;
    }
    evaluation.result.report.settings[env_file_id] = env_file_note();
    for (const auto& line : lines) {
        evaluation.extra.push_back(env_file_finding(line));
    }
}

}  // namespace

Evaluation evaluate_profile(const CheckRequest& request, const Machine& machine, const Fs& host,
                            const Process& process, Rows rows) {
    auto assumed = Versions::parse_assumed(request.assume);
    if (!assumed) {
        return refused(assumed.error());
    }
    if (request.pid.empty() && request.env_files.empty()) {
        return Judge(request, machine, host, process, *std::move(assumed), rows).run();
    }
    auto environment =
        given_environment(request.pid, request.env_files, machine.fs(), host, process);
    if (!environment) {
        return refused(environment.error());
    }
    const Process other = process_given(process, *environment, request.pid, machine.fs());
    const CheckRequest asked = about_environment(request);
    Evaluation evaluation = Judge(asked, machine, host, other, *std::move(assumed), rows).run();
    add_unread_lines(environment->unread, asked, evaluation);
    evaluation.result.report.notes.push_back(
        request.pid.empty() ? "checked the environment in " + join(request.env_files, ", ")
                            : "checked the environment of process " + request.pid);
    return evaluation;
}

namespace {

// The findings of a report that others name as their cause, by id and target.
class NamedCauses {
   public:
    explicit NamedCauses(const std::vector<Finding>& findings) {
        for (const auto& finding : findings) {
            if (finding.cause) {
                found_.emplace(Key(finding.cause->id, finding.cause->target), nullptr);
            }
        }
        for (const auto& finding : findings) {
            const auto at =
                found_.empty() ? found_.end() : found_.find({finding.id, finding.target});
            if (at != found_.end() && at->second == nullptr) {
                at->second = &finding;
            }
        }
    }

    // Returns the cause of a finding; nullptr if the finding names none, or one that passed, has a
    // cause itself or is not in the report.
    const Finding* of(const Finding& finding) const {
        const auto at =
            finding.cause ? found_.find({finding.cause->id, finding.cause->target}) : found_.end();
        const Finding* cause = at == found_.end() ? nullptr : at->second;
        return cause == nullptr || is_quiet(cause->outcome) || cause->cause ? nullptr : cause;
    }

   private:
    using Key = std::pair<std::string, std::string>;

    std::map<Key, const Finding*> found_;
};

// Removes causes that are not in the report, and gives consequences the next step of their cause.
void keep_causes(std::vector<Finding>& findings) {
    const NamedCauses causes(findings);
    for (auto& finding : findings) {
        const Finding* cause = causes.of(finding);
        if (cause == nullptr) {
            finding.cause.reset();
        } else if (!cause->fix.empty()) {
            finding.fix = cause->fix;
        }
    }
}

// Returns what people call each GPU, by address. The index is that of its first agent, in KFD's
// order.
std::map<std::string, std::string> names_of_gpus(const Machine& machine) {
    std::set<std::size_t> agents;
    for (const auto& gpu : machine.gpus()) {
        agents.insert(gpu.agents.begin(), gpu.agents.end());
    }
    std::map<std::string, std::string> out;
    std::optional<SlotNames> slots;
    for (const auto& gpu : machine.gpus()) {
        const auto first = gpu.agents.empty() ? agents.end() : agents.find(gpu.agents.front());
        if (first != agents.end()) {
            const auto index = static_cast<std::size_t>(std::distance(agents.begin(), first));
            out.emplace(gpu.bdf, "GPU " + number(index) + " ({})");
        } else if (gpu.accelerator) {
            slots = slots ? slots : read_slot_names(machine.fs());
            const auto slot = slot_of(machine, *slots, gpu.bdf);
            out.emplace(gpu.bdf, "the GPU at {}" + (slot ? " (slot " + *slot + ")" : ""));
        }
    }
    return out;
}

// Returns whether a printed finding is about a device. Only then are names read.
bool names_a_device(const std::vector<Finding>& findings) {
    return std::any_of(findings.begin(), findings.end(), [](const Finding& each) {
        return each.outcome != Outcome::ok && each.outcome != Outcome::na &&
               is_pci_address(each.target);
    });
}

// A waived finding waives its consequences, with its ticket.
void waive_by_cause(std::vector<Finding>& findings) {
    const NamedCauses causes(findings);
    for (auto& finding : findings) {
        const Finding* cause = causes.of(finding);
        if (cause != nullptr && cause->waived && !finding.waived) {
            finding.waived = cause->waived;
        }
    }
}

}  // namespace

void add_findings(Evaluation& evaluation, const CheckRequest& request, const Machine& machine) {
    auto& out = evaluation.result.report.findings;
    std::size_t count = evaluation.extra.size();
    for (auto& judged : evaluation.judged) {
        if (judged.findings.empty()) {
            judged.findings = to_findings(judged.expectation, *judged.setting, judged.rows);
        }
        count += judged.findings.size();
    }
    out.reserve(count);
    for (auto& judged : evaluation.judged) {
        auto findings = std::exchange(judged.findings, {});
        std::move(findings.begin(), findings.end(), std::back_inserter(out));
    }
    out.insert(out.end(), evaluation.extra.begin(), evaluation.extra.end());
    Report& report = evaluation.result.report;
    add_causes(machine, out);
    if (names_a_device(out)) {
        report.device_names = names_of_gpus(machine);
    }
    keep_causes(out);
    auto notes = evaluation.waivers.apply(report, evaluation.filtered);
    waive_by_cause(out);
    report.set_all = evaluation.settable.command(request, report);
    std::move(notes.begin(), notes.end(), std::back_inserter(report.notes));
}

}  // namespace rocenv
