// SPDX-License-Identifier: MIT
// Renderers of tunableop show.
#include "commands/tunableop/tunable.h"
#include "json/out.h"
#include "json/schema.h"
#include "print/document.h"
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

template <>
struct Described<TunableOperator> {
    using Of = TunableOperator;
    static constexpr JsonNote milliseconds_note{.says = "null: not stated, or infinite"};
    static void members(auto& at) {
        at.member("name", &Of::name, {.filled = true});
        at.member("results", &Of::results, {.at_least = 1});
        at.member("hipblaslt", &Of::hipblaslt);
        at.member("rocblas", &Of::rocblas);
        at.member("default", &Of::fallback);
        at.member("other", &Of::other);
        at.member("fastest_ms", &Of::fastest, milliseconds_note);
        at.member("slowest_ms", &Of::slowest, milliseconds_note);
    }
};

template <>
struct Described<TunableResult> {
    static void members(auto& at) {
        at.member("operator", &TunableResult::op, {.filled = true});
        at.member("parameters", &TunableResult::params, {.filled = true});
        at.member("solution", &TunableResult::solution, {.filled = true});
        at.member("ms", &TunableResult::time, {.says = "null: not stated, or infinite"});
    }
};

// A file and its sums.
struct ShownTunable {
    const TunableFile& file;
    TunableSummary summary;
};
template <>
struct Described<ShownTunable> {
    using Of = ShownTunable;
    static void members(auto& at) {
        at.member("path", [](const Of& of) { return of.file.path; }, {.filled = true});
        at.member("kind", [](const Of& of) { return of.file.kind; }, {.words = "results|untuned"});
        at.member("validators", validators);
        at.member("results", [](const Of& of) { return of.file.results.size(); });
        at.member("untuned", [](const Of& of) { return of.file.untuned.size(); });
        at.member("left_out",
                  [](const Of& of) { return of.file.damaged_count + (of.file.cut ? 1U : 0U); },
                  {.says = "damaged and incomplete lines"});
        at.member("operators", [](const Of& of) { return of.summary.operators; });
        at.member("fastest", [](const Of& of) { return of.summary.fastest; });
        at.member("slowest", [](const Of& of) { return of.summary.slowest; });
    }

   private:
    static std::vector<std::pair<std::string, std::string>> validators(const Of& of) {
        std::vector<std::pair<std::string, std::string>> out;
        for (const auto& [name, value] : of.file.validators) {
            if (!name.empty()) {
                out.emplace_back(name, value);
            }
        }
        return out;
    }
};

struct ShownTunables {
    std::vector<ShownTunable> files;
};
template <>
struct Described<ShownTunables> {
    static void members(auto& at) {
        at.constant("schema", "rocenv.tunableop-show/1");
        at.member("version", [](const ShownTunables&) { return ROCENV_VERSION; }, {.filled = true});
        at.member("files", &ShownTunables::files);
    }
};

std::string render_tunable_show_json(const std::vector<TunableFile>& files) {
    ShownTunables shown;
    for (const auto& file : files) {
        shown.files.push_back({file, summary_of(file)});
    }
    return json_text_of(shown);
}

std::string tunable_show_schema() {
    return json_schema_of<ShownTunables>(
        "What is in TunableOp files, from rocenv tunableop show --format json");
}

}  // namespace rocenv
