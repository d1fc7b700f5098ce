# SPDX-License-Identifier: MIT
# Every test that ctest knows. A test's label is the first tier that runs it (quick, whole, full; tests/README.md).
# Scripts run in the source folder, are told the tree under test by variables, and print "ok", "not ok" or "skip"
# lines, which tests/totals counts. A script that measures, or whose lab uses both processors, runs ALONE.

# "unit: NAME" for each Catch2 test case. The long runs of the contract suite look for lost values, not for lost
# memory: sanitizers leave them out, and what goes over every machine and profile they do in the full tier only.
include(Catch)
set(catch_options TEST_PREFIX "unit: " WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
set(catch_properties SKIP_REGULAR_EXPRESSION "skip case: " FIXTURES_REQUIRED machines)
function(rocenv_cases spec tier)
    catch_discover_tests(
        rocenv_unit TEST_SPEC "${spec}" ${catch_options} PROPERTIES LABELS ${tier} TIMEOUT 600 ${ARGN} ${catch_properties}
    )
endfunction()
if(ROCENV_SANITIZE)
    # A process takes longer to start there than most cases take.
    function(rocenv_case_part name spec part parts)
        add_test(NAME "unit cases: ${name}" COMMAND tests/unit_cases $<TARGET_FILE:rocenv_unit> "${spec}" ${part} ${parts}
                 WORKING_DIRECTORY ${PROJECT_SOURCE_DIR}
        )
        set_tests_properties(
            "unit cases: ${name}" PROPERTIES LABELS quick TIMEOUT 1500 FAIL_REGULAR_EXPRESSION "(^|\n)not ok "
                                             FIXTURES_REQUIRED machines
        )
    endfunction()
    foreach(part RANGE 1 24)
        rocenv_case_part("${part} of 24" "~[slow]~[large]~[timed]" ${part} 24)
    endforeach()
    rocenv_case_part(timed "[timed]~[slow]~[large]" 1 1) # they have deadlines: scripts/test lets them not starve
    rocenv_cases("[large]" full TIMEOUT 3000) # beside the release's tests, which go first
else()
    rocenv_cases("~[slow]~[large]" quick)
    rocenv_cases("[large]" whole)
    rocenv_cases("[slow]" whole COST 500)
endif()

set(tested_tree
    "ROCENV=$<TARGET_FILE:rocenv>"
    "MACHINES=${PROJECT_SOURCE_DIR}/build/machines"
    "FAKE_RSMI=${CMAKE_CURRENT_BINARY_DIR}/fake_rsmi"
    "AMDGPUFS=${CMAKE_CURRENT_BINARY_DIR}/amdgpufs"
    "HANGFS=${CMAKE_CURRENT_BINARY_DIR}/hangfs"
    "KILL_AT=${CMAKE_CURRENT_BINARY_DIR}/kill_at"
    "MAKE_PAGE=${CMAKE_CURRENT_BINARY_DIR}/make_page"
)

# rocenv_script(NAME TIER SECONDS COMMAND... [ALONE or WIDE] [DISK] [LOCK NAME] [COST N]): COST starts long ones early;
# WIDE is for one that waits for answers of a program beside it, and takes two places; DISK for one that must not lie in
# memory.
function(rocenv_script name tier seconds)
    cmake_parse_arguments(PARSE_ARGV 3 arg "ALONE;WIDE;DISK" "LOCK;COST" "")
    # SECONDS is what a test may take beside others on a fast machine; one whose pages and processes cost four times as
    # much is no reason to fail. Only a hang is, and long limits are too dear for that.
    if(seconds LESS 900)
        math(EXPR seconds "${seconds} * 4")
    endif()
    add_test(NAME ${name} COMMAND ${arg_UNPARSED_ARGUMENTS} WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
    set_tests_properties(
        ${name}
        PROPERTIES LABELS ${tier}
                   TIMEOUT ${seconds}
                   ENVIRONMENT "${tested_tree}"
                   FAIL_REGULAR_EXPRESSION "(^|\n)not ok "
                   FIXTURES_REQUIRED machines
    )
    if(arg_DISK)
        set_tests_properties(${name} PROPERTIES ENVIRONMENT_MODIFICATION "TMPDIR=unset:")
    endif()
    if(arg_WIDE)
        set_tests_properties(${name} PROPERTIES PROCESSORS 2)
    endif()
    if(arg_ALONE)
        set_tests_properties(${name} PROPERTIES RUN_SERIAL ON)
    endif()
    if(arg_LOCK)
        set_tests_properties(${name} PROPERTIES RESOURCE_LOCK ${arg_LOCK})
    endif()
    if(arg_COST)
        set_tests_properties(${name} PROPERTIES COST ${arg_COST})
    endif()
endfunction()

# What the others need: the fixture machines.
add_test(NAME machines COMMAND tests/machines/make build/machines WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
set_tests_properties(machines PROPERTIES LABELS quick TIMEOUT 480 FIXTURES_SETUP machines)

file(GLOB transcripts CONFIGURE_DEPENDS RELATIVE ${CMAKE_CURRENT_SOURCE_DIR} cli/*.t)
set(transcripts_from quick)
if(ROCENV_SANITIZE)
    set(transcripts_from full) # the unit tests are the same code, sooner
endif()
foreach(transcript IN LISTS transcripts)
    get_filename_component(name ${transcript} NAME_WE)
    rocenv_script("transcript: ${name}" ${transcripts_from} 300 tests/cli/run tests/${transcript})
endforeach()
if(ROCENV_SANITIZE)
    return() # the scripts below prove what no sanitizer sees
endif()

rocenv_script(readme quick 120 tests/cli/run --readme README.md src/manual/guide.md src/manual/manual.md)
rocenv_script(captures quick 120 tests/captures/test_captures)
rocenv_script(container quick 120 tests/cli/test_container DISK)
rocenv_script(completion quick 300 tests/cli/test_completion)
rocenv_script(descriptors quick 120 tests/cli/test_descriptors)
rocenv_script(exit_codes quick 120 tests/cli/test_exit_codes)
rocenv_script(given whole 120 tests/cli/test_given)
rocenv_script(limits whole 300 tests/limits/test_limits ALONE)
rocenv_script(manual quick 120 tests/manual/test_manual)
rocenv_script(pictures quick 120 scripts/pictures --check)
rocenv_script(printable whole 300 tests/cli/test_printable COST 60)
rocenv_script(rights quick 120 tests/cli/test_rights)
rocenv_script(site quick 120 tests/cli/test_site)
rocenv_script(liveness whole 300 tests/cli/test_liveness ALONE)
rocenv_script(journal quick 300 tests/cli/test_journal)
rocenv_script(versions quick 120 tests/cli/test_versions)
rocenv_script(kill quick 3600 tests/kill/test_kill COST 300)
rocenv_script(this_machine quick 120 tests/cli/test_this_machine DISK)
rocenv_script(eval quick 120 tests/launch/test_eval)
rocenv_script(faults quick 300 tests/faults/test_faults COST 60)
rocenv_script(fleet quick 300 tests/fleet/test_fleet 2000 COST 60)
rocenv_script(fleet_sizes full 3600 tests/fleet/test_fleet 10000 100000 ALONE)
rocenv_script(formats quick 120 tests/launch/test_formats)
rocenv_script(python_int quick 120 tests/variables/test_python_int)
rocenv_script(steps whole 300 tests/steps/test_steps COST 60)
rocenv_script(recipes quick 120 tests/profile/test_recipes)
rocenv_script(run whole 300 tests/launch/test_run DISK ALONE)
rocenv_script(seeds_table quick 120 tests/profile/test_seeds_table)
rocenv_script(hang whole 300 tests/fuse/test_hang.sh ALONE)
rocenv_script(golden quick 120 tests/golden/test_golden)
rocenv_script(llc quick 300 tests/occupancy/test_llc)
rocenv_script(record whole 300 tests/check/test_record)
rocenv_script(schema quick 300 tests/report/test_schema.sh)
rocenv_script(junit whole 300 tests/report/test_junit)
rocenv_script(carriers full 600 tests/integration/test_carriers)
rocenv_script(prometheus full 300 tests/integration/test_prometheus)
rocenv_script(slurm_scripts quick 300 tests/integration/test_slurm_scripts)
rocenv_script(slurm_job_scripts quick 300 tests/integration/test_slurm_job_scripts)
rocenv_script(slurm full 1200 tests/integration/test_slurm)
rocenv_script(old_binaries full 1800 tests/integration/test_old_binaries)
rocenv_script(packages full 1800 tests/integration/test_packages)
rocenv_script(integrations whole 900 tests/integration/test_integrations COST 60)
rocenv_script(integrations_containers whole 300 tests/integration/test_containers)
rocenv_script(way_back whole 300 tests/report/test_way_back.sh COST 60)
rocenv_script(rsmi quick 300 tests/smi/test_rsmi)
rocenv_script(hwloc whole 300 tests/topology/test_hwloc)
rocenv_script(rules quick 300 scripts/check --quick)
rocenv_script(driver quick 900 tests/driver/test_driver DISK WIDE LOCK lab COST 400)
rocenv_script(svg whole 300 tests/topology/test_svg)
rocenv_script(speed whole 300 tests/topology/test_speed ALONE)
rocenv_script(cost quick 300 tests/bench/test_cost)
rocenv_script(guard whole 300 tests/bench/test_guard COST 60)
rocenv_script(kernel whole 900 tests/lab/test_kernel ALONE LOCK lab)
rocenv_script(kernel_boots whole 900 tests/lab/test_kernel_boots ALONE LOCK lab)
rocenv_script(tidy whole 3000 scripts/check --tidy)
rocenv_script(fuzz whole 900 scripts/fuzz --quick LOCK fuzz COST 450)
rocenv_script(fuzz_long full 1800 scripts/fuzz --full WIDE LOCK fuzz COST 450)
rocenv_script(page full 600 tests/fleet/test_page ALONE)
rocenv_script(matrix full 3600 scripts/matrix --others ALONE)
rocenv_script(readers full 3600 tests/readers/test_readers LOCK readers)
