// SPDX-License-Identifier: MIT
#include "commands/occupancy/instructions.h"

namespace rocenv {

namespace {

bool is_wide(std::string_view name) {
    return name.ends_with("x4") || name.find("b128") != std::string_view::npos ||
           (name.starts_with("ds_read2") && name.ends_with("_b64"));
}

bool is_load(std::string_view name) {
    return name.starts_with("global_load_") || name.starts_with("buffer_load_") ||
           name.starts_with("flat_load_");
}

bool is_call(std::string_view name) {
    return name == "s_swappc_b64" || name == "s_call_b64";
}

bool is_spill(std::string_view comment) {
    return comment.find(" Folded Spill") != std::string_view::npos ||
           comment.find(" Folded Reload") != std::string_view::npos;
}

}  // namespace

void count_instruction(std::string_view name, std::string_view comment, CodeCounts& into) {
    if (is_spill(comment)) {
        ++into.spills;
    } else if (is_load(name)) {
        ++into.loads;
        into.wide_loads += static_cast<std::uint64_t>(is_wide(name));
    } else if (is_call(name)) {
        ++into.calls;
    } else if (name.starts_with("ds_read") || name.starts_with("ds_load")) {
        ++into.lds_reads;
        into.wide_lds_reads += static_cast<std::uint64_t>(is_wide(name));
    } else if (name.starts_with("s_wait")) {
        ++into.waits;
    } else if (name.starts_with("v_mfma_") || name.starts_with("v_smfmac_")) {
        ++into.mfma;
    }
}

// Of ds_… those only move data between lanes, or are about the global data share; of the others
// "lds" in the name or as the last word says that they load into it.
bool uses_lds(std::string_view name, std::string_view line) {
    if (name.starts_with("ds_")) {
        return !name.starts_with("ds_gws_") && !name.starts_with("ds_swizzle_") &&
               !name.starts_with("ds_permute_") && !name.starts_with("ds_bpermute_") &&
               name != "ds_nop" && !line.ends_with(" gds");
    }
    const bool loads = name.starts_with("buffer_") || name.starts_with("global_") ||
                       name.starts_with("scratch_") || name.starts_with("tbuffer_");
    return (loads && (line.ends_with(" lds") || line.find(" lds ") != std::string_view::npos ||
                      name.find("_lds") != std::string_view::npos)) ||
           line.find("lds_direct") != std::string_view::npos;
}

}  // namespace rocenv
