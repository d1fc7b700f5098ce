// SPDX-License-Identifier: MIT
// The values that PyTorch writes into each validator (aten/src/ATen/cuda/tunable/Tunable.cpp and
// TunableGemm.h, cmake/public/LoadHIP.cmake; hipBLASLt hipblaslt.cpp hipblasLtGetVersion; rocBLAS
// buildinfo.cpp; read 2026-11):
//  PT_VERSION         2.7.1, the numbers at the start of torch.__version__
//  HIP_VERSION        702: 100 x major + minor of the HIP it was built with; or instead
//  ROCM_VERSION       7.2.2.0-86-671d39a71e, ROCM_BUILD_INFO of the ROCm it was built with
//  GCN_ARCH_NAME      gfx942:sramecc+:xnack-; not in all releases before 2.4
//  HIPBLASLT_VERSION  100202-dabb6df2b9: 100000 x major + 100 x minor + patch; before 2.7
//                     0.7.0-1549b021, and only when hipBLASLt took part
//  ROCBLAS_VERSION    5.2.0.dabb6df2b9, before 2.7 with a dash, and only when rocBLAS took part
#include "commands/tunableop/tunable_stack.h"

#include <algorithm>
#include <array>

#include "util/text.h"

namespace rocenv {

namespace {

constexpr std::array<std::string_view, 6> known_validators{"PT_VERSION",        "HIP_VERSION",
                                                           "ROCM_VERSION",      "GCN_ARCH_NAME",
                                                           "HIPBLASLT_VERSION", "ROCBLAS_VERSION"};
constexpr const char* always_with_arch = "2.4";
constexpr const char* always_with_libraries = "2.7";

std::string leading_numbers(std::string_view version) {
    auto end = version.find_first_not_of("0123456789.");
    version = version.substr(0, end);
    while (version.ends_with('.')) {
        version.remove_suffix(1);
    }
    return std::string(version);
}

// Returns whether the parts that both versions have are equal.
bool same_release(std::string_view left, std::string_view right) {
    const auto a = split(left, '.');
    const auto b = split(right, '.');
    return std::equal(a.begin(), a.begin() + static_cast<long>(std::min(a.size(), b.size())),
                      b.begin());
}

// A library's version in a validator.
struct LibraryValue {
    std::string numbers;  // "1.2.2"
    std::string build;    // "dabb6df2b9"
};

LibraryValue hipblaslt_value(std::string_view text) {
    const auto dash = std::min(text.find('-'), text.size());
    LibraryValue value{std::string(text.substr(0, dash)),
                       std::string(text.substr(std::min(dash + 1, text.size())))};
    if (const auto packed = parse_number(value.numbers)) {
        value.numbers = number(*packed / 100000) + "." + number(*packed / 100 % 1000) + "." +
                        number(*packed % 100);
    }
    return value;
}

// Three numbers, then a dot or a dash and the build.
LibraryValue rocblas_value(std::string_view text) {
    std::size_t end = 0;
    for (int dots = 0; end < text.size(); ++end) {
        dots += text[end] == '.' ? 1 : 0;
        if (dots == 3 || text[end] == '-') {
            break;
        }
    }
    return {std::string(text.substr(0, end)),
            std::string(text.substr(std::min(end + 1, text.size())))};
}

class Rows {
   public:
    Rows(const std::vector<TunableValidator>& validators, const TunableStack& stack)
        : validators_(validators), stack_(stack) {}

    std::vector<TunableRow> run() {
        pytorch();
        built_with();
        architecture();
        library("HIPBLASLT_VERSION", "hipBLASLt", stack_.hipblaslt, hipblaslt_value);
        library("ROCBLAS_VERSION", "rocBLAS", stack_.rocblas, rocblas_value);
        for (const auto& validator : validators_) {
            const bool known = std::find(known_validators.begin(), known_validators.end(),
                                         validator.name) != known_validators.end();
            if (!known) {
                differs(validator.name, std::nullopt, "no release of PyTorch has this one");
            }
        }
        return std::move(rows_);
    }

   private:
    std::optional<std::string> in_file(std::string_view name) const {
        for (const auto& validator : validators_) {
            if (validator.name == name) {
                return validator.value;
            }
        }
        return std::nullopt;
    }

    void add(std::string_view name, std::optional<std::string> here, Outcome outcome,
             std::string detail) {
        rows_.push_back(
            {std::string(name), in_file(name), std::move(here), outcome, std::move(detail)});
    }
    void ok(std::string_view name, std::string here, std::string detail) {
        add(name, std::move(here), Outcome::ok, std::move(detail));
    }
    void differs(std::string_view name, std::optional<std::string> here, std::string detail) {
        add(name, std::move(here), Outcome::differs, std::move(detail));
    }
    void unknown(std::string_view name, std::optional<std::string> here, std::string detail) {
        add(name, std::move(here), Outcome::unknown, std::move(detail));
    }

    // Returns the release that reads the file; std::nullopt if none is found.
    std::optional<std::string> reader() const {
        return stack_.torch ? std::optional(leading_numbers(stack_.torch->version)) : std::nullopt;
    }

    // Adds a row for a validator that the file lacks: it differs if PyTorch is `release` or newer,
    // else it is unknown.
    void missing(std::string_view name, const char* release) {
        const auto version = reader() ? reader() : in_file("PT_VERSION");
        const auto order = compare_versions(version.value_or(""), release);
        const std::string since = std::string("PyTorch ") + release;
        if (order && *order >= 0) {
            differs(name, std::nullopt, "is not in the file; " + since + " and later require it");
        } else {
            unknown(name, std::nullopt, "is not in the file; it is optional before " + since);
        }
    }

    void pytorch() {
        const auto file = in_file("PT_VERSION");
        if (!file) {
            differs("PT_VERSION", reader(), "is not in the file; every PyTorch requires it");
            return;
        }
        if (!stack_.torch) {
            unknown("PT_VERSION", std::nullopt, stack_.torch.error().text);
            return;
        }
        const std::string here = *reader();
        const bool equal = stack_.torch_given ? same_release(*file, here) : *file == here;
        const std::string from =
            stack_.torch_given ? "given" : stack_.torch->folder + "/version.py";
        add("PT_VERSION", here, equal ? Outcome::ok : Outcome::differs, from);
    }

    // Every release has one of the two.
    void built_with() {
        if (in_file("HIP_VERSION") && in_file("ROCM_VERSION")) {
            differs("ROCM_VERSION", std::nullopt,
                    "no release of PyTorch has both this and HIP_VERSION");
        } else if (in_file("HIP_VERSION")) {
            hip();
        } else if (in_file("ROCM_VERSION")) {
            rocm();
        } else {
            differs("ROCM_VERSION", std::nullopt,
                    "is not in the file, and neither is HIP_VERSION; every PyTorch requires one of "
                    "them");
        }
    }

    void hip() {
        if (!stack_.hip) {
            unknown("HIP_VERSION", std::nullopt, stack_.hip.error().text);
            return;
        }
        const auto parts = split(stack_.hip->version, '.');
        const auto major = parse_number(parts[0]);
        const auto minor = parse_number(parts.size() > 1 ? leading_numbers(parts[1]) : "");
        if (!major || !minor) {
            unknown("HIP_VERSION", stack_.hip->version, stack_.hip->where);
            return;
        }
        const std::string here = number(*major * 100 + *minor);
        add("HIP_VERSION", here, in_file("HIP_VERSION") == here ? Outcome::ok : Outcome::differs,
            stack_.hip->where);
    }

    // ROCm's release that PyTorch names as what it was built with: its own field, else "+rocm6.3".
    std::string built_for() const {
        if (!stack_.torch) {
            return {};
        }
        const std::string mark = "+rocm";
        const auto at = stack_.torch->version.find(mark);
        return !stack_.torch->rocm.empty() ? leading_numbers(stack_.torch->rocm)
               : at == std::string::npos
                   ? std::string()
                   : leading_numbers(stack_.torch->version.substr(at + mark.size()));
    }

    void rocm() {
        const std::string file = *in_file("ROCM_VERSION");
        const std::string built = built_for();
        if (!built.empty() && !same_release(built, leading_numbers(file))) {
            differs("ROCM_VERSION", built, "PyTorch here was built with ROCm " + built);
            return;
        }
        if (!stack_.rocm) {
            unknown("ROCM_VERSION", std::nullopt, stack_.rocm.error().text);
            return;
        }
        const FoundVersion& found = *stack_.rocm;
        const std::string here = found.build.empty() ? found.version : found.build;
        if (same_build(file, found)) {
            ok("ROCM_VERSION", here, found.where);
        } else if (!built.empty()) {
            unknown(
                "ROCM_VERSION", here,
                "PyTorch here was built with ROCm " + built + ", with which build is not known");
        } else if (!same_release(leading_numbers(found.version), leading_numbers(file)) ||
                   !found.build.empty() || is_given(found)) {
            differs("ROCM_VERSION", here, found.where);
        } else {
            unknown("ROCM_VERSION", here, "the same release, its build is not known");
        }
    }

    static bool is_given(const FoundVersion& found) { return found.where == "given"; }

    // Returns whether a file has the build of this node: "6.2.0.0-66-eb6cf91" itself, or the same
    // as "6.2.0-66" in .info/version. A given version may be without a build.
    static bool same_build(std::string_view file, const FoundVersion& found) {
        if (!found.build.empty()) {
            return file == found.build;
        }
        const auto ours = split(found.version, '-');
        const auto theirs = split(file, '-');
        const auto parts = std::min(ours.size(), theirs.size());
        return same_release(leading_numbers(found.version), leading_numbers(file)) &&
               (parts > 1 || (is_given(found) && ours.size() == 1)) &&
               std::equal(ours.begin() + 1, ours.begin() + static_cast<long>(parts),
                          theirs.begin() + 1);
    }

    void architecture() {
        constexpr std::string_view name = "GCN_ARCH_NAME";
        const auto file = in_file(name);
        if (!file) {
            missing(name, always_with_arch);
        } else if (!stack_.arches) {
            unknown(name, std::nullopt, stack_.arches.error().text);
        } else {
            compare_architecture(name, *file);
        }
    }

    void compare_architecture(std::string_view name, const std::string& file) {
        std::vector<std::string> names;
        bool possible = false;
        bool sure = true;
        for (const auto& arch : *stack_.arches) {
            const auto whole = arch.name();
            names.push_back(whole.value_or(arch.gfx));
            const bool fits = whole ? *whole == file : may_be(arch, file);
            possible = possible || fits;
            sure = sure && fits && whole;
        }
        const std::string here = join(names, ", ");
        if (!possible) {
            differs(name, here, "KFD's topology");
        } else if (sure) {
            ok(name, here, "KFD's topology");
        } else if (names.size() > 1) {
            unknown(name, here, "which of the GPUs reads the file is not known");
        } else {
            unknown(name, here, "whether the GPU runs with xnack is not known");
        }
    }

    // Returns whether an architecture with an unknown feature may have this name.
    static bool may_be(const GcnArch& arch, const std::string& file) {
        GcnArch on = arch;
        GcnArch off = arch;
        on.xnack = true;
        off.xnack = false;
        return on.name() == file || off.name() == file;
    }

    void library(std::string_view name, const char* library, const Result<FoundVersion>& found,
                 LibraryValue (*read)(std::string_view)) {
        const auto file = in_file(name);
        if (!file) {
            missing(name, always_with_libraries);
            return;
        }
        if (!found) {
            unknown(name, std::nullopt, found.error().text);
            return;
        }
        const LibraryValue value = read(*file);
        const std::string here = found->version + (found->build.empty() ? "" : "-" + found->build);
        const LibraryValue ours =
            is_given(*found) ? read(found->version) : LibraryValue{found->version, found->build};
        const Outcome outcome = library_outcome(ours, is_given(*found), value);
        add(name, here, outcome,
            outcome == Outcome::unknown
                ? std::string("this ") + library + " does not state its build: " + found->where
                : found->where);
    }

    static Outcome library_outcome(const LibraryValue& ours, bool given, const LibraryValue& file) {
        if (!same_release(ours.numbers, file.numbers)) {
            return Outcome::differs;
        }
        if (ours.build.empty()) {
            return given ? Outcome::ok : Outcome::unknown;
        }
        return ours.build == file.build ? Outcome::ok : Outcome::differs;
    }

    const std::vector<TunableValidator>& validators_;
    const TunableStack& stack_;
    std::vector<TunableRow> rows_;
};

}  // namespace

TunableStack tunable_stack(const Versions& versions, const Machine& machine,
                           const Process& process) {
    const auto torch = versions.find("torch");
    return {versions.torch(),
            torch && torch->where == "given",
            versions.find("hip"),
            versions.rocm_with_build(),
            versions.find("hipblaslt"),
            versions.find("rocblas"),
            gcn_arches(machine, process)};
}

std::vector<TunableRow> judge_validators(const std::vector<TunableValidator>& validators,
                                         const TunableStack& stack) {
    return Rows(validators, stack).run();
}

}  // namespace rocenv
