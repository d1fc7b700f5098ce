// SPDX-License-Identifier: MIT
// gpu.parameters: options of amdgpu that somebody left set. "default": each is as the driver has it
// by itself (profiles/facts/amdgpu.toml); a profile may allow others by name. Some files are for
// root only, and an unset text reads
// "(null)".
#include <algorithm>
#include <map>

#include "machine/sources.h"
#include "os/redact/redact.h"
#include "os/redact/redact_words.h"
#include "rocenv/setting.h"
#include "util/text.h"

namespace rocenv {

namespace {

const std::string parameters_folder = "/sys/module/amdgpu/parameters";

constexpr Grade parameters_grades[] = {
    {"recommended", Level::recommended,
     "The option slows jobs or hides a fault, but breaks no job"},
    {"report", Level::info, "The option is not at its default, but the site may have chosen it"},
};

struct Parameter {
    std::string_view name;
    std::string_view usual;
    const Grade* level = nullptr;  // of another value; nullptr: no grade lowers it
    std::string_view means;
};

constexpr const Grade* slight = &parameters_grades[0];
constexpr const Grade* told = &parameters_grades[1];

constexpr Parameter parameters[] = {
#include "facts/driver_parameters.inc"
};

// What the kernel writes for a value that was never set.
bool is_usual(const Parameter& parameter, std::string_view value) {
    const bool unset = value.empty() || value == "(null)";
    return value == parameter.usual || (parameter.usual.empty() && unset);
}

// A loaded amdgpu always has the folder (linux kernel/params.c): without it the folder is
// hidden.
Assessment without_folder(const Context& context, Error error) {
    const bool loaded = exists(context.fs(), "/sys/module/amdgpu");
    const auto evidence = loaded ? std::optional<std::string>("the driver amdgpu is loaded")
                                 : driver_evidence(context.machine);
    if (!evidence) {
        return no_target("the amdgpu module is not loaded");
    }
    error.text += ", although " + *evidence;
    return unreadable({}, error, "default");
}

// Whether the kernel can have written the text: one line, behind which a recording may have NULs.
bool is_one_line(std::string_view text) {
    const auto end = text.find('\n');
    return end != text.npos && text.find_first_not_of('\0', end + 1) == text.npos &&
           text.substr(0, end).find('\0') == text.npos;
}

void judge(const Fs& fs, const Parameter& parameter, std::vector<Assessment>& out) {
    const std::string path = parameters_folder + "/" + std::string(parameter.name);
    const Target target{std::string(parameter.name), std::nullopt, ""};
    const auto text = fs.read(path);
    const auto value = text ? trim(*text) : std::string_view();
    if (!text) {
        out.push_back(unreadable(target, text.error(), "default"));
    } else if ((value.empty() && !parameter.usual.empty()) || !is_one_line(*text) ||
               value.size() > 40 || !is_plain(value)) {
        out.push_back(unreadable(target, garbled(path, "the value is not valid"), "default"));
    } else if (!is_usual(parameter, value)) {
        const bool plain = is_kernel_text(value);  // else a person's own text
        auto row =
            compared(target, std::string(parameter.usual), std::string(plain ? value : redacted));
        row.detail = parameter.means;
        row.grade = parameter.level;
        out.push_back(std::move(row));
    }
}

Assessment all_well(std::size_t looked_at) {
    if (looked_at == 0) {
        return no_target("the driver exposes none of the relevant options");
    }
    auto row = compared({}, "default", "default");
    row.detail = number(looked_at) + " options";
    return row;
}

std::vector<Assessment> assess_parameters(const Setting&, const Context& context,
                                          const Want& want) {
    const auto names = context.fs().list(parameters_folder);
    if (names.is(ErrorKind::not_here)) {
        return {without_folder(context, names.error())};
    }
    if (!names) {
        return {unreadable({}, names.error(), "default")};
    }
    const auto allowed = field_texts(want.value, "allowed");
    std::vector<Assessment> out;
    std::size_t looked_at = 0;
    for (const auto& parameter : parameters) {
        const bool here = std::find(names->begin(), names->end(), parameter.name) != names->end();
        const bool skip =
            std::find(allowed.begin(), allowed.end(), parameter.name) != allowed.end();
        if (here && !skip) {
            ++looked_at;
            judge(context.fs(), parameter, out);
        }
    }
    if (out.empty()) {
        out.push_back(all_well(looked_at));
    }
    return out;
}

}  // namespace

const Setting& gpu_parameters() {
    static const Setting setting{
        .info =
            {
                .id = "gpu.parameters",
                .summary = "Options of the amdgpu driver that are not at their defaults",
                .why = "An option left from a test limits links or memory, or hides errors, on "
                       "every GPU",
                .source = "linux drivers/gpu/drm/amd/amdgpu/amdgpu_drv.c, 2018 to 2024",
                .target = "parameter",
                .read_from = "/sys/module/amdgpu/parameters",
                .set_by = "",
                .next_step = "grep -rw amdgpu /etc/modprobe.d /proc/cmdline; if the option was "
                             "left from a test, remove it and reboot",
                .persist =
                    "read when the driver is loaded: /etc/modprobe.d and the kernel command line",
                .risk_note = "",
                .after_reboot = true,
                .over_cluster = OverCluster::equal,
                .forms = {{.kind = FormKind::word, .words = {"default"}},
                          {.kind = FormKind::table,
                           .fields = {{"allowed", {.kind = FormKind::text_list}}}}},
                .grades = parameters_grades,
            },
        .assess = assess_parameters,
    };
    return setting;
}

}  // namespace rocenv
