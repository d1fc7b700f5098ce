// SPDX-License-Identifier: MIT
#include "settings/shapes/requirements.h"

#include "os/redact/redact_words.h"
#include "util/text.h"

namespace rocenv {

VersionRequirement version_requirement(const Value& value) {
    if (value.integer() != nullptr) {
        return {number(*value.integer()), number(*value.integer()), false};
    }
    const std::string& text = *value.text();
    const bool minimum = text.starts_with(">=");
    const std::string version(trim(std::string_view(text).substr(minimum ? 2 : 0)));
    return {minimum ? ">=" + version : version, version, minimum};
}

bool VersionRequirement::accepts(std::string_view found) const {
    if (minimum) {
        return compare_versions(found, version).value_or(-1) >= 0;
    }
    return found.starts_with(version) &&
           (found.size() == version.size() || found[version.size()] == '.' ||
            found[version.size()] == '-');
}

bool VersionRequirement::accepts_count(std::uint64_t count) const {
    const auto order = compare_versions(number(count), version);
    return order && (minimum ? *order >= 0 : *order == 0);
}

Result<std::string> version_of_file(const Fs& fs, const std::string& path, const std::string& what,
                                    std::size_t longest) {
    const auto text = fs.read(path);
    if (!text) {
        return text.error();
    }
    const auto version = trim(*text);
    if (version.size() > longest || !is_plain(version) || !compare_versions(version, "0")) {
        return garbled(path, "is not a valid " + what + ": " + quoted_value(version));
    }
    return std::string(version);
}

Assessment judged_version(const VersionRequirement& requirement, const std::string& found) {
    auto row = compared({}, requirement.text, found);
    row.outcome = requirement.accepts(found) ? Outcome::ok : Outcome::differs;
    return row;
}

std::optional<std::vector<Value>> learn_count(const Setting& setting, const Context& context) {
    Expectation expectation;
    expectation.value.data = "consistent";
    const auto rows = setting.assess(setting, context, expectation);
    const bool all_well = rows.size() == 1 && rows.front().outcome == Outcome::ok;
    const auto count = all_well ? parse_signed(*rows.front().have) : std::nullopt;
    return std::vector{count ? Value{*count, {}} : expectation.value};
}

}  // namespace rocenv
