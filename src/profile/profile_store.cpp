// SPDX-License-Identifier: MIT
#include <algorithm>
#include <set>

#include "profile/profile.h"
#include "profile/profile_image.h"
#include "util/near_names.h"
#include "util/text.h"

namespace rocenv {

namespace {

constexpr std::string_view extension = ".toml";
const std::string system_folder = "/etc/rocenv/profiles";

std::optional<std::string> user_folder(const Process& process) {
    if (const auto configured = process.variable("XDG_CONFIG_HOME");
        configured && configured->starts_with('/')) {
        return *configured + "/rocenv/profiles";
    }
    const auto home = process.variable("HOME");
    return home && home->starts_with('/') ? std::optional(*home + "/.config/rocenv/profiles")
                                          : std::nullopt;
}

const BuiltinProfile* builtin(const std::string& name) {
    for (const auto& profile : builtin_profiles) {
        if (profile.name == name) {
            return &profile;
        }
    }
    return nullptr;
}

bool is_path(const std::string& name) {
    return name.find('/') != std::string::npos || name.ends_with(extension);
}

// Returns the profile's name for a path in its folder below /etc; empty for other paths.
std::string name_in_etc(const std::string& path) {
    const bool inside = path.starts_with(system_folder + "/") && path.ends_with(extension);
    const auto start = system_folder.size() + 1;
    return inside ? path.substr(start, path.size() - start - extension.size()) : "";
}

// Copies the shipped [match] to a file of the same name without one: a node's file for "mi300x" is
// still for nodes with these GPUs.
void keep_match(ProfileText& profile, const std::string& name) {
    const auto* shipped = builtin(name);
    if (shipped == nullptr || profile.states_match) {
        return;
    }
    const bool automatic = profile.match.automatic;
    profile.match = match_in(shipped->image);
    profile.match.automatic = profile.match.automatic && automatic;
    profile.kept_match = !profile.match.empty();
}

ProfileText parse_shadow(const std::string& path, const std::string& text,
                         const std::string& name) {
    ProfileText out = parse_profile(path, text);
    keep_match(out, name);
    return out;
}

// Returns an error as bad input of the user, unless it is a timeout.
Error bad(const Error& error) {
    const bool late = error.kind == ErrorKind::timed_out;
    return {late ? error.kind : ErrorKind::bad_input, error.err, error.path, error.text};
}

}  // namespace

bool is_shipped(const std::string& name) {
    return builtin(name) != nullptr;
}

ProfileStore::ProfileStore(const Fs& host, const Process& process, Parts parts, Untrusted untrusted)
    : host_(host), is_root_(process.is_root), parts_(parts), untrusted_(untrusted) {
    const auto mine = user_folder(process);
    if (mine && process.through_sudo) {
        unused_ = Folder{*mine, std::nullopt};  // the caller of sudo must not steer root
    } else if (mine) {
        folders_.push_back({*mine, std::nullopt});
    }
    folders_.push_back({system_folder, std::nullopt});
}

void ProfileStore::note(Doubt::Use use, const std::string& file, const Error& error) const {
    const bool is_new = std::none_of(doubts_.begin(), doubts_.end(),
                                     [&](const Doubt& known) { return known.file == file; });
    if (is_new) {
        doubts_.push_back({use, file, error});
    }
}

void ProfileStore::note_unused(const std::string& file) const {
    if (unused_ && files_of(*unused_) && may_hold(*unused_, file)) {
        const std::string path = unused_->path + "/" + file;
        note(Doubt::Use::own_ignored, path,
             not_trusted(path, printable(path) +
                                   " is not trusted: under sudo root uses no user's own profiles"));
    }
}

Result<std::string> ProfileStore::read_named(const std::string& path) const {
    auto text = read(path);
    if (text || !is_not_trusted(text.error()) || is_site_path(path)) {
        return text;
    }
    note(Doubt::Use::named, path, text.error());
    return host_.read(path);
}

const Result<std::vector<std::string>>& ProfileStore::files_of(Folder& folder) const {
    return folder.files ? *folder.files : folder.files.emplace(host_.list(folder.path));
}

bool ProfileStore::may_hold(Folder& folder, const std::string& file) const {
    const auto& files = files_of(folder);
    return files ? std::binary_search(files->begin(), files->end(), file)
                 : !files.is(ErrorKind::not_here);
}

bool ProfileStore::overrides(const std::string& name) const {
    return std::any_of(folders_.begin(), folders_.end(), [&](Folder& folder) {
        return !files_of(folder).is(ErrorKind::not_here) &&
               may_hold(folder, name + std::string(extension));
    });
}

Result<ProfileText> ProfileStore::at_path(const std::string& path) const {
    const auto text = read_named(path);
    if (!text) {
        return bad(text.error());
    }
    return path == site_ ? parse_profile(path, *text, TextKind::site)
                         : parse_shadow(path, *text, name_in_etc(path));
}

std::optional<Result<ProfileText>> ProfileStore::in_folders(const std::string& name) const {
    const std::string file = name + std::string(extension);
    note_unused(file);
    for (auto& folder : folders_) {
        if (!may_hold(folder, file)) {
            continue;
        }
        const std::string path = folder.path + "/" + file;
        const auto text = read(path);
        if (text) {
            return parse_shadow(path, *text, name);
        }
        if (is_not_trusted(text.error())) {
            const bool own = folder.path != system_folder;
            if (!own && (untrusted_ == Untrusted::refused || !is_shipped(name))) {
                return text.error();
            }
            note(own ? Doubt::Use::own_ignored : Doubt::Use::site_ignored, path, text.error());
            continue;
        }
        // HOME may belong to another user, so its folder may be unreadable; the administrator's
        // must be readable
        const bool passed_over = folder.path != system_folder && text.is(ErrorKind::not_permitted);
        if (!text.is(ErrorKind::not_here) && !passed_over) {
            return bad(text.error());
        }
    }
    return std::nullopt;
}

namespace {

// Models that have no profile of their own name; a name that is near by letters would be another
// model's.
constexpr std::pair<std::string_view, std::string_view> model_profiles[] = {
    {"mi210", "mi200"}, {"mi250", "mi200"},  {"mi250x", "mi200"},
    {"mi308x", "mi"},   {"mi355", "mi350x"}, {"mi355x", "mi350x"}};

std::vector<std::string> profiles_of_model(std::string_view name) {
    constexpr std::string_view tuned = "-benchmark";
    const bool is_tuned = name.ends_with(tuned);
    const auto model = is_tuned ? name.substr(0, name.size() - tuned.size()) : name;
    for (const auto& [each, profile] : model_profiles) {
        if (model == each) {
            return {std::string(profile) + (is_tuned ? std::string(tuned) : "")};
        }
    }
    return {};
}

}  // namespace

Result<ProfileText> ProfileStore::find(const std::string& name_or_path) const {
    for (const auto& source : held_) {
        if (source.name == name_or_path) {
            return parse_profile(source.file, source.text);
        }
    }
    if (name_or_path.size() > ProfileLimits::path_bytes) {
        return Error{ErrorKind::bad_input, 0, "",
                     in_quotes(name_or_path, 60) + " is longer than " +
                         number(ProfileLimits::path_bytes) + " bytes"};
    }
    if (is_path(name_or_path)) {
        return at_path(name_or_path);
    }
    if (auto found = in_folders(name_or_path)) {
        return *std::move(found);
    }
    if (const auto* shipped = builtin(name_or_path)) {
        return profile_in(shipped->image, "built-in:" + name_or_path,
                          parts_ == Parts::variables ? Entries::variables : Entries::all);
    }
    std::vector<std::string> near = profiles_of_model(name_or_path);
    if (near.empty()) {
        near = near_names(name_or_path, names_beside(name_or_path));
    }
    return Error{ErrorKind::bad_input, 0, "",
                 "unknown profile " + in_quotes(name_or_path, 60) +
                     did_you_mean(near, ". To list all profiles: rocenv profile list")};
}

std::optional<Result<ProfileText>> ProfileStore::site() const {
    const auto text = read_named(site_);
    if (text) {
        return parse_profile(site_, *text, TextKind::site);
    }
    if (is_not_trusted(text.error()) && untrusted_ == Untrusted::ignored) {
        note(Doubt::Use::site_ignored, site_, text.error());
        return std::nullopt;
    }
    return text.is(ErrorKind::not_here) ? std::nullopt
                                        : std::optional<Result<ProfileText>>(bad(text.error()));
}

// The name itself is among names() if its file is not trusted. "auto" and "benchmark" stand for
// profiles of the node on the command line.
std::vector<std::string> ProfileStore::names_beside(const std::string& name) const {
    auto all = names();
    all.insert(all.end(), {"auto", "benchmark"});
    std::erase(all, name);
    return all;
}

std::vector<std::string> ProfileStore::names() const {
    std::set<std::string> found;
    for (const auto& profile : builtin_profiles) {
        found.emplace(profile.name);
    }
    for (const auto& folder : folders_) {
        const auto files = host_.list(folder.path);
        for (const auto& file : files ? *files : std::vector<std::string>()) {
            if (file.ends_with(extension) && file.size() > extension.size()) {
                found.insert(file.substr(0, file.size() - extension.size()));
            }
        }
    }
    return {found.begin(), found.end()};
}

}  // namespace rocenv
