# SPDX-License-Identifier: MIT
# Splits rocenv_sources of a release into three libraries: rocenv_hot is compiled for speed, the others for size. Sets
# rocenv_libraries in the order of the link: the kernel maps sixteen pages around each one that is touched, so what check
# needs stands together; and a linker takes the first copy of an inline function that it meets, so rocenv_hot stands first.

# Sources in which check, run and machines in memory spend their time (counted by tests/bench/test_guard). With all of machine the
# program is 76 KB larger and no faster.
set(rocenv_hot_sources ${rocenv_sources})
list(FILTER rocenv_hot_sources INCLUDE REGEX
     "/src/(util/|json/(cursor|in)[.]|report/model/read[.]|machine/([^/]+$|pci/|gpu/|rdma/rdma[.]|host/cpus[.])|os/fs/(posix|memory)_fs|os/child/(shared_log|cached_fs)|profile/(profile_image|resolve)[.])"
)
list(FILTER rocenv_hot_sources EXCLUDE REGEX "/machine/(gpu/driver|identity|pci/slots)[.]cpp$")
list(REMOVE_ITEM rocenv_sources ${rocenv_hot_sources})

# Reading reports is what fleet does with 100,000 nodes.
set(rocenv_hot_fleet)
foreach(name report_reader report_stream pools)
    list(APPEND rocenv_hot_fleet src/fleet/read/${name}.cpp)
endforeach()
set_source_files_properties(${rocenv_hot_fleet} PROPERTIES COMPILE_OPTIONS "${ROCENV_HOT_OPTIONS}" SKIP_PRECOMPILE_HEADERS ON)

set(rocenv_rest_sources ${rocenv_sources})
list(FILTER rocenv_rest_sources INCLUDE REGEX "/src/(commands|fleet|help|launch|os/emulation|os/state|transaction|vendor)/")
list(APPEND rocenv_rest_sources ${rocenv_fleet_page_source} ${rocenv_manual_source})
list(REMOVE_ITEM rocenv_sources ${rocenv_rest_sources})

add_library(rocenv_hot OBJECT ${rocenv_hot_sources})
add_library(rocenv_rest OBJECT ${rocenv_rest_sources})
# Options of a target precede those of its libraries, and the last one holds.
add_library(rocenv_hot_options INTERFACE)
target_compile_options(rocenv_hot_options INTERFACE ${ROCENV_HOT_OPTIONS})
set(rocenv_libraries rocenv_hot rocenv_lib rocenv_rest)

# Links the functions that usual commands run next to each other: a check touches 35 pages less and needs 1.0 MiB less memory.
# gold and mold know no INSERT.
function(rocenv_order_functions target)
    include(CheckCXXSourceCompiles)
    set(script ${PROJECT_SOURCE_DIR}/scripts/cmake/first_functions.ld)
    set(CMAKE_REQUIRED_LINK_OPTIONS -Wl,-T,${script})
    check_cxx_source_compiles("int main() { return 0; }" ROCENV_LINKER_ORDERS_FUNCTIONS)
    if(ROCENV_LINKER_ORDERS_FUNCTIONS)
        target_link_options(${target} PRIVATE -Wl,-T,${script})
        set_property(TARGET ${target} APPEND PROPERTY LINK_DEPENDS ${script})
    endif()
endfunction()
