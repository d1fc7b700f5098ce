// SPDX-License-Identifier: MIT
// Behaviour of every setting of a shape: shapes/NAME.case, run for each id that the registry has of
// that shape. The format is that of case_file.h, and {word} stands for a text of the setting: {id},
// {want} (some value that it accepts) and those of its shape. A line "not ID..." leaves ids out of
// a case.
#pragma once

#include <algorithm>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "rocenv/setting.h"
#include "settings/case_file.h"
#include "settings/registry.h"
#include "util/text.h"

namespace rocenv::cases {

using ShapeWords = std::vector<std::pair<std::string, std::string>>;

struct Shape {
    std::string_view name;
    bool (*has)(const Setting& setting);
    ShapeWords (*words)(const Setting& setting);
};

inline std::string folder_of(const std::string& path) {
    return path.substr(0, path.rfind('/'));
}

inline std::string behind(std::string_view text, std::string_view mark) {
    const auto at = text.find(mark);
    return at == text.npos ? "" : std::string(text.substr(at + mark.size()));
}

inline std::string replaced(std::string text, std::string_view what, const std::string& by) {
    for (auto at = text.find(what); at != text.npos; at = text.find(what, at + by.size())) {
        text.replace(at, what.size(), by);
    }
    return text;
}

inline bool is_choice(const Setting& setting) {
    return setting.info.forms.front().kind == FormKind::any_word;
}

inline std::string written_path(const Setting& setting) {
    return std::string(setting.info.places.front().path);
}

// {path}, {folder}, {top} (of all such files), {low} and {high}.
inline ShapeWords words_of_number(const Setting& setting) {
    const auto lowest = setting.info.forms.front().lowest;
    const auto path = written_path(setting);
    return {{"path", path},
            {"folder", folder_of(path)},
            {"top", "/proc/sys"},
            {"low", number(lowest)},
            {"high", number(lowest + 1)}};
}

// {path}, {folder}, {top}, the {first} and the {last} word, and what the file holds where one of
// them is marked ({first_marked}, {last_marked}) or {none_marked}.
inline ShapeWords words_of_choice(const Setting& setting) {
    const auto path = written_path(setting);
    const auto choices = split(setting.info.places.front().bytes, '|');
    const std::string first(choices.front());
    const std::string last(choices.back());
    const auto all = replaced(std::string(setting.info.places.front().bytes), "|", " ");
    const auto middle = all.substr(first.size(), all.size() - first.size() - last.size());
    return {{"path", path},
            {"folder", folder_of(path)},
            {"top", "/sys/kernel"},
            {"first", first},
            {"last", last},
            {"offered", replaced(all, " ", ", ")},
            {"first_marked", "[" + first + "]" + middle + last},
            {"last_marked", first + middle + "[" + last + "]"},
            {"none_marked", all}};
}

// The file's {name}, {file0} and {file2} of two policies, {short0} and {short2} without their
// folder.
inline ShapeWords words_of_policy(const Setting& setting) {
    const auto path = written_path(setting);
    const auto cut = std::string_view("/sys/devices/system/cpu/").size();
    const auto zero = replaced(path, "<n>", "0");
    const auto two = replaced(path, "<n>", "2");
    return {{"file0", zero},
            {"file2", two},
            {"name", behind(path, "<n>/")},
            {"short0", zero.substr(cut)},
            {"short2", two.substr(cut)}};
}

// {limit}, as a case names it, and {what} a sentence calls it.
inline ShapeWords words_of_rlimit(const Setting& setting) {
    const auto what = behind(setting.info.read_from, "getrlimit(");
    return {{"limit", behind(setting.info.id, ".")}, {"what", what.substr(0, what.find(')'))}};
}

// {controller}, its {file} and that of version 1, {old_file}, which holds {no_limit} where there is
// none.
inline ShapeWords words_of_cgroup(const Setting& setting) {
    const auto controller = behind(setting.info.id, ".");
    const auto old_file = behind(setting.info.read_from, "(version 1: ");
    return {{"controller", controller},
            {"file", controller + ".max"},
            {"no_limit", old_file.starts_with("memory.") ? "9223372036854771712" : "max"},
            {"old_file", old_file.substr(0, old_file.find(')'))}};
}

// {sysctl}, the name of the file.
inline ShapeWords words_of_interface(const Setting& setting) {
    return {{"sysctl", behind(written_path(setting), "<if>/")}};
}

inline ShapeWords no_words(const Setting&) {
    return {};
}

inline constexpr Shape shapes[] = {
    {"number", [](const Setting& each) { return each.row.file != nullptr && !is_choice(each); },
     words_of_number},
    {"choice", [](const Setting& each) { return each.row.file != nullptr && is_choice(each); },
     words_of_choice},
    {"policy", [](const Setting& each) { return each.row.policy != nullptr; }, words_of_policy},
    {"rlimit",
     [](const Setting& each) {
         return each.row.limit != nullptr && each.info.read_from.starts_with("getrlimit(");
     },
     words_of_rlimit},
    {"cgroup",
     [](const Setting& each) {
         return each.row.limit != nullptr && each.info.read_from.starts_with("/proc/self/cgroup");
     },
     words_of_cgroup},
    {"limit", [](const Setting& each) { return each.row.limit != nullptr; }, no_words},
    {"interface", [](const Setting& each) { return each.row.interface_sysctl != nullptr; },
     words_of_interface},
    {"nic",
     [](const Setting& each) {
         return each.info.id.starts_with("rdma.") || each.info.id.starts_with("net.");
     },
     no_words},
    {"netdev", [](const Setting& each) { return each.info.target == "network interface"; },
     no_words},
    {"path", [](const Setting& each) { return each.row.path != nullptr; }, no_words},
    {"gpu", [](const Setting& each) { return each.info.target == "physical GPU"; }, no_words},
};

// Fails where a word in braces stands for nothing.
inline void refuse_words_of(const Shape& shape, const std::string& text) {
    for (auto at = text.find('{'); at != text.npos; at = text.find('{', at + 1)) {
        const auto end = text.find_first_not_of("abcdefghijklmnopqrstuvwxyz_0123456789", at + 1);
        if (end != text.npos && end > at + 1 && text[end] == '}') {
            throw std::runtime_error("shapes/" + std::string(shape.name) + ".case: unknown word " +
                                     text.substr(at, end + 1 - at));
        }
    }
}

// Leaves out the cases of a shape that are not for an id.
inline void leave_out(const std::string& id, CaseFile& file) {
    std::erase_if(file.cases, [&](const Case& test) {
        return std::find(test.left_out.begin(), test.left_out.end(), id) != test.left_out.end();
    });
}

inline CaseFile cases_of(const Shape& shape, const Setting& setting, std::string text) {
    const std::string id(setting.info.id);
    auto all = shape.words(setting);
    all.emplace_back("id", id);
    all.emplace_back("want", toml_text(some_value(setting.info)));
    for (const auto& [word, meaning] : all) {
        text = replaced(std::move(text), "{" + word + "}", meaning);
    }
    refuse_words_of(shape, text);
    auto out = CaseReader("shapes/" + std::string(shape.name), id).read(text);
    leave_out(id, out);
    return out;
}

// Every case of every setting: its own, then those of its shapes.
inline const std::vector<CaseFile>& all_cases() {
    static const auto all = [] {
        auto out = own_cases();
        for (const auto& shape : shapes) {
            const auto text = text_of_file(ROCENV_SOURCE_DIR "/tests/settings/shapes/" +
                                           std::string(shape.name) + ".case");
            for (const Setting* setting : all_settings()) {
                if (shape.has(*setting)) {
                    out.push_back(cases_of(shape, *setting, text));
                }
            }
        }
        return out;
    }();
    return all;
}

}  // namespace rocenv::cases
