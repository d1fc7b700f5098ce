// SPDX-License-Identifier: MIT
#include "settings/shapes/file_table.h"

#include <algorithm>

#include "machine/kernel_attribute.h"
#include "os/redact/redact_words.h"
#include "settings/shapes/text_change.h"
#include "util/text.h"

namespace rocenv {

namespace {

bool is_choice(const FileRow& row) {
    return !row.choices.empty();
}

std::string name_of(const FileRow& row) {
    return std::string(row.name.empty() ? row.id : row.name);
}

std::string path_of(const FileRow& row) {
    if (!row.path.empty()) {
        return std::string(row.path);
    }
    std::string name = name_of(row);
    std::replace(name.begin(), name.end(), '.', '/');
    return "/proc/sys/" + name;
}

std::string persist_of(const FileRow& row) {
    const std::string way = row.path.empty() ? name_of(row) + " = " + std::string(row.usual) +
                                                   " in a file under /etc/sysctl.d"
                                             : "a w line in a file under /etc/tmpfiles.d";
    const std::string boot =
        row.boot_word.empty() ? "" : std::string(row.boot_word) + " on the kernel command line";
    const std::string ways = boot.empty()       ? way
                             : row.path.empty() ? way + ", or " + boot
                                                : boot + ", or " + way;
    return "lost at reboot; keep it with " + ways;
}

std::string bytes_of(const FileRow& row) {
    const auto highest = std::max(row.highest, row.kernel_highest);
    return is_choice(row) ? std::string(row.choices)
                          : "<" + std::to_string(row.lowest) + "-" + std::to_string(highest) + ">";
}

Codec codec_of(const FileRow& row) {
    return is_choice(row) ? Codec::choice : Codec::line;
}

KernelAttribute attribute(const FileFacts& facts) {
    return {facts.path, codec_of(facts.row)};
}

Result<Choices> parse(const FileFacts& facts, std::string_view text) {
    if (is_choice(facts.row)) {
        return parse_choice(facts.path, text);
    }
    const auto value = parse_number(trim(text));
    return value ? Result(Choices{number(*value), {}})
                 : garbled(facts.path, "is no number: " + quoted_value(trim(text)));
}

void explain(const FileFacts& facts, const Choices& content, Assessment& row) {
    row.next_step = "echo " + *row.want + " | sudo tee " + facts.path;
    if (is_choice(facts.row) && !content.offers(*row.want)) {
        row.detail = "this kernel offers " + join(content.offered, ", ") + " only";
        row.next_step = "want one of those";
        row.change.reset();
    } else if (facts.row.explain != nullptr) {
        row.detail = facts.row.explain(row);
    }
}

Assessment absent(const FileFacts& facts, const std::string& want) {
    auto row = no_target(std::string(facts.row.without));
    if (facts.row.absent_is && *facts.row.absent_is != want) {
        row.outcome = Outcome::differs;
        row.want = want;
        row.next_step = "boot a kernel that has it; ls " + facts.path;
    }
    return row;
}

Assessment judge_file(const FileFacts& facts, const Fs& fs, const std::string& want) {
    const auto text = fs.read(facts.path);
    if (text.is(ErrorKind::not_here) && exists(fs, facts.folder)) {
        return absent(facts, want);
    }
    const auto content = text ? parse(facts, *text) : text.error();
    if (!content) {
        return unreadable({}, content.error(), want);
    }
    auto row = compared({}, want, content->value);
    row.change = word_change(attribute(facts), want);
    if (row.outcome == Outcome::differs) {
        explain(facts, *content, row);
    }
    return row;
}

std::vector<Assessment> assess_file(const Setting& setting, const Context& context,
                                    const Want& want) {
    return {judge_file(*setting.row.file, context.fs(), plain_text(want.value))};
}

Keeping keeping_of_file(const Setting& setting, const Want& want) {
    const auto& facts = *setting.row.file;
    const std::string value = plain_text(want.value);
    Keeping out;
    if (facts.row.path.empty()) {
        out.sysctl = {name_of(facts.row) + " = " + value};
    } else {
        out.tmpfiles = {"w " + facts.path + " - - - - " + value};
    }
    return out;
}

std::vector<Baseline> baseline_of_file(const Setting& setting, const Context& context) {
    const auto& facts = *setting.row.file;
    const auto text = context.fs().read(facts.path);
    if (text.is(ErrorKind::not_here)) {
        return {};
    }
    const auto content = text ? parse(facts, *text) : text.error();
    if (!content) {
        return {{{}, "", content.error()}};
    }
    if (is_choice(facts.row)) {
        return {{{}, content->value, word_change(attribute(facts), content->value)}};
    }
    return {{{}, content->value, text_back(attribute(facts), std::string(trim(*text)), *text)}};
}

Setting setting_of(const FileFacts& facts) {
    const auto& row = facts.row;
    const Form form =
        is_choice(row)
            ? Form{.kind = FormKind::any_word}
            : Form{.kind = FormKind::integer, .lowest = row.lowest, .highest = row.highest};
    return {.info = {.id = row.id,
                     .summary = row.summary,
                     .why = row.why,
                     .source = row.source,
                     .target = "system",
                     .read_from = facts.path,
                     .set_by = facts.set_by,
                     .next_step = facts.next_step,
                     .persist = facts.persist,
                     .risk_note = row.risk_note,
                     .risk = Risk::low,
                     .over_cluster = OverCluster::equal,
                     .forms = {form},
                     .places = {&facts.place, 1}},
            .assess = assess_file,
            .baseline = baseline_of_file,
            .keeping = keeping_of_file,
            .row = {.file = &facts}};
}

}  // namespace

FileFacts::FileFacts(const FileRow& declared)
    : row(declared),
      path(path_of(row)),
      folder(row.folder.empty() ? path.substr(0, path.rfind('/')) : std::string(row.folder)),
      set_by((is_choice(row) ? "writes the word to " : "writes the number to ") + path),
      next_step("echo " + std::string(row.usual) + " | sudo tee " + path),
      persist(persist_of(row)),
      bytes(bytes_of(row)),
      place{path, codec_of(row), bytes} {}

FileTable::FileTable(std::span<const FileRow> rows) : facts_(rows.begin(), rows.end()) {
    for (const auto& facts : facts_) {
        settings_.push_back(setting_of(facts));
    }
}

}  // namespace rocenv
