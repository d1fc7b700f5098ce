// SPDX-License-Identifier: MIT
#include "os/inherited.h"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <array>
#include <csignal>

namespace rocenv {

namespace {

struct Disposition {
    int signal;
    sighandler_t ours;
    sighandler_t before = SIG_ERR;  // was not set aside
};

// SIGXFSZ: a file size limit. Of an ignored SIGCHLD the kernel would reap helpers itself, and a
// killed helper's id might be somebody else's by then.
std::array<Disposition, 3> dispositions{
    {{SIGPIPE, SIG_IGN}, {SIGXFSZ, SIG_IGN}, {SIGCHLD, SIG_DFL}}};

// open(2) takes the lowest number that is free. O_PATH: of it nothing can be read or written.
void take_closed_descriptors() {
    std::array<pollfd, 3> standard{
        {{STDIN_FILENO, 0, 0}, {STDOUT_FILENO, 0, 0}, {STDERR_FILENO, 0, 0}}};
    ::poll(standard.data(), standard.size(), 0);
    for (const auto& descriptor : standard) {
        if ((descriptor.revents & POLLNVAL) != 0) {
            (void)::open("/", O_PATH | O_CLOEXEC);
        }
    }
}

}  // namespace

void set_inherited_aside() {
    take_closed_descriptors();
    for (auto& disposition : dispositions) {
        disposition.before = ::signal(disposition.signal, disposition.ours);
    }
}

void put_inherited_back() {
    for (const auto& disposition : dispositions) {
        if (disposition.before != SIG_ERR) {
            ::signal(disposition.signal, disposition.before);
        }
    }
}

}  // namespace rocenv
