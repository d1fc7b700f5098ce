// SPDX-License-Identifier: MIT
// race COUNT COMMAND... [+++ COMMAND...]...
// Starts the commands in turn, COUNT rounds, with all output to /dev/null. Prints a line for each: the median and the
// smallest time in microseconds, the most memory (KiB) that it or a child of its own had, and all times in their order.
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { most_commands = 32, most_rounds = 10000 };

static double now_us(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e6 + (double)now.tv_nsec / 1e3;
}

static double run(char **command, long *memory) {
    const double start = now_us();
    struct rusage used;
    int status = 0;
    const pid_t pid = vfork();  // a fork would be charged with copying this program's pages
    if (pid == 0) {
        dup2(STDOUT_FILENO, STDERR_FILENO);
        execvp(command[0], command);
        _exit(127);
    }
    if (pid < 0 || wait4(pid, &status, 0, &used) != pid || !WIFEXITED(status) || WEXITSTATUS(status) > 5) {
        fprintf(stderr, "race: %s failed\n", command[0]);
        exit(1);
    }
    if (used.ru_maxrss > *memory) *memory = used.ru_maxrss;
    return now_us() - start;
}

static int by_value(const void *left, const void *right) {
    const double difference = *(const double *)left - *(const double *)right;
    return (difference > 0) - (difference < 0);
}

int main(int argc, char **argv) {
    static double times[most_commands][most_rounds];
    char **commands[most_commands];
    long memory[most_commands] = {0};
    int count = 0;
    const int rounds = argc > 2 ? atoi(argv[1]) : 0;
    if (rounds < 1 || rounds > most_rounds) return 2;
    commands[count++] = argv + 2;
    for (int at = 3; at < argc && count < most_commands; ++at) {
        if (strcmp(argv[at], "+++") == 0) {
            argv[at] = NULL;
            commands[count++] = argv + at + 1;
        }
    }
    const int out = dup(STDOUT_FILENO);
    const int nowhere = open("/dev/null", O_RDWR | O_CLOEXEC);
    fcntl(out, F_SETFD, FD_CLOEXEC);
    dup2(nowhere, STDOUT_FILENO);
    for (int round = 0; round < rounds; ++round)
        for (int at = 0; at < count; ++at) times[at][round] = run(commands[at], &memory[at]);
    for (int at = 0; at < count; ++at) {
        static double sorted[most_rounds];
        memcpy(sorted, times[at], (size_t)rounds * sizeof(double));
        qsort(sorted, (size_t)rounds, sizeof(double), by_value);
        dprintf(out, "%.1f %.1f %ld", sorted[rounds / 2], sorted[0], memory[at]);
        for (int round = 0; round < rounds; ++round) dprintf(out, " %.1f", times[at][round]);
        dprintf(out, "\n");
    }
    return 0;
}
