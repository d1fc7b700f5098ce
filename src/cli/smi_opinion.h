// SPDX-License-Identifier: MIT
// check --gpu-backend rsmi or amdsmi: what rocm_smi_lib or amdsmi says about each GPU, beside what
// the driver's file says. It changes neither the report nor the exit status.
#pragma once

#include <string>
#include <vector>

#include "cli/options.h"
#include "vendor/smi_probe.h"

namespace rocenv {

class SmiOpinion {
   public:
    // Asks the library, when it is to be asked.
    explicit SmiOpinion(const CheckOptions& options);

    // "rocenv: …" lines for stderr: one per GPU, or one that says why there are none.
    std::string lines(const Fs& machine) const;

   private:
    std::string who_;  // "rsmi"
    std::vector<std::string> why_none_;
    std::vector<SmiDevice> devices_;
};

}  // namespace rocenv
