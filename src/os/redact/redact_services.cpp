// SPDX-License-Identifier: MIT
// Redaction of running and installed software, which is private and differs between recordings. A
// recording keeps the processes and systemd units that host.rivals and host.time_sync look for. It
// keeps ROCm of the installed software.
#include <algorithm>
#include <cerrno>
#include <iterator>

#include "os/redact/known_services.h"
#include "os/redact/redact.h"
#include "os/redact/redact_words.h"
#include "util/text.h"

namespace rocenv {

namespace {

const std::string processes = "/proc";
const std::string first_process = "1";
const std::string units = "/etc/systemd/system";

template <class Services, class Test>
bool is_any(const Services& services, Test test) {
    return std::any_of(std::begin(services), std::end(services), test);
}

// Returns true for units that host.rivals looks for; only that setting reads units started at boot.
bool is_rival_unit(const std::string& name) {
    return is_any(rival_services,
                  [&](const KnownService& each) { return each.unit_file() == name; });
}

bool is_known_unit(const std::string& name) {
    return is_rival_unit(name) || is_any(clock_services, [&](const KnownService& each) {
               return each.unit_file() == name;
           });
}

bool is_known_process(const std::string& name) {
    const auto is_it = [&](const KnownService& each) { return each.process == name; };
    return is_any(rival_services, is_it) || is_any(clock_services, is_it);
}

bool is_listed(const Note& note) {
    return note.names && *note.names;
}

void keep_known_units(Note& note) {
    if (is_listed(note)) {
        std::erase_if(note.names->value(), [](const auto& name) { return !is_known_unit(name); });
    }
}

// Keeps folders of boot units that hold a known unit or could not be read.
void redact_boot(Notes& notes) {
    const auto found = notes.find(units);
    if (found == notes.end() || !is_listed(found->second)) {
        return;
    }
    std::erase_if(found->second.names->value(), [&](const std::string& name) {
        const auto folder = notes.find(units + "/" + name);
        if (folder == notes.end()) {
            return !is_rival_unit(name);
        }
        if (is_listed(folder->second)) {
            std::erase_if(folder->second.names->value(),
                          [](const auto& unit) { return !is_rival_unit(unit); });
        }
        const bool empty = is_listed(folder->second) && (*folder->second.names)->empty();
        if (empty) {
            notes.erase(folder);
        }
        return empty;
    });
}

struct TakenProcesses {
    std::vector<std::string> names;  // names of known processes
    std::optional<Note> unread;      // an unreadable process may be any of them
};

bool has_ended(const Result<std::string>& comm) {
    return comm.is(ErrorKind::not_here) || (!comm && comm.error().err == ESRCH);
}

// Removes every process from `notes`.
TakenProcesses take_processes(Notes& notes, const std::vector<std::string>& ids) {
    TakenProcesses out;
    for (const auto& id : ids) {
        const auto comm = notes.find(processes + "/" + id + "/comm");
        if (!parse_number(id) || comm == notes.end()) {
            continue;
        }
        const auto& content = comm->second.content;
        const std::string name(content && *content ? trim(**content) : std::string_view());
        if (is_known_process(name)) {
            out.names.push_back(name);
        } else if (content && !*content && !has_ended(*content)) {
            out.unread = comm->second;
        }
        notes.erase(comm);
    }
    return out;
}

// Keeps process 1 without its name: its entry shows that processes are not hidden.
void redact_processes(Notes& notes) {
    const auto found = notes.find(processes);
    if (found == notes.end() || !is_listed(found->second)) {
        return;
    }
    auto& ids = found->second.names->value();
    auto [names, unread] = take_processes(notes, ids);
    std::sort(names.begin(), names.end());
    names.erase(std::unique(names.begin(), names.end()), names.end());
    const bool all_shown = std::find(ids.begin(), ids.end(), first_process) != ids.end();
    ids.clear();
    if (all_shown) {
        ids.push_back(first_process);
        notes[processes + "/" + first_process + "/comm"].content.emplace("init\n");
    }
    for (std::size_t at = 0; at < names.size(); ++at) {
        ids.push_back(number(at + 2));
        notes[processes + "/" + ids.back() + "/comm"].content.emplace(names[at] + "\n");
    }
    if (unread) {
        ids.push_back(number(names.size() + 2));
        notes[processes + "/" + ids.back() + "/comm"] = *std::move(unread);
    }
}

// Returns the name prefixes that are kept in a folder of installed software; std::nullopt for any
// other folder. The folders of rocBLAS and hipBLASLt have thousands of kernels. Kept are the files
// that name an architecture, and those of single precision, which show that kernels exist.
std::optional<std::vector<std::string_view>> kept_starts(std::string_view folder) {
    using Starts = std::vector<std::string_view>;
    if (folder == "/opt") {
        return Starts{"rocm"};
    }
    if (folder == "/opt/conda/envs") {
        return Starts{};
    }
    if (folder.ends_with("/lib") || folder.ends_with("/lib64") ||
        folder.ends_with("/lib/x86_64-linux-gnu")) {
        return Starts{"python3", "librocblas", "libhipblaslt", "libMIOpen"};
    }
    if (folder.ends_with("-packages")) {
        return Starts{"_rocm_sdk", "rocm_sdk", "torch"};
    }
    if (folder.ends_with("/rocblas/library") || folder.ends_with("/hipblaslt/library")) {
        return Starts{"gfx",
                      "Kernels.so",
                      "TensileLibrary.",
                      "TensileLibrary_gfx",
                      "TensileLibrary_lazy_",
                      "TensileLibrary_SS_SS_",
                      "TensileLibrary_Type_SS_"};
    }
    return std::nullopt;
}

bool starts_with_any(std::string_view name, const std::vector<std::string_view>& starts) {
    return std::any_of(starts.begin(), starts.end(),
                       [&](std::string_view start) { return name.starts_with(start); });
}

// Returns true for "rocm" and "rocm-6.2.0"; a site may have named a folder differently.
bool is_rocm_folder(std::string_view name) {
    return name.find_first_not_of("0123456789.-", name.find('m') + 1) == std::string_view::npos;
}

bool stays(std::string_view folder, std::string_view name,
           const std::vector<std::string_view>& starts) {
    return starts_with_any(name, starts) && (folder != "/opt" || is_rocm_folder(name));
}

// Removes folders of /opt and everything below.
void erase_below(const std::vector<std::string>& folders, Notes& notes) {
    for (const auto& folder : folders) {
        std::erase_if(notes, [&](const auto& each) {
            return each.first == folder || each.first.starts_with(folder + "/");
        });
    }
}

// Removes other installed software.
void redact_installed(Notes& notes) {
    std::vector<std::string> gone;
    for (auto& [path, note] : notes) {
        const auto starts = kept_starts(path);
        if (!starts || !is_listed(note)) {
            continue;
        }
        std::erase_if(note.names->value(), [&, folder = path](const std::string& name) {
            const bool out = !stays(folder, name, *starts);
            if (out && folder == "/opt" && name.starts_with("rocm")) {
                gone.push_back(folder + "/" + name);
            }
            return out;
        });
    }
    erase_below(gone, notes);
}

// Keeps the parameters that the driver itself names.
void redact_parameters(Notes& notes) {
    const auto found = notes.find("/sys/module/amdgpu/parameters");
    if (found != notes.end() && is_listed(found->second)) {
        std::erase_if(found->second.names->value(),
                      [](const auto& name) { return !is_amdgpu_parameter(name); });
    }
}

}  // namespace

void redact_services(Notes& notes) {
    redact_installed(notes);
    redact_parameters(notes);
    for (auto& [path, note] : notes) {
        if (path.ends_with("/system.slice")) {
            keep_known_units(note);
        }
    }
    redact_boot(notes);
    redact_processes(notes);
}

}  // namespace rocenv
