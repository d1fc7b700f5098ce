// SPDX-License-Identifier: MIT
// Files of waivers: those of a file without a fault, written down, are read as the same.
#include "fuzz/fuzz.h"
#include "profile/waiver_file.h"
#include "util/text.h"

namespace rocenv::fuzz {

namespace waivers_fuzz {

namespace {

std::string toml_of(const std::string& text) {
    return toml_text({text, {}});
}

std::string text_of(const Waiver& waiver) {
    std::string out = "[[waiver]]\nid = " + toml_of(waiver.id) + "\nuntil = " + waiver.until +
                      "\nticket = " + toml_of(waiver.ticket) + "\nwhy = " + toml_of(waiver.why) +
                      "\n";
    if (!waiver.target.empty()) {
        out += "target = " + toml_of(waiver.target) + "\n";
    }
    std::string nodes;
    for (const auto& node : waiver.nodes) {
        nodes += (nodes.empty() ? "" : ", ") + toml_of(node);
    }
    return out + (nodes.empty() ? "" : "nodes = [" + nodes + "]\n");
}

std::string text_of(const WaiverFile& file) {
    std::string out;
    for (const auto& waiver : file.waivers) {
        out += text_of(waiver);
    }
    return out;
}

}  // namespace

}  // namespace waivers_fuzz

void fuzz_waivers(std::string_view bytes) {
    using namespace waivers_fuzz;
    const auto file = parse_waivers("f.toml", bytes);
    for (const auto& diagnostic : file.diagnostics) {
        const std::string text = diagnostic_text(diagnostic);
        demand(printable(text, uncut) == text, "a message is printable", text);
    }
    if (has_errors(file.diagnostics)) {
        return;
    }
    const std::string text = text_of(file);
    const auto again = parse_waivers("f.toml", text);
    demand(again.diagnostics.empty(), "waivers are read again", text);
    demand(text_of(again) == text, "they are read as they were written", text);
}

}  // namespace rocenv::fuzz
