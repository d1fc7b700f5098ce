// SPDX-License-Identifier: MIT
// An owner of a file descriptor. It can be moved, and closes the descriptor once.
#pragma once

#include <unistd.h>

#include <utility>

namespace rocenv {

// One descriptor; -1 if there is none.
class Fd {
   public:
    Fd() = default;
    explicit Fd(int fd) : fd_(fd) {}
    Fd(Fd&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
    Fd& operator=(Fd&& other) noexcept {
        if (this != &other) {
            close();
            fd_ = std::exchange(other.fd_, -1);
        }
        return *this;
    }
    Fd(const Fd&) = delete;
    Fd& operator=(const Fd&) = delete;
    ~Fd() { close(); }

    // Returns the descriptor; -1 if there is none.
    int get() const { return fd_; }
    explicit operator bool() const { return fd_ >= 0; }
    // Closes the descriptor if there is one.
    void close() {
        if (fd_ >= 0) {
            ::close(std::exchange(fd_, -1));
        }
    }

   private:
    int fd_ = -1;
};

}  // namespace rocenv
