# SPDX-License-Identifier: MIT
# rocenv_builtin: profiles/*.toml in the program's form, made again when a profile or their reader changes. A shipped profile with a
# fault ends the build.

file(GLOB rocenv_profiles CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/profiles/*.toml)
add_executable(make_profiles ${PROJECT_SOURCE_DIR}/scripts/cmake/make_profiles.cpp)
target_link_libraries(make_profiles PRIVATE ${rocenv_libraries})
set(rocenv_profiles_source ${PROJECT_BINARY_DIR}/builtin_profiles.cpp)
add_custom_command(
    OUTPUT ${rocenv_profiles_source}
    COMMAND make_profiles ${rocenv_profiles_source} ${rocenv_profiles}
    DEPENDS ${rocenv_profiles} make_profiles
    COMMENT "Reading the shipped profiles"
    VERBATIM
)
add_library(rocenv_builtin OBJECT ${rocenv_profiles_source})
target_link_libraries(rocenv_builtin PUBLIC rocenv_lib)
