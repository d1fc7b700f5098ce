// SPDX-License-Identifier: MIT
#include "contract/scene.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <map>
#include <set>

#include "profile/profile.h"
#include "rocenv/machine.h"
#include "settings/registry.h"
#include "util/text.h"

namespace rocenv::contract {

namespace {

constexpr std::uint32_t kept_cpus = 4;
constexpr std::size_t kept_gpus = 2;
const std::string cpus = "/sys/devices/system/cpu/";
const std::string with_preference = "mi300x-spx-epp";  // no fixture file has one

void cut_cpus(MemoryFs& fs) {
    for (const auto& [folder, prefix] : {std::pair(cpus, std::string("cpu")),
                                         std::pair(cpus + "cpufreq/", std::string("policy"))}) {
        const auto names = fs.list(folder.substr(0, folder.size() - 1));
        for (const auto& name : names ? *names : std::vector<std::string>()) {
            const auto number = name.starts_with(prefix)
                                    ? parse_number(std::string_view(name).substr(prefix.size()))
                                    : std::nullopt;
            if (number && *number >= kept_cpus) {
                fs.remove(folder + name);
            }
        }
    }
    for (const char* list : {"online", "present", "possible"}) {
        if (fs.read(cpus + list)) {
            fs.add_file(cpus + list, "0-" + number(kept_cpus - 1) + "\n");
        }
    }
}

// Folders whose path ends so, by whatever name.
void remove_all_with(MemoryFs& fs, const std::string& end) {
    std::set<std::string> folders;
    for (const auto& [path, content] : fs.contents()) {
        const auto at = path.find(end);
        if (at != std::string::npos) {
            folders.emplace(path.substr(0, at + end.size() - 1));
        }
    }
    for (const auto& folder : folders) {
        fs.remove(folder);
    }
    fs.remove(end.substr(0, end.size() - 1));
}

void cut_devices(MemoryFs& fs) {
    std::set<std::string> kept;
    std::set<std::uint32_t> lost_nodes;
    {
        const Machine machine(fs);
        std::size_t count = 0;
        for (const auto& gpu : machine.gpus()) {
            if (count++ < kept_gpus) {
                kept.insert(gpu.bdf);
                const auto bridges = machine.bridges_above(gpu.bdf);
                kept.insert(bridges->begin(), bridges->end());
                continue;
            }
            for (const auto agent : gpu.agents) {
                lost_nodes.insert(machine.kfd().nodes[agent].index);
            }
        }
        for (const auto& function : *machine.pci()) {
            if (!kept.contains(function.bdf)) {
                fs.remove(pci_path(function.bdf));
            }
        }
    }
    remove_all_with(fs, "/sys/class/infiniband/");
    for (const auto node : lost_nodes) {
        remove_all_with(fs, "/kfd/topology/nodes/" + number(node) + "/");
    }
}

// As amd-pstate-epp has it: two governors, one of which forces the preference.
void add_preferences(MemoryFs& fs) {
    for (std::uint32_t policy = 0; policy < kept_cpus; ++policy) {
        const std::string folder = cpus + "cpufreq/policy" + number(policy) + "/";
        fs.add_file(folder + "scaling_available_governors", "performance powersave\n");
        fs.add_file(folder + "scaling_governor", "powersave\n");
        fs.add_file(folder + "energy_performance_available_preferences",
                    "default performance balance_performance balance_power power\n");
        fs.add_file(folder + "energy_performance_preference",
                    policy == 1 ? "power\n" : "balance_performance\n");
    }
}

std::map<std::string, std::size_t>& counts() {
    static std::map<std::string, std::size_t> all;
    return all;
}

struct Printer {
    Printer() = default;
    Printer(const Printer&) = delete;
    Printer& operator=(const Printer&) = delete;
    ~Printer() {
        for (const auto& [what, runs] : counts()) {
            const std::string line = "contract: " + number(runs) + " runs of " + what + "\n";
            [[maybe_unused]] const auto written = ::write(STDOUT_FILENO, line.data(), line.size());
        }
    }
};

}  // namespace

std::optional<Error> MemoryStore::load(const Take& take) const {
    if (!text) {
        return Error{ErrorKind::not_here, ENOENT, "journal", "there is no journal"};
    }
    const std::string_view whole = *text;
    take(whole.substr(0, whole.size() / 2));
    take(whole.substr(whole.size() / 2));
    return std::nullopt;
}

bool MemoryStore::accepts(std::size_t bytes) {
    const bool fits = has_room || bytes <= room_;
    room_ -= has_room ? 0 : fits ? bytes : 0;
    return fits;
}

std::optional<Error> MemoryStore::append(std::string_view added) {
    const std::size_t now = appends++;
    if (fails_at == now || !accepts(added.size())) {
        return errno_error("write", "journal", ENOSPC);
    }
    const bool dies = dies_at == now;
    if (dies && how == 0) {
        throw Death{};
    }
    const std::size_t written = dies && how == 1   ? added.size() / 2
                                : dies && how == 3 ? added.size() - 1
                                                   : added.size();
    text = text.value_or("") + std::string(added.substr(0, written));
    if (dies) {
        throw Death{};
    }
    return std::nullopt;
}

std::optional<Error> MemoryStore::cut(std::size_t size) {
    text->resize(size);
    return std::nullopt;
}

// Deaths before and after it; there is no half of it.
std::optional<Error> MemoryStore::replace(std::string_view other) {
    const std::size_t now = appends++;
    if (fails_at == now || !accepts(other.size())) {
        return errno_error("write", "journal", ENOSPC);
    }
    const bool dies = dies_at == now;
    unshortened = text.value_or("");
    if (!dies || how >= 2) {
        text = std::string(other);
    }
    if (dies) {
        throw Death{};
    }
    return std::nullopt;
}

std::optional<Error> MemoryStore::discard() {
    text.reset();
    spare = 0;
    return std::nullopt;
}

std::optional<Error> MemoryStore::set_aside() {
    aside = std::move(text);
    return discard();
}

std::optional<Error> MemoryStore::reserve() {
    constexpr std::size_t spare_size = 64 << 10;
    if (spare == 0 && !has_room) {
        return errno_error("reserve room in", "journal", ENOSPC);
    }
    spare = spare_size;
    return std::nullopt;
}

bool MemoryStore::release() {
    room_ += spare;
    return std::exchange(spare, 0) != 0;
}

bool MemoryStore::is_dead(const std::string& hold) const {
    return std::find(dead.begin(), dead.end(), hold) != dead.end();
}

const MemoryFs& cut_machine(std::string_view asked) {
    static std::map<std::string, MemoryFs> known;
    const std::string name(asked);
    const auto found = known.find(name);
    if (found != known.end()) {
        return found->second;
    }
    MemoryFs fs(machine_fs(name == with_preference ? "mi300x-spx" : name));
    cut_cpus(fs);
    cut_devices(fs);
    // Off, so that a governor that turns it on does harm.
    if (fs.read(cpus + "cpufreq/boost")) {
        fs.add_file(cpus + "cpufreq/boost", "0\n");
    }
    if (name == with_preference) {
        add_preferences(fs);
    }
    return known.emplace(name, fs).first->second;
}

const std::vector<std::string>& machine_names() {
    static const std::vector<std::string> names{
        "mi300x-spx", "mi300x-cpx", "mi300x-tuned", "mi300x-fallen", "mi300x-no-driver",
        "mi210",      "mi250x",     "mi300a",       "mi350x",        "guest",
        "old-kfd",    "suspended",  "vfio",         "no-gpu",        with_preference};
    return names;
}

std::vector<std::string> profiles_for(const std::string& name) {
    static const MemoryFs nothing;
    static const Process process;
    const ProfileStore store(nothing, process);
    const Machine machine(cut_machine(name));
    std::vector<std::string> out;
    for (const auto& profile : store.names()) {
        const auto resolved = resolve(store, {profile}, {});
        const bool fits = std::none_of(
            resolved.matches.begin(), resolved.matches.end(),
            [&](const Match& match) { return mismatch(match, machine, process).has_value(); });
        const bool sets = std::any_of(resolved.expectations.begin(), resolved.expectations.end(),
                                      [](const Expectation& expectation) {
                                          return expectation.level != Level::info &&
                                                 !find_setting(expectation.id)->info.set_by.empty();
                                      });
        if (fits && sets) {
            out.push_back(profile);
        }
    }
    return out;
}

std::vector<std::string> different_profiles_for(const std::string& name) {
    std::vector<std::string> out;
    std::set<std::string> seen;
    for (const auto& profile : profiles_for(name)) {
        Node node(cut_machine(name));
        const auto result = node.set({profile});
        std::string likeness = number(result.report.exit_code);
        for (const auto& [key, write] : result.writes) {
            likeness += key.id + key.target + write.path + write.bytes;
        }
        for (const auto& finding : result.report.findings) {
            likeness += finding.outcome == Outcome::changed ? word_of(finding.level) : "";
        }
        if (seen.insert(likeness).second && !result.writes.empty()) {
            out.push_back(profile);
        }
    }
    return out;
}

SetResult Node::set(const std::vector<std::string>& profiles, const std::string& hold,
                    const std::vector<std::string>& overrides) {
    SetRequest request;
    request.check.profiles = profiles;
    request.check.overrides = overrides;
    request.check.skip = reported_for_short_boards;
    request.hold = hold;
    request.dry_run = dry_run;
    Process process;
    process.is_root = true;
    process.environment["SOURCE_DATE_EPOCH"] = "0";
    MemoryFs host;
    host.add_file(nothing_expected,
                  "[profile]\nname = \"nothing\"\nsummary = \"Nothing\"\n[settings]\n");
    return rocenv::set(request, kernel, host, process, store, caller);
}

SetResult Node::reset(const ResetRequest& request) {
    Process process;
    process.is_root = true;
    return rocenv::reset(request, kernel, process, store, caller);
}

Status Node::status() {
    return read_status(kernel, Process(), store);
}

void Node::calm() {
    kernel.forgive();
    kernel.before = nullptr;
    kernel.after = nullptr;
    store.fails_at.reset();
    store.dies_at.reset();
    kernel.unreadable = nullptr;
    caller.interrupted = [] { return false; };
}

std::string Node::differs_from(const MemoryFs& start) const {
    std::string out = join(differences(start, kernel.memory()), ", ");
    if (store.text) {
        out += (out.empty() ? "" : "; ") + std::string("a journal is left");
    }
    return out;
}

std::string printed(const SetResult& result) {
    std::string out = result.report.command + " exit " + number(result.report.exit_code) + "\n" +
                      join(result.errors, "\n") + "\n" + join(result.warnings, "\n") + "\n";
    for (const auto& finding : result.report.findings) {
        if (finding.outcome != Outcome::ok && finding.outcome != Outcome::na) {
            out += finding.id + " " + finding.target + " " + std::string(word_of(finding.outcome)) +
                   " " + finding.detail + "\n";
        }
    }
    return out;
}

void count_run(const char* what, std::size_t runs) {
    counts();  // made first, so that it lives longer
    static const Printer printer;
    counts()[what] += runs;
}

}  // namespace rocenv::contract
