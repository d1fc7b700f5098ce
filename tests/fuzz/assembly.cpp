// SPDX-License-Identifier: MIT
// AMDGCN assembly: what it says of its kernels, written as LLVM's metadata, is read as the same.
#include <algorithm>
#include <set>

#include "commands/occupancy/assembly.h"
#include "fuzz/fuzz.h"
#include "util/text.h"

namespace rocenv::fuzz {

namespace assembly_fuzz {

namespace {

std::string line(const char* key, const std::optional<std::uint64_t>& value) {
    return value ? std::string("    ") + key + ": " + number(*value) + "\n" : "";
}

std::string metadata_of(const AssemblyKernel& kernel) {
    return "  - .name: " + kernel.name + "\n" + line(".vgpr_count", kernel.vgprs) +
           line(".agpr_count", kernel.agprs) + line(".sgpr_count", kernel.sgprs) +
           line(".group_segment_fixed_size", kernel.lds_bytes) +
           line(".max_flat_workgroup_size", kernel.work_items);
}

bool has_plain_name(const AssemblyKernel& kernel) {
    return !kernel.name.empty() &&
           std::all_of(kernel.name.begin(), kernel.name.end(),
                       [](char byte) { return byte == '_' || (byte >= 'a' && byte <= 'z'); });
}

void check_again(const Assembly& assembly) {
    std::string text;
    std::set<std::string> names;
    std::string kernels;
    for (const auto& kernel : assembly.kernels) {
        if (has_plain_name(kernel) && kernel.vgprs && names.insert(kernel.name).second) {
            text += metadata_of(kernel);
        }
    }
    if (text.empty()) {
        return;  // a text without a kernel is refused
    }
    const std::string whole = "amdhsa.kernels:\n" + text;
    const auto again =
        parse_assembly("f", "\t.amdgpu_metadata\n---\n" + whole + "...\n\t.end_amdgpu_metadata\n");
    demand(again.ok(), "metadata is read again", whole);
    std::string found;
    for (const auto& kernel : again->kernels) {
        found += metadata_of(kernel);
    }
    demand(found == text, "it says the same of its kernels",
           [&] { return whole + "---\n" + found; });
}

}  // namespace

}  // namespace assembly_fuzz

void fuzz_assembly(std::string_view bytes) {
    using namespace assembly_fuzz;
    const auto assembly = parse_assembly("f", bytes);
    if (!assembly) {
        return demand_message(assembly.error());
    }
    const auto lines = split(bytes, '\n').size();
    for (const auto& kernel : assembly->kernels) {
        demand(kernel.line >= 1 && kernel.line <= lines, "a kernel stands on a line");
    }
    check_again(*assembly);
}

}  // namespace rocenv::fuzz
