// SPDX-License-Identifier: MIT
#include "driver/faults.h"

#include <fnmatch.h>

#include <cerrno>
#include <utility>

namespace lab {

namespace {

constexpr std::pair<std::string_view, int> error_names[] = {
    {"EINVAL", EINVAL}, {"EPERM", EPERM},   {"EBUSY", EBUSY},    {"EIO", EIO},
    {"EACCES", EACCES}, {"ENODEV", ENODEV}, {"ENODATA", ENODATA}};

int error_of(std::string_view name) {
    for (const auto& [known, error] : error_names) {
        if (known == name) return error;
    }
    return 0;
}

}  // namespace

bool Faults::command(const std::vector<std::string>& words) {
    const Lock lock(mutex_);
    const auto word = [&](std::size_t at) { return at < words.size() ? words[at] : ""; };
    if (word(0) == "heal") {
        faults_.clear();
        healed_.notify_all();
        return true;
    }
    const bool named = words.size() > 1;
    if (word(0) == "refuse" && error_of(word(2)) != 0) {
        faults_.push_back({Kind::refuse, word(1), error_of(word(2)), word(3)});
    } else if (word(0) == "unread" && error_of(word(2)) != 0) {
        faults_.push_back({Kind::unread, word(1), error_of(word(2)), ""});
    } else if (word(0) == "ignore" && named) {
        faults_.push_back({Kind::ignore, word(1), 0, word(2)});
    } else if (word(0) == "block" && named) {
        faults_.push_back({Kind::block, word(1), 0, word(2)});
    } else {
        return false;
    }
    return true;
}

const Faults::Fault* Faults::find(Kind kind, const std::string& path,
                                  std::string_view bytes) const {
    for (const auto& fault : faults_) {
        const std::string pattern = "*/" + fault.place;
        if (fault.kind == kind && bytes.substr(0, fault.start.size()) == fault.start &&
            fnmatch(pattern.c_str(), path.c_str(), 0) == 0) {
            return &fault;
        }
    }
    return nullptr;
}

void Faults::wait_while_blocked(Lock& lock, const std::string& path, std::string_view bytes) {
    while (find(Kind::block, path, bytes) != nullptr) healed_.wait(lock);
}

int Faults::before_read(const std::string& path) {
    Lock lock(mutex_);
    wait_while_blocked(lock, path, "");
    const auto* fault = find(Kind::unread, path, "");
    return fault == nullptr ? 0 : fault->error;
}

int Faults::before_write(const std::string& path, std::string_view bytes) {
    Lock lock(mutex_);
    wait_while_blocked(lock, path, bytes);
    const auto* fault = find(Kind::refuse, path, bytes);
    return fault == nullptr ? 0 : fault->error;
}

bool Faults::ignores(const std::string& path, std::string_view bytes) {
    const Lock lock(mutex_);
    return find(Kind::ignore, path, bytes) != nullptr;
}

}  // namespace lab
