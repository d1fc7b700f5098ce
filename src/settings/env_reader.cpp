// SPDX-License-Identifier: MIT
#include "settings/env_reader.h"

#include <cctype>

#include "util/text.h"

namespace rocenv {

namespace {

// atoi(3) != 0: leading blanks, a sign, then digits.
bool leading_number_is_not_zero(std::string_view text) {
    while (!text.empty() && std::isspace(static_cast<unsigned char>(text.front())) != 0) {
        text.remove_prefix(1);
    }
    if (!text.empty() && (text.front() == '-' || text.front() == '+')) {
        text.remove_prefix(1);
    }
    for (const char letter : text) {
        if (letter < '0' || letter > '9') {
            return false;
        }
        if (letter != '0') {
            return true;
        }
    }
    return false;
}

// A flag of AMD's HIP runtime is on for the text "true" and for text that starts with a number that
// is not 0; everything else, also "yes", "on", "True" and nothing at all, is off
// (ROCm/clr rocclr/utils/flags.cpp, 2025-08).
bool clr_flag(std::string_view text) {
    return text == "true" || leading_number_is_not_zero(text);
}

// Unset, it is on by default from ROCm 6.2 (ROCm/clr rocclr/utils/flags.hpp; AMD's documentation
// says 6.2, the flag's default changed in 6.1), and the default is acted on by gfx94x and gfx95x
// only (rocclr/device/rocm/rocsettings.cpp).
class ForceDevKernarg final : public EnvReader {
   public:
    std::string_view name() const override { return "HIP_FORCE_DEV_KERNARG"; }

    Reading read(const Context& context, const std::optional<std::string>& text) const override {
        if (text) {
            return from_text(*text);
        }
        Reading unset = by_default(context);
        if (unset.effective == "true") {
            unset.note = "not set; on by default with ROCm 6.2 and later on this GPU";
        }
        return unset;
    }

    std::string misread(std::string_view text) const override {
        const bool plain = text == "1" || text == "0" || text == "true" || text == "false";
        return plain ? "" : std::string("is read as ") + (clr_flag(text) ? "on" : "off");
    }

   private:
    Reading from_text(const std::string& text) const {
        Reading reading;
        reading.effective = clr_flag(text) ? "true" : "false";
        if (!misread(text).empty()) {
            reading.note = "the HIP runtime reads \"" + printable(text, 40) + "\" as " +
                           (clr_flag(text) ? "on" : "off") + "; write 1 or 0";
        }
        return reading;
    }

    static Reading by_default(const Context& context) {
        const auto uncertain = context.machine.gpus_uncertain();
        if (context.machine.gpus().empty() && uncertain) {
            return {"default", "not set; which GPUs there are is unknown: " + uncertain->text,
                    true};
        }
        if (context.machine.gpus().empty()) {
            return {"default", "no AMD GPU, nothing reads it", false};
        }
        if (!acted_on_by_default(context.machine)) {
            return {"false", "not set; off by default on this GPU", true};
        }
        const auto version = context.machine.rocm_version(context.process.variable("ROCM_PATH"));
        if (!version) {
            return {"default",
                    "not set; whether it is on by default depends on the ROCm version: " +
                        version.error().text,
                    true};
        }
        if (compare_versions(*version, "6.2").value_or(-1) >= 0) {
            return {"true", "", true};
        }
        if (compare_versions(*version, "6.1").value_or(-1) >= 0) {
            return {"default", "not set; AMD's texts disagree on the default in ROCm 6.1", true};
        }
        return {"false", "not set; off by default before ROCm 6.2", true};
    }

    // By PCI id where KFD is not to be seen: all of MI300 and MI350 are gfx94x and gfx95x.
    static bool acted_on_by_default(const Machine& machine) {
        for (const auto& gpu : machine.gpus()) {
            const bool instinct = gpu.device >= 0x74a0 && gpu.device <= 0x75ff;
            const auto gfx =
                gpu.agents.empty()
                    ? std::string()
                    : gfx_name(machine.kfd().nodes[gpu.agents.front()].get("gfx_target_version"));
            if (gfx.starts_with("gfx94") || gfx.starts_with("gfx95") || (gfx.empty() && instinct)) {
                return true;
            }
        }
        return false;
    }
};

const ForceDevKernarg force_dev_kernarg;
const EnvReader* const readers[] = {&force_dev_kernarg};

}  // namespace

const EnvReader* find_env_reader(std::string_view name) {
    for (const EnvReader* reader : readers) {
        if (reader->name() == name) {
            return reader;
        }
    }
    return nullptr;
}

std::vector<std::string> known_variables() {
    std::vector<std::string> names;
    for (const EnvReader* reader : readers) {
        names.emplace_back(reader->name());
    }
    return names;
}

}  // namespace rocenv
