// SPDX-License-Identifier: MIT
// A journal chooses nothing. Whoever can change the file must not gain a write by it, so each of
// its records is held against what its setting declared for good (rocenv/written_place.h): every
// place, every byte. Nothing of the machine is asked, so no device that is gone or came since
// changes the answer.
#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "rocenv/change.h"
#include "rocenv/setting.h"
#include "settings/registry.h"
#include "transaction/journal/journal.h"

namespace rocenv {

// Why this is no change that the setting, of today or retired, may have recorded: an error of kind
// bad_input that is fit to be printed. Nothing: it may have. An id that nobody knows is refused.
std::optional<Error> refused_record(std::string_view id, const Change& back,
                                    std::span<const Retired> retired = retired_settings());

// The same; the record's places must be those of its target, too.
std::optional<Error> refused_record(const Key& key, const Change& back,
                                    std::span<const Retired> retired = retired_settings());

// As found, with an error in place of a change that refused_record() would refuse: what could not
// be put back is never written.
Baseline recordable(std::string_view id, Baseline found);

}  // namespace rocenv
