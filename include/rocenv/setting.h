// SPDX-License-Identifier: MIT
// A setting: one property of a node or a process that can be read, judged and perhaps set. Each is
// a value in src/settings or a row of a table there, is listed in registry.cpp and has a case in
// tests/settings.
//
// A setting never writes and never prints. Its functions return assessments, one for each target.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "rocenv/change.h"
#include "rocenv/machine.h"
#include "rocenv/process.h"
#include "rocenv/value.h"
#include "rocenv/words.h"
#include "rocenv/written_place.h"

namespace rocenv {

// Result of a check or a write on one target.
enum class Outcome {
    ok,       // the value passes
    changed,  // was set and read back
    na,       // does not exist here, and need not
    hidden,   // exists, but is not visible to this container
    unknown,  // could not be read; never counted as ok
    differs,  // was read and does not pass
    unsafe,   // not written: would break isolation, a guest or a running job
    failed,   // the write failed or did not stick
};
template <>
struct EnumWords<Outcome> {
    static constexpr EnumWord<Outcome> all[] = {
        {Outcome::ok, "ok"},         {Outcome::changed, "changed"}, {Outcome::na, "na"},
        {Outcome::hidden, "hidden"}, {Outcome::unknown, "unknown"}, {Outcome::differs, "differs"},
        {Outcome::unsafe, "unsafe"}, {Outcome::failed, "failed"},
    };
};
// Returns whether the outcome needs no report and no action: ok, na and hidden.
constexpr bool is_quiet(Outcome outcome) {
    return outcome == Outcome::ok || outcome == Outcome::na || outcome == Outcome::hidden;
}

// Reason why a value could not be read or is not visible.
enum class Reason { timeout, permission, asleep, garbled, hidden, error };
template <>
struct EnumWords<Reason> {
    static constexpr EnumWord<Reason> all[] = {
        {Reason::timeout, "timeout"}, {Reason::permission, "permission"},
        {Reason::asleep, "asleep"},   {Reason::garbled, "garbled"},
        {Reason::hidden, "hidden"},   {Reason::error, "error"},
    };
};
// Returns the reason for the kind of an error; `error` for every kind without one of its own.
Reason reason_of(const Error& error);

// State of the old value of a target. For a set, the old value is the one found before a write that
// failed or was rolled back. For a reset, it is the recorded one.
enum class PutBack {
    none,       // no value had to be restored
    yes,        // the old value is restored
    no,         // the restore failed: `have` is the present value
    not_tried,  // not restored: the value was changed outside rocenv, or must not be written
};
template <>
struct EnumWords<PutBack> {
    static constexpr EnumWord<PutBack> all[] = {
        {PutBack::none, "none"},
        {PutBack::yes, "yes"},
        {PutBack::no, "no"},
        {PutBack::not_tried, "not tried"},
    };
};

// Importance of a finding, in ascending order.
enum class Level { info, recommended, required };
template <>
struct EnumWords<Level> {
    static constexpr EnumWord<Level> all[] = {
        {Level::info, "info"},
        {Level::recommended, "recommended"},
        {Level::required, "required"},
    };
};

// Subject of a setting: the node, or a process with its environment.
enum class Scope { node, process };
template <>
struct EnumWords<Scope> {
    static constexpr EnumWord<Scope> all[] = {{Scope::node, "node"}, {Scope::process, "process"}};
};

// Risk of a write.
enum class Risk { none, low, high };
template <>
struct EnumWords<Risk> {
    static constexpr EnumWord<Risk> all[] = {
        {Risk::none, "none"},
        {Risk::low, "low"},
        {Risk::high, "high"},
    };
};

// A kind of difference that matters less than the profile's item. Its finding gets the level
// `at_most` if the profile's level is higher.
struct Grade {
    std::string_view name;  // "correctable"
    Level at_most = Level::info;
    std::string_view why;
};

// Rule for comparing the values of a setting between nodes of a cluster.
enum class OverCluster {
    unstated,  // not decided; a test rejects this
    equal,     // a node with another value is an outlier
    own,       // belongs to one node or process: counters, users, rights
};

// The counters of a setting on one target, by name. Numbers only grow until the kernel resets them.
// A counter that was read and stands at 0 is included.
using Counters = std::map<std::string, std::uint64_t>;

// The counters of one setting in an earlier report of this boot.
struct EarlierCounters {
    bool judged = false;                      // the report has findings of the setting
    std::map<std::string, Counters> targets;  // counters above 0
    std::set<std::string> unread;             // targets that the report could not read
    std::set<std::string> seen;               // all targets of its findings
};

// The events of a target that a check judges.
struct Growth {
    Counters counts;
    std::string note;   // base of the counts if that is not the start; may be empty
    bool whole = true;  // the counts begin at the start
};

// Ways to keep a value over a reboot, by the files in which a distribution reads them. If all are
// empty, only the next set restores the value.
struct Keeping {
    std::vector<std::string> sysctl;          // lines of a file in /etc/sysctl.d
    std::vector<std::string> tmpfiles;        // lines of a file in /etc/tmpfiles.d
    bool by_unit = false;                     // run `rocenv set` when the node starts
    std::vector<std::string> boot_words;      // words for the kernel command line
    std::vector<std::string> unwanted_words;  // words that the command line must not have
    std::vector<std::string> notes;           // a block of comments that names another way
    std::string firmware;                     // name of the BIOS option
    // Returns whether no way is known.
    bool empty() const;
};

// Facts about a setting that do not depend on a machine. Each text is one sentence or less.
struct Info {
    std::string_view id;         // "kernel.numa_balancing"; "env." for the family of variables
    std::string_view summary;    // the property
    std::string_view why;        // its importance for these nodes
    std::string_view source;     // document and date
    std::string_view target;     // "system", "process", "physical GPU", "PCI function", …
    std::string_view read_from;  // files
    std::string_view set_by;     // effect of a write; empty: check only
    // Instructions for a difference, separated by "; ". A command is a whole part, or the rest of a
    // part after "sudo" or ": ". BDF in a command stands for the target's address. For values that
    // rocenv can set, a rocenv command replaces this text.
    std::string_view next_step;
    std::string_view persist;    // duration of a change, and the line that keeps it over a reboot
    std::string_view risk_note;  // possible harm of a write
    Risk risk = Risk::none;
    bool after_reboot = false;  // a change needs a reboot: boot loader, BIOS, a mode
    // Its files query firmware or need a driver's lock. They are read only if a profile names the
    // id, and never to learn a profile.
    bool only_when_named = false;
    // The host of a guest decides the value. In a guest, a value that does not pass is na.
    bool host_decides = false;
    Scope scope = Scope::node;
    OverCluster over_cluster = OverCluster::unstated;
    // Largest difference, in percent, at which numbers of two nodes still count as equal.
    std::uint32_t tolerated_percent = 0;
    std::vector<Form> forms;          // accepted values
    std::span<const Grade> grades{};  // grades that can lower its findings
    // All places that its changes write and read back. Empty: check only.
    std::span<const WrittenPlace> places{};
};

// One expected value, from a profile or --want.
struct Expectation {
    std::string id;
    Value value;
    bool unset = false;       // env.* only: the variable must not be set
    bool must_exist = false;  // env.* only: the value is a path that must exist
    Level level = Level::required;
    std::string why;  // empty: the text of the setting
    std::string source;
    std::string when;  // condition that held, in words
    Place place;
};

// Subject of a finding. CPUs and cpufreq policies carry their number, so that equal ones can be
// reported as one: base "cpu", number 3, suffix "/C2".
struct Target {
    std::string base = "system";
    std::optional<std::uint32_t> number;
    std::string suffix;
    // Returns the name in reports: "cpu3/C2", "0000:05:00.0".
    std::string text() const;
};

// GPU agents: physical GPUs, or their partitions.
struct DeviceCount {
    std::size_t visible = 0;  // agents visible to the judged process
    std::size_t total = 0;    // agents in KFD's list
};

// The result of a setting on one target.
struct Assessment {
    Target target;
    Outcome outcome = Outcome::unknown;
    Reason reason = Reason::error;  // reason if the outcome is unknown
    std::optional<std::string> expected;
    std::optional<std::string> have;
    std::optional<std::string> effective;  // env.*: the text as its reader interprets it
    std::string detail;                    // one sentence, may be empty
    std::string next_step;                 // empty: the text of the setting
    bool remark = false;                   // printed even when ok
    bool aside = false;                    // not in the profile: printed only with -v
    const Grade* grade = nullptr;          // element of info.grades that lowers the level
    // The change that leads to the expected value. Present if the target can be set and could be
    // read, even if the value passes.
    std::optional<Change> change{};
    // Reason why no write can reach the expected value: it is above a limit that the node states.
    // The command fails as bad usage, and nothing is written.
    std::string refused{};
    // Events since the start, judged or not.
    Counters counters{};
    std::optional<DeviceCount> devices{};  // gpu.visible only
    // The single variable that explains the difference: "NCCL_IB_HCA". The finding of that variable
    // becomes the cause.
    std::string_view by_variable{};
    // Set by set and reset, never by a setting: see Finding.
    std::optional<std::string> was{};
    PutBack put_back = PutBack::none;
};

// One value of this node that nodes of a cluster should agree on. A fact is not judged.
struct ClusterFact {
    Target target;
    std::optional<std::string> value;  // std::nullopt: could not be read, or is not visible
    Reason reason = Reason::error;     // reason for a missing value
    std::string detail;                // the reason as a sentence
};

// The present value of one target, and the change that restores exactly this value.
struct Baseline {
    Target target;
    std::string shown;    // text form, as `have` of an assessment
    Result<Change> back;  // an error: could not be read, so never written
};

class Versions;

// Everything that the functions of a setting may read.
struct Context {
    const Machine& machine;
    const Process& process;
    const Versions* versions = nullptr;  // versions of programs; nullptr: the setting reads them
    // Devices that are judged but left out of counts, meshes and comparisons, because the site
    // waives their findings. nullptr: none.
    const std::set<std::string>* left_out = nullptr;
    // Returns whether a device is in `left_out`.
    bool leaves_out(const std::string& bdf) const {
        return left_out != nullptr && left_out->contains(bdf);
    }
    // The setting's counters in an earlier report. nullptr: no report to compare with.
    const EarlierCounters* since = nullptr;
    // No change will be made (check). A change may then be empty; only its presence counts.
    bool only_asks = false;
    // Returns the events of a target to judge: those since the earlier report. Without usable
    // counters there, returns all of `now` as `whole`. That is so without a report, for a setting
    // or target that it lacks or could not read, and if a counter restarted.
    Growth grown(const std::string& target, const Counters& now) const;
    // Returns the file system that the machine is read through.
    const Fs& fs() const { return machine.fs(); }
};

struct Setting;

// The rows of shapes (src/settings/shapes).
struct FileFacts;
struct GpuValue;
struct InterfaceSysctl;
struct LimitFacts;
struct PathFacts;
struct PolicyFacts;

// The row of a shape's table that the functions of the setting read.
struct ShapeRow {
    const FileFacts* file = nullptr;
    const GpuValue* gpu_value = nullptr;
    const InterfaceSysctl* interface_sysctl = nullptr;
    const LimitFacts* limit = nullptr;
    const PathFacts* path = nullptr;
    const PolicyFacts* policy = nullptr;
};

// A setting as a value: its facts and its functions. Every function but assess may be nullptr. The
// functions below the struct call them or return a default.
struct Setting {
    Info info;

    // Judges every target. Reads only the files in `info.read_from`. Never returns an empty list: a
    // setting without a target here returns one assessment `na` of target "system". Code that
    // judges for a profile calls assessed().
    std::vector<Assessment> (*assess)(const Setting& setting, const Context& context,
                                      const Expectation& expectation) = nullptr;

    // Returns the present value of everything that this setting can write here, for any expected
    // value. Empty: nothing can be written here. Targets are those of assess. nullptr: check only.
    std::vector<Baseline> (*baseline)(const Setting& setting, const Context& context) = nullptr;

    // Returns the ways to keep a value over a reboot. The value has one of `info.forms`.
    Keeping (*keeping)(const Setting& setting, const Expectation& expectation) = nullptr;

    // Returns why a write to this target would break isolation, a guest or a running job, or
    // std::nullopt if it would not. Called only before a write.
    std::optional<std::string> (*unsafe)(const Context& context, const Target& target) = nullptr;

    // Returns the values that nodes of a cluster should agree on, before `normalised`. Called if
    // `over_cluster` is equal. Reads only the files in `info.read_from`. nullptr: assessed_facts().
    std::vector<ClusterFact> (*facts)(const Setting& setting, const Context& context) = nullptr;

    // Returns the part of a value that is compared between nodes, if `over_cluster` is equal. Parts
    // that naturally belong to one node are removed. nullptr: the whole value.
    std::string (*normalised)(std::string_view have) = nullptr;

    // Returns values for a profile learned from this machine, best first. The caller proves each
    // with assess before writing it. std::nullopt: use `have` in the words of `info.forms`.
    std::optional<std::vector<Value>> (*learn)(const Setting& setting,
                                               const Context& context) = nullptr;

    // Judges every target against the kernel's own defaults, for a node without a recorded state.
    // nullptr: there is no such default.
    std::vector<Assessment> (*defaults)(const Setting& setting, const Context& context) = nullptr;

    ShapeRow row;
};

// Each calls the function of that name if the setting has it, and otherwise returns its default.
// Returns the present value of all that can be written here; the default is empty.
std::vector<Baseline> baseline_of(const Setting& setting, const Context& context);
// Returns what keeps the value over a reboot; the default is an empty Keeping.
Keeping keeping_of(const Setting& setting, const Expectation& expectation);
// Returns why a write to the target is unsafe; std::nullopt, the default, if it is not.
std::optional<std::string> unsafe_of(const Setting& setting, const Context& context,
                                     const Target& target);
// Returns the facts of this node; the default is assessed_facts().
std::vector<ClusterFact> facts_of(const Setting& setting, const Context& context);
// Returns the part of `have` that is compared between nodes; the default is all of it.
std::string normalised_of(const Setting& setting, std::string_view have);
// Returns values for a learned profile, best first; std::nullopt, the default, for `have`.
std::optional<std::vector<Value>> learn_of(const Setting& setting, const Context& context);
// Returns the judgement of every target against the kernel's own defaults; empty by default.
std::vector<Assessment> defaults_of(const Setting& setting, const Context& context);

// Returns the facts of a setting without a function for them. They are the `have` of an assessment
// with an accepted value, and must not depend on the expected value.
std::vector<ClusterFact> assessed_facts(const Setting& setting, const Context& context);

// The next step for a value that only root can read.
constexpr std::string_view ask_as_root = "ask again as root";

// The next step for a value that depends on a variable computed by a file.
constexpr std::string_view judge_program = "check the running program with --pid";

// Returns the result of assess(). In a guest, a setting that its host decides is na. This does not
// apply if all targets pass or are na, or if one could not be read for permission or timeout. An
// assessment na becomes unknown if lost_source() (machine/sources.h) doubts the list of its
// targets.
std::vector<Assessment> assessed(const Setting& setting, const Context& context,
                                 const Expectation& expectation);

// Assessments and facts that several settings share.

// Returns an assessment `na` of target "system", with the reason why nothing is there.
Assessment no_target(std::string why);
// Returns an assessment for a failed read: `hidden` or `unknown`. A missing file is unknown, too. A
// setting for which a missing file has a meaning handles that case itself.
Assessment unreadable(Target target, const Error& error,
                      std::optional<std::string> expected = std::nullopt);
// Adds a fact with the value, or with the reason why it could not be read. Adds nothing after an
// error not_here.
void add_fact(Target target, const Result<std::string>& value, std::vector<ClusterFact>& facts);
// Returns the values, or the reasons for missing values, in assessments, in their order. Skips na,
// and readable ones without `have`.
std::vector<ClusterFact> facts_of(const std::vector<Assessment>& rows);
// Returns a value that the forms of a setting accept: of the first form of kind word, else of the
// first form. There must be a form. A form link_rate gets "any", which check_form() rejects.
Value some_value(const Info& info);
// Returns an assessment for a value that was read: ok if both texts are equal byte by byte, else
// differs.
Assessment compared(Target target, std::string expected, std::string have);

}  // namespace rocenv
