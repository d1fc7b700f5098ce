// SPDX-License-Identifier: MIT
#include "profile/wishes.h"

#include <cstdint>
#include <string>

namespace rocenv {

namespace {

constexpr std::size_t most_wishes = 64;

// Every combination of the fields' wishes.
std::vector<Value> table_wishes(const Form& form) {
    std::vector<ValueTable> tables{{}};
    for (const auto& field : form.fields) {
        std::vector<ValueTable> longer;
        for (const auto& table : tables) {
            for (const auto& value : wishes(field.form)) {
                longer.push_back(table);
                longer.back().emplace(field.name, value);
            }
        }
        if (longer.size() <= most_wishes) {
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

std::vector<Value> wishes(const Form& form) {
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
            return table_wishes(form);
    }
    return out;
}

}  // namespace rocenv
