// SPDX-License-Identifier: MIT
// The machine that a command which may write acts on: this one, through its files or through
// rocm_smi_lib, a folder that stands for one, or a recording in memory.
#pragma once

#include <memory>

#include "cli/option_groups.h"
#include "os/child/given_files.h"
#include "os/child/helper_fs.h"
#include "os/fs/sysroot_fs.h"
#include "os/fs/tree_file.h"
#include "transaction/journal_session.h"

namespace rocenv {

struct Opened {
    std::unique_ptr<MemoryFs> tree;
    std::unique_ptr<HelperFs> helper;
    std::unique_ptr<Fs> host;   // where the machine is not the real one
    std::unique_ptr<Fs> given;  // over it, or over the machine

    WritableFs& machine() const {
        return tree ? static_cast<WritableFs&>(*tree) : static_cast<WritableFs&>(*helper);
    }
    // The caller's own files.
    const Fs& files() const { return *given; }
};

// Whether --sysroot names a recording, which can only be rehearsed on.
bool is_tree(const MachineOptions& options);

// Error: bad_input for a folder or file that is none; of the helper otherwise.
Result<Opened> open_for_writing(const MachineOptions& options, GpuBackend backend,
                                const GivenFiles& given);

// A journal nobody keeps: of a rehearsal on a recording.
std::unique_ptr<JournalStore> no_store();

}  // namespace rocenv
