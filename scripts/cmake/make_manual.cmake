# SPDX-License-Identifier: MIT
# cmake -D ROCENV=PROGRAM -D FOLDER=FOLDER -P make_manual.cmake: writes man/manN/PAGE.N and the completions of each shell.

cmake_minimum_required(VERSION 3.22...3.25)

function(write_output file)
    execute_process(COMMAND ${ROCENV} ${ARGN} OUTPUT_FILE ${file} RESULT_VARIABLE status)
    if(NOT status EQUAL 0)
        message(FATAL_ERROR "${ROCENV} ${ARGN} ended with ${status}")
    endif()
endfunction()

file(REMOVE_RECURSE ${FOLDER})
file(MAKE_DIRECTORY ${FOLDER})
write_output(${FOLDER}/pages help --list)
file(STRINGS ${FOLDER}/pages pages)
foreach(page IN LISTS pages)
    string(REGEX REPLACE "^.*\\." "" section ${page})
    file(MAKE_DIRECTORY ${FOLDER}/man/man${section})
    write_output(${FOLDER}/man/man${section}/${page} help --format mdoc ${page})
endforeach()
foreach(shell_and_file bash/rocenv zsh/_rocenv fish/rocenv.fish)
    get_filename_component(shell ${shell_and_file} DIRECTORY)
    file(MAKE_DIRECTORY ${FOLDER}/${shell})
    write_output(${FOLDER}/${shell_and_file} completion ${shell})
endforeach()
file(TOUCH ${FOLDER}/stamp)
