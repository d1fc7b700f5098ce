// SPDX-License-Identifier: MIT
// The members of std::string, compiled for speed. Files that are compiled for size contain slow
// copies; a linker uses the first of several, so this file comes first in the link. A check spent
// an eighth of its instructions in the slow ones (tests/bench, GCC 12, 2026-11).
#include <string>

template class std::basic_string<char>;
