# SPDX-License-Identifier: MIT
# With -DROCENV_UNITY=ON the sources of a folder are compiled as one: half the time under the sanitizers, a third in
# clang-tidy. So no two sources of a folder share a name in their unnamed namespaces. (What a test declares stands in a
# namespace named after its file: tests are joined eight by eight.)
function(rocenv_unity_by_folder target)
    set_target_properties(${target} PROPERTIES UNITY_BUILD ${ROCENV_UNITY} UNITY_BUILD_MODE GROUP)
    get_target_property(sources ${target} SOURCES)
    foreach(source IN LISTS sources)
        file(RELATIVE_PATH path ${PROJECT_SOURCE_DIR}/src ${source})
        get_filename_component(group ${path} DIRECTORY)
        string(MAKE_C_IDENTIFIER "${group}" group)
        if(NOT path MATCHES "^\\.\\.")
            set_source_files_properties(${source} PROPERTIES UNITY_GROUP "${group}")
        endif()
    endforeach()
endfunction()
