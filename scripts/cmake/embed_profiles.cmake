# SPDX-License-Identifier: MIT
# cmake -DPROFILES=FILE;FILE -DOUTPUT=FILE.cpp -P embed_profiles.cmake

set(names "")
foreach(path IN LISTS PROFILES)
    get_filename_component(name "${path}" NAME_WLE)
    list(APPEND names "${name}")
    set("path_${name}" "${path}")
endforeach()
list(SORT names)
list(LENGTH names count)

set(entries "")
foreach(name IN LISTS names)
    set(path "${path_${name}}")
    file(READ "${path}" text)
    string(LENGTH "${text}" length)
    if(length GREATER 65535)
        message(FATAL_ERROR "${path} has ${length} bytes; compilers need not take literals over 65535")
    endif()
    if(text MATCHES "\\)rocenv_toml\"")
        message(FATAL_ERROR "${path} holds )rocenv_toml\", which would end its literal")
    endif()
    string(APPEND entries "    {\"${name}\", R\"rocenv_toml(${text})rocenv_toml\"},\n")
endforeach()

file(WRITE "${OUTPUT}" "// Written by embed_profiles.cmake from profiles/*.toml.
#include \"profile/builtin_profiles.h\"

#include <array>

namespace rocenv {

static constexpr std::array<BuiltinProfile, ${count}> profiles = {{
${entries}}};

constinit const std::span<const BuiltinProfile> builtin_profiles{profiles};

}  // namespace rocenv
")
