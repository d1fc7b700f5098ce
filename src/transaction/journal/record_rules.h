// SPDX-License-Identifier: MIT
// Checks of journal records. A user that can change the file must not gain a write by it. So each
// record is compared with the paths and bytes that its setting declared permanently
// (rocenv/written_place.h). The checks read nothing from the machine, so added or removed devices
// change no result.
#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "rocenv/change.h"
#include "rocenv/setting.h"
#include "settings/registry.h"
#include "transaction/journal/journal.h"

namespace rocenv {

// Returns an error of kind `bad_input` with printable text if the setting, present or retired,
// never records such a change; std::nullopt if it may. Unknown ids, and changes without a write or
// without a state, are rejected.
std::optional<Error> refused_record(std::string_view id, const Change& back,
                                    std::span<const Retired> retired = retired_settings());

// Returns the same; the paths of the record must also belong to its target.
std::optional<Error> refused_record(const Key& key, const Change& back,
                                    std::span<const Retired> retired = retired_settings());

// Returns `found`, with a `garbled` error instead of a change that refused_record() would reject: a
// value that cannot be restored is never written.
Baseline recordable(std::string_view id, Baseline found);

}  // namespace rocenv
