// SPDX-License-Identifier: MIT
// Profiles: the expected state of a node and a process. TOML text becomes a ProfileText: one file,
// with every key checked and file:line:column in every message. Names become a Resolved profile:
// the expected values of the named profiles and all that they extend, merged left to right.
//
// A profile that is reached twice through `extends` counts once, at its first position, so that
// several profiles with one parent do not undo each other. A path in `extends` is relative to the
// folder of the file that contains it.
//
// A site's file is merged after them for all users of a node. An entry without a value changes only
// settings that a profile names.
//
// Merging: an entry that is a table changes only the parts that it states of an inherited one
// (level, why, source, and the value as a whole). A bare value replaces the entry and is required.
// An entry whose `when` is known to fail is ignored.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "profile/request.h"
#include "rocenv/fs.h"
#include "rocenv/process.h"
#include "rocenv/setting.h"
#include "rocenv/value.h"

namespace rocenv {

// The condition of an entry of a profile: GPUs and versions that the entry is for, and whether it
// is for root only. An entry whose condition is known to fail is ignored. An unknown fact (no
// PyTorch on this disk) never fails a condition. Nor does a machine without a GPU fail the
// condition of a variable, because a program may use the variable elsewhere. A setting concerns
// this machine.
//
//   when = { gfx = ["gfx942"], device = ["0x74a1"], torch = ">=2.6,<2.9", root = true }

class Machine;
class Versions;
struct Process;

// A parsed `when`.
struct When {
    std::vector<std::uint32_t> devices;           // PCI ids; empty: any
    std::vector<std::string> gfx;                 // empty: any
    std::map<std::string, std::string> versions;  // package to bounds: "torch" to ">=2.6,<2.9"
    std::string gpus;                             // bounds of the number of GPUs: ">=2"; empty: any
    std::string module;                           // loaded kernel module; empty: any
    std::optional<bool> root{};  // true: for root only, false: for others; std::nullopt: for all
    bool of_setting = false;     // condition of a setting, not of a variable
    // Returns whether all conditions are empty.
    bool empty() const {
        return devices.empty() && gfx.empty() && versions.empty() && gpus.empty() &&
               module.empty() && !root;
    }
};

using Complaint = std::function<void(const Place& place, std::string text)>;
// Parses the value of `when`, which must be a table with a key. Calls `complain` for each fault
// with its location, and returns the parts that are valid.
When parse_when(const Value& value, const Complaint& complain);

// Returns the conditions, separated by ", ": PCI ids, architectures, packages with bounds, number
// of GPUs, module, root. "gfx942, torch >=2.6,<2.9". Empty if there is none.
std::string when_text(const When& when);

// Returns whether a version is within bounds such as ">=2.6,<2.9", all of which must hold.
// std::nullopt if the version or a bound is not valid, also for empty bounds.
std::optional<bool> within(std::string_view version, std::string_view bounds);

// Returns whether the bounds of `package` exclude all versions from one on, as "<2.9" does; false
// without bounds.
bool ends(const When& when, std::string_view package);

// Returns the reason for a failed condition, or std::nullopt if the condition holds or is unknown.
using Condition = std::function<std::optional<std::string>(const When& when)>;
// Returns the function that evaluates conditions on this machine. All arguments must outlive it.
Condition condition_here(const Machine& machine, const Process& process, const Versions& versions);

// A fault in a profile, or a warning.
struct Diagnostic {
    bool is_error = true;
    Place place;
    std::string text;        // value found, value expected, nearest known name
    bool timed_out = false;  // reading the profile timed out; its text may be valid
};
// Returns one line: "mi300x.toml:12:9: error: …" or "…: warning: …". An error of a name of -p has
// no location.
std::string diagnostic_text(const Diagnostic& diagnostic);
// Returns whether one of them is an error, not a warning.
bool has_errors(const std::vector<Diagnostic>& diagnostics);
// Sorts by line and column; the file does not count.
void sort_by_place(std::vector<Diagnostic>& diagnostics);

// One key of [settings] or [env] as written. Absent parts may be inherited.
struct ProfileEntry {
    std::string id;     // "kernel.numa_balancing", "env.NAME"
    bool bare = false;  // a value without a table
    bool unset = false;
    std::optional<Value> value;
    std::optional<Level> level;
    std::optional<std::string> why;
    std::optional<std::string> source;
    std::optional<When> when;
    bool must_exist = false;
    Place place;
};

// Merges one more entry of the same id into an expected value, which has no id if it is new. A bare
// entry replaces all parts. Another one replaces the parts that it states, and the location.
void take_entry(const ProfileEntry& entry, Expectation& expectation);

// [match]: the nodes that a profile is for. Empty lists match all nodes.
struct Match {
    std::string profile;  // profile with this [match]
    std::vector<std::uint32_t> devices;
    std::vector<std::string> gfx;
    std::vector<std::string> nics;  // drivers of RDMA NICs: "ionic"
    std::string rocm;               // ">=6.2"
    bool automatic = true;  // `auto = false` in [profile]: `auto` never selects this profile
    // Returns whether all conditions are empty.
    bool empty() const { return devices.empty() && gfx.empty() && nics.empty() && rocm.empty(); }
};
// Returns one text for each condition: PCI ids with the model's name, architectures, drivers of
// RDMA NICs, ROCm. Empty if there is none.
std::vector<std::string> match_words(const Match& match);

// One file with a profile.
struct ProfileText {
    std::string name;
    std::string summary;
    std::string file;  // name in messages
    std::vector<std::string> extends;
    std::vector<Place> extends_places;
    std::vector<std::string> also;  // further conditions that rocenv cannot set, one line each
    Match match;
    bool states_match = false;  // has a [match], which may be empty
    bool kept_match = false;    // no [match]: `match` is that of the shipped profile with this name
    std::vector<ProfileEntry> entries;
    std::vector<Diagnostic> diagnostics;
    std::size_t values = 0;  // values of any kind, tables included
    std::size_t bytes = 0;   // size of the text
};

// Limits of profiles, so that an untrusted profile needs neither much time nor memory
// (profiles/README.md).
struct ProfileLimits {
    static constexpr std::size_t file_bytes = std::size_t{128} << 10;
    static constexpr std::size_t file_values = 2000;
    static constexpr std::size_t path_bytes = 1024;
    // Limits of all profiles that the named ones extend, shipped ones included.
    static constexpr std::size_t depth = 32;
    static constexpr std::size_t profiles = 256;
    static constexpr std::size_t bytes = std::size_t{256} << 10;
    static constexpr std::size_t values = 8000;
};

// Kind of a file. A site's file needs no name, extends nothing and has no [match].
enum class TextKind { profile, site };

// Parses a profile. Never fails: faults are in `diagnostics`, and the valid parts in the rest. A
// text that is not TOML, or exceeds a limit for one file, has no other parts. Diagnostics and
// entries are sorted by line and column. `file` is the name in messages; nothing is read.
ProfileText parse_profile(const std::string& file, std::string_view text,
                          TextKind kind = TextKind::profile);

// Parses "ID=VALUE" of --want. VALUE is TOML; a bare word, a number with a point, and after
// env.NAME= everything but a quoted text or a table, is a text. An entry with a value and without a
// level is required. Fails with bad_input.
Result<ProfileEntry> parse_override(std::string_view argument);

// A text that is not in a file of its own.
struct ProfileSource {
    std::string name;
    std::string file;  // name in messages
    std::string text;
};

// File with the expected values of a site, merged after the chosen profiles for all users.
inline const std::string site_file = "/etc/rocenv/site.toml";

// Shipped profiles and the folders that override them by name.
class ProfileStore {
   public:
    // Parts of shipped profiles. `variables` leaves out [settings], which the start of a program
    // does not need.
    enum class Parts { all, variables };

    // Reads the caller's own files through `host`, the real machine, which must outlive the store.
    // Folders, by precedence: the user's own (XDG_CONFIG_HOME or HOME; not under sudo), then
    // /etc/rocenv/profiles. `untrusted` is the rule for files below /etc/rocenv that users other
    // than root can change.
    ProfileStore(const Fs& host, const Process& process, Parts parts = Parts::all,
                 Untrusted untrusted = Untrusted::ignored);

    // Adds a text that is not in a file, such as standard input. Its name has precedence over all
    // others.
    void hold(ProfileSource source) { held_.push_back(std::move(source)); }

    // Returns a profile by name, or by path if the text has '/' or ends in ".toml". A name is
    // searched among the held texts, in the folders, and among the shipped profiles. A file in a
    // folder with the name of a shipped profile and no [match] has that of the shipped one. Fails
    // with bad_input (unknown name, unreadable file), or with timed_out if the file does not
    // respond. Faults in a text are in its `diagnostics`.
    Result<ProfileText> find(const std::string& name_or_path) const;
    // Returns the site's file, or the file that take_site() set; std::nullopt if there is none, or
    // with Untrusted::ignored if it is not trusted. Errors are those of find().
    std::optional<Result<ProfileText>> site() const;
    // Sets the file that is read instead of the site's file.
    void take_site(const std::string& path) { site_ = path; }
    // Returns the names of shipped profiles and of the files in the folders, sorted, each once.
    std::vector<std::string> names() const;
    // Returns whether a file of that name has, or may have, precedence over the shipped profile.
    bool overrides(const std::string& name) const;
    // Returns all files that users other than root can change, of those read so far.
    const std::vector<Doubt>& doubts() const { return doubts_; }

   private:
    struct Folder {
        std::string path;
        std::optional<Result<std::vector<std::string>>> files;  // std::nullopt: not listed yet
    };
    // Returns the files of a folder, which is listed on the first call.
    const Result<std::vector<std::string>>& files_of(Folder& folder) const;
    // Returns false if the folder is known not to hold the file.
    bool may_hold(Folder& folder, const std::string& file) const;
    Result<ProfileText> at_path(const std::string& path) const;
    std::vector<std::string> names_beside(const std::string& name) const;
    // Returns std::nullopt if no folder has a file of that name.
    std::optional<Result<ProfileText>> in_folders(const std::string& name) const;
    void note(Doubt::Use use, const std::string& file, const Error& error) const;
    void note_unused(const std::string& file) const;
    Result<std::string> read(const std::string& path) const {
        return is_root_ ? host_.read_trusted(path) : host_.read(path);
    }
    // Reads a file by its path. An untrusted file is used with a doubt, but not one below
    // /etc/rocenv.
    Result<std::string> read_named(const std::string& path) const;

    const Fs& host_;
    const bool is_root_;
    const Parts parts_;
    const Untrusted untrusted_;
    mutable std::vector<Folder> folders_;   // by precedence
    mutable std::optional<Folder> unused_;  // a user's own folder, under sudo
    mutable std::vector<Doubt> doubts_;
    std::vector<ProfileSource> held_;
    std::string site_ = site_file;
};
// Returns whether the program contains a profile of that name.
bool is_shipped(const std::string& name);

// An entry whose condition is known to fail here.
struct LeftOut {
    std::string id;
    std::string why;
    Place place;
};

// The merged profile.
struct Resolved {
    std::vector<std::string> names;     // given names, with "auto" replaced by the selected profile
    std::string site;                   // the site's file, if it was merged; empty: none
    std::vector<std::string> involved;  // the names and all that they extend, sorted
    std::vector<Expectation> expectations;  // one for each id, in the order of the registry
    std::vector<Match> matches;             // from every profile involved
    std::vector<std::string> also;          // from every profile involved, each line once
    std::vector<LeftOut> left_out;          // by their condition
    std::vector<LeftOut> ignored;  // entries of the site without a value, for ids of no profile
    std::vector<Diagnostic> diagnostics;

    // Returns the names for reports: profiles, then the site's file.
    std::vector<std::string> shown_names() const;
};

// Use of the file of the site.
enum class Site { merged, left_out };

// Merges `names` from left to right, then the site's file, then `overrides` (--want). Errors are in
// `diagnostics`, such as an id without a value in any of them. A warning is added for each variable
// to which two of `names` give different values although neither extends the other. Without a
// condition every `when` holds.
Resolved resolve(const ProfileStore& store, const std::vector<std::string>& names,
                 const std::vector<ProfileEntry>& overrides, const Condition& condition = {},
                 Site site = Site::left_out);

// The profile that `auto` selects on this machine, by the PCI ids under /sys/bus/pci, before any
// driver.
struct AutoChoice {
    std::string name;  // "mi" if no profile covers all accelerators, "host" without accelerators
    // Finding for an unknown model (recommended), a mixed set (info), no GPU (recommended), or a
    // list of PCI functions that is missing or unreadable. The last two are required if there is
    // evidence of a GPU.
    std::optional<Assessment> finding;
    Level level = Level::info;
    bool lacks_gpus = false;              // PCI lists none, or is unreadable
    std::vector<Diagnostic> diagnostics;  // faults in files that override a shipped profile

    // Adds the statements of the profile, the site and the command line. A number of GPUs above 0,
    // or a profile for certain GPUs, is evidence of a GPU. With gpu.count = 0 a node without GPUs
    // passes, unless there is evidence of one. Does nothing if `lacks_gpus` is false.
    void consider(const Resolved& profile);
};
// Returns the selected profile with its finding. Never fails.
AutoChoice choose_profile(const Machine& machine, const ProfileStore& store);

// Returns whether the list of PCI functions is missing or incomplete although there are GPUs,
// according to other files or to the profile. `chose`: the profile was selected by the node's GPUs.
// false if neither `chose` nor an entry or a [match] of the profile is about GPUs.
bool has_unlisted_gpus(const Machine& machine, const Resolved& profile, bool chose);

// Returns the number of GPUs of each model that gpu_kinds() has: "8 x AMD Instinct MI300X",
// separated by ", ". Empty without GPUs.
std::string gpus_text(const Machine& machine);

// Returns the PCI ids of the GPUs that [match] is compared with, sorted, each once: of the
// accelerators, or of all GPUs of a node without accelerators.
std::vector<std::uint32_t> gpu_kinds(const Machine& machine);

// Returns why a profile is not for this machine: it has a GPU of another kind, an older ROCm, or
// only RDMA NICs with other drivers. A machine without a GPU or NIC, and an unknown version, match.
std::optional<std::string> mismatch(const Match& match, const Machine& machine,
                                    const Process& process);

}  // namespace rocenv
