// SPDX-License-Identifier: MIT
#include "check/set_command.h"

#include <algorithm>

#include "profile/profile.h"
#include "util/quoting.h"

namespace rocenv {

namespace {

// As --want takes it: a bare word is a text.
std::string want_text(const Value& value) {
    const auto* text = value.text();
    const bool bare =
        text != nullptr && !text->empty() && std::all_of(text->begin(), text->end(), [](char byte) {
            return (byte >= 'a' && byte <= 'z') || byte == '_' || byte == '-';
        });
    return bare && *text != "true" && *text != "false" ? *text : toml_text(value);
}

std::string wanted(const CheckRequest& request, const Want& want) {
    std::string out;
    for (const auto& each : request.wants) {
        out += each.starts_with(want.id + "=") ? " --want " + shell_word(each) : "";
    }
    return out;
}

std::string about(const CheckRequest& request, const std::vector<std::string>& names,
                  const Want& want) {
    std::string out;
    for (const auto& name : names) {
        out += " -p " + shell_word(name);
    }
    return out + (request.ignore_match ? " --ignore-match" : "") +
           (request.no_site ? " --no-site" : "") + " --only " + want.id;
}

}  // namespace

std::string set_command(const CheckRequest& request, const std::vector<std::string>& names,
                        const Want& want) {
    const bool of_profile = want.level == Level::info;
    return "sudo rocenv set" + about(request, names, want) +
           (of_profile ? " --want " + shell_word(want.id + "=" + want_text(want.value))
                       : wanted(request, want));
}

std::string check_command(const CheckRequest& request, const std::vector<std::string>& names,
                          const Want& want) {
    return "sudo rocenv check" + about(request, names, want) + wanted(request, want);
}

std::vector<std::string> names_for_root(const std::vector<std::string>& names, const Fs& host,
                                        const Process& process) {
    const ProfileStore store(host, process);
    std::vector<std::string> out;
    for (const auto& name : names) {
        const auto profile =
            store.overrides(name) ? store.find(name) : Result<ProfileText>(ProfileText());
        const bool own = profile && profile->file.starts_with('/') &&
                         !profile->file.starts_with("/etc/rocenv/profiles/");
        out.push_back(own ? profile->file : name);
    }
    return out;
}

}  // namespace rocenv
