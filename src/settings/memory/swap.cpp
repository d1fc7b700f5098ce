// SPDX-License-Identifier: MIT
// memory.swap: areas that the kernel pages out to (linux mm/swapfile.c swap_show: a head line
// "Filename Type Size Used Priority", then a line for each).
#include "rocenv/setting.h"
#include "util/text.h"

namespace rocenv {

namespace {

// The sizes in KiB; nothing: it is no such list.
std::optional<std::vector<std::uint64_t>> sizes(std::string_view text) {
    constexpr std::size_t columns = 5;
    std::vector<std::uint64_t> out;
    const auto lines = split(text, '\n');
    const auto head = words(lines.front());
    if (head.size() != columns || head[0] != "Filename" || head[2] != "Size") {
        return std::nullopt;
    }
    for (std::size_t at = 1; at < lines.size(); ++at) {
        const auto fields = words(lines[at]);
        if (fields.empty()) {
            continue;
        }
        const auto size = fields.size() < columns
                              ? std::nullopt
                              : parse_number(fields[fields.size() - 3]);  // names hold blanks
        if (!size || *size > INT64_MAX / lines.size()) {
            return std::nullopt;
        }
        out.push_back(*size);
    }
    return out;
}

std::vector<Assessment> assess_swap(const Setting&, const Context& context, const Want& want) {
    const std::string path = "/proc/swaps";
    const auto text = context.fs().read(path);
    if (text.is(ErrorKind::not_here) && exists(context.fs(), "/proc/meminfo")) {
        return {no_target("this kernel is built without swap")};
    }
    if (!text) {
        return {unreadable({}, text.error(), *want.value.text())};
    }
    const auto areas = sizes(*text);
    if (!areas) {
        return {unreadable({}, garbled(path, "is no list of swap areas"), *want.value.text())};
    }
    std::uint64_t sum = 0;
    for (const auto size : *areas) {
        sum += size;
    }
    auto row = compared({}, *want.value.text(), areas->empty() ? "none" : number(sum) + " kB");
    row.detail = areas->empty() ? "" : "areas: " + number(areas->size());
    return {row};
}

}  // namespace

const Setting& memory_swap() {
    static const Setting setting{
        .info =
            {
                .id = "memory.swap",
                .summary = "Whether the node pages out",
                .why =
                    "Paging hides a leak until the node crawls, and a GPU's pages are never paged",
                .source =
                    "Azure/azurehpc-health-checks conf/nd96isr_mi300x_v5.conf, 2026-05; linux "
                    "mm/swapfile.c, 6.12",
                .target = "system",
                .read_from = "/proc/swaps",
                .set_by = "",
                .next_step = "sudo swapoff -a; take the lines with swap from /etc/fstab",
                .persist = "is persistent where /etc/fstab or a unit of systemd names it",
                .risk_note = "",
                .over_cluster = OverCluster::equal,
                .forms = {{.kind = FormKind::word, .words = {"none"}}},
            },
        .assess = assess_swap,
    };
    return setting;
}

}  // namespace rocenv
