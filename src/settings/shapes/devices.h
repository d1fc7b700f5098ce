// SPDX-License-Identifier: MIT
// Judging one value of each of many like devices, of each GPU, and of what may be on its way.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "machine/gpu/gpu_models.h"
#include "machine/pci/pci.h"
#include "machine/pci/pcie_path.h"
#include "machine/rdma/rdma.h"
#include "rocenv/setting.h"

namespace rocenv {

// Judging one value of each of many like devices: GPUs of a model, ports, functions. What is
// expected comes from the profile, from the table of models, or from the devices themselves, which
// then must agree; agreement is never told while one of them did not answer.

struct DeviceValue {
    std::string device;                        // the target: "0000:05:00.0"
    std::string kind;                          // devices of one kind are alike
    Result<std::string> value;                 // not_here: this device has no such thing
    std::optional<std::string> of_model = {};  // what its model has, where that is known
    std::string note = {};                     // more to say of it, where it differs
    const Gpu* gpu = nullptr;                  // nullptr: a device of another sort
    bool left_out = false;                     // judged by the others, which do not ask it
};

struct LikeDevices {
    std::vector<DeviceValue> values;
    std::optional<Error> uncertain = {};  // why there may be more of them
    std::string nobody;                   // why it is fine that there are none
};

struct LikeRules {
    // Why it is fine that none of a kind has the value; empty: it is not, every one has.
    std::string absent = {};
    // Whether `have` fulfils `want`; empty: equal texts do.
    std::function<bool(const std::string& want, const std::string& have)> accepts = {};
    // The command that shows what became of a device that did not answer; empty: that of GPUs.
    std::string look = {};
};

// What is wanted, in words: "equal" (as the most of its kind), "model" (its model's value, or as
// the most of its kind where that is not known), or the value itself. Returns an assessment for
// each device, in their order; with "equal" only those that answered otherwise or not at all where
// one did not answer.
std::vector<Assessment> judge_alike(const LikeDevices& devices, const std::string& want,
                                    const LikeRules& rules);

// What each device answered, as facts; one that lacks the value has none.
std::vector<ClusterFact> facts_of(const LikeDevices& devices);

// Tells what one GPU holds; not_here: the driver offers no such file.
using ReadGpu = std::function<Result<std::string>(const Context& context, const Gpu& gpu)>;

// Returns the GPUs made for compute with what `read` tells of each; one that sleeps is not touched,
// unless `untouched`; why one without a driver has nothing is told.
LikeDevices gpu_values(const Context& context, const ReadGpu& read, bool untouched = false);

// Returns the one line of a file; garbled where it is empty, holds more than plain characters or is
// longer than 64.
Result<std::string> read_line(const Fs& fs, const std::string& path);

// A setting that is one value of each GPU for compute: an Info and these facts.
struct GpuValue {
    ReadGpu read;
    // What the model has; nullptr: the table of models does not tell.
    std::optional<std::string> (*of_model)(const GpuModel& model) = nullptr;
    std::string_view field = {};  // of GpuModel, which of_model tells
    LikeRules rules = {};
    bool untouched = false;      // what `read` asks for wakes nothing: a sleeping GPU answers, too
    bool across_models = false;  // GPUs of all models are alike
    // Says more of a difference.
    std::function<void(Assessment& row)> explain = {};
    // What a learned profile wants whatever is there now; nothing: what is.
    std::optional<std::int64_t> learnt = {};
    // Sees all of them together.
    std::function<void(std::vector<Assessment>& rows)> finish = {};
};

// Returns a setting of this shape. `value` must outlive it.
Setting gpu_value_setting(Info info, const GpuValue& value);

// Its functions.
std::vector<Assessment> assess_gpu_value(const Setting& setting, const Context& context,
                                         const Want& want);
std::vector<ClusterFact> facts_of_gpu_value(const Setting& setting, const Context& context);

// Settings that are a file or two of each physical GPU.

// Gives GPUs that differ, where others do not, a reset as their next step; `look` is a part before
// it. What all GPUs share has another cause than one GPU, and keeps the step of the setting.
void offer_reset(std::vector<Assessment>& rows, const std::string& look);

// Whether a GPU is on PCI and made for compute, by its class, its model or because KFD has it.
bool is_for_compute(const Gpu& gpu);

// Why nothing is known of a GPU's KFD nodes: KFD could not be read (its error), a container may not
// see them (hidden), or there are none (not_here). Nothing: they are known.
std::optional<Error> no_agents(const Machine& machine, const Gpu& gpu);

// Returns the address of the GPU that each KFD node is of, by the node's index.
std::map<std::uint32_t, std::string> gpus_by_node(const Machine& machine);

// Shows what became of a GPU.
inline constexpr const char* look_at_gpus = "sudo dmesg | grep amdgpu";

// Returns the port that stops a GPU's AtomicOps to host memory; std::nullopt if none does, if only
// root may ask, or if the model reaches the host over xGMI (MI250X, MI300A).
std::optional<AtomicsObstacle> port_without_atomics(const Machine& machine, const std::string& bdf);

// Returns the next step about such a port.
std::string atomics_step(const std::string& port);

// As unreadable(), of a file of amdgpu: EPERM is a GPU that is in reset or suspended.
Assessment unreadable_gpu(const Target& target, const Error& error);

struct GpuFiles {
    std::string want;
    // Tells what the GPU has, in the text form of `want`; not_here: the driver offers no such file.
    std::function<Result<std::string>(const Gpu&)> read;
    std::string absent;  // why not_here is fine; empty: it is not, every driver has the file
};

// Compares every GPU made for compute; one that is asleep is not touched.
std::vector<Assessment> assess_gpus(const Context& context, const GpuFiles& files);

// What a GPU holds in the text form of `have`, and what puts it back.
struct GpuHeld {
    std::string shown;
    Change back;
};

using ReadHeld = std::function<Result<GpuHeld>(const Gpu&)>;

// Nothing when `read` says not_here. A GPU that is asleep is not touched.
std::optional<Baseline> baseline_gpu(const Machine& machine, const Gpu& gpu, const ReadHeld& read);

// Of every GPU made for compute.
std::vector<Baseline> baseline_gpus(const Context& context, const ReadHeld& read);

// What may be on its way when it is looked at (a link that trains, a port that comes up) is looked
// at again before it differs. All suspects of a setting share one wait, and settings one after the
// other share it too: what is looked at after the first wait of a check has had its time.

// Waits two seconds on the machine this runs on, once in a process; nothing else moves meanwhile.
void let_settle(const Fs& fs);

// Whether one of them differs.
bool any_differs(const std::vector<Assessment>& rows);

// Returns what `judge` says, and where something differs on the real machine what it says after the
// wait.
std::vector<Assessment> judged_settled(
    const Fs& fs, const std::function<std::vector<Assessment>(ReadAnew)>& judge);

// Settings that judge every PCI function on the way from a GPU or RDMA NIC to the root.

// One function on such a way.
struct PathFunction {
    std::string bdf;
    bool end = false;   // a GPU or NIC itself; else a bridge
    std::string above;  // the next function towards the root; empty: there is none
    const PciReader* reader = nullptr;
};

// Returns what there is to say of one function; nothing: it has no such capability, or not the kind
// of part that is asked about. An error: it could not be read.
using JudgeFunction = Result<std::optional<Assessment>> (*)(const Context& context,
                                                            const PathFunction& function,
                                                            const Want& want);

// A setting that judges such functions. Functions that are as wanted are counted in one assessment
// of target "system"; each other has its own. What is refused to all alike (configuration space
// without CAP_SYS_ADMIN) is told once.
struct PathFacts {
    std::string_view none;  // why it is fine that no function has it
    JudgeFunction judge;
};

// Judges the functions of the setting's row: what the settings of this shape do.
std::vector<Assessment> assess_paths(const Setting& setting, const Context& context,
                                     const Want& want);

// Returns a setting of this shape. `facts` must outlive it.
Setting path_setting(Info info, const PathFacts& facts);

// Returns one assessment of target "system" for what was refused to all alike; `what` they are:
// "functions". There is one at least.
Assessment told_once(std::vector<Assessment> refused, const std::string& what);

}  // namespace rocenv
