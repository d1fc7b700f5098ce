// SPDX-License-Identifier: MIT
// memory.hugepages: what huge pages that were set aside take of the memory, in percent, rounded up
// (linux mm/hugetlb.c nr_hugepages). That 5 % is much is a choice, no published figure.
#include "machine/host/number_files.h"
#include "rocenv/setting.h"
#include "settings/memory/meminfo.h"
#include "util/text.h"

namespace rocenv {

namespace {

const std::string pools_folder = "/sys/kernel/mm/hugepages";

// The KiB of "hugepages-2048kB".
std::optional<std::uint64_t> page_kib(std::string_view name) {
    constexpr std::string_view start = "hugepages-";
    constexpr std::string_view end = "kB";
    if (!name.starts_with(start) || !name.ends_with(end)) {
        return std::nullopt;
    }
    return parse_number(name.substr(start.size(), name.size() - start.size() - end.size()));
}

struct Reserved {
    std::uint64_t bytes = 0;
    std::optional<Error> unread{};  // of a pool, so that there may be more
};

Result<Reserved> reserved_pages(const Fs& fs) {
    constexpr std::uint64_t unit = 1024;
    const auto names = fs.list(pools_folder);
    if (!names) {
        return names.error();
    }
    Reserved out;
    for (const auto& name : *names) {
        const auto size = page_kib(name);
        const std::string path = pools_folder + "/" + name + "/nr_hugepages";
        const auto count = size ? count_of_file(fs, path) : Result(std::uint64_t{0});
        if (!count) {
            out.unread =
                count.is(ErrorKind::not_here) ? garbled(path, "is missing") : count.error();
            continue;
        }
        if (size && *count > 0 &&
            (*size > INT64_MAX / unit || *count > (INT64_MAX - out.bytes) / (*size * unit + 1))) {
            out.unread = garbled(path, "is more than there can be");
            continue;
        }
        out.bytes += size ? *count * *size * unit : 0;
    }
    return out;
}

std::vector<Assessment> assess_hugepages(const Setting&, const Context& context, const Want& want) {
    constexpr std::uint64_t whole = 100;
    const std::string wanted = number(*want.value.integer());
    const auto reserved = reserved_pages(context.fs());
    if (reserved.is(ErrorKind::not_here) && exists(context.fs(), "/sys/kernel/mm")) {
        return {no_target("this kernel is built without huge pages of that kind")};
    }
    if (!reserved) {
        return {unreadable({}, reserved.error(), wanted)};
    }
    const auto total = memory_bytes(context.fs());
    if (!total) {
        return {unreadable({}, total.error(), wanted)};
    }
    const auto bytes = reserved->bytes;
    const auto percent = bytes == 0 ? 0 : (bytes - 1) / (*total / whole + 1) + 1;
    auto row = compared({}, wanted, number(percent));
    row.outcome = percent <= *parse_number(wanted) ? Outcome::ok : Outcome::differs;
    if (row.outcome == Outcome::ok && reserved->unread) {
        return {unreadable({}, *reserved->unread, wanted)};
    }
    row.detail = bytes == 0 ? "" : bytes_told(bytes) + " of " + bytes_told(*total);
    return {row};
}

}  // namespace

const Setting& memory_hugepages() {
    static const Setting setting{
        .info =
            {
                .id = "memory.hugepages",
                .summary = "Percent of the memory set aside for huge pages",
                .why = "What is set aside is lost to everything else, staging for GPUs included",
                .source = "linux Documentation/admin-guide/mm/hugetlbpage.rst, 6.12 (2024-11)",
                .target = "system",
                .read_from = "/sys/kernel/mm/hugepages/*/nr_hugepages, /proc/meminfo",
                .set_by = "",
                .next_step = "echo 0 | sudo tee /sys/kernel/mm/hugepages/*/nr_hugepages; take "
                             "vm.nr_hugepages "
                             "from /etc/sysctl.d and hugepages= from the kernel line",
                .persist = "is persistent where /etc/sysctl.d or the kernel line sets it",
                .risk_note = "",
                .over_cluster = OverCluster::equal,
                .forms = {{.kind = FormKind::integer, .lowest = 0, .highest = 100}},
            },
        .assess = assess_hugepages,
    };
    return setting;
}

}  // namespace rocenv
