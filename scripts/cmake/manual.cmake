# SPDX-License-Identifier: MIT
# Sets rocenv_manual_source: src/help/manual/manual.md and the marked part of profiles/README.md as one C++ file, written again when
# one of them changes.

set(rocenv_manual_source ${PROJECT_BINARY_DIR}/manual_text.cpp)
add_custom_command(
    OUTPUT ${rocenv_manual_source}
    COMMAND ${CMAKE_COMMAND} -D SOURCE=${PROJECT_SOURCE_DIR} -D OUTPUT=${rocenv_manual_source} -P
            ${PROJECT_SOURCE_DIR}/scripts/cmake/make_manual_text.cmake
    DEPENDS ${PROJECT_SOURCE_DIR}/src/help/manual/manual.md
            ${PROJECT_SOURCE_DIR}/profiles/README.md
            ${PROJECT_SOURCE_DIR}/scripts/cmake/make_manual_text.cmake
    COMMENT "Embedding the manual's prose"
    VERBATIM
)

# rocenv_install_manual(): installs manual pages and completions, which the program itself writes. Skipped if the program cannot be
# run, as in a build for another processor.
function(rocenv_install_manual)
    if(CMAKE_CROSSCOMPILING AND NOT CMAKE_CROSSCOMPILING_EMULATOR)
        return()
    endif()
    set(folder ${PROJECT_BINARY_DIR}/manual)
    add_custom_command(
        OUTPUT ${folder}/stamp
        COMMAND ${CMAKE_COMMAND} -D ROCENV=$<TARGET_FILE:rocenv> -D FOLDER=${folder} -P
                ${PROJECT_SOURCE_DIR}/scripts/cmake/make_manual.cmake
        DEPENDS rocenv ${PROJECT_SOURCE_DIR}/scripts/cmake/make_manual.cmake
        COMMENT "Writing manual pages and completions"
        VERBATIM
    )
    add_custom_target(rocenv_manual ALL DEPENDS ${folder}/stamp)
    install(DIRECTORY ${folder}/man/ DESTINATION ${CMAKE_INSTALL_MANDIR})
    install(FILES ${folder}/bash/rocenv DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
    install(FILES ${folder}/zsh/_rocenv DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions)
    install(FILES ${folder}/fish/rocenv.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
endfunction()
