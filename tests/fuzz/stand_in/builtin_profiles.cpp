// SPDX-License-Identifier: MIT
// No shipped profiles: they would have to be read by the program that is being built.
#include "profile/profile_image.h"

namespace rocenv {

const std::span<const BuiltinProfile> builtin_profiles{};

}  // namespace rocenv
