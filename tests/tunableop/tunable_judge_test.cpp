// SPDX-License-Identifier: MIT
// Would PyTorch take a file here, and never a wrong yes.
#include <cerrno>
#include <map>
#include <random>
#include <sstream>
#include <string>
#include <vector>

#include "commands/tunableop/tunable.h"
#include "support/catch.h"
#include "support/tunable_node.h"
#include "util/text.h"

namespace tunable_judge_test {

namespace {

using namespace rocenv;

const TunableRow* row_of(const TunableJudgement& judgement, std::string_view name) {
    for (const auto& row : judgement.rows) {
        if (row.name == name) {
            return &row;
        }
    }
    return nullptr;
}

Outcome outcome_of(const TunableJudgement& judgement, std::string_view name) {
    const TunableRow* row = row_of(judgement, name);
    REQUIRE(row != nullptr);
    return row->outcome;
}

TEST_CASE("A file made by this stack is ok", "[tunable]") {
    const TunableNode node;
    const auto judgement = node.judge(tunable_text());
    INFO(judgement.sentence);
    CHECK(judgement.outcome == Outcome::ok);
    CHECK(judgement.rows.size() == 5);
    CHECK(judgement.sentence == "PyTorch would accept its 3 results");
}

struct ValueCase {
    const char* from;
    const char* to;
    const char* name;  // name of the row that differs
};

TEST_CASE("One value that is not this stack's is named", "[tunable]") {
    const TunableNode node;
    const ValueCase cases[] = {
        {"2.7.1", "2.7.0", "PT_VERSION"},
        {"2.7.1", "2.7.1+rocm7.2", "PT_VERSION"},
        {"7.2.0.0-43", "7.2.0.0-44", "ROCM_VERSION"},
        {"7.2.0.0-43", "7.0.2.0-43", "ROCM_VERSION"},
        {"ROCM_VERSION,7.2.0.0-43-0a1b2c3d", "HIP_VERSION,700", "HIP_VERSION"},
        {"100201-4e5f60718", "100202-4e5f60718", "HIPBLASLT_VERSION"},
        {"100201-4e5f60718", "100201-000000000", "HIPBLASLT_VERSION"},
        {"100201-4e5f60718", "0.7.0-4e5f60718", "HIPBLASLT_VERSION"},
        {"gfx942:sramecc+:xnack-", "gfx90a:sramecc+:xnack-", "GCN_ARCH_NAME"},
        {"gfx942:sramecc+:xnack-", "gfx942:sramecc+:xnack+", "GCN_ARCH_NAME"},
        {"gfx942:sramecc+:xnack-", "gfx942", "GCN_ARCH_NAME"},
        {"5.2.0.4e5f60718", "5.1.0.4e5f60718", "ROCBLAS_VERSION"},
        {"5.2.0.4e5f60718", "5.2.0.4e5f60719", "ROCBLAS_VERSION"},
        {"5.2.0.4e5f60718", "", "ROCBLAS_VERSION"},
    };
    for (const auto& each : cases) {
        const auto judgement = node.judge(with(tunable_text(), each.from, each.to));
        INFO(each.to << ": " << judgement.sentence);
        CHECK(judgement.outcome == Outcome::differs);
        CHECK(outcome_of(judgement, each.name) == Outcome::differs);
        CHECK(judgement.sentence.find(each.name) != std::string::npos);
        CHECK(judgement.sentence.starts_with("PyTorch would discard it: "));
    }
}

TEST_CASE("The forms that older and newer releases write", "[tunable]") {
    TunableNode node;
    CHECK(node.judge(with(tunable_text(), "ROCM_VERSION,7.2.0.0-43-0a1b2c3d", "HIP_VERSION,702"))
              .outcome == Outcome::ok);
    CHECK(node.judge(with(tunable_text(), "100201-4e5f60718", "1.2.1-4e5f60718")).outcome ==
          Outcome::ok);
    CHECK(node.judge(with(tunable_text(), "5.2.0.4e5f60718", "5.2.0-4e5f60718")).outcome ==
          Outcome::ok);
}

TEST_CASE("The names of the validators must be PyTorch's", "[tunable]") {
    const TunableNode node;
    const auto extra = node.judge("Validator,CUDA_VERSION,12\n" + tunable_text());
    CHECK(outcome_of(extra, "CUDA_VERSION") == Outcome::differs);
    const auto both = node.judge("Validator,HIP_VERSION,702\n" + tunable_text());
    CHECK(both.outcome == Outcome::differs);
    for (const std::string name :
         {"PT_VERSION", "ROCM_VERSION", "GCN_ARCH_NAME", "HIPBLASLT_VERSION", "ROCBLAS_VERSION"}) {
        const auto judgement = node.judge(with(tunable_text(), "Validator," + name, "Validator,X"));
        INFO(name);
        CHECK(outcome_of(judgement, name) == Outcome::differs);
        CHECK_FALSE(row_of(judgement, name)->file);
    }
}

TEST_CASE("Before 2.7 a library that took no part is not named", "[tunable]") {
    TunableNode node;
    node.fs.add_file(TunableNode::site + "/torch/version.py", "__version__ = '2.5.1'\n");
    const std::string text = with(with(tunable_text(), "2.7.1", "2.5.1"),
                                  "Validator,HIPBLASLT_VERSION,100201-4e5f60718\n", "");
    const auto judgement = node.judge(text);
    CHECK(outcome_of(judgement, "HIPBLASLT_VERSION") == Outcome::unknown);
    CHECK(judgement.outcome == Outcome::unknown);
}

TEST_CASE("What cannot be found out is unknown, never ok", "[tunable]") {
    TunableNode node;
    SECTION("no PyTorch") {
        node.fs.remove(TunableNode::site + "/torch/version.py");
        node.fs.remove(TunableNode::site + "/torch");
        CHECK(outcome_of(node.judge(tunable_text()), "PT_VERSION") == Outcome::unknown);
    }
    SECTION("no GPU may be seen") {
        node.fs.add_error("/sys/class/kfd/kfd/topology/nodes", EACCES);
        CHECK(outcome_of(node.judge(tunable_text()), "GCN_ARCH_NAME") == Outcome::unknown);
    }
    SECTION("the driver does not say whether xnack is on") {
        node.fs.remove("/sys/module/amdgpu/parameters/noretry");
        CHECK(outcome_of(node.judge(tunable_text()), "GCN_ARCH_NAME") == Outcome::unknown);
        CHECK(node.judge(with(tunable_text(), "gfx942:sramecc+", "gfx942:sramecc-")).outcome ==
              Outcome::differs);
    }
    SECTION("two kinds of GPUs") {
        node.add_gpu(2, "90010");
        CHECK(outcome_of(node.judge(tunable_text()), "GCN_ARCH_NAME") == Outcome::unknown);
        CHECK(node.judge(with(tunable_text(), "gfx942", "gfx950")).outcome == Outcome::differs);
    }
    SECTION("PyTorch brings its own rocBLAS") {
        node.fs.add_file(TunableNode::site + "/torch/lib/librocblas.so", "");
        CHECK(outcome_of(node.judge(tunable_text()), "ROCBLAS_VERSION") == Outcome::unknown);
    }
    SECTION("PyTorch was built elsewhere, with another build of the same ROCm") {
        node.fs.add_file(TunableNode::site + "/torch/version.py",
                         "__version__ = '2.7.1+rocm7.2'\n");
        CHECK(node.judge(tunable_text()).outcome == Outcome::ok);
        const auto other = node.judge(with(tunable_text(), "7.2.0.0-43", "7.2.0.0-50"));
        CHECK(outcome_of(other, "ROCM_VERSION") == Outcome::unknown);
        const auto older = node.judge(with(tunable_text(), "7.2.0.0-43", "7.0.0.0-43"));
        CHECK(outcome_of(older, "ROCM_VERSION") == Outcome::differs);
    }
    SECTION("ROCm without headers tells its build all the same") {
        node.fs.remove("/opt/rocm/include/rocm-core/rocm_version.h");
        CHECK(node.judge(tunable_text()).outcome == Outcome::ok);
        node.fs.add_file("/opt/rocm/.info/version", "7.2.0\n");
        CHECK(outcome_of(node.judge(tunable_text()), "ROCM_VERSION") == Outcome::unknown);
    }
    SECTION("a library without headers tells its release at most") {
        node.fs.remove("/opt/rocm/include/rocblas/internal/rocblas-version.h");
        node.fs.add_file("/opt/rocm/lib/librocblas.so.5.2.70200", "");
        CHECK(outcome_of(node.judge(tunable_text()), "ROCBLAS_VERSION") == Outcome::unknown);
        CHECK(outcome_of(node.judge(with(tunable_text(), "5.2.0.4", "4.9.0.4")),
                         "ROCBLAS_VERSION") == Outcome::differs);
    }
}

TEST_CASE("Given versions are taken at their word", "[tunable]") {
    const TunableNode node;
    const std::string text = with(tunable_text(), "2.7.1", "2.8.0");
    CHECK(node.judge(text, {{"torch", "2.8"}}).outcome == Outcome::ok);
    CHECK(node.judge(text, {{"torch", "2.9"}}).outcome == Outcome::differs);
    CHECK(node.judge(tunable_text(), {{"rocm", "7.1"}}).outcome == Outcome::differs);
    CHECK(node.judge(tunable_text(), {{"hipblaslt", "1.2"}}).outcome == Outcome::ok);
}

TEST_CASE("Faults of the file itself", "[tunable]") {
    const TunableNode node;
    std::string crlf;
    const std::string whole = tunable_text();
    for (const auto line : split(whole, '\n')) {
        crlf += line.empty() ? "" : std::string(line) + "\r\n";
    }
    const std::pair<std::string, const char*> cases[] = {
        {crlf, "CR LF"},
        {tunable_text() + "GemmTunableOp_float_NN,nn_9,Gem", "ends within a line"},
        {tunable_text() + "GemmTunableOp_float_NN,nn_9\n", "line 9 is damaged"},
        {tunable_text() + "\n\nx\ny\n", "2 lines are damaged, the first is line 11"},
        {tunable_text() + "Validator,PT_VERSION,1\nValidator,PT_VERSION,2.7.1\n", "two values"},
        {tunable_text() + "GemmTunableOp_BFloat16_TN,tn_32_16_8_ld_8_8_32,Default,0.1\n",
         "contradicts"},
        {tunable_head, "no results"},
        {"", "is empty"},
        {"GemmTunableOp_float_NN,nn_9\n", "still to be tuned"},
        {"Git Version: 0a1b2c3d\n", "hipBLASLt itself"},
        {"hello\n", "is not a TunableOp result file"},
    };
    for (const auto& [text, words] : cases) {
        const auto judgement = node.judge(text);
        INFO(judgement.sentence << " / " << words);
        CHECK(judgement.outcome == Outcome::differs);
        CHECK(judgement.sentence.find(words) != std::string::npos);
    }
}

TEST_CASE("A file cut anywhere is never ok unless a whole line was all that went", "[tunable]") {
    const TunableNode node;
    const std::string whole = tunable_text();
    std::size_t taken = 0;
    for (std::size_t size = 0; size < whole.size(); ++size) {
        const auto judgement = node.judge(whole.substr(0, size));
        const bool between_lines =
            size > std::string(tunable_head).size() && whole[size - 1] == '\n';
        INFO(size << " " << judgement.sentence);
        CHECK((judgement.outcome == Outcome::ok) == between_lines);
        taken += judgement.outcome == Outcome::ok ? 1U : 0U;
    }
    CHECK(taken == 2);
}

// Returns whether the validators that PyTorch's own way of reading finds are those of the node.
bool pytorch_accepts(const std::string& text) {
    std::map<std::string, std::string> found;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
        std::istringstream columns(line);
        std::vector<std::string> parts;
        for (std::string part; std::getline(columns, part, ',');) {
            parts.push_back(part);
        }
        if (parts.size() >= 3 && parts[0] == "Validator") {
            found[parts[1]] = parts[2];
        }
    }
    return found == std::map<std::string, std::string>{{"PT_VERSION", "2.7.1"},
                                                       {"ROCM_VERSION", "7.2.0.0-43-0a1b2c3d"},
                                                       {"HIPBLASLT_VERSION", "100201-4e5f60718"},
                                                       {"GCN_ARCH_NAME", "gfx942:sramecc+:xnack-"},
                                                       {"ROCBLAS_VERSION", "5.2.0.4e5f60718"}};
}

TEST_CASE("No bytes make it crash, and damaged ones do not make it ok", "[tunable]") {
    const TunableNode node;
    const std::string whole = tunable_text();
    std::mt19937 random(20261121);
    const auto below = [&](std::size_t limit) {
        return std::uniform_int_distribution<std::size_t>(0, limit - 1)(random);
    };
    int ok = 0;
    for (int round = 0; round < 400; ++round) {
        std::string noise(below(300), '\0');
        for (auto& byte : noise) {
            byte = static_cast<char>(below(256));
        }
        CHECK(node.judge(noise).outcome != Outcome::ok);
        std::string text = whole;
        text.insert(below(text.size()), std::string(1 + below(3), ",\n\r\0V9"[below(6)]));
        const auto file = parse_tunable("a0.csv", text);
        const auto merge = merge_tunable({file});
        CHECK((!merge.ok() || !merge->text.empty()));
        CHECK(summary_of(file).operators.size() <= file.results.size());
        const auto judgement = node.judge(text);
        INFO(printable(text, 1000));
        CHECK((judgement.outcome != Outcome::ok || pytorch_accepts(text)));
        ok += judgement.outcome == Outcome::ok ? 1 : 0;
    }
    CHECK(ok > 0);
}

TEST_CASE("Sets of one file for each GPU", "[tunable]") {
    const auto file = [](const std::string& path, const std::string& text) {
        return parse_tunable(path, text);
    };
    const std::string other = with(tunable_text(), "2.7.1", "2.8.0");
    CHECK(tunable_sets({file("r0.csv", tunable_text())}).empty());
    CHECK(tunable_sets({file("r0.csv", tunable_text()), file("d/r1.csv", tunable_text())}).empty());
    const auto whole =
        tunable_sets({file("d.1/r1.csv", tunable_text()), file("d.1/r0.csv", tunable_text())});
    REQUIRE(whole.size() == 1);
    CHECK(whole[0].name == "d.1/r%d.csv");
    CHECK(whole[0].outcome == Outcome::ok);
    const auto gap = tunable_sets({file("r3", tunable_text()), file("r0", tunable_text())});
    REQUIRE(gap.size() == 1);
    CHECK(gap[0].missing == std::vector<std::uint32_t>{1, 2});
    CHECK(gap[0].sentence == "GPU 1-2 have no file");
    const auto mixed = tunable_sets({file("r0", tunable_text()), file("r1", other)});
    REQUIRE(mixed.size() == 1);
    CHECK(mixed[0].disagree == std::vector<std::string>{"PT_VERSION"});
    CHECK(mixed[0].outcome == Outcome::differs);
}

TEST_CASE("What this process' PyTorch would read", "[tunable]") {
    TunableNode node;
    node.add_gpu(2, "90402");
    node.add_gpu(3, "90402");
    node.process.environment["PYTORCH_TUNABLEOP_FILENAME"] = "/w/r.csv";
    SECTION("nothing is there") {
        const auto all = node.judge_results();
        REQUIRE(all.size() == 1);
        CHECK(all[0].path == "/w/r0.csv");
        CHECK(all[0].kind == TunableKind::empty);
        CHECK(all[0].outcome == Outcome::differs);
        CHECK(all[0].sentence == "does not exist: GPU 0 runs untuned");
    }
    SECTION("one for the first GPU will do") {
        node.fs.add_file("/w/r0.csv", tunable_text());
        const auto all = node.judge_results();
        REQUIRE(all.size() == 1);
        CHECK(all[0].outcome == Outcome::ok);
    }
    SECTION("a gap, and one of another stack") {
        node.fs.add_file("/w/r0.csv", tunable_text());
        node.fs.add_file("/w/r2.csv", with(tunable_text(), "2.7.1", "2.8.0"));
        const auto all = node.judge_results();
        REQUIRE(all.size() == 3);
        CHECK(all[0].outcome == Outcome::ok);
        CHECK(all[1].sentence == "does not exist: GPU 1 runs untuned");
        CHECK(all[2].outcome == Outcome::differs);
    }
    SECTION("%d is replaced") {
        node.process.environment["PYTORCH_TUNABLEOP_FILENAME"] = "/w/%d/r.csv";
        node.fs.add_file("/w/0/r.csv", tunable_text());
        CHECK(node.judge_results().front().outcome == Outcome::ok);
    }
    SECTION("one that may not be read is unknown") {
        node.fs.add_file("/w/r0.csv", "");
        node.fs.add_error("/w/r0.csv", EACCES);
        CHECK(node.judge_results().front().kind == TunableKind::unreadable);
        CHECK(node.judge_results().front().outcome == Outcome::unknown);
    }
    SECTION("an empty name switches files off") {
        node.process.environment["PYTORCH_TUNABLEOP_FILENAME"] = "";
        CHECK(node.judge_results().front().outcome == Outcome::differs);
    }
}

}  // namespace

}  // namespace tunable_judge_test
