// SPDX-License-Identifier: MIT
// env.<NAME>: variables of the calling process, judged by the rules of the program that reads them.
// Variables outside of the catalogue are compared as text.
#include "rocenv/setting.h"
#include "settings/shapes/references.h"
#include "util/credentials.h"
#include "util/text.h"
#include "variables/environment.h"
#include "variables/inspection.h"

namespace rocenv {

namespace {

void check_file(const Fs& fs, const std::string& path, Assessment& row) {
    if (!path.starts_with('/')) {
        return;  // only the reader knows the search path
    }
    const auto found = fs.size(path);
    if (found) {
        return;
    }
    const bool missing = found.is(ErrorKind::not_here);
    row.outcome = missing                      ? Outcome::differs
                  : row.outcome == Outcome::ok ? Outcome::unknown
                                               : row.outcome;
    row.detail = missing ? "the file " + printable(path) + " does not exist" : found.error().text;
    row.next_step =
        "install the package that contains the file, or set the variable to its location";
}

// Returns the reason why no program on this node reads the variable; std::nullopt if one may.
std::optional<std::string> of_no_use(const Variable& variable, const std::string& expected,
                                     const Process& process, const Readers& readers) {
    const auto here = readers.reads_here(variable);
    if (here && (here->reads == Reads::not_yet || here->reads == Reads::no_longer)) {
        return here->says;
    }
    return readers.without_effect(variable, expected, process.environment);
}

void judge_known(const Context& context, const Variable& variable,
                 const std::optional<std::string>& text, Assessment& row) {
    const Versions here(context.machine, context.process);
    const Readers readers(context.machine, context.versions ? *context.versions : here);
    const Reading have = readers.read(variable, text);
    const Reading aim = readers.read(variable, row.expected);
    if (const auto why = of_no_use(variable, *row.expected, context.process, readers)) {
        row.outcome = Outcome::na;
        row.detail = *why;
        row.next_step.clear();
        return;
    }
    row.effective = have.effective;
    row.detail = have.note;
    if (text) {
        const auto found = inspect_one(variable, *text, context.process.environment, readers,
                                       context.process.not_evaluated);
        row.detail = found.faults.empty() ? have.note : join_sentences(found.faults);
    }
    row.outcome = !have.applies                       ? Outcome::na
                  : text && *text == *row.expected    ? Outcome::ok
                  : !have.certain() || !aim.certain() ? Outcome::unknown
                  : have.effective == aim.effective   ? Outcome::ok
                                                      : Outcome::differs;
}

// Compares the value, or the expected one if none is set, with the node. An unknown reference keeps
// the judgement of the text.
void judge_reference(const Context& context, const Variable& variable,
                     const std::optional<std::string>& text, Assessment& row) {
    const bool met = row.outcome == Outcome::ok;
    if (!met && row.outcome != Outcome::differs) {
        return;
    }
    const auto unmet = unmet_reference(variable, met ? text.value_or("") : *row.expected, context);
    if (!unmet) {
        return;
    }
    const std::string says = (met ? "" : "the expected value: ") + unmet->says;
    row.detail = row.detail.empty() ? says : row.detail + "; " + says;
    if (met && unmet->level != Level::info) {
        row.outcome = unmet->unknown ? Outcome::unknown : Outcome::differs;
    }
    if (!unmet->unknown && unmet->level != Level::info) {
        row.next_step = met && !unmet->next.empty() ? unmet->next
                                                    : "correct " + std::string(variable.name) +
                                                          " in the profile that sets it";
    }
}

Assessment not_known(const std::string& why, Assessment row) {
    row.outcome = Outcome::unknown;
    row.detail = why;
    row.next_step = judge_program;
    return row;
}

Assessment judge(const Context& context, const std::string& name,
                 const std::optional<Variable>& variable, const Expectation& expectation) {
    const auto text = context.process.variable(name);
    Assessment row;
    row.have = text ? std::optional(printable(value_without_credentials(*text))) : std::nullopt;
    const auto unknown = context.process.why_unknown(name);
    if (unknown && expectation.unset) {
        return not_known(*unknown, row);
    }
    if (expectation.unset) {
        row.outcome = text ? Outcome::differs : Outcome::ok;
        row.next_step = "unset " + name;
        return row;
    }
    const auto expected = expand(*expectation.value.text(), [&](const std::string& each) {
        return lookup_here(each, context.machine, context.process);
    });
    row.expected = expected ? *expected : *expectation.value.text();
    if (!expected) {
        row.detail = "the expected value could not be determined: " + expected.error().text;
        return row;
    }
    row.next_step = "export " + name + "=" + shell_word(*expected);
    if (unknown) {
        return not_known(*unknown, row);
    }
    if (variable && !is_secret(*variable)) {
        judge_known(context, *variable, text, row);
        judge_reference(context, *variable, text, row);
    } else {
        row.outcome = text == row.expected ? Outcome::ok : Outcome::differs;
    }
    if (expectation.must_exist) {
        check_file(context.fs(), text.value_or(*expected), row);
    }
    return row;
}

std::string environment_step(const std::string& name) {
    return "set " + name + " in the job's environment";
}

// Hides both the expected and the present value of a secret, also in sentences.
void hide(const std::string& name, Assessment& row) {
    constexpr const char* secret = "a secret, not shown";
    row.have = row.have ? std::optional<std::string>(secret) : std::nullopt;
    row.detail = row.detail.empty() ? "" : "a value that the profile expects is not available here";
    if (row.expected) {
        row.expected = secret;
        row.next_step = environment_step(name);
    }
}

// Hides credentials in the present and the expected value. A command must not contain them.
void hide_password(const std::string& name, const std::string& value, Assessment& row) {
    const std::string expected = row.expected.value_or("");
    for (const auto* each : {&value, &expected}) {
        row.detail = without_hidden_words(std::move(row.detail), *each);
        if (row.effective) {
            row.effective = without_hidden_words(*std::move(row.effective), *each);
        }
    }
    auto shown = value_without_credentials(expected);
    if (shown != expected) {
        row.expected = std::move(shown);
        row.next_step = environment_step(name);
    }
}

std::vector<Assessment> assess_env(const Setting& setting, const Context& context,
                                   const Expectation& expectation) {
    const std::string name = expectation.id.substr(setting.info.id.size());
    const auto variable = find_variable(name);
    Assessment row = judge(context, name, variable, expectation);
    if (is_secret_name(name)) {
        hide(name, row);
        row.detail = context.process.why_unknown(name).value_or(row.detail);
    } else {
        hide_password(name, context.process.variable(name).value_or(""), row);
    }
    row.target = {"process", std::nullopt, ""};
    return {row};
}

}  // namespace

const Setting& env_family() {
    static const Setting setting{
        .info =
            {
                .id = "env.",
                .summary = "A variable of the checked process, as its reader parses it",
                .why = "Programs parse the same text differently, and ignore invalid text without "
                       "a message",
                .source = "the reader's own source, per variable",
                .target = "process",
                .read_from = "the environment; /opt/rocm/.info/version for defaults",
                .set_by = "rocenv env and rocenv run, not set: no program can change its parent's",
                .next_step = "set the variable in the job's environment",
                .persist = "as long as the process exists",
                .risk_note = "",
                .scope = Scope::process,
                .over_cluster = OverCluster::own,
                .forms = {{.kind = FormKind::any_text}},
            },
        .assess = assess_env,
    };
    return setting;
}

}  // namespace rocenv
