// SPDX-License-Identifier: MIT
#include "vendor/smi_fs.h"

#include <utility>

#include "util/text.h"
#include "vendor/smi_probe.h"

namespace rocenv {

namespace {

const std::string pci_devices = "/sys/bus/pci/devices/";
constexpr std::string_view level_name = "/power_dpm_force_performance_level";
constexpr std::string_view table_name = "/pp_od_clk_voltage";
constexpr std::string_view limit_start = "s 1 ";
constexpr std::string_view determinism = "perf_determinism";

// Returns the address in DEVICES/ADDRESS/NAME; empty for other paths.
std::string address_in(const std::string& path, std::string_view name) {
    if (!path.starts_with(pci_devices)) {
        return "";
    }
    const auto rest = std::string_view(path).substr(pci_devices.size());
    const auto bdf = rest.substr(0, rest.find('/'));
    return rest.substr(bdf.size()) == name ? std::string(bdf) : "";
}

}  // namespace

SmiCalls smi_calls(double seconds) {
    return {[seconds](const std::string& bdf, std::uint64_t mhz) {
                return smi_set_limit(bdf, mhz, seconds);
            },
            [seconds](const std::string& bdf) { return smi_leave_limit(bdf, seconds); }};
}

SmiFs::SmiFs(std::unique_ptr<WritableFs> machine, SmiCalls calls)
    : machine_(std::move(machine)), calls_(std::move(calls)) {}

std::optional<Error> SmiFs::write(const std::string& path, std::optional<std::uint64_t> offset,
                                  std::string_view bytes) {
    Result<bool> done = false;
    if (const auto bdf = address_in(path, level_name); !failed_ && !bdf.empty()) {
        done = write_level(bdf, trim(bytes));
    } else if (const auto its = address_in(path, table_name); !failed_ && !its.empty()) {
        done = write_table(its, trim(bytes));
    }
    if (!done) {
        const Error& error = done.error();
        return Error{error.kind, error.err, path, path + ": " + error.text};
    }
    return *done ? std::nullopt : machine_->write(path, offset, bytes);
}

Result<std::string> SmiFs::read_now(const std::string& path) const {
    const auto bdf = address_in(path, level_name) + address_in(path, table_name);
    if (auto error = write_bare_level(bdf)) {
        return *std::move(error);
    }
    return machine_->read_now(path);
}

// Writes a level perf_determinism that was stored for the library and got no limit. So a limit that
// a GPU reset had removed is restored as it was found.
std::optional<Error> SmiFs::write_bare_level(const std::string& bdf) const {
    const auto requested = requested_.find(bdf);
    if (requested == requested_.end() || requested->second != 0) {
        return std::nullopt;
    }
    requested_.erase(requested);
    return machine_->write(pci_devices + bdf + std::string(level_name), std::nullopt, determinism);
}

Result<bool> SmiFs::write_level(const std::string& bdf, std::string_view word) {
    requested_.erase(bdf);
    if (word == "auto") {
        return ended(calls_.leave_limit(bdf));
    }
    const bool kept = word == determinism;
    if (kept) {
        requested_[bdf] = 0;
    }
    return kept;
}

Result<bool> SmiFs::write_table(const std::string& bdf, std::string_view command) {
    const auto requested = requested_.find(bdf);
    if (requested == requested_.end()) {
        return false;
    }
    if (command.starts_with(limit_start)) {
        requested->second = parse_number(command.substr(limit_start.size())).value_or(0);
        return true;
    }
    const auto mhz = requested->second;
    requested_.erase(requested);
    return command == "c" && mhz != 0 ? ended(calls_.set_limit(bdf, mhz)) : false;
}

Result<bool> SmiFs::ended(std::optional<Error> error) {
    failed_ = error.has_value();
    return error ? Result<bool>(*std::move(error)) : true;
}

}  // namespace rocenv
