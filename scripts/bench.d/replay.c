// SPDX-License-Identifier: MIT
// What a command costs the kernel: makes the calls of calls.h one after another, and does nothing with what it is given.
// calls.h holds rows {KIND, SLOT, PATH, SIZE, OFFSET}; a slot is the descriptor that the command had. K forks a child that ends,
// and X executes a program.
// replay [THREADS]: by so many threads, each with a part of the calls that ends behind a close.
#define _GNU_SOURCE
#include <dirent.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

struct call {
    char kind;
    short slot;
    const char *path;
    unsigned size;
    unsigned offset;
};

static const struct call calls[] = {
#include "calls.h"
};

static _Thread_local char buffer[1 << 20];
static _Thread_local int open_as[1024];
static unsigned bounds[65];

static void fork_once(void) {
    const pid_t child = fork();
    if (child == 0) _exit(0);
    if (child > 0) waitpid(child, NULL, 0);
}

static void make(const struct call *call) {
    struct stat status;
    const unsigned size = call->size < sizeof buffer ? call->size : (unsigned)sizeof buffer;
    int *fd = &open_as[call->slot];
    switch (call->kind) {
        case 'F': *fd = open(call->path, O_RDONLY | O_NOCTTY | O_NONBLOCK | O_CLOEXEC); break;
        case 'D': *fd = open(call->path, O_RDONLY | O_DIRECTORY | O_CLOEXEC); break;
        case 'P': *fd = open(call->path, O_PATH | O_CLOEXEC); break;
        case 'R': buffer[0] = (char)read(*fd, buffer, size); break;
        case 'A': buffer[0] = (char)pread(*fd, buffer, size, call->offset); break;
        case 'G': buffer[0] = (char)getdents64(*fd, buffer, size); break;
        case 'L': buffer[0] = (char)readlink(call->path, buffer, 4096); break;
        case 'S': buffer[0] = (char)stat(call->path, &status); break;
        case 'K': fork_once(); break;
        case 'X': execl(call->path, call->path, (char *)NULL); break;
        default: close(*fd); break;
    }
}

static void *make_part(void *part) {
    const unsigned at = (unsigned)(size_t)part;
    for (unsigned each = bounds[at]; each < bounds[at + 1]; ++each) make(&calls[each]);
    return NULL;
}

int main(int argc, char **argv) {
    const unsigned count = sizeof calls / sizeof calls[0];
    const int asked = argc > 1 ? atoi(argv[1]) : 1;
    const unsigned threads = asked > 1 && asked <= 64 ? (unsigned)asked : 1;
    pthread_t started[64];
    for (unsigned at = 1; at <= threads; ++at) {
        bounds[at] = count / threads * at;
        while (bounds[at] < count && calls[bounds[at] - 1].kind != 'C') ++bounds[at];
    }
    bounds[threads] = count;
    for (unsigned at = 1; at < threads; ++at)
        if (pthread_create(&started[at], NULL, make_part, (void *)(size_t)at) != 0) return 1;
    make_part(NULL);
    for (unsigned at = 1; at < threads; ++at) pthread_join(started[at], NULL);
    return 0;
}
