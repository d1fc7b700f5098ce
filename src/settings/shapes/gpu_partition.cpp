// SPDX-License-Identifier: MIT
#include "settings/shapes/gpu_partition.h"

#include <algorithm>
#include <utility>

#include "os/redact/redact_words.h"
#include "util/text.h"

namespace rocenv {

namespace {

constexpr Grade gpu_partition_grades[] = {
    {"mode", Level::info, "all GPUs are alike in another mode, which may be somebody's choice"},
};

void grade(std::vector<Assessment>& rows) {
    const bool alike = std::all_of(rows.begin(), rows.end(), [&](const Assessment& row) {
        return row.outcome == Outcome::differs && row.have == rows.front().have;
    });
    for (auto& row : rows) {
        row.grade = alike && row.want != "equal" ? &gpu_partition_grades[0] : nullptr;
    }
}

}  // namespace

GpuValue partition_value(std::string_view words, const std::string& file, const std::string& kind) {
    const auto read = [file, words](const Context& context, const Gpu& gpu) -> Result<std::string> {
        const std::string path = pci_path(gpu.bdf) + "/" + file;
        const auto text = context.fs().read(path);
        if (!text) {
            return text.error();
        }
        const auto word = trim(*text);
        const auto known = split(words, ' ');
        if (std::find(known.begin(), known.end(), word) == known.end()) {
            return garbled(path, "is no partition mode: " + quoted_value(word));
        }
        return std::string(word);
    };
    const auto explain = [kind](Assessment& row) {
        row.next_step = row.want == "equal" ? "sudo amd-smi partition; then give all GPUs one mode"
                                            : "with no job there: sudo amd-smi set --gpu BDF --" +
                                                  kind + "-partition " + *row.want;
    };
    return {.read = read,
            .rules = {.absent = "the driver offers no partitions for this GPU"},
            .explain = explain,
            .finish = grade};
}

Setting partition_setting(Info info, const GpuValue& value) {
    info.grades = gpu_partition_grades;
    return gpu_value_setting(std::move(info), value);
}

}  // namespace rocenv
