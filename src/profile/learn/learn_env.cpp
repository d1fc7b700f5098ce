// SPDX-License-Identifier: MIT
#include "profile/learn/learn_env.h"

#include <algorithm>
#include <array>

#include "os/redact/redact.h"
#include "util/letters.h"
#include "util/quoting.h"
#include "util/text.h"
#include "variables/catalogue.h"
#include "variables/inspection.h"
#include "variables/releases/versions.h"

namespace rocenv {

namespace {

// Set by launchers and schedulers, another text for each process or job.
constexpr std::array<std::string_view, 14> of_one_process{"CUDA_VISIBLE_DEVICES",
                                                          "GPU_DEVICE_ORDINAL",
                                                          "GROUP_RANK",
                                                          "HIP_VISIBLE_DEVICES",
                                                          "LOCAL_RANK",
                                                          "LOCAL_WORLD_SIZE",
                                                          "MASTER_ADDR",
                                                          "MASTER_PORT",
                                                          "NCCL_HOSTID",
                                                          "RANK",
                                                          "ROCR_VISIBLE_DEVICES",
                                                          "VLLM_HOST_IP",
                                                          "VLLM_PORT",
                                                          "WORLD_SIZE"};

// Whether `count` numbers up to `most` stand in a row, with a separator between each two.
bool holds_groups(std::string_view text, char separator, int base, std::uint64_t most,
                  std::size_t count) {
    const std::string digits = base == 16 ? "0123456789abcdefABCDEF" : "0123456789";
    std::size_t at = 0;
    while (at < text.size()) {
        const auto end = std::min(text.find_first_not_of(digits + separator, at), text.size());
        std::size_t row = 0;
        for (const auto part : split(text.substr(at, end - at), separator)) {
            row = parse_number(part, base).value_or(most + 1) <= most ? row + 1 : 0;
            if (row == count) {
                return true;
            }
        }
        at = end + 1;
    }
    return false;
}

// Of IP version 4 or 6, or behind a scheme.
bool holds_network_address(std::string_view text) {
    return text.find("::") != std::string_view::npos ||
           text.find("://") != std::string_view::npos || holds_groups(text, '.', 10, 0xff, 4) ||
           holds_groups(text, ':', 16, 0xffff, 8);
}

// As it would be unset: wanting it would say nothing.
bool is_default(const Variable& variable, const std::string& text, const Readers& readers) {
    const Reading unset = readers.read(variable, std::nullopt);
    return unset.certain() && unset.effective != "unset" &&
           unset.effective == readers.read(variable, text).effective;
}

LearntVariable learn_variable(const Variable& variable, const std::string& text,
                              const Context& context, const Readers& readers,
                              const Identity& identity) {
    LearntVariable out{std::string(variable.name), std::nullopt, ""};
    const std::string value = identity.as_value(text);
    const auto found = inspect_one(variable, text, context.process.environment, readers);
    if (is_secret(variable)) {
        out.why_not = "a secret";
    } else if (std::find(of_one_process.begin(), of_one_process.end(), variable.name) !=
               of_one_process.end()) {
        out.why_not = "belongs to one process or job";
    } else if (identity.is_in(value)) {
        out.why_not = "holds the name of a user or host, or an address";
    } else if (!is_utf8(text)) {
        out.why_not = "is not UTF-8, which TOML cannot hold";
    } else if (found.misread || variable.status == "removed") {
        out.why_not = join(found.faults, "; ");
    } else {
        out.value = value;
    }
    return out;
}

// Where it is part of a path, an address or a quoted text: as a word of a sentence of ours ("a
// guest") it is no name.
void take_out(const std::string& name, std::string& text) {
    constexpr std::string_view joints = "/\"=@";
    const auto at_joint = [&](std::size_t at) {
        return at < text.size() && joints.find(text[at]) != std::string_view::npos;
    };
    const auto in_word = [&](std::size_t at) {
        return at < text.size() && is_letter_or_digit(text[at]);
    };
    std::size_t at = text.find(name);
    while (at != std::string::npos) {
        const std::size_t before = at == 0 ? std::string::npos : at - 1;
        const std::size_t end = at + name.size();
        const bool found = (at_joint(before) || at_joint(end)) && !in_word(before) && !in_word(end);
        if (found) {
            text.replace(at, name.size(), redacted);
        }
        at = text.find(name, found ? at + redacted.size() : end);
    }
}

}  // namespace

Identity::Identity(const Process& process, const std::string& hostname)
    : home_(process.variable("HOME").value_or("")), names_{hostname} {
    while (home_.ends_with('/')) {
        home_.pop_back();
    }
    for (const char* who : {"USER", "LOGNAME", "SUDO_USER", "HOSTNAME"}) {
        names_.push_back(process.variable(who).value_or(""));
    }
    names_.push_back(home_.substr(home_.rfind('/') + 1));
    std::erase(names_, "");
    std::erase(names_, "root");  // tells nothing of anybody
}

std::string Identity::as_value(const std::string& text) const {
    constexpr std::string_view before_path = ":,=; ";
    std::string out;
    for (std::size_t at = 0; at < text.size(); ++at) {
        const std::string_view rest = std::string_view(text).substr(at);
        const bool starts = at == 0 || before_path.find(text[at - 1]) != std::string_view::npos;
        const char next = rest.size() > home_.size() ? rest[home_.size()] : '/';
        if (starts && !home_.empty() && rest.starts_with(home_) &&
            (next == '/' || before_path.find(next) != std::string_view::npos)) {
            out += "${HOME}";
            at += home_.size() - 1;
            continue;
        }
        const bool expands =
            text[at] == '$' && rest.size() > 1 && (rest[1] == '$' || rest[1] == '{');
        out += expands ? std::string("$$") : std::string(1, text[at]);
    }
    return out;
}

bool Identity::is_in(const std::string& text) const {
    return holds_network_address(text) || redact_addresses(text) != text ||
           redact_names(text, names_) != text;
}

std::string Identity::taken_out(const std::string& text) const {
    const std::string home = "${HOME}";
    std::string out = text;
    for (auto at = home_.empty() ? std::string::npos : out.find(home_); at != std::string::npos;
         at = out.find(home_, at + home.size())) {
        out.replace(at, home_.size(), home);
    }
    for (const auto& name : names_) {
        take_out(name, out);
    }
    return redact_addresses(out);
}

std::vector<LearntVariable> learn_environment(const Context& context, const Identity& identity) {
    const Versions here(context.machine, context.process);
    const Readers readers(context.machine, context.versions ? *context.versions : here);
    std::vector<LearntVariable> out;
    for (const auto& [name, text] : context.process.environment) {
        const auto variable = find_variable(name);
        if (variable && !is_default(*variable, text, readers)) {
            out.push_back(learn_variable(*variable, text, context, readers, identity));
        }
    }
    return out;
}

}  // namespace rocenv
