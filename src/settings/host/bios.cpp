// SPDX-License-Identifier: MIT
// host.bios: vendor, version and date of the node's firmware (linux drivers/firmware/dmi-id.c,
// 6.12). Serial numbers are beside them, and are not read. The version of the BMC is in no file of
// the kernel: ask it by IPMI.
#include "rocenv/setting.h"
#include "settings/shapes/like_devices.h"
#include "util/text.h"

namespace rocenv {

namespace {

const std::string dmi_folder = "/sys/class/dmi/id";

bool is_told(const Result<std::string>& line) {
    return line || line.is(ErrorKind::not_here);
}

struct BiosFacts {
    std::string version;
    std::string told;  // "American Megatrends International, LLC. 3.2 07/15/2024"
};

Result<BiosFacts> read_bios(const Fs& fs) {
    const auto version = read_line(fs, dmi_folder + "/bios_version");
    if (!version) {
        return version.error();
    }
    BiosFacts out{*version, *version};
    const auto vendor = read_line(fs, dmi_folder + "/bios_vendor");
    const auto date = read_line(fs, dmi_folder + "/bios_date");
    if (!is_told(vendor) || !is_told(date)) {
        return is_told(vendor) ? date.error() : vendor.error();
    }
    out.told = (vendor ? *vendor + " " : std::string()) + out.told;
    out.told += date ? " " + *date : std::string();
    return out;
}

std::vector<Assessment> assess_bios(const Setting&, const Context& context, const Want& want) {
    const std::string& wanted = *want.value.text();
    const auto bios = read_bios(context.fs());
    if (bios.is(ErrorKind::not_here) && exists(context.fs(), "/sys/class") &&
        !exists(context.fs(), dmi_folder)) {
        return {no_target("the firmware tells the kernel nothing of itself")};
    }
    if (!bios) {
        return {unreadable({}, bios.error(), wanted)};
    }
    auto row = compared({}, wanted, bios->told);
    row.outcome = wanted == bios->told || wanted == bios->version ? Outcome::ok : row.outcome;
    return {row};
}

std::optional<std::vector<Value>> learn_bios(const Setting&, const Context& context) {
    const auto bios = read_bios(context.fs());
    return bios ? std::vector{Value{bios->told, {}}} : std::vector<Value>();
}

}  // namespace

const Setting& host_bios() {
    static const Setting setting{
        .info =
            {
                .id = "host.bios",
                .summary = "Vendor, version and date of the node's firmware",
                .why = "Nodes of one rack with other firmware have other faults and other defaults",
                .source = "ROCm/cvs cvs/tests/platform/host_configs_cvs.py, 2026-08; linux "
                          "drivers/firmware/dmi-id.c, 6.12",
                .target = "system",
                .read_from = "/sys/class/dmi/id/{bios_vendor,bios_version,bios_date}",
                .set_by = "",
                .next_step =
                    "sudo dmidecode -t bios; install the firmware that is wanted, then reboot",
                .persist = "is persistent: in the board's flash",
                .risk_note = "",
                .after_reboot = true,
                .host_decides = true,
                .over_cluster = OverCluster::equal,
                .forms = {{.kind = FormKind::any_text}},
            },
        .assess = assess_bios,
        .learn = learn_bios,
    };
    return setting;
}

}  // namespace rocenv
