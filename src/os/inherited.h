// SPDX-License-Identifier: MIT
// What rocenv was started with and cannot use as it is: descriptors 0 to 2 that are closed, and
// signals whose default would end it. A program that it starts gets them as they were.
#pragma once

namespace rocenv {

// Called before anything else. A closed descriptor 0, 1 or 2 is taken by one that can be neither
// read nor written (EBADF, as of a closed one) and that goes with execve(2), so that no file of
// ours gets that number. Broken pipes and full disks are errors of write(2), and children are
// waited for, whatever the caller had ignored.
void set_inherited_aside();

// For the program: signals as the caller gave them.
void put_inherited_back();

}  // namespace rocenv
