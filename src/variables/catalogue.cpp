// SPDX-License-Identifier: MIT
#include "variables/catalogue.h"

#include "variables/catalogue_image.h"

namespace rocenv {

namespace {

std::string_view name_of(std::size_t row) {
    return image_text(catalogue_image.first_name + row);
}

// The first row whose name is not less.
std::size_t lower_row(std::string_view wanted) {
    std::size_t from = 0;
    std::size_t to = catalogue_image.variables;
    while (from < to) {
        const std::size_t middle = from + (to - from) / 2;
        if (name_of(middle) < wanted) {
            from = middle + 1;
        } else {
            to = middle;
        }
    }
    return from;
}

// Of what a row's marks announce takes one thing after another.
class MarkedRow {
   public:
    explicit MarkedRow(ImageRow& row) : row_(row), marks_(row.number()) {}

    bool has_next() {
        const bool has = (marks_ & 1) != 0;
        marks_ >>= 1;
        return has;
    }
    std::string_view text() { return has_next() ? row_.text() : std::string_view(); }
    std::optional<std::string_view> stated() {
        return has_next() ? std::optional(row_.text()) : std::nullopt;
    }
    std::vector<std::string_view> texts() {
        return has_next() ? row_.texts() : std::vector<std::string_view>();
    }
    std::vector<DefaultFrom> defaults() {
        std::vector<DefaultFrom> out(has_next() ? row_.number() : 0);
        for (auto& each : out) {
            each.version = row_.text();
            each.value = row_.text();
        }
        return out;
    }

   private:
    ImageRow& row_;
    std::uint32_t marks_;
};

VariableReader reader_of(ImageRow& row) {
    MarkedRow marked(row);
    VariableReader out;
    for (std::string_view* field : {&out.looked_at, &out.package, &out.since, &out.until}) {
        *field = marked.text();
    }
    out.fallback = marked.stated();
    out.defaults = marked.defaults();
    return out;
}

// The branch mark is for releases.cpp.
std::string_view plain_version(std::string_view version) {
    return version.substr(0, version.find('~'));
}

// Those that read the name of `out` beside the one that it tells of.
void add_readers(std::string_view looked_at, std::size_t others, ImageRow& row, Variable& out) {
    out.read_by.push_back(
        {looked_at, out.package, out.since, out.until, out.fallback, out.defaults});
    while (others-- > 0) {
        out.read_by.push_back(reader_of(row));
    }
    out.since = plain_version(out.since);
    out.until = plain_version(out.until);
    for (auto& from : out.defaults) {
        from.version = plain_version(from.version);
    }
}

Variable variable_of(std::size_t index) {
    ImageRow row(index);
    MarkedRow marked(row);
    Variable out;
    out.name = name_of(index);
    std::string_view looked_at;
    for (std::string_view* field :
         {&out.reader, &out.package, &out.type, &out.parser, &out.doc, &out.source, &looked_at}) {
        *field = marked.text();
    }
    out.fallback = marked.stated();
    for (std::string_view* field :
         {&out.since, &out.note, &out.fallback_note, &out.until, &out.status, &out.min, &out.max,
          &out.unit, &out.pattern, &out.renamed, &out.leftover, &out.needs}) {
        *field = marked.text();
    }
    out.values = marked.texts();
    out.defaults = marked.defaults();
    add_readers(looked_at, marked.has_next() ? row.number() : 0, row, out);
    return out;
}

VariableFamily family_at(std::size_t index) {
    ImageRow row(first_family() + index);
    VariableFamily out;
    for (std::string_view* field : {&out.prefix, &out.reader, &out.doc, &out.looked_at}) {
        *field = row.text();
    }
    out.closed = row.number() != 0;
    return out;
}

VariableConflict conflict_at(std::size_t index) {
    ImageRow row(first_conflict() + index);
    VariableConflict out;
    out.when = row.texts();
    out.says = row.text();
    out.source = row.text();
    return out;
}

}  // namespace

std::optional<Variable> find_variable(std::string_view name) {
    const std::size_t row = lower_row(name);
    return row < catalogue_image.variables && name_of(row) == name ? std::optional(variable_of(row))
                                                                   : std::nullopt;
}

std::optional<VariableFamily> family_of(std::string_view name) {
    std::optional<VariableFamily> best;
    for (std::size_t at = 0; at < catalogue_image.families; ++at) {
        const auto family = family_at(at);
        if (name.starts_with(family.prefix) &&
            (!best || family.prefix.size() > best->prefix.size())) {
            best = family;
        }
    }
    return best;
}

std::vector<std::string> catalogued_names() {
    std::vector<std::string> out;
    for (std::size_t row = 0; row < catalogue_image.variables; ++row) {
        out.emplace_back(name_of(row));
    }
    return out;
}

std::vector<std::string_view> catalogued_names(char first) {
    std::vector<std::string_view> out;
    for (std::size_t row = lower_row({&first, 1});
         row < catalogue_image.variables && name_of(row).starts_with(first); ++row) {
        out.push_back(name_of(row));
    }
    return out;
}

std::vector<VariableFamily> variable_families() {
    std::vector<VariableFamily> out;
    for (std::size_t at = 0; at < catalogue_image.families; ++at) {
        out.push_back(family_at(at));
    }
    return out;
}

const std::vector<VariableConflict>& variable_conflicts() {
    static const std::vector<VariableConflict> conflicts = [] {
        std::vector<VariableConflict> out;
        for (std::size_t at = 0; at < catalogue_image.conflicts; ++at) {
            out.push_back(conflict_at(at));
        }
        return out;
    }();
    return conflicts;
}

}  // namespace rocenv
