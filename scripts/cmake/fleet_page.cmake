# SPDX-License-Identifier: MIT
# Sets rocenv_fleet_page_source: the page of `rocenv fleet --format html` as one C++ file, written again when fleet.html, fleet.css
# or fleet.js in src/fleet changes.

set(rocenv_fleet_page_source ${PROJECT_BINARY_DIR}/fleet_page.cpp)
add_custom_command(
    OUTPUT ${rocenv_fleet_page_source}
    COMMAND ${CMAKE_COMMAND} -D FOLDER=${PROJECT_SOURCE_DIR}/src/fleet -D OUTPUT=${rocenv_fleet_page_source} -P
            ${PROJECT_SOURCE_DIR}/scripts/cmake/make_fleet_page.cmake
    DEPENDS ${PROJECT_SOURCE_DIR}/src/fleet/fleet.html
            ${PROJECT_SOURCE_DIR}/src/fleet/fleet.css
            ${PROJECT_SOURCE_DIR}/src/fleet/fleet.js
            ${PROJECT_SOURCE_DIR}/scripts/cmake/make_fleet_page.cmake
    COMMENT "Embedding the page of fleet"
    VERBATIM
)
