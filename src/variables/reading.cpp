// SPDX-License-Identifier: MIT
#include "variables/reading.h"

#include <algorithm>
#include <array>

#include "machine/gpu/gpu_models.h"
#include "util/text.h"
#include "variables/parsers/parser_functions.h"

namespace rocenv {

namespace {

// The default of HIP_FORCE_DEV_KERNARG, the only one that depends on the GPU as well as on the
// version.

constexpr std::string_view kernarg_variable = "HIP_FORCE_DEV_KERNARG";

// Returns whether a GPU is of one of these kinds; by PCI id without KFD, since all of MI300 and
// MI350 are gfx94x and gfx95x.
bool has_gpu(const Machine& machine, std::initializer_list<std::string_view> kinds) {
    for (const auto& gpu : machine.gpus()) {
        const GpuModel* model = gpu_model(gpu.device);
        const auto gfx =
            gpu.agents.empty()
                ? std::string(model == nullptr ? "" : model->gfx)
                : gfx_name(machine.kfd().nodes[gpu.agents.front()].get("gfx_target_version"));
        if (std::any_of(kinds.begin(), kinds.end(),
                        [&](std::string_view kind) { return gfx.starts_with(kind); })) {
            return true;
        }
    }
    return false;
}

Reading reading_of(std::string effective, std::string note) {
    Reading out;
    out.known = effective != "default";
    out.effective = std::move(effective);
    out.note = std::move(note);
    return out;
}

// Returns the default: on from ROCm 6.1.2 (ROCm/clr rocclr/utils/flags.hpp of the releases; AMD's
// documentation says 6.2), and only on gfx94x and gfx95x (rocclr/device/rocm/rocsettings.cpp,
// 2025-08).
Reading kernarg_default(const Machine& machine, const Result<FoundVersion>& rocm) {
    const auto uncertain = machine.gpus_uncertain();
    if (machine.gpus().empty() && uncertain) {
        return reading_of("default",
                          "not set; the GPUs of this node are unknown: " + uncertain->text);
    }
    if (machine.gpus().empty()) {
        Reading out = reading_of("default", "no AMD GPU, so no program reads it");
        out.applies = false;
        return out;
    }
    if (!has_gpu(machine, {"gfx94", "gfx95"})) {
        return reading_of("false", "not set; off by default on this GPU");
    }
    if (!rocm) {
        return reading_of("default",
                          "not set; the default depends on the ROCm version: " + rocm.error().text);
    }
    if (compare_versions(rocm->version, "6.1.2").value_or(-1) >= 0) {
        return reading_of("true", "not set; on by default with ROCm 6.1.2 and later on this GPU");
    }
    if (compare_versions(rocm->version, "6.0.3").value_or(-1) >= 0) {
        return reading_of(
            "default",
            "not set; off by default in ROCm 6.0.2, on in 6.1.2, and unknown between them");
    }
    return reading_of("false", "not set; off by default before ROCm 6.1");
}

// Returns why an explicit 1 has no effect on these GPUs. Since the sources of 2024-10 the runtime
// keeps kernel arguments in host memory on gfx908 behind PCIe, which covers all MI100, unless
// DEBUG_CLR_KERNARG_HDP_FLUSH_WA is on (`is_worked_around`).
std::optional<std::string> kernarg_stays_on_host(const Machine& machine,
                                                 const Result<FoundVersion>& rocm,
                                                 bool is_worked_around) {
    const bool is_new = rocm && compare_versions(rocm->version, "6.3").value_or(-1) >= 0;
    if (!is_new || is_worked_around || !has_gpu(machine, {"gfx908"})) {
        return std::nullopt;
    }
    return "from ROCm 6.3 on kernel arguments stay in host memory on gfx908, unless "
           "DEBUG_CLR_KERNARG_HDP_FLUSH_WA=1";
}

const std::string not_known = "default";

// First versions with expandable segments: AMD's own builds since the spring of 2026, and all from
// 2.12 on (pytorch/pytorch pull requests 173330 and 177974, ROCm/pytorch 3106 and 3178).
constexpr std::string_view expandable_in_amd_builds = "2.9";
constexpr std::string_view expandable_in_all_builds = "2.12";

// Returns the version of PyTorch if the text requests expandable segments and the build is not for
// CUDA (+cu).
std::optional<std::string> expandable_on_rocm(const Readers& readers, const Variable& variable,
                                              const std::string& text) {
    const bool asks = variable.name.ends_with("_ALLOC_CONF") &&
                      text.find("expandable_segments:True") != std::string::npos;
    auto torch = asks ? readers.version_of(variable) : std::nullopt;
    return torch && torch->find("+cu") == std::string::npos ? torch : std::nullopt;
}

// Returns the note on the default; many begin with "unset: ".
std::string unset_note(const Variable& variable) {
    constexpr std::string_view start = "unset: ";
    const auto note = variable.fallback_note;
    return std::string(note.substr(note.starts_with(start) ? start.size() : 0));
}

// Returns the default for people. A negative number gets its meaning from the variable's doc: "-2:
// automatic" of "Threads of a block; -2 is automatic."
std::string shown_default(const Variable& variable, std::string_view text) {
    std::string out(text);
    const auto at = text.starts_with('-') ? variable.doc.find(" " + out + " ") : std::string::npos;
    if (at == std::string::npos) {
        return out;
    }
    auto meaning = variable.doc.substr(at + text.size() + 2);
    meaning = trim(meaning.substr(0, meaning.find_first_of(",;.(")));
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
    bool may_be_read = false;  // its releases or its installed version are not known
    for (const auto& reader : variable.read_by) {
        const bool known =
            !reader.searched.empty() || !reader.since.empty() || !reader.until.empty();
        const auto version = known ? version_of_package(reader.package) : std::nullopt;
        may_be_read = may_be_read || (!version && !is_replaced(reader));
        if (!version || (best && best->reads == Reads::yes)) {
            continue;
        }
        auto found = reads_at(reader, *version);
        const bool may_be_another =
            found.reads == Reads::not_checked && reader.package != best_package;
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

// Returns whether the other make of the library was found: NCCL and RCCL replace each other, so
// this one is not an undetected reader.
bool Readers::is_replaced(const VariableReader& reader) const {
    const bool is_rccl = reader.searched.starts_with("rccl");
    return (is_rccl && version_of_package("nccl")) ||
           (reader.package == "nccl" && version_of_package("rocm"));
}

// Returns the result for a name that only NCCL reads, if ROCm's library replaces NCCL.
std::optional<ReadsAt> Readers::left_to_rccl(const Variable& variable) const {
    const bool of_nccl =
        std::all_of(variable.read_by.begin(), variable.read_by.end(),
                    [](const VariableReader& each) { return each.package == "nccl"; });
    const auto rocm = of_nccl ? version_of_package("rocm") : std::nullopt;
    if (!rocm) {
        return std::nullopt;
    }
    VariableReader rccl;
    rccl.searched = "rccl-2024";  // by its sources: a name missing in documents proves nothing
    rccl.package = "rocm";
    auto found = reads_at(rccl, *rocm);
    if (found.reads == Reads::yes) {
        found.reads = Reads::not_yet;
        found.says =
            "RCCL of rocm " + printable(*rocm) + " does not read the variable, but NCCL does";
    }
    return found;
}

namespace {

bool has_forms(const Variable& variable) {
    return !variable.read_by.empty() && !variable.read_by.front().forms.empty();
}

// Returns "NCCL" or "RCCL" for their common entry if their forms differ, else the entry's reader.
std::string_view reader_of(const Variable& variable, const VariableReader& reader) {
    return variable.reader != "NCCL and RCCL"    ? variable.reader
           : reader.searched.starts_with("rccl") ? "RCCL"
                                                 : "NCCL";
}

}  // namespace

Variable Readers::as_read_here(const Variable& variable) const {
    Variable out = variable;
    if (!has_forms(variable)) {
        return out;
    }
    for (const auto& reader : variable.read_by) {
        const auto version = version_of_package(reader.package);
        const auto* form = version ? form_at(reader, *version) : nullptr;
        if (form == nullptr) {
            continue;
        }
        out.parser = form->parser;
        out.values = form->values;
        out.package = reader.package;
        out.reader = reader_of(variable, reader);
        for (auto& each : out.read_by) {
            each.forms.clear();
        }
        return out;
    }
    for (const auto& each : in_each_form(variable)) {
        for (const auto value : each.values) {
            if (std::find(out.values.begin(), out.values.end(), value) == out.values.end()) {
                out.values.push_back(value);
            }
        }
    }
    return out;
}

Reading Readers::read(const Variable& variable, const std::optional<std::string>& text) const {
    if (!has_forms(variable)) {
        return text ? read_in_one_form(variable, *text) : read_default(variable);
    }
    const Variable here = as_read_here(variable);
    return text ? read_text(here, *text) : read_default(here);
}

// Returns the version only if the parser needs it, since finding a version reads files.
std::optional<std::string> Readers::version_for(const Variable& variable,
                                                std::string_view text) const {
    const bool matters = effect_of(variable, text, std::nullopt).kind == EffectKind::unknown;
    return matters ? version_of(variable) : std::nullopt;
}

namespace {

// Returns whether two readings are equal; one reader may hold a switch as a number, another as a
// truth value.
bool is_alike(const Variable& variable, const Reading& one, const Reading& other) {
    const auto plain = [&](const std::string& effective) -> std::string_view {
        return variable.type != "bool" ? std::string_view(effective)
               : effective == "1"      ? "true"
               : effective == "0"      ? "false"
                                       : std::string_view(effective);
    };
    return plain(one.effective) == plain(other.effective) && one.misread == other.misread &&
           one.known == other.known;
}

}  // namespace

// Reads a variable that may have several forms: the result is known if all agree.
Reading Readers::read_text(const Variable& variable, const std::string& text) const {
    const auto forms = in_each_form(variable);
    Reading out = read_in_one_form(forms.front(), text);
    for (const auto& form : forms) {
        const Reading other = read_in_one_form(form, text);
        if (!is_alike(variable, out, other)) {
            return reading_of(not_known,
                              "read as " + printable(shown_value(out.effective)) + " or as " +
                                  printable(shown_value(other.effective)) +
                                  ", by the release and the program, which were not found");
        }
    }
    return out;
}

Reading Readers::read_in_one_form(const Variable& variable, const std::string& text) const {
    const auto version = version_for(variable, text);
    const Effect effect = effect_of(variable, text, version);
    Reading out;
    if (const Parser* parser = find_parser(variable.parser)) {
        const auto known = version ? std::optional<std::string_view>(*version) : std::nullopt;
        const auto wrong = misreading(variable.type, *parser, {text, known, variable.values});
        out.misread = wrong.has_value();
        out.note = wrong ? misreading_of(variable.reader, *wrong) : effect.note;
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

// Returns the text that equals unset in the installed version; std::nullopt if there is none, or if
// the version matters and is not known.
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
    if (!version || (!is_own && is_newer_than_searched(reader, *version))) {
        return std::nullopt;
    }
    const DefaultAt here = default_at(reader, *version);
    return here.known ? here.text : std::nullopt;
}

// Returns the reader whose default counts: the first of those with a default whose version is
// known. Finding a version reads files, so it is searched only if several have one.
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
        return "on ROCm, PyTorch before 2.7 reads PYTORCH_HIP_ALLOC_CONF instead";
    }
    const auto torch = expandable_on_rocm(*this, variable, text);
    if (torch && compare_versions(*torch, expandable_in_amd_builds).value_or(0) < 0) {
        return "PyTorch before 2.9 ignores expandable_segments on ROCm";
    }
    return std::nullopt;
}

// Follows the allocator's configuration of pytorch/pytorch v2.6.0 and v2.7.0.
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

namespace {

constexpr std::size_t most_shown = 60;   // bytes of a text
constexpr std::size_t most_zeros = 100;  // zeros from an exponent

constexpr std::array<std::string_view, 7> texts_for_on = {"1",       "true", "on",  "yes",
                                                          "enabled", "y",    "TRUE"};
constexpr std::array<std::string_view, 7> texts_for_off = {"0",        "false", "off", "no",
                                                           "disabled", "n",     ""};

enum class Meant { on, off, other };

Meant meant_by(std::string_view text) {
    const std::string word = parsers::ascii_lower(trim(text));
    if (parsers::is_one_of(word, {"1", "true", "yes", "on", "enable", "enabled", "y", "t"})) {
        return Meant::on;
    }
    if (parsers::is_one_of(word,
                           {"0", "false", "no", "off", "disable", "disabled", "n", "f", ""})) {
        return Meant::off;
    }
    return Meant::other;
}

// Returns the state; std::nullopt if the reader's value is not a switch.
std::optional<bool> as_switch(const Effect& effect) {
    if (effect.kind == EffectKind::truth) {
        return effect.value == "true";
    }
    if (effect.kind == EffectKind::number) {
        return effect.value != "0";
    }
    return std::nullopt;
}

std::string text_in_quotes(std::string_view text) {
    return text.empty() ? "an empty text" : '"' + printable(text, most_shown) + '"';
}

Effect read_instead(const Parser& parser, ParserInput input, std::string_view text) {
    input.text = text;
    return parser.read(input);
}

template <std::size_t Count>
std::optional<std::string_view> text_for(bool state,
                                         const std::array<std::string_view, Count>& texts,
                                         const Parser& parser, const ParserInput& input) {
    const auto* found = std::find_if(texts.begin(), texts.end(), [&](auto text) {
        return as_switch(read_instead(parser, input, text)) == state;
    });
    return found == texts.end() ? std::nullopt : std::optional(*found);
}

// Returns "; write 1 or 0"; suggests to unset the variable if the reader has no text for off.
std::string switch_advice(const Parser& parser, const ParserInput& input) {
    const auto on = text_for(true, texts_for_on, parser, input);
    const auto off = text_for(false, texts_for_off, parser, input);
    if (!on) {
        return {};
    }
    std::string advice = "; write " + std::string(*on);
    if (!off) {
        return advice + ", or unset it to switch it off";
    }
    return advice + (off->empty() ? " or leave it empty" : " or " + std::string(*off));
}

std::string number_advice(const Parser& parser, const ParserInput& input) {
    const auto written = written_number(input.text);
    const Effect plain = read_instead(parser, input, written.value_or(""));
    if (written && plain.kind == EffectKind::number && plain.value == *written) {
        return "; write " + *written;
    }
    return written ? "" : "; write a number in plain digits";
}

// Returns "; write A, B" with the words that the reader accepts.
std::string words_advice(const Parser& parser, const ParserInput& input) {
    std::vector<std::string_view> words;
    for (const auto word : input.values) {
        const EffectKind kind = read_instead(parser, input, word).kind;
        if (kind != EffectKind::error && kind != EffectKind::unset) {
            words.emplace_back(word);
        }
    }
    return words.empty() ? "" : "; write " + shown_values(words);
}

std::string advice_for(std::string_view type, const Parser& parser, const ParserInput& input) {
    if (type == "bool") {
        return switch_advice(parser, input);
    }
    if (!input.values.empty()) {
        return words_advice(parser, input);
    }
    return type == "int" ? number_advice(parser, input) : "";
}

std::optional<std::string> misread_switch(bool strict, bool state, const Parser& parser,
                                          const ParserInput& input) {
    const Meant meant = meant_by(input.text);
    if (meant == Meant::other ? !strict : (meant == Meant::on) == state) {
        return std::nullopt;
    }
    return "reads " + text_in_quotes(input.text) + " as " + (state ? "on" : "off") +
           switch_advice(parser, input);
}

std::optional<std::string> misread_number(bool is_bool, const Effect& effect, const Parser& parser,
                                          const ParserInput& input) {
    if (written_number(input.text) == effect.value) {
        return std::nullopt;
    }
    return "reads " + text_in_quotes(input.text) + " as " + printable(effect.value, most_shown) +
           (is_bool ? switch_advice(parser, input) : number_advice(parser, input));
}

std::string without_zeros(std::string digits) {
    digits.erase(0, std::min(digits.find_first_not_of('0'), digits.size() - 1));
    return digits;
}

bool all_digits(std::string_view text) {
    return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

// Reads digits with single underscores between them.
std::optional<std::string> plain_digits(std::string_view text) {
    if (text.empty() || text.front() == '_' || text.back() == '_' ||
        text.find("__") != std::string_view::npos) {
        return std::nullopt;
    }
    std::string digits(text);
    std::erase(digits, '_');
    return all_digits(digits) ? std::optional(without_zeros(std::move(digits))) : std::nullopt;
}

// Reads "1e3".
std::optional<std::string> with_exponent(std::string_view text) {
    const std::size_t mark = text.find_first_of("eE");
    if (mark == std::string_view::npos || !all_digits(text.substr(0, mark))) {
        return std::nullopt;
    }
    std::string_view exponent = text.substr(mark + 1);
    exponent.remove_prefix(exponent.starts_with('+') ? 1 : 0);
    const auto zeros = parse_number(exponent);
    if (!zeros || *zeros > most_zeros) {
        return std::nullopt;
    }
    return without_zeros(std::string(text.substr(0, mark)) + std::string(*zeros, '0'));
}

std::optional<std::string> magnitude_of(std::string_view text) {
    if (text.starts_with("0x") || text.starts_with("0X")) {
        const auto value = parse_number(text.substr(2), 16);
        return value ? std::optional(number(*value)) : std::nullopt;
    }
    const auto digits = plain_digits(text);
    return digits ? digits : with_exponent(text);
}

}  // namespace

std::optional<std::string> written_number(std::string_view text) {
    text = trim(text);
    const bool negative = text.starts_with('-');
    if (negative || text.starts_with('+')) {
        text.remove_prefix(1);
    }
    auto magnitude = magnitude_of(text);
    if (magnitude && negative && *magnitude != "0") {
        magnitude->insert(0, 1, '-');
    }
    return magnitude;
}

std::optional<std::string> misreading(std::string_view type, const Parser& parser,
                                      const ParserInput& input) {
    const Effect effect = parser.read(input);
    const bool is_bool = type == "bool";
    switch (effect.kind) {
        case EffectKind::error:
            return "fails on " + text_in_quotes(input.text) + advice_for(type, parser, input);
        case EffectKind::unset:
            return input.text.empty() ? std::nullopt
                                      : std::optional("ignores " + text_in_quotes(input.text) +
                                                      advice_for(type, parser, input));
        case EffectKind::truth:
            return misread_switch(is_bool, effect.value == "true", parser, input);
        case EffectKind::number:
            if (type == "float") {  // the number as written, or an error
                return std::nullopt;
            }
            if (is_bool && meant_by(input.text) != Meant::other) {
                return misread_switch(true, effect.value != "0", parser, input);
            }
            return misread_number(is_bool, effect, parser, input);
        case EffectKind::text:
        case EffectKind::unknown:
            break;
    }
    return std::nullopt;
}

bool is_several_readers(std::string_view reader) {
    return reader == "NCCL and RCCL" || reader == "LLVM and Intel OpenMP" ||
           reader == "CUDA driver and runtime";
}

std::string misreading_of(std::string_view reader, const std::string& misreading) {
    const bool several = is_several_readers(reader);
    std::string out = std::string(reader) + " " + misreading;
    const auto end = misreading.find(' ');
    if (several && end != std::string::npos) {
        out.erase(reader.size() + end, 1);  // removes the s of "reads", "ignores" or "fails"
    }
    return out;
}

namespace {

// Returns whether the default means off to people but on to the parser: some readers read every
// text as on, and the catalogue states 0.
bool is_off_in_other_words(const Variable& variable, std::string_view text, const Effect& effect) {
    return variable.type == "bool" && meant_by(text) == Meant::off && as_switch(effect) == true;
}

}  // namespace

Reading Readers::read_default(const Variable& variable) const {
    if (variable.name == kernarg_variable) {
        return kernarg_default(machine_, versions_.find(variable.package));
    }
    Reading out;
    const auto text = default_text(variable);
    if (text) {
        const Effect effect = effect_of(variable, *text, version_for(variable, *text));
        const bool plain = effect.kind != EffectKind::unset && effect.kind != EffectKind::unknown;
        out.effective = is_off_in_other_words(variable, *text, effect) ? "false"
                        : plain                                        ? effect.shown()
                                                                       : std::string(*text);
        out.note = text->empty() ? "" : "the default is " + shown_default(variable, *text);
        return out;
    }
    const VariableReader& reader = reader_here(variable);
    const bool by_version = !reader.defaults.empty() || reader.fallback;
    const auto version = by_version ? version_of_package(reader.package) : std::nullopt;
    out.known = !variable.fallback_note.empty() && !by_version;
    out.effective = out.known ? "unset" : not_known;
    out.note = by_version && version ? "not set; the default in " + std::string(reader.package) +
                                           " " + printable(*version) + " is unknown"
               : by_version ? "not set; the default depends on the version of " +
                                  std::string(reader.package) + ", which was not found"
               : variable.fallback_note.empty() ? ""
                                                : "not set: " + unset_note(variable);
    return out;
}

std::optional<std::string> misread_by_all(const Variable& variable, std::string_view text) {
    std::optional<std::string> out;
    for (const auto& form : in_each_form(variable)) {
        const Parser* parser = find_parser(form.parser);
        const auto why = parser == nullptr ? std::nullopt
                                           : misreading(variable.type, *parser,
                                                        {text, std::nullopt, form.values});
        if (!why) {
            return std::nullopt;
        }
        out = out ? out : misreading_of(variable.reader, *why);
    }
    return out;
}

}  // namespace rocenv
