// SPDX-License-Identifier: MIT
// Errors are values. An Error says what kind of obstacle it was, which errno, which path, and one
// sentence a person can act on. Kinds never merge: "not here" is not "not permitted" is not
// "hidden" is not "garbled" is not "timed out".
#pragma once

#include <string>
#include <utility>
#include <variant>

namespace rocenv {

enum class ErrorKind {
    not_here,       // the file, device or value does not exist on this machine
    not_permitted,  // EACCES, EPERM: exists, the caller may not look
    hidden,         // exists, and this container may not see it
    asleep,         // the device is suspended; looking would wake it
    garbled,        // was read and makes no sense (empty, NULs, not a number, too long)
    timed_out,      // the kernel did not answer in time
    io,             // any other errno
    bad_input,      // what the user gave is wrong: usage, profile, input file
};

struct Error {
    ErrorKind kind = ErrorKind::io;
    int err = 0;       // errno, 0 when none applies
    std::string path;  // the file it is about, may be empty
    std::string text;  // one sentence, no full stop, names the path
};

// The kind of an errno from a kernel file.
ErrorKind kind_of_errno(int err);

// "Permission denied", in the words of the system; "errno 999" for values it does not know.
std::string errno_text(int err);

// An Error for a failed system call: "cannot read PATH: EIO (Input/output error)".
Error errno_error(const char* verb, const std::string& path, int err);

// Whether nothing more can be written for want of room (ENOSPC, EDQUOT, EFBIG).
bool is_full_disk(const Error& error);

// An Error for a file or folder that is not used since somebody else may change it, or led to it:
// of kind bad_input, and nothing else is is_not_trusted().
Error not_trusted(const std::string& path, const std::string& text);
// Returns whether an error is one of not_trusted().
bool is_not_trusted(const Error& error);

// An Error for content that makes no sense: "PATH: WHAT".
Error garbled(const std::string& path, const std::string& what);

// A value, or the Error that says why there is none. Whoever takes the value asks ok() first.
template <class T>
class [[nodiscard]] Result {
   public:
    Result(T value) : state_(std::in_place_index<0>, std::move(value)) {}
    Result(Error error) : state_(std::in_place_index<1>, std::move(error)) {}

    // Returns whether there is a value.
    bool ok() const { return state_.index() == 0; }
    explicit operator bool() const { return ok(); }

    // Returns the value; of an error this is undefined.
    const T& value() const& { return *std::get_if<0>(&state_); }
    T& value() & { return *std::get_if<0>(&state_); }
    T&& value() && { return std::move(*std::get_if<0>(&state_)); }
    const T& operator*() const& { return value(); }
    T& operator*() & { return value(); }
    const T* operator->() const { return &value(); }

    // Returns the error; of a value this is undefined.
    const Error& error() const { return *std::get_if<1>(&state_); }
    // Returns whether there is an error of this kind.
    bool is(ErrorKind kind) const { return !ok() && error().kind == kind; }

   private:
    std::variant<T, Error> state_;
};

}  // namespace rocenv
