// SPDX-License-Identifier: MIT
// The only file that includes <hwloc.h>, for types and constants: ABI 15, hwloc 2.0 to 2.x.
#include "vendor/hwloc_probe.h"

#include <dlfcn.h>
#include <hwloc.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <vector>

#include "os/fs/input_files.h"
#include "os/fs/posix_fs.h"
#include "util/near_names.h"
#include "util/text.h"
#include "vendor/library_child.h"

namespace rocenv {

namespace {

const std::string hwloc_library_name = "hwloc";
const char* const hwloc_soname = "libhwloc.so.15";
constexpr std::size_t xml_mib = 4;
constexpr rlim_t most_memory = rlim_t{48} << 20;

Error hwloc_failure(ErrorKind kind, const std::string& text, int err = 0) {
    return library_error(hwloc_library_name, kind, text, err);
}

// Sets the environment of the child. Plug-ins are disabled, and of the built-in sources only Linux
// files or XML are used.
void prepare_environment(const char* components) {
    std::vector<std::string> theirs;
    for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry) {
        const std::string_view text(*entry);
        if (text.starts_with("HWLOC_")) {
            theirs.emplace_back(text.substr(0, text.find('=')));
        }
    }
    for (const auto& name : theirs) {
        ::unsetenv(name.c_str());
    }
    ::setenv("HWLOC_PLUGINS_PATH", "/dev/null", 1);
    ::setenv("HWLOC_COMPONENTS", components, 1);
    ::setenv("HWLOC_HIDE_ERRORS", "2", 1);
}

// Limits the memory: a text of a few MiB may make the library request any amount.
// AddressSanitizer's own memory counts as data, so no library could be loaded under the limit.
void limit_memory() {
#if !defined(__SANITIZE_ADDRESS__)
    const rlimit limit{most_memory, most_memory};
    ::setrlimit(RLIMIT_DATA, &limit);
#endif
}

class HwlocLibrary {
   public:
    std::optional<Error> load() {
        void* handle = ::dlopen(hwloc_soname, RTLD_NOW | RTLD_LOCAL);
        if (handle == nullptr) {
            const std::string why = ::dlerror();
            const bool absent =
                why.starts_with(std::string(hwloc_soname) + ": cannot open shared object");
            return absent ? hwloc_failure(ErrorKind::not_here,
                                          "(" + std::string(hwloc_soname) + ") is not installed")
                          : hwloc_failure(ErrorKind::io, "cannot be loaded: " + printable(why));
        }
        const auto find = [&](auto& function, const char* name) {
            function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(
                ::dlsym(handle, name));
            whole_ = whole_ && function != nullptr;
        };
        find(api_version_, "hwloc_get_api_version");
        find(init_, "hwloc_topology_init");
        find(set_flags_, "hwloc_topology_set_flags");
        find(set_caches_, "hwloc_topology_set_cache_types_filter");
        find(set_xml_, "hwloc_topology_set_xmlbuffer");
        find(load_, "hwloc_topology_load");
        find(depth_of_, "hwloc_get_type_depth");
        find(count_at_, "hwloc_get_nbobjs_by_depth");
        find(object_at_, "hwloc_get_obj_by_depth");
        find(next_, "hwloc_bitmap_next");
        constexpr unsigned major_shift = 16;
        constexpr unsigned major = 2;
        return whole_ && api_version_() >> major_shift == major
                   ? std::nullopt
                   : std::optional(
                         hwloc_failure(ErrorKind::io, "is of a kind this program does not know"));
    }

    Result<CpuTopology> read(const std::optional<std::string>& xml_file) {
        if (init_(&topology_) != 0 ||
            set_flags_(topology_, HWLOC_TOPOLOGY_FLAG_INCLUDE_DISALLOWED) != 0 ||
            set_caches_(topology_, HWLOC_TYPE_FILTER_KEEP_NONE) != 0) {
            return hwloc_failure(ErrorKind::io, "does not start");
        }
        const bool xml = xml_file.has_value();
        if (xml) {
            const auto text = read_in_pieces(*real_fs(), *xml_file, xml_mib);
            if (!text) {
                return Error{ErrorKind::bad_input, 0, *xml_file, text.error().text};
            }
            const int size = static_cast<int>(text->size()) + 1;  // includes the NUL
            if (set_xml_(topology_, text->c_str(), size) != 0 || load_(topology_) != 0) {
                return Error{ErrorKind::bad_input, 0, *xml_file,
                             in_quotes(*xml_file, 200) + " is not an XML file of hwloc"};
            }
        }
        if (!xml && load_(topology_) != 0) {
            return hwloc_failure(ErrorKind::io, "cannot read this machine: " + errno_text(errno));
        }
        return side();
    }

   private:
    CpuTopology side() const {
        CpuTopology side;
        const hwloc_obj_t root = object_at_(topology_, 0, 0);
        side.source = "hwloc " + info(root, "hwlocVersion").value_or("2");
        side.model = info(root, "CPUModel");
        side.cores = count(HWLOC_OBJ_CORE);
        side.threads = count(HWLOC_OBJ_PU);
        for (unsigned at = 0; at < count(HWLOC_OBJ_PACKAGE); ++at) {
            const hwloc_obj_t package = object(HWLOC_OBJ_PACKAGE, at);
            side.packages.push_back({index_of(package), numbers(package->cpuset), 0});
            side.model = side.model ? side.model : info(package, "CPUModel");
        }
        for (unsigned at = 0; at < side.cores; ++at) {
            count_core(object(HWLOC_OBJ_CORE, at), side);
        }
        for (unsigned at = 0; at < count(HWLOC_OBJ_NUMANODE); ++at) {
            const hwloc_obj_t node = object(HWLOC_OBJ_NUMANODE, at);
            side.numa.push_back(
                {index_of(node), numbers(node->cpuset), node->attr->numanode.local_memory, {}});
        }
        std::sort(side.packages.begin(), side.packages.end(),
                  [](const CpuPackage& a, const CpuPackage& b) { return a.id < b.id; });
        std::sort(side.numa.begin(), side.numa.end(),
                  [](const NumaNode& a, const NumaNode& b) { return a.node < b.node; });
        return side;
    }

    void count_core(hwloc_obj_t core, CpuTopology& side) const {
        const auto cpus = numbers(core->cpuset);
        for (auto& package : side.packages) {
            if (!cpus.empty() &&
                std::binary_search(package.cpus.begin(), package.cpus.end(), cpus[0])) {
                ++package.cores;
            }
        }
    }

    unsigned count(hwloc_obj_type_t type) const {
        const int depth = depth_of_(topology_, type);
        return depth == HWLOC_TYPE_DEPTH_UNKNOWN || depth == HWLOC_TYPE_DEPTH_MULTIPLE
                   ? 0
                   : count_at_(topology_, depth);
    }

    hwloc_obj_t object(hwloc_obj_type_t type, unsigned at) const {
        return object_at_(topology_, depth_of_(topology_, type), at);
    }

    std::vector<std::uint32_t> numbers(hwloc_const_bitmap_t bits) const {
        constexpr std::size_t most = 65536;
        std::vector<std::uint32_t> found;
        for (int at = next_(bits, -1); at >= 0 && found.size() < most; at = next_(bits, at)) {
            found.push_back(static_cast<std::uint32_t>(at));
        }
        return found;
    }

    static std::uint32_t index_of(hwloc_obj_t object) {
        return object->os_index == HWLOC_UNKNOWN_INDEX ? object->logical_index : object->os_index;
    }

    static std::optional<std::string> info(hwloc_obj_t object, std::string_view name) {
        for (unsigned at = 0; at < object->infos_count; ++at) {
            if (object->infos[at].name == name) {
                return printable(trim(object->infos[at].value), 80);
            }
        }
        return std::nullopt;
    }

    bool whole_ = true;
    hwloc_topology_t topology_ = nullptr;
    decltype(&hwloc_get_api_version) api_version_ = nullptr;
    decltype(&hwloc_topology_init) init_ = nullptr;
    decltype(&hwloc_topology_set_flags) set_flags_ = nullptr;
    decltype(&hwloc_topology_set_cache_types_filter) set_caches_ = nullptr;
    decltype(&hwloc_topology_set_xmlbuffer) set_xml_ = nullptr;
    decltype(&hwloc_topology_load) load_ = nullptr;
    decltype(&hwloc_get_type_depth) depth_of_ = nullptr;
    decltype(&hwloc_get_nbobjs_by_depth) count_at_ = nullptr;
    decltype(&hwloc_get_obj_by_depth) object_at_ = nullptr;
    decltype(&hwloc_bitmap_next) next_ = nullptr;
};

// Packs the topology field by field; counts precede repeated fields.
Fields packed(const CpuTopology& side) {
    Fields out{side.source, side.model.value_or(""), number(side.cores), number(side.threads),
               number(side.packages.size())};
    for (const auto& package : side.packages) {
        out.insert(out.end(),
                   {number(package.id), number_list(package.cpus), number(package.cores)});
    }
    for (const auto& node : side.numa) {
        out.insert(out.end(), {number(node.node), number_list(node.cpus),
                               number(node.memory_bytes.value_or(0))});
    }
    return out;
}

std::optional<CpuTopology> unpacked(const Fields& fields) {
    constexpr std::size_t fixed = 5;
    constexpr std::size_t each = 3;
    const auto count_at = [&](std::size_t at) {
        return at < fields.size() ? parse_number(fields[at]).value_or(0) : 0;
    };
    const auto list_at = [&](std::size_t at) {
        return parse_number_list(fields[at]).value_or(std::vector<std::uint32_t>());
    };
    const std::size_t packages = count_at(4);
    if (fields.size() < fixed + each * packages || (fields.size() - fixed) % each != 0) {
        return std::nullopt;
    }
    CpuTopology side;
    side.source = fields[0];
    side.model = fields[1].empty() ? std::nullopt : std::optional(fields[1]);
    side.cores = count_at(2);
    side.threads = count_at(3);
    for (std::size_t at = fixed; at < fields.size(); at += each) {
        const auto id = static_cast<std::uint32_t>(count_at(at));
        if (side.packages.size() < packages) {
            side.packages.push_back({id, list_at(at + 1), count_at(at + 2)});
        } else {
            side.numa.push_back({id, list_at(at + 1), count_at(at + 2), {}});
        }
    }
    side.join_nodes();
    return side;
}

// Runs in the child.
Result<Fields> answer(const std::optional<std::string>& xml_file) {
    prepare_environment(xml_file ? "xml,stop" : "linux,stop");
    limit_memory();
    HwlocLibrary library;
    if (auto missing = library.load()) {
        return *std::move(missing);
    }
    const auto side = library.read(xml_file);
    return side ? Result(packed(*side)) : side.error();
}

}  // namespace

Result<CpuTopology> hwloc_cpu_topology(const std::optional<std::string>& xml_file, double seconds) {
    const auto fields =
        ask_library(hwloc_library_name, seconds, {[&] { return answer(xml_file); }, {}});
    if (!fields) {
        return fields.error();
    }
    auto side = unpacked(*fields);
    return side ? Result(*std::move(side)) : hwloc_failure(ErrorKind::io, "gave no whole answer");
}

}  // namespace rocenv
