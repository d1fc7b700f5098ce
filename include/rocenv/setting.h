// SPDX-License-Identifier: MIT
// A setting: one thing about a node or a process that can be read, judged and perhaps set. A value
// in src/settings or a row of a table there, with a place in registry.cpp and a case in
// tests/settings.
//
// A setting never writes and never prints. It answers with assessments, one for each target.
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

enum class Outcome {
    ok,       // is as wanted
    changed,  // was brought there and read back
    na,       // does not exist here, and that is fine
    hidden,   // exists, but this container may not see it
    unknown,  // could not be read; never counted as ok
    differs,  // was read and is not as wanted
    unsafe,   // refused: it would break isolation, a guest or a running job
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
// Whether there is nothing to say or do about it.
constexpr bool is_quiet(Outcome outcome) {
    return outcome == Outcome::ok || outcome == Outcome::na || outcome == Outcome::hidden;
}

// Why something could not be read, or may not be seen.
enum class Reason { timeout, permission, asleep, garbled, hidden, error };
template <>
struct EnumWords<Reason> {
    static constexpr EnumWord<Reason> all[] = {
        {Reason::timeout, "timeout"}, {Reason::permission, "permission"},
        {Reason::asleep, "asleep"},   {Reason::garbled, "garbled"},
        {Reason::hidden, "hidden"},   {Reason::error, "error"},
    };
};
Reason reason_of(const Error& error);

// Whether an old value is back: of a target that a set did not bring to what is wanted, the one
// that this set found; of a target of a reset, the recorded one.
enum class PutBack {
    none,       // nothing had to go back
    yes,        // it is back
    no,         // it was tried and failed: `have` is what the target holds now
    not_tried,  // the target was left alone: it is someone else's by now, or must not be written
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

enum class Level { info, recommended, required };
template <>
struct EnumWords<Level> {
    static constexpr EnumWord<Level> all[] = {
        {Level::info, "info"},
        {Level::recommended, "recommended"},
        {Level::required, "required"},
    };
};

enum class Scope { node, process };
template <>
struct EnumWords<Scope> {
    static constexpr EnumWord<Scope> all[] = {{Scope::node, "node"}, {Scope::process, "process"}};
};

enum class Risk { none, low, high };
template <>
struct EnumWords<Risk> {
    static constexpr EnumWord<Risk> all[] = {
        {Risk::none, "none"},
        {Risk::low, "low"},
        {Risk::high, "high"},
    };
};

// A kind of difference that matters less than what the profile asks about: a finding of it has
// `at_most` where the profile's level is above that.
struct Grade {
    std::string_view name;  // "correctable"
    Level at_most = Level::info;
    std::string_view why;
};

// Whether nodes of one cluster should agree on what a setting finds.
enum class OverCluster {
    unstated,  // nobody thought of it: a test refuses that
    equal,     // a node with another value is the odd one
    own,       // each node's or process' own: counters, users, rights
};

// What a setting counts on one target, by name: numbers that only grow until they start anew. Names
// that were looked at and count nothing are in it with 0.
using Counters = std::map<std::string, std::uint64_t>;

// What an earlier report of this boot says of one setting's counters.
struct EarlierCounters {
    bool judged = false;                      // the report has findings of the setting
    std::map<std::string, Counters> targets;  // those above 0
    std::set<std::string> unread;             // targets that it could not read
    std::set<std::string> seen;               // all targets of its findings
};

// What there is to judge of a target's counters.
struct Growth {
    Counters counts;
    std::string note;   // what they are counted from, where that is not the start; may be empty
    bool whole = true;  // they are counted from the start
};

// What keeps a wanted value over a reboot, by the places where a distribution looks for it. All of
// it empty: only the next set brings it back.
struct Keeping {
    std::vector<std::string> sysctl;          // lines of a file in /etc/sysctl.d
    std::vector<std::string> tmpfiles;        // lines of a file in /etc/tmpfiles.d
    bool by_unit = false;                     // `rocenv set` when the node starts
    std::vector<std::string> boot_words;      // of the kernel command line
    std::vector<std::string> unwanted_words;  // that it must not have
    std::vector<std::string> notes;           // a block of comments: another way
    std::string firmware;                     // what the BIOS calls it
    // Returns whether nothing keeps it.
    bool empty() const;
};

// What is known about a setting before looking at a machine. All texts are one sentence or less.
struct Info {
    std::string_view id;         // "kernel.numa_balancing"; "env." for the family of variables
    std::string_view summary;    // what it is
    std::string_view why;        // why it matters on these nodes
    std::string_view source;     // document and date
    std::string_view target;     // "system", "process", "physical GPU", "PCI function", …
    std::string_view read_from;  // the files
    std::string_view set_by;     // what a write does; empty: check only
    // What to do about a difference, parts with "; " between. A command is a whole part, or all of
    // it after "sudo" or ": "; BDF in it becomes the target's address. What rocenv can set itself
    // is told as a command of rocenv in place of this.
    std::string_view next_step;
    std::string_view persist;    // what survives, and the line that makes it survive a reboot
    std::string_view risk_note;  // what can go wrong when it is set
    Risk risk = Risk::none;
    bool after_reboot = false;  // a change shows after a reboot: the boot loader, the BIOS, a mode
    // Its files are asked of firmware or under a driver's lock: read where a profile names the id,
    // and never to learn one.
    bool only_when_named = false;
    // Of a guest its host decides it: what is not as wanted there is na.
    bool host_decides = false;
    Scope scope = Scope::node;
    OverCluster over_cluster = OverCluster::unstated;
    // Facts of nodes that are numbers are equal over a cluster where they differ by no more.
    std::uint32_t tolerated_percent = 0;
    std::vector<Form> forms;          // the values it accepts
    std::span<const Grade> grades{};  // what its findings may be lowered by
    // All that its changes ever write and read back; empty: check only.
    std::span<const WrittenPlace> places{};
};

// One wanted value, from a profile or --want.
struct Want {
    std::string id;
    Value value;
    bool unset = false;       // env.* only: the variable must not be there
    bool must_exist = false;  // env.* only: the value is a path, and the file must be there
    Level level = Level::required;
    std::string why;  // empty: the setting's own
    std::string source;
    std::string when;  // the condition that held, in words
    Place place;
};

// What a finding is about. CPUs and cpufreq policies carry their number, so that equal ones can be
// told as one: base "cpu", number 3, suffix "/C2".
struct Target {
    std::string base = "system";
    std::optional<std::uint32_t> number;
    std::string suffix;
    // Returns the name that reports use: "cpu3/C2", "0000:05:00.0".
    std::string text() const;
};

// GPU agents: physical GPUs, or their partitions.
struct DeviceCount {
    std::size_t visible = 0;  // to the process that is asked about
    std::size_t total = 0;    // that KFD shows
};

struct Assessment {
    Target target;
    Outcome outcome = Outcome::unknown;
    Reason reason = Reason::error;  // of one that is unknown
    std::optional<std::string> want;
    std::optional<std::string> have;
    std::optional<std::string> effective;  // env.*: what the reader makes of the text
    std::string detail;                    // one sentence, may be empty
    std::string next_step;                 // empty: the setting's own
    bool remark = false;                   // worth a line even when ok
    bool aside = false;                    // nobody asked: worth a line only with -v
    const Grade* grade = nullptr;          // one of info.grades that lowers its level
    // What brings the wanted state about; of a target that can be set and could be read, also when
    // it is as wanted already.
    std::optional<Change> change{};
    // Why no write can bring it about, though the setting can be set: the value is above what the
    // node itself states. Bad usage, nothing is written.
    std::string refused{};
    // What was counted since the start, whatever was judged of it.
    Counters counters{};
    std::optional<DeviceCount> devices{};  // of gpu.visible
    // The variable that alone explains what is wrong: "NCCL_IB_HCA". Its finding is the cause.
    std::string_view by_variable{};
    // Filled by set and reset, never by a setting: as in a Finding.
    std::optional<std::string> was{};
    PutBack put_back = PutBack::none;
};

// One thing that nodes of a cluster should agree on, as it is here; nothing judges it.
struct ClusterFact {
    Target target;
    std::optional<std::string> value;  // nothing: could not be read, or may not be seen
    Reason reason = Reason::error;     // why there is no value
    std::string detail;                // the same in a sentence
};

// What one target of a setting holds now, and what puts exactly that back.
struct Baseline {
    Target target;
    std::string shown;    // the text form, as `have` of an assessment
    Result<Change> back;  // an error: could not be read, so it is never written
};

class Versions;

struct Context {
    const Machine& machine;
    const Process& process;
    const Versions* versions = nullptr;  // of what reads variables; nullptr: whoever asks looks
    // Devices that the setting judges, but leaves out of counts, meshes and equality: the site
    // waives what it says of them. nullptr: none.
    const std::set<std::string>* left_out = nullptr;
    // Returns whether a device is among them.
    bool leaves_out(const std::string& bdf) const {
        return left_out != nullptr && left_out->contains(bdf);
    }
    // What an earlier report says of the setting's counters; nullptr: none is asked for.
    const EarlierCounters* since = nullptr;
    // Nobody carries changes out (check): of one, only whether it exists counts, and it may be
    // empty.
    bool only_asks = false;
    // Returns what to judge of a target's counters: what they grew by since the earlier report, or
    // all of them where that cannot tell.
    Growth grown(const std::string& target, const Counters& now) const;
    // Returns what the machine is read through.
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

// What the functions of a shape read of their setting: the row of its shape.
struct ShapeRow {
    const FileFacts* file = nullptr;
    const GpuValue* gpu_value = nullptr;
    const InterfaceSysctl* interface_sysctl = nullptr;
    const LimitFacts* limit = nullptr;
    const PathFacts* path = nullptr;
    const PolicyFacts* policy = nullptr;
};

// A setting is a value: what is known of it, and the functions that answer for it. All but assess
// may be nullptr; the functions below the struct call them, or answer for those that are.
struct Setting {
    Info info;

    // Judges every target. Reads only what `info.read_from` says. Never empty: a setting without
    // a target here gives one assessment `na` of target "system". Whoever asks on behalf of a
    // profile asks assessed().
    std::vector<Assessment> (*assess)(const Setting& setting, const Context& context,
                                      const Want& want) = nullptr;

    // Everything this setting can write on this machine, whatever is wanted. Empty: nothing here.
    // Targets are those of assess. nullptr: check only.
    std::vector<Baseline> (*baseline)(const Setting& setting, const Context& context) = nullptr;

    // What keeps this value over a reboot. Asked with values that `info.forms` accepts.
    Keeping (*keeping)(const Setting& setting, const Want& want) = nullptr;

    // Why writing to this target would break isolation, a guest or a running job; std::nullopt: it
    // would not. Only asked before a write.
    std::optional<std::string> (*unsafe)(const Context& context, const Target& target) = nullptr;

    // What nodes of a cluster should agree on, as it is here, before `normalised`; asked where
    // `over_cluster` is equal. Reads no more than `info.read_from` says. nullptr: assessed_facts().
    std::vector<ClusterFact> (*facts)(const Setting& setting, const Context& context) = nullptr;

    // Returns what is compared between nodes where `over_cluster` is equal: what was read, without
    // what is naturally each node's own.
    std::string (*normalised)(std::string_view have) = nullptr;

    // Values a profile learned from this machine may want, best first; each is proved with assess
    // before it is written. std::nullopt: what `have` says, in the words of `info.forms`.
    std::optional<std::vector<Value>> (*learn)(const Setting& setting,
                                               const Context& context) = nullptr;

    // As assess, against the kernel's own defaults: for a node whose state nobody recorded.
    // nullptr: there is no such default.
    std::vector<Assessment> (*defaults)(const Setting& setting, const Context& context) = nullptr;

    ShapeRow row;
};

// Each calls the function of that name, if the setting has it.
std::vector<Baseline> baseline_of(const Setting& setting, const Context& context);
Keeping keeping_of(const Setting& setting, const Want& want);
std::optional<std::string> unsafe_of(const Setting& setting, const Context& context,
                                     const Target& target);
std::vector<ClusterFact> facts_of(const Setting& setting, const Context& context);
std::string normalised_of(const Setting& setting, std::string_view have);
std::optional<std::vector<Value>> learn_of(const Setting& setting, const Context& context);
std::vector<Assessment> defaults_of(const Setting& setting, const Context& context);

// Returns what assess has for a value that the forms accept, which must be what is there whatever
// is wanted: the facts of a setting without a function for them.
std::vector<ClusterFact> assessed_facts(const Setting& setting, const Context& context);

// The next step of what only root can read.
constexpr std::string_view ask_as_root = "ask again as root";

// The next step of what depends on a variable that a file computes.
constexpr std::string_view judge_program = "check the running program with --pid";

// As assess(), but of what the host of a guest decides.
std::vector<Assessment> assessed(const Setting& setting, const Context& context, const Want& want);

// Shapes of assessments that several settings share.
// Does not exist here, and that is fine.
Assessment no_target(std::string why);
// Could not be read: unknown, or hidden. A file that is not there is unknown too; a setting for
// which its absence means something says so itself.
Assessment unreadable(Target target, const Error& error,
                      std::optional<std::string> want = std::nullopt);
// Adds what was read as a fact, or why it could not be; what is not here is none.
void add_fact(Target target, const Result<std::string>& value, std::vector<ClusterFact>& facts);
// What could be read of assessments, as facts; what does not exist here is none.
std::vector<ClusterFact> facts_of(const std::vector<Assessment>& rows);
// A value that the forms of a setting accept, the first that comes to hand.
Value some_value(const Info& info);
// Was read: ok where both texts are equal, else differs.
Assessment compared(Target target, std::string want, std::string have);

}  // namespace rocenv
