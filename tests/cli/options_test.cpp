// SPDX-License-Identifier: MIT
#include "cli/options.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "cli/command_texts.h"
#include "cli/commands.h"
#include "cli/option_tree.h"
#include "rocenv/words.h"
#include "support/catch.h"
#include "transaction/set.h"
#include "util/text.h"

namespace options_test {

namespace {

using namespace rocenv;

Parsed parse(std::vector<const char*> words) {
    words.insert(words.begin(), "rocenv");
    return parse_options(static_cast<int>(words.size()), words.data());
}

// The options of one command.
template <typename Each>
Each parsed_as(std::vector<const char*> words) {
    const auto parsed = parse(std::move(words));
    REQUIRE(parsed.options);
    return std::get<Each>(*parsed.options);
}

using Texts = std::vector<std::string>;

TEST_CASE("Options of set become its request", "[options]") {
    const auto options =
        parsed_as<SetOptions>({"set", "-p", "host", "--allow", "pci.acs,gpu.*", "--allow",
                               "cpu.idle", "--hold", "a", "--hold", "job-17", "--dry-run",
                               "--ignore-match", "--state", "/s", "--gpu-backend", "rsmi"});
    CHECK(options.write.state == "/s");
    CHECK(options.write.gpu_backend == GpuBackend::rsmi);
    const auto& request = options.request;
    CHECK(request.check.profiles == Texts{"host"});
    CHECK(request.check.ignore_match);
    CHECK(request.allow == Texts{"pci.acs", "gpu.*", "cpu.idle"});
    CHECK(request.hold == "job-17");
    CHECK(request.dry_run);
}

TEST_CASE("Options of reset become its request", "[options]") {
    const auto request =
        parsed_as<ResetOptions>({"reset", "--keep", "cpu.*,pci.acs", "--force", "--to-defaults",
                                 "--hold", "slurm:17@n_1.x", "--sysroot", "m"})
            .request;
    CHECK(request.keep == Texts{"cpu.*", "pci.acs"});
    CHECK(request.force);
    CHECK(request.to_defaults);
    CHECK_FALSE(request.dry_run);
    CHECK(request.hold == "slurm:17@n_1.x");
    CHECK(request.root == "m");
}

TEST_CASE("What run asks of a set is what set would ask", "[options]") {
    const auto run =
        parsed_as<RunOptions>({"run", "--tune", "-p", "host", "--want", "env.A=1", "--only",
                               "gpu.*", "--allow", "pci.acs", "--sysroot", "m", "--no-site",
                               "--waivers", "w", "--no-waivers", "--", "a"})
            .request;
    const auto set = parsed_as<SetOptions>({"set", "-p", "host", "--want", "env.A=1", "--only",
                                            "gpu.*", "--allow", "pci.acs", "--sysroot", "m",
                                            "--no-site", "--waivers", "w", "--no-waivers"})
                         .request;
    CHECK(run.check.no_site);
    CHECK(set.check.no_site);
    CHECK(run.check.waivers == "w");
    CHECK(set.check.waivers == "w");
    CHECK(run.check.no_waivers);
    CHECK(set.check.no_waivers);
    CHECK(run.check.profiles == set.check.profiles);
    CHECK(run.check.overrides == set.check.overrides);
    CHECK(run.check.only == set.check.only);
    CHECK(run.check.root == set.check.root);
    CHECK(run.allow == set.allow);
    CHECK(run.dry_run == set.dry_run);
}

TEST_CASE("A file of variables is asked for with its filter", "[options]") {
    const auto file = parsed_as<CheckOptions>({"check", "--env-file", "f"}).request;
    CHECK(file.env_files == Texts{"f"});
    CHECK(file.only.empty());
    const auto asked = parsed_as<CheckOptions>({"check", "--pid", "1", "--only", "env.A"}).request;
    CHECK(asked.only == Texts{"env.A"});
    const auto all = parsed_as<CheckOptions>({"check", "--scope", "all"}).request;
    CHECK(all.all_scopes);
    CHECK_FALSE(all.scope);
}

// Checks the formats among the options of one command.
template <typename Each>
void check_words(const std::string& command) {
    const auto words = format_words<std::remove_cvref_t<decltype(*Each().print.format)>>();
    CHECK_FALSE(words.empty());
    for (const auto& word : words) {
        CAPTURE(word);
        const auto options = parsed_as<Each>({command.c_str(), "--format", word.c_str()});
        CHECK(options.print.format->word == word);
    }
    CHECK(parsed_as<Each>({command.c_str()}).print.format->word == words.front());
}

TEST_CASE("Every word of a format is taken as that format, and no other is", "[options]") {
    check_words<CheckOptions>("check");
    check_words<SetOptions>("set");
    check_words<TopoOptions>("topo");
    check_words<EnvOptions>("env");
    check_words<FleetOptions>("fleet");
    const auto parsed = parse({"check", "--format", "svg"});
    CHECK_FALSE(parsed.options);
    CHECK(parsed.output.err.starts_with(
        "rocenv: invalid value 'svg' for --format: expected human, json"));
    CHECK_FALSE(parse({"check", "--format", ""}).options);
    CHECK(format_named<BindFormat>("") == nullptr);
    CHECK(format_named<BindFormat>("taskset")->word == "taskset");
}

TEST_CASE("Options of all commands may stand before the command", "[options]") {
    const auto check = parsed_as<CheckOptions>(
        {"--sysroot", "m", "--color=never", "-q", "--deadline", "7", "check", "--strict"});
    CHECK(check.machine.sysroot == "m");
    CHECK(check.request.root == "m");
    CHECK(check.print.colour == UseColour::never);
    CHECK(check.print.quiet);
    CHECK(check.machine.patience.deadline_seconds == 7);
    CHECK(check.request.strict);
    const auto list = parsed_as<ProfileListOptions>({"--json", "profile", "list", "-v"});
    CHECK(list.print.format->word == "json");
    CHECK(list.print.verbose);
    CHECK(parse({"-v", "set", "-p", "host"}).command_line == "rocenv -v set -p host");
    CHECK(parse({"--format", "nagios", "check", "--bogus"}).words.front() == "check");
    const auto run = parsed_as<RunOptions>({"--timeout", "1", "run", "--", "a", "--json"});
    CHECK(run.program == Texts{"a", "--json"});
    CHECK_FALSE(parse({"-p", "host", "check"}).options);
    CHECK_FALSE(parse({"--json"}).options);
    CHECK_FALSE(parse({"--sysroot"}).options);
}

TEST_CASE("All global options are options of check, with values as the table says", "[options]") {
    const auto texts = all_texts();
    const auto check = std::find_if(texts.begin(), texts.end(),
                                    [](const CommandText& each) { return each.name == "check"; });
    REQUIRE(check != texts.end());
    for (const auto& global : global_options()) {
        CAPTURE(global.name);
        const auto found = std::find_if(
            check->options.begin(), check->options.end(),
            [&](const OptionText& option) { return option.names.back() == global.name; });
        REQUIRE(found != check->options.end());
        CHECK(found->value.empty() != global.has_value);
        const std::string letter = found->names.size() > 1 ? found->names.front() : "- ";
        CHECK(letter == std::string("-") + global.letter);
    }
}

TEST_CASE("Short options stand for long ones", "[options]") {
    CHECK(parsed_as<CheckOptions>({"check", "-o", "f"}).output == "f");
    CHECK(parsed_as<SetOptions>({"set", "-n", "-p", "host"}).request.dry_run);
    CHECK(parsed_as<ResetOptions>({"reset", "-n"}).request.dry_run);
    CHECK(parsed_as<TopoOptions>({"topo", "--json"}).print.format->word == "json");
    CHECK(parsed_as<EnvOptions>({"env", "--json"}).print.format->word == "json");
    CHECK(parse({"-V"}).output.out.starts_with("rocenv "));
    CHECK(parse({"check", "-V"}).output.out.starts_with("rocenv "));
    CHECK_FALSE(parse({"record", "--json"}).options);
    CHECK(parse({"check", "--json", "--format", "brief"})
              .output.err.starts_with("rocenv: --format and --json exclude each other\n"));
}

// Parses what stands behind "rocenv" in an example, up to a pipe or a redirection.
Parsed parse_example(std::string_view line) {
    std::string text(line.substr(line.find("rocenv ") + 7));
    text = text.substr(0, text.find_first_of("|>"));
    std::erase_if(text, [](char byte) { return byte == '\'' || byte == '"' || byte == ')'; });
    std::vector<std::string> parts;
    for (const auto word : words(text)) {
        parts.emplace_back(word);
    }
    std::vector<const char*> given;
    given.reserve(parts.size());
    for (const auto& part : parts) {
        given.push_back(part.c_str());
    }
    return parse(std::move(given));
}

TEST_CASE("Each command has a summary and examples that parse", "[options]") {
    std::vector<std::string> offered;
    for (const auto& command : all_texts()) {
        CAPTURE(command.name);
        offered.push_back(command.name);
        CHECK_FALSE(command.summary.empty());
        CHECK(command.examples.empty() == command.is_group);
        for (const auto& example : command.examples) {
            CAPTURE(example.line);
            const auto parsed = parse_example(example.line);
            INFO(parsed.output.err);
            CHECK(parsed.options);
        }
    }
    Texts listed;
    for (const auto& row : command_rows()) {
        listed.emplace_back(row.name);
    }
    CHECK(offered == listed);
}

TEST_CASE("Help fits into 80 columns and has no old words", "[options]") {
    Texts helps{program_help()};
    for (const auto& command : all_texts()) {
        helps.push_back(command_help(command));
    }
    for (const auto& help : helps) {
        for (const auto line : split(help, '\n')) {
            CAPTURE(line);
            CHECK(line.size() <= 80);
        }
        for (const char* phrase : {"as wanted", "stands out", "stand out", "though", "nobody",
                                   "somebody", "all there are", "what there is", "anew", "taken"}) {
            CAPTURE(phrase, help);
            CHECK(help.find(phrase) == std::string::npos);
        }
    }
}

TEST_CASE("A holder's name is 1 to 64 plain characters", "[options]") {
    const std::string longest(64, 'x');
    CHECK(parse({"set", "--hold", longest.c_str()}).options);
    const std::string longer(65, 'x');
    for (const char* name : {"", " ", "a b", "a/b", "ä", "a,b", longer.c_str()}) {
        CAPTURE(name);
        const auto parsed = parse({"set", "--hold", name});
        CHECK_FALSE(parsed.options);
        CHECK(parsed.output.exit_code == 2);
    }
}

TEST_CASE("The command line can be pasted as it was called", "[options]") {
    CHECK(parse({"set", "-p", "host", "--only", "gpu.*", "--want", "env.A=it's"}).command_line ==
          R"(rocenv set -p host --only 'gpu.*' --want 'env.A=it'\''s')");
}

SetResult ended(int exit_code, const char* error, const char* result) {
    SetResult out;
    out.report.command = "reset";
    out.report.exit_code = exit_code;
    out.report.result = result;
    if (*error != '\0') {
        out.errors = {error};
    }
    return out;
}

TEST_CASE("Bad usage prints no report, other errors keep their status", "[options]") {
    const auto usage = set_output({}, DryRun::no, ended(0, "no such setting", ""), {});
    CHECK(usage.exit_code == 2);
    CHECK(usage.out.empty());
    CHECK(usage.err == "rocenv: no such setting\n");
    const auto early = set_output({}, DryRun::no, ended(3, "no journal", ""), {});
    CHECK(early.exit_code == 3);
    CHECK(early.out.empty());
    const auto stuck = set_output({}, DryRun::no, ended(5, "a disk is full", "failed"), {});
    CHECK(stuck.exit_code == 5);
    CHECK(stuck.out.starts_with("FAIL  reset: not everything could be restored\n"));
    CHECK(set_output({}, DryRun::no, ended(1, "", "ok"), {}).exit_code == 1);
}

TEST_CASE("Quiet still names on stderr what failed", "[options]") {
    auto result = ended(5, "", "failed");
    result.report.findings.resize(1);
    result.report.findings[0].id = "cpu.governor";
    result.report.findings[0].target = "policy0";
    result.report.findings[0].outcome = Outcome::failed;
    result.report.findings[0].detail = "is ondemand";
    PrintOptionsIn<SetFormat> quiet;
    quiet.quiet = true;
    const auto output = set_output(quiet, DryRun::no, result, {});
    CHECK(output.out.empty());
    CHECK(output.err == "rocenv: cpu.governor on policy0 failed: is ondemand\n");
    result.report.findings[0].outcome = Outcome::differs;
    result.report.findings[0].put_back = PutBack::not_tried;
    result.report.findings[0].have = "ondemand";
    result.report.findings[0].detail = "someone else's";
    CHECK(set_output(quiet, DryRun::no, result, {}).err ==
          "rocenv: cpu.governor on policy0 could not be restored: its value is ondemand: someone "
          "else's\n");
}

}  // namespace

}  // namespace options_test
