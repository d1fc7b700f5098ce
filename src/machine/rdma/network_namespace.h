// SPDX-License-Identifier: MIT
// Whether this process sees the node's own network, or that of a container. In the initial pid
// namespace process 1 is the node's; elsewhere nothing tells (the number of the first network
// namespace is not fixed before Linux 6.18, include/uapi/linux/nsfs.h).
#pragma once

#include <optional>
#include <string>

#include "rocenv/fs.h"
#include "rocenv/result.h"

namespace rocenv {

// Nothing: it is the node's own, as it is of any machine that is files and tells no namespace. An
// error of kind hidden: it is another one. Other errors: it could not be found out.
std::optional<Error> not_the_nodes_network(const Fs& fs);

// Whether a process that sees none of the node's interfaces is outside the node's own network
// namespace: it is told to be, or process 1 is not the node's here. False where that could not be
// read.
bool is_another_network(const Fs& fs);

}  // namespace rocenv
