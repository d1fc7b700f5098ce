// SPDX-License-Identifier: MIT
// A machine in memory: the content of a .tree file, or a machine of unit tests. Symbolic links
// never lead out of the machine, as in a sysroot. Writes have the effects of kernel writes
// (kernel_rules.h). A copy is an independent machine.
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

// A WritableFs in memory.
class MemoryFs final : public WritableFs {
   public:
    MemoryFs() = default;
    MemoryFs(const MemoryFs& other)
        : WritableFs(),
          entries_(other.entries_),
          has_hidden_(other.has_hidden_),
          rules_(other.rules_),
          remark_(other.remark_) {}

    // Adds a folder with all folders above it.
    void add_folder(const std::string& path);
    // Adds a file with all folders above it. A file at the path is replaced.
    void add_file(const std::string& path, std::string content);
    // Adds a config space file. `size` is the result of size(); `content` is shorter if only root
    // may read all of it.
    void add_config(const std::string& path, std::string content, std::uint64_t size);
    // Adds a config space file whose reads beyond `content` fail with this errno.
    void add_config(const std::string& path, std::string content, std::uint64_t size, int err);
    // Adds a link. Entries added later at or below the same path are visible to all operations
    // except link().
    void add_link(const std::string& path, std::string target);
    // Makes every read and list of `path` fail with this errno; its size() is then 0. `EFBIG` reads
    // as `garbled`: the file was not recordable.
    void add_error(const std::string& path, int err);
    // Makes size() and link() fail as well, and capacity() unless it was set, regardless of earlier
    // entries.
    void add_lost(const std::string& path, int err);
    // Adds a path that exists, but whose content is unknown: its reads and list() fail with io.
    void add_unread(const std::string& path);
    // Sets the result of capacity(); the default is 0. A missing path is added by add_unread().
    void set_capacity(const std::string& path, std::uint64_t bytes);
    // Removes a path and everything below it; does nothing if the path does not exist.
    void remove(const std::string& path);

    Result<std::string> read(const std::string& path) const override;
    Result<std::string> read_at(const std::string& path, std::uint64_t offset,
                                std::size_t size) const override;
    Result<std::vector<std::string>> list(const std::string& path) const override;
    Result<std::string> link(const std::string& path) const override;
    Result<std::uint64_t> size(const std::string& path) const override;
    Result<std::uint64_t> capacity(const std::string& path) const override;
    // Returns the recorded access: `EACCES` or `EPERM` of add_error() in Access::err, and group 0.
    Result<Access> access(const std::string& path) const override;
    bool is_real() const override { return false; }
    std::string remark() const override { return remark_; }
    // Sets the result of remark(); the default is empty.
    void set_remark(const std::string& remark) { remark_ = remark; }
    std::optional<Error> write(const std::string& path, std::optional<std::uint64_t> offset,
                               std::string_view bytes) override;

    // Returns the number of entries, including the root and parent folders.
    std::size_t entries() const { return entries_.size(); }

    // Returns true if all entries are equal, hidden ones included; stored clocks and remarks do not
    // count.
    bool operator==(const MemoryFs& other) const { return entries_ == other.entries_; }
    // Returns path and content of every file, by path. The views are valid until an entry changes.
    std::vector<std::pair<std::string_view, std::string_view>> contents() const;

   private:
    enum class Kind { folder, file, link, unread };
    struct Entry {
        Kind kind = Kind::folder;
        std::string content;  // content of a file
        std::uint64_t size = 0;
        int err = 0;        // errno of reads; of a config space file beyond `content`
        bool lost = false;  // size() and capacity() fail as well
        std::optional<std::string> target;  // result of link()
        std::uint64_t capacity = 0;
        bool operator==(const Entry&) const = default;
    };
    using Entries = std::map<std::string, Entry, std::less<>>;

    void add(const std::string& path, Entry entry);
    // Returns the entry at exactly `path`; end() if there is none or a link is on the way.
    Entries::const_iterator find_plain(std::string_view path) const;
    // Returns the entry behind `path` with all links followed; `where` receives its path. `verb` is
    // for the error.
    Result<const Entry*> find(const char* verb, const std::string& path,
                              std::string* where = nullptr) const;

    Entries entries_{{"", Entry{}}};  // "" is the root
    bool has_hidden_ = false;         // a link hides entries below its path
    KernelRules rules_;
    std::string remark_;
};

}  // namespace rocenv
