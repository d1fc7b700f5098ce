# SPDX-License-Identifier: MIT
# Sets rocenv_catalogue_source: profiles/variables/*.toml as one C++ file, written again when one of them changes.

file(GLOB rocenv_catalogue CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/profiles/variables/*.toml)
add_executable(make_catalogue ${PROJECT_SOURCE_DIR}/scripts/cmake/make_catalogue.cpp
                              ${PROJECT_SOURCE_DIR}/scripts/cmake/catalogue_files.cpp)
target_link_libraries(make_catalogue PRIVATE rocenv_toml)
set(rocenv_catalogue_source ${PROJECT_BINARY_DIR}/catalogue_bytes.cpp)
add_custom_command(
    OUTPUT ${rocenv_catalogue_source}
    COMMAND make_catalogue ${rocenv_catalogue_source} ${rocenv_catalogue}
    DEPENDS ${rocenv_catalogue} make_catalogue
    COMMENT "Compiling the catalogue"
    VERBATIM
)
