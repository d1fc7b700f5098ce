# SPDX-License-Identifier: MIT
# For -DCMAKE_PROJECT_INCLUDE of the tree of an older program: compiles the headers that most of its sources include once.
function(precompile_headers)
    target_precompile_headers(
        rocenv_lib PRIVATE <algorithm> <array> <cstdint> <functional> <map> <memory> <optional> <set> <string> <string_view>
                           <utility> <variant> <vector>
    )
endfunction()
cmake_language(DEFER CALL precompile_headers)
