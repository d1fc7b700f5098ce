# SPDX-License-Identifier: MIT
# Files installed beside the program, and the packages that scripts/package makes: DEB, RPM and a tarball.

# Installs the integrations unchanged except for the path of the installed program.
set(integrations ${PROJECT_BINARY_DIR}/installed/integrations)
file(REMOVE_RECURSE ${integrations})
file(COPY ${PROJECT_SOURCE_DIR}/scripts/integrations/ DESTINATION ${integrations})
file(GLOB_RECURSE files ${integrations}/*)
foreach(file IN LISTS files)
    file(READ ${file} text)
    string(REPLACE "/usr/local/bin/rocenv" "${CMAKE_INSTALL_FULL_BINDIR}/rocenv" text "${text}")
    file(WRITE ${file} "${text}")
endforeach()

install(TARGETS rocenv RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(DIRECTORY ${rocenv_schema_folder}/ DESTINATION ${CMAKE_INSTALL_DATADIR}/rocenv FILES_MATCHING PATTERN *.schema.json)
install(FILES README.md CHANGELOG.md SECURITY.md DESTINATION ${CMAKE_INSTALL_DOCDIR})

# Installs our licence, and those of the code that is linked or compiled into a distributed program.
set(copyright ${PROJECT_BINARY_DIR}/installed/copyright)
file(READ LICENSE text)
file(WRITE ${copyright} "${text}")
if(CMAKE_SYSROOT)
    foreach(part libcli11-dev libtomlplusplus-dev libc++-16-dev)
        file(READ ${CMAKE_SYSROOT}/usr/share/doc/${part}/copyright text)
        file(APPEND ${copyright} "\n\n==== ${part} ====\n\n${text}")
    endforeach()
endif()
install(FILES ${copyright} DESTINATION ${CMAKE_INSTALL_DOCDIR})

install(DIRECTORY ${integrations} DESTINATION ${CMAKE_INSTALL_DATADIR}/rocenv USE_SOURCE_PERMISSIONS
        PATTERN systemd EXCLUDE
)
file(GLOB units ${integrations}/systemd/*.service ${integrations}/systemd/*.timer)
install(FILES ${units} DESTINATION lib/systemd/system)

set(CPACK_PACKAGE_NAME rocenv)
set(CPACK_PACKAGE_VENDOR "rocenv maintainers")
set(CPACK_PACKAGE_CONTACT "rocenv maintainers <maintainers@rocenv.invalid>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "checks, sets and restores AMD GPU nodes")
set(CPACK_PACKAGE_DESCRIPTION
    "Checks the state of an AMD GPU node against AMD's guides or your own profile, sets it, puts it
back exactly as it was, and starts programs with the right environment. One program that needs only libc."
)
set(CPACK_STRIP_FILES ON)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_PACKAGE_FILE_NAME rocenv-${PROJECT_VERSION}-x86_64)
set(CPACK_SET_DESTDIR OFF)
set(CPACK_GENERATOR DEB RPM)

set(CPACK_DEBIAN_FILE_NAME rocenv_${PROJECT_VERSION}_amd64.deb)
set(CPACK_DEBIAN_PACKAGE_ARCHITECTURE amd64)
set(CPACK_DEBIAN_PACKAGE_SECTION admin)
set(CPACK_DEBIAN_PACKAGE_DEPENDS "libc6 (>= 2.28)")
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "libhwloc15, librocm-smi64-1")
set(CPACK_DEBIAN_PACKAGE_CONTROL_EXTRA ${PROJECT_SOURCE_DIR}/scripts/package.d/prerm)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)

set(CPACK_RPM_FILE_NAME rocenv-${PROJECT_VERSION}-1.x86_64.rpm)
set(CPACK_RPM_PACKAGE_LICENSE MIT)
set(CPACK_RPM_PACKAGE_GROUP "System Environment/Base")
set(CPACK_RPM_PACKAGE_AUTOREQ OFF)
set(CPACK_RPM_PACKAGE_REQUIRES "glibc >= 2.28")
set(CPACK_RPM_PRE_UNINSTALL_SCRIPT_FILE ${PROJECT_SOURCE_DIR}/scripts/package.d/prerm)
set(CPACK_RPM_EXCLUDE_FROM_AUTO_FILELIST_ADDITION
    /usr/lib/systemd
    /usr/lib/systemd/system
    /usr/share/bash-completion
    /usr/share/bash-completion/completions
    /usr/share/fish
    /usr/share/fish/vendor_completions.d
    /usr/share/man
    /usr/share/man/man1
    /usr/share/man/man5
    /usr/share/man/man7
    /usr/share/zsh
    /usr/share/zsh/site-functions
)
set(CPACK_RPM_SPEC_MORE_DEFINE
    "%define _build_id_links none
%define use_source_date_epoch_as_buildtime 1
%define clamp_mtime_to_source_date_epoch 1
%define _buildhost reproducible
%define __os_install_post %{nil}"
)
include(CPack)
