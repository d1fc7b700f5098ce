// SPDX-License-Identifier: MIT
#include "sys/interruption.h"

#include <unistd.h>

#include <csignal>

namespace rocenv {

namespace {

volatile std::sig_atomic_t noted = 0;

void note(int) {
    noted = 1;
}

}  // namespace

void catch_interruptions() {
    struct sigaction action {};
    action.sa_handler = note;
    for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
        struct sigaction before {};
        ::sigaction(signal, nullptr, &before);
        if (before.sa_handler != SIG_IGN) {  // nohup
            ::sigaction(signal, &action, nullptr);
        }
    }
}

bool interrupted() {
    return noted != 0;
}

void say(const std::string& text) {
    [[maybe_unused]] const auto written = ::write(STDERR_FILENO, text.data(), text.size());
}

}  // namespace rocenv
