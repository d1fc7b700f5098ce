// SPDX-License-Identifier: MIT
#include "machine/rdma/network_namespace.h"

namespace rocenv {

namespace {

constexpr const char* own_network = "/proc/self/ns/net";
constexpr const char* first_network = "/proc/1/ns/net";
constexpr const char* own_pids = "/proc/self/ns/pid";
constexpr const char* initial_pids = "pid:[4026531836]";  // linux include/linux/proc_ns.h

}  // namespace

std::optional<Error> not_the_nodes_network(const Fs& fs) {
    const auto own = fs.link(own_network);
    if (own.is(ErrorKind::not_here) && !fs.is_real()) {
        return std::nullopt;
    }
    const auto first = fs.link(first_network);
    const auto pids = fs.link(own_pids);
    for (const auto* link : {&own, &pids, &first}) {
        if (!*link) {
            return link->error();
        }
    }
    if (*pids != initial_pids) {
        return Error{
            ErrorKind::io, 0, first_network,
            "process 1 is not that of the node, so the owner of this network namespace is unknown"};
    }
    if (*own != *first) {
        return Error{ErrorKind::hidden, 0, own_network,
                     "this network namespace is not that of the node"};
    }
    return std::nullopt;
}

bool is_another_network(const Fs& fs) {
    const auto pids = fs.link(own_pids);
    const auto why = not_the_nodes_network(fs);
    return why && (why->kind == ErrorKind::hidden || (pids && *pids != initial_pids));
}

}  // namespace rocenv
