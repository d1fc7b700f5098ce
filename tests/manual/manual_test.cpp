// SPDX-License-Identifier: MIT
// The manual's pages and their prose, and what roff makes of texts.
#include <algorithm>
#include <set>

#include "cli/candidates.h"
#include "cli/options.h"
#include "help/explain/vocabulary.h"
#include "help/manual/pages.h"
#include "help/manual/prose.h"
#include "help/manual/render.h"
#include "profile/profile.h"
#include "settings/registry.h"
#include "support/catch.h"
#include "variables/catalogue.h"

namespace manual_test {

namespace {

using namespace rocenv;

std::vector<CommandText> commands() {
    const char* const words[] = {"rocenv", "help"};
    return std::get<HelpOptions>(*parse_options(2, words).options).commands;
}

std::string printed(const std::string& topic) {
    const auto page = Manual(commands()).page(topic);
    return page ? render_page_human(*page, Colour::no) : page.error().text;
}

bool holds(const std::string& text, std::string_view part) {
    return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("manual: a topic may be written as people write pages") {
    const Manual manual(commands());
    for (const char* topic : {"check", "rocenv-check", "check.1", "check(1)", "rocenv-check(1)"}) {
        INFO(topic);
        const auto page = manual.page(topic);
        REQUIRE(page);
        CHECK(page->title.name == "rocenv-check");
    }
    CHECK(manual.page("profile")->title.section == 1);
    CHECK(manual.page("profile.5")->title.section == 5);
    CHECK(manual.page("profiles")->title.section == 5);
    CHECK(manual.page("rocenv")->title.name == "rocenv");
    CHECK(holds(printed("chekc"), "Did you mean 'check'?"));
    CHECK(holds(printed("pci.acss"), "Did you mean 'pci.acs'?"));
    CHECK(holds(printed("NCCL_DEBGU"), "Did you mean 'NCCL_DEBUG'?"));
    CHECK(holds(printed("check.7"), "unknown topic 'check.7'"));
    CHECK_FALSE(manual.page(""));
}

TEST_CASE("manual: each setting, variable and status is told where it belongs") {
    const std::string settings = printed("settings");
    for (const Setting* setting : all_settings()) {
        const Info& info = setting->info;
        INFO(info.id);
        CHECK(holds(settings,
                    "\n  " + std::string(info.id == "env." ? "kernel.thp" : info.id) + "\n"));
        CHECK((info.id == "env." || holds(printed(std::string(info.id)), "accepts")));
    }
    const std::string variables = printed("variables");
    for (const auto& name : catalogued_names()) {
        INFO(name);
        CHECK(holds(variables, "\n  " + name));
    }
    CHECK(holds(printed("NCCL_DEBUG"), "NCCL_DEBUG"));
    CHECK(holds(printed("env.NCCL_DEBUG"), "NCCL_DEBUG"));
    CHECK(holds(printed("mi300x"), "MI300X node"));
    const std::string statuses = printed("exit-status");
    for (const auto& row : status_meanings()) {
        INFO(row.command);
        CHECK(holds(statuses, row.command));
    }
}

TEST_CASE("manual: each command has statuses, and each status a command") {
    std::set<std::string> with;
    for (const auto& row : status_meanings()) {
        with.insert(std::string(row.command.substr(0, row.command.find(" --"))));
    }
    std::set<std::string> offered;
    for (const auto& command : commands()) {
        if (!command.is_group) {
            offered.insert(command.name);
        }
    }
    CHECK(with == offered);
}

TEST_CASE("manual: prose is about commands and pages that are there") {
    const auto titles = Manual(commands()).titles();
    std::set<std::string> topics{"profile.5"};
    for (const auto& title : titles) {
        topics.insert(title.name == "rocenv" ? title.name : title.name.substr(7));
    }
    bool literal = false;
    for (std::size_t at = 0; at < manual_text.size();) {
        const auto end = std::min(manual_text.find('\n', at), manual_text.size());
        const auto line = manual_text.substr(at, end - at);
        literal = line.starts_with("```") ? !literal : literal;
        if (!literal && line.starts_with("# ")) {
            INFO(line);
            CHECK(topics.count(std::string(line.substr(2))) == 1);
        }
        at = end + 1;
    }
    for (const auto& topic : topics) {
        INFO(topic);
        CHECK_FALSE(prose_of(topic).empty());
    }
}

TEST_CASE("prose: Markdown becomes blocks") {
    const auto blocks = prose_in(
        "# a\nnot this\n# b\n\nOne `two`\nand [three](x.md#y).\n\n- point\n  goes on\n- next\n\n"
        "1. first\n\n| k | v | w |\n|---|---|---|\n| `x` | a \\| b | c |\n\n```sh\n# no topic\n\n"
        "$ y\n```\n\n## Part\n### Below\n<!-- nothing -->\nlast\n# c\nnor this\n",
        "b");
    std::vector<std::string> got;
    got.reserve(blocks.size());
    for (const auto& block : blocks) {
        got.push_back(std::to_string(static_cast<int>(block.kind)) + "|" + block.term + "|" +
                      block.text);
    }
    const auto kind = [](BlockKind each) { return std::to_string(static_cast<int>(each)); };
    CHECK(got == std::vector<std::string>{
                     kind(BlockKind::paragraph) + "||One `two` and three.",
                     kind(BlockKind::bullet) + "||point goes on",
                     kind(BlockKind::bullet) + "||next", kind(BlockKind::bullet) + "|1.|first",
                     kind(BlockKind::item) + "|`x`|a | b; c",
                     kind(BlockKind::literal) + "||# no topic\n\n$ y\n",
                     kind(BlockKind::section) + "||Part", kind(BlockKind::subsection) + "||Below",
                     kind(BlockKind::paragraph) + "||last"});
    CHECK(prose_in("# a\ntext\n", "b").empty());
}

TEST_CASE("roff: nothing in a text is a request, an escape or a macro") {
    CHECK(roff_lines(".Sh no\n'br no") == "\\&.Sh no 'br no\n");
    CHECK(roff_lines("a\\b `c-d` … \"e\"") == "a\\eb \\fBc\\-d\\fP \\[u2026] \\(dqe\\(dq\n");
    CHECK(roff_lines("One. Two (three.) Four") == "One.\nTwo (three.)\nFour\n");
    CHECK(roff_lines("see rocenv-check(1), and rocenv(1).") ==
          "see\n.Xr rocenv-check 1 ,\nand\n.Xr rocenv 1 .\n");
    CHECK(roff_words("Nm , env") == "\\&Nm \\&, env");
    const std::string many(400, 'x');
    const std::string lines = roff_lines("a " + many + " " + std::string(100, '.') + " b");
    CHECK(holds(lines, "\n" + many + "\n\\&..."));
    const Page page{{"rocenv-a", 7, "It's"},
                    {{BlockKind::section, "OPTIONS"},
                     {BlockKind::option, "Says.", "-p, --profile PROFILE ..."},
                     {BlockKind::option, "Says.", "--check[=warn]"},
                     {BlockKind::literal, ".a\n"}}};
    const std::string source = render_page_mdoc(page, "2026-11-02");
    CHECK(holds(source, ".Dd November 2, 2026\n.Dt ROCENV-A 7\n.Os\n.Sh NAME\n.Nm rocenv-a\n"));
    CHECK(holds(source, ".It Fl p , Fl \\-profile Ar PROFILE ...\n"));
    CHECK(holds(source, ".It Fl \\-check Ns Op =warn\n"));
    CHECK(holds(source, ".El\n.Bd -literal -offset indent\n\\&.a\n.Ed\n"));
}

TEST_CASE("completion: the types of all options and arguments are known to it") {
    for (const auto& command : commands()) {
        for (const auto& option : command.options) {
            INFO(command.name << " " << option.names.front() << " " << option.value);
            const bool by_name = option.is_positional && option.value.empty();
            const std::string& type = by_name ? option.names.front() : option.value;
            CHECK((type.empty() || option.value_may_miss || has_values_of(type)));
        }
    }
}

namespace {

std::string offered(const std::vector<std::string>& line) {
    static const auto all = commands();
    const auto found = candidates_for(all, line, [] {
        return std::vector<std::string>{"host", "mi300x"};
    });
    std::string out;
    for (const auto& each : found.words) {
        out += (out.empty() ? "" : " ") + each.word;
    }
    constexpr const char* signs[] = {"", " +files", " +folders", " +programs"};
    return out + signs[static_cast<int>(found.besides)];
}

}  // namespace

TEST_CASE("completion: what may stand at the end of a line") {
    CHECK(offered({"che"}) == "check");
    CHECK(offered({"--v"}) == "--verbose --version");
    CHECK(offered({"profile", ""}) == "list show lint diff learn");
    CHECK(offered({"profile", "show", "mi"}) == "mi300x +files");
    CHECK(offered({"check", "--form"}) == "--format");
    CHECK(offered({"check", "--format", "js"}) == "json jsonl");
    CHECK(offered({"check", "--format=js"}) == "--format=json --format=jsonl");
    CHECK(offered({"check", "-p", "h"}) == "host +files");
    CHECK(offered({"check", ""}).empty());
    CHECK(offered({"check", "--only", "kernel.nmi"}) == "kernel.nmi_watchdog");
    CHECK(offered({"check", "--only", "pci.acs,kernel.nmi"}) == "pci.acs,kernel.nmi_watchdog");
    CHECK(offered({"check", "--only=pci.acs,kernel.nmi"}) == "--only=pci.acs,kernel.nmi_watchdog");
    CHECK(offered({"check", "--skip", "env.NCCL_MIN_NCH"}) == "env.NCCL_MIN_NCHANNELS");
    CHECK(offered({"check", "--skip", "en"}) == "env.");
    CHECK(offered({"check", "--want", "kernel.nmi"}) == "kernel.nmi_watchdog=");
    CHECK(offered({"explain", "NCCL_MIN_NCHAN"}) == "NCCL_MIN_NCHANNELS");
    CHECK(offered({"explain", "unsa"}) == "unsafe");
    CHECK(offered({"help", "exit"}) == "exit-status");
    CHECK(offered({"help", "profile"}) == "profile profile.5");
    CHECK(offered({"occupancy", "--arch", "gfx94"}) == "gfx942");
    CHECK(offered({"env", "--assume", "torc"}) == "torch=");
    CHECK(offered({"set", "--state", ""}) == " +folders");
    CHECK(offered({"fleet", ""}) == " +files");
    CHECK(offered({"run", "-p", "host", "--", ""}) == " +programs");
    CHECK(offered({"run", "--check=wa"}) == "--check=warn");
    CHECK(offered({"completion", "z"}) == "zsh");
    CHECK(offered({"check", "--js"}) == "--json");
    CHECK(offered({"set", "--dry"}) == "--dry-run");
    CHECK(offered({"--js"}) == "--json");
    CHECK(offered({"--sysroot", ""}) == " +files");
    CHECK(offered({"--color", "al"}) == "always");
    CHECK(offered({"--color=al"}) == "--color=always");
    CHECK(offered({"-q", "--color", "never", "che"}) == "check");
    CHECK(offered({"-q", "--color", "never", "check", "--str"}) == "--strict");
    CHECK(offered({"--json", "profile", "sh"}) == "show");
    CHECK(offered({"--json", "profile", "diff", "h"}) == "host +files");
    CHECK(offered({"nothing", ""}).starts_with("check explain topo"));
    CHECK(offered({}).starts_with("check explain topo"));
}

}  // namespace manual_test
