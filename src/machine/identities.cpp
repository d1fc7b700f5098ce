// SPDX-License-Identifier: MIT
#include "machine/identities.h"

#include <algorithm>
#include <initializer_list>
#include <set>
#include <string_view>
#include <tuple>

#include "machine/rdma/rdma.h"
#include "util/text.h"

namespace rocenv {

namespace {

constexpr const char* nvme_class = "/sys/class/nvme";
constexpr const char* dmi_folder = "/sys/class/dmi/id";

class Collector {
   public:
    explicit Collector(const Machine& machine) : machine_(machine) {}

    // linux drivers/firmware/dmi-id.c, 6.12: for root alone.
    void take_system() {
        take("system", dmi_folder,
             {"board_serial", "chassis_serial", "product_serial", "product_uuid"});
    }

    // linux drivers/gpu/drm/amd/amdgpu/amdgpu_device.c serial_number, pm/amdgpu_pm.c unique_id.
    void take_gpus() {
        for (const auto& gpu : machine_.gpus()) {
            if (gpu.on_pci && !sleeps(gpu.bdf)) {
                take(gpu.bdf, pci_path(gpu.bdf), {"serial_number", "unique_id"});
            }
        }
    }

    // linux drivers/infiniband/core/sysfs.c node_guid_show, net/core/net-sysfs.c address.
    void take_nics() {
        const auto devices = rdma_devices(machine_);
        if (!devices) {
            add("system", "node_guid", devices.error());
            return;
        }
        std::set<std::string> functions;
        for (const auto& device : *devices) {
            if (!functions.insert(device.bdf).second || sleeps(device.bdf)) {
                continue;
            }
            if (device.verbs) {
                take(device.bdf, rdma_folder(device.name), {"node_guid", "sys_image_guid"});
            }
            take_interfaces(device.bdf);
        }
    }

    // linux drivers/nvme/host/sysfs.c serial.
    void take_disks() {
        constexpr std::size_t most = 1024;
        auto names = machine_.fs().list(nvme_class);
        if (names && names->size() > most) {
            names = garbled(nvme_class, "holds more than " + number(most) + " disks");
        }
        if (!names) {
            if (!names.is(ErrorKind::not_here)) {
                add("system", "serial", names.error());
            }
            return;
        }
        for (const auto& name : *names) {
            if (is_plain(name)) {
                take(name, std::string(nvme_class) + "/" + name, {"serial"});
            }
        }
    }

    std::vector<DeviceIdentity> sorted() && {
        std::sort(found_.begin(), found_.end(),
                  [](const DeviceIdentity& a, const DeviceIdentity& b) {
                      return std::tie(a.target, a.name) < std::tie(b.target, b.name);
                  });
        return std::move(found_);
    }

   private:
    void add(const std::string& target, std::string_view name, Result<std::string> value) {
        found_.push_back({target, std::string(name), std::move(value)});
    }

    void take(const std::string& target, const std::string& folder,
              std::initializer_list<std::string_view> names) {
        for (const auto name : names) {
            const auto text = machine_.fs().read(folder + "/" + std::string(name));
            if (text.is(ErrorKind::not_here)) {
                continue;
            }
            constexpr std::size_t longest = 64;
            add(target, name, text ? printable(trim(*text), longest) : text);
        }
    }

    void take_interfaces(const std::string& bdf) {
        const auto names = netdevs_of(machine_, bdf);
        if (!names) {
            add(bdf, "address", names.error());
            return;
        }
        for (const auto& name : *names) {
            take(name, pci_path(bdf) + "/net/" + name, {"address"});
        }
    }

    bool sleeps(const std::string& bdf) {
        const auto sleeping = machine_.asleep(bdf);
        if (sleeping) {
            add(bdf, "any", *sleeping);
        }
        return sleeping.has_value();
    }

    const Machine& machine_;
    std::vector<DeviceIdentity> found_;
};

}  // namespace

std::vector<DeviceIdentity> identities_of(const Machine& machine) {
    Collector collector(machine);
    collector.take_system();
    collector.take_gpus();
    collector.take_nics();
    collector.take_disks();
    return std::move(collector).sorted();
}

}  // namespace rocenv
