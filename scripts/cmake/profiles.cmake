# SPDX-License-Identifier: MIT
# Sets rocenv_profiles_source: profiles/*.toml as one C++ file, written anew when a profile changes.

file(GLOB rocenv_profiles CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/profiles/*.toml)
set(rocenv_profiles_source ${PROJECT_BINARY_DIR}/builtin_profiles.cpp)
add_custom_command(
    OUTPUT ${rocenv_profiles_source}
    COMMAND ${CMAKE_COMMAND} "-DPROFILES=${rocenv_profiles}" -DOUTPUT=${rocenv_profiles_source} -P
            ${PROJECT_SOURCE_DIR}/scripts/cmake/embed_profiles.cmake
    DEPENDS ${rocenv_profiles} ${PROJECT_SOURCE_DIR}/scripts/cmake/embed_profiles.cmake
    COMMENT "Embedding profiles"
    VERBATIM
)
