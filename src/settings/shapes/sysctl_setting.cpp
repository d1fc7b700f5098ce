// SPDX-License-Identifier: MIT
#include "settings/shapes/sysctl_setting.h"

#include <algorithm>

#include "util/text.h"

namespace rocenv {

namespace {

std::string name_of(const Sysctl& sysctl) {
    return std::string(sysctl.name.empty() ? sysctl.id : sysctl.name);
}

std::string path_of(std::string name) {
    std::replace(name.begin(), name.end(), '.', '/');
    return "/proc/sys/" + name;
}

std::string persist_of(const Sysctl& sysctl) {
    return "lost at reboot; keep it with " + name_of(sysctl) + " = " + std::string(sysctl.usual) +
           " in a file under /etc/sysctl.d" +
           (sysctl.boot_word.empty()
                ? std::string()
                : ", or " + std::string(sysctl.boot_word) + " on the kernel command line");
}

std::string bytes_of(const Sysctl& sysctl) {
    const auto highest = std::max(sysctl.highest, sysctl.kernel_highest);
    return "<" + std::to_string(sysctl.lowest) + "-" + std::to_string(highest) + ">";
}

}  // namespace

SysctlTexts::SysctlTexts(const Sysctl& sysctl)
    : path(path_of(name_of(sysctl))),
      folder(path.substr(0, path.rfind('/'))),
      set_by("writes the number to " + path),
      next_step("echo " + std::string(sysctl.usual) + " | sudo tee " + path),
      persist(persist_of(sysctl)),
      bytes(bytes_of(sysctl)),
      place{path, Codec::line, bytes} {}

SysctlSetting::SysctlSetting(const Sysctl& sysctl)
    : SysctlTexts(sysctl), FileSetting(info_of(sysctl, *this), facts_of(sysctl, *this)) {}

Info SysctlSetting::info_of(const Sysctl& sysctl, const SysctlTexts& texts) {
    return {
        .id = sysctl.id,
        .summary = sysctl.summary,
        .why = sysctl.why,
        .source = sysctl.source,
        .target = "system",
        .read_from = texts.path,
        .set_by = texts.set_by,
        .next_step = texts.next_step,
        .persist = texts.persist,
        .risk_note = sysctl.risk_note,
        .risk = Risk::low,
        .over_cluster = OverCluster::equal,
        .forms = {{.kind = FormKind::integer, .lowest = sysctl.lowest, .highest = sysctl.highest}},
        .places = {&texts.place, 1}};
}

FileFacts SysctlSetting::facts_of(const Sysctl& sysctl, const SysctlTexts& texts) {
    return {.path = texts.path,
            .shape = FileShape::number,
            .folder = texts.folder,
            .without = sysctl.without,
            .absent_is = sysctl.absent_is,
            .explain = sysctl.explain};
}

}  // namespace rocenv
