// SPDX-License-Identifier: MIT
#include "profile/learn.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "os/redact/redact.h"
#include "profile/profile.h"
#include "profile/profile_image.h"
#include "profile/profile_selection.h"
#include "profile/request.h"
#include "rocenv/setting.h"
#include "settings/registry.h"
#include "util/credentials.h"
#include "util/near_names.h"
#include "util/text.h"
#include "variables/catalogue.h"
#include "variables/inspection.h"
#include "variables/releases/versions.h"

namespace rocenv {

namespace {

// The value that a profile may expect of one setting so that this machine passes.

struct LearntValue {
    std::optional<Value> value;  // accepted by assess(): every target that exists is ok
    std::string why_not;         // one sentence, when there is no value
};

using Rows = std::vector<Assessment>;

Rows ask(const Context& context, const Setting& setting, const Value& value) {
    Expectation expectation;
    expectation.id = setting.info.id;
    expectation.value = value;
    return assessed(setting, context, expectation);
}

bool fits(const Value& value, const Setting& setting) {
    return !check_form(value, setting.info.forms);
}

// Returns whether every target passes or does not exist here, and at least one exists.
bool is_proved(const Rows& rows) {
    const auto is = [](Outcome outcome) {
        return [outcome](const Assessment& row) { return row.outcome == outcome; };
    };
    return std::any_of(rows.begin(), rows.end(), is(Outcome::ok)) &&
           std::all_of(rows.begin(), rows.end(), [&](const Assessment& row) {
               return is(Outcome::ok)(row) || is(Outcome::na)(row);
           });
}

// The dotted number a version starts with.
std::string version_number(const std::string& text) {
    const auto end = std::min(text.find_first_not_of("0123456789."), text.size());
    return std::string(text.substr(0, text.find_last_not_of('.', end == 0 ? 0 : end - 1) + 1));
}

// `have` as a value of this form. A count is that number, a version at least that one.
std::optional<Value> value_of(const std::string& have, const Form& form) {
    const auto whole = parse_signed(have);
    switch (form.kind) {
        case FormKind::boolean:
            return have == "true" || have == "false" ? std::optional(Value{have == "true", {}})
                                                     : std::nullopt;
        case FormKind::at_least:
            return whole ? Value{*whole, {}} : Value{">=" + version_number(have), {}};
        case FormKind::integer:
        case FormKind::size_limit:
            return whole ? Value{*whole, {}} : Value{have, {}};
        case FormKind::word:
        case FormKind::any_word:
        case FormKind::link_rate:
            return Value{have, {}};
        case FormKind::any_text:
        case FormKind::text_list:
        case FormKind::by_device:
        case FormKind::table:
            return std::nullopt;
    }
    return std::nullopt;
}

// `have` in the words of the forms.
void add_values_of(const std::string& have, const Setting& setting, std::vector<Value>& out) {
    for (const auto& form : setting.info.forms) {
        auto value = value_of(have, form);
        if (value && fits(*value, setting)) {
            out.push_back(*std::move(value));
        }
    }
}

// Returns the values of the targets, then the words of the forms. The words are for settings in
// which a word states more than `have` ("max", "none").
std::vector<Value> values_by_have(const Context& context, const Setting& setting) {
    std::vector<Value> out;
    std::vector<Value> fixed;
    for (const auto& form : setting.info.forms) {
        const auto all = sample_values(form);
        if (form.kind == FormKind::word) {
            fixed.insert(fixed.end(), all.begin(), all.end());
        }
        for (const auto& row : ask(context, setting, all.front())) {
            add_values_of(row.have.value_or(""), setting, out);
        }
    }
    out.insert(out.end(), fixed.begin(), fixed.end());
    return out;
}

// Returns whether a value is a table of lists of words, which is learned word by word.
bool is_word_lists(const Form& form) {
    return form.kind == FormKind::table && !form.fields.empty() &&
           std::all_of(form.fields.begin(), form.fields.end(), [](const Form::Field& field) {
               return field.form.kind == FormKind::text_list;
           });
}

using Word = std::pair<std::string, std::string>;  // the field it is in, and the word

Value one_word(const std::string& word) {
    return {ValueList(1, Value{word, {}}), {}};
}

void add_words(const ValueTable& table, std::set<Word>& out) {
    for (const auto& [field, words] : table) {
        for (const auto& word : *words.list()) {
            out.emplace(field, *word.text());
        }
    }
}

// Returns the words in all shipped profiles.
std::set<Word> known_words(const Setting& setting) {
    const auto id = setting.info.id;
    std::set<Word> out;
    for (const auto& shipped : builtin_profiles) {
        const auto profile = profile_in(shipped.image, std::string(shipped.name), Entries::all);
        for (const auto& entry : profile.entries) {
            if (entry.id == id && entry.value && entry.value->table() != nullptr) {
                add_words(*entry.value->table(), out);
            }
        }
    }
    return out;
}

// Returns those words of shipped profiles for this setting that pass here.
std::vector<Value> values_by_words(const Context& context, const Setting& setting,
                                   const std::set<Word>& known) {
    std::map<std::string, ValueList> lists;
    for (const auto& [field, word] : known) {
        const Value alone{ValueTable{{field, one_word(word)}}, {}};
        if (is_proved(ask(context, setting, alone))) {
            lists[field].push_back({word, {}});
        }
    }
    ValueTable table;
    for (auto& [field, list] : lists) {
        table.emplace(field, Value{std::move(list), {}});
    }
    return {{std::move(table), {}}};
}

std::string targets_text(const Rows& rows) {
    std::map<std::string, std::vector<std::string>> targets;
    for (const auto& row : rows) {
        if (row.outcome != Outcome::na) {
            targets[row.have.value_or("?")].push_back(row.target.text());
        }
    }
    std::string detail = rows.size() == 1 ? rows.front().detail : "";
    if (rows.size() == 1 && !rows.front().have) {
        return detail;
    }
    if (targets.size() == 1) {
        return "is " + printable(targets.begin()->first, 60) + " here" +
               (detail.empty() ? ", no expectation" : ": " + detail);
    }
    std::vector<std::string> parts;
    for (const auto& [have, names] : targets) {
        const std::size_t more = names.size() - 1;
        parts.push_back(printable(have, 40) + " on " + names.front() +
                        (more == 0 ? "" : " and " + number(more) + " more"));
    }
    return "differs between targets: " + join(parts, ", ");
}

bool is_nowhere(const Rows& rows) {
    return std::all_of(rows.begin(), rows.end(),
                       [](const Assessment& row) { return row.outcome == Outcome::na; });
}

// Returns the reason for a missing value, from the rows of a value that was rejected.
std::string missing_reason(const Rows& rows) {
    for (const auto& row : rows) {
        if (row.outcome == Outcome::unknown || row.outcome == Outcome::hidden) {
            return "not known: " + row.target.text() + ": " + row.detail;
        }
    }
    return is_nowhere(rows) ? "not here: " + rows.front().detail : targets_text(rows);
}

std::vector<Value> candidates(const Context& context, const Setting& setting) {
    if (auto own = learn_of(setting, context)) {
        return *std::move(own);
    }
    const auto& forms = setting.info.forms;
    return is_word_lists(forms.front()) ? values_by_words(context, setting, known_words(setting))
                                        : values_by_have(context, setting);
}

LearntValue learn_value(const Context& context, const Setting& setting) {
    auto values = candidates(context, setting);
    if (values.empty()) {
        values = {sample_values(setting.info.forms.front()).front()};
    }
    Rows informative;  // for the first value that applies here
    for (auto& value : values) {
        Rows rows = ask(context, setting, value);
        if (is_proved(rows)) {
            return {std::move(value), ""};
        }
        if (is_nowhere(informative)) {
            informative = std::move(rows);
        }
    }
    return {std::nullopt, missing_reason(informative)};
}

// Set by launchers and schedulers, another text for each process or job.
constexpr std::array<std::string_view, 14> of_one_process{"CUDA_VISIBLE_DEVICES",
                                                          "GPU_DEVICE_ORDINAL",
                                                          "GROUP_RANK",
                                                          "HIP_VISIBLE_DEVICES",
                                                          "LOCAL_RANK",
                                                          "LOCAL_WORLD_SIZE",
                                                          "MASTER_ADDR",
                                                          "MASTER_PORT",
                                                          "NCCL_HOSTID",
                                                          "RANK",
                                                          "ROCR_VISIBLE_DEVICES",
                                                          "VLLM_HOST_IP",
                                                          "VLLM_PORT",
                                                          "WORLD_SIZE"};

// Returns whether a text contains `count` consecutive numbers up to `most` with a separator between
// each two.
bool holds_groups(std::string_view text, char separator, int base, std::uint64_t most,
                  std::size_t count) {
    const std::string digits = base == 16 ? "0123456789abcdefABCDEF" : "0123456789";
    std::size_t at = 0;
    while (at < text.size()) {
        const auto end = std::min(text.find_first_not_of(digits + separator, at), text.size());
        std::size_t row = 0;
        for (const auto part : split(text.substr(at, end - at), separator)) {
            row = parse_number(part, base).value_or(most + 1) <= most ? row + 1 : 0;
            if (row == count) {
                return true;
            }
        }
        at = end + 1;
    }
    return false;
}

// Returns whether a text contains an IP address (version 4 or 6), an address after a scheme, or a
// credential.
bool holds_network_address(std::string_view text) {
    return value_without_credentials(text) != text || text.find("::") != std::string_view::npos ||
           text.find("://") != std::string_view::npos || holds_groups(text, '.', 10, 0xff, 4) ||
           holds_groups(text, ':', 16, 0xffff, 8);
}

// Returns whether the value has the same effect as an unset variable, so that a profile need not
// state it.
bool is_default(const Variable& variable, const std::string& text, const Readers& readers) {
    const Reading unset = readers.read(variable, std::nullopt);
    return unset.certain() && unset.effective != "unset" &&
           unset.effective == readers.read(variable, text).effective;
}

LearntVariable learn_variable(const Variable& variable, const std::string& text,
                              const Context& context, const Readers& readers,
                              const Identity& identity) {
    LearntVariable out{std::string(variable.name), std::nullopt, ""};
    const std::string value = identity.as_value(text);
    const auto found = inspect_one(variable, text, context.process.environment, readers);
    if (is_secret(variable)) {
        out.why_not = "a secret";
    } else if (std::find(of_one_process.begin(), of_one_process.end(), variable.name) !=
               of_one_process.end()) {
        out.why_not = "belongs to one process or job";
    } else if (identity.is_in(value)) {
        out.why_not = "holds the name of a user or host, or an address";
    } else if (!is_utf8(text)) {
        out.why_not = "is not UTF-8, which TOML cannot hold";
    } else if (found.misread || variable.status == "removed") {
        out.why_not = join_sentences(found.faults);
    } else {
        out.value = value;
    }
    return out;
}

// Removes a name from a path, an address or a quoted text. As a word in a sentence ("a guest") the
// text is not a name.
void take_out(const std::string& name, std::string& text) {
    constexpr std::string_view joints = "/\"=@";
    const auto at_joint = [&](std::size_t at) {
        return at < text.size() && joints.find(text[at]) != std::string_view::npos;
    };
    const auto in_word = [&](std::size_t at) {
        return at < text.size() && is_letter_or_digit(text[at]);
    };
    std::size_t at = text.find(name);
    while (at != std::string::npos) {
        const std::size_t before = at == 0 ? std::string::npos : at - 1;
        const std::size_t end = at + name.size();
        const bool found = (at_joint(before) || at_joint(end)) && !in_word(before) && !in_word(end);
        if (found) {
            text.replace(at, name.size(), redacted);
        }
        at = text.find(name, found ? at + redacted.size() : end);
    }
}

}  // namespace

Identity::Identity(const Process& process, const std::string& hostname)
    : home_(process.variable("HOME").value_or("")), names_{hostname} {
    while (home_.ends_with('/')) {
        home_.pop_back();
    }
    for (const char* variable : {"USER", "LOGNAME", "SUDO_USER", "HOSTNAME"}) {
        names_.push_back(process.variable(variable).value_or(""));
    }
    names_.push_back(home_.substr(home_.rfind('/') + 1));
    std::erase(names_, "");
    std::erase(names_, "root");  // identifies no user
}

std::string Identity::as_value(const std::string& text) const {
    constexpr std::string_view before_path = ":,=; ";
    std::string out;
    for (std::size_t at = 0; at < text.size(); ++at) {
        const std::string_view rest = std::string_view(text).substr(at);
        const bool starts = at == 0 || before_path.find(text[at - 1]) != std::string_view::npos;
        const char next = rest.size() > home_.size() ? rest[home_.size()] : '/';
        if (starts && !home_.empty() && rest.starts_with(home_) &&
            (next == '/' || before_path.find(next) != std::string_view::npos)) {
            out += "${HOME}";
            at += home_.size() - 1;
            continue;
        }
        const bool expands =
            text[at] == '$' && rest.size() > 1 && (rest[1] == '$' || rest[1] == '{');
        out += expands ? std::string("$$") : std::string(1, text[at]);
    }
    return out;
}

bool Identity::is_in(const std::string& text) const {
    return holds_network_address(text) || redact_addresses(text) != text ||
           redact_names(text, names_) != text;
}

std::string Identity::taken_out(const std::string& text) const {
    const std::string home = "${HOME}";
    std::string out = text;
    for (auto at = home_.empty() ? std::string::npos : out.find(home_); at != std::string::npos;
         at = out.find(home_, at + home.size())) {
        out.replace(at, home_.size(), home);
    }
    for (const auto& name : names_) {
        take_out(name, out);
    }
    return redact_addresses(out);
}

std::vector<LearntVariable> learn_environment(const Context& context, const Identity& identity) {
    const Versions here(context.machine, context.process);
    const Readers readers(context.machine, context.versions ? *context.versions : here);
    std::vector<LearntVariable> out;
    for (const auto& [name, text] : context.process.environment) {
        const auto variable = find_variable(name);
        if (variable && !is_default(*variable, text, readers)) {
            out.push_back(learn_variable(*variable, text, context, readers, identity));
        }
    }
    return out;
}

namespace {

constexpr std::string_view learned_family = "env.";

// Inventory of GPUs and links: a node that loses some of these differs from the learned node.
constexpr std::string_view inventory[] = {"gpu.count", "gpu.model",    "gpu.compute_units",
                                          "gpu.vram",  "gpu.xgmi",     "gpu.xgmi_links",
                                          "pci.link",  "gpu.unique_id"};

struct Entry {
    std::string key;    // as TOML writes it
    std::string value;  // text after "="; empty: the entry is a comment
    std::string why_not;
};

class Learner {
   public:
    Learner(const LearnRequest& request, const Machine& machine, const Process& process)
        : request_(request),
          context_{machine, process, nullptr},
          identity_(process, machine.facts().hostname),
          date_(report_time(process).substr(0, 10)) {}

    std::string text() const {
        return head() + section("settings", settings()) + section("env", variables());
    }

   private:
    std::vector<Entry> settings() const {
        std::vector<Entry> out;
        for (const Setting* setting : all_settings()) {
            const std::string id(setting->info.id);
            if (id != learned_family && selected(id, request_.only, request_.skip)) {
                out.push_back(learn(id, *setting));
            }
        }
        return out;
    }

    Entry learn(const std::string& id, const Setting& setting) const {
        if (setting.info.scope == Scope::process && context_.process.through_sudo) {
            return {id, "", "asked through sudo, which says nothing about the job's process"};
        }
        if (setting.info.only_when_named && request_.only.empty()) {
            return {id, "", "is read only where it is named (--only " + id + ")"};
        }
        const auto learnt = learn_value(context_, setting);
        return learnt.value ? entry_of(id, '"' + id + '"', *learnt.value)
                            : Entry{id, "", learnt.why_not};
    }

    // Returns an entry. The value has a limit, because a profile has one.
    Entry entry_of(const std::string& id, const std::string& key, const Value& value) const {
        constexpr std::size_t longest = 8192;
        std::string text = inline_text(id, value);
        return text.size() <= longest
                   ? Entry{key, std::move(text), ""}
                   : Entry{id, "", "too long for a profile, " + number(text.size()) + " bytes"};
    }

    std::vector<Entry> variables() const {
        std::vector<Entry> out;
        if (context_.process.through_sudo) {
            return out;
        }
        for (const auto& each : learn_environment(context_, identity_)) {
            if (selected(std::string(learned_family) + each.name, request_.only, request_.skip)) {
                out.push_back(each.value ? entry_of(each.name, each.name, Value{*each.value, {}})
                                         : Entry{each.name, "", each.why_not});
            }
        }
        return out;
    }

    static Level level_of(const std::string& id) {
        const bool counts =
            std::find(std::begin(inventory), std::end(inventory), id) != std::end(inventory);
        return counts ? Level::required : Level::recommended;
    }

    std::string inline_text(const std::string& id, const Value& value) const {
        Expectation expectation;
        expectation.value = value;
        expectation.level = request_.level.value_or(level_of(id));
        expectation.why = "as learned on " + date_;
        return entry_text(expectation);
    }

    std::string section(const std::string& name, const std::vector<Entry>& entries) const {
        std::size_t width = 0;
        for (const auto& entry : entries) {
            width = std::max(width, entry.value.empty() ? 0 : entry.key.size());
        }
        std::string out = entries.empty() ? "" : "\n[" + name + "]\n";
        for (const auto& [key, value, why_not] : entries) {
            out += value.empty()
                       ? "# " + key + ": " + printable(identity_.taken_out(why_not)) + "\n"
                       : key + std::string(width - key.size(), ' ') + " = " + value + "\n";
        }
        return out;
    }

    std::string head() const {
        const std::string gpus = gpus_text(context_.machine);
        const std::string node = gpus.empty() ? "a node without AMD GPUs" : "a node with " + gpus;
        std::string out =
            "# Learned from " + node + " on " + date_ + ". What could not be learned\n" +
            "# is a comment with the reason. rocenv check -p FILE compares a node with it.\n" +
            "\n[profile]\nname = " + toml_text({request_.name, {}}) +
            "\nsummary = " + toml_text({"As " + node + " was on " + date_, {}}) + "\n";
        std::string devices;
        for (const auto device : gpu_kinds(context_.machine)) {
            devices += (devices.empty() ? "" : ", ") + toml_text({hex(device, 4), {}});
        }
        return out + (devices.empty() ? "" : "\n[match]\ndevice = [" + devices + "]\n");
    }

    const LearnRequest& request_;
    const Context context_;
    const Identity identity_;
    const std::string date_;
};

// Returns whether a name is valid for -p and as the name of a file.
bool is_name(const std::string& name) {
    constexpr std::string_view good =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._-";
    constexpr std::size_t longest = 64;
    return !name.empty() && name.size() <= longest && name.front() != '.' && name.front() != '-' &&
           name.find_first_not_of(good) == std::string::npos && !name.ends_with(".toml");
}

}  // namespace

LearnResult learn_profile(const LearnRequest& request, const Fs& machine_fs,
                          const Process& process) {
    LearnResult out;
    check_root(machine_fs, request.root, out.errors);
    check_patterns(request.only, "--only", out.errors);
    check_patterns(request.skip, "--skip", out.errors);
    if (!is_name(request.name)) {
        out.errors.push_back("invalid name " + in_quotes(request.name, 80) +
                             " of a profile: expected 1 to 64 of A-Z a-z 0-9 . _ -, without .toml");
    }
    if (out.errors.empty()) {
        const Machine machine(machine_fs);
        out.text = Learner(request, machine, process).text();
    }
    return out;
}

namespace {

constexpr std::size_t most_samples = 64;

// Returns all combinations of the fields' sample values.
std::vector<Value> table_samples(const Form& form) {
    std::vector<ValueTable> tables{{}};
    for (const auto& field : form.fields) {
        std::vector<ValueTable> longer;
        for (const auto& table : tables) {
            for (const auto& value : sample_values(field.form)) {
                longer.push_back(table);
                longer.back().emplace(field.name, value);
            }
        }
        if (longer.size() <= most_samples) {
            tables = std::move(longer);
        }
    }
    std::vector<Value> out;
    out.reserve(tables.size());
    for (auto& table : tables) {
        out.push_back({std::move(table), {}});
    }
    return out;
}

}  // namespace

std::vector<Value> sample_values(const Form& form) {
    const std::string nowhere = "rocenv-record";
    std::vector<Value> out;
    switch (form.kind) {
        case FormKind::integer:
            return {{form.lowest, {}}, {form.highest, {}}};
        case FormKind::word:
            for (const auto word : form.words) {
                out.push_back({std::string(word), {}});
            }
            return out;
        case FormKind::any_word:
        case FormKind::any_text:
            return {{nowhere, {}}};
        case FormKind::boolean:
            return {{true, {}}, {false, {}}};
        case FormKind::at_least:
            return {{std::string(">=0"), {}}, {std::string(">=1000000"), {}}};
        case FormKind::size_limit:
            return {{std::int64_t{0}, {}}};
        case FormKind::link_rate:
            return {{std::string("1.0 GT/s x1"), {}}, {std::string("999.0 GT/s x32"), {}}};
        case FormKind::text_list:
            out.push_back({ValueList(1, Value{nowhere, {}}), {}});
            return out;
        case FormKind::by_device:
            return {{ValueTable{{"others", {std::string(form.words.front()), {}}}}, {}}};
        case FormKind::table:
            return table_samples(form);
    }
    return out;
}

}  // namespace rocenv
