// SPDX-License-Identifier: MIT
#include "help/explain/variable_explainer.h"

#include <algorithm>

namespace rocenv {

namespace {

std::string_view name_in(std::string_view name_and_text) {
    return name_and_text.substr(0, name_and_text.find_first_of("=!<>~"));
}

bool is_about(const VariableRule& conflict, std::string_view name) {
    return std::any_of(conflict.when.begin(), conflict.when.end(),
                       [&](std::string_view when) { return name_in(when) == name; });
}

std::vector<Contradiction> contradictions_of(const Variable& variable) {
    std::vector<Contradiction> out;
    for (const auto& conflict : variable_rules()) {
        if (is_about(conflict, variable.name)) {
            out.push_back({conflict, false});
        }
    }
    return out;
}

// Of the environment only what a judgement of this variable looks at: nothing else is read.
Environment around(const Environment& environment, const VariableExplanation& about,
                   const std::string& name) {
    Environment out;
    const auto take = [&](std::string_view each) {
        const auto found = environment.find(std::string(each));
        if (found != environment.end()) {
            out.insert(*found);
        }
    };
    take(name);
    take(name_in(about.variable.needs));
    for (const auto& each : about.contradictions) {
        for (const auto when : each.conflict.when) {
            take(name_in(when));
        }
    }
    return out;
}

// Without those that something is put into.
std::vector<std::string> texts_of(const std::vector<ProfileUse>& uses) {
    std::vector<std::string> out;
    for (const auto& use : uses) {
        if (!use.is_unset && use.value.find('$') == std::string::npos) {
            out.push_back(use.value);
        }
    }
    return out;
}

// What holds is told as a contradiction, not as a fault of one of the two.
void mark_contradictions(std::vector<Inspection>& rows, std::vector<Contradiction>& known) {
    for (auto& row : rows) {
        std::erase_if(row.faults, [&](const std::string& fault) {
            const auto same = std::find_if(known.begin(), known.end(), [&](const auto& each) {
                return each.conflict.says == fault;
            });
            if (same != known.end()) {
                same->holds = true;
            }
            return same != known.end();
        });
    }
}

}  // namespace

VariableHere VariableExplainer::here(const Variable& variable, const std::string& name,
                                     const std::vector<Inspection>& rows) const {
    VariableHere out;
    if (const auto unknown = not_evaluated_.names.find(name);
        unknown != not_evaluated_.names.end()) {
        out.is_set = true;
        out.state = inspect_unknown(variable, unknown->second, environment_, readers_);
        return out;
    }
    const auto set = environment_.find(name);
    out.is_set = set != environment_.end();
    if (!out.is_set) {
        const Reading absent = readers_.read(variable, std::nullopt);
        out.state.name = name;
        out.state.effective = absent.effective;
        out.state.remark = absent.note;
        return out;
    }
    const auto row = std::find_if(rows.begin(), rows.end(),
                                  [&](const Inspection& each) { return each.name == name; });
    out.state = row != rows.end()
                    ? *row
                    : inspect_one(variable, set->second, environment_, readers_, not_evaluated_);
    return out;
}

void VariableExplainer::tell_versions(const Variable& variable, VariableHere& here) const {
    for (const auto& reader : variable.read_by) {
        const std::string package(reader.package);
        const bool told = std::any_of(here.installed.begin(), here.installed.end(),
                                      [&](const auto& each) { return each.package == package; });
        if (package.empty() || told) {
            continue;
        }
        const auto found = versions_.find(package);
        here.installed.push_back({package, found ? std::optional(found->version) : std::nullopt,
                                  found ? found->where : found.error().text});
    }
    const auto reads = readers_.reads_here(variable);
    here.by_version = reads ? reads->says : "";
}

VariableExplanation VariableExplainer::outline(const std::string& name,
                                               const std::string& as) const {
    VariableExplanation out;
    out.variable = *find_variable(name);
    out.as = as;
    out.contradictions = contradictions_of(out.variable);
    const std::string& asked = as.empty() ? name : as;
    auto rows = inspect(around(environment_, out, asked), readers_, not_evaluated_);
    mark_contradictions(rows, out.contradictions);
    out.here = here(out.variable, asked, rows);
    return out;
}

VariableExplanation VariableExplainer::explain(const std::string& name,
                                               const std::string& as) const {
    VariableExplanation out = outline(name, as);
    tell_versions(out.variable, out.here);
    if (const Parser* parser = find_parser(out.variable.parser)) {
        out.parser = parser->doc;
        out.parser_source = parser->source;
    }
    const auto version = readers_.version_of(out.variable);
    out.misread = misread_text_of(out.variable, version);
    out.uses = uses_.of("env." + name);
    out.meanings = meanings_of(out.variable, version, texts_of(out.uses));
    return out;
}

}  // namespace rocenv
