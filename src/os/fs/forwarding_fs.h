// SPDX-License-Identifier: MIT
// A file system that forwards every reading operation to another one; a subclass overrides the
// operations that differ. write(), read_ahead() and read_live() are not forwarded.
#pragma once

#include <string>
#include <vector>

#include "rocenv/fs.h"

namespace rocenv {

// The base class; inner() is the other file system.
class ForwardingFs : public WritableFs {
   public:
    Result<std::string> read(const std::string& path) const override { return inner().read(path); }
    Result<std::string> read_now(const std::string& path) const override {
        return inner().read_now(path);
    }
    Result<std::string> read_trusted(const std::string& path) const override {
        return inner().read_trusted(path);
    }
    Result<std::string> read_at(const std::string& path, std::uint64_t offset,
                                std::size_t size) const override {
        return inner().read_at(path, offset, size);
    }
    Result<std::vector<std::string>> list(const std::string& path) const override {
        return inner().list(path);
    }
    Result<std::string> link(const std::string& path) const override { return inner().link(path); }
    Result<std::uint64_t> size(const std::string& path) const override {
        return inner().size(path);
    }
    Result<std::uint64_t> capacity(const std::string& path) const override {
        return inner().capacity(path);
    }
    Result<Access> access(const std::string& path) const override { return inner().access(path); }
    bool is_real() const override { return inner().is_real(); }
    std::string remark() const override { return inner().remark(); }
    bool deadline_reached() const override { return inner().deadline_reached(); }

   protected:
    virtual const Fs& inner() const = 0;
};

}  // namespace rocenv
