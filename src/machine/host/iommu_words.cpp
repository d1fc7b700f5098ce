// SPDX-License-Identifier: MIT
#include "machine/host/iommu_words.h"

#include <algorithm>

#include "machine/host/cpus.h"
#include "util/text.h"

namespace rocenv {

namespace {

constexpr std::string_view amd_parameter = "amd_iommu";
constexpr std::string_view intel_parameter = "intel_iommu";

std::string_view parameter_of(std::string_view word) {
    return trim(word.substr(0, word.find('=')));
}

// Whether this holds of each of "A|B".
template <typename Holds>
bool of_all_alternatives(std::string_view word, Holds holds) {
    const auto alternatives = split(word, '|');
    return std::all_of(alternatives.begin(), alternatives.end(),
                       [&](std::string_view each) { return holds(parameter_of(each)); });
}

}  // namespace

CpuMaker cpu_maker(const Fs& fs) {
    const auto vendor = first_cpu_words(fs, "vendor_id");
    const std::string name = vendor.empty() ? "" : vendor.back();
    return name == "AuthenticAMD"   ? CpuMaker::amd
           : name == "GenuineIntel" ? CpuMaker::intel
                                    : CpuMaker::unknown;
}

bool is_iommu_word(std::string_view word) {
    return of_all_alternatives(word, [](std::string_view parameter) {
        return parameter == "iommu" || parameter == "iommu.passthrough" ||
               parameter == amd_parameter || parameter == intel_parameter;
    });
}

bool is_of_other_maker(std::string_view word, CpuMaker maker) {
    const auto other = maker == CpuMaker::amd     ? intel_parameter
                       : maker == CpuMaker::intel ? amd_parameter
                                                  : std::string_view();
    return !other.empty() && of_all_alternatives(word, [&](std::string_view parameter) {
        return parameter == other;
    });
}

bool has_idle_intel_iommu(const Fs& fs) {
    const auto groups = fs.list("/sys/kernel/iommu_groups");
    const bool idle = groups ? groups->empty() : groups.is(ErrorKind::not_here);
    return idle && cpu_maker(fs) == CpuMaker::intel;
}

std::string words_for_pass_through(const Fs& fs) {
    return has_idle_intel_iommu(fs) ? "intel_iommu=on iommu=pt" : "iommu=pt";
}

std::string word_for_no_iommu(const Fs& fs) {
    const auto maker = cpu_maker(fs);
    return maker == CpuMaker::amd     ? "amd_iommu=off"
           : maker == CpuMaker::intel ? "intel_iommu=off"
                                      : "iommu=off";
}

}  // namespace rocenv
