// SPDX-License-Identifier: MIT
// AMD's names by PCI id and revision, for the parts that ROCm runs on. Source: libdrm's
// data/amdgpu.ids (gitlab.freedesktop.org/mesa/drm, state of 2026, version 1.0.0 of the list).
#include <algorithm>

#include "rocenv/machine.h"

namespace rocenv {

namespace {

struct Name {
    std::uint32_t device;
    std::uint32_t revision;
    std::string_view text;
};

constexpr Name names[] = {
    {0x66a1, 0x02, "AMD Instinct MI60 / MI50"},
    {0x66a1, 0x06, "AMD Radeon Pro VII"},
    {0x66af, 0xc1, "AMD Radeon VII"},
    {0x6860, 0x00, "AMD Radeon Instinct MI25"},
    {0x6860, 0x01, "AMD Radeon Instinct MI25"},
    {0x6860, 0x02, "AMD Radeon Instinct MI25"},
    {0x6860, 0x03, "AMD Radeon Pro V340"},
    {0x6860, 0x04, "AMD Radeon Instinct MI25x2"},
    {0x6860, 0x07, "AMD Radeon Pro V320"},
    {0x738c, 0x01, "AMD Instinct MI100"},
    {0x73a1, 0x00, "AMD Radeon Pro V620"},
    {0x73a3, 0x00, "AMD Radeon Pro W6800"},
    {0x73a5, 0xc0, "AMD Radeon RX 6950 XT"},
    {0x73bf, 0xc0, "AMD Radeon RX 6900 XT"},
    {0x73bf, 0xc1, "AMD Radeon RX 6800 XT"},
    {0x73bf, 0xc3, "AMD Radeon RX 6800"},
    {0x7408, 0x00, "AMD Instinct MI250X"},
    {0x740c, 0x01, "AMD Instinct MI250X / MI250"},
    {0x740f, 0x02, "AMD Instinct MI210"},
    {0x7448, 0x00, "AMD Radeon Pro W7900"},
    {0x7449, 0x00, "AMD Radeon Pro W7800 48GB"},
    {0x744a, 0x00, "AMD Radeon Pro W7900 Dual Slot"},
    {0x744b, 0x00, "AMD Radeon Pro W7900D"},
    {0x744c, 0xc8, "AMD Radeon RX 7900 XTX"},
    {0x744c, 0xcc, "AMD Radeon RX 7900 XT"},
    {0x744c, 0xce, "AMD Radeon RX 7900 GRE"},
    {0x745e, 0xcc, "AMD Radeon Pro W7800"},
    {0x7470, 0x00, "AMD Radeon Pro W7700"},
    {0x74a0, 0x00, "AMD Instinct MI300A"},
    {0x74a1, 0x00, "AMD Instinct MI300X"},
    {0x74a2, 0x00, "AMD Instinct MI308X"},
    {0x74a5, 0x00, "AMD Instinct MI325X"},
    {0x74a8, 0x00, "AMD Instinct MI308X HF"},
    {0x74a9, 0x00, "AMD Instinct MI300X HF"},
    {0x74b5, 0x00, "AMD Instinct MI300X VF"},
    {0x74b6, 0x00, "AMD Instinct MI308X"},
    {0x74bd, 0x00, "AMD Instinct MI300X HF"},
    {0x7550, 0xc0, "AMD Radeon RX 9070 XT"},
    {0x7550, 0xc2, "AMD Radeon RX 9070 GRE"},
    {0x7550, 0xc3, "AMD Radeon RX 9070"},
    {0x7551, 0xc0, "AMD Radeon AI PRO R9700"},
    {0x75a0, 0x00, "AMD Instinct MI350X"},
    {0x75a3, 0x00, "AMD Instinct MI355X"},
    {0x75b0, 0x00, "AMD Instinct MI350X VF"},
    {0x75b3, 0x00, "AMD Instinct MI355X VF"},
};

}  // namespace

std::string_view marketing_name(std::uint32_t device, std::optional<std::uint32_t> revision) {
    std::string_view found;
    for (const auto& name : names) {
        if (name.device == device && (!revision || name.revision == *revision)) {
            if (!found.empty() && found != name.text) {
                return {};
            }
            found = name.text;
        }
    }
    return found;
}

}  // namespace rocenv
