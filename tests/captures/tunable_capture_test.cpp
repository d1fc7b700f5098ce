// SPDX-License-Identifier: MIT
// TunableOp files of real machines in the folder that ROCENV_CAPTURES names.
#include <fstream>
#include <iterator>
#include <string>

#include "commands/tunableop/tunable.h"
#include "support/catch.h"
#include "support/skip.h"
#include "support/tunable_node.h"
#include "util/text.h"

namespace tunable_capture_test {

namespace {

using namespace rocenv;

// Empty without captures.
std::string capture(const std::string& name) {
    const std::string folder = captures_folder();
    if (folder.empty()) {
        return {};
    }
    std::ifstream in(folder + "/tunableop/" + name);
    REQUIRE(in.good());
    return {std::istreambuf_iterator<char>(in), {}};
}

std::size_t lines_with(const std::string& text, const std::string& word) {
    std::size_t count = 0;
    for (auto at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) {
        ++count;
    }
    return count;
}

const char* const of_gfx942 = "gfx942/tunableop_results0.csv";
const char* const of_gfx1151 = "gfx1151/tunableop_results0.head500.csv";
const char* const of_hipblaslt = "hipblaslt-mlperf51-mi325x/tuning_spx_1700_formatted.head200.txt";

}  // namespace

TEST_CASE("captures: TunableOp files hold what their lines say") {
    for (const char* name : {of_gfx942, of_gfx1151}) {
        const std::string text = capture(name);
        if (text.empty()) {
            return;
        }
        INFO(name);
        const auto file = parse_tunable(name, text);
        CHECK(file.kind == TunableKind::results);
        CHECK(file.validators.size() == lines_with(text, "Validator,"));
        CHECK(file.results.size() == lines_with(text, "\n") - lines_with(text, "Validator,"));
        CHECK(file.damaged_count == 0);
        CHECK_FALSE(file.cut);
        CHECK(repeats_in(file).different == 0);
        std::size_t hipblaslt = 0;
        for (const auto& op : summary_of(file).operators) {
            hipblaslt += op.hipblaslt;
            CHECK(op.other == 0);
        }
        CHECK(hipblaslt == lines_with(text, ",Gemm_Hipblaslt_"));
        CHECK(merge_tunable({file})->results == file.results.size());
    }
}

TEST_CASE("captures: a file is taken on a node like its own, and named on another") {
    const std::string text = capture(of_gfx942);
    if (text.empty()) {
        return;
    }
    TunableNode node;
    node.fs.add_file("/opt/rocm/.info/version", "7.2.2-86\n");
    node.fs.add_file("/opt/rocm/include/rocm-core/rocm_version.h",
                     "#define ROCM_BUILD_INFO \"7.2.2.0-86-671d39a71e\"\n");
    node.add_header("/opt/rocm/include/hipblaslt/hipblaslt-version.h", "HIPBLASLT", {"1", "2", "2"},
                    "dabb6df2b9");
    node.add_header("/opt/rocm/include/rocblas/internal/rocblas-version.h", "ROCBLAS",
                    {"5", "2", "0"}, "dabb6df2b9");
    INFO(node.judge(text).sentence);
    CHECK(node.judge(text).outcome == Outcome::ok);
    const auto other = node.judge(capture(of_gfx1151));
    CHECK(other.outcome == Outcome::differs);
    CHECK(other.sentence.find("GCN_ARCH_NAME is gfx1151, here gfx942:sramecc+:xnack-") !=
          std::string::npos);
    CHECK(other.sentence.find("PT_VERSION is 2.9.1, here 2.7.1") != std::string::npos);
    for (std::size_t size = 0; size + 1 < text.size(); ++size) {
        const bool between_lines = text.find("GemmTunableOp_BF") == size;
        INFO(size);
        CHECK((node.judge(text.substr(0, size)).outcome == Outcome::ok) == between_lines);
    }
}

TEST_CASE("captures: a tuning file of hipBLASLt is no result file") {
    const std::string text = capture(of_hipblaslt);
    if (!text.empty()) {
        CHECK(parse_tunable("tuning.txt", text).kind == TunableKind::hipblaslt);
    }
}

}  // namespace tunable_capture_test
