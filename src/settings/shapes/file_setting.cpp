// SPDX-License-Identifier: MIT
#include "settings/shapes/file_setting.h"

#include <algorithm>

#include "os/redact/redact_words.h"
#include "settings/shapes/text_change.h"
#include "util/text.h"

namespace rocenv {

namespace {

Result<Choices> parse(const FileFacts& facts, std::string_view text) {
    if (facts.shape == FileShape::choice) {
        return parse_choice(facts.path, text);
    }
    const auto value = parse_number(trim(text));
    return value ? Result(Choices{number(*value), {}})
                 : garbled(facts.path, "is no number: " + quoted_value(trim(text)));
}

}  // namespace

std::vector<Assessment> FileSetting::assess(const Context& context, const Want& want) const {
    return {judge(context.fs(), plain_text(want.value))};
}

// A file of /proc/sys is a sysctl, named after its path.
Keeping FileSetting::keeping(const Want& want) const {
    constexpr std::string_view sysctls = "/proc/sys/";
    const std::string value = plain_text(want.value);
    Keeping out;
    if (!facts_.path.starts_with(sysctls)) {
        out.tmpfiles = {"w " + facts_.path + " - - - - " + value};
        return out;
    }
    std::string name = facts_.path.substr(sysctls.size());
    std::replace(name.begin(), name.end(), '/', '.');
    out.sysctl = {name + " = " + value};
    return out;
}

std::vector<Baseline> FileSetting::baseline(const Context& context) const {
    const auto text = context.fs().read(facts_.path);
    if (text.is(ErrorKind::not_here)) {
        return {};
    }
    const auto content = text ? parse(facts_, *text) : text.error();
    if (!content) {
        return {{{}, "", content.error()}};
    }
    if (facts_.shape == FileShape::choice) {
        return {{{}, content->value, word_change(attribute(), content->value)}};
    }
    return {{{}, content->value, text_back(attribute(), std::string(trim(*text)), *text)}};
}

KernelAttribute FileSetting::attribute() const {
    return {facts_.path, facts_.shape == FileShape::choice ? Codec::choice : Codec::line};
}

Assessment FileSetting::judge(const Fs& fs, const std::string& want) const {
    const auto text = fs.read(facts_.path);
    if (text.is(ErrorKind::not_here) && exists(fs, facts_.folder)) {
        return absent(want);
    }
    const auto content = text ? parse(facts_, *text) : text.error();
    if (!content) {
        return unreadable({}, content.error(), want);
    }
    auto row = compared({}, want, content->value);
    row.change = word_change(attribute(), want);
    if (row.outcome == Outcome::differs) {
        explain(*content, row);
    }
    return row;
}

void FileSetting::explain(const Choices& content, Assessment& row) const {
    row.next_step = "echo " + *row.want + " | sudo tee " + facts_.path;
    if (facts_.shape == FileShape::choice && !content.offers(*row.want)) {
        row.detail = "this kernel offers " + join(content.offered, ", ") + " only";
        row.next_step = "want one of those";
        row.change.reset();
    } else if (facts_.explain != nullptr) {
        row.detail = facts_.explain(row);
    }
}

Assessment FileSetting::absent(const std::string& want) const {
    auto row = no_target(facts_.without);
    if (facts_.absent_is && *facts_.absent_is != want) {
        row.outcome = Outcome::differs;
        row.want = want;
        row.next_step = "boot a kernel that has it; ls " + facts_.path;
    }
    return row;
}

}  // namespace rocenv
