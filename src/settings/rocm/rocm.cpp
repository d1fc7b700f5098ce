// SPDX-License-Identifier: MIT
// The ROCm release in use: rocm.version, rocm.driver_match and rocm.arch.
#include <algorithm>
#include <array>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <string>

#include "machine/gpu/driver.h"
#include "machine/gpu/gpu_models.h"
#include "rocenv/setting.h"
#include "settings/shapes/requirements.h"
#include "util/text.h"
#include "variables/releases/versions.h"

namespace rocenv {

namespace {

// Common functions of the ROCm settings on the detected trees (variables/releases/versions.h).

// Returns the row if ROCm exists but none is selected: unknown, with the step that selects one.
Assessment none_counts_for(const RocmLayouts& layouts, std::string expected) {
    auto row = unreadable({}, *layouts.why_none, std::move(expected));
    row.next_step =
        layouts.dangling.empty()
            ? "set ROCM_PATH to one of these folders, or point /opt/rocm at one"
            : "repair or remove the link, or set ROCM_PATH to the folder of a ROCm release";
    return row;
}

}  // namespace

// rocm.version: the version of the selected ROCm (rule: variables/releases/versions.h). A node
// needs none, since programs in containers include their own. All other ROCm trees are reported.

namespace {

std::string kind_in_brackets(const RocmLayout& layout) {
    const bool is_tree = layout.kind == RocmKind::release || layout.kind == RocmKind::core;
    return is_tree ? "" : ", " + std::string(word_of(layout.kind));
}

std::string other_trees(const RocmLayouts& layouts) {
    std::string out;
    for (const auto& layout : layouts.all) {
        if (&layout == layouts.counting()) {
            continue;
        }
        out += (out.empty() ? "another installation exists: " : ", ") +
               printable(layout.folder, 120) + " (" +
               (layout.version ? *layout.version : std::string("version unknown")) +
               kind_in_brackets(layout) + ")";
    }
    return out;
}

// Returns the other ROCm trees, and reasons that exclude them.
std::string others(const RocmLayouts& layouts) {
    const std::string trees = other_trees(layouts);
    return layouts.misled + (layouts.misled.empty() || trees.empty() ? "" : "; ") + trees;
}

Assessment none_counts(const RocmLayouts& layouts, const VersionRequirement& requirement) {
    const std::string more = others(layouts);
    const std::string beside = more.empty() ? "" : "; " + more;
    if (!layouts.dangling.empty()) {
        auto row = compared({}, requirement.text, "none");  // a dangling link to a former tree
        row.outcome = Outcome::differs;
        row.detail = layouts.dangling + beside;
        return row;
    }
    return layouts.why_none->kind == ErrorKind::not_here
               ? no_target(layouts.why_none->text + beside)
               : none_counts_for(layouts, requirement.text);
}

std::vector<Assessment> assess_version(const Setting&, const Context& context,
                                       const Expectation& expectation) {
    const VersionRequirement requirement = version_requirement(expectation.value);
    const RocmLayouts layouts = layouts_of(context.versions, context.fs(), context.process);
    if (const auto assumed = assumed_rocm(context.versions)) {
        return {judged_version(requirement, *assumed)};
    }
    const RocmLayout* counting = layouts.counting();
    if (counting == nullptr) {
        return {none_counts(layouts, requirement)};
    }
    if (!counting->version) {
        return {unreadable({}, counting->version.error(), requirement.text)};
    }
    auto row = compared({}, requirement.text, *counting->version);
    row.outcome = requirement.accepts(*counting->version) ? Outcome::ok : Outcome::differs;
    row.detail = others(layouts);
    row.remark = !row.detail.empty();
    if (const auto kind = kind_in_brackets(*counting); !kind.empty()) {
        row.detail = "the installation is in " + printable(counting->folder, 120) + kind +
                     (row.detail.empty() ? "" : "; " + row.detail);
    }
    return {row};
}

}  // namespace

const Setting& rocm_version() {
    static const Setting setting{
        .info =
            {
                .id = "rocm.version",
                .summary = "Version of the installed ROCm",
                .why = "A ROCm release that does not support the GPU fails or uses slow defaults",
                .source = "ROCm/system-acceptance-docs docs/gpus/mi325x.md, 2026-07",
                .target = "system",
                .read_from =
                    ".info/version below $ROCM_PATH, /opt/rocm, /opt/rocm/core; names in /opt, of "
                    "Python's packages and of libraries in /usr",
                .set_by = "",
                .next_step = "ls -d /opt/rocm*; if the release is installed elsewhere, set "
                             "ROCM_PATH to its folder, else install it",
                .persist = "persistent (installed)",
                .risk_note = "programs built for another release may not start",
                .over_cluster = OverCluster::equal,
                .forms = {{.kind = FormKind::at_least}},
            },
        .assess = assess_version,
    };
    return setting;
}

// rocm.driver_match: AMD's published table supports the loaded amdgpu driver with the selected
// ROCm. In a container the ROCm is the container's, the driver is the host's. Pairs outside of
// AMD's table (the kernel's own driver, previews, newer releases) are unknown and reported at info:
// many of them work, but without a published statement.

namespace {

const std::string amdgpu = "/sys/module/amdgpu";

constexpr Grade driver_match_grades[] = {
    {"unpublished", Level::info,
     "AMD's table does not list this pair of driver and ROCm, which may still work"},
};

Assessment unpublished(const std::string& pair, const std::string& what,
                       std::string_view why = {}) {
    Assessment row;
    row.expected = "match";
    row.have = pair;
    row.detail = "AMD's table of " + std::string(driver_table_date) + " lists no " + what +
                 (why.empty() ? "" : ": " + std::string(why));
    row.grade = &driver_match_grades[0];
    return row;
}

// Names the part to change, depending on which one is older.
void add_mismatch(const std::string& rocm, const CarriedRocm& carried, Assessment& row) {
    const bool newer = compare_versions(rocm, carried.last).value_or(0) > 0;
    row.detail = "AMD publishes this driver for ROCm " + std::string(carried.first) + " to " +
                 std::string(carried.last);
    row.next_step =
        newer ? "install a newer amdgpu-dkms (in a container: on its host), or use ROCm " +
                    std::string(carried.last)
              : "use ROCm " + std::string(carried.first) +
                    " or newer, or install an older amdgpu-dkms";
}

Assessment judge_pair(const std::string& rocm, const std::string& driver) {
    const auto release = driver_release(driver);
    const std::string pair = "ROCm " + rocm + " on amdgpu " + driver +
                             (release ? " (driver release " + *release + ")" : std::string());
    const auto carried = release ? rocm_carried_by(*release) : std::nullopt;
    if (!carried) {
        return unpublished(pair, "such driver",
                           release ? why_unlisted(Unlisted::driver, *release) : "");
    }
    const auto good = carries_rocm(*release, rocm);
    if (!good) {
        return unpublished(pair, "such ROCm", why_unlisted(Unlisted::rocm, rocm));
    }
    auto row = compared({}, "match", pair);
    row.outcome = *good ? Outcome::ok : Outcome::differs;
    if (!*good) {
        add_mismatch(rocm, *carried, row);
    }
    return row;
}

// Returns the other ROCm trees that a program may use itself.
std::string others_text(const RocmLayouts& layouts, const std::string& driver) {
    const auto release = driver_release(driver);
    std::string out;
    for (std::size_t at = 1; release && at < layouts.all.size(); ++at) {
        const auto& version = layouts.all[at].version;
        if (version && carries_rocm(*release, *version) == false) {
            out += (out.empty() ? "releases that do not match this driver: " : ", ") +
                   layouts.all[at].folder + " (" + *version + ")";
        }
    }
    return out;
}

std::vector<Assessment> assess_driver_match(const Setting&, const Context& context,
                                            const Expectation&) {
    const auto layouts = layouts_of(context.versions, context.fs(), context.process);
    const auto assumed = assumed_rocm(context.versions);
    const auto rocm = assumed ? *assumed : layouts.version();
    if (!assumed && layouts.all.empty()) {
        return {no_target("this system has no ROCm")};
    }
    const auto driver = version_of_file(context.fs(), amdgpu + "/version", "version");
    if (!driver && !driver.is(ErrorKind::not_here)) {
        return {unreadable({}, driver.error(), "match")};
    }
    if (!driver && !exists(context.fs(), amdgpu)) {
        return {no_target("the amdgpu module is not loaded")};
    }
    if (!rocm) {
        return {layouts.why_none ? none_counts_for(layouts, "match")
                                 : unreadable({}, rocm.error(), "match")};
    }
    if (!driver) {
        return {unpublished("ROCm " + *rocm + " on the kernel's own driver", "such driver")};
    }
    auto row = judge_pair(*rocm, *driver);
    const auto others = others_text(layouts, *driver);
    row.detail += (row.detail.empty() || others.empty() ? "" : "; ") + others;
    row.remark = !others.empty();
    return {row};
}

}  // namespace

const Setting& rocm_driver_match() {
    static const Setting setting{
        .info =
            {
                .id = "rocm.driver_match",
                .summary = "Whether the loaded amdgpu driver supports the ROCm that programs use",
                .why = "If ROCm and the driver are too far apart, calls fail that the other does "
                       "not support",
                .source = "ROCm/amdgpu-docs docs/compatibility/compatibility-matrix.rst, 2026-09",
                .target = "system",
                .read_from = "/sys/module/amdgpu/version, the files that state ROCm's version",
                .set_by = "",
                .next_step = "rocenv explain rocm.version gpu.driver",
                .persist = "persistent (installed)",
                .risk_note = "",
                .over_cluster = OverCluster::equal,
                .forms = {{.kind = FormKind::word, .words = {"match"}}},
                .grades = driver_match_grades,
            },
        .assess = assess_driver_match,
    };
    return setting;
}

// rocm.arch: ROCm's libraries have files for this node's GPUs. rocBLAS and hipBLASLt use
// TensileLibrary_lazy_GFX in a folder beside their library, in the subfolder GFX if it exists.
// MIOpen uses databases whose names start with the architecture (ROCm/rocBLAS and ROCm/hipBLASLt
// library/src/…/tensile_host.cpp, ROCm/MIOpen handle.hpp, 2024-10; TheRock
// docs/packaging/python_packaging.md, 2026-08). Only names are read; no file is opened.

namespace {

struct Library {
    std::string_view name;
    std::string_view file;      // name of the library, without numbers
    std::string_view folder;    // folder with the files of the architectures, beside the library
    std::string_view variable;  // variable with another folder
    std::string_view without;   // effect of missing files for a GPU
    bool is_tensile;
};

constexpr std::array<Library, 3> libraries{{
    {"rocBLAS", "librocblas.so", "/rocblas/library", "ROCBLAS_TENSILE_LIBPATH",
     "rocBLAS ends the program at the first matrix product", true},
    {"hipBLASLt", "libhipblaslt.so", "/hipblaslt/library", "HIPBLASLT_TENSILE_LIBPATH",
     "hipBLASLt has no kernel, so matrix products that use it fail", true},
    {"MIOpen", "libMIOpen.so", "/../share/miopen/db", "MIOPEN_SYSTEM_DB_PATH",
     "MIOpen searches and compiles at first use, so the first steps are slow", false},
}};

// Returns true for GPUs that hipBLASLt does not support; PyTorch does not use it there.
bool is_left_to_rocblas(const Library& library, std::string_view gfx) {
    const bool is_old = gfx == "gfx900" || gfx == "gfx906" || gfx == "gfx908";
    return library.name == "hipBLASLt" && (is_old || gfx.starts_with("gfx10"));
}

// Returns true if the name contains the word as a whole: gfx90 is not in "gfx90a".
bool holds_word(std::string_view name, std::string_view word) {
    const auto at = name.find(word);
    const auto end = at + word.size();
    return at != name.npos && (end == name.size() || name[end] == '.' || name[end] == '-' ||
                               name[end] == '_' || name[end] == ':');
}

// Returns true for ".dat" and ".yaml", also compressed; false for ".dat.bak".
bool is_tensile_index(std::string_view name) {
    constexpr std::array<std::string_view, 5> endings{".dat", ".yaml", ".dat.gz", ".dat.zlib",
                                                      ".dat.zst"};
    return std::any_of(endings.begin(), endings.end(),
                       [&](std::string_view ending) { return name.ends_with(ending); });
}

// Returns true for "TensileLibrary_lazy_gfx942.dat", which names
// "TensileLibrary_Type_SS_…_gfx942.dat".
bool is_index_of(std::string_view name, std::string_view gfx) {
    constexpr std::string_view prefix = "TensileLibrary_";
    constexpr std::string_view lazy = "lazy_";
    if (!name.starts_with(prefix) || !is_tensile_index(name)) {
        return false;
    }
    name.remove_prefix(prefix.size());
    name.remove_prefix(name.starts_with(lazy) ? lazy.size() : 0);
    return name.starts_with(gfx) && holds_word(name.substr(0, gfx.size() + 1), gfx);
}

// Returns true with an index of its own or a common one, and kernels:
// "TensileLibrary_Type_HH_…_gfx942.co", "Kernels.so-000-gfx942.hsaco".
bool has_tensile(const std::vector<std::string>& names, std::string_view gfx) {
    bool has_index = false;
    bool has_kernel = false;
    for (const std::string_view name : names) {
        const bool is_for_all = is_tensile_index(name) && name.starts_with("TensileLibrary.");
        const bool is_kernel = name.ends_with(".co") || name.ends_with(".hsaco");
        has_index = has_index || is_for_all || is_index_of(name, gfx);
        has_kernel = has_kernel || (is_kernel && holds_word(name, gfx));
    }
    return has_index && has_kernel;
}

// Returns true for "gfx942.kdb", "gfx942130.HIP.fdb.txt" with the number of CUs, and
// "gfx1030_36.db.txt".
bool has_database(const std::vector<std::string>& names, std::string_view gfx) {
    return std::any_of(names.begin(), names.end(), [&](std::string_view name) {
        const auto rest = name.substr(std::min(gfx.size(), name.size()));
        const auto mark = rest.find_first_not_of("_0123456789abcdef");
        return name.starts_with(gfx) && mark != rest.npos && rest[mark] == '.' &&
               (name.find("db.txt") != name.npos || name.ends_with(".kdb") ||
                name.ends_with(".db"));
    });
}

// One library in one folder.
class Folder {
   public:
    Folder(const Fs& fs, const Library& library, std::string path)
        : fs_(fs), library_(library), path_(std::move(path)), names_(fs.list(path_)) {}

    const std::string& path() const { return path_; }
    const Result<std::vector<std::string>>& names() const { return names_; }

    Result<bool> has(const std::string& gfx) const {
        if (!library_.is_tensile) {
            return has_database(*names_, gfx);
        }
        if (!std::binary_search(names_->begin(), names_->end(), gfx)) {
            return has_tensile(*names_, gfx);
        }
        const auto below = fs_.list(path_ + "/" + gfx);
        if (!below) {
            return below.error();
        }
        auto all = *names_;
        all.insert(all.end(), below->begin(), below->end());
        return has_tensile(all, gfx);
    }

   private:
    const Fs& fs_;
    const Library& library_;
    std::string path_;
    Result<std::vector<std::string>> names_;
};

class Survey {
   public:
    Survey(const Context& context, std::vector<std::string> gfx)
        : context_(context),
          gfx_(std::move(gfx)),
          layouts_(layouts_of(context.versions, context.fs(), context.process)) {}

    std::vector<Assessment> run() {
        for (const auto& layout : layouts_.all) {
            if (!is_used(layout)) {
                continue;
            }
            for (const auto& library : libraries) {
                for (const auto& folder : layout.libraries) {
                    judge(library, layout, folder);
                }
            }
        }
        if (rows_.empty()) {
            rows_.push_back(nothing_judged());
        }
        return std::move(rows_);
    }

   private:
    bool counts(const RocmLayout& layout) const { return &layout == layouts_.counting(); }

    // Returns true for a ROCm that programs use: the selected one, and for PyTorch the one in
    // Python's packages.
    bool is_used(const RocmLayout& layout) const {
        return counts(layout) || layout.kind == RocmKind::wheels || layout.kind == RocmKind::torch;
    }

    Assessment nothing_judged() const {
        if (layouts_.all.empty()) {
            return no_target(layouts_.why_none->text);
        }
        return layouts_.why_none
                   ? none_counts_for(layouts_, join(gfx_, " "))
                   : no_target("the ROCm of this system has no rocBLAS, hipBLASLt or MIOpen");
    }

    void judge(const Library& library, const RocmLayout& layout, const std::string& beside) {
        const auto chosen = context_.process.variable(std::string(library.variable));
        const bool is_named = chosen && !chosen->empty();
        const Folder folder(context_.fs(), library,
                            is_named ? *chosen : place_of(library, layout, beside));
        if (!seen_.insert(folder.path()).second || !is_there(library, folder, beside)) {
            return;
        }
        Target target{std::string(library.name), std::nullopt, ""};
        if (!counts(layout)) {
            target.base += " in " + printable(layout.folder, 120);
        }
        const auto here =
            chosen && !is_named ? std::vector<std::string>() : served(library, folder);
        if (here) {
            rows_.push_back(library_row(target, library, folder, *here));
            if (chosen && rows_.back().outcome == Outcome::differs) {
                blame(library, *chosen, rows_.back());
            }
        } else {
            rows_.push_back(unreadable(target, here.error(), join(gfx_, " ")));
        }
    }

    // Returns the architectures that are complete.
    Result<std::vector<std::string>> served(const Library& library, const Folder& folder) const {
        if (!folder.names() && !folder.names().is(ErrorKind::not_here)) {
            return folder.names().error();
        }
        std::vector<std::string> out;
        for (const auto& gfx : gfx_) {
            const auto has = folder.names() ? folder.has(gfx) : Result<bool>(false);
            if (!has) {
                return has.error();
            }
            if (*has || is_left_to_rocblas(library, gfx)) {
                out.push_back(gfx);
            }
        }
        return out;
    }

    // Names the variable that leads to the folder.
    static void blame(const Library& library, const std::string& chosen, Assessment& row) {
        const std::string variable(library.variable);
        row.detail = chosen.empty()
                         ? variable + " is set but empty: " + std::string(library.without)
                         : variable + " selects a folder: " + row.detail;
        row.next_step = "unset " + variable;
    }

    Assessment library_row(const Target& target, const Library& library, const Folder& folder,
                           const std::vector<std::string>& here) const {
        std::vector<std::string> missing;
        std::set_difference(gfx_.begin(), gfx_.end(), here.begin(), here.end(),
                            std::back_inserter(missing));
        auto row = compared(target, join(gfx_, " "), here.empty() ? "none" : join(here, " "));
        if (!missing.empty()) {
            const char* lacks =
                library.is_tensile ? " lacks the index or the kernels of " : " has no files for ";
            row.detail = printable(folder.path(), 200) +
                         (folder.names() ? lacks + join(missing, ", ") : " does not exist") + ": " +
                         std::string(library.without);
        }
        return row;
    }

    static std::string place_of(const Library& library, const RocmLayout& layout,
                                const std::string& beside) {
        constexpr std::string_view above = "/..";
        if (!library.folder.starts_with(above)) {
            return beside + std::string(library.folder);
        }
        const std::string root = layout.kind == RocmKind::distribution
                                     ? layout.folder
                                     : beside.substr(0, beside.rfind('/'));
        return root + std::string(library.folder.substr(above.size()));
    }

    // Returns true if the library exists. A library without its folder is a fault; a missing folder
    // without a library is not.
    bool is_there(const Library& library, const Folder& folder, const std::string& beside) {
        if (folder.names() || !folder.names().is(ErrorKind::not_here)) {
            return true;
        }
        auto& names = beside_[beside];
        if (!names) {
            names = context_.fs().list(beside);
        }
        return *names &&
               std::any_of((*names)->begin(), (*names)->end(),
                           [&](const std::string& name) { return name.starts_with(library.file); });
    }

    const Context& context_;
    const std::vector<std::string> gfx_;  // sorted
    const RocmLayouts layouts_;
    std::set<std::string> seen_;
    // Folders of shared libraries; system folders hold thousands of names.
    std::map<std::string, std::optional<Result<std::vector<std::string>>>> beside_;
    std::vector<Assessment> rows_;
};

std::vector<Assessment> assess_arch(const Setting&, const Context& context, const Expectation&) {
    const auto arches = gcn_arches(context.machine, context.process);
    if (arches.is(ErrorKind::not_here)) {
        return {no_target(arches.error().text)};
    }
    if (!arches) {
        return {unreadable({}, arches.error(), "match")};
    }
    std::vector<std::string> gfx;
    for (const auto& arch : *arches) {
        if (gfx.empty() || gfx.back() != arch.gfx) {
            gfx.push_back(arch.gfx);
        }
    }
    return Survey(context, std::move(gfx)).run();
}

}  // namespace

const Setting& rocm_arch() {
    static const Setting setting{
        .info =
            {
                .id = "rocm.arch",
                .summary = "Whether ROCm's libraries have files for the GPUs of this node",
                .why = "Without files for the GPU, rocBLAS ends the program, hipBLASLt fails and "
                       "MIOpen starts slowly",
                .source = "ROCm/rocBLAS library/src/tensile_host.cpp, ROCm/MIOpen "
                          "src/include/miopen/sqlite_db.hpp, 2024-10",
                .target = "library",
                .read_from = "names in lib/rocblas/library, lib/hipblaslt/library and "
                             "share/miopen/db of the "
                             "ROCm that programs take and of Python's packages; KFD's topology",
                .set_by = "",
                .next_step =
                    "install the package for this GPU (ROCm 10: the wheel rocm[device-GFX], or the "
                    "amdrocm packages of its architecture), or a ROCm release that supports it",
                .persist = "persistent (installed)",
                .risk_note = "",
                .over_cluster = OverCluster::equal,
                .forms = {{.kind = FormKind::word, .words = {"match"}}},
            },
        .assess = assess_arch,
    };
    return setting;
}

}  // namespace rocenv
