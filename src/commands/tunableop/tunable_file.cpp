// SPDX-License-Identifier: MIT
// Files with the numbers of GPUs in their names.
#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "commands/tunableop/tunable.h"
#include "util/decimal.h"
#include "util/near_names.h"
#include "util/text.h"

namespace rocenv {

namespace {

constexpr std::size_t piece = 64 << 10;
constexpr std::size_t most_validators = 100;  // PyTorch writes five
constexpr std::size_t most_damaged_named = 100;
constexpr std::string_view operator_mark = "TunableOp";

// Returns the columns as PyTorch splits a line: a last comma has no column after it.
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

namespace {

constexpr std::string_view ordinal_mark = "%d";
constexpr const char* default_name = "tunableop_results.csv";
constexpr std::uint64_t most_gpus = 1024;

struct Numbered {
    std::string name;  // with %d
    std::uint32_t ordinal = 0;
};

// Returns the number before the last dot, or at the end; std::nullopt without one.
std::optional<Numbered> numbered(const std::string& path) {
    const auto slash = path.rfind('/');
    const std::size_t start = slash == std::string::npos ? 0 : slash + 1;
    const auto dot = path.rfind('.');
    const std::size_t end = dot == std::string::npos || dot < start ? path.size() : dot;
    std::size_t first = end;
    while (first > start && path[first - 1] >= '0' && path[first - 1] <= '9') {
        --first;
    }
    const auto ordinal = parse_number(std::string_view(path).substr(first, end - first));
    if (!ordinal || *ordinal >= most_gpus) {
        return std::nullopt;
    }
    return Numbered{path.substr(0, first) + std::string(ordinal_mark) + path.substr(end),
                    static_cast<std::uint32_t>(*ordinal)};
}

struct Members {
    std::set<std::uint32_t> ordinals;
    std::map<std::string, std::set<std::string>> values;  // by validator; "" for none
    std::vector<const TunableFile*> files;
};

void note_values(Members& members) {
    std::set<std::string> names;
    for (const auto* file : members.files) {
        for (const auto& validator : file->validators) {
            names.insert(validator.name);
        }
    }
    for (const auto& name : names) {
        for (const auto* file : members.files) {
            const auto& all = file->validators;
            const auto found = std::find_if(all.begin(), all.end(),
                                            [&](const auto& each) { return each.name == name; });
            members.values[name].insert(found == all.end() ? "" : found->value);
        }
    }
}

TunableSet set_of(const std::string& name, Members members) {
    TunableSet set;
    set.name = name;
    set.files = members.files.size();
    for (std::uint32_t at = 0; at < *members.ordinals.rbegin(); ++at) {
        if (members.ordinals.count(at) == 0) {
            set.missing.push_back(at);
        }
    }
    note_values(members);
    for (const auto& [validator, values] : members.values) {
        if (values.size() > 1) {
            set.disagree.push_back(validator);
        }
    }
    std::vector<std::string> reasons;
    if (!set.missing.empty()) {
        reasons.push_back("GPU " + number_list(set.missing) +
                          (set.missing.size() == 1 ? " has" : " have") + " no file");
    }
    if (!set.disagree.empty()) {
        reasons.push_back(join(set.disagree, ", ") +
                          (set.disagree.size() == 1 ? " differs" : " differ") +
                          " between the files, so that PyTorch accepts only some of them");
    }
    set.outcome = reasons.empty() ? Outcome::ok : Outcome::differs;
    set.sentence = reasons.empty() ? "one file for each GPU, all from one software stack"
                                   : join(reasons, "; ");
    return set;
}

std::size_t agents(const Machine& machine) {
    const auto& nodes = machine.kfd().nodes;
    const auto count =
        std::count_if(nodes.begin(), nodes.end(), [](const auto& node) { return node.is_gpu(); });
    return std::max<std::size_t>(static_cast<std::size_t>(count), 1);
}

TunableJudgement absent(const std::string& path, std::size_t ordinal) {
    TunableJudgement out;
    out.path = path;
    out.kind = TunableKind::empty;
    out.outcome = Outcome::differs;
    out.sentence = "does not exist: GPU " + number(ordinal) + " runs untuned";
    return out;
}

}  // namespace

std::string tunable_file_name(const std::string& name, std::size_t ordinal) {
    const auto found = name.find(ordinal_mark);
    if (found != std::string::npos) {
        return name.substr(0, found) + number(ordinal) + name.substr(found + ordinal_mark.size());
    }
    const auto dot = std::min(name.rfind('.'), name.size());
    return name.substr(0, dot) + number(ordinal) + name.substr(dot);
}

std::vector<TunableSet> tunable_sets(const std::vector<TunableFile>& files) {
    std::map<std::string, Members> groups;
    for (const auto& file : files) {
        const auto name = numbered(file.path);
        if (!name || file.kind != TunableKind::results) {
            continue;
        }
        Members& members = groups[name->name];
        if (members.ordinals.insert(name->ordinal).second) {
            members.files.push_back(&file);
        }
    }
    std::vector<TunableSet> sets;
    for (auto& [name, members] : groups) {
        if (members.files.size() > 1) {
            sets.push_back(set_of(name, std::move(members)));
        }
    }
    return sets;
}

std::vector<TunableJudgement> judge_tunable_results(const Process& process, const Fs& fs,
                                                    const Versions& versions,
                                                    const Machine& machine) {
    const std::string name = process.variable("PYTORCH_TUNABLEOP_FILENAME").value_or(default_name);
    if (name.empty()) {
        auto none = absent("", 0);
        none.sentence = "PYTORCH_TUNABLEOP_FILENAME is empty: PyTorch reads no results";
        return {none};
    }
    const TunableJudge judge(versions, machine, process);
    std::uint64_t budget = most_tunable_bytes;
    std::vector<TunableJudgement> out;
    std::size_t last = 0;
    for (std::size_t ordinal = 0; ordinal < agents(machine); ++ordinal) {
        const std::string path = tunable_file_name(name, ordinal);
        const auto file = read_tunable(fs, path, budget);
        if (file.is(ErrorKind::not_here)) {
            out.push_back(absent(path, ordinal));
            continue;
        }
        out.push_back(file ? judge.judge(*file) : unreadable_tunable(path, file.error()));
        last = ordinal;
    }
    out.resize(last + 1);
    return out;
}

}  // namespace rocenv
