// SPDX-License-Identifier: MIT
// A machine in memory: what a .tree file is loaded into, and what unit tests look at. Symbolic
// links are followed as in a sysroot: nothing leads out of the machine. Writes do what a kernel
// does (kernel_rules.h). A copy is a machine of its own.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "os/emulation/kernel_rules.h"
#include "rocenv/fs.h"

namespace rocenv {

class MemoryFs final : public WritableFs {
   public:
    MemoryFs() = default;
    MemoryFs(const MemoryFs& other)
        : WritableFs(),
          entries_(other.entries_),
          has_hidden_(other.has_hidden_),
          rules_(other.rules_),
          remark_(other.remark_) {}

    void add_folder(const std::string& path);
    void add_file(const std::string& path, std::string content);
    // `size` is what size() says; a config file that only root may read whole has less content.
    void add_config(const std::string& path, std::string content, std::uint64_t size);
    // The same, and reading beyond `content` fails with this errno.
    void add_config(const std::string& path, std::string content, std::uint64_t size, int err);
    // An entry added later at the same path, or below it, is what all operations but link() see.
    void add_link(const std::string& path, std::string target);
    // Every operation that reads `path` fails with this errno.
    void add_error(const std::string& path, int err);
    // The same, and size(), capacity() and link() too, whatever was added before.
    void add_lost(const std::string& path, int err);
    // It is there, and what it holds is not known.
    void add_unread(const std::string& path);
    // What capacity() says; without it 0.
    void set_capacity(const std::string& path, std::uint64_t bytes);
    void remove(const std::string& path);

    Result<std::string> read(const std::string& path) const override;
    Result<std::string> read_at(const std::string& path, std::uint64_t offset,
                                std::size_t size) const override;
    Result<std::vector<std::string>> list(const std::string& path) const override;
    Result<std::string> link(const std::string& path) const override;
    Result<std::uint64_t> size(const std::string& path) const override;
    Result<std::uint64_t> capacity(const std::string& path) const override;
    // Refused where add_error() says EACCES or EPERM; the group is 0.
    Result<Access> access(const std::string& path) const override;
    bool is_real() const override { return false; }
    std::string remark() const override { return remark_; }
    void set_remark(const std::string& remark) { remark_ = remark; }
    std::optional<Error> write(const std::string& path, std::optional<std::uint64_t> offset,
                               std::string_view bytes) override;

    // Folders above them among them.
    std::size_t entries() const { return entries_.size(); }

    // Everything that can be seen of it is equal.
    bool operator==(const MemoryFs& other) const { return entries_ == other.entries_; }
    // Of every file, by its own path.
    std::vector<std::pair<std::string_view, std::string_view>> contents() const;

   private:
    enum class Kind { folder, file, link, unread };
    struct Entry {
        Kind kind = Kind::folder;
        std::string content;  // of a file
        std::uint64_t size = 0;
        int err = 0;                        // of a read, for config space beyond `content`
        bool lost = false;                  // size() and capacity() fail as well
        std::optional<std::string> target;  // what link() says
        std::uint64_t capacity = 0;
        bool operator==(const Entry&) const = default;
    };
    using Entries = std::map<std::string, Entry, std::less<>>;

    void add(const std::string& path, Entry entry);
    // The entry at `path` as it is written; end() where a link or no entry stands on the way.
    Entries::const_iterator find_plain(std::string_view path) const;
    // The entry behind `path` with all links followed, and its own path. `verb` is for the error.
    Result<const Entry*> find(const char* verb, const std::string& path,
                              std::string* where = nullptr) const;

    Entries entries_{{"", Entry{}}};  // "" is the root
    bool has_hidden_ = false;         // a link was put where entries below it were
    KernelRules rules_;
    std::string remark_;
};

}  // namespace rocenv
