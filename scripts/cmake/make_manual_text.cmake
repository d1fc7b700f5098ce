# SPDX-License-Identifier: MIT
# cmake -D SOURCE=FOLDER -D OUTPUT=FILE.cpp -P make_manual_text.cmake: the manual's prose as C++.

cmake_minimum_required(VERSION 3.22...3.25)
file(READ ${SOURCE}/src/help/manual/manual.md text)
file(READ ${SOURCE}/profiles/README.md rest)

# Adds the text between the marks: the prose of rocenv-profile(5).
string(APPEND text "\n# profile.5\n\n")
while(TRUE)
    string(FIND "${rest}" "<!-- manual: begin -->" start)
    if(start EQUAL -1)
        break()
    endif()
    string(SUBSTRING "${rest}" ${start} -1 rest)
    string(FIND "${rest}" "<!-- manual: end -->" end)
    if(end EQUAL -1)
        message(FATAL_ERROR "profiles/README.md: a mark of the manual begins and does not end")
    endif()
    string(SUBSTRING "${rest}" 0 ${end} part)
    string(SUBSTRING "${rest}" ${end} -1 rest)
    string(APPEND text "${part}\n")
endwhile()
if(text MATCHES "\\)manual\"")
    message(FATAL_ERROR "the manual has a text that ends its C++ string")
endif()
file(
    WRITE ${OUTPUT}
    "// Made by scripts/cmake/make_manual_text.cmake.\n#include \"help/manual/prose.h\"\n\n"
    "const std::string_view rocenv::manual_text = R\"manual(${text})manual\";\n"
)
