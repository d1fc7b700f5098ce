// SPDX-License-Identifier: MIT
// Which files a recording may keep something of, and what. A file that no rule names is recorded
// with "redacted" in its place.
#pragma once

#include <string_view>

namespace rocenv {

enum class Keep {
    nothing,
    kernel_words,      // all of it where its parts are numbers or words that kernels write
    keyed_numbers,     // lines "key number"
    name,              // one name that the kernel, a driver or the site gave a device
    modalias,          // the ids of a PCI function
    text,              // a maker's short text, without host name, addresses and credentials
    version,           // the same; four numbers with dots are a version
    command_line,      // what redact_command_line() says
    kfd_properties,    // keyed numbers; ids of GPUs and hives numbered
    identity,          // hexadecimal, numbered
    hive,              // the same for hives
    gid,               // its kind, numbered
    boot_id,           // zeros
    cpu_names,         // the first CPU's maker, model and flags
    total_memory,      // memory there is
    interrupt_counts,  // rows about machine checks
    swap_areas,        // kinds and sizes
    distribution,      // known keys of os-release(5)
    kernel_options,    // lines CONFIG_NAME=y, m or n
    symbols,           // the one that rdma.gpu_direct looks for
    release,           // one word that starts with a digit
    python_versions,   // the versions that a Python package assigns
    process,           // redact_services() has chosen it
};

Keep keep_of(std::string_view path);

}  // namespace rocenv
