// SPDX-License-Identifier: MIT
#include "variables/catalogue.h"

#include <algorithm>
#include <utility>

#include "util/text.h"

namespace rocenv {

namespace {

std::size_t start_at(const std::uint8_t* starts, std::size_t index) {
    const std::uint8_t* bytes = starts + 3 * index;
    return bytes[0] | static_cast<std::size_t>(bytes[1]) << 8 |
           static_cast<std::size_t>(bytes[2]) << 16;
}

}  // namespace

std::string_view image_text(std::size_t index) {
    const std::size_t start = start_at(catalogue_image.text_starts, index);
    const std::size_t end = start_at(catalogue_image.text_starts, index + 1);
    return {catalogue_image.bytes + start, end - start};
}

ImageRow::ImageRow(std::size_t row)
    : next_(catalogue_image.rows + start_at(catalogue_image.row_starts, row)) {}

std::uint32_t ImageRow::number() {
    std::uint32_t value = 0;
    for (unsigned shift = 0;; shift += 7) {
        const std::uint32_t byte = *next_++;
        value |= (byte & 0x7f) << shift;
        if (byte < 0x80) {
            return value;
        }
    }
}

std::vector<std::string_view> ImageRow::texts() {
    std::vector<std::string_view> out(number());
    for (auto& each : out) {
        each = text();
    }
    return out;
}

namespace {

std::string_view name_of(std::size_t row) {
    return image_text(catalogue_image.first_name + row);
}

// Returns the first row with a name that is not less.
std::size_t lower_row(std::string_view name) {
    std::size_t from = 0;
    std::size_t to = catalogue_image.variables;
    while (from < to) {
        const std::size_t middle = from + (to - from) / 2;
        if (name_of(middle) < name) {
            from = middle + 1;
        } else {
            to = middle;
        }
    }
    return from;
}

// Reader of a row that begins with marks; returns an empty value for each item without its mark.
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
    std::vector<VariableForm> forms() {
        std::vector<VariableForm> out(has_next() ? row_.number() : 0);
        for (auto& each : out) {
            each.version = row_.text();
            each.parser = row_.text();
            each.values = row_.texts();
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
    for (std::string_view* field : {&out.searched, &out.package, &out.since, &out.until}) {
        *field = marked.text();
    }
    out.fallback = marked.stated();
    out.defaults = marked.defaults();
    out.forms = marked.forms();
    return out;
}

// Removes the mark of a branch, which only searched_releases() needs.
std::string_view plain_version(std::string_view version) {
    return version.substr(0, version.find('~'));
}

// Adds the reader that the entry describes, and `others` more that read the same name.
void add_readers(std::string_view searched, std::vector<VariableForm> forms, std::size_t others,
                 ImageRow& row, Variable& out) {
    out.read_by.push_back({searched, out.package, out.since, out.until, out.fallback, out.defaults,
                           std::move(forms)});
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
    std::string_view searched;
    for (std::string_view* field :
         {&out.reader, &out.package, &out.type, &out.parser, &out.doc, &out.source, &searched}) {
        *field = marked.text();
    }
    out.fallback = marked.stated();
    for (std::string_view* field :
         {&out.since, &out.note, &out.fallback_note, &out.until, &out.status, &out.min, &out.max,
          &out.unit, &out.pattern, &out.renamed, &out.leftover, &out.needs, &out.refers_to}) {
        *field = marked.text();
    }
    out.values = marked.texts();
    out.defaults = marked.defaults();
    auto forms = marked.forms();
    const std::size_t others = marked.has_next() ? row.number() : 0;
    add_readers(searched, std::move(forms), others, row, out);
    return out;
}

VariableFamily family_at(std::size_t index) {
    ImageRow row(first_family() + index);
    VariableFamily out;
    for (std::string_view* field : {&out.prefix, &out.reader, &out.doc, &out.searched}) {
        *field = row.text();
    }
    out.whole = row.texts();
    return out;
}

VariableRule rule_at(std::size_t index) {
    ImageRow row(first_rule() + index);
    VariableRule out;
    out.when = row.texts();
    out.says = row.text();
    out.source = row.text();
    out.next = row.text();
    const auto level = row.number();
    out.recommended = level == 1;
    out.in_several_nodes = level == 2;
    for (auto* list : {&out.versions, &out.gfx, &out.nics, &out.modes}) {
        *list = row.texts();
    }
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

const std::vector<VariableRule>& variable_rules() {
    static const std::vector<VariableRule> rules = [] {
        std::vector<VariableRule> out;
        for (std::size_t at = 0; at < catalogue_image.rules; ++at) {
            out.push_back(rule_at(at));
        }
        return out;
    }();
    return rules;
}

namespace {

// Reads "6.3~release branch of 2024-10".
SearchedRelease release_of(std::string_view text) {
    const std::size_t mark = text.find('~');
    return mark == std::string_view::npos
               ? SearchedRelease{text, ""}
               : SearchedRelease{text.substr(0, mark), text.substr(mark + 1)};
}

ImageRow releases_at(std::size_t index) {
    return ImageRow(first_release() + index);
}

// Reads all but the releases; `row` stands before them then.
SearchedReleases heading_of(ImageRow& row) {
    SearchedReleases out;
    for (std::string_view* field : {&out.program, &out.package, &out.date, &out.source}) {
        *field = row.text();
    }
    return out;
}

SearchedReleases list_of(ImageRow row) {
    SearchedReleases out = heading_of(row);
    for (const auto text : row.texts()) {
        out.releases.push_back(release_of(text));
    }
    return out;
}

bool is_figure(char byte) {
    return byte >= '0' && byte <= '9';
}

std::size_t digits_at(std::string_view text, std::size_t from) {
    std::size_t end = from;
    while (end < text.size() && is_figure(text[end])) {
        ++end;
    }
    return end - from;
}

// Returns the text after the dotted numbers.
std::string_view behind_numbers(std::string_view version) {
    std::size_t at = digits_at(version, 0);
    while (at + 1 < version.size() && version[at] == '.' && is_figure(version[at + 1])) {
        at += 1 + digits_at(version, at + 1);
    }
    return version.substr(at);
}

struct Phase {
    int order;
    std::uint64_t number;
};

// Returns the position of a suffix in the order of the states of one version.
Phase phase_of(std::string_view suffix) {
    constexpr std::pair<std::string_view, int> words[] = {{"~", -5}, {"dev", -4}, {"a", -3},
                                                          {"b", -2}, {"rc", -1},  {"post", 1}};
    suffix.remove_prefix(suffix.starts_with('.') || suffix.starts_with('_') ? 1 : 0);
    for (const auto& [word, order] : words) {
        if (suffix.starts_with(word)) {
            const auto digits = suffix.substr(word.size(), digits_at(suffix, word.size()));
            return {order, parse_number(digits).value_or(0)};
        }
    }
    return {0, 0};
}

// Compares as compare_releases() does; texts that are not versions count as equal.
int order_of(std::string_view left, std::string_view right) {
    return compare_releases(left, right).value_or(0);
}

std::string as_written(const SearchedRelease& release) {
    return std::string(release.version) + (release.branch.empty() ? "" : "~");
}

// Returns the version without its branch mark and its build suffix.
std::string shown_version(std::string_view version) {
    constexpr std::size_t most_releases = 40;
    return printable(version.substr(0, version.find_first_of("~+-")), most_releases);
}

// Facts about one reader, with the searched releases of its program.
class Knowledge {
   public:
    explicit Knowledge(const VariableReader& reader) : reader_(reader) {
        if (const auto list = searched_releases(reader.searched)) {
            for (const auto& release : list->releases) {
                points_.push_back(as_written(release));
            }
        }
    }

    ReadsAt at(std::string_view version) const {
        if (!compare_releases(version, "0")) {
            return not_checked(version);
        }
        if (!reader_.since.empty() && order_of(version, reader_.since) < 0) {
            return before_since(version);
        }
        if (!reader_.until.empty() && order_of(version, last_known_reading()) > 0) {
            return behind_last(version);
        }
        return is_between(version) ? ReadsAt{Reads::yes, ""} : not_checked(version);
    }

    DefaultAt default_at(std::string_view version) const {
        DefaultAt out{true, reader_.fallback};
        for (const auto& from : reader_.defaults) {
            if (order_of(version, from.version) >= 0) {
                out = {true, from.value};
                continue;
            }
            const auto before = release_before(from.version);
            if (before && order_of(version, *before) > 0 && out.text != from.value) {
                out.known = false;
            }
            break;
        }
        return out;
    }

    const VariableForm* form_at(std::string_view version) const {
        const VariableForm* out = nullptr;
        for (const auto& form : reader_.forms) {
            if (form.version.empty() || order_of(version, form.version) >= 0) {
                out = &form;
                continue;
            }
            const auto before = release_before(form.version);
            return before && order_of(version, *before) > 0 ? nullptr : out;
        }
        return out;
    }

    bool is_behind_all(std::string_view version) const {
        return !points_.empty() && order_of(version, points_.back()) > 0;
    }

   private:
    // Returns the searched release before `version`; std::nullopt if there is none, or if `version`
    // is not a searched release (it comes from a document and is exact).
    std::optional<std::string> release_before(std::string_view version) const {
        const auto point = std::find_if(points_.begin(), points_.end(), [&](const auto& each) {
            return order_of(each, version) == 0;
        });
        return point == points_.end() || point == points_.begin() ? std::nullopt
                                                                  : std::optional(*(point - 1));
    }

    ReadsAt before_since(std::string_view version) const {
        const auto absent = release_before(reader_.since);
        const bool too_old = absent && order_of(version, points_.front()) < 0;
        if ((absent && order_of(version, *absent) > 0) || too_old) {
            return not_checked(version);
        }
        return {Reads::not_yet,
                "first read in " + named(reader_.since) + ", not yet in " + shown_version(version)};
    }

    // Returns the last version that certainly reads it; just before `until` if that is exact.
    std::string last_known_reading() const {
        return release_before(reader_.until).value_or(std::string(reader_.until) + "~");
    }

    ReadsAt behind_last(std::string_view version) const {
        if (order_of(version, reader_.until) < 0) {
            return not_checked(version);
        }
        const auto last = release_before(reader_.until);
        const std::string gone = shown_version(version);
        return {Reads::no_longer,
                last ? "last read in " + named(*last) + ", no longer in " + gone
                     : "read before " + named(reader_.until) + ", no longer in " + gone};
    }

    // Returns whether the version lies between two that certainly read it. A reader with a `since`
    // and no `until` is known up to the newest searched release.
    bool is_between(std::string_view version) const {
        const bool from =
            !reader_.since.empty() || (!points_.empty() && order_of(points_.front(), version) <= 0);
        const bool to = !reader_.until.empty() ||
                        (!points_.empty() && order_of(version, points_.back()) <= 0) ||
                        (!reader_.since.empty() && order_of(version, reader_.since) == 0);
        return from && to;
    }

    ReadsAt not_checked(std::string_view version) const {
        return {Reads::not_checked, named(version) + " was not checked"};
    }

    std::string named(std::string_view version) const {
        return std::string(reader_.package) + (reader_.package.empty() ? "" : " ") +
               shown_version(version);
    }

    const VariableReader& reader_;
    std::vector<std::string> points_;
};

}  // namespace

std::optional<SearchedReleases> searched_releases(std::string_view program) {
    for (std::size_t at = 0; at < catalogue_image.releases; ++at) {
        if (!program.empty() && releases_at(at).text() == program) {
            return list_of(releases_at(at));
        }
    }
    return std::nullopt;
}

// Searched once, since the remark of each unknown variable names it.
std::string_view facts_date() {
    static const std::string_view found = [] {
        std::string_view oldest;
        for (std::size_t at = 0; at < catalogue_image.releases; ++at) {
            ImageRow row = releases_at(at);
            const auto date = heading_of(row).date;
            oldest = oldest.empty() ? date : std::min(oldest, date);
        }
        return oldest;
    }();
    return found;
}

std::optional<int> compare_releases(std::string_view left, std::string_view right) {
    const auto numbers = compare_versions(left, right);
    if (!numbers || *numbers != 0) {
        return numbers;
    }
    const Phase mine = phase_of(behind_numbers(left));
    const Phase other = phase_of(behind_numbers(right));
    return mine.order != other.order     ? (mine.order < other.order ? -1 : 1)
           : mine.number != other.number ? (mine.number < other.number ? -1 : 1)
                                         : 0;
}

std::string of_reader(const Variable& variable) {
    return variable.reader.empty() ? "" : " of " + std::string(variable.reader);
}

ReadsAt reads_at(const VariableReader& reader, std::string_view version) {
    return Knowledge(reader).at(version);
}

DefaultAt default_at(const VariableReader& reader, std::string_view version) {
    return Knowledge(reader).default_at(version);
}

const VariableForm* form_at(const VariableReader& reader, std::string_view version) {
    return compare_releases(version, "0") ? Knowledge(reader).form_at(version) : nullptr;
}

std::vector<Variable> in_each_form(const Variable& variable) {
    std::vector<Variable> out;
    for (const auto& reader : variable.read_by) {
        for (const auto& form : reader.forms) {
            const bool listed = std::any_of(out.begin(), out.end(), [&](const Variable& each) {
                return each.parser == form.parser && each.values == form.values;
            });
            if (!listed) {
                out.push_back(variable);
                out.back().parser = form.parser;
                out.back().values = form.values;
            }
        }
    }
    return out.empty() ? std::vector{variable} : out;
}

bool is_newer_than_searched(const VariableReader& reader, std::string_view version) {
    return Knowledge(reader).is_behind_all(version);
}

ReadsAt reads_at(const Variable& variable, std::string_view package, std::string_view version) {
    std::optional<ReadsAt> best;
    for (const auto& reader : variable.read_by) {
        if (reader.package != package) {
            continue;
        }
        auto found = reads_at(reader, version);
        if (!best || found.reads == Reads::yes) {
            best = std::move(found);
        }
    }
    return best.value_or(ReadsAt{});
}

}  // namespace rocenv
