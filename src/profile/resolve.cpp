// SPDX-License-Identifier: MIT
// Merges the profiles of given names into one list of expected values.
#include <algorithm>
#include <filesystem>
#include <map>
#include <set>
#include <tuple>

#include "profile/profile.h"
#include "settings/registry.h"
#include "util/text.h"

namespace rocenv {

namespace {

class Resolver {
   public:
    Resolver(const ProfileStore& store, const Condition& condition)
        : store_(store), condition_(condition) {}

    // A profile named with -p: its own entries count even if another one extends it already.
    void add(const std::string& name) {
        ++asked_;
        visit(name, std::nullopt, true);
    }

    // --want: meant to win, so it contradicts nothing.
    void add(const ProfileEntry& entry) { merge(entry, ""); }

    // Merges the site's file, whose values have precedence on purpose. A level for an id that no
    // profile names is for other profiles.
    void add_site() {
        const auto found = store_.site();
        if (found && !*found) {
            fail(Place{site_file, 0, 0}, found->error().text + " (--no-site ignores it)",
                 found->is(ErrorKind::timed_out));
        }
        if (!found || !*found) {
            return;
        }
        const ProfileText& site = **found;
        out_.site = site.file;
        take(site);
        for (const auto& entry : site.entries) {
            if (entry.value || entry.unset || expectations_.contains(entry.id)) {
                merge(entry, "");
            } else {
                out_.ignored.push_back({entry.id, "has no value", entry.place});
            }
        }
    }

    Resolved finish(std::vector<std::string> names) {
        for (const auto& [id, place] : valueless_) {
            if (!is_left_out(id) && !incomplete_) {
                fail(place, id + " has no value here or in a profile that is extended");
            }
            expectations_.erase(id);
        }
        add_expectations_in_order();
        std::stable_sort(out_.diagnostics.begin(), out_.diagnostics.end(),
                         [](const Diagnostic& a, const Diagnostic& b) {
                             return std::tie(a.place.file, a.place.line, a.place.column) <
                                    std::tie(b.place.file, b.place.line, b.place.column);
                         });
        out_.names = std::move(names);
        for (const auto& [name, text] : texts_) {
            out_.involved.push_back(name);
        }
        return std::move(out_);
    }

   private:
    // Sorts the values by the registry, and those of one family by id.
    void add_expectations_in_order() {
        std::vector<std::pair<std::size_t, Expectation*>> order;
        order.reserve(expectations_.size());
        for (auto& [id, expectation] : expectations_) {
            order.emplace_back(rank_of(id), &expectation);
        }
        std::stable_sort(order.begin(), order.end(),
                         [](const auto& a, const auto& b) { return a.first < b.first; });
        out_.expectations.reserve(order.size());
        for (const auto& [rank, expectation] : order) {
            out_.expectations.push_back(std::move(*expectation));
        }
    }

    // The profile that stated the present value of a variable.
    struct Origin {
        std::string profile;
        int asked;  // position of its -p
    };

    void merge(const ProfileEntry& entry, const std::string& profile) {
        if (entry.when && condition_) {
            if (auto why = condition_(*entry.when)) {
                out_.left_out.push_back({entry.id, *std::move(why), entry.place});
                return;
            }
        }
        if (entry.value || entry.unset) {
            warn_of_conflict(entry, profile);
            origins_[entry.id] = {profile, asked_};
        }
        Expectation& expectation = expectations_[entry.id];
        if (entry.value || entry.unset) {
            valueless_.erase(entry.id);
        } else if (expectation.id.empty()) {
            valueless_.emplace(entry.id, entry.place);
        }
        take_entry(entry, expectation);
    }

    bool is_left_out(const std::string& id) const {
        return std::any_of(out_.left_out.begin(), out_.left_out.end(),
                           [&](const LeftOut& each) { return each.id == id; });
    }

    // Warns if two given profiles have different values for a variable, and neither extends the
    // other.
    void warn_of_conflict(const ProfileEntry& entry, const std::string& profile) {
        const auto origin = origins_.find(entry.id);
        if (profile.empty() || origin == origins_.end() || origin->second.asked == asked_ ||
            !entry.id.starts_with("env.")) {
            return;
        }
        const std::string& other = origin->second.profile;
        const Expectation& expectation = expectations_[entry.id];
        const std::string before = setting_text(expectation.unset, expectation.value);
        const std::string now = setting_text(entry.unset, entry.value.value_or(Value{}));
        if (before == now || extends(profile, other) || extends(other, profile)) {
            return;
        }
        out_.diagnostics.push_back({false, entry.place,
                                    entry.id + ": " + now + " here takes the place of " + before +
                                        " at " + place_text(expectation.place) +
                                        ", and neither profile extends the other",
                                    false});
    }

    static std::string setting_text(bool unset, const Value& value) {
        return unset ? "unset" : toml_text(value);
    }

    bool extends(const std::string& child, const std::string& parent) const {
        const auto found = ancestors_.find(child);
        return child == parent || (found != ancestors_.end() && found->second.contains(parent));
    }

    void fail(const std::optional<Place>& place, const std::string& text, bool timed_out = false) {
        out_.diagnostics.push_back({true, place.value_or(Place{"-p", 0, 0}), text, timed_out});
    }

    void visit(const std::string& given, const std::optional<Place>& asked_at, bool named) {
        const std::string name = plain(given);
        if (std::find(open_.begin(), open_.end(), name) != open_.end()) {
            fail(asked_at, "profile " + given + " extends itself (" + join(open_, " > ") + ")");
            return;
        }
        if (open_.size() >= ProfileLimits::depth) {
            too_much(asked_at, "more than " + number(ProfileLimits::depth) +
                                   " profiles extend each other in a row");
            return;
        }
        const auto [found, is_new] = texts_.try_emplace(name);
        if (is_new && (!is_room(asked_at) || !load(given, asked_at, found->second))) {
            incomplete_ = true;
            return;
        }
        if (is_new) {
            visit_parents(name, found->second);
        }
        if (is_new || named) {
            for (const auto& entry : found->second.entries) {
                merge(entry, name);
            }
        }
    }

    // Returns one spelling of a path: "a.toml" for "./a.toml" and "x/../a.toml". The result is
    // still a path, not a name.
    static std::string plain(const std::string& name) {
        if (name.find('/') == std::string::npos) {
            return name;
        }
        const std::string path = std::filesystem::path(name).lexically_normal();
        const bool named_so = path.find('/') != std::string::npos || path.ends_with(".toml");
        return named_so ? path : "./" + path;
    }

    bool is_room(const std::optional<Place>& asked_at) {
        if (texts_.size() > ProfileLimits::profiles) {
            too_much(asked_at,
                     "more than " + number(ProfileLimits::profiles) + " profiles are involved");
        } else if (bytes_ > ProfileLimits::bytes) {
            too_much(asked_at, "the profiles involved are larger than " +
                                   number(ProfileLimits::bytes >> 10) + " KiB together");
        } else if (values_ > ProfileLimits::values) {
            too_much(asked_at, "the profiles involved hold more than " +
                                   number(ProfileLimits::values) + " values");
        }
        return !too_much_;
    }

    // Adds an error, once: after it, nothing more is read.
    void too_much(const std::optional<Place>& asked_at, const std::string& text) {
        if (!too_much_) {
            fail(asked_at, text);
        }
        too_much_ = true;
    }

    bool load(const std::string& name, const std::optional<Place>& asked_at, ProfileText& profile) {
        auto found = store_.find(name);
        if (!found) {
            fail(asked_at, found.error().text, found.is(ErrorKind::timed_out));
            return false;
        }
        profile = *std::move(found);
        take(profile);
        if (!profile.match.empty()) {
            out_.matches.push_back(profile.match);
            out_.matches.back().profile = profile.name;
        }
        return true;
    }

    // Adds all of a text except its entries.
    void take(const ProfileText& text) {
        bytes_ += text.bytes;
        values_ += text.values;
        out_.diagnostics.insert(out_.diagnostics.end(), text.diagnostics.begin(),
                                text.diagnostics.end());
        for (const auto& line : text.also) {
            if (std::find(out_.also.begin(), out_.also.end(), line) == out_.also.end()) {
                out_.also.push_back(line);
            }
        }
    }

    void visit_parents(const std::string& name, const ProfileText& profile) {
        open_.push_back(name);
        for (std::size_t at = 0; at < profile.extends.size(); ++at) {
            std::string parent = profile.extends[at];
            const bool path = parent.find('/') != std::string::npos || parent.ends_with(".toml");
            if (path && !parent.starts_with('/') && profile.file.find('/') != std::string::npos) {
                parent.insert(0, profile.file.substr(0, profile.file.rfind('/') + 1));
            }
            parent = plain(parent);
            visit(parent, profile.extends_places[at], false);
            if (too_much_) {
                break;
            }
            auto& ancestors = ancestors_[name];
            ancestors.insert(parent);
            const auto& further = ancestors_[parent];
            ancestors.insert(further.begin(), further.end());
        }
        open_.pop_back();
    }

    const ProfileStore& store_;
    const Condition& condition_;
    int asked_ = 0;
    std::size_t bytes_ = 0;
    std::size_t values_ = 0;
    bool too_much_ = false;
    bool incomplete_ = false;  // a given or extended profile could not be read
    std::map<std::string, Origin> origins_;
    std::map<std::string, std::set<std::string>> ancestors_;  // for each profile read
    std::vector<std::string> open_;  // profiles being resolved, outermost first
    std::map<std::string, ProfileText> texts_;
    std::map<std::string, Expectation> expectations_;
    std::map<std::string, Place> valueless_;
    Resolved out_;
};

}  // namespace

void take_entry(const ProfileEntry& entry, Expectation& expectation) {
    if (entry.bare || expectation.id.empty()) {
        expectation = Expectation{};
    }
    expectation.id = entry.id;
    expectation.place = entry.place;
    if (entry.value) {
        expectation.value = *entry.value;
    }
    if (entry.value || entry.unset) {
        expectation.unset = entry.unset;
        expectation.must_exist = entry.must_exist;
        expectation.when = entry.when ? when_text(*entry.when) : "";
    }
    expectation.level = entry.level.value_or(expectation.level);
    expectation.why = entry.why.value_or(expectation.why);
    expectation.source = entry.source.value_or(expectation.source);
}

std::vector<std::string> Resolved::shown_names() const {
    std::vector<std::string> out = names;
    if (!site.empty()) {
        out.push_back(site);
    }
    return out;
}

Resolved resolve(const ProfileStore& store, const std::vector<std::string>& names,
                 const std::vector<ProfileEntry>& overrides, const Condition& condition,
                 Site site) {
    Resolver resolver(store, condition);
    for (const auto& name : names) {
        resolver.add(name);
    }
    if (site == Site::merged) {
        resolver.add_site();
    }
    for (const auto& entry : overrides) {
        resolver.add(entry);
    }
    return resolver.finish(names);
}

}  // namespace rocenv
