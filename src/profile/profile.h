// SPDX-License-Identifier: MIT
// Profiles: what a node and a process should look like. TOML text becomes a ProfileText (one file,
// every key checked, every message with file:line:column); names become a Resolved profile (what
// the named profiles and all they extend want, merged left to right).
//
// A profile that is reached twice through `extends` counts once, where it is first reached, so that
// several profiles with one parent do not undo each other. A path in `extends` is taken from the
// folder of the file that names it.
//
// A site's file is merged after them for everybody on a node: an entry that states no value changes
// what the profiles name, and nothing else.
//
// Merging: an entry that is a table changes only what it states of an inherited one (level, why,
// source, and the value as one piece); a bare value replaces the entry and is required. An entry
// whose `when` is known to fail counts as not written.
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

// The condition of one entry of a profile: for which GPUs and versions it is meant, and whether for
// root alone, who may read more. An entry whose condition is known to fail counts as not written.
// What cannot be found out (no PyTorch on this disk) never fails a condition, nor does a machine
// without a GPU where it is about a variable, which a program may use elsewhere; a setting is about
// this machine.
//
//   when = { gfx = ["gfx942"], device = ["0x74a1"], torch = ">=2.6,<2.9", root = true }

class Machine;
class Versions;
struct Process;

struct When {
    std::vector<std::uint32_t> devices;           // PCI ids; empty: any
    std::vector<std::string> gfx;                 // empty: any
    std::map<std::string, std::string> versions;  // package to bounds: "torch" to ">=2.6,<2.9"
    std::string gpus;                             // bounds of their number: ">=2"; empty: any
    std::string module;                           // of the kernel, loaded; empty: any
    std::optional<bool> root{};                   // whether root asks; nothing: anybody
    bool of_setting = false;                      // of a setting, not of a variable
    bool empty() const {
        return devices.empty() && gfx.empty() && versions.empty() && gpus.empty() &&
               module.empty() && !root;
    }
};

// `value` as written behind `when =`. Each fault with its place; what was understood is returned.
using Complaint = std::function<void(const Place& place, std::string text)>;
When parse_when(const Value& value, const Complaint& complain);

// "gfx942, torch >=2.6,<2.9".
std::string when_text(const When& when);

// Whether a version lies within bounds such as ">=2.6,<2.9"; nothing: one of them is no version.
std::optional<bool> within(std::string_view version, std::string_view bounds);

// Whether the bounds for `package` end somewhere: it is not meant for all later versions.
bool ends(const When& when, std::string_view package);

// Why a condition is known to fail, nothing: it holds or cannot be known.
using Condition = std::function<std::optional<std::string>(const When& when)>;
// On this machine. All three must outlive the condition.
Condition condition_here(const Machine& machine, const Process& process, const Versions& versions);

struct Diagnostic {
    bool is_error = true;
    Place place;
    std::string text;        // what was found, what was wanted, the nearest known name
    bool timed_out = false;  // a profile's file did not answer: nothing is wrong with it
};
// "mi300x.toml:12:9: error: …"
std::string diagnostic_text(const Diagnostic& diagnostic);
// Returns whether one of them is an error and no warning.
bool has_errors(const std::vector<Diagnostic>& diagnostics);
void sort_by_place(std::vector<Diagnostic>& diagnostics);

// One key of [settings] or [env] as written: what is not stated may be inherited.
struct ProfileEntry {
    std::string id;  // "kernel.numa_balancing", "env.NAME"
    bool bare = false;
    bool unset = false;
    std::optional<Value> value;
    std::optional<Level> level;
    std::optional<std::string> why;
    std::optional<std::string> source;
    std::optional<When> when;
    bool must_exist = false;
    Place place;
};

// Changes what is wanted (without an id: nothing so far) by one more entry of the same id.
void take_entry(const ProfileEntry& entry, Want& want);

// [match]: the node a profile is for. Empty lists ask nothing.
struct Match {
    std::string profile;  // whose it is
    std::vector<std::uint32_t> devices;
    std::vector<std::string> gfx;
    std::string rocm;       // ">=6.2"
    bool automatic = true;  // `auto = false` of [profile]: `auto` never chooses by it
    bool empty() const { return devices.empty() && gfx.empty() && rocm.empty(); }
};
// What it is for, in words: models, GPUs by name, ROCm.
std::vector<std::string> match_words(const Match& match);

struct ProfileText {
    std::string name;
    std::string summary;
    std::string file;  // as messages name it
    std::vector<std::string> extends;
    std::vector<Place> extends_places;
    std::vector<std::string> also;  // what it needs besides and rocenv cannot set, one line each
    Match match;
    bool states_match = false;  // it has a [match], be it empty
    bool kept_match = false;    // it has none: `match` is that of the shipped profile it shadows
    std::vector<ProfileEntry> entries;
    std::vector<Diagnostic> diagnostics;
    std::size_t values = 0;  // of any kind, tables among them
    std::size_t bytes = 0;   // of the text
};

// What profiles may come to, so that a stranger's costs neither time nor memory
// (profiles/README.md).
struct ProfileLimits {
    static constexpr std::size_t file_bytes = std::size_t{128} << 10;
    static constexpr std::size_t file_values = 2000;
    static constexpr std::size_t path_bytes = 1024;
    // Of all that the named profiles extend, shipped ones among them.
    static constexpr std::size_t depth = 32;
    static constexpr std::size_t profiles = 256;
    static constexpr std::size_t bytes = std::size_t{256} << 10;
    static constexpr std::size_t values = 8000;
};

// What a file is read as: a site's needs no name, extends nothing and has no [match].
enum class TextKind { profile, site };

// Never fails: what is wrong is in `diagnostics`, what could be understood in the rest.
ProfileText parse_profile(const std::string& file, std::string_view text,
                          TextKind kind = TextKind::profile);

// "ID=VALUE" of --want: VALUE is TOML, a bare word (and what follows env.NAME=) a text. Required,
// like a bare value in a profile.
Result<ProfileEntry> parse_want(std::string_view argument);

// A text that is in no file of its own.
struct ProfileSource {
    std::string name;
    std::string file;  // as messages name it
    std::string text;
};

// What a node's site wants of everybody, merged after the chosen profiles.
inline const std::string site_file = "/etc/rocenv/site.toml";

// Shipped profiles and the folders that override them by name.
class ProfileStore {
   public:
    // variables: shipped profiles come without their [settings], which a program start does not
    // need.
    enum class Parts { all, variables };

    // The caller's own files are read through `host`, the real machine.
    ProfileStore(const Fs& host, const Process& process, Parts parts = Parts::all,
                 Untrusted untrusted = Untrusted::ignored);

    // Found under its name before all others: text that is in no file, such as standard input.
    void hold(ProfileSource source) { held_.push_back(std::move(source)); }

    // A name, or a path when it holds '/' or ends in ".toml". A file that takes a shipped name and
    // has no [match] comes with the shipped one's.
    // Errors: bad_input, and timed_out of a file that does not answer. What is wrong in a text is
    // in its `diagnostics`.
    Result<ProfileText> find(const std::string& name_or_path) const;
    // The site's file, or `path` in its place; nothing: there is none. Errors as of find().
    std::optional<Result<ProfileText>> site() const;
    void take_site(const std::string& path) { site_ = path; }
    // All names, sorted.
    std::vector<std::string> names() const;
    // Whether a file of that name stands (or may stand) before the shipped profile.
    bool overrides(const std::string& name) const;
    // Returns the files that users other than root can change, of all that was asked for so far.
    const std::vector<Doubt>& doubts() const { return doubts_; }

   private:
    struct Folder {
        std::string path;
        std::optional<Result<std::vector<std::string>>> files;  // once it was listed
    };
    // Listed when they are first asked for.
    const Result<std::vector<std::string>>& files_of(Folder& folder) const;
    // False: the folder is known not to hold the file.
    bool may_hold(Folder& folder, const std::string& file) const;
    Result<ProfileText> at_path(const std::string& path) const;
    std::vector<std::string> names_beside(const std::string& name) const;
    // Nothing: no folder has a file of that name.
    std::optional<Result<ProfileText>> in_folders(const std::string& name) const;
    void note(Doubt::Use use, const std::string& file, const Error& error) const;
    void note_unused(const std::string& file) const;
    Result<std::string> read(const std::string& path) const {
        return is_root_ ? host_.read_trusted(path) : host_.read(path);
    }
    // Reads a file that is named by its path: one that is not trusted with a doubt, but none of
    // /etc/rocenv.
    Result<std::string> read_named(const std::string& path) const;

    const Fs& host_;
    const bool is_root_;
    const Parts parts_;
    const Untrusted untrusted_;
    mutable std::vector<Folder> folders_;   // first wins
    mutable std::optional<Folder> unused_;  // a user's own, under sudo
    mutable std::vector<Doubt> doubts_;
    std::vector<ProfileSource> held_;
    std::string site_ = site_file;
};
// Returns whether the program itself has a profile of that name.
bool is_shipped(const std::string& name);

// An entry whose condition is known to fail here.
struct LeftOut {
    std::string id;
    std::string why;
    Place place;
};

struct Resolved {
    std::vector<std::string> names;     // as asked for, "auto" replaced by what it chose
    std::string site;                   // the site's file that was merged after them, empty: none
    std::vector<std::string> involved;  // names, all they extend, sorted
    std::vector<Want> wants;            // one for each id, in the order of the registry
    std::vector<Match> matches;         // of every profile involved
    std::vector<std::string> also;      // of every profile involved, each line once
    std::vector<LeftOut> left_out;
    std::vector<LeftOut> ignored;  // of the site's: no value, and no profile names the id
    std::vector<Diagnostic> diagnostics;

    // What a report says was judged by: names, then the site's file.
    std::vector<std::string> told_names() const;
};

enum class Site { merged, left_out };

// `names` left to right, then the site's file, then `overrides` (--want). Errors are in
// `diagnostics`, and a warning for each variable that two of `names` want differently, neither
// extending the other. Without a condition every `when` holds.
Resolved resolve(const ProfileStore& store, const std::vector<std::string>& names,
                 const std::vector<ProfileEntry>& overrides, const Condition& condition = {},
                 Site site = Site::left_out);

// What `auto` means on this machine: by the PCI ids under /sys/bus/pci, before any driver.
struct AutoChoice {
    std::string name;  // "mi" when no profile is for all accelerators there are,
                       // "host" where there are none
    // An unknown model (recommended), a mixed set (info), no GPU (recommended), or a list of PCI
    // functions that is missing or unreadable; the last two are required with evidence of a GPU.
    std::optional<Assessment> finding;
    Level level = Level::info;
    bool lacks_gpus = false;              // PCI has none, or could not be asked
    std::vector<Diagnostic> diagnostics;  // of files that override a shipped profile and are broken

    // Adds what the profile, the site and the command line state: a number of GPUs above 0 or a
    // profile made for some is evidence of a GPU, and gpu.count = 0 makes a node without GPUs fine.
    void consider(const Resolved& profile);
};
// Returns the choice with what there is to say of it; never fails.
AutoChoice choose_profile(const Machine& machine, const ProfileStore& store);

// Returns whether the list of PCI functions is lost although there are GPUs: something else shows
// them, or the profile states them. `chose`: the profile was chosen for the GPUs of the node.
bool has_unlisted_gpus(const Machine& machine, const Resolved& profile, bool chose);

// "8 x AMD Instinct MI300X", empty without any GPU.
std::string gpus_told(const Machine& machine);

// PCI ids of the GPUs that [match] looks at, sorted, each once.
std::vector<std::uint32_t> gpu_kinds(const Machine& machine);

// Why a profile is not for this machine: a GPU of another kind is there. No GPU at all, and a
// version that cannot be found out, never mismatch.
std::optional<std::string> mismatch(const Match& match, const Machine& machine,
                                    const Process& process);

}  // namespace rocenv
