# SPDX-License-Identifier: MIT
# rocenv_schemas: the JSON Schemas in build/TREE/schemas, written from the descriptions that write and read the JSON.

add_executable(make_schemas ${PROJECT_SOURCE_DIR}/scripts/cmake/make_schemas.cpp)
target_link_libraries(make_schemas PRIVATE ${rocenv_libraries} rocenv_builtin rocenv_warnings)
set(rocenv_schema_folder ${PROJECT_BINARY_DIR}/schemas)
file(MAKE_DIRECTORY ${rocenv_schema_folder})
add_custom_command(
    OUTPUT ${rocenv_schema_folder}/report.schema.json
    COMMAND make_schemas ${rocenv_schema_folder}
    DEPENDS make_schemas
    COMMENT "Writing the JSON Schemas"
    VERBATIM
)
add_custom_target(rocenv_schemas ALL DEPENDS ${rocenv_schema_folder}/report.schema.json)
