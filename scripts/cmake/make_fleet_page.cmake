# SPDX-License-Identifier: MIT
# cmake -D FOLDER=src/fleet -D OUTPUT=FILE.cpp -P make_fleet_page.cmake: puts style and script into fleet.html, with their SHA-256
# for the page's Content-Security-Policy, and writes the text before and after @DATA@ as C++.

# Sets a variable to the SHA-256 of a text in base64, as a Content-Security-Policy has it.
function(hash_in_base64 variable text)
    set(alphabet "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
    string(SHA256 digits "${text}")
    string(APPEND digits "00") # 33 bytes are eleven groups of three
    set(out "")
    foreach(group RANGE 10)
        math(EXPR start "${group} * 6")
        string(SUBSTRING "${digits}" ${start} 6 three)
        foreach(shift 18 12 6 0)
            math(EXPR letter "(0x${three} >> ${shift}) & 63")
            string(SUBSTRING "${alphabet}" ${letter} 1 letter)
            string(APPEND out ${letter})
        endforeach()
    endforeach()
    string(REGEX REPLACE "A$" "=" out "${out}")
    set(${variable} "${out}" PARENT_SCOPE)
endfunction()

file(READ ${FOLDER}/fleet.html page)
file(READ ${FOLDER}/fleet.css STYLE)
file(READ ${FOLDER}/fleet.js SCRIPT)
hash_in_base64(STYLE_HASH "${STYLE}")
hash_in_base64(SCRIPT_HASH "${SCRIPT}")
foreach(part STYLE SCRIPT STYLE_HASH SCRIPT_HASH)
    string(REPLACE "@${part}@" "${${part}}" page "${page}")
endforeach()

string(FIND "${page}" "@DATA@" place)
if(place EQUAL -1 OR page MATCHES "\\)page\"")
    message(FATAL_ERROR "fleet.html has no @DATA@, or a text that ends its C++ string")
endif()
string(SUBSTRING "${page}" 0 ${place} start)
math(EXPR place "${place} + 6")
string(SUBSTRING "${page}" ${place} -1 end)
file(
    WRITE ${OUTPUT}
    "// Made by scripts/cmake/make_fleet_page.cmake.\n#include \"fleet/print/fleet_page.h\"\n\n"
    "const std::string_view rocenv::fleet_page_start = R\"page(${start})page\";\n"
    "const std::string_view rocenv::fleet_page_end = R\"page(${end})page\";\n"
)
