# SPDX-License-Identifier: MIT
# rocenv_facts: profiles/facts/*.toml as rows of constexpr tables, generated/facts/TABLE.inc, written again when a file changes. A
# fault in a file ends the build.

set(rocenv_fact_tables
    amdsmi_sonames blacklisted blacklists boot_value_words boot_words clock_services driver_parameters driver_releases driver_table_date file_words gfx_targets gpu_architectures
    gpu_ids gpu_models kernel_modules naming_parameters needed_firmware nic_ids nic_modules other_cards package_ports port_counters
    python_packages rdma_drivers rival_services rocm_libraries rocm_releases rsmi_sonames tuned_performance tuning_parameters unlisted_releases
    unsupported_families
)
file(GLOB rocenv_fact_files CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/profiles/facts/*.toml)
add_executable(make_facts ${PROJECT_SOURCE_DIR}/scripts/cmake/make_facts.cpp ${PROJECT_SOURCE_DIR}/scripts/cmake/fact_tables.cpp)
target_link_libraries(make_facts PRIVATE rocenv_toml)

set(rocenv_generated ${PROJECT_BINARY_DIR}/generated)
list(TRANSFORM rocenv_fact_tables PREPEND ${rocenv_generated}/facts/ OUTPUT_VARIABLE rocenv_fact_rows)
list(TRANSFORM rocenv_fact_rows APPEND .inc)
list(JOIN rocenv_fact_tables "," rocenv_fact_names)
add_custom_command(
    OUTPUT ${rocenv_fact_rows}
    COMMAND make_facts ${rocenv_generated}/facts ${rocenv_fact_names} ${rocenv_fact_files}
    DEPENDS ${rocenv_fact_files} make_facts
    COMMENT "Reading the tables of facts"
    VERBATIM
)
add_custom_target(rocenv_facts DEPENDS ${rocenv_fact_rows})
