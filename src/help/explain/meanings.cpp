// SPDX-License-Identifier: MIT
#include "help/explain/meanings.h"

#include <algorithm>
#include <iterator>

#include "util/text.h"
#include "variables/reading.h"

namespace rocenv {

namespace {

constexpr std::string_view distinctive_texts[] = {
    "1", "0", "true", "false", "yes", "no", "on", "off", "TRUE", "2", "-1", "", "text"};
constexpr std::string_view distinctive_numbers[] = {"1.5", "0x10", "1e3"};
// Texts for a reader that accepts none of the common ones.
constexpr std::string_view rare_forms[] = {"9.4.2", "a,b", "a=1", "a:1", "1MB", "/tmp/a"};
constexpr std::string_view words_of_switches[] = {"true",  "yes", "on",  "1",
                                                  "false", "no",  "off", "0"};

void add_once(std::string_view text, std::vector<std::string>& all) {
    if (std::find(all.begin(), all.end(), text) == all.end()) {
        all.emplace_back(text);
    }
}

std::vector<std::string> texts_to_try(const Variable& variable,
                                      const std::vector<std::string>& used) {
    std::vector<std::string> out;
    const auto add = [&](const auto& texts) {
        for (const auto& text : texts) {
            add_once(text, out);
        }
    };
    add(variable.values);
    add(distinctive_texts);
    if (variable.type == "int" || variable.type == "float") {
        add(distinctive_numbers);
    }
    add(used);
    if (variable.fallback) {
        add_once(*variable.fallback, out);
    }
    return out;
}

// Returns whether a text is its own meaning. Case is ignored: for a reader that ignores case,
// "TRUE" and "true" each stand for themselves.
bool stands_for_itself(const Effect& effect, const std::string& text) {
    return effect.kind == EffectKind::text
               ? lower_case(effect.value) == lower_case(text)
               : effect.kind == EffectKind::number && effect.value == text;
}

TextMeaning meaning_of(const Effect& effect, const std::string& text) {
    switch (effect.kind) {
        case EffectKind::truth:
        case EffectKind::number:
        case EffectKind::text:
            return stands_for_itself(effect, text)
                       ? TextMeaning{Makes::as_written, "", "", {}}
                       : TextMeaning{Makes::value, effect.value, "", {}};
        case EffectKind::unset:
            return {Makes::ignored, "", "", {}};
        case EffectKind::error:
            return {Makes::failure, "", "", {}};
        case EffectKind::unknown:
            return {Makes::depends, "", effect.note, {}};
    }
    return {};
}

bool is_alike(const TextMeaning& left, const TextMeaning& right) {
    return left.makes == right.makes && left.value == right.value && left.note == right.note;
}

void add(const std::string& text, TextMeaning meaning, std::vector<TextMeaning>& all) {
    auto group = std::find_if(all.begin(), all.end(),
                              [&](const TextMeaning& each) { return is_alike(each, meaning); });
    if (group == all.end()) {
        group = all.insert(group, std::move(meaning));
    }
    group->texts.push_back(text);
}

bool accepts_nothing(const std::vector<TextMeaning>& meanings) {
    return std::all_of(meanings.begin(), meanings.end(), [](const TextMeaning& each) {
        return each.makes == Makes::failure || each.makes == Makes::ignored;
    });
}

}  // namespace

std::vector<TextMeaning> meanings_of(const Variable& variable,
                                     const std::optional<std::string>& version,
                                     const std::vector<std::string>& used) {
    std::vector<TextMeaning> out;
    if (is_secret(variable)) {
        return out;
    }
    for (const auto& text : texts_to_try(variable, used)) {
        add(text, meaning_of(effect_of(variable, text, version), text), out);
    }
    if (accepts_nothing(out)) {
        for (const auto form : rare_forms) {
            const std::string text(form);
            add(text, meaning_of(effect_of(variable, text, version), text), out);
        }
    }
    return out;
}

std::string misread_text_of(const Variable& variable, const std::optional<std::string>& version) {
    const Parser* parser = find_parser(variable.parser);
    if (parser == nullptr || variable.type != "bool") {
        return {};
    }
    const auto known = version ? std::optional<std::string_view>(*version) : std::nullopt;
    for (const auto text : words_of_switches) {
        if (const auto wrong = misreading(variable.type, *parser, {text, known, variable.values})) {
            return misreading_of(variable.reader, *wrong);
        }
    }
    return {};
}

}  // namespace rocenv
