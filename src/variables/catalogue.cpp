// SPDX-License-Identifier: MIT
#include "variables/catalogue.h"

#include <algorithm>

#include "variables/catalogue_table.h"

namespace rocenv {

namespace {

std::string_view text_at(PooledText place) {
    return {catalogue_table.bytes + place.at, place.size};
}

std::vector<std::string_view> texts_of(PooledSlice slice) {
    std::vector<std::string_view> out;
    for (std::size_t at = slice.first; at < std::size_t{slice.first} + slice.count; ++at) {
        out.push_back(text_at(catalogue_table.texts[at]));
    }
    return out;
}

std::string_view name_of(const PooledVariable& row) {
    return text_at(row.texts.front());
}

std::vector<DefaultFrom> defaults_of(PooledSlice slice) {
    std::vector<DefaultFrom> out;
    for (std::size_t at = slice.first; at < std::size_t{slice.first} + slice.count; ++at) {
        const PooledDefault& each = catalogue_table.defaults[at];
        out.push_back({text_at(each.from), text_at(each.value)});
    }
    return out;
}

std::optional<std::string_view> fallback_of(bool has_one, std::string_view text) {
    return has_one ? std::optional(text) : std::nullopt;
}

VariableReader reader_of(const PooledReader& row) {
    return {text_at(row.looked_at),
            text_at(row.package),
            text_at(row.since),
            text_at(row.until),
            fallback_of(row.has_fallback, text_at(row.fallback)),
            defaults_of(row.defaults)};
}

// The branch mark is for releases.cpp.
std::string_view plain_version(std::string_view version) {
    return version.substr(0, version.find('~'));
}

void add_readers(std::string_view looked_at, const PooledVariable& row, Variable& out) {
    out.read_by.push_back(
        {looked_at, out.package, out.since, out.until, out.fallback, out.defaults});
    for (std::size_t at = row.others.first; at < std::size_t{row.others.first} + row.others.count;
         ++at) {
        out.read_by.push_back(reader_of(catalogue_table.readers[at]));
    }
    out.since = plain_version(out.since);
    out.until = plain_version(out.until);
    for (auto& from : out.defaults) {
        from.version = plain_version(from.version);
    }
}

Variable variable_of(const PooledVariable& row) {
    std::size_t next = 0;
    const auto take = [&] { return text_at(row.texts[next++]); };
    Variable out;
    out.name = take();
    out.reader = take();
    out.package = take();
    out.type = take();
    out.parser = take();
    out.fallback = fallback_of(row.has_fallback, take());
    for (std::string_view* field :
         {&out.fallback_note, &out.min, &out.max, &out.unit, &out.pattern, &out.since, &out.until,
          &out.renamed, &out.status, &out.leftover, &out.needs, &out.doc, &out.note, &out.source}) {
        *field = take();
    }
    const std::string_view looked_at = take();
    out.values = texts_of(row.values);
    out.defaults = defaults_of(row.defaults);
    add_readers(looked_at, row, out);
    return out;
}

VariableFamily family_of_row(const PooledFamily& row) {
    return {text_at(row.prefix), text_at(row.reader), text_at(row.doc), row.closed,
            text_at(row.looked_at)};
}

}  // namespace

std::optional<Variable> find_variable(std::string_view name) {
    const auto& rows = catalogue_table.variables;
    const auto found = std::lower_bound(
        rows.begin(), rows.end(), name,
        [](const PooledVariable& row, std::string_view wanted) { return name_of(row) < wanted; });
    return found != rows.end() && name_of(*found) == name ? std::optional(variable_of(*found))
                                                          : std::nullopt;
}

std::optional<VariableFamily> family_of(std::string_view name) {
    std::optional<VariableFamily> best;
    for (const auto& row : catalogue_table.families) {
        const auto prefix = text_at(row.prefix);
        if (name.starts_with(prefix) && (!best || prefix.size() > best->prefix.size())) {
            best = family_of_row(row);
        }
    }
    return best;
}

std::vector<std::string> catalogued_names() {
    std::vector<std::string> out;
    for (const auto& row : catalogue_table.variables) {
        out.emplace_back(name_of(row));
    }
    return out;
}

std::vector<std::string_view> catalogued_names(char first) {
    const auto& rows = catalogue_table.variables;
    const std::string_view start(&first, 1);
    auto row = std::lower_bound(
        rows.begin(), rows.end(), start,
        [](const PooledVariable& each, std::string_view wanted) { return name_of(each) < wanted; });
    std::vector<std::string_view> out;
    for (; row != rows.end() && name_of(*row).starts_with(first); ++row) {
        out.push_back(name_of(*row));
    }
    return out;
}

std::vector<VariableFamily> variable_families() {
    std::vector<VariableFamily> out;
    for (const auto& row : catalogue_table.families) {
        out.push_back(family_of_row(row));
    }
    return out;
}

const std::vector<VariableConflict>& variable_conflicts() {
    static const std::vector<VariableConflict> conflicts = [] {
        std::vector<VariableConflict> out;
        for (const auto& row : catalogue_table.conflicts) {
            out.push_back({texts_of(row.when), text_at(row.says), text_at(row.source)});
        }
        return out;
    }();
    return conflicts;
}

}  // namespace rocenv
