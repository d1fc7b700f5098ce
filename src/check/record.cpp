// SPDX-License-Identifier: MIT
#include "check/record.h"

#include <algorithm>
#include <functional>
#include <map>
#include <set>

#include "commands/topology/rocminfo.h"
#include "commands/topology/topology.h"
#include "machine/host/cpus.h"
#include "machine/identity.h"
#include "machine/kernel_attribute.h"
#include "machine/rdma/rdma.h"
#include "os/fs/tree_file.h"
#include "os/redact/redact.h"
#include "os/redact/redact_words.h"
#include "profile/learn.h"
#include "profile/profile.h"
#include "settings/registry.h"
#include "util/text.h"
#include "variables/catalogue.h"
#include "variables/environment.h"
#include "variables/releases/versions.h"

namespace rocenv {

namespace {

constexpr std::string_view env_prefix = "env.";

void ask(const Context& context, const Setting& setting, const Expectation& expectation) {
    if (setting.info.scope == Scope::node) {
        (void)assessed(setting, context, expectation);
    }
}

void ask_settings(const Context& context) {
    for (const Setting* setting : all_settings()) {
        for (const auto& form : setting->info.forms) {
            for (const auto& value : sample_values(form)) {
                Expectation expectation;
                expectation.id = setting->info.id;
                expectation.value = value;
                ask(context, *setting, expectation);
            }
        }
        if (setting->info.scope == Scope::node) {
            (void)learn_of(*setting, context);  // may read more files than assess
        }
    }
}

// Reads a file that a profile requires, so that a replay can distinguish a missing file from one
// that was not recorded.
void ask_for_file(const Context& context, const Expectation& expectation) {
    if (!expectation.must_exist) {
        return;
    }
    const auto path = expand(*expectation.value.text(), [&](const std::string& name) {
        return lookup_here(name, context.machine, context.process);
    });
    if (path) {
        (void)exists(context.fs(), *path);
    }
}

// Reads the values that all profiles expect, shipped ones and the caller's own. Returns their
// variables.
std::set<std::string> ask_profiles(const Context& context, const ProfileStore& store) {
    std::set<std::string> variables;
    for (const auto& name : store.names()) {
        for (const auto& expectation : resolve(store, {name}, {}, {}, Site::merged).expectations) {
            if (expectation.id.starts_with(env_prefix)) {
                variables.insert(expectation.id.substr(env_prefix.size()));
                ask_for_file(context, expectation);
            } else if (const Setting* setting = find_setting(expectation.id)) {
                ask(context, *setting, expectation);
            }
        }
    }
    return variables;
}

// Reads the PCI addresses of interfaces and RDMA devices that reports name by address.
void ask_names(const Machine& machine) {
    const auto devices = rdma_devices(machine);
    for (const auto& device : devices ? *devices : std::vector<RdmaDevice>()) {
        (void)without_named_addresses(machine, device.name);
        const auto names = netdevs_of(machine, device.bdf);
        (void)without_named_addresses(machine, names ? join(*names, " ") : "");
    }
}

// The CPUs that share a cache, near each GPU.
void ask_caches(const Machine& machine) {
    for (const auto& gpu : machine.gpus()) {
        if (const auto cpus = numbers_of_file(machine.fs(), pci_path(gpu.bdf, "/local_cpulist"))) {
            (void)l3_groups(machine.fs(), *cpus);
        }
    }
}

// Reads all files that a check could read. Ignores the caller's environment: ROCM_PATH would add a
// path of the caller to the recording.
std::set<std::string> ask_all(const Fs& fs, const ProfileStore& store) {
    const Machine machine(fs);
    const Process no_process;
    const Context context{machine, no_process};
    ask_settings(context);
    auto variables = ask_profiles(context, store);
    (void)choose_profile(machine, store);
    ask_names(machine);
    (void)read_topology(machine);
    (void)read_hsa_system(machine);
    (void)read_cpu_topology(fs);
    ask_caches(machine);
    (void)machine.facts();
    (void)machine.kernel_arguments();
    (void)rocm_layouts(fs, no_process);
    return variables;
}

// Returns whether a value cannot be an identity or a secret: a number, a word of kernels, or a
// value that the variable's readers accept.
bool is_free_of_names(const Variable& variable, const std::string& value) {
    return is_known_boot_value(value) || std::find(variable.values.begin(), variable.values.end(),
                                                   value) != variable.values.end();
}

// Returns the variables of profiles and of the catalogue, except secrets. They are comments: with
// --sysroot the environment is the caller's own.
std::string env_lines(const std::set<std::string>& variables, const Process& process) {
    std::string out;
    for (const auto& [name, value] : process.environment) {
        const auto variable = find_variable(name);
        if (is_secret_name(name) || (!variable && !variables.contains(name))) {
            continue;
        }
        const bool stays =
            variable && is_free_of_names(*variable, value) && !value.starts_with(' ');
        out += "# env " + name + "=" +
               (stays ? tree_escaped(redact_addresses(value)) : std::string(redacted)) + "\n";
    }
    return out;
}

// Names of interfaces and RDMA devices that contain a MAC or GUID, replaced by numbers: paths and
// links still match and keep their order. A number has as many digits as a MAC. In a GUID, zeros
// follow the number, since names are compared from the left.
class NumberedNames {
   public:
    // Numbers those in `text` that have none yet, in the order of their digits.
    void add(std::string_view text) {
        std::set<std::string> met;
        (void)replace_named_addresses(text, [&](const NamedAddress& address) {
            met.emplace(address.digits);
            return std::string();
        });
        for (const auto& digits : met) {
            numbers_.try_emplace(digits, numbers_.size() + 1);
        }
    }

    std::string in(std::string_view text) const {
        return replace_named_addresses(text, [&](const NamedAddress& address) {
            constexpr std::size_t mac_digits = 12;
            const auto at = numbers_.find(address.digits)->second;
            return std::string(address.prefix) + bare_hex(at, mac_digits) +
                   std::string(address.digits.size() - mac_digits, '0');
        });
    }

   private:
    std::map<std::string, std::uint64_t, std::less<>> numbers_;
};

}  // namespace

Result<Recording> record(const Fs& machine, const Fs& host, const Process& process, WithEnv with) {
    const RecordingFs recorder(machine);
    if (!exists(recorder, "/sys") && !exists(recorder, "/proc")) {
        return Error{ErrorKind::bad_input, 0, "", "the machine has neither sys nor proc"};
    }
    const auto variables = ask_all(recorder, ProfileStore(host, process));
    Notes notes = recorder.notes();
    redact(notes);
    const std::string entries = tree_entries(notes);
    const std::string comments = with == WithEnv::yes ? env_lines(variables, process) : "";
    NumberedNames names;
    names.add(entries);
    names.add(comments);
    Recording out;
    out.text = std::string("rocenv tree 1\n# rocenv ") + ROCENV_VERSION +
               " record; identities are redacted\n" + names.in(comments) + names.in(entries) +
               tree_end_mark(tree_entry_count(entries));
    out.silent = recorder.silent();
    return out;
}

}  // namespace rocenv
