// SPDX-License-Identifier: MIT
// The JSON form of a report: rocenv.report/1.
#pragma once

#include <utility>

#include "json/describe.h"
#include "report/model/consequences.h"
#include "report/model/message.h"
#include "rocenv/report.h"
#include "settings/have_codes.h"

namespace rocenv {

// One write(2), or pwrite(2) if it has an offset.
struct ReportWrite {
    std::string id;
    std::string target;
    std::string path;
    std::optional<std::uint64_t> offset;
    std::string bytes;  // two hexadecimal digits for each byte
};

// The context of writing a report.
struct ReportContext {
    const Report& report;
    DryRun dry_run = DryRun::no;
    std::optional<std::vector<ReportWrite>> writes{};  // set in a dry run
    // Returns whether the report is one of check, not of set or reset.
    bool is_check() const { return report.command == "check"; }
};

namespace described {

inline constexpr const char* id = "^(env\\..+|[a-z]+\\.[a-z_]+)$";
inline constexpr const char* ids = R"({ "pattern": "^(env\\..+|[a-z]+\\.[a-z_]+)$" })";
inline constexpr const char* hash = "^[0-9a-f]{16}$";
inline constexpr const char* outcomes =
    R"({ "enum": ["ok", "changed", "na", "hidden", "unknown", "differs", "unsafe", "failed"] })";
inline constexpr const char* valued_or_reasoned =
    R"({ "if": { "properties": { "value": { "type": "null" } } },
         "then": { "required": ["reason", "detail"] },
         "else": { "properties": { "reason": false, "detail": false } } })";

// A text that may be absent and, if present, may be null.
using TextOrNull = std::optional<std::optional<std::string>>;

// Returns the value if the condition holds; else std::nullopt.
template <class Type>
std::optional<std::remove_cvref_t<Type>> only_if(bool holds, Type&& value) {
    return holds ? std::optional<std::remove_cvref_t<Type>>(std::forward<Type>(value))
                 : std::nullopt;
}

// Returns the remedy; std::nullopt for findings that are ok, na, hidden or changed.
inline std::optional<Remedy> remedy(const Finding& finding, const ReportContext& context) {
    const bool calls = !is_quiet(finding.outcome) && finding.outcome != Outcome::changed;
    return calls ? std::optional(remedy_of(context.report, finding)) : std::nullopt;
}

// Returns the counters above 0.
inline Counters above_0(const Finding& finding) {
    Counters out = finding.counters;
    std::erase_if(out, [](const auto& each) { return each.second == 0; });
    return out;
}

// Returns the reason of a fact or identity without a value; else std::nullopt.
template <class Reported>
std::optional<Reason> reason(const Reported& reported) {
    return only_if(!reported.value, reported.reason);
}
// Returns the sentence of a fact or identity without a value; else std::nullopt.
template <class Reported>
std::optional<std::string> detail(const Reported& reported) {
    return only_if(!reported.value, reported.detail);
}

}  // namespace described

template <>
struct WordOfOtherVersion<Level> {
    static constexpr Level counts_as = Level::required;  // a strange level may be decisive
};
template <>
struct WordOfOtherVersion<Outcome> {
    static constexpr Outcome counts_as = Outcome::unknown;
};
template <>
struct WordOfOtherVersion<Reason> {
    static constexpr Reason counts_as = Reason::error;
};

template <>
struct Described<Waived> {
    static void members(auto& at) {
        at.member("ticket", &Waived::ticket, {.filled = true});
        at.member("until", &Waived::until, {.says = "the last day"});
        at.member("why", &Waived::why, {.filled = true});
    }
};

template <>
struct Described<Cause> {
    static void members(auto& at) {
        at.member("id", &Cause::id);
        at.member("target", &Cause::target);
    }
};

template <>
struct Described<Finding> {
    static void members(auto& at) {
        using namespace described;
        at.needed("id", &Finding::id, {.pattern = id});
        at.needed("target", &Finding::target,
                  {.says = "system, process, a bus address, policy0-383, cpu0-383/C2, a parameter "
                           "of the driver, a file",
                   .filled = true});
        at.needed("level", &Finding::level);
        at.needed("outcome", &Finding::outcome);
        at.maybe("reason",
                 both(&Finding::reason,
                      [](const Finding& finding) {
                          return only_if(finding.outcome == Outcome::unknown, finding.reason);
                      }),
                 {.says = "error: none of the others; detail says more",
                  .words = "timeout|permission|asleep|garbled|error"});
        at.member("want", &Finding::expected);
        at.member("have", &Finding::have);
        at.maybe("code",
                 both(&Finding::code,
                      [](const Finding& finding) {
                          return finding.have ? have_code(finding.id, *finding.have)
                                              : std::string();
                      }),
                 {.says = code_text, .pattern = "^[a-z0-9-]+([+][a-z0-9-]+)*$"});
        of_writes(at);
        at.maybe("effective",
                 [](const Finding& finding) -> TextOrNull {
                     return only_if(finding.id.starts_with("env."), finding.effective);
                 },
                 {.says = "env.* only: the value that the program takes from the text; null: its "
                          "parser is not known"});
        at.maybe("cause", &Finding::cause,
                 {.says = "the finding of this report that fully explains this one and has no "
                          "cause itself. Absent: there is none"});
        of_people(at);
        at.member("detail", &Finding::detail);
        at.or_null("fix", &Finding::fix,
                   {.says = "the next step; null when there is none to take", .filled = true});
        at.maybe("fingerprint",
                 [](const Finding& finding, const ReportContext& context) {
                     const bool is_known = context.is_check() && finding.outcome != Outcome::ok;
                     return is_known ? finding_fingerprint(context.report, finding) : std::string();
                 },
                 {.says = "check, unless the outcome is ok: a hash of node, id and target that "
                          "identifies the same fault in later reports",
                  .pattern = hash});
        rules(at);
    }

    // Makes a finding with a level of another version unknown.
    static void strange(Finding& finding, std::string_view word) {
        finding.outcome = word.starts_with("level ") ? Outcome::unknown : finding.outcome;
    }

   private:
    static constexpr const char* code_text =
        "identifies a have in words, for programs; codes of several faults "
        "are joined by +. Absent: have is a value. The codes: bus-master-off, data-parity-error, "
        "driver-*, fallen, function-missing, half-duplex, l0s-l1, link-local, "
        "link-without-function, memory-off, nic-missing, no-32-bit, no-64-bit, no-carrier, "
        "no-daemon, no-disk, no-driver, no-gid, no-ipv4, no-kfd-node, no-nic, no-port, "
        "no-rdma-device, no-render-node, not-on-pci, not-possible, not-set-up, other-mac, "
        "other-nic, other-port, parity-error, port-missing, power-fault, power-state-*, rocm-*, "
        "runs-*, same-as-*, secret, slot-without-function, system-error, vfio; * stands for a "
        "name on the machine in lower case, with - for other characters";

    static void of_writes(auto& at) {
        using namespace described;
        at.maybe("was",
                 [](const Finding& finding, const ReportContext& context) -> TextOrNull {
                     return only_if(!context.is_check(), finding.was);
                 },
                 {.says = "set and reset: the value before the command changed it or tried to; "
                          "null: it did neither. With --dry-run: the value that it would change"});
        at.maybe(
            "put_back",
            [](const Finding& finding, const ReportContext& context) -> TextOrNull {
                return only_if(!context.is_check(),
                               only_if(finding.put_back != PutBack::none,
                                       std::string(word_of(finding.put_back))));
            },
            {.says = "set: whether a target that could not be set has its earlier value again; "
                     "reset: whether it has the recorded value. no: the attempt failed, have is "
                     "the present value; not tried: it was modified outside rocenv, or must not "
                     "be written; null: nothing had to be restored",
             .words = "yes|no|not tried"});
    }

    static void of_people(auto& at) {
        using namespace described;
        at.maybe("action",
                 [](const Finding& finding, const ReportContext& context) {
                     const auto of = remedy(finding, context);
                     return of ? std::optional(of->action) : std::nullopt;
                 },
                 {.says = "the least step that restores the value; for a consequence, the step of "
                          "its cause. For outcomes differs, unknown, unsafe and failed"});
        at.maybe(
            "jobs",
            [](const Finding& finding, const ReportContext& context) {
                const auto of = remedy(finding, context);
                return of ? std::optional(of->jobs) : std::nullopt;
            },
            {.says = "the effect on jobs on this node, for the same outcomes. If a value could "
                     "not be read: degraded, since its state is not known; safe for a "
                     "suspended device"});
        at.maybe("devices",
                 [](const Finding& finding) {
                     return finding.devices ? std::optional(finding.devices->visible)
                                            : std::nullopt;
                 },
                 {.says = "gpu.visible only: GPU agents visible to the process. An agent is a "
                          "physical GPU or one of its partitions"});
        at.maybe("devices_total",
                 [](const Finding& finding) {
                     return finding.devices ? std::optional(finding.devices->total) : std::nullopt;
                 },
                 {.says = "gpu.visible only: GPU agents that KFD lists"});
        at.maybe("count",
                 [](const Finding& finding) { return only_if(finding.counted, finding.count); },
                 {.says = "CPUs or policies that this finding stands for", .at_least = 1});
        at.maybe("counters", both(&Finding::counters, above_0),
                 {.says = "counts since the start by name, only those above 0; have is the part "
                          "that is judged",
                  .at_least = 1});
        at.maybe(
            "waived", &Finding::waived,
            {.says = "accepted by the site: the outcome stays, and the exit status ignores it"});
        at.maybe(
            "message",
            [](const Finding& finding, const ReportContext& context) {
                return finding_message(finding, context.dry_run);
            },
            {.says = "one sentence for people: subject, state, expected state; the wording can "
                     "change with any version. Absent: the outcome is ok"});
    }

    static void rules(auto& at) {
        at.rule(R"({ "description": "an unknown value has a reason",
            "if": { "properties": { "outcome": { "const": "unknown" } } },
            "then": { "required": ["reason"] }, "else": { "properties": { "reason": false } } })");
        at.rule(R"({ "description": "a changed value has an earlier value, and needs no step",
            "if": { "properties": { "outcome": { "const": "changed" } } },
            "then": { "required": ["was"],
                "properties": { "was": { "type": "string" }, "have": { "type": "string" },
                    "fix": { "type": "null" }, "put_back": { "enum": ["yes", null] } } } })");
        at.rule(R"({ "description": "an outcome of ok has no message",
            "if": { "properties": { "outcome": { "const": "ok" } } },
            "then": { "properties": { "message": false } } })");
        at.rule(R"({ "description": "waivers apply to differs and unknown only",
            "if": { "required": ["waived"] },
            "then": { "properties": { "outcome": { "enum": ["differs", "unknown"] } } } })");
        at.rule(
            R"({ "description": "a value that could not be restored has its earlier and its present value",
            "if": { "required": ["put_back"], "properties": { "put_back": { "const": "no" } } },
            "then": { "properties": { "outcome": { "const": "failed" }, "was": { "type": "string" },
                "have": { "type": "string" }, "fix": { "type": "string" } } } })");
    }
};

template <>
struct Described<SettingNote> {
    static void members(auto& at) {
        at.member("why", &SettingNote::why, {.filled = true});
        at.member("source", &SettingNote::source, {.filled = true});
        at.member("persist", &SettingNote::persist);
    }
};

template <>
struct Described<ReportFact> {
    static void members(auto& at) {
        using namespace described;
        at.needed("id", &ReportFact::id, {.pattern = id});
        at.needed("target", &ReportFact::target, {.filled = true});
        at.needed("value", &ReportFact::value, {.says = "null: could not be read"});
        at.maybe("reason", both(&ReportFact::reason, reason<ReportFact>));
        at.maybe("detail", detail<ReportFact>);
        at.rule(valued_or_reasoned);
    }
};

template <>
struct Described<FactSheet> {
    static void members(auto& at) {
        at.member("fingerprint", &FactSheet::fingerprint,
                  {.says = "equal if all values are equal, and the same ones could not be read",
                   .pattern = described::hash});
        at.member("unread", &FactSheet::unread,
                  {.says = "number of values that could not be read"});
        at.member("values", &FactSheet::facts);
    }
};

template <>
struct Described<ReportIdentity> {
    static void members(auto& at) {
        using namespace described;
        at.member("target", &ReportIdentity::target,
                  {.says = "system, a bus address, a network interface, a disk", .filled = true});
        at.member("name", &ReportIdentity::name,
                  {.says = "of the kernel's file; any: the device is suspended, and none of its "
                           "files was read",
                   .filled = true});
        at.member("value", &ReportIdentity::value, {.says = "null: could not be read"});
        at.maybe("reason", both(&ReportIdentity::reason, reason<ReportIdentity>));
        at.maybe("detail", detail<ReportIdentity>);
        at.rule(valued_or_reasoned);
    }
};

template <>
struct Described<ChangedFact> {
    static void members(auto& at) {
        at.member("id", &ChangedFact::id, {.pattern = described::id});
        at.member("target", &ChangedFact::target, {.filled = true});
        at.member("was", &ChangedFact::was, {.says = "null: did not exist"});
        at.member("now", &ChangedFact::now, {.says = "null: no longer exists"});
    }
};

template <>
struct Described<Comparison> {
    static void members(auto& at) {
        at.member("time", &Comparison::time, {.says = "of the earlier report", .filled = true});
        at.member("same_boot",
                  [](const Comparison& since) {
                      return described::only_if(since.same_boot != SameBoot::not_known,
                                                since.same_boot == SameBoot::yes);
                  },
                  {.says = "counters are judged by their growth within one boot only; null: not "
                           "known"});
        at.member("changed", &Comparison::changed,
                  {.says = "changed facts, without those that could not be read in one of the "
                           "reports, which a note names; null: one of the reports has no facts"});
    }
};

template <>
struct Described<ReportWrite> {
    static void members(auto& at) {
        at.member("id", &ReportWrite::id, {.pattern = described::id});
        at.member("target", &ReportWrite::target, {.filled = true});
        at.member("path", &ReportWrite::path, {.pattern = "^/"});
        at.member("offset", &ReportWrite::offset);
        at.member("bytes", &ReportWrite::bytes,
                  {.says = "two hexadecimal digits each", .pattern = "^([0-9a-f]{2})*$"});
    }
};

template <>
struct Described<NodeFacts> {
    static void members(auto& at) {
        at.member("hostname", &NodeFacts::hostname);
        at.member("boot_id", &NodeFacts::boot_id);
        at.member("kernel", &NodeFacts::kernel, {.says = "release of the running kernel"});
        at.member("container", &NodeFacts::container);
    }
};

template <>
struct Described<Report> {
    static void members(auto& at) {
        at.constant("schema", "rocenv.report/1");
        at.member("version", both(&Report::version, [](const Report&) { return ROCENV_VERSION; }),
                  {.filled = true});
        of_command(at);
        at.member("summary", &Report::summary,
                  {.says = "number of findings by outcome; outcomes without a finding are left out",
                   .at_least = 1,
                   .keys = described::outcomes});
        at.member("notes", &Report::notes,
                  {.says = "sentences about the run", .each_filled = true});
        at.member("settings", &Report::settings,
                  {.says = "texts that hold for all findings of an id", .keys = described::ids});
        at.needed("findings", &Report::findings);
        at.maybe(
            "facts", &Report::facts,
            {.says = "check --facts: values that the nodes of a cluster should have in common, "
                     "not judged, normalised by each setting; sorted by id and target"});
        at.maybe(
            "identities", &Report::identities,
            {.says = "check --with-ids only: serial numbers, GUIDs and MAC addresses, by target "
                     "and name"});
        at.maybe("since", &Report::since,
                 {.says = "check --since: the comparison with that report"});
        at.maybe("writes",
                 [](const Report&, const ReportContext& context) { return context.writes; },
                 {.says = "set and reset with --dry-run: the writes in their order"});
        at.rule(R"({ "if": { "properties": { "command": { "const": "check" } } },
            "then": { "properties": { "writes": false, "findings": { "items": {
                "properties": { "was": false, "put_back": false,
                    "outcome": { "enum": ["ok", "na", "hidden", "unknown", "differs"] } },
                "if": { "properties": { "outcome": { "const": "ok" } } },
                "then": { "properties": { "fingerprint": false } },
                "else": { "required": ["fingerprint"] } } } } },
            "else": { "properties": { "facts": false, "identities": false, "since": false,
                "findings": { "items": { "required": ["was", "put_back"],
                    "properties": { "fingerprint": false } } } } } })");
    }

   private:
    static void of_command(auto& at) {
        at.member("command", &Report::command, {.words = "check|set|reset"});
        at.member("profile", &Report::profiles,
                  {.says = "names of the profiles, auto replaced by its choice, then the site "
                           "file if one was merged"});
        at.or_null(
            "profile_digest", &Report::profile_digest,
            {.says = "a hash of the merged entries: equal for equal values and levels; null: "
                     "no profile was requested",
             .pattern = described::hash});
        at.member("root", &Report::root, {.says = "/ or the folder of --sysroot", .filled = true});
        at.member("time", &Report::time, {.pattern = utc_time_pattern});
        at.member("node", &Report::node);
        at.member("result", &Report::result, {.words = "ok|differs|unknown|changed|failed|unsafe"});
        at.needed("exit", &Report::exit_code, {.at_most = 5});
        at.maybe("only", &Report::only, {.says = "check --only: ids and globs"});
        at.maybe("skip", &Report::skip, {.says = "check --skip: ids and globs"});
        at.maybe("scope", &Report::scope, {.says = "check --scope", .words = "node|process|all"});
        at.maybe("strict", &Report::strict,
                 {.says = "check --strict: recommended counts as required"});
        at.maybe("deadline_reached", &Report::deadline_reached,
                 {.says = "check: the deadline passed before everything was read, and the rest is "
                          "unknown"});
    }
};

}  // namespace rocenv
