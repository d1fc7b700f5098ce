// SPDX-License-Identifier: MIT
// Settings that are a file or two of each physical GPU.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "rocenv/setting.h"

namespace rocenv {

struct GpuFiles {
    std::string want;
    // Tells what the GPU has, in the text form of `want`; not_here: the driver offers no such file.
    std::function<Result<std::string>(const Gpu&)> read;
    std::string absent;  // why not_here is fine; empty: it is not, every driver has the file
};

// Compares every GPU made for compute; one that is asleep is not touched.
std::vector<Assessment> assess_gpus(const Context& context, const GpuFiles& files);

// As the two partition settings are: one word in `file` of the GPU's folder, one of `known`.
std::vector<Assessment> assess_partition(const Context& context, const Want& want,
                                         const std::string& file, const Form& known);

}  // namespace rocenv
