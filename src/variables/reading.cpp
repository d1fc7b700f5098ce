// SPDX-License-Identifier: MIT
#include "variables/reading.h"

#include <algorithm>

#include "util/text.h"
#include "variables/kernarg_default.h"
#include "variables/misreading.h"

namespace rocenv {

namespace {

const std::string not_known = "default";

// AMD's own builds since the spring of 2026 and all from 2.12 on can do it (pytorch/pytorch pull
// requests 173330 and 177974, ROCm/pytorch 3106 and 3178).
constexpr std::string_view expandable_in_amd_builds = "2.9";
constexpr std::string_view expandable_in_all_builds = "2.12";

// The version of PyTorch where it is asked for expandable segments on ROCm. CUDA builds say so in
// their version.
std::optional<std::string> expandable_on_rocm(const Readers& readers, const Variable& variable,
                                              const std::string& text) {
    const bool asks = variable.name.ends_with("_ALLOC_CONF") &&
                      text.find("expandable_segments:True") != std::string::npos;
    auto torch = asks ? readers.version_of(variable) : std::nullopt;
    return torch && torch->find("+cu") == std::string::npos ? torch : std::nullopt;
}

// A negative number stands for something else: with what the variable's text says of it, "-2:
// automatic" of "Threads of a block; -2 is automatic."
std::string told_default(const Variable& variable, std::string_view text) {
    std::string out(text);
    const auto at = text.starts_with('-') ? variable.doc.find(" " + out + " ") : std::string::npos;
    if (at == std::string::npos) {
        return out;
    }
    auto meaning = variable.doc.substr(at + text.size() + 2);
    meaning = meaning.substr(0, meaning.find_first_of(",;."));
    meaning.remove_prefix(meaning.starts_with("is ") ? 3 : 0);
    return out + ": " + std::string(meaning);
}

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
    std::string_view best_package;
    bool may_be_read = false;  // by a program whose releases or version here nobody knows
    for (const auto& reader : variable.read_by) {
        const bool known =
            !reader.looked_at.empty() || !reader.since.empty() || !reader.until.empty();
        const auto version = known ? version_of_package(reader.package) : std::nullopt;
        may_be_read = may_be_read || (!version && !is_replaced(reader));
        if (!version || (best && best->reads == Reads::yes)) {
            continue;
        }
        auto found = reads_at(reader, *version);
        const bool may_be_another =
            found.reads == Reads::not_looked_at && reader.package != best_package;
        if (!best || found.reads == Reads::yes || may_be_another) {
            best = std::move(found);
            best_package = reader.package;
        }
    }
    const bool is_read = best && best->reads == Reads::yes;
    if (may_be_read && !is_read) {
        return std::nullopt;
    }
    return best ? best : left_to_rccl(variable);
}

// NCCL and RCCL are one library's two makes: where one was found the other is none of the programs
// that may be there unseen.
bool Readers::is_replaced(const VariableReader& reader) const {
    const bool is_rccl = reader.looked_at.starts_with("rccl");
    return (is_rccl && version_of_package("nccl")) ||
           (reader.package == "nccl" && version_of_package("rocm"));
}

// A name that NCCL alone reads, where ROCm's library takes its place.
std::optional<ReadsAt> Readers::left_to_rccl(const Variable& variable) const {
    const bool of_nccl =
        std::all_of(variable.read_by.begin(), variable.read_by.end(),
                    [](const VariableReader& each) { return each.package == "nccl"; });
    const auto rocm = of_nccl ? version_of_package("rocm") : std::nullopt;
    if (!rocm) {
        return std::nullopt;
    }
    VariableReader rccl;
    rccl.looked_at = "rccl-2024";  // by its sources: that documents lack a name says nothing
    rccl.package = "rocm";
    auto found = reads_at(rccl, *rocm);
    if (found.reads == Reads::yes) {
        found.reads = Reads::not_yet;
        found.says = "RCCL of rocm " + printable(*rocm) + " does not read it, NCCL does";
    }
    return found;
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
    const bool is_own = &reader == &variable.read_by.front();
    const bool one_for_all =
        std::all_of(reader.defaults.begin(), reader.defaults.end(),
                    [&](const DefaultFrom& each) { return reader.fallback == each.value; });
    if (one_for_all && is_own) {
        return reader.fallback;
    }
    const auto version = version_of_package(reader.package);
    if (!version || (!is_own && is_newer_than_looked_at(reader, *version))) {
        return std::nullopt;
    }
    const DefaultAt here = default_at(reader, *version);
    return here.known ? here.text : std::nullopt;
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

std::optional<std::string> Readers::without_effect(const Variable& variable,
                                                   const std::string& text,
                                                   const Environment& environment) const {
    if (variable.name == kernarg_variable && read_text(variable, text).effective == "true") {
        const auto other = find_variable("DEBUG_CLR_KERNARG_HDP_FLUSH_WA");
        const auto set = environment.find("DEBUG_CLR_KERNARG_HDP_FLUSH_WA");
        const bool is_on =
            other && set != environment.end() && read_text(*other, set->second).effective == "true";
        return kernarg_stays_on_host(machine_, versions_.find(variable.package), is_on);
    }
    if (variable.name == "PYTORCH_CUDA_ALLOC_CONF" && is_old_torch_on_rocm(variable)) {
        return "PyTorch before 2.7 reads PYTORCH_HIP_ALLOC_CONF in its place on ROCm";
    }
    const auto torch = expandable_on_rocm(*this, variable, text);
    if (torch && compare_versions(*torch, expandable_in_amd_builds).value_or(0) < 0) {
        return "PyTorch before 2.9 ignores expandable_segments on ROCm";
    }
    return std::nullopt;
}

// As the allocator's configuration of pytorch/pytorch has it, v2.6.0 and v2.7.0.
bool Readers::is_old_torch_on_rocm(const Variable& variable) const {
    const auto version = version_of(variable);
    if (!version || compare_versions(*version, "2.7").value_or(0) >= 0) {
        return false;
    }
    const auto build = versions_.torch();
    return version->find("+rocm") != std::string::npos || (build && !build->hip.empty());
}

std::optional<std::string> Readers::unsure_of(const Variable& variable,
                                              const std::string& text) const {
    const auto torch = expandable_on_rocm(*this, variable, text);
    if (torch && compare_versions(*torch, expandable_in_amd_builds).value_or(-1) >= 0 &&
        compare_versions(*torch, expandable_in_all_builds).value_or(0) < 0) {
        return "PyTorch 2.9 to 2.11 has expandable_segments on ROCm in AMD's own builds only";
    }
    return std::nullopt;
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
        out.note = text->empty() ? "" : "its default is " + told_default(variable, *text);
        return out;
    }
    const VariableReader& reader = reader_here(variable);
    const bool by_version = !reader.defaults.empty() || reader.fallback;
    const auto version = by_version ? version_of_package(reader.package) : std::nullopt;
    out.known = !variable.fallback_note.empty() && !by_version;
    out.effective = out.known ? "unset" : not_known;
    out.note = by_version && version ? "not set; its default in " + std::string(reader.package) +
                                           " " + printable(*version) + " is not known"
               : by_version ? "not set; its default depends on the version of " +
                                  std::string(reader.package) + ", which was not found"
               : variable.fallback_note.empty() ? ""
                                                : "not set: " + std::string(variable.fallback_note);
    return out;
}

}  // namespace rocenv
