// SPDX-License-Identifier: MIT
// Reading, merging and telling TunableOp files apart; what bad ones do.
#include <string>

#include "commands/tunableop/tunable.h"
#include "os/fs/memory_fs.h"
#include "support/catch.h"
#include "support/tunable_node.h"
#include "util/text.h"

namespace tunable_file_test {

namespace {

using namespace rocenv;

TEST_CASE("A result file is read as PyTorch reads it", "[tunable]") {
    const auto file = parse_tunable("a0.csv", tunable_text());
    CHECK(file.kind == TunableKind::results);
    REQUIRE(file.validators.size() == 5);
    CHECK(file.validators[0].name == "PT_VERSION");
    CHECK(file.validators[0].value == "2.7.1");
    REQUIRE(file.results.size() == 3);
    CHECK(file.results[1].op == "GemmTunableOp_BFloat16_TN");
    CHECK(file.results[1].params == "tn_32_16_8_ld_8_8_32");
    CHECK(file.results[1].solution == "Gemm_Rocblas_-77");
    CHECK(file.results[1].time == 0.25);
    CHECK(file.results[1].line == 7);
    CHECK_FALSE(file.cut);
    CHECK_FALSE(file.crlf);
    CHECK(file.damaged_count == 0);
}

struct LineCase {
    const char* line;
    std::size_t results;
    std::size_t damaged;
};

TEST_CASE("Lines that are results, and lines that are damaged", "[tunable]") {
    const LineCase cases[] = {
        {"", 0, 0},
        {"GemmTunableOp_float_NN,nn_1,Default", 1, 0},  // the time may be left out
        {"GemmTunableOp_float_NN,nn_1,Default,", 1, 0},
        {"GemmTunableOp_float_NN,nn_1,Default,inf", 1, 0},
        {"GemmTunableOp_float_NN,nn_1,Default,1e-3", 1, 0},
        {"GemmTunableOp_float_NN,nn_1,1219,0.1", 1, 0},  // as releases of 2024 wrote it
        {"GemmTunableOp_c10::complex<float>_NN,nn_1,Default,0.1", 1, 0},
        {"GemmTunableOp_float_NN,nn_1,Gemm_Rocblas_1,0.1,BLAS_PARAMS: a, b", 1, 0},
        {"GemmTunableOp_float_NN,nn_1,Default,fast", 0, 1},
        {"GemmTunableOp_float_NN,nn_1,Default,0.1s", 0, 1},
        {"GemmTunableOp_float_NN,nn_1,Default,-0.1", 0, 1},
        {"GemmTunableOp_float_NN,nn_1,Default,nan", 0, 1},
        {"GemmTunableOp_float_NN,nn_1", 0, 1},  // PyTorch skips it
        {"GemmTunableOp_float_NN", 0, 1},
        {"GemmTunableOp_float_NN,,Default,0.1", 0, 1},
        {"GemmTunableOp_float_NN,nn_1,,0.1", 0, 1},
        {"GemmTun", 0, 1},
        {"Validator,PT_VERSION", 0, 1},
        {"Validator,PT_VERSION,", 0, 1},
        {",,,", 0, 1},
        {"GemmTunableOp_float_NN,nn_1\t,Default,0.1", 0, 1},
    };
    for (const auto& each : cases) {
        const auto file = parse_tunable("a0.csv", std::string(tunable_head) + each.line + "\n");
        INFO(each.line);
        CHECK(file.results.size() == each.results);
        CHECK(file.damaged_count == each.damaged);
        CHECK(file.damaged.size() == each.damaged);
    }
}

TEST_CASE("Of a validator named twice the last counts", "[tunable]") {
    const auto file = parse_tunable("a", tunable_text() + "Validator,PT_VERSION,2.8.0\n");
    CHECK(file.validators.size() == 5);
    CHECK(file.validators[0].value == "2.8.0");
    CHECK(file.contradicted == 1);
    const auto same = parse_tunable("a", tunable_text() + "Validator,PT_VERSION,2.7.1\n");
    CHECK(same.contradicted == 0);
}

TEST_CASE("Kinds of files are told apart", "[tunable]") {
    const auto kind = [](const std::string& text) { return parse_tunable("a", text).kind; };
    CHECK(kind("") == TunableKind::empty);
    CHECK(kind("\n\r\n") == TunableKind::empty);
    CHECK(kind(tunable_head) == TunableKind::results);
    CHECK(kind(tunable_results) == TunableKind::results);
    CHECK(kind("GemmTunableOp_float_NN,nn_1_2_3_ld_1_2_3\n") == TunableKind::untuned);
    CHECK(kind("GemmTunableOp_float_NN,nn_1,BLAS_PARAMS: - { transA: N }\n") ==
          TunableKind::untuned);
    CHECK(kind("Git Version: 0a1b2c3d\n    T,N,0,1,10240\n") == TunableKind::hipblaslt);
    CHECK(kind("transA,transB,grouped_gemm,batch_count,m,n,k\nT,N,0,1,8,8,8\n") ==
          TunableKind::hipblaslt);
    CHECK(kind("a,b,c,d\n1,2,3,4\n") == TunableKind::foreign);
    CHECK(kind(std::string(100, '\0')) == TunableKind::foreign);
    CHECK(kind("\x7f"
               "ELF,,,\n") == TunableKind::foreign);
}

TEST_CASE("A file is read in pieces, and not beyond the limit", "[tunable]") {
    MemoryFs fs;
    std::string large = tunable_head;
    std::size_t lines = 0;
    for (; large.size() < 3000000; ++lines) {
        large += "GemmTunableOp_float_NN,nn_" + number(lines) + ",Gemm_Hipblaslt_123456,0.5\n";
    }
    fs.add_file("/w/large0.csv", large);
    std::uint64_t budget = most_tunable_bytes;
    const auto file = read_tunable(fs, "/w/large0.csv", budget);
    REQUIRE(file.ok());
    CHECK(file->results.size() == lines);
    CHECK(budget == most_tunable_bytes - large.size());
    fs.add_file("/w/short0.csv", tunable_head + std::string(200000, '\n'));
    CHECK(read_tunable(fs, "/w/short0.csv", budget).is(ErrorKind::garbled));  // 48 bytes each
    budget = large.size() - 1;
    CHECK(read_tunable(fs, "/w/large0.csv", budget).is(ErrorKind::garbled));
    CHECK(read_tunable(fs, "/w/none.csv", budget).is(ErrorKind::not_here));
    CHECK(read_tunable(fs, "/w", budget).error().text.find("/w") != std::string::npos);
}

TEST_CASE("What is said again, and what is contradicted", "[tunable]") {
    const std::string text =
        tunable_text() +
        "GemmTunableOp_float_NN,nn_64_64_128_ld_64_128_64,Gemm_Hipblaslt_1234,0.9\n"
        "GemmTunableOp_float_NN,nn_64_64_128_ld_64_128_64,Gemm_Hipblaslt_9,0.001\n";
    const auto in = repeats_in(parse_tunable("a0.csv", text));
    CHECK(in.equal == 1);
    CHECK(in.different == 1);
    CHECK(in.example ==
          "GemmTunableOp_float_NN nn_64_64_128_ld_64_128_64: Gemm_Hipblaslt_1234 and "
          "Gemm_Hipblaslt_9");
    const auto across = repeats_across(
        {parse_tunable("a0.csv", text),
         parse_tunable("a1.csv", with(tunable_text(), "Gemm_Rocblas_-77", "Gemm_Rocblas_8"))});
    CHECK(across.equal == 2);
    CHECK(across.different == 1);
}

std::string merged(const std::vector<std::string>& texts) {
    std::vector<TunableFile> files;
    files.reserve(texts.size());
    for (const auto& text : texts) {
        files.push_back(parse_tunable("a" + number(files.size()) + ".csv", text));
    }
    const auto merge = merge_tunable(files);
    return merge ? merge->text : merge.error().text;
}

const std::string sorted_head =
    "Validator,GCN_ARCH_NAME,gfx942:sramecc+:xnack-\n"
    "Validator,HIPBLASLT_VERSION,100201-4e5f60718\n"
    "Validator,PT_VERSION,2.7.1\n"
    "Validator,ROCBLAS_VERSION,5.2.0.4e5f60718\n"
    "Validator,ROCM_VERSION,7.2.0.0-43-0a1b2c3d\n";

TEST_CASE("Merging takes the fastest of each", "[tunable]") {
    const std::string op = "GemmTunableOp_float_NN,";
    const std::string first = tunable_head + op + "nn_1,Default,0.5\n" + op + "nn_2,Default\n";
    const std::string second = tunable_head + op + "nn_2,Gemm_Rocblas_7,9\n" + op +
                               "nn_1,Gemm_Rocblas_1,0.25,BLAS_PARAMS: x, y\n" + op +
                               "nn_0,Gemm_Rocblas_3,1\n";
    const std::string third = tunable_head + op + "nn_1,Gemm_Rocblas_2,0.25\n";
    CHECK(merged({first, second, third}) == sorted_head + op + "nn_0,Gemm_Rocblas_3,1\n" + op +
                                                "nn_1,Gemm_Rocblas_1,0.25,BLAS_PARAMS: x, y\n" +
                                                op + "nn_2,Gemm_Rocblas_7,9\n");
    CHECK(merged({third, second}) == sorted_head + op + "nn_0,Gemm_Rocblas_3,1\n" + op +
                                         "nn_1,Gemm_Rocblas_2,0.25\n" + op +
                                         "nn_2,Gemm_Rocblas_7,9\n");
    CHECK(merged({merged({first, second})}) == merged({first, second}));
}

TEST_CASE("A validator without a value is one after merging, too", "[tunable]") {
    const std::string result = "GemmTunableOp_float_NN,nn_1,Default,0.5\n";
    const std::string text = merged({"Validator,PT_VERSION,,2.6.0\n" + result});
    const auto again = parse_tunable("a.csv", text);
    INFO(text);
    CHECK(again.damaged_count == 0);
    REQUIRE(again.validators.size() == 1);
    CHECK(again.validators[0].value.empty());
    CHECK(merged({text}) == text);
}

TEST_CASE("Merging mends line ends and leaves out what is damaged", "[tunable]") {
    std::string crlf;
    const std::string whole = tunable_text();
    for (const auto line : split(whole, '\n')) {
        crlf += line.empty() ? "" : std::string(line) + "\r\n";
    }
    CHECK(merged({crlf}) == merged({tunable_text()}));
    const std::string cut = tunable_text() + "GemmTunableOp_float_NN,nn_9,Gemm_Roc";
    const auto merge =
        merge_tunable({parse_tunable("a", cut), parse_tunable("b", tunable_text() + "x,y\n")});
    REQUIRE(merge.ok());
    CHECK(merge->text == merged({tunable_text()}));
    CHECK(merge->left_out == 2);
    CHECK(merge->results == 3);
    CHECK(merge->repeats.equal == 3);
}

TEST_CASE("Files of different stacks do not merge", "[tunable]") {
    CHECK(merged({tunable_text(), with(tunable_text(), "2.7.1", "2.8.0")}) ==
          "a0.csv and a1.csv were made by different stacks: PT_VERSION 2.7.1 and 2.8.0");
    CHECK(merged({tunable_text(),
                  with(tunable_text(), "ROCM_VERSION,7.2.0.0-43-0a1b2c3d", "HIP_VERSION,702")}) ==
          "a0.csv and a1.csv were made by different stacks: HIP_VERSION none and 702, "
          "ROCM_VERSION 7.2.0.0-43-0a1b2c3d and none");
    CHECK(merged({tunable_results}) == "a0.csv: has no Validator lines");
    CHECK(merged({tunable_head}) == "there are no results to merge");
    CHECK(merged({"GemmTunableOp_float_NN,nn_1\n"}) ==
          "a0.csv: not a TunableOp result file (untuned)");
}

TEST_CASE("A summary counts operators and solutions", "[tunable]") {
    const auto file = parse_tunable("a", tunable_text() + "GemmTunableOp_float_NN,n,1219\n");
    const auto summary = summary_of(file);
    REQUIRE(summary.operators.size() == 2);
    const auto& op = summary.operators[1];
    CHECK(op.name == "GemmTunableOp_float_NN");
    CHECK(op.results == 3);
    CHECK(op.hipblaslt == 1);
    CHECK(op.rocblas == 0);
    CHECK(op.fallback == 1);
    CHECK(op.other == 1);
    CHECK(op.fastest == 0.004);
    CHECK(op.slowest == 0.0085);
    CHECK(summary.slowest->solution == "Gemm_Rocblas_-77");
    CHECK_FALSE(summary_of(parse_tunable("a", "")).fastest);
}

TEST_CASE("Names of files are PyTorch's", "[tunable]") {
    CHECK(tunable_file_name("tunableop_results.csv", 3) == "tunableop_results3.csv");
    CHECK(tunable_file_name("r%d_%d.csv", 12) == "r12_%d.csv");
    CHECK(tunable_file_name("results", 0) == "results0");
    CHECK(tunable_file_name("/v1.2/results", 0) == "/v10.2/results");  // the last dot anywhere
}

}  // namespace

}  // namespace tunable_file_test
