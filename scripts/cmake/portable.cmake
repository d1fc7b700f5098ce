# SPDX-License-Identifier: MIT
# A toolchain for programs that start with glibc 2.28 or newer: Clang 19 and LLD against the folder that scripts/portable-root
# makes, whose libc++ is linked in.
set(CMAKE_SYSROOT ${CMAKE_CURRENT_LIST_DIR}/../../build/portable-root)
set(CMAKE_CXX_COMPILER clang++-19)
set(CMAKE_CXX_COMPILER_TARGET x86_64-linux-gnu)
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)

set(ROCENV_LIBCXX ON) # linked in by its name below
set(libcxx ${CMAKE_SYSROOT}/usr/lib/llvm-16)
# Assertions of libc++ trap without a message: the texts of all of them are 0.2 MB.
set(CMAKE_CXX_FLAGS_INIT
    "-nostdinc++ -isystem ${libcxx}/include/c++/v1 -D_LIBCPP_ENABLE_ASSERTIONS=1 '-D_LIBCPP_VERBOSE_ABORT(...)=__builtin_trap()'"
)
set(CMAKE_EXE_LINKER_FLAGS_INIT "-fuse-ld=lld-19 -nostdlib++ -static-libgcc -Wl,--icf=all")
set(CMAKE_CXX_STANDARD_LIBRARIES "${libcxx}/lib/libc++.a ${libcxx}/lib/libc++abi.a -lpthread")
