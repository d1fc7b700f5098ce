// SPDX-License-Identifier: MIT
// A setting that is one number of /proc/sys/net/ipv4/conf/IF for the network interface of each RoCE
// NIC. In force is the higher one of `all` and IF (linux include/linux/inetdevice.h
// IN_DEV_MAXCONF); `all` is never written, it would reach the interface that the node is managed
// by. The numbers are of a network namespace: outside the node's own there is nothing to judge.
// Each such setting is a row of a table.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

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

// A row and the texts that follow from it. An Info refers to them.
struct InterfaceFacts {
    explicit InterfaceFacts(const InterfaceSysctl& sysctl);
    InterfaceFacts(const InterfaceFacts&) = delete;
    InterfaceFacts& operator=(const InterfaceFacts&) = delete;

    const InterfaceSysctl& row;
    std::string path;  // a pattern
    std::string bytes;
    std::string read_from;
    std::string set_by;
    std::string next_step;
    WrittenPlace place;
};

// The settings of a table of rows, in its order. The rows must outlive it.
class InterfaceTable {
   public:
    explicit InterfaceTable(std::span<const InterfaceSysctl> rows);
    // Returns the settings; they live as long as the table.
    std::span<const Setting> settings() const { return settings_; }

   private:
    std::vector<InterfaceFacts> facts_;
    std::vector<Setting> settings_;
};

}  // namespace rocenv
