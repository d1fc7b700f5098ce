# SPDX-License-Identifier: MIT
# Compiler floor, and two interface targets: settings for everything we build, warnings for our own code.

function(rocenv_require_compiler id name minimum)
    if(CMAKE_CXX_COMPILER_ID STREQUAL id AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS minimum)
        message(
            FATAL_ERROR
                "rocenv needs ${name} ${minimum} or newer for C++20; this is ${name} "
                "${CMAKE_CXX_COMPILER_VERSION}. Choose another with -DCMAKE_CXX_COMPILER=…"
        )
    endif()
endfunction()
rocenv_require_compiler(GNU GCC 12)
rocenv_require_compiler(Clang Clang 14)

add_library(rocenv_settings INTERFACE)
target_compile_definitions(rocenv_settings INTERFACE _GLIBCXX_ASSERTIONS)
target_compile_options(
    rocenv_settings INTERFACE -Werror=switch # an enum value without a case fails every build
                              -ffile-prefix-map=${PROJECT_SOURCE_DIR}/= # the same bytes in every build folder
                              -fstack-protector-strong -ffunction-sections -fdata-sections
                              -fno-threadsafe-statics # rocenv starts no threads
                              $<$<CONFIG:Release>:-fno-asynchronous-unwind-tables> # Clang: only for throwing code, 90 KB less
                              $<$<CONFIG:Release>:-Os> # 2.0 instead of 3.6 MB; check takes about 4 % longer
                              $<$<AND:$<CONFIG:Release>,$<CXX_COMPILER_ID:Clang>>:-Oz> # 5.2 MB instead of 6.1 with its -Os
)
target_link_options(rocenv_settings INTERFACE -Wl,--gc-sections -Wl,--as-needed -Wl,-z,relro,-z,now)

if(ROCENV_SANITIZE)
    # AddressSanitizer itself reports a null pointer; these two need a third of the compiler's time.
    set(sanitize -fsanitize=${ROCENV_SANITIZE} -fno-sanitize=null,alignment -fno-sanitize-recover=all
                 -fno-omit-frame-pointer
    )
    add_compile_options(${sanitize})
    add_link_options(${sanitize})
else()
    target_compile_options(
        rocenv_settings INTERFACE $<$<CONFIG:Release>:-U_FORTIFY_SOURCE> $<$<CONFIG:Release>:-D_FORTIFY_SOURCE=2>
    )
    if(ROCENV_STATIC_RUNTIME)
        target_link_options(rocenv_settings INTERFACE -static-libgcc $<$<NOT:$<BOOL:${ROCENV_LIBCXX}>>:-static-libstdc++>)
    endif()
endif()

# ccache caches compilations with a precompiled header only under these two conditions (its manual, "Precompiled headers").
if(ROCENV_CCACHE)
    find_program(ROCENV_CCACHE_PROGRAM ccache)
    if(ROCENV_CCACHE_PROGRAM)
        set(CMAKE_CXX_COMPILER_LAUNCHER env CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime
                                        ${ROCENV_CCACHE_PROGRAM})
        add_compile_options($<$<CXX_COMPILER_ID:GNU>:-fpch-preprocess>)
    endif()
endif()

include(CheckPIESupported)
check_pie_supported(LANGUAGES CXX)

add_library(rocenv_warnings INTERFACE)
target_compile_options(
    rocenv_warnings
    INTERFACE -Wall
              -Wextra
              -Wpedantic
              -Wshadow
              -Wconversion
              -Wsign-conversion
              -Wold-style-cast
              -Wcast-qual
              -Wformat=2
              -Wundef
              -Wnon-virtual-dtor
              -Woverloaded-virtual
              -Wno-missing-field-initializers # designated initialisers name the fields that matter
              $<$<CXX_COMPILER_ID:GNU>:-Wduplicated-cond>
              $<$<CXX_COMPILER_ID:GNU>:-Wlogical-op>
              $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict> # GCC 12 is wrong about std::string (its bug 105651)
              $<$<BOOL:${ROCENV_WERROR}>:-Werror>
)
