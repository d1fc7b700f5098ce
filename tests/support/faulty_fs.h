// SPDX-License-Identifier: MIT
// A machine that answers one question wrong, and the ways in which a file can be bad.
#pragma once

#include <cerrno>
#include <cstdint>
#include <map>
#include <optional>
#include <regex>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "rocenv/fs.h"
#include "support/machines.h"

namespace rocenv {

enum class Operation { read, read_at, list, link, size };

// The replacement of one answer.
struct Fault {
    Operation operation = Operation::read;
    std::string path;
    Answer answer{std::string()};
};

// The tuned machine cut to four CPUs, with one answer replaced; where none is, it notes every
// question that it is asked (noting took a third of the time of those that ask for nothing else).
class FaultyFs final : public Fs {
   public:
    explicit FaultyFs(const Fs& inner, std::optional<Fault> fault = std::nullopt)
        : inner_(inner), fault_(std::move(fault)) {}

    Result<std::string> read(const std::string& path) const override {
        if (const auto* bad = asked(Operation::read, path)) {
            return *bad;
        }
        if (path == "/sys/devices/system/cpu/online" || path == "/sys/devices/system/cpu/present") {
            return std::string("0-3\n");
        }
        return inner_.read(path);
    }
    Result<std::string> read_at(const std::string& path, std::uint64_t offset,
                                std::size_t size) const override {
        const auto* bad = asked(Operation::read_at, path);
        return bad != nullptr ? *bad : inner_.read_at(path, offset, size);
    }
    Result<std::vector<std::string>> list(const std::string& path) const override {
        if (const auto* bad = asked(Operation::list, path)) {
            if (!*bad) {
                return bad->error();
            }
            return **bad == "" ? std::vector<std::string>() : std::vector<std::string>{**bad};
        }
        if (path == "/sys/devices/system/cpu/cpufreq") {
            return std::vector<std::string>{"boost", "policy0", "policy3"};
        }
        return inner_.list(path);
    }
    Result<std::string> link(const std::string& path) const override {
        const auto* bad = asked(Operation::link, path);
        return bad != nullptr ? *bad : inner_.link(path);
    }
    Result<std::uint64_t> size(const std::string& path) const override {
        if (const auto* bad = asked(Operation::size, path)) {
            return *bad ? Result<std::uint64_t>(std::uint64_t{0}) : bad->error();
        }
        return inner_.size(path);
    }
    Result<std::uint64_t> capacity(const std::string& path) const override {
        return inner_.capacity(path);
    }
    bool is_real() const override { return false; }

    mutable std::set<std::pair<Operation, std::string>> questions;

   private:
    const Answer* asked(Operation operation, const std::string& path) const {
        if (!fault_) {
            questions.emplace(operation, path);
            return nullptr;
        }
        return fault_->operation == operation && fault_->path == path ? &fault_->answer : nullptr;
    }

    const Fs& inner_;
    std::optional<Fault> fault_;
};

inline Answer failure(int err) {
    return errno_error("read", "the file", err);
}

inline std::map<std::string, Answer> faults_of(Operation operation) {
    std::map<std::string, Answer> faults{{"EACCES", failure(EACCES)},
                                         {"EIO", failure(EIO)},
                                         {"ENODEV", failure(ENODEV)},
                                         {"missing", failure(ENOENT)}};
    faults.emplace("empty", std::string());
    if (operation == Operation::read_at) {
        faults.emplace("all ones", std::string(4, '\xff'));
        faults.emplace("short", std::string(2, '\0'));
        return faults;
    }
    faults.emplace("letters", std::string("\x01garbled\xff"));
    if (operation == Operation::read) {
        faults.emplace("NULs", std::string(4096, '\0'));
        faults.emplace("huge", std::string(std::size_t{1} << 20, 'A'));
        faults.emplace("line ends", std::string("\n\n"));
    }
    return faults;
}

// The path with the addresses of PCI functions and all other numbers taken out: files of one kind
// are read by the same code.
inline std::string kind_of(const std::string& path) {
    static const std::regex address("[0-9a-f]{4,8}:[0-9a-f]{2}:[0-9a-f]{2}\\.[0-7]");
    static const std::regex digits("[0-9]+");
    return std::regex_replace(std::regex_replace(path, address, "ADDRESS"), digits, "#");
}

}  // namespace rocenv
