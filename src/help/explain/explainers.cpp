// SPDX-License-Identifier: MIT
#include "help/explain/explainers.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "check/hidden_names.h"
#include "profile/profile_image.h"
#include "settings/registry.h"
#include "util/credentials.h"
#include "util/text.h"
#include "variables/environment.h"
#include "variables/releases/versions.h"

namespace rocenv {

namespace {

// Limits for a person's own profiles, of which there may be any number.
constexpr std::size_t most_profiles = 1000;
constexpr std::size_t most_bytes = std::size_t{2} << 20;

// Returns the value as a profile writes it; "a secret" for a secret.
std::string value_of(const Expectation& expectation) {
    constexpr std::string_view family = "env.";
    if (expectation.unset) {
        return "unset";
    }
    if (!expectation.id.starts_with(family)) {
        return toml_text(expectation.value);
    }
    return is_secret_name(std::string_view(expectation.id).substr(family.size()))
               ? "a secret"
               : value_without_credentials(plain_text(expectation.value));
}

void add_use(const Expectation& expectation, const std::string& profile,
             std::vector<ProfileUse>& uses) {
    const std::string value = value_of(expectation);
    auto like = std::find_if(uses.begin(), uses.end(), [&](const ProfileUse& each) {
        return each.value == value && each.is_unset == expectation.unset &&
               each.level == expectation.level && each.when == expectation.when;
    });
    if (like == uses.end()) {
        like =
            uses.insert(like, {value, expectation.unset, expectation.level, expectation.when, {}});
    }
    like->profiles.push_back(profile);
}

}  // namespace

Result<ProfileText> ProfileUses::find(const std::string& name, const std::string& id) const {
    const auto shipped =
        std::find_if(builtin_profiles.begin(), builtin_profiles.end(),
                     [&](const BuiltinProfile& each) { return each.name == name; });
    return whole_ || shipped == builtin_profiles.end() || store_.overrides(name)
               ? store_.find(name)
               : profile_in(shipped->image, name, id);
}

const std::map<std::string, ProfileUses::Read>& ProfileUses::all(const std::string& id) {
    if (id_ && (whole_ || *id_ == id)) {
        return read_;
    }
    id_ = id;
    read_.clear();
    std::size_t bytes = 0;
    for (const auto& name : store_.names()) {
        auto profile = find(name, id);
        bytes += profile ? profile->bytes : 0;
        if (read_.size() >= most_profiles || bytes > most_bytes) {
            break;
        }
        if (profile) {
            Read& read = read_[name];
            read.extends = profile->extends;
            for (const auto& entry : profile->entries) {
                read.entries.emplace(entry.id, entry);
            }
        }
    }
    return read_;
}

// Merges the entries in the order of resolve(): parents first, each once.
void ProfileUses::visit(const std::string& profile, const std::string& id,
                        std::set<std::string>& seen, Expectation& expectation) {
    const auto found = read_.find(profile);
    if (found == read_.end() || seen.size() > ProfileLimits::profiles ||
        !seen.insert(profile).second) {
        return;
    }
    for (const auto& parent : found->second.extends) {
        visit(parent, id, seen, expectation);
    }
    const auto entry = found->second.entries.find(id);
    if (entry != found->second.entries.end()) {
        take_entry(entry->second, expectation);
    }
}

std::optional<Expectation> ProfileUses::expectation_of(const std::string& profile,
                                                       const std::string& id) {
    all(id);
    Expectation expectation;
    std::set<std::string> seen;
    visit(profile, id, seen, expectation);
    return expectation.id.empty() ? std::nullopt : std::optional(std::move(expectation));
}

std::vector<ProfileUse> ProfileUses::of(const std::string& id) {
    std::vector<ProfileUse> uses;
    for (const auto& [name, read] : all(id)) {
        if (const auto expectation = expectation_of(name, id)) {
            add_use(*expectation, name, uses);
        }
    }
    std::stable_sort(uses.begin(), uses.end(), [](const ProfileUse& a, const ProfileUse& b) {
        return a.level != b.level ? a.level > b.level : a.profiles.size() > b.profiles.size();
    });
    return uses;
}

std::vector<std::string> ProfileUses::extending(const std::string& name) {
    std::vector<std::string> out;
    for (const auto& [child, read] : all(id_.value_or(""))) {
        if (std::find(read.extends.begin(), read.extends.end(), name) != read.extends.end()) {
            out.push_back(child);
        }
    }
    return out;
}

namespace {

std::vector<ProfileExplanation::LevelIds> by_level(const std::vector<Expectation>& expectations) {
    std::vector<ProfileExplanation::LevelIds> out;
    for (const auto level : {Level::required, Level::recommended, Level::info}) {
        ProfileExplanation::LevelIds group{level, {}};
        for (const auto& expectation : expectations) {
            if (expectation.level == level) {
                group.ids.push_back(expectation.id);
            }
        }
        if (!group.ids.empty()) {
            out.push_back(std::move(group));
        }
    }
    return out;
}

void add_once(const std::vector<std::string>& words, std::vector<std::string>& all) {
    for (const auto& word : words) {
        if (std::find(all.begin(), all.end(), word) == all.end()) {
            all.push_back(word);
        }
    }
}

}  // namespace

ProfileExplanation ProfileExplainer::head(const std::string& name, const ProfileText& text) {
    ProfileExplanation out;
    out.name = name;
    out.summary = text.summary;
    out.file = text.file;
    out.extends = text.extends;
    return out;
}

ProfileExplanation ProfileExplainer::outline(const std::string& name) const {
    const auto text = store_.find(name);
    if (text) {
        return head(name, *text);
    }
    ProfileExplanation out;
    out.name = name;
    out.faults.push_back(text.error().text);
    return out;
}

Result<ProfileExplanation> ProfileExplainer::explain(const std::string& name) {
    const auto text = store_.find(name);
    if (!text) {
        return text.error();
    }
    ProfileExplanation out = head(name, *text);
    const Resolved resolved = resolve(store_, {name}, {});
    for (const auto& diagnostic : resolved.diagnostics) {
        out.faults.push_back(diagnostic_text(diagnostic));
    }
    out.is_bad = has_errors(resolved.diagnostics);
    for (const auto& match : resolved.matches) {
        add_once(match_words(match), out.matches);
    }
    out.extended_by = uses_.extending(name);
    out.expectations = by_level(resolved.expectations);
    out.also = resolved.also;
    out.here = out.is_bad ? "cannot be used" : here(name, resolved);
    return out;
}

std::string ProfileExplainer::here(const std::string& name, const Resolved& resolved) {
    if (chosen_.empty()) {
        chosen_ = choose_profile(machine_, store_).name;
    }
    if (name == chosen_) {
        return "auto chooses it";
    }
    for (const auto& match : resolved.matches) {
        if (const auto why = mismatch(match, machine_, process_)) {
            return "not for this node: " + *why;
        }
    }
    const bool asks = !resolved.matches.empty();
    return std::string(asks && gpu_kinds(machine_).empty() ? "no GPU that it is for is here"
                                                           : "may be used") +
           "; auto chooses " + chosen_;
}

namespace {

std::vector<std::string> lines_of(const Keeping& keeping) {
    std::vector<std::string> out;
    const auto add = [&](const std::vector<std::string>& lines, const std::string& where) {
        for (const auto& line : lines) {
            out.push_back(where + ": " + line);
        }
    };
    add(keeping.sysctl, "/etc/sysctl.d");
    add(keeping.tmpfiles, "/etc/tmpfiles.d");
    add(keeping.boot_words, "kernel command line");
    add(keeping.unwanted_words, "kernel command line, without");
    if (keeping.by_unit) {
        out.emplace_back("systemd: a unit that calls rocenv set at boot");
    }
    add(keeping.notes, "or");
    if (!keeping.firmware.empty()) {
        out.push_back("BIOS: " + keeping.firmware);
    }
    return out;
}

Finding finding_of(const std::string& id, const ClusterFact& fact) {
    Finding out;
    out.id = id;
    out.target = fact.target.text();
    out.level = Level::info;
    out.outcome = fact.value ? Outcome::ok : Outcome::unknown;
    out.reason = fact.reason;
    out.have = fact.value;
    out.detail = fact.detail;
    return out;
}

// Reduces a finding to the value that it found: without the expected value, and without the
// judgement by it.
void clear_expected(Finding& finding) {
    finding.expected = std::nullopt;
    finding.fix.clear();
    if (finding.outcome == Outcome::ok || finding.outcome == Outcome::differs) {
        finding.outcome = Outcome::ok;
        finding.detail.clear();
    }
}

}  // namespace

void SettingExplainer::judge(const std::vector<std::string>& ids, Explanations& out) {
    CheckRequest request = request_;
    request.only = ids;
    request.skip.clear();
    request.pid.clear();
    request.env_files.clear();
    request.scope = std::nullopt;
    request.all_scopes = true;
    CheckResult result = check(request, fs_, host_, process_);
    report_ = std::move(result.report);
    out.errors = std::move(result.errors);
    out.warnings = std::move(result.warnings);
    out.timed_out = result.timed_out;
}

// Returns the values here if no profile expects a value of the setting.
std::vector<Finding> SettingExplainer::unjudged(const Setting& setting) const {
    const Info& info = setting.info;
    const Versions versions(machine_, process_);
    const Context context{machine_, process_, &versions};
    Report report;
    if (info.over_cluster == OverCluster::equal) {
        const auto facts = facts_of(setting, context);
        report.findings.reserve(facts.size());
        for (const auto& fact : facts) {
            report.findings.push_back(finding_of(std::string(info.id), fact));
        }
    }
    if (report.findings.empty()) {
        Expectation expectation;
        expectation.id = info.id;
        expectation.value = some_value(info);
        expectation.level = Level::info;
        report.findings =
            to_findings(expectation, setting, assessed(setting, context, expectation));
        std::for_each(report.findings.begin(), report.findings.end(), clear_expected);
    }
    hide_identities(machine_, process_, report);
    return std::move(report.findings);
}

SettingHere SettingExplainer::here(const Setting& setting, const std::vector<ProfileUse>& uses) {
    const std::string id(setting.info.id);
    SettingHere out;
    // Moved, not copied: there may be one for each of 10,000 functions.
    auto& findings = report_.findings;
    const auto rest = std::stable_partition(findings.begin(), findings.end(),
                                            [&](const Finding& each) { return each.id != id; });
    out.findings.assign(std::make_move_iterator(rest), std::make_move_iterator(findings.end()));
    findings.erase(rest, findings.end());
    out.profiles = report_.profiles;
    out.device_names = report_.device_names;
    out.judged = !out.findings.empty();
    if (out.judged) {
        return out;
    }
    if (!setting.info.only_when_named) {
        out.findings = unjudged(setting);
        return out;
    }
    out.not_read = "it asks firmware or the driver, so it is read only where a profile names it";
    out.not_read += uses.empty()
                        ? std::string()
                        : ": rocenv explain " + id + " -p " + uses.front().profiles.front();
    return out;
}

SettingExplanation SettingExplainer::explain(const std::string& id) {
    const Setting& setting = *find_setting(id);
    SettingExplanation out;
    out.info = &setting.info;
    out.uses = uses_.of(id);
    if (!out.uses.empty()) {
        const auto expectation = uses_.expectation_of(out.uses.front().profiles.front(), id);
        out.kept_by = lines_of(keeping_of(setting, *expectation));
    }
    out.here = here(setting, out.uses);
    return out;
}

namespace {

bool is_about(const VariableRule& conflict, std::string_view name) {
    return std::any_of(conflict.when.begin(), conflict.when.end(),
                       [&](std::string_view when) { return name_in_condition(when) == name; });
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

// Returns the part of the environment that the judgement of this variable reads.
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
    take(name_in_condition(about.variable.needs));
    for (const auto& each : about.contradictions) {
        for (const auto when : each.conflict.when) {
            take(name_in_condition(when));
        }
    }
    return out;
}

// Returns the values of variables, without those that contain a `$`.
std::vector<std::string> texts_of(const std::vector<ProfileUse>& uses) {
    std::vector<std::string> out;
    for (const auto& use : uses) {
        if (!use.is_unset && use.value.find('$') == std::string::npos) {
            out.push_back(use.value);
        }
    }
    return out;
}

// Marks the contradictions that hold, and removes the same fault from both variables.
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

void VariableExplainer::add_versions(const Variable& variable, VariableHere& here) const {
    for (const auto& reader : variable.read_by) {
        const std::string package(reader.package);
        const bool listed = std::any_of(here.installed.begin(), here.installed.end(),
                                        [&](const auto& each) { return each.package == package; });
        if (package.empty() || listed) {
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
    add_versions(out.variable, out.here);
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
