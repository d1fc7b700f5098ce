// SPDX-License-Identifier: MIT
#include "variables/reading.h"

#include <algorithm>

#include "util/text.h"
#include "variables/kernarg_default.h"
#include "variables/misreading.h"

namespace rocenv {

namespace {

const std::string not_known = "default";

}  // namespace

Effect effect_of(const Variable& variable, std::string_view text,
                 const std::optional<std::string>& version) {
    const Parser* parser = find_parser(variable.parser);
    if (parser == nullptr) {
        return {EffectKind::text, std::string(text), ""};
    }
    const auto known = version ? std::optional<std::string_view>(*version) : std::nullopt;
    return parser->read({text, known, variable.values});
}

std::optional<std::string> Readers::version_of_package(std::string_view package) const {
    if (package.empty()) {
        return std::nullopt;
    }
    const auto found = versions_.find(package);
    return found ? std::optional(found->version) : std::nullopt;
}

std::optional<std::string> Readers::version_of(const Variable& variable) const {
    return version_of_package(variable.package);
}

std::optional<ReadsAt> Readers::reads_here(const Variable& variable) const {
    std::optional<ReadsAt> best;
    for (const auto& reader : variable.read_by) {
        const bool known =
            !reader.looked_at.empty() || !reader.since.empty() || !reader.until.empty();
        const auto version = known ? version_of_package(reader.package) : std::nullopt;
        if (!version || (best && best->reads == Reads::yes)) {
            continue;
        }
        auto found = reads_at(reader, *version);
        if (!best || found.reads == Reads::yes) {
            best = std::move(found);
        }
    }
    return best;
}

std::optional<int> Readers::installed_against(const Variable& variable,
                                              std::string_view version) const {
    const auto installed = version_of(variable);
    return installed ? compare_versions(*installed, version) : std::nullopt;
}

Reading Readers::read(const Variable& variable, const std::optional<std::string>& text) const {
    return text ? read_text(variable, *text) : read_default(variable);
}

// Most parsers need no version, and finding one takes files.
std::optional<std::string> Readers::version_for(const Variable& variable,
                                                std::string_view text) const {
    const bool matters = effect_of(variable, text, std::nullopt).kind == EffectKind::unknown;
    return matters ? version_of(variable) : std::nullopt;
}

Reading Readers::read_text(const Variable& variable, const std::string& text) const {
    const auto version = version_for(variable, text);
    const Effect effect = effect_of(variable, text, version);
    Reading out;
    if (const Parser* parser = find_parser(variable.parser)) {
        const auto known = version ? std::optional<std::string_view>(*version) : std::nullopt;
        const auto wrong = misreading(variable.type, *parser, {text, known, variable.values});
        out.misread = wrong.has_value();
        out.note = wrong ? std::string(variable.reader) + " " + *wrong : effect.note;
    }
    out.effective = effect.kind == EffectKind::unknown ? not_known : effect.shown();
    out.known = effect.kind != EffectKind::unknown;
    if (effect.kind == EffectKind::unset) {
        const Reading unset = read_default(variable);
        out.effective = unset.effective;
        out.known = unset.known;
    }
    return out;
}

// The text that unset equals in the installed version; nullopt: none, or the version matters and is
// not known.
std::optional<std::string_view> Readers::default_text(const Variable& variable) const {
    const VariableReader& reader = reader_here(variable);
    const auto version =
        reader.defaults.empty() ? std::nullopt : version_of_package(reader.package);
    std::optional<std::string_view> text = reader.fallback;
    for (const auto& from : reader.defaults) {
        const auto order = version ? compare_releases(*version, from.version) : std::nullopt;
        if (!order && text != from.value) {
            return std::nullopt;
        }
        if (order && *order >= 0) {
            text = from.value;
        }
    }
    return text;
}

// Whose default counts: of the programs that state one the first whose version is known. Finding a
// version takes files, so it is asked for only where several state one.
const VariableReader& Readers::reader_here(const Variable& variable) const {
    const auto states_one = [](const VariableReader& each) {
        return each.fallback || !each.defaults.empty();
    };
    const auto& all = variable.read_by;
    if (std::any_of(all.begin() + 1, all.end(), states_one)) {
        for (const auto& reader : all) {
            if (states_one(reader) && version_of_package(reader.package)) {
                return reader;
            }
        }
    }
    return all.front();
}

Reading Readers::read_default(const Variable& variable) const {
    if (variable.name == kernarg_variable) {
        return kernarg_default(machine_, versions_.find(variable.package));
    }
    Reading out;
    const auto text = default_text(variable);
    if (text) {
        const Effect effect = effect_of(variable, *text, version_for(variable, *text));
        const bool plain = effect.kind != EffectKind::unset && effect.kind != EffectKind::unknown;
        out.effective = plain ? effect.shown() : std::string(*text);
        out.note = text->empty() ? "" : "its default is " + std::string(*text);
        return out;
    }
    const VariableReader& reader = reader_here(variable);
    const bool by_version = !reader.defaults.empty();
    out.known = !variable.fallback_note.empty() && !by_version;
    out.effective = out.known ? "unset" : not_known;
    out.note = by_version ? "not set; its default depends on the version of " +
                                std::string(reader.package) + ", which was not found"
               : variable.fallback_note.empty() ? ""
                                                : "not set: " + std::string(variable.fallback_note);
    return out;
}

}  // namespace rocenv
