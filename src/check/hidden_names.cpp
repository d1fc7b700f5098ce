// SPDX-License-Identifier: MIT
#include "check/hidden_names.h"

#include <utility>

#include "machine/identity.h"
#include "util/credentials.h"
#include "util/text.h"
#include "variables/catalogue.h"

namespace rocenv {

namespace {

// Settings whose values are versions, which may have four numbers.
constexpr std::string_view of_versions =
    "cpu.microcode gpu.driver gpu.driver_origin gpu.firmware gpu.vbios host.bios kernel.version "
    "os.release rdma.firmware rocm.arch rocm.driver_match rocm.version tunableop.results";

// Settings whose values are texts of a maker, a distribution or a site.
constexpr std::string_view of_texts =
    "cpu.sockets gpu.vbios host.bios host.product kernel.cmdline kernel.version os.release "
    "rdma.firmware";

bool holds_text(std::string_view id) {
    return id.starts_with("env.") || contains_word(of_texts, id);
}

Dotted dotted_of(std::string_view id) {
    return contains_word(of_versions, id) ? Dotted::version : Dotted::address;
}

// Calls `each` for each text that may hold content of a file, a variable or a profile.
template <typename Each>
void in_each(Finding& finding, Each each) {
    for (auto* text : {&finding.expected, &finding.have, &finding.effective}) {
        if (*text) {
            each(**text);
        }
    }
    each(finding.detail);
}

// The kinds of identities in the texts of one setting.
struct Contained {
    explicit Contained(std::string_view id) : text(holds_text(id)), dotted(dotted_of(id)) {}

    std::string removed_from(std::string_view value, const HostName& host) const {
        const bool taken_out = !host.is_common() || text;
        return redact_text(value, taken_out ? host : HostName::none(), dotted);
    }

    bool text;
    Dotted dotted;
};

// Removes the words from findings that name the variable.
void hide_words(const std::string& name, const HiddenWords& words, Report& report) {
    for (auto& finding : report.findings) {
        if (finding.id == "env." + name || finding.detail.find(name) != std::string::npos) {
            in_each(finding,
                    [&](std::string& text) { text = words.removed_from(std::move(text)); });
        }
    }
}

// Removes parts of a user or password from findings that name their variable: a list is split
// before its words are named, so that a sentence may have no complete address.
void hide_credentials_of(const Process& process, Report& report) {
    for (const auto& [name, value] : process.environment) {
        HiddenWords words;
        words.add(value);
        if (!words.empty() && find_variable(name)) {
            hide_words(name, words, report);
        }
    }
}

}  // namespace

std::string without_identities(std::string_view id, std::string_view text, const HostName& host) {
    return Contained(id).removed_from(text, host);
}

std::string without_identities_in_fact(std::string_view id, std::string_view value,
                                       const HostName& host) {
    if (id != "kernel.cmdline") {
        return without_identities(id, value, host);
    }
    const std::string line = redact_command_line(value, host);
    return std::string(trim(line));
}

void hide_credentials(const Process& process, Report& report) {
    hide_credentials_of(process, report);
    for (auto& finding : report.findings) {
        in_each(finding, [](std::string& text) { text = without_credentials(text); });
    }
}

void hide_identities(const Machine& machine, const Process& process, Report& report) {
    hide_credentials_of(process, report);
    const HostName host(machine.facts().hostname);
    const auto named = [&](const std::string& text) {
        return without_named_addresses(machine, text);
    };
    for (auto& finding : report.findings) {
        const Contained contained(finding.id);
        in_each(finding, [&](std::string& text) {
            // Details are mostly texts of this program.
            const bool keeps = host.is_common() && &text == &finding.detail;
            text = contained.removed_from(named(text), keeps ? HostName::none() : host);
        });
        finding.target = named(finding.target);
        finding.fix = command_without_addresses(machine, finding.fix);
    }
    for (auto& note : report.notes) {
        note = named(note);
    }
    report.node.kernel = host.is_common() ? report.node.kernel : host.taken_out(report.node.kernel);
}

}  // namespace rocenv
