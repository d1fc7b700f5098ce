// SPDX-License-Identifier: MIT
#include "machine/rdma/rdma_gids.h"

#include <algorithm>
#include <cerrno>

#include "os/redact/redact_words.h"
#include "util/place_pattern.h"
#include "util/text.h"

namespace rocenv {

Result<std::vector<std::uint64_t>> gid_indices(const Fs& fs, const RdmaPort& port) {
    const auto names = fs.list(port.folder + "/gids");
    if (!names) {
        return names.error();
    }
    std::vector<std::uint64_t> out;
    for (const auto& name : *names) {
        const auto index = parse_number(name);
        if (!index) {
            return garbled(port.folder + "/gids", "holds " + quoted_value(name));
        }
        out.push_back(*index);
    }
    if (out.empty()) {
        return garbled(port.folder + "/gids", "holds no GID");
    }
    std::sort(out.begin(), out.end());
    out.resize(std::min<std::size_t>(out.size(), most_gids));
    return out;
}

Result<std::string> gid_at(const Fs& fs, const RdmaPort& port, std::uint64_t index) {
    constexpr std::size_t gid_size = 39;  // eight groups of four digits
    const std::string path = port.folder + "/gids/" + number(index);
    const auto text = fs.read(path);
    if (!text) {
        return text.error();
    }
    const auto gid = trim(*text);
    const bool sensible = gid.size() == gid_size &&
                          gid.find_first_not_of("0123456789abcdef:") == std::string_view::npos;
    if (!sensible) {
        return garbled(path, "is not a valid GID");
    }
    return gid.find_first_not_of("0:") == std::string_view::npos ? std::string() : std::string(gid);
}

Result<std::string> gid_type_at(const Fs& fs, const RdmaPort& port, std::uint64_t index) {
    const std::string path = port.folder + "/gid_attrs/types/" + number(index);
    const auto text = fs.read(path);
    if (!text) {
        return text.error();
    }
    const auto type = trim(*text);
    return type == "IB/RoCE v1" || type == "RoCE v2"
               ? Result(std::string(type))
               : garbled(path, "is not a valid GID type: " + quoted_value(type));
}

// Whether the index has no GID; an error on old kernels says the same.
static bool is_unused(const Result<std::string>& gid) {
    return gid ? gid->empty() : gid.error().err == EINVAL;
}

Result<std::set<std::string>> gid_types(const Fs& fs, const RdmaPort& port) {
    const auto indices = gid_indices(fs, port);
    if (!indices) {
        return indices.error();
    }
    std::set<std::string> out;
    for (const auto index : *indices) {
        const auto gid = gid_at(fs, port, index);
        if (is_unused(gid) || gid.is(ErrorKind::not_here)) {
            continue;
        }
        const auto type = gid ? gid_type_at(fs, port, index) : Result<std::string>(gid.error());
        if (!type) {
            return type.error();
        }
        out.insert(*type);
    }
    return out;
}

// An index that lacks one, or whose attributes are gone by now, names none.
Result<std::string> gid_netdev(const Fs& fs, const RdmaPort& port, std::uint64_t index) {
    const std::string path = port.folder + "/gid_attrs/ndevs/" + number(index);
    const auto text = fs.read(path);
    if (!text) {
        const bool none = text.is(ErrorKind::not_here) || text.error().err == EINVAL;
        return none ? Result(std::string()) : text.error();
    }
    const auto name = trim(*text);
    return is_interface_name(name)
               ? Result(std::string(name))
               : garbled(path, "is not a valid interface: " + quoted_value(name));
}

Result<std::set<std::string>> gid_netdevs(const Fs& fs, const RdmaPort& port) {
    const auto indices = gid_indices(fs, port);
    if (!indices) {
        return indices.is(ErrorKind::not_here) ? Result(std::set<std::string>()) : indices.error();
    }
    std::set<std::string> out;
    for (const auto index : *indices) {
        const auto gid = gid_at(fs, port, index);
        if (is_unused(gid)) {
            continue;
        }
        const auto name = gid ? gid_netdev(fs, port, index) : Result<std::string>(gid.error());
        if (!name) {
            return name.error();
        }
        out.insert(*name);
    }
    out.erase("");
    return out;
}

}  // namespace rocenv
