// SPDX-License-Identifier: MIT
#include "transaction/change_executor.h"

#include <algorithm>

namespace rocenv {

namespace {

// One write can undo another (a level takes clocks with it, a governor its preference), so what is
// to go back is written until nothing differs.
constexpr int most_passes = 8;

Error not_kept(const AttributeState& state, const std::string& value) {
    return {ErrorKind::io, 0, state.attribute.path,
            state.attribute.path + ": the write succeeded, but the file reads " + value + ", not " +
                state.value};
}

using Values = std::vector<Result<std::vector<std::string>>>;

// What tells one pass from the next: errors count by their text.
std::vector<std::string> picture(const Values& values) {
    std::vector<std::string> out;
    for (const auto& value : values) {
        if (!value) {
            out.push_back(value.error().text);
            continue;
        }
        out.insert(out.end(), value->begin(), value->end());
    }
    return out;
}

Values read_all(const Fs& fs, const std::vector<Goal>& goals) {
    Values values;
    values.reserve(goals.size());
    for (const auto& goal : goals) {
        values.push_back(read_values(fs, goal.change));
    }
    return values;
}

std::vector<std::size_t> unreached(const std::vector<Goal>& goals, const Values& values) {
    std::vector<std::size_t> out;
    for (std::size_t at = 0; at < goals.size(); ++at) {
        if (!values[at] || !holds(goals[at].change, *values[at])) {
            out.push_back(at);
        }
    }
    return out;
}

// A device that went silent or away also hides what nobody wrote to: that is not left half-way.
bool is_only_hidden(const Writer& writer, const Goal& goal,
                    const Result<std::vector<std::string>>& value) {
    return goal.optional && !value && !writer.touched(goal.key);
}

}  // namespace

Result<std::vector<std::string>> read_values(const Fs& fs, const Change& change) {
    std::vector<std::string> values;
    for (const auto& state : change.states) {
        auto value = read_attribute(fs, state.attribute);
        if (!value) {
            return value.error();
        }
        values.push_back(*std::move(value));
    }
    return values;
}

bool holds(const Change& change, const std::vector<std::string>& values) {
    return std::equal(change.states.begin(), change.states.end(), values.begin(), values.end(),
                      [](const AttributeState& state, const auto& value) {
                          return state.value.empty() || state.value == value;
                      });
}

bool holds_now(const Fs& fs, const Change& change) {
    const auto values = read_values(fs, change);
    return values && holds(change, *values);
}

std::optional<Error> Writer::write(const Key& key, const Write& write) {
    log_.push_back({key, write});
    if (rehearses()) {
        return std::nullopt;
    }
    auto error = fs_.write(write.path, write.offset, write.bytes);
    const bool again = error && is_full_disk(*error) && make_room_ && make_room_();
    return again ? fs_.write(write.path, write.offset, write.bytes) : error;
}

bool Writer::touched(const Key& key) const {
    return std::any_of(log_.begin(), log_.end(),
                       [&](const PlannedWrite& planned) { return planned.key == key; });
}

std::optional<Error> Writer::apply(const Key& key, const Change& change) {
    for (const auto& step : change.writes) {
        if (auto error = write(key, step)) {
            return error;
        }
    }
    const auto values = read_values(fs_, change);
    if (!values) {
        return values.error();
    }
    for (std::size_t at = 0; at < values->size(); ++at) {
        const auto& wanted = change.states[at].value;
        if (!wanted.empty() && wanted != (*values)[at]) {
            return not_kept(change.states[at], (*values)[at]);
        }
    }
    return std::nullopt;
}

void Writer::apply_tolerantly(const Key& key, const Change& change) {
    refused_.erase(key);
    for (const auto& step : change.writes) {
        const auto error = write(key, step);
        if (error) {
            refused_.emplace(key, *error);
        }
        if (error && error->kind == ErrorKind::timed_out) {
            return;  // nothing more goes to that device
        }
    }
}

std::optional<Error> Writer::refusal(const Key& key) const {
    const auto found = refused_.find(key);
    return found == refused_.end() ? std::nullopt : std::optional(found->second);
}

std::vector<std::size_t> restore(Writer& writer, const std::vector<Goal>& goals) {
    Values values = read_all(writer.fs(), goals);
    auto left = unreached(goals, values);
    int fruitless = 0;
    for (int pass = 0; pass < most_passes && !left.empty() && fruitless < 2; ++pass) {
        // Last set, first back: a later setting leans on an earlier one, as the registry orders
        // them.
        for (auto at = left.rbegin(); at != left.rend(); ++at) {
            if (!is_only_hidden(writer, goals[*at], values[*at])) {
                writer.apply_tolerantly(goals[*at].key, goals[*at].change);
            }
        }
        if (writer.rehearses()) {  // what is there would take it; what is gone never does
            std::erase_if(left,
                          [&](std::size_t at) { return !values[at].is(ErrorKind::not_here); });
            break;
        }
        const auto before = picture(values);
        values = read_all(writer.fs(), goals);
        left = unreached(goals, values);
        fruitless = picture(values) == before ? fruitless + 1 : 0;
    }
    std::erase_if(left,
                  [&](std::size_t at) { return is_only_hidden(writer, goals[at], values[at]); });
    return left;
}

}  // namespace rocenv
