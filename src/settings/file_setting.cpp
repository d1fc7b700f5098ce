// SPDX-License-Identifier: MIT
#include "settings/file_setting.h"

#include <algorithm>

#include "util/text.h"

namespace rocenv {

namespace {

struct Content {
    std::string value;
    std::vector<std::string> offered;  // of a choice
};

Error odd(const std::string& path, const char* what, std::string_view text) {
    return garbled(path, std::string(what) + ": \"" + printable(text, 40) + "\"");
}

Result<Content> parse_choice(const std::string& path, std::string_view text) {
    Content out;
    for (auto word : words(text)) {
        const bool chosen = word.size() > 2 && word.front() == '[' && word.back() == ']';
        if (chosen) {
            word = word.substr(1, word.size() - 2);
        }
        if ((chosen && !out.value.empty()) || !is_plain(word) ||
            word.find_first_of("[]") != std::string_view::npos) {
            return odd(path, "is no list of words, one in brackets", text);
        }
        out.offered.emplace_back(word);
        out.value = chosen ? out.offered.back() : out.value;
    }
    return out.value.empty() ? Result<Content>(odd(path, "has no word in brackets", text)) : out;
}

Result<Content> parse(const FileFacts& facts, std::string_view text) {
    if (facts.shape == FileShape::choice) {
        return parse_choice(facts.path, text);
    }
    const auto value = parse_number(text);
    return value ? Result(Content{number(*value), {}}) : odd(facts.path, "is no number", text);
}

}  // namespace

std::vector<Assessment> FileSetting::assess(const Context& context, const Want& want) const {
    const auto* integer = want.value.integer();
    return {judge(context.fs(), integer != nullptr ? number(*integer) : *want.value.text())};
}

Assessment FileSetting::judge(const Fs& fs, const std::string& want) const {
    const auto text = fs.read(facts_.path);
    if (text.is(ErrorKind::not_here) && exists(fs, facts_.folder)) {
        return absent(want);
    }
    const auto content = text ? parse(facts_, trim(*text)) : text.error();
    if (!content) {
        return unreadable({}, content.error(), want);
    }
    auto row = compared({}, want, content->value);
    if (row.outcome == Outcome::ok) {
        return row;
    }
    row.next_step = "echo " + want + " | sudo tee " + facts_.path;
    const auto& offered = content->offered;
    if (!offered.empty() && std::find(offered.begin(), offered.end(), want) == offered.end()) {
        row.detail = "this kernel offers " + join(offered, ", ") + " only";
        row.next_step = "want one of those";
    } else if (facts_.explain != nullptr) {
        row.detail = facts_.explain(row);
    }
    return row;
}

Assessment FileSetting::absent(const std::string& want) const {
    auto row = no_target(facts_.without);
    if (facts_.absent_is && *facts_.absent_is != want) {
        row.outcome = Outcome::differs;
        row.want = want;
        row.next_step = "boot a kernel that has it: ls " + facts_.path;
    }
    return row;
}

}  // namespace rocenv
