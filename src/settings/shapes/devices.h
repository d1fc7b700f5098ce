// SPDX-License-Identifier: MIT
// Assessment of one value of each of many equal devices, of each GPU, and of values that may still
// change.
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

// Assessment of one value of each of many equal devices: GPUs of a model, ports, functions. The
// expected value comes from the profile, from the table of models, or from a majority of the
// devices. Agreement is never reported while a device did not respond.

// The value of one device.
struct DeviceValue {
    std::string device;                        // target: "0000:05:00.0"
    std::string kind;                          // devices of one kind are compared
    Result<std::string> value;                 // not_here: the device has no such value
    std::optional<std::string> of_model = {};  // value of its model, if known
    std::string note = {};                     // addition to a difference
    const Gpu* gpu = nullptr;                  // nullptr: not a GPU
    bool left_out = false;                     // covered by other devices, not read
};

// The devices to compare.
struct LikeDevices {
    std::vector<DeviceValue> values;
    std::optional<Error> uncertain = {};  // reason why further devices may exist
    std::string why_none;                 // reason why none are expected
};

// The rules of a comparison.
struct LikeRules {
    // Reason why a kind may lack the value; empty: every device has it.
    std::string absent = {};
    // Returns true if `have` fulfils `expected`; empty: equal texts do.
    std::function<bool(const std::string& expected, const std::string& have)> accepts = {};
    // Command that shows the cause of a missing response; empty: that of GPUs.
    std::string log_command = {};
};

// Compares the values. `expected` is "equal" (as the majority of the kind, and as of_model if
// known), "model" (value of the model, or the majority if unknown), or the value itself. Returns an
// assessment for each device, in order, and an unknown one of target "system" if further devices
// may exist. Compared with a majority, if a device did not respond, only unresponsive devices and
// outliers are returned; a device without peers is na. Without any row, returns one that is na with
// the reason `why_none`.
std::vector<Assessment> judge_alike(const LikeDevices& devices, const std::string& expected,
                                    const LikeRules& rules);

// Returns the values of the devices as facts. A device whose value is not_here has none, other
// errors are unread facts.
std::vector<ClusterFact> facts_of(const LikeDevices& devices);

// Reads the value of one GPU; not_here: the driver has no such file.
using ReadGpu = std::function<Result<std::string>(const Context& context, const Gpu& gpu)>;

// Returns the GPUs made for compute with the value that `read` returns. A suspended GPU is not
// touched unless `untouched` is set. A GPU without a driver has the reason.
LikeDevices gpu_values(const Context& context, const ReadGpu& read, bool untouched = false);

// Returns the single line of a file, without blanks around it. Fails with `garbled` if it is empty,
// longer than 64 bytes, more than one line, or has other than plain characters.
Result<std::string> read_line(const Fs& fs, const std::string& path);

// A setting of one value of each GPU for compute: an Info and these parts.
struct GpuValue {
    ReadGpu read;
    // Returns the value of the model; nullptr: the table of models has none.
    std::optional<std::string> (*of_model)(const GpuModel& model) = nullptr;
    std::string_view field = {};  // field of GpuModel that of_model returns
    LikeRules rules = {};
    bool untouched = false;      // `read` does not wake a suspended GPU
    bool across_models = false;  // GPUs of all models are compared
    // Adds text to a difference.
    std::function<void(Assessment& row)> explain = {};
    // Value that a learned profile expects; std::nullopt: the present value.
    std::optional<std::int64_t> learnt = {};
    // Processes all rows together.
    std::function<void(std::vector<Assessment>& rows)> finish = {};
};

// Returns a setting of this shape. `value` must outlive it.
Setting gpu_value_setting(Info info, const GpuValue& value);

// Assesses the value of each GPU, as all settings of this shape do.
std::vector<Assessment> assess_gpu_value(const Setting& setting, const Context& context,
                                         const Expectation& expectation);
// Returns the present value of each GPU as a fact.
std::vector<ClusterFact> facts_of_gpu_value(const Setting& setting, const Context& context);

// Settings of one or two files of each physical GPU.

// Sets a reset as the next step of outlier GPUs, with `log_command` as its first part. If all of
// several GPUs differ by one value, they have a common cause and keep the setting's next step.
void offer_reset(std::vector<Assessment>& rows, const std::string& log_command);

// Returns true if a GPU is on PCI and made for compute, by class, model or KFD.
bool is_for_compute(const Gpu& gpu);

// Returns the reason why the KFD nodes of a GPU are unknown: the error of reading KFD, hidden in a
// container, or not_here if there are none. Returns std::nullopt if they are known.
std::optional<Error> no_agents(const Machine& machine, const Gpu& gpu);

// Returns the GPU address of each KFD node, by node index.
std::map<std::uint32_t, std::string> gpus_by_node(const Machine& machine);

// The command that shows the state of a GPU.
inline constexpr const char* gpu_log_command = "sudo dmesg | grep amdgpu";

// Returns the port that blocks AtomicOps of a GPU to host memory. Returns std::nullopt if none
// does, if it cannot be read, or if the model reaches the host over xGMI (MI250X, MI300A).
std::optional<AtomicsObstacle> port_without_atomics(const Machine& machine, const std::string& bdf);

// Returns the next step for the port of port_without_atomics().
std::string atomics_step(const std::string& port);

// Returns the row of an unreadable amdgpu file; `EPERM` means a GPU in reset or suspended.
Assessment unreadable_gpu(const Target& target, const Error& error);

// The files of a GPU setting.
struct GpuFiles {
    std::string expected;
    // Reads the value in the text form of `expected`; not_here: the driver has no such file.
    std::function<Result<std::string>(const Gpu&)> read;
    std::string absent;  // reason why not_here is fine; empty: every driver has the file
};

// Compares every GPU made for compute; a suspended GPU is not touched and is unknown. The last row
// is unknown if further GPUs may exist. Returns one row that is na for a node without GPUs.
std::vector<Assessment> assess_gpus(const Context& context, const GpuFiles& files);

// The present value of a GPU as text, and the change that restores it.
struct GpuHeld {
    std::string shown;
    Change back;
};

using ReadHeld = std::function<Result<GpuHeld>(const Gpu&)>;

// Returns the baseline, with the error if `read` fails; std::nullopt if it fails with `not_here`. A
// suspended GPU is not touched.
std::optional<Baseline> baseline_gpu(const Machine& machine, const Gpu& gpu, const ReadHeld& read);

// Returns the baselines of all GPUs made for compute, except those without one.
std::vector<Baseline> baseline_gpus(const Context& context, const ReadHeld& read);

// Values that may still change (a link in training, a port that comes up) are read again before
// they differ. All values of all settings share one wait: a later read after the first wait has
// waited long enough.

// Waits two seconds on the real machine, once in a process; all work pauses.
void wait_for_links(const Fs& fs);

// Returns true if a row differs.
bool any_differs(const std::vector<Assessment>& rows);

// Returns the rows of `judge`; if one differs on the real machine, the rows after the wait.
std::vector<Assessment> judged_after_wait(
    const Fs& fs, const std::function<std::vector<Assessment>(Reread)>& judge);

// Settings of every PCI function between a GPU or RDMA NIC and the root.

// One function on such a path.
struct PathFunction {
    std::string bdf;
    bool end = false;   // true: a GPU or NIC; false: a bridge
    std::string above;  // next function towards the root; empty: none
    const PciReader* reader = nullptr;
};

// Returns the assessment of one function; std::nullopt if it lacks the capability or is of another
// kind. Fails if it cannot be read.
using JudgeFunction = Result<std::optional<Assessment>> (*)(const Context& context,
                                                            const PathFunction& function,
                                                            const Expectation& expectation);

// A setting of such functions. A function that does not pass, is unread, or has a remark or counts
// has its own assessment. If all pass, the others are counted in one of target "system". Missing
// rights (configuration space without CAP_SYS_ADMIN) are one assessment of target "system".
struct PathFacts {
    std::string_view none;  // reason why no function needs to have it
    JudgeFunction judge;
};

// Judges the functions, as all settings of this shape do.
std::vector<Assessment> assess_paths(const Setting& setting, const Context& context,
                                     const Expectation& expectation);

// Returns a setting of this shape. `facts` must outlive it.
Setting path_setting(Info info, const PathFacts& facts);

// Returns one assessment of target "system" for a refusal common to all; `what` names them:
// "functions". `refused` must not be empty.
Assessment reported_once(std::vector<Assessment> refused, const std::string& what);

}  // namespace rocenv
