// SPDX-License-Identifier: MIT
// Judging one value of each of many like devices: GPUs of a model, ports, functions. What is
// expected comes from the profile, from the table of models, or from the devices themselves, which
// then must agree; agreement is never told while one of them did not answer.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "machine/gpu/gpu_models.h"
#include "rocenv/setting.h"

namespace rocenv {

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

}  // namespace rocenv
