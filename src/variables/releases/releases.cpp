// SPDX-License-Identifier: MIT
#include "variables/releases/releases.h"

#include <algorithm>

#include "util/text.h"
#include "variables/catalogue_image.h"

namespace rocenv {

namespace {

// "6.3~release branch of 2024-10".
LookedAtRelease release_of(std::string_view text) {
    const std::size_t mark = text.find('~');
    return mark == std::string_view::npos
               ? LookedAtRelease{text, ""}
               : LookedAtRelease{text.substr(0, mark), text.substr(mark + 1)};
}

ImageRow releases_at(std::size_t index) {
    return ImageRow(first_release() + index);
}

// Without the releases, which `row` stands before then.
LookedAt heading_of(ImageRow& row) {
    LookedAt out;
    for (std::string_view* field : {&out.program, &out.package, &out.date, &out.source}) {
        *field = row.text();
    }
    return out;
}

LookedAt list_of(ImageRow row) {
    LookedAt out = heading_of(row);
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

// What stands behind the dotted numbers.
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

// Where among the states of one version a suffix stands.
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

// As compare_releases(), of texts that are versions.
int order_of(std::string_view left, std::string_view right) {
    return compare_releases(left, right).value_or(0);
}

std::string as_written(const LookedAtRelease& release) {
    return std::string(release.version) + (release.branch.empty() ? "" : "~");
}

// Without what says how it was built.
std::string shown_version(std::string_view version) {
    constexpr std::size_t most_releases = 40;
    return printable(version.substr(0, version.find_first_of("~+-")), most_releases);
}

// What is known of one reader, with the releases that were looked at.
class Knowledge {
   public:
    explicit Knowledge(const VariableReader& reader) : reader_(reader) {
        if (const auto list = looked_at(reader.looked_at)) {
            for (const auto& release : list->releases) {
                points_.push_back(as_written(release));
            }
        }
    }

    ReadsAt at(std::string_view version) const {
        if (!compare_releases(version, "0")) {
            return not_looked_at(version);
        }
        if (!reader_.since.empty() && order_of(version, reader_.since) < 0) {
            return before_since(version);
        }
        if (!reader_.until.empty() && order_of(version, last_known_reading()) > 0) {
            return behind_last(version);
        }
        return is_between(version) ? ReadsAt{Reads::yes, ""} : not_looked_at(version);
    }

    DefaultAt default_at(std::string_view version) const {
        DefaultAt out{true, reader_.fallback};
        for (const auto& from : reader_.defaults) {
            if (order_of(version, from.version) >= 0) {
                out = {true, from.value};
                continue;
            }
            const auto before = looked_at_before(from.version);
            if (before && order_of(version, *before) > 0 && out.text != from.value) {
                out.known = false;
            }
            break;
        }
        return out;
    }

    bool is_behind_all(std::string_view version) const {
        return !points_.empty() && order_of(version, points_.back()) > 0;
    }

   private:
    // The newest release that was looked at before `version`; nothing: none was, or `version` comes
    // from a document and is exact.
    std::optional<std::string> looked_at_before(std::string_view version) const {
        const auto point = std::find_if(points_.begin(), points_.end(), [&](const auto& each) {
            return order_of(each, version) == 0;
        });
        return point == points_.end() || point == points_.begin() ? std::nullopt
                                                                  : std::optional(*(point - 1));
    }

    ReadsAt before_since(std::string_view version) const {
        const auto absent = looked_at_before(reader_.since);
        const bool too_old = absent && order_of(version, points_.front()) < 0;
        if ((absent && order_of(version, *absent) > 0) || too_old) {
            return not_looked_at(version);
        }
        return {Reads::not_yet,
                "first read in " + named(reader_.since) + ", not yet in " + shown_version(version)};
    }

    // Up to here it was read for sure; where `until` is exact, up to that.
    std::string last_known_reading() const {
        return looked_at_before(reader_.until).value_or(std::string(reader_.until) + "~");
    }

    ReadsAt behind_last(std::string_view version) const {
        if (order_of(version, reader_.until) < 0) {
            return not_looked_at(version);
        }
        const auto last = looked_at_before(reader_.until);
        const std::string gone = shown_version(version);
        return {Reads::no_longer,
                last ? "last read in " + named(*last) + ", no longer in " + gone
                     : "read before " + named(reader_.until) + ", no longer in " + gone};
    }

    // Between two releases that are known to read it. What reads it in `since` and later is known
    // up to the newest release that was looked at.
    bool is_between(std::string_view version) const {
        const bool from =
            !reader_.since.empty() || (!points_.empty() && order_of(points_.front(), version) <= 0);
        const bool to = !reader_.until.empty() ||
                        (!points_.empty() && order_of(version, points_.back()) <= 0) ||
                        (!reader_.since.empty() && order_of(version, reader_.since) == 0);
        return from && to;
    }

    ReadsAt not_looked_at(std::string_view version) const {
        return {Reads::not_looked_at, named(version) + " was not looked at"};
    }

    std::string named(std::string_view version) const {
        return std::string(reader_.package) + (reader_.package.empty() ? "" : " ") +
               shown_version(version);
    }

    const VariableReader& reader_;
    std::vector<std::string> points_;
};

}  // namespace

std::optional<LookedAt> looked_at(std::string_view program) {
    for (std::size_t at = 0; at < catalogue_image.releases; ++at) {
        if (!program.empty() && releases_at(at).text() == program) {
            return list_of(releases_at(at));
        }
    }
    return std::nullopt;
}

// Looked for once: each unknown variable's remark names it. The oldest day of all lists: since then
// something may have come.
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

ReadsAt reads_at(const VariableReader& reader, std::string_view version) {
    return Knowledge(reader).at(version);
}

DefaultAt default_at(const VariableReader& reader, std::string_view version) {
    return Knowledge(reader).default_at(version);
}

bool is_newer_than_looked_at(const VariableReader& reader, std::string_view version) {
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
