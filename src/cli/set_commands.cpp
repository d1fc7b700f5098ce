// SPDX-License-Identifier: MIT
// set, reset, status and the two halves of `run --tune`: options become requests to the transaction
// service, and its results become output.
#include <algorithm>
#include <initializer_list>
#include <utility>

#include "cli/commands.h"
#include "profile/profile.h"
#include "profile/profile_selection.h"
#include "settings/registry.h"
#include "transaction/persist_hints.h"
#include "transaction/service.h"
#include "util/exit_status.h"
#include "util/text.h"
#include "variables/releases/versions.h"

namespace rocenv {

struct SetOutcome {
    const SetResult& result;
    DryRun dry_run;
};

namespace {

std::string outcome_human(const SetOutcome& outcome, Detail detail, Screen screen) {
    return render_set_human(outcome.result, outcome.dry_run, detail, screen);
}

std::string outcome_json(const SetOutcome& outcome) {
    return render_set_json(outcome.result, outcome.dry_run);
}

constexpr SetFormat set_formats[] = {
    {"human", ReadBy::person, outcome_human},
    {"json", ReadBy::program, outcome_json},
};

constexpr StatusFormat status_formats[] = {
    {"human", ReadBy::person, render_status_human},
    {"json", ReadBy::program, render_status_json},
};

}  // namespace

template <>
std::span<const SetFormat> formats() {
    return set_formats;
}

template <>
std::span<const StatusFormat> formats() {
    return status_formats;
}

namespace {

const std::string set_command = "set";
const std::string reset_command = "reset";
const std::string tune_command = "run --tune";

// --- Requests to the service ---

ServiceOrder order_of(const std::string& command, const MachineOptions& machine,
                      const WriteOptions& write, bool dry_run, const Call& call) {
    using Purpose = ServiceOrder::Purpose;
    using GpuWrites = ServiceOrder::GpuWrites;
    ServiceOrder order;
    order.command = command;
    order.command_line = call.command_line;
    order.purpose = dry_run ? Purpose::rehearse : Purpose::write;
    order.sysroot = machine.sysroot;
    order.state = write.state;
    order.patience = machine.patience;
    order.gpu_writes = write.gpu_backend == GpuBackend::sysfs ? GpuWrites::through_files
                                                              : GpuWrites::through_rocm_smi;
    return order;
}

// Returns the order of the set before a run, and of the reset after it.
ServiceOrder order_of(const RunOptions& options, const Call& call) {
    WriteOptions write;
    write.state = options.state;
    ServiceOrder order = order_of(tune_command, options.machine, write, false, call);
    order.other_signals = OtherSignals::wait;
    return order;
}

std::optional<Output> wrong_backend(const std::string& command, const MachineOptions& machine,
                                    const WriteOptions& write) {
    const bool wrong = write.gpu_backend == GpuBackend::rsmi && machine.sysroot;
    return wrong ? std::optional(
                       misused(command, "--gpu-backend rsmi and --sysroot exclude each other"))
                 : std::nullopt;
}

Output bad_usage(const std::vector<std::string>& texts) {
    return {exit_usage, "", error_lines(texts)};
}

// Returns the profiles for the GPUs that are here; without any, the host's own.
std::vector<std::string> fitting(const Machine& machine, const ProfileStore& store,
                                 const Process& process) {
    const std::string chosen = choose_profile(machine, store).name;
    if (chosen == "host") {
        return {"host", "host-benchmark"};
    }
    if (chosen == "mi") {  // no profile is for all GPUs there are
        return {"mi", "mi-benchmark", "host", "host-benchmark"};
    }
    std::vector<std::string> out;
    for (const auto& name : store.names()) {
        const Resolved profile = resolve(store, {name}, {});
        const bool here =
            std::all_of(profile.matches.begin(), profile.matches.end(), [&](const Match& match) {
                return match.automatic && !mismatch(match, machine, process);
            });
        const bool of_node =
            std::any_of(profile.expectations.begin(), profile.expectations.end(),
                        [](const Expectation& expectation) {
                            return find_setting(expectation.id)->info.scope == Scope::node;
                        });
        if (here && of_node && !profile.matches.empty() && !has_errors(profile.diagnostics)) {
            out.push_back(name);
        }
    }
    return out;
}

// Returns which options contradict each other.
std::optional<std::string> contradiction(const ResetRequest& request) {
    const bool some = !request.hold.empty() || !request.keep.empty() || request.force;
    const bool part = !request.only.empty() || !request.skip.empty();
    if (request.forget && (some || part || request.to_defaults)) {
        return "--forget deletes the whole record. It excludes --hold, --only, --skip, --keep, "
               "--force and --to-defaults";
    }
    if (part && !request.hold.empty()) {
        return "--hold releases all settings of a name. It excludes --only and --skip";
    }
    if (request.to_defaults && some) {
        return "--to-defaults uses no record. It excludes --hold, --keep and --force";
    }
    return std::nullopt;
}

// --- Results of the service ---

Output refused_output(const Refusal& why) {
    Output output{why.exit_code, "", error_lines(why.lines)};
    if (!why.instead.empty()) {
        output.err += "  " + printable(why.instead, uncut) + "\n";
    }
    return output;
}

// With -q: the findings behind exit status 4 and 5.
std::vector<std::string> failures(const Report& report) {
    std::vector<std::string> out;
    for (const auto& finding : report.findings) {
        const bool not_back =
            finding.put_back == PutBack::no || finding.put_back == PutBack::not_tried;
        if (report.exit_code < exit_rolled_back ||
            (!not_back && finding.outcome != Outcome::failed)) {
            continue;
        }
        out.push_back(
            finding.id + " on " + finding.target +
            (not_back ? " could not be restored: its value is " + finding.have.value_or("unknown")
                      : " failed") +
            (finding.detail.empty() ? "" : ": " + finding.detail));
    }
    return out;
}

Output output_of(const PrintOptionsIn<StatusFormat>& options, const Status& status,
                 const Process& process) {
    Output output;
    output.exit_code = status.unreadable ? exit_unknown : status.exit_code;
    output.out = formatted(options, status, process);
    const bool is_in_text = options.format->reader == ReadBy::person && !options.quiet;
    if (status.unreadable && !is_in_text) {
        output.err = error_lines({status.unreadable->text});
    }
    return output;
}

// Returns what a reset could not put back, one line each.
std::vector<std::string> not_back(const SetResult& result) {
    std::vector<std::string> lines = result.errors;
    for (const auto& finding : result.report.findings) {
        if (finding.put_back == PutBack::no || finding.put_back == PutBack::not_tried) {
            lines.push_back("not restored: " + finding.id + " on " + finding.target + " is " +
                            finding.have.value_or("unknown") + ", was " +
                            finding.expected.value_or("unknown") +
                            (finding.detail.empty() ? "" : ": " + finding.detail));
        }
    }
    return lines;
}

std::string stays_set(const Refusal& why) {
    return refused_output(why).err +
           error_lines({"the settings stay until the next rocenv set or reset of this node"});
}

}  // namespace

std::optional<Output> wrong_names(std::initializer_list<GivenPatterns> given) {
    std::vector<std::string> errors;
    for (const auto& each : given) {
        check_patterns(each.patterns, each.option, errors);
    }
    return errors.empty() ? std::nullopt : std::optional(bad_usage(errors));
}

std::optional<Output> profile_missing(const CheckRequest& request, const std::string& command,
                                      const Fs& fs, const Fs& host, const Process& process) {
    if (!request.profiles.empty()) {
        return std::nullopt;
    }
    const Machine machine(fs);
    const auto names = fitting(machine, ProfileStore(host, process), process);
    return bad_usage({command + " needs a profile, named with -p. Profiles for this node: " +
                      join(names, ", ")});
}

Output set_output(const PrintOptionsIn<SetFormat>& options, DryRun dry_run, const SetResult& result,
                  const Process& process) {
    Output output;
    output.err = error_lines(result.warnings) + error_lines(result.errors);
    output.exit_code = result.report.exit_code;
    if (!result.errors.empty()) {
        output.exit_code = output.exit_code == 0 ? exit_usage : output.exit_code;
        if (output.exit_code == exit_usage || result.report.result.empty()) {
            return output;  // it ended before there was anything to report
        }
    }
    SetResult printed = result;
    std::vector<Finding> unlisted = printed.report.findings;
    // For people the list of what is not settable has the rest.
    if (options.format->reader == ReadBy::person) {
        std::erase_if(unlisted, [](const auto& each) { return each.level != Level::required; });
    }
    if (const auto note = reboot_note(unlisted); !note.empty()) {
        printed.report.notes.push_back(note);
    }
    output.out = formatted(options, SetOutcome{printed, dry_run}, process);
    if (options.quiet && options.format->reader == ReadBy::person) {
        output.err += error_lines(failures(printed.report));
    }
    return output;
}

Output run_persist_hints(const SetOptions& options, const Fs& fs, const Fs& host,
                         const Process& process) {
    const CheckRequest& request = options.request.check;
    const Machine machine(fs);
    const Versions versions(machine, process);
    const SelectedProfile chosen = select_profile(request, machine, host, process, versions);
    Output output;
    output.err = error_lines(chosen.warnings) + error_lines(doubt_lines(chosen.doubts)) +
                 error_lines(chosen.errors);
    if (!chosen.errors.empty()) {
        output.exit_code = exit_of_unread(chosen.timed_out);
        return output;
    }
    std::vector<Expectation> expectations = chosen.profile.expectations;
    std::erase_if(expectations, [&](const Expectation& expectation) {
        return !selected(expectation.id, request.only, request.skip);
    });
    output.out =
        persist_hints(expectations, chosen.profile.names,
                      request.no_site ? Site::left_out : Site::merged, machine.kernel_arguments());
    return output;
}

namespace {

// Returns bad usage if a set requests something impossible.
std::optional<Output> bad_request(const SetRequest& request, const std::string& command,
                                  const Service& service, const Process& process) {
    auto output = wrong_names({{"--only", request.check.only},
                               {"--skip", request.check.skip},
                               {"--allow", request.allow}});
    return output ? output
                  : profile_missing(request.check, command, service.machine(), service.files(),
                                    process);
}

// Returns the output of set, of reset, or of the set before a run.
Output output_of(const PrintOptionsIn<SetFormat>& options, DryRun dry_run,
                 const ServiceResult& done, const Process& process) {
    if (!done.result) {
        return refused_output(*done.refusal);
    }
    Output output = set_output(options, dry_run, *done.result, process);
    if (done.refusal) {
        const Output refused = refused_output(*done.refusal);
        output.err += refused.err;
        output.exit_code = refused.exit_code;
    }
    output.err += error_lines(done.remarks);
    return output;
}

}  // namespace

namespace {

// Returns the command that restores what was set, or what a hold of this name needs.
std::string reset_of(const std::string& hold, const std::optional<std::string>& state,
                     const std::optional<std::string>& sysroot) {
    return reset_command_of(sysroot.value_or("/"), state.value_or(""),
                            hold.empty() ? "" : " --hold " + shell_word(hold));
}

// The command that restores what this set changed; empty if it changed nothing.
std::string undo_command(const SetOptions& options, const SetResult& result) {
    const auto& findings = result.report.findings;
    if (options.request.hold.empty() &&
        std::none_of(findings.begin(), findings.end(),
                     [](const Finding& each) { return each.outcome == Outcome::changed; })) {
        return "";  // a hold without changes still has to be released
    }
    return reset_of(options.request.hold, options.write.state, options.machine.sysroot);
}

// Adds what restores the settings that are active: a hold has to be released first.
void add_undo(const StatusOptions& options, Status& status) {
    if (status.unreadable || (status.items.empty() && status.holders.empty())) {
        return;
    }
    for (const auto& name : status.holders) {
        status.undo.push_back(
            "If " + name + " has ended: " + reset_of(name, options.state, options.machine.sysroot));
    }
    if (status.holders.empty()) {
        status.undo.push_back("Undo: " + reset_of("", options.state, options.machine.sysroot));
    }
}

}  // namespace

namespace {

Output set_by(Service& service, const SetOptions& options, const Process& process) {
    if (auto bad = bad_request(options.request, set_command, service, process)) {
        return *std::move(bad);
    }
    if (options.persist_hints) {
        return run_persist_hints(options, service.machine(), service.files(), process);
    }
    ServiceResult done = service.set(options.request);
    if (done.result) {
        done.result->undo = undo_command(options, *done.result);
    }
    return output_of(options.print, options.request.dry_run ? DryRun::yes : DryRun::no, done,
                     process);
}

}  // namespace

Output run_set(const SetOptions& options, const Call& call) {
    if (const auto wrong = wrong_backend(set_command, options.machine, options.write)) {
        return *wrong;
    }
    Service service(order_of(set_command, options.machine, options.write,
                             options.request.dry_run || options.persist_hints, call),
                    call.process, call.given);
    if (const auto& why = service.refusal()) {
        return refused_output(*why);
    }
    return service.run([&] { return set_by(service, options, call.process); });
}

Output run_reset(const ResetOptions& options, const Call& call) {
    if (const auto both = contradiction(options.request)) {
        return misused(reset_command, *both);
    }
    if (const auto wrong = wrong_backend(reset_command, options.machine, options.write)) {
        return *wrong;
    }
    Service service(
        order_of(reset_command, options.machine, options.write, options.request.dry_run, call),
        call.process, call.given);
    if (const auto& why = service.refusal()) {
        return refused_output(*why);
    }
    if (const auto wrong = wrong_names({{"--only", options.request.only},
                                        {"--skip", options.request.skip},
                                        {"--keep", options.request.keep}})) {
        return *wrong;
    }
    return service.run([&] {
        return output_of(options.print, options.request.dry_run ? DryRun::yes : DryRun::no,
                         service.reset(options.request), call.process);
    });
}

Output run_status(const StatusOptions& options, const Process& process) {
    if (const auto wrong = wrong_names({{"--only", options.only}, {"--skip", options.skip}})) {
        return *wrong;
    }
    ServiceOrder order;
    order.command = "status";
    order.sysroot = options.machine.sysroot;
    order.state = options.state;
    order.patience = options.machine.patience;
    const GivenFiles none;
    const Service service(std::move(order), process, none);
    if (const auto& why = service.refusal()) {
        return refused_output(*why);
    }
    return service.run([&] {
        StatusResult found = service.status();
        if (!found.status) {
            return refused_output(*found.refusal);
        }
        Status status = part_of(*std::move(found.status), options.only, options.skip);
        add_undo(options, status);
        return output_of(options.print, status, process);
    });
}

Tuned tune(const RunOptions& options, const Call& call) {
    Service service(order_of(options, call), call.process, call.given);
    if (const auto& why = service.refusal()) {
        return {refused_output(*why), {}};
    }
    if (const auto bad = bad_request(options.request, tune_command, service, call.process)) {
        return {*bad, {}};
    }
    Tuned out;
    PrintOptionsIn<SetFormat> print;
    static_cast<PrintOptions&>(print) = options.print;
    out.output =
        output_of(print, DryRun::no, service.tune(options.request, out.hold), call.process);
    return out;
}

std::string untune(const RunOptions& options, const Call& call, RunHold hold) {
    ServiceOrder order = order_of(options, call);
    order.ends_run = true;
    Service service(std::move(order), call.process, call.given);
    if (const auto& why = service.refusal()) {
        return stays_set(*why);
    }
    const ServiceResult done = service.untune(std::move(hold));
    return done.result ? error_lines(not_back(*done.result)) : stays_set(*done.refusal);
}

}  // namespace rocenv
