// SPDX-License-Identifier: MIT
// Errors are values. An Error holds the kind of obstacle, the errno, the path, and one sentence
// that a person can act on. Kinds never merge: "not here" is not "not permitted", "hidden",
// "garbled" or "timed out".
#pragma once

#include <string>
#include <utility>
#include <variant>

namespace rocenv {

// Kind of obstacle.
enum class ErrorKind {
    not_here,       // the file, device or value does not exist on this machine
    not_permitted,  // the file exists, but the caller may not read it
    hidden,         // exists, but is not visible to this container
    asleep,         // the device is suspended, and a read would wake it
    garbled,        // was read but is invalid (empty, NULs, not a number, too long)
    timed_out,      // the kernel did not answer in time
    io,             // any other errno
    bad_input,      // invalid input of the user: usage, profile, input file
};

// One failed operation.
struct Error {
    ErrorKind kind = ErrorKind::io;
    int err = 0;       // errno, 0 if none applies
    std::string path;  // file that the error concerns, may be empty
    std::string text;  // one sentence, no full stop, names the path
};

// Returns the kind of an errno from a kernel file: not_here for `ENOENT` and `ENOTDIR`,
// not_permitted for `EACCES` and `EPERM`, timed_out for `ETIMEDOUT`, else io.
ErrorKind kind_of_errno(int err);

// Returns the system's words, "Permission denied", or "errno 999" for an unknown number.
std::string errno_text(int err);

// Returns the Error of a failed system call, with the kind of kind_of_errno(): "cannot read PATH:
// EIO (Input/output error)". A path without /sys/, /proc/ or /dev/ in it is quoted and followed by
// the system's words alone. The path is not escaped.
Error errno_error(const char* verb, const std::string& path, int err);

// Returns whether a write failed because no space is left (`ENOSPC`, `EDQUOT`, `EFBIG`).
bool is_full_disk(const Error& error);

// Returns the Error for a file or folder that is not used because another user may change the file
// or a path to it. Its kind is bad_input and its errno `EPERM`.
Error not_trusted(const std::string& path, const std::string& text);
// Returns whether an error has the kind and errno of not_trusted(), which no other error should
// have.
bool is_not_trusted(const Error& error);

// Returns the Error for invalid content: "PATH: WHAT", with errno 0.
Error garbled(const std::string& path, const std::string& what);

// A value, or the Error that explains its absence. Callers check ok() before they use the value.
template <class T>
class [[nodiscard]] Result {
   public:
    Result(T value) : state_(std::in_place_index<0>, std::move(value)) {}
    Result(Error error) : state_(std::in_place_index<1>, std::move(error)) {}

    // Returns whether there is a value.
    bool ok() const { return state_.index() == 0; }
    explicit operator bool() const { return ok(); }

    // Returns the value. Undefined if there is an error.
    const T& value() const& { return *std::get_if<0>(&state_); }
    T& value() & { return *std::get_if<0>(&state_); }
    T&& value() && { return std::move(*std::get_if<0>(&state_)); }
    const T& operator*() const& { return value(); }
    T& operator*() & { return value(); }
    const T* operator->() const { return &value(); }

    // Returns the error. Undefined if there is a value.
    const Error& error() const { return *std::get_if<1>(&state_); }
    // Returns whether there is an error of this kind.
    bool is(ErrorKind kind) const { return !ok() && error().kind == kind; }

   private:
    std::variant<T, Error> state_;
};

}  // namespace rocenv
