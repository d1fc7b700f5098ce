// SPDX-License-Identifier: MIT
// Results of a search for words, facts shown about them on a small machine, and facts never shown.
#include "help/explain/explain.h"

#include <algorithm>

#include "help/explain/explainers.h"
#include "help/explain/render.h"
#include "help/explain/topics.h"
#include "help/explain/vocabulary.h"
#include "os/fs/memory_fs.h"
#include "profile/profile_diff.h"
#include "settings/registry.h"
#include "support/catch.h"
#include "util/exit_status.h"
#include "util/text.h"
#include "variables/catalogue.h"

namespace rocenv::explain_test {

namespace {

struct Scene {
    MemoryFs fs;
    Process process;
    ExplainRequest request;

    Scene() {
        fs.add_file("/opt/rocm/.info/version", "6.2.0-66\n");
        fs.add_file("/proc/sys/kernel/numa_balancing", "1\n");
        fs.add_file("/proc/sys/kernel/nmi_watchdog", "1\n");
    }

    Explanations of(std::vector<std::string> words) {
        request.words = std::move(words);
        return explain(request, fs, fs, process);
    }

    std::string printed(std::vector<std::string> words, Detail detail = Detail::normal) {
        return render_explain_human(of(std::move(words)), detail, Colour::no);
    }
};

bool holds(const std::string& text, std::string_view part) {
    return text.find(part) != std::string::npos;
}

std::string only_unknown(const Explanations& found) {
    return found.unknown.size() == 1 && found.all.empty() ? found.unknown.front().says : "(known)";
}

const SettingExplanation& setting_in(const Explanations& found) {
    REQUIRE(found.all.size() == 1);
    return std::get<SettingExplanation>(found.all.front());
}

}  // namespace

TEST_CASE("explain: a setting by name, its value here by the profile and without one") {
    Scene scene;
    const Explanations judged = scene.of({"kernel.numa_balancing"});
    const SettingHere& here = setting_in(judged).here;
    CHECK(here.judged);
    CHECK(here.profiles == std::vector<std::string>{"host"});
    REQUIRE(here.findings.size() == 1);
    CHECK(here.findings.front().have == "1");
    CHECK(here.findings.front().expected == "0");

    const Explanations read = scene.of({"kernel.nmi_watchdog"});
    CHECK_FALSE(setting_in(read).here.judged);
    REQUIRE(setting_in(read).here.findings.size() == 1);
    CHECK(setting_in(read).here.findings.front().have == "1");
    CHECK(setting_in(read).here.findings.front().expected == std::nullopt);
}

TEST_CASE("explain: what asks firmware is read only where a profile names it") {
    Scene scene;
    CHECK(holds(setting_in(scene.of({"gpu.ras"})).here.not_read, "-p acceptance"));
    scene.request.check.profiles = {"acceptance"};
    CHECK(setting_in(scene.of({"gpu.ras"})).here.not_read.empty());
}

TEST_CASE("explain: every setting, profile and word by its name, every variable in a list") {
    Scene scene;
    std::vector<std::string> words;
    for (const auto& id : known_ids()) {
        if (!id.starts_with("env.")) {
            words.push_back(id);
        }
    }
    for (const auto& name : ProfileStore(scene.fs, scene.process).names()) {
        words.push_back(name);
    }
    for (const auto& word : vocabulary()) {
        words.emplace_back(word.word);
    }
    const Explanations found = scene.of(words);
    CHECK(found.errors == std::vector<std::string>{});
    CHECK(found.unknown.empty());
    CHECK(found.all.size() == words.size());

    const Explanations listed = scene.of({"env.*"});
    CHECK(listed.listed);
    CHECK(listed.all.size() == catalogued_names().size());
}

TEST_CASE("explain: the words of reports are all there") {
    const auto has = [](std::string_view kind, std::string_view word) {
        const auto all = vocabulary();
        return std::any_of(all.begin(), all.end(), [&](const WordExplanation& each) {
            return each.kind == kind && each.word == word;
        });
    };
    for (int at = 0; at <= static_cast<int>(Outcome::failed); ++at) {
        CHECK(has("outcome", word_of(static_cast<Outcome>(at))));
    }
    for (int at = 0; at <= static_cast<int>(Reason::error); ++at) {
        CHECK(has("reason", word_of(static_cast<Reason>(at))));
    }
    for (int at = 0; at <= static_cast<int>(Level::required); ++at) {
        CHECK(has("level", word_of(static_cast<Level>(at))));
    }
    for (const int status : {exit_ok, exit_differs, exit_usage, exit_unknown, exit_rolled_back,
                             exit_stuck, exit_refused, exit_cannot_start, exit_not_found}) {
        CHECK(has("status", std::to_string(status)));
    }
}

TEST_CASE("explain: what profiles want of an id is what they resolve to") {
    Scene scene;
    const ProfileStore store(scene.fs, scene.process);
    ProfileUses uses(store, 1000);
    for (const auto& name : store.names()) {
        const Resolved resolved = resolve(store, {name}, {});
        for (const auto& expectation : resolved.expectations) {
            INFO(name << " " << expectation.id);
            const auto found = uses.expectation_of(name, expectation.id);
            REQUIRE(found);
            CHECK(expected_text(*found) == expected_text(expectation));
            CHECK(found->level == expectation.level);
            CHECK(found->when == expectation.when);
        }
        CHECK(uses.expectation_of(name, "env.NOBODY_WANTS_THIS") == std::nullopt);
    }
}

std::string printed_uses(ProfileUses& uses, const std::string& id) {
    std::string out;
    for (const auto& use : uses.of(id)) {
        out += use.value + (use.is_unset ? " unset " : " ") +
               number(static_cast<std::size_t>(use.level)) + " " + join(use.profiles, ",") + "\n";
    }
    return out;
}

TEST_CASE("explain: what profiles want of one id is the same whether or not they are read whole") {
    Scene scene;
    scene.fs.add_file("/etc/rocenv/profiles/mine.toml",
                      "[profile]\nname = \"mine\"\nsummary = \"S\"\nextends = [\"rccl\"]\n"
                      "[env]\nNCCL_DEBUG = \"WARN\"\n");
    const ProfileStore store(scene.fs, scene.process);
    ProfileUses of_all(store, 1000);
    ProfileUses of_one(store, 1);
    CHECK(of_one.extending("rccl") == of_all.extending("rccl"));
    for (const std::string id : {"env.NCCL_DEBUG", "env.NCCL_MIN_NCHANNELS", "pci.acs", "env.NCCL",
                                 "env.HIP_FORCE_DEV_KERNARG", "kernel.numa_balancing"}) {
        INFO(id);
        CHECK(printed_uses(of_one, id) == printed_uses(of_all, id));
        CHECK(of_one.extending("rccl") == of_all.extending("rccl"));
    }
    CHECK(printed_uses(of_one, "env.NCCL_DEBUG").find("mine") != std::string::npos);
}

TEST_CASE("explain: what nobody knows is said to be in no catalogue, with the nearest name") {
    Scene scene;
    CHECK(only_unknown(scene.of({"NCCL_DEBUGS"})) == "not in this catalogue (facts of " +
                                                         std::string(facts_date()) +
                                                         "). Did you mean 'NCCL_DEBUG'?");
    CHECK(holds(only_unknown(scene.of({"nccl_debug"})), "Did you mean 'NCCL_DEBUG'?"));
    CHECK(holds(only_unknown(scene.of({"pci.acss"})), "Did you mean 'pci.acs'?"));
    CHECK(holds(only_unknown(scene.of({"NCCL_WHATEVER_THIS_IS"})), "read by NCCL and RCCL"));
    CHECK(holds(only_unknown(scene.of({"*nothing*"})), "matches no setting"));
    CHECK(holds(only_unknown(scene.of({"env.pci.acs"})), "not in this catalogue"));
    CHECK(holds(only_unknown(scene.of({std::string(5000, 'A')})), "not in this catalogue"));
}

TEST_CASE("explain: neither secrets nor what nobody knows is told") {
    Scene scene;
    scene.process.environment = {{"HF_TOKEN", "hush"}, {"MY_NAME", "hush"}, {"NCCL_FOO", "hush"}};
    for (const bool only_set : {false, true}) {
        scene.request.only_set = only_set;
        for (const auto detail : {Detail::normal, Detail::everything}) {
            const Explanations found = scene.of({"HF_TOKEN", "MY_NAME", "NCCL_FOO", "env.*"});
            CHECK_FALSE(holds(render_explain_human(found, detail, Colour::no), "hush"));
            CHECK_FALSE(holds(render_explain_json(found, "2026-11"), "hush"));
            CHECK(found.unknown.size() == 2);
        }
    }
    scene.request.only_set = false;
    CHECK(holds(scene.printed({"HF_TOKEN"}), "set; a secret, not checked"));
}

TEST_CASE("explain: a variable's value here and what its reader makes of it") {
    Scene scene;
    scene.process.environment = {{"PYTORCH_TUNABLEOP_ENABLED", "true"}};
    const std::string printed = scene.printed({"PYTORCH_TUNABLEOP_ENABLED"});
    CHECK(holds(printed, "true, read as false"));
    CHECK(holds(printed, "PyTorch TunableOp reads \"true\" as off; write 1 or 0"));
    scene.request.only_set = true;
    const Explanations set = scene.of({"PYTORCH_*"});
    CHECK(set.all.size() == 1);
    CHECK_FALSE(set.listed);
}

TEST_CASE("explain: contradictions that hold here are marked, and are no faults beside") {
    Scene scene;
    const auto holds_with = [&](const char* hipblaslt) {
        scene.process.environment = {{"PYTORCH_TUNABLEOP_ENABLED", "1"},
                                     {"PYTORCH_TUNABLEOP_ROCBLAS_ENABLED", "0"},
                                     {"PYTORCH_TUNABLEOP_HIPBLASLT_ENABLED", hipblaslt}};
        const Explanations found = scene.of({"PYTORCH_TUNABLEOP_ENABLED"});
        REQUIRE(found.all.size() == 1);
        const auto& about = std::get<VariableExplanation>(found.all.front());
        CHECK(about.here.state.faults.empty());
        return std::any_of(about.contradictions.begin(), about.contradictions.end(),
                           [](const Contradiction& each) { return each.holds; });
    };
    CHECK(holds_with("0"));
    CHECK_FALSE(holds_with("1"));
}

TEST_CASE("explain: a search finds what tells of it, --only and --skip choose among ids") {
    Scene scene;
    scene.request.search = "huge PAGES";
    const Explanations found = scene.of({});
    CHECK(found.all.size() >= 2);
    CHECK(found.listed);
    scene.request.check.only = {"kernel.thp"};
    CHECK(scene.of({}).all.size() == 1);
    scene.request.check.only.clear();
    scene.request.search = "no such thing anywhere";
    CHECK_FALSE(scene.of({}).unknown.empty());
}

TEST_CASE("explain: bad usage explains nothing") {
    Scene scene;
    CHECK_FALSE(scene.of({}).errors.empty());
    CHECK_FALSE(scene.of(std::vector<std::string>(1001, "ok")).errors.empty());
    scene.request.check.assume = {"no=1"};
    CHECK_FALSE(scene.of({"ok"}).errors.empty());
    scene.request.check.assume.clear();
    scene.request.check.profiles = {"nobody"};
    CHECK_FALSE(scene.of({"cpu.smt"}).errors.empty());
    CHECK(scene.of({"ok"}).errors.empty());
}

}  // namespace rocenv::explain_test
