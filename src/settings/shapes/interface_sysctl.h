// SPDX-License-Identifier: MIT
// A setting that is one number of /proc/sys/net/ipv4/conf/IF for the network interface of each RoCE
// NIC. In force is the higher one of `all` and IF (linux include/linux/inetdevice.h
// IN_DEV_MAXCONF); `all` is never written, it would reach the interface that the node is managed
// by. The numbers are of a network namespace: outside the node's own there is nothing to judge.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "rocenv/setting.h"
#include "settings/rdma/rdma_netdevs.h"

namespace rocenv {

struct InterfaceSysctl {
    std::string_view id;    // "net.rp_filter"
    std::string_view file;  // "rp_filter"
    std::string_view summary;
    std::string_view why;
    std::string_view source;
    std::string_view risk_note;
    std::int64_t highest = 2;  // what the kernel knows
    // Whether `have` does as well as what is wanted; equal numbers always do.
    bool (*does_as_well)(std::uint64_t want, std::uint64_t have) = nullptr;
};

// The texts that an Info only looks at.
struct InterfaceSysctlTexts {
    explicit InterfaceSysctlTexts(const InterfaceSysctl& sysctl);
    std::string path;  // a pattern
    std::string bytes;
    std::string read_from;
    std::string set_by;
    std::string next_step;
    WrittenPlace place;
};

class InterfaceSysctlSetting final : private InterfaceSysctlTexts, public Setting {
   public:
    explicit InterfaceSysctlSetting(const InterfaceSysctl& sysctl);

    const Info& info() const override { return info_; }
    std::vector<Assessment> assess(const Context& context, const Want& want) const override;
    std::vector<Baseline> baseline(const Context& context) const override;
    Keeping keeping(const Want& want) const override;

   private:
    std::string path_of(std::string_view name) const;
    Assessment judge(const Fs& fs, const std::string& name, std::uint64_t want) const;
    bool is_met(std::uint64_t want, std::uint64_t have) const;

    InterfaceSysctl sysctl_;
    Info info_;
};

}  // namespace rocenv
