# SPDX-License-Identifier: MIT
# Uses installed packages first; missing ones are downloaded and compared with the hash given here. Each dependency ends as an
# interface target rocenv_NAME whose headers are system headers.

if(NOT ROCENV_DEPS MATCHES "^(AUTO|SYSTEM|FETCH)$")
    message(FATAL_ERROR "ROCENV_DEPS is ${ROCENV_DEPS}; it must be AUTO, SYSTEM or FETCH")
endif()

# rocenv_dependency(NAME PACKAGE TARGET DEBIAN URL SHA256 [HEADER_ONLY] [ON_REQUEST]): HEADER_ONLY uses the include folder of TARGET
# without its libraries and definitions. ON_REQUEST downloads only with ROCENV_DEPS=FETCH.
function(rocenv_dependency name package target debian url sha256)
    set(origin "")
    if(NOT ROCENV_DEPS STREQUAL FETCH)
        find_package(${package} CONFIG QUIET)
        if(${package}_FOUND)
            set(origin "installed, ${${package}_VERSION} in ${${package}_DIR}")
        endif()
    endif()
    if(NOT origin AND ROCENV_DEPS STREQUAL SYSTEM)
        message(FATAL_ERROR "${package} is not installed: install ${debian}, or leave out -DROCENV_DEPS=SYSTEM")
    endif()
    if(NOT origin AND "ON_REQUEST" IN_LIST ARGN AND NOT ROCENV_DEPS STREQUAL FETCH)
        message(FATAL_ERROR "${package} is not installed: install ${debian}, or leave out -DROCENV_TESTS=ON")
    endif()
    if(NOT origin)
        message(STATUS "${package} is not installed (Debian: ${debian}): downloading ${url}")
        include(FetchContent)
        string(TOLOWER ${package} lower)
        FetchContent_Declare(${lower} URL ${url} URL_HASH SHA256=${sha256})
        FetchContent_MakeAvailable(${lower})
        set(origin "downloaded, ${url}")
    endif()

    add_library(rocenv_${name} INTERFACE)
    target_include_directories(
        rocenv_${name} SYSTEM INTERFACE $<TARGET_PROPERTY:${target},INTERFACE_INCLUDE_DIRECTORIES>
    )
    if(NOT "HEADER_ONLY" IN_LIST ARGN)
        target_link_libraries(rocenv_${name} INTERFACE ${target})
    endif()
    set_property(GLOBAL APPEND PROPERTY rocenv_origins "${package}: ${origin}")
endfunction()

function(rocenv_print_dependencies)
    get_property(origins GLOBAL PROPERTY rocenv_origins)
    message(STATUS "Dependencies")
    foreach(origin IN LISTS origins)
        message(STATUS "  ${origin}")
    endforeach()
endfunction()

rocenv_dependency(
    cli11 CLI11 CLI11::CLI11 libcli11-dev
    https://github.com/CLIUtils/CLI11/archive/refs/tags/v2.4.2.tar.gz
    f2d893a65c3b1324c50d4e682c0cdc021dd0477ae2c048544f39eed6654b699a
    HEADER_ONLY
)

# Debian's target for toml++ switches to a shared library; rocenv uses only its headers.
rocenv_dependency(
    toml tomlplusplus tomlplusplus::tomlplusplus libtomlplusplus-dev
    https://github.com/marzer/tomlplusplus/archive/refs/tags/v3.4.0.tar.gz
    8517f65938a4faae9ccf8ebb36631a38c1cadfb5efa85d9a72e15b9e97d25155
    HEADER_ONLY
)

# hwloc is loaded at run time (src/vendor/hwloc_probe.cpp): rocenv uses its headers and never links its library. In a source archive
# one of them still has to be configured.
function(rocenv_hwloc_headers)
    set(url https://download.open-mpi.org/release/hwloc/v2.9/hwloc-2.9.0.tar.bz2)
    set(sha256 2070e963596a2421b9af8eca43bdec113ee1107aaf7ccb475d4d3767a8856887)
    set(origin "")
    if(NOT ROCENV_DEPS STREQUAL FETCH)
        find_package(PkgConfig QUIET)
        if(PKG_CONFIG_FOUND)
            pkg_check_modules(HWLOC QUIET hwloc>=2)
        endif()
        find_path(HWLOC_HEADERS hwloc.h HINTS ${HWLOC_INCLUDE_DIRS})
        if(HWLOC_HEADERS)
            set(folders ${HWLOC_HEADERS})
            set(origin "headers installed, ${HWLOC_VERSION} in ${HWLOC_HEADERS}")
        endif()
    endif()
    if(NOT origin AND ROCENV_DEPS STREQUAL SYSTEM)
        message(FATAL_ERROR "hwloc.h is not installed: install libhwloc-dev, or leave out -DROCENV_DEPS=SYSTEM")
    endif()
    if(NOT origin)
        message(STATUS "hwloc.h is not installed (Debian: libhwloc-dev): downloading ${url}")
        include(FetchContent)
        FetchContent_Declare(hwloc URL ${url} URL_HASH SHA256=${sha256})
        FetchContent_MakeAvailable(hwloc)
        file(READ ${hwloc_SOURCE_DIR}/include/hwloc/autogen/config.h.in text)
        foreach(known "HWLOC_HAVE_STDINT_H 1" "HWLOC_LINUX_SYS 1" "HWLOC_SYM_TRANSFORM 0" "HWLOC_SYM_PREFIX hwloc_"
                      "HWLOC_SYM_PREFIX_CAPS HWLOC_" "hwloc_pid_t pid_t" "hwloc_thread_t pthread_t"
        )
            string(REGEX REPLACE " .*" "" name "${known}")
            string(REGEX REPLACE "#( *)undef ${name}\n" "#\\1define ${known}\n" text "${text}")
        endforeach()
        file(WRITE ${PROJECT_BINARY_DIR}/hwloc/hwloc/autogen/config.h "${text}")
        set(folders ${hwloc_SOURCE_DIR}/include ${PROJECT_BINARY_DIR}/hwloc)
        set(origin "headers downloaded, ${url}")
    endif()

    add_library(rocenv_hwloc INTERFACE)
    target_include_directories(rocenv_hwloc SYSTEM INTERFACE ${folders})
    set_property(GLOBAL APPEND PROPERTY rocenv_origins "hwloc: ${origin}")
endfunction()
rocenv_hwloc_headers()

if(ROCENV_TESTS)
    rocenv_dependency(
        catch2 Catch2 Catch2::Catch2 catch2
        https://github.com/catchorg/Catch2/archive/refs/tags/v3.8.1.tar.gz
        18b3f70ac80fccc340d8c6ff0f339b2ae64944782f8d2fca2bd705cf47cadb79
        ON_REQUEST
    )
endif()
