// SPDX-License-Identifier: MIT
#include "check/causes.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "machine/pci/pci.h"
#include "machine/rdma/rdma.h"
#include "settings/gpu/census.h"
#include "settings/have_codes.h"
#include "util/decimal.h"
#include "util/exit_status.h"
#include "util/link_rate.h"
#include "util/text.h"

namespace rocenv {

namespace {

constexpr std::string_view count_id = "gpu.count";

// A port inside of a GPU's package.
struct PackagePort {
    std::uint32_t vendor;
    std::uint32_t device;
};
constexpr PackagePort package_ports[] = {
#include "facts/package_ports.inc"
};

bool is_package_port(const PciFunction& port) {
    return std::any_of(std::begin(package_ports), std::end(package_ports), [&](const auto& each) {
        return each.vendor == port.vendor && each.device == port.device;
    });
}

bool is_fault(const Finding& finding) {
    return finding.outcome == Outcome::differs;
}

std::string code_of(const Finding& finding) {
    return finding.have ? have_code(finding.id, *finding.have) : "";
}

// One fault: its finding, and the devices that do not respond because of it.
struct Fault {
    Cause cause;
    std::set<std::string> devices;
    bool silent = false;  // the devices answer all ones
};

// Returns the ports above a device that answer all ones, topmost first.
std::vector<std::string> silent_ports(const Machine& machine, const std::string& gpu) {
    auto above = machine.bridges_above(gpu);
    std::vector<std::string> out;
    if (above) {
        std::copy_if(above->begin(), above->end(), std::back_inserter(out), [&](const auto& port) {
            const auto fallen = has_fallen(machine, port);
            return fallen && *fallen;
        });
    }
    return out;
}

// Returns the topmost silent port outside of the GPU's package. Empty if the GPU itself is the
// cause.
std::string topmost_port(const Machine& machine, const std::vector<std::string>& ports) {
    const bool outside = !ports.empty() && !is_package_port(machine.function(ports.front()));
    return outside ? ports.front() : "";
}

std::string link_above(const Machine& machine, const std::string& port) {
    const auto above = machine.bridges_above(port);
    if (!above || above->empty() || machine.asleep(above->back())) {
        return "";
    }
    const auto& link = machine.reader_of(above->back()).link();
    return link ? "the link of " + above->back() + " above it runs at " + link_text(link->current)
                : "";
}

// The finding of a port that took devices away, after that of one of its GPUs.
Finding finding_of_port(const Machine& machine, const std::string& port, const Finding& of_gpu) {
    Finding out = of_gpu;
    out.target = port;
    out.detail = "the port and all devices below it answer all ones";
    if (const auto link = link_above(machine, port); !link.empty()) {
        out.detail += "; " + link;
    }
    for (auto at = out.fix.find(of_gpu.target); at != std::string::npos;
         at = out.fix.find(of_gpu.target, at + port.size())) {
        out.fix.replace(at, of_gpu.target.size(), port);
    }
    return out;
}

// Findings that one other finding fully explains: the interface and the rate of an RDMA port that
// is down, what an option of amdgpu switches off, libraries for GPUs that a variable replaces.
class Followers {
   public:
    Followers(const Machine& machine, std::vector<Finding>& findings)
        : machine_(machine), findings_(findings) {}

    void name() {
        for (const auto& finding : findings_) {
            if (is_fault(finding) && !finding.cause) {
                note(finding);
            }
        }
        for (auto& finding : findings_) {
            const auto own = causes_.find({finding.id, finding.target});
            const auto at = own == causes_.end() ? causes_.find({finding.id, every}) : own;
            if (at != causes_.end() && !finding.cause && follows(finding)) {
                finding.cause = at->second;
            }
        }
    }

   private:
    static constexpr const char* every = "";  // a target that stands for all

    void note(const Finding& finding) {
        const Cause cause{finding.id, finding.target};
        const std::string have = finding.have.value_or("");
        if (finding.id == "rdma.port" && have.starts_with("DOWN")) {
            causes_[{"rdma.rate", finding.target}] = cause;
            const auto names = netdevs_of(machine_, finding.target);
            if (names && names->size() == 1) {
                causes_[{"net.link", names->front()}] = cause;
            }
        } else if (finding.id == "gpu.parameters" && finding.target == "ras_enable" &&
                   have == "0") {
            causes_[{"gpu.ras", every}] = cause;
        } else if (finding.id == "gpu.parameters" && finding.target == "vramlimit") {
            causes_[{"gpu.vram", every}] = cause;
            vram_limit_mib_ = parse_number(have);
        } else if (finding.id.starts_with("env.HSA_OVERRIDE_GFX_VERSION")) {
            causes_[{"rocm.arch", every}] = cause;
        }
    }

    // Returns whether the finding has the form that its cause explains.
    bool follows(const Finding& finding) const {
        const bool unread = finding.id == "rdma.rate" || finding.id == "rocm.arch";
        return unread ? finding.outcome == Outcome::unknown
                      : is_fault(finding) && (finding.id != "gpu.vram" || is_at_limit(finding));
    }

    // Returns whether "16.00 GiB" is the limit that the option states.
    bool is_at_limit(const Finding& finding) const {
        constexpr double mib_of_gib = 1024;
        constexpr double rounding_mib = 8;
        const auto have = read_decimal(finding.have.value_or(""));
        return vram_limit_mib_ && have.length > 0 &&
               std::abs(have.value * mib_of_gib - static_cast<double>(*vram_limit_mib_)) <
                   rounding_mib;
    }

    const Machine& machine_;
    std::vector<Finding>& findings_;
    std::map<std::pair<std::string, std::string>, Cause> causes_;
    std::optional<std::uint64_t> vram_limit_mib_;
};

class Causes {
   public:
    Causes(const Machine& machine, std::vector<Finding>& findings)
        : machine_(machine), findings_(findings) {}

    void name() {
        name_partitions();
        find_driver();
        find_gpus();
        if (!faults_.empty()) {
            index_faults();
            for (auto& finding : findings_) {
                name_one(finding);
            }
        }
        Followers(machine_, findings_).name();
    }

   private:
    // Names the cause of compute units that are missing with KFD nodes of a GPU, whose number
    // gpu.compute_partition reports: "CPX with 7 KFD nodes".
    void name_partitions() {
        std::set<std::string> gpus;
        for (const auto& finding : findings_) {
            const bool of_mode = finding.id == "gpu.compute_partition" && is_fault(finding);
            const std::string have = of_mode ? finding.have.value_or("") : "";
            if (have.find(" with ") != have.npos && !have.starts_with("SPX")) {
                gpus.insert(finding.target);  // SPX is one node: it lacks none
            }
        }
        for (auto& finding : findings_) {
            if (finding.id == "gpu.compute_units" && is_fault(finding) && !finding.cause &&
                gpus.contains(finding.target)) {
                finding.cause = Cause{"gpu.compute_partition", finding.target};
            }
        }
    }

    // A driver that is not loaded explains each GPU without one.
    void find_driver() {
        for (const auto& finding : findings_) {
            if (finding.id == "gpu.driver" && is_fault(finding) && !finding.have) {
                faults_.push_back({{finding.id, finding.target}, without_driver(), false});
            }
        }
        driver_ = !faults_.empty();
    }

    std::set<std::string> without_driver() const {
        std::set<std::string> out;
        for (const auto& finding : findings_) {
            if (finding.id == count_id && code_of(finding) == "no-driver") {
                out.insert(finding.target);
            }
        }
        return out;
    }

    void find_gpus() {
        std::map<std::string, Finding> ports;
        std::vector<Fault> found;
        for (const auto& finding : findings_) {
            const bool counts = finding.id == count_id || finding.id == "rdma.count";
            const bool known = driver_ && faults_.front().devices.contains(finding.target);
            if (counts && !known && is_fault(finding) && is_pci_address(finding.target)) {
                add_device(finding, ports, found);
            }
        }
        add_ports(ports);
        faults_.insert(faults_.end(), found.begin(), found.end());
    }

    // Adds the findings of ports before those of the GPUs, unless the port has one: first those of
    // NICs, in order, then those of GPUs, in reverse order.
    void add_ports(std::map<std::string, Finding>& ports) {
        for (const auto& finding : findings_) {
            const auto found = ports.find(finding.target);
            if (found != ports.end() && found->second.id == finding.id) {
                ports.erase(found);
            }
        }
        std::vector<Finding> added;  // those of NICs, then those of GPUs
        std::vector<Finding> gpus;
        for (auto& port : ports) {
            (port.second.id == count_id ? gpus : added).push_back(std::move(port.second));
        }
        std::move(gpus.rbegin(), gpus.rend(), std::back_inserter(added));
        const auto at = std::find_if(findings_.begin(), findings_.end(),
                                     [](const auto& each) { return each.id == count_id; });
        findings_.insert(at, std::make_move_iterator(added.begin()),
                         std::make_move_iterator(added.end()));
    }

    void add_device(const Finding& finding, std::map<std::string, Finding>& ports,
                    std::vector<Fault>& found) const {
        const bool silent = code_of(finding) == "fallen";
        const auto above =
            silent ? silent_ports(machine_, finding.target) : std::vector<std::string>();
        const auto top = topmost_port(machine_, above);
        if (top.empty()) {
            Fault fault{{finding.id, finding.target}, {finding.target}, silent};
            fault.devices.insert(above.begin(), above.end());
            found.push_back(std::move(fault));
        } else if (ports.emplace(top, finding_of_port(machine_, top, finding)).second) {
            const auto& below = machine_.functions_below(top);
            Fault fault{{finding.id, top}, {below.begin(), below.end()}, true};
            fault.devices.insert(top);
            found.push_back(std::move(fault));
        }
    }

    // A node has up to thousands of faults and findings, so each finding is compared only with the
    // faults of its device.
    void index_faults() {
        for (const auto& fault : faults_) {
            all_faults_.push_back(&fault);
            by_cause_.emplace(fault.cause.id, fault.cause.target);
            for (const auto& device : fault.devices) {
                by_device_[device].push_back(&fault);
            }
        }
        for (const auto& finding : findings_) {
            if (finding.id == count_id && is_fault(finding) &&
                by_device_.contains(finding.target) &&
                machine_.function(finding.target).is_amd_gpu()) {
                faulty_gpus_.insert(finding.target);
            }
        }
    }

    // Returns the faults that may explain a finding.
    std::span<const Fault* const> faults_beside(const Finding& finding) const {
        if (finding.target == "process" || finding.target == "system") {
            return all_faults_;
        }
        const auto at = by_device_.find(base_of(finding.target));
        return at == by_device_.end() ? std::span<const Fault* const>() : at->second;
    }

    void name_one(Finding& finding) const {
        const bool passed = finding.outcome == Outcome::ok || finding.outcome == Outcome::na;
        if (finding.cause || passed || by_cause_.contains({finding.id, finding.target})) {
            return;
        }
        const Fault* reason = nullptr;
        for (const Fault* fault : faults_beside(finding)) {
            if (!explains(*fault, finding)) {
                continue;
            }
            if (reason) {
                return;
            }
            reason = fault;
        }
        if (reason) {
            finding.cause = reason->cause;
        }
    }

    // Returns whether a fault of the finding's device, or any fault for a finding of the whole
    // node, fully explains the finding. Each fault of a GPU explains a missing link on the whole
    // board, so only a single fault counts. A differing value of a silent device was read before
    // the fault or from another source.
    bool explains(const Fault& fault, const Finding& finding) const {
        const bool of_driver = fault.cause.id == "gpu.driver";
        if (finding.target == "process") {
            return of_driver && finding.id == "gpu.visible";
        }
        if (finding.target == "system") {
            return finding.id == "gpu.xgmi" && is_fault(finding) && lacks(finding, gpus_of(fault));
        }
        const bool of_gpu = fault.cause.id != "rdma.count" &&
                            (finding.id.starts_with("gpu.") || finding.id == "pci.large_bar");
        return finding.outcome == Outcome::differs
                   ? (finding.id == count_id || finding.id == "rdma.count") &&
                         (of_driver || fault.silent)
                   : fault.silent || of_gpu;
    }

    std::size_t gpus_of(const Fault& fault) const {
        return static_cast<std::size_t>(
            std::count_if(fault.devices.begin(), fault.devices.end(),
                          [&](const auto& device) { return faulty_gpus_.contains(device); }));
    }

    // Returns whether a mesh of "7 of 8 GPUs" lacks exactly this number of GPUs. A smaller number
    // does not explain the mesh fully.
    static bool lacks(const Finding& mesh, std::size_t gpus) {
        const auto texts = words(mesh.have ? std::string_view(*mesh.have) : "");
        const auto have = texts.size() == 4 ? parse_number(texts[0]) : std::nullopt;
        const auto board = texts.size() == 4 ? parse_number(texts[2]) : std::nullopt;
        return have && board && gpus > 0 && *have + gpus == *board;
    }

    // "0000:85:00.0/port" is of 0000:85:00.0.
    static std::string_view base_of(std::string_view target) {
        return target.substr(0, target.find('/'));
    }

    const Machine& machine_;
    std::vector<Finding>& findings_;
    std::vector<Fault> faults_;
    std::vector<const Fault*> all_faults_;
    std::set<std::pair<std::string, std::string>> by_cause_;  // ids and targets
    std::map<std::string, std::vector<const Fault*>, std::less<>> by_device_;
    std::set<std::string> faulty_gpus_;
    bool driver_ = false;
};

}  // namespace

void add_causes(const Machine& machine, std::vector<Finding>& findings) {
    Causes(machine, findings).name();
}

namespace {

// A value that a node may leave by itself. An empty list of values stands for every value.
struct HealingRow {
    std::string_view id;
    std::string_view values;  // codes of prose, or words, by blanks
};

// The states of interfaces are those of linux Documentation/networking/operstates.rst (6.12).
constexpr HealingRow healing_rows[] = {
    {"gpu.count", "no-driver no-kfd-node not-set-up no-render-node"},
    {"rdma.count", "no-rdma-device"},
    {"rdma.port", ""},
    {"net.link", "no-carrier down lowerlayerdown dormant testing notpresent unknown"},
};

bool heals(const HealingRow& row, const std::string& have) {
    const std::string code = have_code(row.id, have);
    const auto parts = split(code.empty() ? std::string_view(have) : std::string_view(code), '+');
    return row.values.empty() || std::all_of(parts.begin(), parts.end(), [&](const auto part) {
               return contains_word(row.values, part);
           });
}

// A driver that is not loaded has no value.
bool finding_heals(const Finding& finding) {
    if (finding.outcome == Outcome::unknown) {
        return true;
    }
    if (finding.id == "gpu.driver") {
        return !finding.have;
    }
    const auto* row = std::find_if(std::begin(healing_rows), std::end(healing_rows),
                                   [&](const HealingRow& each) { return each.id == finding.id; });
    return row != std::end(healing_rows) && finding.have && heals(*row, *finding.have);
}

}  // namespace

bool may_heal(const Report& report) {
    const bool failed = report.exit_code == exit_differs || report.exit_code == exit_unknown;
    return failed &&
           std::all_of(report.findings.begin(), report.findings.end(), [&](const Finding& finding) {
               const bool counts =
                   is_decisive(report, finding) &&
                   (finding.outcome == Outcome::differs || finding.outcome == Outcome::unknown);
               return !counts || finding.cause || finding_heals(finding);
           });
}

}  // namespace rocenv
