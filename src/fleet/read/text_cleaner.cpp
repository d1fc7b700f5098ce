// SPDX-License-Identifier: MIT
#include "fleet/read/text_cleaner.h"

#include "check/hidden_names.h"
#include "util/credentials.h"
#include "util/text.h"
#include "variables/catalogue.h"
#include "variables/environment.h"

namespace rocenv {

namespace {

constexpr std::string_view variables = "env.";
constexpr std::string_view secret = "a secret, not shown";

// Returns why no value of the variable is shown. Empty if values are shown.
std::string_view hidden_value(std::string_view variable) {
    return is_secret_name(variable)  ? secret
           : find_variable(variable) ? std::string_view()
                                     : "a value of an unknown variable";
}

}  // namespace

void TextCleaner::start() {
    node_ = {};
    host_.reset();
    start_row();
}

// Returns the host name to remove. Prose is mostly written by this program, so a common word stays.
const HostName& TextCleaner::host(Kind kind) {
    if (!host_) {
        host_.emplace(node_);
    }
    return kind == Kind::prose && host_->is_common() ? HostName::none() : *host_;
}

std::string TextCleaner::cleaned(std::string_view id, std::string_view text, Kind kind) {
    std::string value;
    if (id.starts_with(variables) && kind != Kind::prose) {
        text = value = value_without_credentials(text);
    }
    return kind == Kind::fact ? without_identities_in_fact(id, text, host(kind))
                              : without_identities(id, text, host(kind));
}

void TextCleaner::clean(std::string_view id, std::string_view& text, Kind kind) {
    if (const auto known = dirty_.find(text.data()); known != dirty_.end()) {
        text = known->second;
        return;
    }
    if (text.empty() || pools_.texts->count() == texts_before_) {
        return;
    }
    const std::string clean = cleaned(id, text, kind);
    if (clean != text) {
        text = dirty_[text.data()] = pools_.keep(clean);
    }
}

void TextCleaner::clean(std::string_view id, std::optional<std::string_view>& text, Kind kind) {
    if (text) {
        clean(id, *text, kind);
    }
}

std::string_view TextCleaner::hidden(std::string_view id) {
    if (!id.starts_with(variables)) {
        return {};
    }
    const auto [known, is_new] = hidden_.try_emplace(id.data());
    if (is_new) {
        known->second = hidden_value(id.substr(variables.size()));
    }
    return known->second;
}

// Values of unknown variables are numbered, so that nodes can still be compared.
std::string_view TextCleaner::stand_in(std::string_view hidden, std::string_view text) {
    if (hidden == secret) {
        return pools_.keep(hidden);
    }
    const auto number_of = unknown_.try_emplace(text.data(), unknown_.size() + 1).first->second;
    return pools_.keep(std::string(hidden) + ", not shown (" + number(number_of) + ")");
}

void TextCleaner::clean_id(std::string_view& id) {
    if (!is_clean()) {
        clean({}, id, Kind::value);
    }
}

void TextCleaner::clean(FleetFinding& row) {
    clean_id(row.id);
    if (const auto why = hidden(row.id); !why.empty()) {
        for (auto* text : {&row.expected, &row.have}) {
            *text = *text ? std::optional(stand_in(why, **text)) : std::nullopt;
        }
        row.detail = row.fix = pools_.keep("");
    }
    if (is_clean()) {
        return;
    }
    clean_id(row.cause_id);
    clean(row.id, row.target, Kind::value);
    clean(row.id, row.cause_target, Kind::value);
    clean(row.id, row.expected, Kind::value);
    clean(row.id, row.have, Kind::value);
    for (auto* text : {&row.detail, &row.fix, &row.ticket, &row.waived_why}) {
        clean(row.id, *text, Kind::prose);
    }
}

void TextCleaner::clean(FleetFact& row) {
    clean_id(row.id);
    if (const auto why = hidden(row.id); !why.empty() && row.value) {
        row.value = stand_in(why, *row.value);
    }
    if (!is_clean()) {
        clean(row.id, row.target, Kind::value);
        clean(row.id, row.value, Kind::fact);
    }
}

FleetSetting TextCleaner::clean(FleetSetting setting) {
    for (auto* text : {&setting.why, &setting.source, &setting.persist}) {
        const std::string clean = without_credentials(*text);
        *text = clean == *text ? *text : pools_.keep(clean);
    }
    return setting;
}

}  // namespace rocenv
