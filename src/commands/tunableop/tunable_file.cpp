// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include "commands/tunableop/tunable.h"
#include "util/decimal.h"
#include "util/near_names.h"
#include "util/text.h"

namespace rocenv {

namespace {

constexpr std::size_t piece = std::size_t{1} << 20;
constexpr std::size_t most_validators = 100;  // PyTorch writes five
constexpr std::size_t most_damaged_named = 100;
constexpr std::string_view operator_mark = "TunableOp";

// As PyTorch splits a line: nothing stands behind a last comma.
std::vector<std::string_view> columns_of(std::string_view line) {
    auto columns = split(line, ',');
    if (columns.size() > 1 && columns.back().empty()) {
        columns.pop_back();
    }
    return columns;
}

std::optional<double> milliseconds(std::string_view text) {
    const ReadDecimal read = read_decimal(text);
    const bool good = read.length > 0 && read.length == text.size() && !read.out_of_range &&
                      !std::isnan(read.value) && !std::signbit(read.value);
    return good ? std::optional(read.value) : std::nullopt;
}

bool has_control_byte(std::string_view line) {
    return std::any_of(line.begin(), line.end(),
                       [](unsigned char byte) { return byte < 0x20 || byte == 0x7f; });
}

class Parser {
   public:
    explicit Parser(TunableFile& file) : file_(file) {}

    void run(std::string_view text) {
        std::size_t number = 0;
        while (!text.empty()) {
            const auto end = text.find('\n');
            ++number;
            if (end == std::string_view::npos) {
                file_.cut = true;
                marked_ = marked_ || text.find(operator_mark) != std::string_view::npos;
                break;
            }
            take(text.substr(0, end), number);
            text.remove_prefix(end + 1);
        }
        if (file_.validators.empty() && file_.results.empty()) {
            file_.untuned = std::move(untuned_);
        } else {
            for (const auto& each : untuned_) {
                damaged(each.line);  // PyTorch skips a line of two columns
            }
            std::sort(file_.damaged.begin(), file_.damaged.end());
        }
    }

    // Some line, if only a cut one, names an operator.
    bool marked() const { return marked_; }

   private:
    void take(std::string_view line, std::size_t number) {
        if (line.ends_with('\r')) {
            file_.crlf = true;
            line.remove_suffix(1);
        }
        if (line.empty()) {
            return;
        }
        const auto columns = columns_of(line);
        const bool clean = !has_control_byte(line);
        if (clean && columns[0] == "Validator" && columns.size() >= 3) {
            add_validator(columns[1], columns[2], number);
        } else if (clean && columns[0].find(operator_mark) != std::string_view::npos) {
            marked_ = true;
            add_result(line, columns, number);
        } else {
            damaged(number);
        }
    }

    void add_validator(std::string_view name, std::string_view value, std::size_t number) {
        auto& all = file_.validators;
        const auto known = std::find_if(all.begin(), all.end(),
                                        [&](const auto& each) { return each.name == name; });
        if (known == all.end() && all.size() == most_validators) {
            damaged(number);
        } else if (known == all.end()) {
            all.push_back({std::string(name), std::string(value)});
        } else {
            file_.contradicted += known->value == value ? 0U : 1U;
            known->value = value;
        }
    }

    void add_result(std::string_view line, const std::vector<std::string_view>& columns,
                    std::size_t number) {
        TunableResult result;
        result.op = columns[0];
        result.params = columns.size() > 1 ? columns[1] : std::string_view();
        result.line = number;
        const bool logged = columns.size() > 2 && columns[2].starts_with("BLAS_PARAMS");
        if (!result.params.empty() && (columns.size() == 2 || logged)) {
            untuned_.push_back(result);
            return;
        }
        result.solution = columns.size() > 2 ? columns[2] : std::string_view();
        result.time = columns.size() > 3 ? milliseconds(columns[3]) : std::nullopt;
        const bool bad_time = columns.size() > 3 && !result.time;
        if (result.params.empty() || result.solution.empty() || bad_time) {
            damaged(number);
            return;
        }
        result.rest = line.substr(static_cast<std::size_t>(result.solution.data() +
                                                           result.solution.size() - line.data()));
        file_.results.push_back(result);
    }

    void damaged(std::size_t line) {
        ++file_.damaged_count;
        if (file_.damaged.size() < most_damaged_named) {
            file_.damaged.push_back(line);
        }
    }

    TunableFile& file_;
    std::vector<TunableResult> untuned_;
    bool marked_ = false;
};

// "Git Version: 1a2b3c4d" heads what hipBLASLt tunes for itself, "transA,transB,…" names columns.
bool is_hipblaslt(std::string_view text) {
    const auto start = text.substr(0, 4096);
    return start.starts_with("Git Version:") ||
           start.find("transA,transB,") != std::string_view::npos;
}

TunableKind kind_of(const TunableFile& file, bool marked) {
    if (file.text->find_first_not_of("\r\n") == std::string::npos) {
        return TunableKind::empty;
    }
    if (!file.validators.empty() || !file.results.empty()) {
        return TunableKind::results;
    }
    if (is_hipblaslt(*file.text)) {
        return TunableKind::hipblaslt;
    }
    if (!file.untuned.empty()) {
        return TunableKind::untuned;
    }
    const bool starts_as_one = file.text->starts_with("Validator,");
    return marked || starts_as_one ? TunableKind::results : TunableKind::foreign;
}

// Short lines cost memory as well: each may be a result.
std::uint64_t cost_of(std::string_view text) {
    constexpr std::uint64_t of_a_line = 48;
    const auto lines = static_cast<std::uint64_t>(std::count(text.begin(), text.end(), '\n'));
    return std::max<std::uint64_t>(text.size(), lines * of_a_line);
}

}  // namespace

TunableFile parse_tunable(std::string path, std::string text) {
    TunableFile file;
    file.path = std::move(path);
    file.text = std::make_shared<const std::string>(std::move(text));
    Parser parser(file);
    parser.run(*file.text);
    file.kind = kind_of(file, parser.marked());
    return file;
}

Result<TunableFile> read_tunable(const Fs& fs, const std::string& path, std::uint64_t& budget) {
    std::string text;
    for (;;) {
        auto more = fs.read_at(path, text.size(), piece);
        if (!more) {
            return Error{more.error().kind, more.error().err, path,
                         "cannot read " + in_quotes(path, 200) + ": " +
                             (more.error().err != 0 ? errno_text(more.error().err)
                                                    : printable(more.error().text))};
        }
        if (more->empty()) {
            return parse_tunable(path, std::move(text));
        }
        const std::uint64_t cost = cost_of(*more);
        if (cost > budget) {
            return garbled(printable(path),
                           "is larger than the 8 MiB (a line is 48 bytes at least) "
                           "that are read in all");
        }
        budget -= cost;
        text += *more;
    }
}

}  // namespace rocenv
