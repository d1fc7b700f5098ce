// SPDX-License-Identifier: MIT
// The formats of each command. A format is a row of a table: its word on the command line, its
// reader and its renderer. The option, its help, completions and the call of the renderer are
// derived from the row. Each command's file defines its table.
#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "launch/env_format.h"
#include "os/child/supervise.h"
#include "print/style.h"
#include "rocenv/cpu_topology.h"

namespace rocenv {

// The reader of stdout. Output for programs follows the rules of its own format. A plugin host may
// read stderr as part of the output, and the first line as the verdict, so stdout is written first
// for it.
enum class ReadBy { person, program, plugin_host };

// A function of a row. A row without it does not compile.
template <typename Signature>
class RowFunction {
   public:
    constexpr RowFunction(Signature* function) : function_(function) {}
    RowFunction(std::nullptr_t) = delete;

    template <typename... Given>
    auto operator()(Given&&... given) const {
        return function_(std::forward<Given>(given)...);
    }

   private:
    Signature* function_;
};

// The function that renders the result of a command. If the text depends on them, the function also
// receives the options' detail and the screen. A row without the function does not compile.
template <typename Made>
class Renderer {
   public:
    using Plain = std::string (*)(const Made&);
    using Styled = std::string (*)(const Made&, Detail, Screen);

    constexpr Renderer(Plain plain) : plain_(plain) {}
    constexpr Renderer(Styled styled) : styled_(styled) {}
    Renderer(std::nullptr_t) = delete;

    std::string operator()(const Made& made, Detail detail, Screen screen) const {
        return plain_ != nullptr ? plain_(made) : styled_(made, detail, screen);
    }

   private:
    Plain plain_ = nullptr;
    Styled styled_ = nullptr;
};

// A format of a command that returns a `Made`.
template <typename Made>
struct FormatOf {
    std::string_view word;
    ReadBy reader;
    Renderer<Made> render;
    bool keeps_credentials = false;  // values stay unredacted, since programs use them
};

struct Explanations;
struct FleetResult;
struct KernelOccupancy;
struct LearnResult;
struct LintLines;      // cli/profile_commands.cpp
struct ListedProfile;  // cli/profile_commands.cpp
struct ProfileDiff;
struct Recording;
struct Report;
struct SetOutcome;    // cli/set_commands.cpp
struct ShownProfile;  // cli/profile_commands.cpp
struct Status;
struct TunableCheck;
struct TunableFile;
struct TunableMerge;

using CheckFormat = FormatOf<Report>;
using SetFormat = FormatOf<SetOutcome>;  // set and reset
using StatusFormat = FormatOf<Status>;
using OccupancyFormat = FormatOf<std::vector<KernelOccupancy>>;
using FleetFormat = FormatOf<FleetResult>;
using ExplainFormat = FormatOf<Explanations>;
using RecordFormat = FormatOf<Recording>;
using ProfileListFormat = FormatOf<std::vector<ListedProfile>>;
using ProfileShowFormat = FormatOf<ShownProfile>;
using LintFormat = FormatOf<LintLines>;
using ProfileDiffFormat = FormatOf<ProfileDiff>;
using LearnFormat = FormatOf<LearnResult>;
using TunableCheckFormat = FormatOf<TunableCheck>;
using TunableShowFormat = FormatOf<std::vector<TunableFile>>;
using MergeFormat = FormatOf<TunableMerge>;

class Machine;
struct Page;
struct PageTitle;
struct Process;
struct RankBinding;  // cli/topo_command.cpp

// A format of topo, which prints the topology itself.
struct TopoFormat {
    std::string_view word;
    ReadBy reader;
    RowFunction<Output(const Machine&, const Process&, const std::optional<Result<CpuTopology>>&,
                       Screen)>
        print;
    bool needs_cpus = true;  // the topology of the CPUs
};

// A format of topo --bind. `asked` is the option as it was given.
struct BindFormat {
    std::string_view word;
    RowFunction<Output(const RankBinding&, const std::string& asked)> print;
};

// A format of help.
struct HelpFormat {
    std::string_view word;
    ReadBy reader;
    RowFunction<Output(const Page&, Screen)> page;
    RowFunction<Output(const std::vector<PageTitle>&, Screen)> overview;
};

// A shell whose command lines are completed.
struct Shell {
    std::string_view word;
    std::string_view script;
};

// Returns the table of a row type. The first row is the default format.
template <typename Row>
std::span<const Row> formats();
template <>
std::span<const CheckFormat> formats();
template <>
std::span<const SetFormat> formats();
template <>
std::span<const StatusFormat> formats();
template <>
std::span<const OccupancyFormat> formats();
template <>
std::span<const FleetFormat> formats();
template <>
std::span<const ExplainFormat> formats();
template <>
std::span<const RecordFormat> formats();
template <>
std::span<const ProfileListFormat> formats();
template <>
std::span<const ProfileShowFormat> formats();
template <>
std::span<const LintFormat> formats();
template <>
std::span<const ProfileDiffFormat> formats();
template <>
std::span<const LearnFormat> formats();
template <>
std::span<const TunableCheckFormat> formats();
template <>
std::span<const TunableShowFormat> formats();
template <>
std::span<const MergeFormat> formats();
template <>
std::span<const TopoFormat> formats();
template <>
std::span<const BindFormat> formats();
template <>
std::span<const HelpFormat> formats();
template <>
std::span<const Shell> formats();
template <>
inline std::span<const EnvFormat> formats() {
    return env_formats();
}

// Returns the words of all rows.
template <typename Row>
std::vector<std::string> format_words() {
    std::vector<std::string> words;
    for (const auto& row : formats<Row>()) {
        words.emplace_back(row.word);
    }
    return words;
}

// Returns the row with the word, or nullptr if there is none.
template <typename Row>
const Row* format_named(std::string_view word) {
    const auto rows = formats<Row>();
    const auto found =
        std::find_if(rows.begin(), rows.end(), [&](const Row& row) { return row.word == word; });
    return found == rows.end() ? nullptr : &*found;
}

}  // namespace rocenv
