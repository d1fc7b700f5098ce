# SPDX-License-Identifier: MIT
# Every test that ctest knows. The label of a test is the tier that runs it: "default" (scripts/test) or "all" (scripts/test --all
# alone). A test runs in the source folder, gets the programs of its tree by variables, and prints lines "ok NAME", "not ok NAME"
# and "skip NAME: WHY", which tests/totals counts. tests/README.md says what each test proves.

set(tested_tree
    "ROCENV=$<TARGET_FILE:rocenv>"
    "MACHINES=${PROJECT_SOURCE_DIR}/build/machines"
    "FAKE_RSMI=${CMAKE_CURRENT_BINARY_DIR}/fake_rsmi"
    "AMDGPUFS=${CMAKE_CURRENT_BINARY_DIR}/amdgpufs"
    "HANGFS=${CMAKE_CURRENT_BINARY_DIR}/hangfs"
    "KILL_AT=${CMAKE_CURRENT_BINARY_DIR}/kill_at"
    "MAKE_PAGE=${CMAKE_CURRENT_BINARY_DIR}/make_page"
)

# rocenv_test(NAME TIER COMMAND... [MEMORY] [ALONE | WIDE] [LOCK NAME] [COST SECONDS])
# MEMORY: the scratch folder lies in memory where there is room. ALONE: no other test runs meanwhile. WIDE: it occupies two
# processors, as a test that builds does. LOCK: tests with the same lock run one after the other. COST: starts long tests early.
function(rocenv_test name tier)
    cmake_parse_arguments(PARSE_ARGV 2 arg "MEMORY;ALONE;WIDE" "LOCK;COST" "")
    set(memory)
    if(arg_MEMORY)
        set(memory --in-memory)
    endif()
    add_test(NAME ${name} COMMAND tests/supervise ${memory} ${arg_UNPARSED_ARGUMENTS} WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
    set_tests_properties(
        ${name} PROPERTIES LABELS ${tier}
                           ENVIRONMENT "${tested_tree}"
                           FAIL_REGULAR_EXPRESSION "(^|\n)not ok "
                           FIXTURES_REQUIRED machines
    )
    if(arg_ALONE)
        set_tests_properties(${name} PROPERTIES RUN_SERIAL ON)
    endif()
    if(arg_WIDE)
        set_tests_properties(${name} PROPERTIES PROCESSORS 2)
    endif()
    if(arg_LOCK)
        set_tests_properties(${name} PROPERTIES RESOURCE_LOCK ${arg_LOCK})
    endif()
    if(arg_COST)
        set_tests_properties(${name} PROPERTIES COST ${arg_COST})
    endif()
endfunction()

# The fixture machines, which the other tests need.
add_test(NAME machines COMMAND tests/supervise tests/machines/make build/machines WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
set_tests_properties(machines PROPERTIES LABELS default FIXTURES_SETUP machines)

# "unit: FOLDER/FILE" for each file of unit tests, and "unit, long: FOLDER/FILE" for its cases tagged [long].
foreach(file IN LISTS rocenv_tests)
    if(NOT file MATCHES "/tests/(.*)_test\\.cpp$")
        continue()
    endif()
    set(name ${CMAKE_MATCH_1})
    get_filename_component(tag ${file} NAME_WE)
    file(READ ${file} text)
    string(REGEX MATCHALL "TEST_CASE\\(" cases "${text}")
    string(REGEX MATCHALL "\\[long\\]" long "${text}")
    list(LENGTH cases cases)
    list(LENGTH long long)
    if(cases GREATER long)
        rocenv_test("unit: ${name}" default tests/unit_cases $<TARGET_FILE:rocenv_unit> "[#${tag}]~[long]")
    endif()
    if(long GREATER 0)
        rocenv_test("unit, long: ${name}" all tests/unit_cases $<TARGET_FILE:rocenv_unit> "[#${tag}][long]" COST 500)
    endif()
endforeach()

file(GLOB transcripts CONFIGURE_DEPENDS RELATIVE ${CMAKE_CURRENT_SOURCE_DIR} cli/*.t)
foreach(transcript IN LISTS transcripts)
    get_filename_component(name ${transcript} NAME_WE)
    rocenv_test("transcript: ${name}" default tests/cli/run tests/${transcript} MEMORY COST 10)
endforeach()

rocenv_test(completion default tests/cli/test_completion)
rocenv_test(container default tests/cli/test_container)
rocenv_test(cost default tests/bench/test_cost)
rocenv_test(exit_codes default tests/cli/test_exit_codes MEMORY)
rocenv_test(faults default tests/faults/test_faults --sample MEMORY COST 60)
rocenv_test(formats default tests/launch/test_formats)
rocenv_test(given default tests/cli/test_given MEMORY COST 30)
rocenv_test(golden default tests/golden/test_golden)
rocenv_test(growth default tests/fleet/test_growth MEMORY)
rocenv_test(guard default tests/bench/test_guard MEMORY COST 60)
rocenv_test(journal default tests/cli/test_journal MEMORY COST 30)
rocenv_test(kernel_boot default tests/lab/test_kernel_boot LOCK lab COST 80)
rocenv_test(kill default tests/kill/test_kill --sample MEMORY COST 60)
rocenv_test(liveness default tests/cli/test_liveness MEMORY COST 60)
rocenv_test(manual default tests/manual/test_manual COST 20)
rocenv_test(readme default tests/cli/run --readme README.md src/manual/guide.md src/manual/manual.md MEMORY COST 30)
rocenv_test(rights default tests/cli/test_rights MEMORY)
rocenv_test(rules default scripts/check --quick COST 40)
rocenv_test(run default tests/launch/test_run MEMORY COST 60)
rocenv_test(schema default tests/report/test_schema.sh MEMORY COST 60)
rocenv_test(signals default tests/cli/test_signals MEMORY COST 20)
rocenv_test(site default tests/cli/test_site)
rocenv_test(this_machine default tests/cli/test_this_machine)
rocenv_test(tools default tests/test_tools)
rocenv_test(versions default tests/cli/test_versions MEMORY COST 20)

rocenv_test(captures all tests/captures/test_captures MEMORY)
rocenv_test(carriers all tests/integration/test_carriers)
rocenv_test(descriptors all tests/cli/test_descriptors MEMORY)
rocenv_test(driver all tests/driver/test_driver WIDE LOCK lab COST 400)
rocenv_test(eval all tests/launch/test_eval)
rocenv_test(faults_every all tests/faults/test_faults MEMORY COST 400)
rocenv_test(fleet all tests/fleet/test_fleet 2000 MEMORY COST 60)
rocenv_test(fleet_sizes all tests/fleet/test_fleet 10000 100000 ALONE)
rocenv_test(fuzz all scripts/fuzz WIDE COST 450)
rocenv_test(growth_every all tests/fleet/test_growth --every MEMORY COST 60)
rocenv_test(hang all tests/fuse/test_hang.sh ALONE)
rocenv_test(hwloc all tests/topology/test_hwloc)
rocenv_test(integrations all tests/integration/test_integrations COST 60)
rocenv_test(integrations_containers all tests/integration/test_containers)
rocenv_test(journal_long all tests/cli/test_journal --long MEMORY COST 60)
rocenv_test(junit all tests/report/test_junit)
rocenv_test(kernel all tests/lab/test_kernel ALONE LOCK lab)
rocenv_test(kernel_boots all tests/lab/test_kernel_boots ALONE LOCK lab)
rocenv_test(kill_every all tests/kill/test_kill MEMORY COST 600)
rocenv_test(limits all tests/limits/test_limits ALONE)
rocenv_test(llc all tests/occupancy/test_llc)
rocenv_test(old_binaries all tests/integration/test_old_binaries WIDE MEMORY COST 400)
rocenv_test(packages all tests/integration/test_packages WIDE COST 700)
rocenv_test(page all tests/fleet/test_page ALONE)
rocenv_test(pictures all scripts/pictures --check MEMORY)
rocenv_test(printable all tests/cli/test_printable MEMORY COST 60)
rocenv_test(prometheus all tests/integration/test_prometheus)
rocenv_test(python_int all tests/variables/test_python_int)
rocenv_test(readers all tests/readers/test_readers COST 600)
rocenv_test(recipes all tests/profile/test_recipes)
rocenv_test(record all tests/check/test_record MEMORY)
rocenv_test(rsmi all tests/smi/test_rsmi)
rocenv_test(sanitizers all tests/test_sanitizers WIDE COST 800)
rocenv_test(seeds_table all tests/profile/test_seeds_table)
rocenv_test(signals_every all tests/cli/test_signals --long MEMORY COST 100)
rocenv_test(slurm all tests/integration/test_slurm COST 500)
rocenv_test(slurm_job_scripts all tests/integration/test_slurm_job_scripts MEMORY COST 30)
rocenv_test(slurm_scripts all tests/integration/test_slurm_scripts MEMORY COST 30)
rocenv_test(speed all tests/topology/test_speed ALONE)
rocenv_test(steps all tests/steps/test_steps MEMORY COST 60)
rocenv_test(svg all tests/topology/test_svg)
rocenv_test(tidy all scripts/check --tidy WIDE COST 600)
rocenv_test(way_back all tests/report/test_way_back.sh MEMORY COST 60)
