// SPDX-License-Identifier: MIT
#include "support/kernel_machine.h"

#include <algorithm>
#include <iterator>

namespace rocenv {

void KernelMachine::fail(std::size_t write, int err) {
    faults_[write] = {Effect::none, err, false};
}

void KernelMachine::ignore(std::size_t write) {
    faults_[write] = {Effect::none, 0, false};
}

void KernelMachine::half_do(std::size_t write, int err) {
    faults_[write] = {Effect::done, err, false};
}

void KernelMachine::hang(std::size_t write) {
    faults_[write] = {Effect::none, 0, true};
}

std::optional<Error> KernelMachine::lost_read(const std::string& path) const {
    return reads++ == failing_read_
               ? std::optional(Error{ErrorKind::io, 0, path, path + ": the helper process died"})
               : std::nullopt;
}

Result<std::string> KernelMachine::read(const std::string& path) const {
    auto lost = lost_read(path);
    if (!lost && unreadable && unreadable(path)) {
        lost = errno_error("read", path, EIO);
    }
    return lost ? Result<std::string>(*std::move(lost)) : memory_.read(path);
}

Result<std::string> KernelMachine::read_now(const std::string& path) const {
    auto lost = lost_read(path);
    return lost ? Result<std::string>(*std::move(lost)) : memory_.read_now(path);
}

Result<std::string> KernelMachine::read_at(const std::string& path, std::uint64_t offset,
                                           std::size_t size) const {
    auto lost = lost_read(path);
    return lost ? Result<std::string>(*std::move(lost)) : memory_.read_at(path, offset, size);
}

Result<std::vector<std::string>> KernelMachine::list(const std::string& path) const {
    auto lost = lost_read(path);
    return lost ? Result<std::vector<std::string>>(*std::move(lost)) : memory_.list(path);
}

Result<std::string> KernelMachine::link(const std::string& path) const {
    auto lost = lost_read(path);
    return lost ? Result<std::string>(*std::move(lost)) : memory_.link(path);
}

std::optional<Error> KernelMachine::write(const std::string& path,
                                          std::optional<std::uint64_t> offset,
                                          std::string_view bytes) {
    const std::size_t at = writes.size();
    const WriteCall call{path, offset, std::string(bytes)};
    writes.push_back(call);
    if (before) {
        before(at);
    }
    const auto fault = faults_.find(at);
    auto error =
        attempt(call, fault == faults_.end() ? std::nullopt : std::optional(fault->second));
    if (after) {
        after(at);
    }
    return error;
}

std::optional<Error> KernelMachine::attempt(const WriteCall& call,
                                            const std::optional<Fault>& fault) {
    std::optional<Error> error;
    if (!fault || fault->effect == Effect::done) {
        error = memory_.write(call.path, call.offset, call.bytes);
        if (!error && governor_turns_boost_on && call.path.ends_with("/scaling_governor")) {
            turn_boost_on();
        }
    }
    if (fault && fault->silent) {
        return Error{ErrorKind::timed_out, 0, call.path, call.path + ": no answer in 5 s"};
    }
    return fault && fault->err != 0 ? errno_error("write", call.path, fault->err) : error;
}

void KernelMachine::turn_boost_on() {
    const std::string cpufreq = "/sys/devices/system/cpu/cpufreq";
    memory_.write(cpufreq + "/boost", std::nullopt, "1");
    const auto names = memory_.list(cpufreq);
    for (const auto& name : names ? *names : std::vector<std::string>()) {
        memory_.write(cpufreq + "/" + name + "/boost", std::nullopt, "1");
    }
}

std::vector<std::string> differences(const MemoryFs& left, const MemoryFs& right) {
    if (left == right) {
        return {};
    }
    std::vector<std::string> out;
    std::vector<std::pair<std::string_view, std::string_view>> apart;
    const auto before = left.contents();
    const auto now = right.contents();
    std::set_symmetric_difference(before.begin(), before.end(), now.begin(), now.end(),
                                  std::back_inserter(apart));
    for (const auto& [path, content] : apart) {
        if (out.empty() || out.back() != path) {  // a changed path appears twice
            out.emplace_back(path);
        }
    }
    return out;
}

}  // namespace rocenv
