// SPDX-License-Identifier: MIT
// What is in TunableOp files.
#include <algorithm>
#include <array>

#include "commands/tunableop/tunable.h"
#include "print/json_writer.h"
#include "print/layout.h"
#include "util/decimal.h"
#include "util/text.h"

namespace rocenv {

namespace {

constexpr std::size_t shown_columns = 8;
using Row = std::array<std::string, shown_columns>;

std::string milliseconds(std::optional<double> value) {
    constexpr int digits = 4;
    return value ? decimal(*value, digits) : "-";
}

Row row_of(const TunableOperator& op) {
    return {printable(op.name, 100),  number(op.results),      number(op.hipblaslt),
            number(op.rocblas),       number(op.fallback),     number(op.other),
            milliseconds(op.fastest), milliseconds(op.slowest)};
}

std::string table(const std::vector<Row>& rows) {
    std::array<std::size_t, shown_columns> widths{};
    for (const auto& row : rows) {
        for (std::size_t at = 0; at < shown_columns; ++at) {
            widths[at] = std::max(widths[at], row[at].size());
        }
    }
    std::string out;
    for (const auto& row : rows) {
        std::string line = "  " + row[0] + std::string(widths[0] - row[0].size(), ' ');
        for (std::size_t at = 1; at < shown_columns; ++at) {
            line += "  " + std::string(widths[at] - row[at].size(), ' ') + row[at];
        }
        out += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
    }
    return out;
}

std::string untuned_text(const TunableFile& file) {
    std::string out;
    for (const auto& op : summary_of(file).operators) {
        out += "  " + printable(op.name, 100) + "  " + number(op.results) + "\n";
    }
    return out;
}

std::string extreme(const char* word, const std::optional<TunableResult>& result) {
    return result ? wrapped("  ", 4,
                            std::string(word) + ": " + milliseconds(result->time) + " ms, " +
                                printable(result->op, 100) + " " + printable(result->params, 100) +
                                ", " + printable(result->solution, 100))
                  : std::string();
}

// Lines that are not shown among the results.
std::string left_out(const TunableFile& file) {
    const std::size_t count = file.damaged_count + (file.cut ? 1U : 0U);
    return count == 0
               ? std::string()
               : "  " + counted(count, "line") + " damaged or cut: rocenv tunableop check tells\n";
}

std::string file_text(const TunableFile& file) {
    std::string out = printable(file.path) + ": ";
    if (file.kind == TunableKind::untuned) {
        return out + counted(file.untuned.size(), "GEMM") + " to tune\n" + untuned_text(file);
    }
    const TunableSummary summary = summary_of(file);
    out += counted(file.results.size(), "result") + "\n";
    for (const auto& validator : file.validators) {
        out += "  " + printable(validator.name, 100) + " " + printable(validator.value) + "\n";
    }
    std::vector<Row> rows{{"operator", "results", "hipBLASLt", "rocBLAS", "default", "other",
                           "fastest ms", "slowest ms"}};
    for (const auto& op : summary.operators) {
        rows.push_back(row_of(op));
    }
    out += rows.size() > 1 ? table(rows) : std::string();
    return out + extreme("fastest", summary.fastest) + extreme("slowest", summary.slowest) +
           left_out(file);
}

void write_operator(JsonWriter& json, const TunableOperator& op) {
    json.open_object();
    json.text("name", op.name);
    json.integer("results", std::uint64_t{op.results});
    json.integer("hipblaslt", std::uint64_t{op.hipblaslt});
    json.integer("rocblas", std::uint64_t{op.rocblas});
    json.integer("default", std::uint64_t{op.fallback});
    json.integer("other", std::uint64_t{op.other});
    json.decimal_or_null("fastest_ms", op.fastest);
    json.decimal_or_null("slowest_ms", op.slowest);
    json.close_object();
}

void write_extreme(JsonWriter& json, const char* key, const std::optional<TunableResult>& result) {
    if (!result) {
        json.null(key);
        return;
    }
    json.open_object(key);
    json.text("operator", result->op);
    json.text("parameters", result->params);
    json.text("solution", result->solution);
    json.decimal_or_null("ms", result->time);
    json.close_object();
}

void write_file(JsonWriter& json, const TunableFile& file) {
    const TunableSummary summary = summary_of(file);
    json.open_object();
    json.text("path", file.path);
    json.text("kind", word_of(file.kind));
    json.open_object("validators");
    for (const auto& validator : file.validators) {
        if (!validator.name.empty()) {
            json.text(validator.name, validator.value);
        }
    }
    json.close_object();
    json.integer("results", std::uint64_t{file.results.size()});
    json.integer("untuned", std::uint64_t{file.untuned.size()});
    json.integer("left_out", std::uint64_t{file.damaged_count + (file.cut ? 1U : 0U)});
    json.open_array("operators");
    for (const auto& op : summary.operators) {
        write_operator(json, op);
    }
    json.close_array();
    write_extreme(json, "fastest", summary.fastest);
    write_extreme(json, "slowest", summary.slowest);
    json.close_object();
}

}  // namespace

std::string render_tunable_show_human(const std::vector<TunableFile>& files, Detail detail) {
    std::string out;
    for (const auto& file : detail == Detail::quiet ? std::vector<TunableFile>() : files) {
        out += (out.empty() ? "" : "\n") + file_text(file);
    }
    return out;
}

std::string render_tunable_show_json(const std::vector<TunableFile>& files) {
    JsonWriter json;
    json.open_object();
    json.text("schema", "rocenv.tunableop-show/1");
    json.text("version", ROCENV_VERSION);
    json.open_array("files");
    for (const auto& file : files) {
        write_file(json, file);
    }
    json.close_array();
    json.close_object();
    return json.finish();
}

}  // namespace rocenv
