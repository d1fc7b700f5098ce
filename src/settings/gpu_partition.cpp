// SPDX-License-Identifier: MIT
#include "settings/gpu_partition.h"

#include <algorithm>
#include <utility>

#include "util/text.h"

namespace rocenv {

GpuValueSetting partition_setting(Info info, const std::string& file, const std::string& kind) {
    const auto words = info.forms.front().words;
    const auto read = [file, words](const Context& context, const Gpu& gpu) -> Result<std::string> {
        const std::string path = pci_path(gpu.bdf) + "/" + file;
        const auto text = context.fs().read(path);
        if (!text) {
            return text.error();
        }
        const auto word = trim(*text);
        if (std::find(words.begin(), words.end(), word) == words.end() || word == "equal") {
            return garbled(path, "is no partition mode: \"" + printable(word, 40) + "\"");
        }
        return std::string(word);
    };
    const auto explain = [kind](Assessment& row) {
        const std::string mode = row.want == "equal" ? "MODE" : *row.want;
        row.next_step = "sudo amd-smi set --" + kind + "-partition " + mode;
        row.next_step += ", with no job on the GPU";
    };
    return {std::move(info),
            {.read = read,
             .rules = {.absent = "the driver offers no partitions for this GPU"},
             .explain = explain}};
}

}  // namespace rocenv
