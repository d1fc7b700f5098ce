// SPDX-License-Identifier: MIT
#include "settings/shapes/devices.h"

#include <algorithm>
#include <cerrno>
#include <map>
#include <set>
#include <utility>

#include "machine/host/cpus.h"
#include "machine/pci/pcie_path.h"
#include "os/interruption.h"
#include "os/redact/redact_words.h"
#include "util/text.h"

namespace rocenv {

namespace {

// The values of the devices of one kind.
struct Answers {
    std::size_t devices = 0;
    std::size_t unread = 0;
    std::map<std::string, std::size_t> counts;  // by value

    std::size_t answered() const {
        std::size_t sum = 0;
        for (const auto& [value, count] : counts) {
            sum += count;
        }
        return sum;
    }
    // Returns the value of more than half of them.
    std::optional<std::string> majority() const {
        for (const auto& [value, count] : counts) {
            if (count * 2 > answered()) {
                return value;
            }
        }
        return std::nullopt;
    }
    std::string summary() const {
        std::vector<std::string> parts;
        for (const auto& [value, count] : counts) {
            parts.push_back(number(count) + (count == 1 ? " has " : " have ") + value);
        }
        return join(parts, ", ");
    }
};

std::map<std::string, Answers> answers_by_kind(const std::vector<DeviceValue>& values) {
    std::map<std::string, Answers> out;
    for (const auto& each : values) {
        Answers& answers = out[each.kind];
        if (each.left_out) {
            continue;
        }
        ++answers.devices;
        if (each.value) {
            ++answers.counts[*each.value];
        } else {
            ++answers.unread;
        }
    }
    return out;
}

Assessment of_device(const DeviceValue& each, Assessment row) {
    row.target = {each.device, std::nullopt, ""};
    return row;
}

// Returns the row of a device without a value. It passes if the rules accept that the whole kind
// lacks it. A missing driver is reported by gpu.count. A device that lacks a value of others is
// unknown.
Assessment without_value(const DeviceValue& each, const Answers& answers, const LikeRules& rules) {
    const Error& error = each.value.error();
    const bool absent = error.kind == ErrorKind::not_here && !rules.absent.empty();
    if (absent && (answers.counts.empty() || !each.note.empty())) {
        return of_device(each, no_target(each.note.empty() ? rules.absent : each.note));
    }
    const bool is_gpu = rules.log_command.empty();
    const std::string log_command = is_gpu ? gpu_log_command : rules.log_command;
    const Target target{each.device, std::nullopt, ""};
    auto row = is_gpu ? unreadable_gpu(target, error) : unreadable(target, error);
    if (error.kind == ErrorKind::not_here && !each.note.empty()) {
        row.detail = each.note + ", so the value could not be read";
        row.next_step = log_command;
    } else if (absent) {
        row.detail = "other devices of its kind have the value, but " + row.detail;
        row.next_step = log_command;
    } else if (error.err == EPERM && !is_gpu) {
        row.next_step = log_command;
    }
    return row;
}

// Returns the row; std::nullopt if the device agrees but other devices are unread.
std::optional<Assessment> compared_with_others(const DeviceValue& each, const Answers& answers) {
    const std::string& have = *each.value;
    const auto majority = answers.majority();
    if (answers.devices == (each.left_out ? 0 : 1)) {
        return of_device(each,
                         no_target("this system has no other device of its kind to compare with"));
    }
    if (majority == have) {
        if (answers.unread > 0) {
            return std::nullopt;
        }
        return of_device(each, compared({}, have, have));
    }
    if (answers.answered() == (each.left_out ? 0 : 1)) {
        return std::nullopt;
    }
    auto row = of_device(each, compared({}, majority.value_or("equal"), have));
    row.detail = answers.summary();
    return row;
}

Assessment compared_with(const DeviceValue& each, const std::string& expected,
                         const LikeRules& rules) {
    auto row = of_device(each, compared({}, expected, *each.value));
    if (rules.accepts && rules.accepts(expected, *each.value)) {
        row.outcome = Outcome::ok;
    } else if (rules.accepts) {
        row.outcome = Outcome::differs;
    }
    return row;
}

// Compares a device that agrees with its peers with the value of its model, if known.
std::optional<Assessment> compared_with_model_too(const DeviceValue& each,
                                                  std::optional<Assessment> row,
                                                  const LikeRules& rules) {
    const bool fine = !row || row->outcome == Outcome::ok || row->outcome == Outcome::na;
    if (!fine || !each.of_model || each.left_out) {
        return row;
    }
    auto by_model = compared_with(each, *each.of_model, rules);
    if (by_model.outcome != Outcome::differs) {
        return row;
    }
    by_model.detail =
        "all GPUs of the model agree, but the expected value of the model is " + *each.of_model;
    return by_model;
}

std::optional<Assessment> judge_one(const DeviceValue& each, const Answers& answers,
                                    const std::string& expected, const LikeRules& rules) {
    if (!each.value) {
        auto row = without_value(each, answers, rules);
        row.expected = expected;
        return row;
    }
    const bool by_model = expected == "model" && each.of_model;
    auto row = expected == "equal" || (expected == "model" && !by_model)
                   ? compared_with_others(each, answers)
                   : compared_with(each, by_model ? *each.of_model : expected, rules);
    if (expected == "equal") {
        row = compared_with_model_too(each, std::move(row), rules);
    }
    if (row && row->outcome == Outcome::differs && !each.note.empty()) {
        row->detail += (row->detail.empty() ? "" : "; ") + each.note;
    }
    return row;
}

DeviceValue value_of(const Context& context, const Gpu& gpu, const ReadGpu& read, bool untouched) {
    DeviceValue out{.device = gpu.bdf,
                    .kind = hex(gpu.device, 4),
                    .value = std::string(),
                    .gpu = &gpu,
                    .left_out = context.leaves_out(gpu.bdf)};
    const auto sleeping = untouched ? std::nullopt : context.machine.asleep(gpu.bdf);
    if (sleeping) {
        out.value = *sleeping;
        return out;
    }
    out.value = read(context, gpu);
    const bool driven = gpu.driver == "amdgpu" || gpu.driver_unread;
    if (out.value.is(ErrorKind::not_here) && !driven) {
        out.note = "amdgpu is not bound to the device";
    }
    return out;
}

}  // namespace

std::vector<Assessment> judge_alike(const LikeDevices& devices, const std::string& expected,
                                    const LikeRules& rules) {
    const auto answers = answers_by_kind(devices.values);
    std::vector<Assessment> out;
    for (const auto& each : devices.values) {
        if (auto row = judge_one(each, answers.at(each.kind), expected, rules)) {
            out.push_back(*std::move(row));
        }
    }
    if (devices.uncertain) {
        out.push_back(unreadable({}, *devices.uncertain, expected));
    }
    if (out.empty()) {
        out.push_back(no_target(devices.why_none));
    }
    return out;
}

std::vector<ClusterFact> facts_of(const LikeDevices& devices) {
    std::vector<ClusterFact> out;
    for (const auto& each : devices.values) {
        add_fact({each.device, std::nullopt, ""}, each.value, out);
    }
    if (devices.uncertain) {
        add_fact({}, *devices.uncertain, out);
    }
    return out;
}

LikeDevices gpu_values(const Context& context, const ReadGpu& read, bool untouched) {
    LikeDevices out{.values = {},
                    .uncertain = context.machine.gpus_uncertain(),
                    .why_none = "no AMD GPU for compute is on PCI"};
    for (const auto& gpu : context.machine.gpus()) {
        if (is_for_compute(gpu)) {
            out.values.push_back(value_of(context, gpu, read, untouched));
        }
    }
    return out;
}

Result<std::string> read_line(const Fs& fs, const std::string& path) {
    constexpr std::size_t most = 64;
    const auto text = fs.read(path);
    if (!text) {
        return text.error();
    }
    const auto line = trim(*text);
    if (line.find('\n') != std::string_view::npos) {  // the next line may be a serial number
        return garbled(path, "holds more than one line");
    }
    if (line.empty() || line.size() > most || !is_plain(line)) {
        return garbled(path, "is not one line of text: " + quoted_value(line));
    }
    return std::string(line);
}

std::vector<Assessment> assess_gpu_value(const Setting& setting, const Context& context,
                                         const Expectation& expectation) {
    const auto& facts = *setting.row.gpu_value;
    auto devices = gpu_values(context, facts.read, facts.untouched);
    const bool equal = plain_text(expectation.value) == "equal";
    for (auto& each : devices.values) {
        const GpuModel* model = gpu_model(each.gpu->device);
        // "equal" also applies to guests, which may have a part of a GPU.
        if (model != nullptr && facts.of_model != nullptr &&
            (!equal || (model->states(facts.field) && !is_guest(context.fs())))) {
            each.of_model = facts.of_model(*model);
        }
        if (facts.across_models) {
            each.kind.clear();
        }
    }
    auto rows = judge_alike(devices, plain_text(expectation.value), facts.rules);
    for (auto& row : rows) {
        if (row.outcome == Outcome::differs && facts.explain) {
            facts.explain(row);
        }
    }
    if (facts.finish) {
        facts.finish(rows);
    }
    return rows;
}

std::vector<ClusterFact> facts_of_gpu_value(const Setting& setting, const Context& context) {
    const auto& facts = *setting.row.gpu_value;
    return facts_of(gpu_values(context, facts.read, facts.untouched));
}

static std::optional<std::vector<Value>> learn_gpu_value(const Setting& setting, const Context&) {
    const auto& learnt = setting.row.gpu_value->learnt;
    return learnt ? std::optional(std::vector{Value{*learnt, {}}}) : std::nullopt;
}

Setting gpu_value_setting(Info info, const GpuValue& value) {
    return {.info = std::move(info),
            .assess = assess_gpu_value,
            .facts = facts_of_gpu_value,
            .learn = learn_gpu_value,
            .row = {.gpu_value = &value}};
}

// Returns the row of an unreadable amdgpu file. amdgpu returns `EPERM` while the GPU is in reset or
// suspended; its files are readable by all users (linux drivers/gpu/drm/amd/pm/amdgpu_pm.c
// amdgpu_pm_dev_state_check).
Assessment unreadable_gpu(const Target& target, const Error& error) {
    auto row = unreadable(target, error);
    if (error.err == EPERM) {
        row.detail += "; the GPU is in reset or suspended";
        row.next_step = std::string(gpu_log_command) + "; check again after the reset";
    }
    return row;
}

std::optional<AtomicsObstacle> port_without_atomics(const Machine& machine,
                                                    const std::string& bdf) {
    const auto device = machine.function(bdf).device;
    const GpuModel* model = gpu_model(device);
    if (is_apu(device) || (model != nullptr && model->name == "MI250X")) {
        return std::nullopt;
    }
    const auto obstacle = atomics_obstacle(machine, bdf);
    return obstacle ? *obstacle : std::nullopt;
}

std::string atomics_step(const std::string& port) {
    return "enable AtomicOp routing of port " + port +
           " in the BIOS, or move the GPU to another slot";
}

std::optional<Error> no_agents(const Machine& machine, const Gpu& gpu) {
    if (auto uncertain = machine.kfd_uncertain()) {
        return uncertain;
    }
    if (!gpu.agents.empty()) {
        return std::nullopt;
    }
    return machine.kfd().hidden() > 0
               ? Error{ErrorKind::hidden, 0, "",
                       "the KFD node of the GPU is hidden from this container"}
               : Error{ErrorKind::not_here, 0, "", "KFD has no node of " + gpu.bdf};
}

std::map<std::uint32_t, std::string> gpus_by_node(const Machine& machine) {
    std::map<std::uint32_t, std::string> out;
    for (const auto& gpu : machine.gpus()) {
        for (const auto agent : gpu.agents) {
            out[machine.kfd().nodes[agent].index] = gpu.bdf;
        }
    }
    return out;
}

void offer_reset(std::vector<Assessment>& rows, const std::string& log_command) {
    const bool shared = std::all_of(rows.begin(), rows.end(), [&](const Assessment& row) {
        return row.outcome == Outcome::differs && row.have == rows.front().have;
    });
    for (auto& row : rows) {
        if (row.outcome == Outcome::differs && (!shared || rows.size() == 1)) {
            row.next_step =
                log_command +
                "; if no job uses a GPU of this node: sudo amd-smi reset --gpu BDF --gpureset; if "
                "the reset changes nothing, replace the GPU";
        }
    }
}

bool is_for_compute(const Gpu& gpu) {
    return gpu.on_pci && (gpu.accelerator || !gpu.agents.empty());
}

namespace {

Assessment assess_gpu(const Machine& machine, const Gpu& gpu, const GpuFiles& files) {
    const Target target{gpu.bdf, std::nullopt, ""};
    if (const auto sleeping = machine.asleep(gpu.bdf)) {
        return unreadable(target, *sleeping);
    }
    const auto have = files.read(gpu);
    if (have) {
        return compared(target, files.expected, *have);
    }
    const bool fine = have.is(ErrorKind::not_here) && !files.absent.empty() &&
                      exists(machine.fs(), pci_path(gpu.bdf));
    const std::string no_driver = "amdgpu is not bound to the device";
    if (!fine) {
        auto row = unreadable_gpu(target, have.error());
        if (have.is(ErrorKind::not_here) && gpu.driver != "amdgpu") {
            row.detail = no_driver + ", so the value could not be read";
            row.next_step = gpu_log_command;
        }
        return row;
    }
    auto row = no_target(gpu.driver == "amdgpu" ? files.absent : no_driver);
    row.target = target;
    return row;
}

}  // namespace

std::optional<Baseline> baseline_gpu(const Machine& machine, const Gpu& gpu, const ReadHeld& read) {
    const Target target{gpu.bdf, std::nullopt, ""};
    const auto sleeping = machine.asleep(gpu.bdf);
    const auto held = sleeping ? *sleeping : read(gpu);
    if (held.is(ErrorKind::not_here)) {
        return std::nullopt;
    }
    return held ? Baseline{target, held->shown, held->back} : Baseline{target, "", held.error()};
}

std::vector<Baseline> baseline_gpus(const Context& context, const ReadHeld& read) {
    std::vector<Baseline> out;
    for (const auto& gpu : context.machine.gpus()) {
        auto held = is_for_compute(gpu) ? baseline_gpu(context.machine, gpu, read) : std::nullopt;
        if (held) {
            out.push_back(*std::move(held));
        }
    }
    return out;
}

std::vector<Assessment> assess_gpus(const Context& context, const GpuFiles& files) {
    std::vector<Assessment> out;
    for (const auto& gpu : context.machine.gpus()) {
        if (is_for_compute(gpu)) {
            out.push_back(assess_gpu(context.machine, gpu, files));
            out.back().expected = files.expected;
        }
    }
    if (const auto uncertain = context.machine.gpus_uncertain()) {
        out.push_back(unreadable({}, *uncertain, files.expected));
    }
    if (out.empty()) {
        out.push_back(no_target("no AMD GPU for compute is on PCI"));
    }
    return out;
}

void wait_for_links(const Fs& fs) {
    constexpr int settling_ms = 2000;
    static bool waited = false;  // once in a process: each check has its own helper
    if (fs.is_real() && !waited) {
        pause_for(settling_ms);
        waited = true;
    }
}

bool any_differs(const std::vector<Assessment>& rows) {
    return std::any_of(rows.begin(), rows.end(),
                       [](const Assessment& row) { return row.outcome == Outcome::differs; });
}

std::vector<Assessment> judged_after_wait(
    const Fs& fs, const std::function<std::vector<Assessment>(Reread)>& judge) {
    auto rows = judge(Reread::no);
    if (!fs.is_real() || !any_differs(rows)) {
        return rows;
    }
    wait_for_links(fs);
    return judge(Reread::yes);
}

namespace {

struct PathFunctions {
    std::map<std::string, PathFunction> functions;
    std::optional<Error> uncertain;
};

void add(PathFunctions& out, const Machine& machine, const std::string& bdf,
         const std::string& above, bool end) {
    out.functions.try_emplace(bdf, PathFunction{bdf, end, above, &machine.reader_of(bdf)});
}

PathFunctions path_functions(const Machine& machine) {
    const PathEnds ends = path_ends(machine);
    PathFunctions out{{}, ends.uncertain};
    for (const auto& end : ends.functions) {
        const auto above = machine.bridges_above(end);
        if (!above) {
            out.uncertain = above.error();
            add(out, machine, end, "", true);
            continue;
        }
        std::string upper;
        for (const auto& bridge : *above) {
            add(out, machine, bridge, upper, false);
            upper = bridge;
        }
        add(out, machine, end, upper, true);
    }
    return out;
}

// The results of all functions.
struct Tally {
    std::size_t well = 0;
    std::set<std::string> have;  // values of functions that pass
    std::vector<Assessment> outliers;
    std::vector<Assessment> unread;
    std::vector<Assessment> refused;  // missing rights
};

void take(const Machine& machine, const PathFunction& function, const Error& error, Tally& tally) {
    const Target target{function.bdf, std::nullopt, ""};
    const bool gone =
        error.kind == ErrorKind::not_here && !exists(machine.fs(), pci_path(function.bdf));
    auto row = unreadable(target, error);
    if (gone) {
        row.detail = "the function has disappeared from PCI";
    }
    (error.kind == ErrorKind::not_permitted ? tally.refused : tally.unread)
        .push_back(std::move(row));
}

bool counts_any(const Counters& counters) {
    return std::any_of(counters.begin(), counters.end(),
                       [](const auto& each) { return each.second > 0; });
}

}  // namespace

Assessment reported_once(std::vector<Assessment> refused, const std::string& what) {
    Assessment row = std::move(refused.front());
    if (refused.size() > 1) {
        row.detail += " (and of " + number(refused.size() - 1) + " more " + what + ")";
    }
    row.target = {};
    return row;
}

std::vector<Assessment> assess_paths(const Setting& setting, const Context& context,
                                     const Expectation& expectation) {
    const auto& facts = *setting.row.path;
    const std::string expected = plain_text(expectation.value);
    const auto paths = path_functions(context.machine);
    Tally tally;
    for (const auto& [bdf, function] : paths.functions) {
        if (const auto sleeping = context.machine.asleep(bdf)) {
            take(context.machine, function, *sleeping, tally);
            continue;
        }
        const auto row = facts.judge(context, function, expectation);
        if (!row) {
            take(context.machine, function, row.error(), tally);
        } else if (*row && (*row)->outcome == Outcome::ok && !(*row)->remark &&
                   !counts_any((*row)->counters)) {
            ++tally.well;
            tally.have.insert((*row)->have.value_or(expected));
        } else if (*row) {
            tally.outliers.push_back(**row);
            tally.outliers.back().target = {bdf, std::nullopt, ""};
        }
    }
    std::vector<Assessment> out = std::move(tally.outliers);
    std::move(tally.unread.begin(), tally.unread.end(), std::back_inserter(out));
    if (!tally.refused.empty()) {
        out.push_back(reported_once(std::move(tally.refused), "functions"));
    } else if (const auto unsure = paths.uncertain) {
        out.push_back(unreadable({}, *unsure));
    }
    for (auto& row : out) {
        row.expected = row.expected ? row.expected : expected;
    }
    if (out.empty() && tally.well == 0) {
        return {no_target(paths.functions.empty() ? "no GPU and no RDMA NIC is on PCI"
                                                  : std::string(facts.none))};
    }
    const bool fine = std::all_of(out.begin(), out.end(),
                                  [](const Assessment& row) { return row.outcome == Outcome::ok; });
    if (fine && tally.well > 0) {
        out.push_back(compared({}, expected, expected));
        out.back().have = tally.have.size() == 1 ? *tally.have.begin() : expected;
        out.back().detail = number(tally.well) + (tally.well == 1 ? " function" : " functions");
    }
    return out;
}

namespace {

// Returns facts of each function, since facts are compared by position.
std::vector<ClusterFact> facts_of_paths(const Setting& setting, const Context& context) {
    const auto judge = setting.row.path->judge;
    Expectation expectation;
    expectation.id = setting.info.id;
    expectation.value = some_value(setting.info);
    const auto paths = path_functions(context.machine);
    std::vector<Assessment> rows;
    std::vector<Assessment> refused;
    for (const auto& [bdf, function] : paths.functions) {
        const Target target{bdf, std::nullopt, ""};
        const auto sleeping = context.machine.asleep(bdf);
        auto row = sleeping ? Result<std::optional<Assessment>>(*sleeping)
                            : judge(context, function, expectation);
        if (row.is(ErrorKind::not_permitted)) {
            refused.push_back(unreadable(target, row.error()));
        } else if (!row) {
            rows.push_back(unreadable(target, row.error()));
        } else if (*row) {
            rows.push_back(**std::move(row));
            rows.back().target = target;
        }
    }
    if (!refused.empty()) {
        rows.push_back(reported_once(std::move(refused), "functions"));
    }
    return facts_of(rows);
}

}  // namespace

Setting path_setting(Info info, const PathFacts& facts) {
    return {.info = std::move(info),
            .assess = assess_paths,
            .facts = facts_of_paths,
            .row = {.path = &facts}};
}

}  // namespace rocenv
