// SPDX-License-Identifier: MIT
// Files with the numbers of GPUs in their names.
#include <algorithm>
#include <map>
#include <set>

#include "commands/tunableop/tunable.h"
#include "util/text.h"

namespace rocenv {

namespace {

constexpr std::string_view ordinal_mark = "%d";
constexpr const char* default_name = "tunableop_results.csv";
constexpr std::uint64_t most_gpus = 1024;

struct Numbered {
    std::string name;  // with %d
    std::uint32_t ordinal = 0;
};

// The number before the last dot, or at the end; nothing without one.
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
