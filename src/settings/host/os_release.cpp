// SPDX-License-Identifier: MIT
// os.release: the distribution and its version, ID and VERSION_ID of os-release(5): "ubuntu 24.04".
// A container has a file of its own that says nothing about the node.
#include <algorithm>

#include "rocenv/setting.h"
#include "util/text.h"

namespace rocenv {

namespace {

const std::string release_file = "/etc/os-release";

// The value of a line NAME=VALUE, without quotes around it.
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

// "ubuntu 24.04"; a distribution that rolls has no version.
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
                                          const Want& want) {
    if (context.fs().is_real() && context.machine.facts().container) {
        return {no_target("a container's own release says nothing about the node")};
    }
    std::vector<std::string> wanted;
    for (const auto& each : *want.value.list()) {
        wanted.push_back(*each.text());
    }
    const auto release = read_release(context.fs());
    if (!release) {
        return {unreadable({}, release.error(), join(wanted, ", "))};
    }
    auto row = compared({}, join(wanted, ", "), *release);
    const bool listed = std::find(wanted.begin(), wanted.end(), *release) != wanted.end();
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
                .summary = "The distribution and its version",
                .why = "Drivers are released for certain distributions, and AMD stops an "
                       "acceptance at "
                       "others",
                .source = "ROCm/system-acceptance-docs docs/common/health-checks.md, 2026-07; "
                          "os-release(5), "
                          "systemd 256 (2024-06)",
                .target = "system",
                .read_from = "/etc/os-release",
                .set_by = "",
                .next_step = "cat /etc/os-release; install a release that is wanted",
                .persist = "is persistent: installed",
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
