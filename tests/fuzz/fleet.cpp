// SPDX-License-Identifier: MIT
// Reports of nodes in a stream: however it comes in pieces, the same is read and the same is said
// to be wrong.
#include "fleet/read/gather.h"
#include "fuzz/fuzz.h"
#include "util/text.h"

namespace rocenv::fuzz {

namespace fleet_fuzz {

namespace {

Result<JudgedRecording> no_recording(const std::string& file, const std::string&) {
    return Error{ErrorKind::bad_input, 0, file, "no recording"};
}

std::string printed(const FleetPools& pools, const Sweep::Node& node) {
    const auto& report = pools.reports.rows().at(node.report);
    std::string out = number(node.line) + " " + std::string(node.time) + " " +
                      std::string(report.result) + " " + number(report.exit_code);
    for (const auto index : report.findings) {
        const auto& finding = pools.findings.rows().at(index);
        out += " " + std::string(finding.id) + "/" + std::string(finding.target);
    }
    return out + " " + number(report.facts.size()) + "\n";
}

// Returns the values read from the text in pieces of this size.
std::string printed(std::string_view text, std::size_t piece) {
    FleetPools pools;
    Problems problems;
    Sweep sweep;
    IdFilter filter({}, {});
    Gatherer gatherer(pools, filter, problems, no_recording, 1795000000);
    const ReadPiece next = [&](std::string& into, std::size_t most) -> Result<std::size_t> {
        const auto size = std::min({most, piece, text.size()});
        into += text.substr(0, size);
        text.remove_prefix(size);
        return size;
    };
    gatherer.take_stream("f.json", next, sweep);
    std::string out;
    for (const auto& [name, node] : sweep.nodes) {
        out += std::string(name) + ":" + printed(pools, node);
    }
    for (const auto& problem : problems.all) {
        demand(!problem.text.empty(), "a problem says what is wrong");
        out += number(problem.line) + " " + problem.text + "\n";
    }
    return out;
}

}  // namespace

}  // namespace fleet_fuzz

void fuzz_fleet(std::string_view bytes) {
    using namespace fleet_fuzz;
    const std::string whole = printed(bytes, bytes.size() + 1);
    const std::string pieces = printed(bytes, bytes.size() % 97 + 1);
    demand(whole == pieces, "pieces say what the whole does",
           [&] { return whole + "---\n" + pieces; });
}

}  // namespace rocenv::fuzz
