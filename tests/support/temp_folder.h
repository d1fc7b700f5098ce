// SPDX-License-Identifier: MIT
// A folder of a test's own, gone with it, and its files.
#pragma once

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "os/fd.h"
#include "os/fs/posix_fs.h"
#include "support/catch.h"

namespace rocenv {

class TempFolder {
   public:
    TempFolder() {
        char name[] = "/tmp/rocenv-test-XXXXXX";
        REQUIRE(::mkdtemp(name) != nullptr);
        path_ = name;
    }
    ~TempFolder() {
        std::error_code ignored;
        std::filesystem::remove_all(path_, ignored);
    }
    TempFolder(const TempFolder&) = delete;
    TempFolder& operator=(const TempFolder&) = delete;

    std::string path(const std::string& name = "") const {
        return name.empty() ? path_ : path_ + "/" + name;
    }
    void put(const std::string& name, std::string_view content, mode_t mode = 0644) const {
        const std::filesystem::path where = path(name);
        std::filesystem::create_directories(where.parent_path());
        const Fd file(::open(where.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, mode));
        REQUIRE(file);
        REQUIRE(::fchmod(file.get(), mode) == 0);
        REQUIRE(::write(file.get(), content.data(), content.size()) ==
                static_cast<ssize_t>(content.size()));
    }
    void link(const std::string& name, const std::string& target) const {
        std::filesystem::create_directories(std::filesystem::path(path(name)).parent_path());
        std::filesystem::create_symlink(target, path(name));
    }
    std::string get(const std::string& name) const {
        const auto content = real_fs()->read(path(name));
        return content ? *content : content.error().text;
    }
    mode_t mode(const std::string& name) const {
        struct stat status {};
        REQUIRE(::lstat(path(name).c_str(), &status) == 0);
        return status.st_mode & 07777;
    }
    // Returns the names of all entries below a folder, relative to it.
    std::vector<std::string> names(const std::string& name) const {
        std::vector<std::string> out;
        if (std::filesystem::exists(path(name))) {
            for (const auto& entry : std::filesystem::recursive_directory_iterator(path(name))) {
                out.push_back(entry.path().lexically_relative(path(name)).string());
            }
        }
        return out;
    }

   private:
    std::string path_;
};

}  // namespace rocenv
