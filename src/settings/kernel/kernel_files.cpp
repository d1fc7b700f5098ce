// SPDX-License-Identifier: MIT
// Settings that are one value in one kernel file: a number in /proc/sys, or a choice whose present
// word is in brackets ("always [madvise] never"). Each is a row of a table; reading, setting and
// keeping follow from its name.
#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "machine/host/boot_words.h"
#include "machine/kernel_attribute.h"
#include "os/redact/redact_words.h"
#include "rocenv/change.h"
#include "rocenv/setting.h"
#include "settings/kernel/boot_blame.h"
#include "util/text.h"

namespace rocenv {

struct FileRow {
    std::string_view id;           // "kernel.nmi_watchdog"
    std::string_view name = {};    // "vm.swappiness"; empty: equal to the id
    std::string_view path = {};    // path of a file that is not a sysctl; empty: by name
    std::string_view folder = {};  // folder that every kernel has; empty: folder of the file
    std::string_view summary;
    std::string_view why;
    std::string_view source;
    std::string_view choices = {};  // "always|madvise|never"; empty: a number
    std::int64_t lowest = 0;        // lowest value in a profile
    std::int64_t highest = 1;
    std::int64_t kernel_highest = 0;  // highest value of the kernel and of a restore; 0: highest
    std::string_view usual = "0";     // value in example commands
    std::string_view boot_word = {};  // equivalent word on the kernel command line; empty: none
    std::string_view risk_note;
    std::string_view without;  // meaning of a missing file in an existing folder
    // The behaviour of a kernel without the file; another expected value is a difference.
    // std::nullopt: a missing file is always accepted.
    std::optional<std::string_view> absent_is = {};
    // Returns an addition to a difference.
    std::string (*explain)(const Assessment& row) = nullptr;
    // Finds another file that overrides an accepted value, and states the effect.
    void (*check_related)(const Fs& fs, Assessment& row) = nullptr;
    std::string_view also_reads = {};    // files read by check_related
    std::span<const Grade> grades = {};  // grades of such an effect
};

// A row and its derived texts, which an Info refers to.
struct FileFacts {
    explicit FileFacts(const FileRow& row);
    FileFacts(const FileFacts&) = delete;
    FileFacts& operator=(const FileFacts&) = delete;

    const FileRow& row;
    std::string path;
    std::string folder;
    std::string read_from;
    std::string set_by;
    std::string next_step;
    std::string persist;
    std::string bytes;
    WrittenPlace place;
};

namespace {

// The settings of a table of rows, in its order. The rows must outlive it.
class FileTable {
   public:
    explicit FileTable(std::span<const FileRow> rows);
    // Returns the settings; they live as long as the table.
    std::span<const Setting> settings() const { return settings_; }

   private:
    std::vector<FileFacts> facts_;
    std::vector<Setting> settings_;
};

bool is_choice(const FileRow& row) {
    return !row.choices.empty();
}

std::string name_of(const FileRow& row) {
    return std::string(row.name.empty() ? row.id : row.name);
}

std::string path_of(const FileRow& row) {
    if (!row.path.empty()) {
        return std::string(row.path);
    }
    std::string name = name_of(row);
    std::replace(name.begin(), name.end(), '.', '/');
    return "/proc/sys/" + name;
}

std::string persist_of(const FileRow& row) {
    const std::string way = row.path.empty() ? name_of(row) + " = " + std::string(row.usual) +
                                                   " in a file under /etc/sysctl.d"
                                             : "a w line in a file under /etc/tmpfiles.d";
    const std::string boot =
        row.boot_word.empty() ? "" : std::string(row.boot_word) + " on the kernel command line";
    const std::string ways = boot.empty()       ? way
                             : row.path.empty() ? way + ", or " + boot
                                                : boot + ", or " + way;
    return "lost at reboot; to keep it, add " + ways;
}

std::string bytes_of(const FileRow& row) {
    const auto highest = std::max(row.highest, row.kernel_highest);
    return is_choice(row) ? std::string(row.choices)
                          : "<" + std::to_string(row.lowest) + "-" + std::to_string(highest) + ">";
}

Codec codec_of(const FileRow& row) {
    return is_choice(row) ? Codec::choice : Codec::line;
}

KernelAttribute attribute(const FileFacts& facts) {
    return {facts.path, codec_of(facts.row)};
}

Result<Choices> parse(const FileFacts& facts, std::string_view text) {
    if (is_choice(facts.row)) {
        return parse_choice(facts.path, text);
    }
    const auto value = parse_number(trim(text));
    return value ? Result(Choices{number(*value), {}})
                 : garbled(facts.path, "is not a valid number: " + quoted_value(trim(text)));
}

void explain(const FileFacts& facts, const Choices& content, Assessment& row) {
    row.next_step = "echo " + *row.expected + " | sudo tee " + facts.path;
    if (is_choice(facts.row) && !content.offers(*row.expected)) {
        row.detail = "this kernel offers only " + join(content.offered, ", ");
        row.next_step = "expect one of the values that this kernel offers";
        row.change.reset();
    } else if (facts.row.explain != nullptr) {
        row.detail = facts.row.explain(row);
    }
}

Assessment absent(const FileFacts& facts, const std::string& expected) {
    auto row = no_target(std::string(facts.row.without));
    if (facts.row.absent_is && *facts.row.absent_is != expected) {
        row.outcome = Outcome::differs;
        row.expected = expected;
        row.next_step = "boot a kernel that has this file: ls " + facts.path;
    }
    return row;
}

Assessment judge_file(const FileFacts& facts, const Fs& fs, const std::string& expected) {
    const auto text = fs.read(facts.path);
    if (text.is(ErrorKind::not_here) && exists(fs, facts.folder)) {
        return absent(facts, expected);
    }
    const auto content = text ? parse(facts, *text) : text.error();
    if (!content) {
        return unreadable({}, content.error(), expected);
    }
    auto row = compared({}, expected, content->value);
    row.change = word_change(attribute(facts), expected);
    if (row.outcome == Outcome::differs) {
        explain(facts, *content, row);
    } else if (facts.row.check_related != nullptr) {
        facts.row.check_related(fs, row);
    }
    return row;
}

// Explains that the file was changed later, if the boot word for the value is on the command line.
void blame_later_change(const FileFacts& facts, const Machine& machine, Assessment& row) {
    if (facts.row.boot_word.empty() || row.expected != facts.row.usual) {
        return;
    }
    const auto arguments = machine.kernel_arguments();
    if (arguments && has_any_boot_word(*arguments, facts.row.boot_word)) {
        add_detail("the kernel was booted with " + std::string(facts.row.boot_word) +
                       ", but another program changed the value later, for example tuned or sysctl",
                   row.detail);
    }
}

std::vector<Assessment> assess_file(const Setting& setting, const Context& context,
                                    const Expectation& expectation) {
    const auto& facts = *setting.row.file;
    auto row = judge_file(facts, context.fs(), plain_text(expectation.value));
    if (row.outcome == Outcome::differs && row.change) {
        blame_boot_words(context.machine, facts.row.id, BlameStep::keep, row);
        blame_later_change(facts, context.machine, row);
    }
    return {row};
}

Keeping keeping_of_file(const Setting& setting, const Expectation& expectation) {
    const auto& facts = *setting.row.file;
    const std::string value = plain_text(expectation.value);
    Keeping out;
    if (facts.row.path.empty()) {
        out.sysctl = {name_of(facts.row) + " = " + value};
    } else {
        out.tmpfiles = {"w " + facts.path + " - - - - " + value};
    }
    return out;
}

std::vector<Baseline> baseline_of_file(const Setting& setting, const Context& context) {
    const auto& facts = *setting.row.file;
    const auto text = context.fs().read(facts.path);
    if (text.is(ErrorKind::not_here)) {
        return {};
    }
    const auto content = text ? parse(facts, *text) : text.error();
    if (!content) {
        return {{{}, "", content.error()}};
    }
    if (is_choice(facts.row)) {
        return {{{}, content->value, word_change(attribute(facts), content->value)}};
    }
    return {{{}, content->value, text_back(attribute(facts), std::string(trim(*text)), *text)}};
}

Setting setting_of(const FileFacts& facts) {
    const auto& row = facts.row;
    const Form form =
        is_choice(row)
            ? Form{.kind = FormKind::any_word}
            : Form{.kind = FormKind::integer, .lowest = row.lowest, .highest = row.highest};
    return {.info = {.id = row.id,
                     .summary = row.summary,
                     .why = row.why,
                     .source = row.source,
                     .target = "system",
                     .read_from = facts.read_from,
                     .set_by = facts.set_by,
                     .next_step = facts.next_step,
                     .persist = facts.persist,
                     .risk_note = row.risk_note,
                     .risk = Risk::low,
                     .over_cluster = OverCluster::equal,
                     .forms = {form},
                     .grades = row.grades,
                     .places = {&facts.place, 1}},
            .assess = assess_file,
            .baseline = baseline_of_file,
            .keeping = keeping_of_file,
            .row = {.file = &facts}};
}

}  // namespace

FileFacts::FileFacts(const FileRow& declared)
    : row(declared),
      path(path_of(row)),
      folder(row.folder.empty() ? path.substr(0, path.rfind('/')) : std::string(row.folder)),
      read_from(path + std::string(row.also_reads)),
      set_by((is_choice(row) ? "writes the word to " : "writes the number to ") + path),
      next_step("echo " + std::string(row.usual) + " | sudo tee " + path),
      persist(persist_of(row)),
      bytes(bytes_of(row)),
      place{path, codec_of(row), bytes} {}

namespace {

FileTable::FileTable(std::span<const FileRow> rows) : facts_(rows.begin(), rows.end()) {
    for (const auto& facts : facts_) {
        settings_.push_back(setting_of(facts));
    }
}

}  // namespace

// Kernel settings that are one value in one file, in the order of registry.cpp.

namespace {

std::string explain_numa_balancing(const Assessment& row) {
    const auto mask = parse_number(*row.have).value_or(0);
    if (*row.expected != "0" || mask == 0) {
        return {};
    }
    return (mask & 2) != 0 ? "memory tiering is on, and automatic NUMA balancing is on"
                           : "automatic NUMA balancing is on";
}

const std::string thp_folder = "/sys/kernel/mm/transparent_hugepage";
constexpr std::string_view thp_of_pmd = "hugepages-2048kB";  // pages of one PMD entry on x86-64

constexpr Grade thp_grades[] = {
    {"other sizes", Level::info,
     "Smaller huge pages are used only if the program requests them or the site chose them"},
};

// Returns the word of a page size; std::nullopt if it follows the main switch, or if the kernel has
// no such switch (before 6.8).
Result<std::optional<std::string>> thp_of_size(const Fs& fs, std::string_view size) {
    const std::string path = concat({thp_folder, "/", size, "/enabled"});
    const auto text = fs.read(path);
    if (text.is(ErrorKind::not_here)) {
        return std::optional<std::string>();
    }
    const auto content = text ? parse_choice(path, *text) : text.error();
    if (!content) {
        return content.error();
    }
    return content->value == "inherit" ? std::optional<std::string>()
                                       : std::optional(content->value);
}

// Describes the size switch that overrides the main switch; writing the main switch cannot change
// it.
void thp_overridden(std::string_view size, const std::string& word, Assessment& row) {
    const std::string file = concat({thp_folder, "/", size, "/enabled"});
    row.outcome = Outcome::differs;
    row.have = word;
    row.detail = concat({"the main switch is ", *row.expected, ", but ", size,
                         "/enabled overrides it with ", word});
    row.next_step = "echo inherit | sudo tee " + file;
    row.change.reset();
}

// Finds smaller pages that are on while the main switch is never.
void find_smaller_pages(const Fs& fs, Assessment& row) {
    const auto names = fs.list(thp_folder);
    for (const auto& name : names ? *names : std::vector<std::string>()) {
        const bool other = name.starts_with("hugepages-") && name != thp_of_pmd;
        const auto word = other ? thp_of_size(fs, name) : Result(std::optional<std::string>());
        if (word && *word && **word != "never") {
            thp_overridden(name, **word, row);
            row.grade = &thp_grades[0];
            return;
        }
    }
}

// Checks the switches for page sizes of kernels since 6.8; only inherit follows the main switch
// (linux mm/huge_memory.c, Documentation/admin-guide/mm/transhuge.rst, 6.12).
void mind_thp_sizes(const Fs& fs, Assessment& row) {
    const auto word = thp_of_size(fs, thp_of_pmd);
    if (!word) {
        row = unreadable({}, word.error(), row.expected);
    } else if (*word && **word != *row.expected) {
        thp_overridden(thp_of_pmd, **word, row);
    } else if (*row.expected == "never") {
        find_smaller_pages(fs, row);
    }
}

constexpr FileRow files[] = {
    // kernel.numa_balancing: a bit mask, 1 normal, 2 memory tiering (linux kernel/sched/core.c
    // sysctl_numa_balancing; kernel 6.12 accepts 0 to 4). Any bit runs the scanner, so only 0 is
    // off. A kernel built without it has no file.
    {
        .id = "kernel.numa_balancing",
        .summary = "Automatic NUMA balancing: whether the kernel moves memory between NUMA nodes "
                   "(a bit mask)",
        .why = "The NUMA scanner unmaps pages to find who uses them, and GPU work stalls on the "
               "page faults",
        .source = "AMD Instinct MI300X system optimization (rocm.docs.amd.com, 2025-09); "
                  "linux kernel/sched/core.c, 6.12",
        .highest = 3,
        .kernel_highest = 4,
        .boot_word = "numa_balancing=disable",
        .risk_note = "programs that rely on automatic placement may run slower",
        .without = "this kernel is built without NUMA balancing",
        .explain = explain_numa_balancing,
    },
    // kernel.thp: the use of transparent huge pages, "always [madvise] never" (linux
    // mm/huge_memory.c). A kernel without them has no folder, which equals never.
    {
        .id = "kernel.thp",
        .path = "/sys/kernel/mm/transparent_hugepage/enabled",
        .folder = "/sys/kernel/mm",
        .summary = "Transparent huge pages: which memory gets pages of 2 MiB automatically",
        .why = "Huge pages need fewer address translations; an APU needs them for its GPU memory",
        .source =
            "ROCm/system-acceptance-docs docs/common/kernel-parameters.md, 2026-07 (needed on "
            "MI300A, else optional); linux Documentation/admin-guide/mm/transhuge.rst, 6.12",
        .choices = "always|madvise|never",
        .usual = "always",
        .boot_word = "transparent_hugepage=always",
        .risk_note = "always uses more memory, and page faults may take longer",
        .without = "this kernel is built without transparent huge pages",
        .absent_is = "never",
        .check_related = mind_thp_sizes,
        .also_reads = "; /sys/kernel/mm/transparent_hugepage/hugepages-*/enabled",
        .grades = thp_grades,
    },
    // kernel.thp_defrag: the action of a page fault without a free huge page, "always defer
    // defer+madvise [madvise] never" (linux mm/huge_memory.c). Without huge pages it has no effect,
    // which kernel.thp reports.
    {
        .id = "kernel.thp_defrag",
        .path = "/sys/kernel/mm/transparent_hugepage/defrag",
        .folder = "/sys/kernel/mm",
        .summary = "Whether a page fault waits while memory is compacted for a huge page",
        .why = "With always, a page fault stops the program while the kernel compacts memory",
        .source = "linux Documentation/admin-guide/mm/transhuge.rst, 6.12 (2024-11)",
        .choices = "always|defer|defer+madvise|madvise|never",
        .usual = "madvise",
        .risk_note = "with never or defer, fewer allocations get huge pages immediately",
        .without = "this kernel is built without transparent huge pages",
    },
    // kernel.compaction_proactiveness: the background effort to keep free memory in large pieces, 0
    // (off) to 100 (linux mm/compaction.c, since 5.9).
    {
        .id = "kernel.compaction_proactiveness",
        .name = "vm.compaction_proactiveness",
        .summary = "How much the kernel compacts free memory in advance (0 to 100)",
        .why =
            "On an APU without large free memory blocks, the GPU gets small pages and runs slower",
        .source = "ROCm/ROCm docs/how-to/system-optimization/mi300a.rst, 2025-09; "
                  "linux Documentation/admin-guide/sysctl/vm.rst, 6.12",
        .highest = 100,
        .usual = "20",
        .risk_note = "high values compact memory constantly and add latency",
        .without =
            "this kernel has no proactive compaction (it is older than 5.9, or built without it)",
        .absent_is = "0",
    },
    // kernel.nmi_watchdog: the detector of hard lockups, 0 or 1 (linux kernel/watchdog.c). A kernel
    // built without it has no file.
    {
        .id = "kernel.nmi_watchdog",
        .summary = "NMI watchdog: interrupts every CPU to detect lockups",
        .why = "The watchdog interrupts each CPU regularly and occupies one performance counter",
        .source = "ROCm/system-acceptance-docs docs/common/kernel-parameters.md, 2026-07 "
                  "(optional); linux kernel/watchdog.c, 6.12",
        .boot_word = "nmi_watchdog=0",
        .risk_note = "a CPU that hangs with interrupts off is no longer detected",
        .without = "this kernel is built without the lockup detector",
        .absent_is = "0",
    },
};

// The files after host.rivals.
constexpr FileRow later_files[] = {
    // kernel.compact_unevictable_allowed: compaction may move pages that are locked in memory, 0 or
    // 1 (linux mm/compaction.c). A kernel without compaction has no file, and moves none.
    {
        .id = "kernel.compact_unevictable_allowed",
        .name = "vm.compact_unevictable_allowed",
        .summary = "Whether the kernel may move locked pages to compact memory",
        .why = "On an APU, GPU pages are locked; if the kernel cannot move them, no large memory "
               "block is left",
        .source = "ROCm/system-acceptance-docs docs/gpus/mi300a.md, 2026-07; "
                  "linux Documentation/admin-guide/sysctl/vm.rst, 6.12",
        .usual = "1",
        .risk_note = "a program that uses locked pages may wait while one is moved",
        .without = "this kernel is built without compaction",
        .absent_is = "0",
    },
    // kernel.zone_reclaim_mode: a full NUMA node reclaims its own pages before it uses another
    // node; a mask of three bits (linux mm/vmscan.c node_reclaim_mode). A kernel without NUMA has
    // no file.
    {
        .id = "kernel.zone_reclaim_mode",
        .name = "vm.zone_reclaim_mode",
        .summary =
            "Whether a full NUMA node reclaims its own pages before the kernel uses another node",
        .why = "With zone reclaim, a program waits for reclaimed pages while other nodes have free "
               "memory",
        .source = "amd/node-scraper nodescraper/plugins/inband/sysctl, 2026-07; "
                  "linux Documentation/admin-guide/sysctl/vm.rst, 6.12",
        .highest = 7,
        .risk_note = "after a node is full, more pages come from the other socket",
        .without = "this kernel is built without NUMA",
        .absent_is = "0",
    },
};

}  // namespace

std::span<const Setting> kernel_files() {
    static const FileTable table(files);
    return table.settings();
}

std::span<const Setting> kernel_later_files() {
    static const FileTable table(later_files);
    return table.settings();
}

}  // namespace rocenv
