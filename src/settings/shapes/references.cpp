// SPDX-License-Identifier: MIT
#include "settings/shapes/references.h"

#include <algorithm>
#include <set>
#include <vector>

#include "machine/gpu/gpu_models.h"
#include "machine/host/cpus.h"
#include "machine/kernel_attribute.h"
#include "machine/rdma/rdma.h"
#include "settings/rdma/inventory.h"
#include "settings/shapes/device_access.h"
#include "util/mountinfo.h"
#include "util/text.h"
#include "variables/releases/versions.h"

namespace rocenv {

namespace {

using Reference = std::optional<Unmet>;

std::vector<std::string> entries_of(std::string_view text) {
    std::vector<std::string> out;
    for (const auto each : split(text, ',')) {
        if (!each.empty()) {
            out.emplace_back(each);
        }
    }
    return out;
}

// Returns "bnxt_re0, bnxt_re1, ... (8)".
std::string some_of(const std::vector<std::string>& names) {
    constexpr std::size_t most = 8;
    std::vector<std::string> shown;
    for (std::size_t at = 0; at < std::min(most, names.size()); ++at) {
        shown.push_back(printable(names[at]));
    }
    return join(shown, ", ") +
           (names.size() > most ? " and " + number(names.size() - most) + " more" : std::string());
}

Unmet unread(const Error& error) {
    Unmet out;
    out.says = error.text;
    out.unknown = true;
    return out;
}

// Returns the entries without a match on the node. `what`: "RDMA device".
Reference entries_unmet(const std::vector<std::string>& entries,
                        const std::vector<std::string>& unmet, const std::vector<std::string>& here,
                        const std::string& what, const std::string& next) {
    if (unmet.empty()) {
        return std::nullopt;
    }
    Unmet out;
    out.none_met = unmet.size() == entries.size();
    out.level = out.none_met ? Level::recommended : Level::info;
    out.says = (out.none_met && entries.size() > 1
                    ? "none of " + some_of(unmet) + " names"
                    : some_of(unmet) + (unmet.size() == 1 ? " does not match" : " do not match")) +
               " " + what + " of this node (" + (here.empty() ? "none exists" : some_of(here)) +
               ")";
    out.next = here.empty() ? "" : next;
    return out;
}

// Returns the common prefix of the names without digits at its end: "bnxt_re"; empty if that is
// short.
std::string stem_of(const std::vector<std::string>& names) {
    std::string out = names.empty() ? "" : names.front();
    for (const auto& name : names) {
        const auto [end, other] = std::mismatch(out.begin(), out.end(), name.begin(), name.end());
        out.erase(end, out.end());
    }
    while (!out.empty() && out.back() >= '0' && out.back() <= '9') {
        out.pop_back();
    }
    return out.size() < 3 ? "" : out;
}

std::string export_of(std::string_view name, const std::string& value) {
    return "export " + std::string(name) + "=" + shell_word(value);
}

// Checks NCCL_IB_HCA: prefixes, = exact, ^ exclude, NAME:PORT (RCCL src/transport/net_ib.cc,
// src/misc/utils.cc parseStringList, 2026-11).
Reference rdma_devices_unmet(const Variable& variable, const std::string& text,
                             const Context& context) {
    std::string marks;
    std::string_view rest = text;
    while (!rest.empty() && (rest.front() == '^' || rest.front() == '=')) {
        marks += rest.front();
        rest.remove_prefix(1);
    }
    if (marks.find('^') != marks.npos) {
        return std::nullopt;
    }
    const auto devices = rdma_devices(context.machine);
    if (!devices) {
        return unread(devices.error());
    }
    std::vector<std::string> names;
    std::vector<RdmaPort> ports;
    for (const auto& device : *devices) {
        names.push_back(device.name);
        if (device.ports && !device.ports->empty()) {
            ports.insert(ports.end(), device.ports->begin(), device.ports->end());
        } else {
            ports.push_back({device.name, 1, device.bdf, ""});
        }
    }
    const auto entries = entries_of(rest);
    std::vector<std::string> unmet;
    std::copy_if(entries.begin(), entries.end(), std::back_inserter(unmet),
                 [&](const std::string& entry) {
                     const HcaList one(marks + entry);
                     return std::none_of(ports.begin(), ports.end(),
                                         [&](const RdmaPort& port) { return one.selects(port); });
                 });
    const std::string stem = stem_of(names);
    auto out = entries_unmet(entries, unmet, names, "an RDMA device",
                             export_of(variable.name, stem.empty() ? join(names, ",") : stem));
    if (out && out->none_met) {
        out->says += "; without a device the library uses TCP or fails";
    }
    return out;
}

Result<std::vector<std::string>> interfaces(const Context& context) {
    return context.fs().list("/sys/class/net");
}

std::string first_wired(const std::vector<std::string>& names) {
    const auto found = std::find_if(names.begin(), names.end(), [](const std::string& name) {
        return name.starts_with("en") || name.starts_with("eth") || name.starts_with("bond") ||
               name.starts_with("ib") || name.starts_with("hsn");
    });
    return found == names.end() ? "" : *found;
}

// Checks NCCL_SOCKET_IFNAME: prefixes, = exact, ^ exclude (RCCL src/misc/socket.cc, 2026-11).
// `exact`: the reader compares whole names (Gloo, TensorPipe, UCX).
Reference interfaces_unmet(const Variable& variable, std::string_view text, const Context& context,
                           bool exact) {
    if (!exact && text.starts_with('^')) {
        return std::nullopt;
    }
    if (!exact && text.starts_with('=')) {
        exact = true;
        text.remove_prefix(1);
    }
    const auto here = interfaces(context);
    if (!here) {
        return here.is(ErrorKind::not_here) ? std::nullopt : Reference(unread(here.error()));
    }
    const auto entries = entries_of(text);
    std::vector<std::string> unmet;
    std::copy_if(entries.begin(), entries.end(), std::back_inserter(unmet),
                 [&](const std::string& entry) {
                     const std::string name = entry.substr(0, entry.find(':'));
                     return std::none_of(here->begin(), here->end(), [&](const std::string& each) {
                         return exact ? each == name : each.starts_with(name);
                     });
                 });
    const std::string wired = first_wired(*here);
    return entries_unmet(entries, unmet, *here,
                         exact ? "an interface" : "the beginning of an interface",
                         wired.empty() ? "" : export_of(variable.name, wired));
}

// Checks UCX_NET_DEVICES: "all", NAME:PORT of an RDMA device or an interface (ucx
// src/ucs/config/parser.c, 2026-11). Patterns are not checked.
Reference ucx_devices_unmet(const Variable& variable, const std::string& text,
                            const Context& context) {
    if (text == "all" || text.starts_with('^') || text.find_first_of("*?[") != text.npos) {
        return std::nullopt;
    }
    const auto devices = rdma_devices(context.machine);
    const auto nets = interfaces(context);
    if (!devices) {
        return unread(devices.error());
    }
    std::vector<std::string> here;
    std::set<std::string> accepted;
    for (const auto& device : *devices) {
        for (const auto& port : device.ports ? *device.ports : std::vector<RdmaPort>()) {
            here.push_back(port.name());
        }
    }
    accepted.insert(here.begin(), here.end());
    for (const auto& name : nets ? *nets : std::vector<std::string>()) {
        here.push_back(name);
        accepted.insert(name);
    }
    const auto entries = entries_of(text);
    std::vector<std::string> unmet;
    std::copy_if(entries.begin(), entries.end(), std::back_inserter(unmet),
                 [&](const std::string& entry) { return !accepted.contains(entry); });
    return entries_unmet(entries, unmet, here, "a device",
                         accepted.empty() ? "" : export_of(variable.name, here.front()));
}

// Checks HSA_OVERRIDE_GFX_VERSION and HSA_OVERRIDE_GFX_VERSION_<N>, where N is KFD's node id
// (libhsakmt src/topology.c, 2026-11).
Reference gfx_unmet(const Variable& variable, const std::string& text, const Context& context) {
    constexpr std::string_view numbered = "HSA_OVERRIDE_GFX_VERSION_";
    const auto& nodes = context.machine.kfd().nodes;
    std::vector<const KfdNode*> about;
    for (const auto& node : nodes) {
        if (node.is_gpu()) {
            about.push_back(&node);
        }
    }
    if (about.empty()) {
        return std::nullopt;
    }
    if (variable.name.starts_with(numbered)) {
        const auto index = parse_number(variable.name.substr(numbered.size()));
        std::erase_if(about, [&](const KfdNode* node) { return node->index != index; });
        if (about.empty()) {
            return Unmet{
                Level::recommended,
                "KFD node " + std::string(variable.name.substr(numbered.size())) +
                    " is not a GPU: the number is the node id of KFD, which also counts CPU nodes",
                "unset " + std::string(variable.name), false, true};
        }
    }
    std::set<std::string> here;
    for (const auto* node : about) {
        here.insert(gfx_version_text(node->get("gfx_target_version")));
    }
    if (here == std::set<std::string>{text}) {
        return std::nullopt;
    }
    const auto major = [](std::string_view version) {
        return version.substr(0, version.find('.'));
    };
    const bool rdna = std::all_of(here.begin(), here.end(), [&](const std::string& each) {
        return major(each) == major(text) && major(each) != "9";
    });
    Unmet out;
    out.level = rdna ? Level::info : Level::recommended;
    out.says =
        "the GPUs here are " + join(std::vector<std::string>(here.begin(), here.end()), ", ") +
        ": programs load code for another architecture" + (rdna ? " of the same family" : "");
    out.next = "unset " + std::string(variable.name);
    out.none_met = true;
    return out;
}

bool is_absolute(std::string_view path) {
    return path.starts_with('/') && path.find('%') == path.npos && path.find('$') == path.npos;
}

// Resolves the symbolic links of an absolute path below the root folder of a process ("" for "/").
// Missing parts stay as they are.
std::string resolved_below(const Fs& fs, const std::string& root, const std::string& path) {
    constexpr int most_links = 40;  // linux include/linux/namei.h MAXSYMLINKS
    std::vector<std::string> ahead;
    const auto put_ahead = [&](std::string_view text) {
        const auto parts = split(text, '/');
        for (auto part = parts.rbegin(); part != parts.rend(); ++part) {
            ahead.emplace_back(*part);
        }
    };
    put_ahead(path);
    std::string out;
    for (int links = 0; !ahead.empty();) {
        const std::string part = std::move(ahead.back());
        ahead.pop_back();
        if (part.empty() || part == ".") {
            continue;
        }
        if (part == "..") {
            out.erase(out.empty() ? 0 : out.rfind('/'));
            continue;
        }
        const auto link = fs.link(root + out + "/" + part);
        if (!link || ++links > most_links) {
            out += "/" + part;
            continue;
        }
        out = link->starts_with('/') ? "" : out;
        put_ahead(*link);
    }
    return out.empty() ? "/" : out;
}

// Returns the folder that contains the files of the process: /proc/PID/root if it has other mounts
// or another root folder, else "".
Result<std::string> root_of_process(const Context& context) {
    const auto& process = context.process;
    if (process.pid.empty() || !context.fs().is_real()) {
        return std::string();
    }
    const std::string root = "/proc/" + process.pid + "/root";
    if (process.of_another_user) {
        return Error{ErrorKind::not_permitted, 0, root,
                     "root does not look up files of another user's process; run rocenv as that "
                     "user"};
    }
    const auto folder = context.fs().link(root);
    if (!folder) {
        return folder.error();
    }
    const bool same = process.environment_of == EnvironmentOf::process && *folder == "/";
    return same ? std::string() : root;
}

// Returns an error of kind `not_here` if the path does not exist.
std::optional<Error> find_path(const Context& context, const std::string& path) {
    const auto root = root_of_process(context);
    if (!root) {
        return root.error();
    }
    const auto found =
        context.fs().size(root->empty() ? path : *root + resolved_below(context.fs(), *root, path));
    const bool there = found || found.is(ErrorKind::bad_input);  // a folder has no size
    return there ? std::nullopt : std::optional(found.error());
}

Reference path_unmet(const Variable& variable, const std::string& text, const Context& context,
                     const JudgedFor& purpose) {
    if (!is_absolute(text)) {
        return std::nullopt;  // unknown working directory of the reader
    }
    const auto why = find_path(context, text);
    if (!why) {
        return std::nullopt;
    }
    if (why->kind != ErrorKind::not_here) {
        return unread(*why);
    }
    if (purpose.of_recording) {
        return unread({ErrorKind::not_here, 0, text,
                       printable(text) + " is not in the recording, which holds only some files"});
    }
    return Unmet{Level::recommended, printable(text) + " does not exist",
                 "unset " + std::string(variable.name), false, true};
}

// Returns "tuned0.csv" of "tuned.csv" and of "tuned%d.csv": PyTorch's name for the first device
// (pytorch aten/src/ATen/cuda/tunable/Tunable.cpp, 2026-11).
std::string results_of_first_device(const std::string& name) {
    const auto mark = name.find("%d");
    if (mark != name.npos) {
        return name.substr(0, mark) + "0" + name.substr(mark + 2);
    }
    const auto dot = name.rfind('.');
    return dot == name.npos || name.find('/', dot) != name.npos
               ? name + "0"
               : name.substr(0, dot) + "0" + name.substr(dot);
}

// Checks the results of TunableOp, which are read at the start and written at the end: the folder
// must exist, and without tuning the file as well.
Reference results_unmet(const Variable& variable, const std::string& text, const Context& context) {
    const auto& process = context.process;
    const std::string top = text.substr(0, text.find('/', 1));
    const bool recorded = context.fs().is_real() || exists(context.fs(), top);
    if (!text.starts_with('/') || process.variable("PYTORCH_TUNABLEOP_ENABLED") != "1" ||
        !recorded) {
        return std::nullopt;  // a recording has no /tmp
    }
    const bool tunes = process.variable("PYTORCH_TUNABLEOP_TUNING").value_or("1") != "0" ||
                       process.why_unknown("PYTORCH_TUNABLEOP_TUNING") ||
                       process.variable("PYTORCH_TUNABLEOP_RECORD_UNTUNED") == "1";
    const std::string folder = text.substr(0, std::max<std::size_t>(text.rfind('/'), 1));
    const std::string numbered = results_of_first_device(text);
    auto why = find_path(context, tunes ? folder : numbered);
    if (why && !tunes && why->kind == ErrorKind::not_here) {
        why = find_path(context, text);
    }
    if (!why) {
        return std::nullopt;
    }
    if (why->kind != ErrorKind::not_here) {
        return unread(*why);
    }
    return Unmet{Level::recommended,
                 tunes ? printable(folder) + " does not exist, so PyTorch cannot write its results"
                       : printable(numbered) + " does not exist, so PyTorch uses no tuned kernels",
                 tunes ? "mkdir -p " + shell_word(folder) : "unset " + std::string(variable.name),
                 false, true};
}

// Returns true if the job runs on several nodes, by the profile or by variables of its launcher.
bool is_multi_node(const Context& context, const JudgedFor& purpose) {
    if (purpose.multi_node) {
        return true;
    }
    for (const char* name : {"SLURM_JOB_NUM_NODES", "SLURM_NNODES"}) {
        const auto nodes = parse_number(context.process.variable(name).value_or(""));
        if (nodes && *nodes > 1) {
            return true;
        }
    }
    return false;
}

// Checks a cache that its reader creates, on a file system shared by the nodes of the job.
// "local-folder": the reader itself avoids such file systems by default.
Reference cache_unmet(const Variable& variable, const std::string& text, const Context& context,
                      const JudgedFor& purpose) {
    if (!is_absolute(text) || !is_multi_node(context, purpose)) {
        return std::nullopt;
    }
    const auto& process = context.process;
    const auto root = root_of_process(context);
    if (!root) {
        return unread(root.error());
    }
    const std::string mountinfo =
        "/proc/" + (process.pid.empty() ? std::string("self") : process.pid) + "/mountinfo";
    const auto mounts = context.fs().read(mountinfo);
    if (!mounts) {
        return mounts.is(ErrorKind::not_here) ? std::nullopt : Reference(unread(mounts.error()));
    }
    const auto all = parse_mountinfo(*mounts);
    const auto mount = mount_of(all, resolved_below(context.fs(), *root, text));
    if (!mount || !is_network(*mount)) {
        return std::nullopt;
    }
    return Unmet{
        variable.refers_to == "local-folder" ? Level::recommended : Level::info,
        printable(text) + " is on a network file system (" + printable(std::string(mount->type)) +
            " at " + printable(std::string(mount->point)) +
            "), so processes of several nodes wait for each other's locks or overwrite the cache",
        export_of(variable.name, "/tmp/" + lower_case(variable.name)), false, false};
}

// Returns "7.2.0" of "/opt/rocm-7.2.0/lib" and of "/sw/rocm/7.2.0/lib"; empty if the path has no
// release with at least two numbers.
std::string release_in(std::string_view path) {
    for (const std::string_view mark : {"/rocm-", "/rocm/"}) {
        const auto at = path.find(mark);
        if (at == path.npos) {
            continue;
        }
        const auto rest = path.substr(at + mark.size());
        const auto version = rest.substr(0, std::min(rest.find('/'), rest.size()));
        const bool plain = version.find_first_not_of("0123456789.") == version.npos;
        if (plain && version.find('.') != version.npos) {
            return std::string(version);
        }
    }
    return "";
}

bool same_release(const std::string& one, const std::string& other) {
    return compare_versions(one, other) == 0 || other.starts_with(one + ".") ||
           one.starts_with(other + ".");
}

// Checks LD_LIBRARY_PATH for libraries of a ROCm other than the selected one, and for those of the
// host in a Singularity or Apptainer container.
Reference libraries_unmet(const std::string& text, const Context& context) {
    std::string here = release_in(context.process.variable("ROCM_PATH").value_or(""));
    if (here.empty()) {
        const auto assumed = assumed_rocm(context.versions);
        const auto version = layouts_of(context.versions, context.fs(), context.process).version();
        here = assumed ? *assumed : version ? *version : "";
    }
    here = here.substr(0, here.find('-'));
    for (const auto folder : split(text, ':')) {
        if (folder.starts_with("/.singularity.d/libs")) {
            return Unmet{Level::info,
                         "/.singularity.d/libs holds libraries of the host, so the program may "
                         "load two ROCm releases",
                         "", false, false};
        }
        const std::string release = release_in(folder);
        if (!release.empty() && !here.empty() && !same_release(release, here)) {
            return Unmet{Level::recommended,
                         printable(std::string(folder)) + " belongs to ROCm " + release +
                             ", but this process uses ROCm " + here,
                         "remove " + printable(std::string(folder)) + " from LD_LIBRARY_PATH",
                         false, true};
        }
    }
    return std::nullopt;
}

constexpr std::size_t most_cpus = 8192;  // NR_CPUS of x86-64 (linux arch/x86/Kconfig)

// The named CPUs; the last element covers all numbers from most_cpus on.
using NamedCpus = std::vector<bool>;

void name_cpus(NamedCpus& out, std::uint64_t first, std::uint64_t count, std::uint64_t step) {
    for (std::uint64_t at = 0; at < std::min<std::uint64_t>(count, most_cpus + 1); ++at) {
        const std::uint64_t cpu = first + at * step;
        out[std::min<std::uint64_t>(cpu, most_cpus)] = true;
        if (cpu >= most_cpus) {
            return;
        }
    }
}

// Returns the numbers of "A", "A:B" and "A:B:C"; std::nullopt if a part is not a number.
std::optional<std::vector<std::uint64_t>> colon_numbers(std::string_view text) {
    std::vector<std::uint64_t> out;
    for (const auto part : split(text, ':')) {
        const auto value = parse_number(trim(part));
        if (!value || *value > UINT32_MAX) {
            return std::nullopt;
        }
        out.push_back(*value);
    }
    return out;
}

// Adds one element of GOMP_CPU_AFFINITY: "3", "1-2" or "4-15:2" (the GCC libgomp manual, 2026-11).
bool name_affinity(std::string_view word, NamedCpus& out) {
    const auto dash = word.find('-');
    const auto colon = std::min(word.find(':'), word.size());
    const auto first = parse_number(word.substr(0, std::min(dash, colon)));
    const auto last = dash < colon ? parse_number(word.substr(dash + 1, colon - dash - 1)) : first;
    const auto step = colon < word.size() ? parse_number(word.substr(colon + 1)) : 1;
    if (!first || !last || !step || *first > *last || *step == 0 || *last > UINT32_MAX) {
        return false;
    }
    name_cpus(out, *first, (*last - *first) / *step + 1, *step);
    return true;
}

// Adds one element of OMP_PLACES, "{0:4:1}" or "{0,1}", and its repetition ":8:4" (OpenMP 5.2,
// 21.1.6).
bool name_element(std::string_view inside, std::string_view repeated, NamedCpus& out) {
    const auto times = repeated.empty()
                           ? std::vector<std::uint64_t>{1}
                           : colon_numbers(repeated).value_or(std::vector<std::uint64_t>());
    std::vector<std::uint64_t> firsts;
    std::uint64_t length = 0;
    for (const auto part : split(inside, ',')) {
        const auto numbers = colon_numbers(part);
        if (!numbers || numbers->size() > 3) {
            return false;
        }
        const std::uint64_t count = numbers->size() > 1 ? (*numbers)[1] : 1;
        const std::uint64_t step = numbers->size() > 2 ? (*numbers)[2] : 1;
        length += count;
        firsts.push_back((*numbers)[0]);
        name_cpus(out, (*numbers)[0], count, step);
    }
    if (times.empty() || times.size() > 2 || times[0] < 2) {
        return !times.empty() && times.size() <= 2;
    }
    const std::uint64_t stride = times.size() > 1 ? times[1] : length;
    for (std::uint64_t again = 1; again < std::min<std::uint64_t>(times[0], most_cpus); ++again) {
        for (const auto first : firsts) {
            name_cpus(out, first + again * stride, length / firsts.size(), 1);
        }
        if (firsts.front() + again * stride >= most_cpus) {
            break;
        }
    }
    return true;
}

// Returns the CPUs of GOMP_CPU_AFFINITY or OMP_PLACES; std::nullopt for a form without numbers.
// Time and memory are limited for any text: one pass, at most 256 elements.
std::optional<NamedCpus> cpus_named(const std::string& text) {
    constexpr int most_elements = 256;
    NamedCpus out(most_cpus + 1);
    int elements = 0;
    if (text.find('{') == text.npos) {
        std::string plain = text;
        std::replace(plain.begin(), plain.end(), ',', ' ');
        for (const auto word : words(plain)) {
            if (++elements > most_elements || !name_affinity(word, out)) {
                return std::nullopt;
            }
        }
        return out;
    }
    for (std::size_t at = text.find('{'); at != text.npos; at = text.find('{', at)) {
        const auto close = text.find('}', at);
        if (close == text.npos || text[at == 0 ? 0 : at - 1] == '!' || ++elements > most_elements) {
            return std::nullopt;
        }
        const auto end = std::min(text.find(',', close), text.size());
        const std::string_view view(text);
        const auto repeated = view.substr(close + 1, end - close - 1);
        if (!(repeated.empty() || repeated.starts_with(':')) ||
            !name_element(view.substr(at + 1, close - at - 1),
                          repeated.substr(std::min<std::size_t>(1, repeated.size())), out)) {
            return std::nullopt;
        }
        at = end;
    }
    return out;
}

Reference cpus_unmet(const Variable& variable, const std::string& text, const Context& context) {
    const auto named = cpus_named(text);
    if (!named) {
        return std::nullopt;
    }
    // OpenMP itself may bind the main thread of a running process.
    const bool own =
        context.fs().is_real() && context.process.environment_of == EnvironmentOf::caller;
    const auto here = own ? allowed_cpus(context.fs())
                          : numbers_of_file(context.fs(), "/sys/devices/system/cpu/online");
    if (!here) {
        return here.is(ErrorKind::not_here) ? std::nullopt : Reference(unread(here.error()));
    }
    std::vector<std::uint32_t> missing;
    for (std::uint32_t cpu = 0; cpu < named->size(); ++cpu) {
        if ((*named)[cpu] && !std::binary_search(here->begin(), here->end(), cpu)) {
            missing.push_back(cpu);
        }
    }
    if (missing.empty()) {
        return std::nullopt;
    }
    const auto count = std::count(named->begin(), named->end(), true);
    const bool none = missing.size() == static_cast<std::size_t>(count);
    const std::string cpus = (missing.size() == 1 ? "CPU " : "CPUs ") + number_list(missing);
    return Unmet{none ? Level::recommended : Level::info,
                 own ? "the process may not use " + cpus + " (allowed: " + number_list(*here) + ")"
                     : cpus + (missing.size() == 1 ? " is" : " are") +
                           " not online here (online: " + number_list(*here) + ")",
                 "unset " + std::string(variable.name), false, none};
}

struct Referred {
    const Variable& variable;
    const std::string& text;
    const Context& context;
    const JudgedFor& purpose;
};

// A kind of reference, by the catalogue's word.
struct ReferenceKind {
    std::string_view word;
    Reference (*unmet)(const Referred& it);
};

Reference path_of(const Referred& it) {
    return path_unmet(it.variable, it.text, it.context, it.purpose);
}

Reference cache_of(const Referred& it) {
    return cache_unmet(it.variable, it.text, it.context, it.purpose);
}

constexpr ReferenceKind reference_kinds[] = {
    {"rdma-devices",
     [](const Referred& it) { return rdma_devices_unmet(it.variable, it.text, it.context); }},
    {"interfaces",
     [](const Referred& it) { return interfaces_unmet(it.variable, it.text, it.context, false); }},
    {"interfaces-exact",
     [](const Referred& it) { return interfaces_unmet(it.variable, it.text, it.context, true); }},
    {"ucx-devices",
     [](const Referred& it) { return ucx_devices_unmet(it.variable, it.text, it.context); }},
    {"gfx", [](const Referred& it) { return gfx_unmet(it.variable, it.text, it.context); }},
    {"libraries", [](const Referred& it) { return libraries_unmet(it.text, it.context); }},
    {"cpus", [](const Referred& it) { return cpus_unmet(it.variable, it.text, it.context); }},
    {"results-file",
     [](const Referred& it) { return results_unmet(it.variable, it.text, it.context); }},
    {"file", path_of},
    {"folder", path_of},
    {"made-folder", cache_of},
    {"local-folder", cache_of},
};

}  // namespace

std::optional<Unmet> unmet_reference(const Variable& variable, const std::string& text,
                                     const Context& context, const JudgedFor& purpose) {
    const std::string_view kind = variable.refers_to;
    if (kind.empty() || text.empty()) {
        return std::nullopt;
    }
    const auto row = std::find_if(std::begin(reference_kinds), std::end(reference_kinds),
                                  [&](const ReferenceKind& each) { return each.word == kind; });
    Reference out = row == std::end(reference_kinds)
                        ? std::nullopt
                        : row->unmet({variable, text, context, purpose});
    const bool elsewhere = context.process.environment_of == EnvironmentOf::file;
    if (out && elsewhere && context.fs().is_real()) {
        out->says += "; this was checked on this machine, so check again in the job";
    }
    return out;
}

}  // namespace rocenv
