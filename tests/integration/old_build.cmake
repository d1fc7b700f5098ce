# SPDX-License-Identifier: MIT
# For -DCMAKE_PROJECT_INCLUDE of an older program's tree: its sources are compiled by folder, and headers once, of which it
# knew nothing; alone those that share a name with another, as settings of that time do.
include(${CMAKE_CURRENT_LIST_DIR}/../../scripts/cmake/unity.cmake)
set(ROCENV_UNITY ON)
set(alone "/src/(core/(set_run|topology.*)|environment/tunable_file|occupancy/(kernel_files|metadata)|settings/cpu_smt|"
          "sys/(memory_fs|smi_.*|tree_file|worker_fs)|(cli|render)/.*_.*|cli/(launch|options|program|transact))[.]cpp$"
)
list(JOIN alone "" alone)

function(compile_by_folder)
    rocenv_unity_by_folder(rocenv_lib)
    get_target_property(all rocenv_lib SOURCES)
    set(sources ${all})
    list(FILTER sources INCLUDE REGEX "${alone}")
    list(FILTER all INCLUDE REGEX "/src/settings/")
    foreach(source IN LISTS all)
        file(STRINGS ${source} shared REGEX " (grades|places)\\[\\]|> judge\\(" LIMIT_COUNT 1)
        if(shared)
            list(APPEND sources ${source})
        endif()
    endforeach()
    set_source_files_properties(${sources} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
    target_precompile_headers(
        rocenv_lib PRIVATE <algorithm> <array> <cstdint> <functional> <map> <memory> <optional> <set> <string> <string_view>
                           <utility> <variant> <vector>
    )
endfunction()
cmake_language(DEFER CALL compile_by_folder)
