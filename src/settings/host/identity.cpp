// SPDX-License-Identifier: MIT
// Names of the node and its distribution: host.product, host.bios and os.release.
#include <algorithm>

#include "rocenv/setting.h"
#include "settings/shapes/devices.h"
#include "util/text.h"

namespace rocenv {

// host.product: the vendor's name of the node, which separates models of a fleet before nodes are
// compared (linux drivers/firmware/dmi-id.c, 6.12). Blanks at the end of a name are removed.

namespace {

const std::string product_file = "/sys/class/dmi/id/product_name";
const std::string board_file = "/sys/class/dmi/id/board_name";

// Texts of firmware whose vendor set no name.
constexpr std::string_view unfilled[] = {
    "",       "default string",      "not specified",          "not applicable", "none",
    "o.e.m.", "system product name", "to be filled by o.e.m.", "unknown"};

bool is_stated(std::string_view text) {
    return std::find(std::begin(unfilled), std::end(unfilled), lower_case(text)) ==
           std::end(unfilled);
}

std::vector<Assessment> assess_product(const Setting&, const Context& context,
                                       const Expectation& expectation) {
    const std::string& expected = *expectation.value.text();
    const auto product = read_line(context.fs(), product_file);
    if (product.is(ErrorKind::not_here) && exists(context.fs(), "/sys/class")) {
        return {no_target("the firmware does not report the product")};
    }
    if (!product) {
        return {unreadable({}, product.error(), expected)};
    }
    auto row = compared({}, expected, *product);
    if (expected == "stated") {
        row.outcome = is_stated(*product) ? Outcome::ok : Outcome::differs;
    }
    return {row};
}

// Returns the product and its board.
std::vector<ClusterFact> facts_of_product(const Setting& setting, const Context& context) {
    auto out = assessed_facts(setting, context);
    add_fact({"system", std::nullopt, "/board_name"}, read_line(context.fs(), board_file), out);
    return out;
}

std::optional<std::vector<Value>> learn_product(const Setting&, const Context& context) {
    const auto product = read_line(context.fs(), product_file);
    return product ? std::vector{Value{*product, {}}} : std::vector<Value>();
}

}  // namespace

const Setting& host_product() {
    static const Setting setting{
        .info =
            {
                .id = "host.product",
                .summary = "Product name of the node",
                .why = "Nodes of other products have other bus addresses, slots and NICs, so "
                       "launch scripts may not fit them",
                .source = "ROCm/cvs cvs/tests/platform/host_configs_cvs.py, 2026-08; linux "
                          "drivers/firmware/dmi-id.c, 6.12",
                .target = "system",
                .read_from = "/sys/class/dmi/id/product_name; for facts board_name beside it",
                .set_by = "",
                .next_step = "sudo dmidecode -t system; if the product is right, the node may be "
                             "in the wrong partition or rack",
                .persist = "persistent (flash of the board)",
                .risk_note = "",
                .host_decides = true,
                .over_cluster = OverCluster::equal,
                .forms = {{.kind = FormKind::any_text}},
            },
        .assess = assess_product,
        .facts = facts_of_product,
        .learn = learn_product,
    };
    return setting;
}

// host.bios: vendor, version and date of the node's firmware (linux drivers/firmware/dmi-id.c,
// 6.12). Serial numbers in the same folder are not read. The BMC version is not in any kernel file;
// query it by IPMI.

namespace {

const std::string dmi_folder = "/sys/class/dmi/id";

bool is_read_or_absent(const Result<std::string>& line) {
    return line || line.is(ErrorKind::not_here);
}

struct BiosFacts {
    std::string version;
    std::string text;  // "American Megatrends International, LLC. 3.2 07/15/2024"
};

Result<BiosFacts> read_bios(const Fs& fs) {
    const auto version = read_line(fs, dmi_folder + "/bios_version");
    if (!version) {
        return version.error();
    }
    BiosFacts out{*version, *version};
    const auto vendor = read_line(fs, dmi_folder + "/bios_vendor");
    const auto date = read_line(fs, dmi_folder + "/bios_date");
    if (!is_read_or_absent(vendor) || !is_read_or_absent(date)) {
        return is_read_or_absent(vendor) ? date.error() : vendor.error();
    }
    out.text = (vendor ? *vendor + " " : std::string()) + out.text;
    out.text += date ? " " + *date : std::string();
    return out;
}

std::vector<Assessment> assess_bios(const Setting&, const Context& context,
                                    const Expectation& expectation) {
    const std::string& expected = *expectation.value.text();
    const auto bios = read_bios(context.fs());
    if (bios.is(ErrorKind::not_here) && exists(context.fs(), "/sys/class") &&
        !exists(context.fs(), dmi_folder)) {
        return {no_target("the firmware reports nothing about itself")};
    }
    if (!bios) {
        return {unreadable({}, bios.error(), expected)};
    }
    auto row = compared({}, expected, bios->text);
    const bool fine = expected == "stated" ? is_stated(bios->version)
                                           : expected == bios->text || expected == bios->version;
    row.outcome = fine ? Outcome::ok : Outcome::differs;
    return {row};
}

std::optional<std::vector<Value>> learn_bios(const Setting&, const Context& context) {
    const auto bios = read_bios(context.fs());
    return bios ? std::vector{Value{bios->text, {}}} : std::vector<Value>();
}

}  // namespace

const Setting& host_bios() {
    static const Setting setting{
        .info =
            {
                .id = "host.bios",
                .summary = "Vendor, version and date of the node's firmware",
                .why =
                    "A node with other firmware than its peers has other defaults and other faults",
                .source = "ROCm/cvs cvs/tests/platform/host_configs_cvs.py, 2026-08; linux "
                          "drivers/firmware/dmi-id.c, 6.12",
                .target = "system",
                .read_from = "/sys/class/dmi/id/{bios_vendor,bios_version,bios_date}",
                .set_by = "",
                .next_step = "sudo dmidecode -t bios; if the version is wrong, install the "
                             "expected firmware and reboot",
                .persist = "persistent (flash of the board)",
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

// os.release: the distribution and its version, ID and VERSION_ID of os-release(5): "ubuntu 24.04".
// The file of a container does not describe the node.

namespace {

const std::string release_file = "/etc/os-release";

// Returns the value of a line NAME=VALUE, without its quotes.
std::string value_of_line(std::string_view text, std::string_view name) {
    for (const auto line : split(text, '\n')) {
        const auto equals = line.find('=');
        if (line.substr(0, equals) != name || equals == std::string_view::npos) {
            continue;
        }
        auto value = trim(line.substr(equals + 1));
        const bool quoted = value.size() > 1 && (value.front() == '"' || value.front() == '\'') &&
                            value.back() == value.front();
        return std::string(quoted ? value.substr(1, value.size() - 2) : value);
    }
    return "";
}

// Returns "ubuntu 24.04"; a rolling distribution has no version.
Result<std::string> read_release(const Fs& fs) {
    constexpr std::size_t longest = 64;
    const auto text = fs.read(release_file);
    if (!text) {
        return text.error();
    }
    const std::string id = value_of_line(*text, "ID");
    const std::string version = value_of_line(*text, "VERSION_ID");
    const std::string release = id + (version.empty() ? "" : " " + version);
    if (id.empty() || release.size() > longest || !is_plain(release)) {
        return garbled(release_file, "names no distribution");
    }
    return release;
}

std::vector<Assessment> assess_os_release(const Setting&, const Context& context,
                                          const Expectation& expectation) {
    if (context.fs().is_real() && context.machine.facts().container) {
        return {no_target("the release of a container does not describe the node")};
    }
    std::vector<std::string> expected;
    for (const auto& each : *expectation.value.list()) {
        expected.push_back(*each.text());
    }
    const auto release = read_release(context.fs());
    if (!release) {
        return {unreadable({}, release.error(), join(expected, ", "))};
    }
    auto row = compared({}, join(expected, ", "), *release);
    const bool listed = std::find(expected.begin(), expected.end(), *release) != expected.end();
    row.outcome = listed ? Outcome::ok : Outcome::differs;
    return {row};
}

std::optional<std::vector<Value>> learn_os_release(const Setting&, const Context& context) {
    const auto release = read_release(context.fs());
    return release ? std::vector{Value{ValueList{Value{*release, {}}}, {}}} : std::vector<Value>();
}

}  // namespace

const Setting& os_release() {
    static const Setting setting{
        .info =
            {
                .id = "os.release",
                .summary = "Distribution and its version",
                .why = "AMD releases drivers for certain distributions only, and rejects others in "
                       "an acceptance",
                .source = "ROCm/system-acceptance-docs docs/common/health-checks.md, 2026-07; "
                          "os-release(5), "
                          "systemd 256 (2024-06)",
                .target = "system",
                .read_from = "/etc/os-release",
                .set_by = "",
                .next_step =
                    "cat /etc/os-release; if the release is wrong, install an expected one",
                .persist = "persistent (installed)",
                .risk_note = "",
                .over_cluster = OverCluster::equal,
                .forms = {{.kind = FormKind::text_list, .lowest = 1}},
            },
        .assess = assess_os_release,
        .learn = learn_os_release,
    };
    return setting;
}

}  // namespace rocenv
