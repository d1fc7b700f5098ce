// SPDX-License-Identifier: MIT
// What is in TunableOp files.
#include "commands/tunableop/tunable.h"
#include "print/document.h"
#include "json/writer.h"
#include "util/decimal.h"
#include "util/text.h"

namespace rocenv {

namespace {

constexpr std::size_t longest_cell = 100;

std::string milliseconds(std::optional<double> value) {
    constexpr int digits = 4;
    return value ? decimal(*value, digits) : "-";
}

void add_extreme(const char* word, const std::optional<TunableResult>& result, Document& out) {
    if (result) {
        out.field(word, milliseconds(result->time) + " ms, " + printable(result->op, longest_cell) +
                            " " + printable(result->params, longest_cell) + ", " +
                            printable(result->solution, longest_cell));
    }
}

void add_results(const TunableFile& file, Document& out) {
    const TunableSummary summary = summary_of(file);
    for (const auto& validator : file.validators) {
        out.field(printable(validator.name, longest_cell), validator.value);
    }
    std::vector<TextRow> rows{
        {"operator", "results", "hipBLASLt", "rocBLAS", "default", "other", "min ms", "max ms"}};
    for (const auto& op : summary.operators) {
        rows.push_back({printable(op.name, longest_cell), number(op.results), number(op.hipblaslt),
                        number(op.rocblas), number(op.fallback), number(op.other),
                        milliseconds(op.fastest), milliseconds(op.slowest)});
    }
    if (rows.size() > 1) {
        out.table(std::move(rows), Numbers::right);
    }
    add_extreme("fastest", summary.fastest, out);
    add_extreme("slowest", summary.slowest, out);
    // Lines that are not shown among the results.
    if (const std::size_t count = file.damaged_count + (file.cut ? 1U : 0U); count > 0) {
        out.field("damaged",
                  counted(count, "line") + " damaged or cut: rocenv tunableop check lists them");
    }
}

void add_file(const TunableFile& file, Document& out) {
    out.blank();
    out.margin(2);
    if (file.kind != TunableKind::untuned) {
        out.title(file.path, ": " + counted(file.results.size(), "result"));
        add_results(file, out);
        return;
    }
    out.title(file.path, ": " + counted(file.untuned.size(), "GEMM") + " to tune");
    std::vector<TextRow> rows;
    for (const auto& op : summary_of(file).operators) {
        rows.push_back({printable(op.name, longest_cell), number(op.results)});
    }
    out.table(std::move(rows), Numbers::right);
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

std::string render_tunable_show_human(const std::vector<TunableFile>& files, Detail detail,
                                      Screen screen) {
    if (detail == Detail::quiet) {
        return "";
    }
    Document out;
    for (const auto& file : files) {
        add_file(file, out);
    }
    return out.text(screen);
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
