// SPDX-License-Identifier: MIT
#include "variables/visible_gpus.h"

#include <algorithm>
#include <array>
#include <cstdlib>

#include "util/near_names.h"
#include "util/text.h"
#include "variables/parsers/parsers.h"
#include "variables/releases/versions.h"

namespace rocenv {

namespace {

constexpr std::string_view uuid_prefix = "GPU-";

std::string uuid_digits(std::uint64_t id) {
    std::string out(16, '0');
    for (auto digit = out.rbegin(); digit != out.rend(); ++digit, id >>= 4) {
        *digit = "0123456789abcdef"[id & 15];
    }
    return out;
}

std::string upper(std::string text) {
    for (char& each : text) {
        each = each >= 'a' && each <= 'z' ? static_cast<char>(each - 'a' + 'A') : each;
    }
    return text;
}

// Returns an entry as messages show it.
std::string shown(std::string_view entry) {
    return entry.empty() ? "an empty entry" : in_quotes(entry, 200);
}

std::string beyond(std::string_view entry, std::size_t count) {
    return shown(entry) + " is beyond the last device (" +
           (count == 0   ? std::string("no device exists")
            : count == 1 ? std::string("only 0 exists")
                         : "0 to " + number(count - 1)) +
           ")";
}

// Splits like getline(3) with ',': a last comma adds no entry.
std::vector<std::string> entries_of(const std::string& text) {
    std::vector<std::string> out;
    for (std::size_t at = 0; at < text.size();) {
        const auto end = std::min(text.find(',', at), text.size());
        out.push_back(text.substr(at, end - at));
        at = end + 1;
    }
    return out;
}

// One entry: the device that it selects, or why it selects none.
struct Entry {
    std::optional<std::size_t> device;
    std::string fault;
};

Entry rocr_uuid(const std::string& entry, const std::vector<std::uint64_t>& unique_ids) {
    constexpr std::size_t shortest = 5, longest = 20;
    if (entry.size() < shortest || entry.size() > longest) {
        return {{}, shown(entry) + " is not a valid UUID (GPU- and 1 to 16 hex digits)"};
    }
    Entry out;
    for (std::size_t at = 0; at < unique_ids.size(); ++at) {
        const std::string uuid =
            unique_ids[at] == 0 ? "Invalid-UUID"
                                : upper(std::string(uuid_prefix) + uuid_digits(unique_ids[at]));
        if (!uuid.starts_with(entry)) {
            continue;
        }
        if (out.device) {
            return {{}, shown(entry) + " fits more than one device"};
        }
        out.device = at;
    }
    out.fault = out.device ? "" : "no device has the UUID " + shown(entry);
    return out;
}

Entry rocr_entry(const std::string& raw, const std::vector<std::uint64_t>& unique_ids) {
    const std::string entry = upper(std::string(trim(raw)));
    if (entry.empty()) {
        return {{}, "an empty entry makes ROCr abort"};
    }
    if (entry.front() == 'G') {
        return rocr_uuid(entry, unique_ids);
    }
    char* end = nullptr;
    const auto index = static_cast<std::int32_t>(std::strtol(entry.c_str(), &end, 0));
    if (*end != '\0') {
        return {{}, shown(raw) + " is not a number or a UUID"};
    }
    if (index < 0) {
        return {{}, shown(raw) + " ends the list"};
    }
    const auto at = static_cast<std::size_t>(index);
    return at < unique_ids.size() ? Entry{at, ""} : Entry{{}, beyond(raw, unique_ids.size())};
}

Entry hip_entry(const std::string& entry, const std::vector<std::uint64_t>& unique_ids,
                bool uuids) {
    if (entry.find(uuid_prefix) != entry.npos) {
        for (std::size_t at = 0; uuids && at < unique_ids.size(); ++at) {
            const std::string uuid = std::string(uuid_prefix) +
                                     (unique_ids[at] == 0 ? "XX" : uuid_digits(unique_ids[at]));
            if (uuid.find(entry) != uuid.npos) {
                return {at, ""};
            }
        }
        return {{},
                uuids ? "ROCr left no device with the UUID " + shown(entry)
                      : shown(entry) + " is a UUID, which HIP reads since ROCm 6.2"};
    }
    if (entry.starts_with('-')) {
        return {{}, shown(entry) + " ends the list"};
    }
    const auto index = parse_number(entry);
    if (!index || number(*index) != entry) {
        return {{}, shown(entry) + " is not a number in plain digits"};
    }
    constexpr std::uint64_t largest = 0x7fffffff;
    if (*index > largest || *index >= unique_ids.size()) {
        return {{}, beyond(entry, unique_ids.size())};
    }
    return {*index, ""};
}

// Removes quotes around the whole value, as CLR does (rocclr/utils/flags.cpp removeQuotes,
// 2026-11).
std::string without_quotes(const std::string& text) {
    const auto* parser = find_parser("clr-string");
    return text.find('"') == text.npos ? text : parser->read({text, std::nullopt, {}}).value;
}

// Returns whether the value itself selects no device: it is empty, or its first entry is -1.
bool means_none(const std::vector<std::string>& entries) {
    return entries.empty() || trim(entries.front()) == "-1";
}

// Python's int(re.match("[+-]?[0-9]*", text)) as torch reads an entry; -1 if there is no digit.
std::int64_t torch_number(std::string_view text) {
    text = trim(text);
    std::size_t at = text.starts_with('+') || text.starts_with('-') ? 1 : 0;
    std::int64_t out = 0;
    const std::size_t first = at;
    for (; at < text.size() && text[at] >= '0' && text[at] <= '9'; ++at) {
        out = std::min<std::int64_t>(out * 10 + (text[at] - '0'), INT32_MAX);
    }
    return at == first || text.starts_with('-') ? -1 : out;
}

std::vector<std::string> python_split(const std::string& text) {
    auto out = entries_of(text);
    if (text.empty() || text.ends_with(',')) {
        out.emplace_back();
    }
    return out;
}

TorchCount torch_uuids(const std::string& text, const std::vector<std::uint64_t>& unique_ids) {
    std::vector<std::string> entries;
    for (auto& entry : python_split(text)) {
        if (std::find(entries.begin(), entries.end(), entry) != entries.end()) {
            return {};
        }
        if (!entry.starts_with(uuid_prefix)) {
            break;
        }
        entries.push_back(std::move(entry));
    }
    std::vector<std::size_t> found;
    for (const auto& entry : entries) {
        std::vector<std::size_t> fitting;
        for (std::size_t at = 0; at < unique_ids.size(); ++at) {
            if (uuid_digits(unique_ids[at]).starts_with(entry.substr(uuid_prefix.size()))) {
                fitting.push_back(at);
            }
        }
        if (fitting.size() != 1) {
            break;
        }
        if (std::find(found.begin(), found.end(), fitting.front()) != found.end()) {
            return {};
        }
        found.push_back(fitting.front());
    }
    return {found.size(), ""};
}

TorchCount torch_numbers(const std::string& text, std::size_t physical) {
    std::vector<std::int64_t> out;
    for (const auto& entry : python_split(text)) {
        const std::int64_t index = torch_number(entry);
        if (std::find(out.begin(), out.end(), index) != out.end()) {
            return {};
        }
        if (index < 0) {
            break;
        }
        out.push_back(index);
    }
    const auto beyond_end = std::find_if(out.begin(), out.end(), [&](std::int64_t index) {
        return static_cast<std::size_t>(index) >= physical;
    });
    return {static_cast<std::size_t>(beyond_end - out.begin()), ""};
}

}  // namespace

DeviceSelection rocr_selection(const std::string& text,
                               const std::vector<std::uint64_t>& unique_ids) {
    const auto entries = entries_of(text);
    DeviceSelection out{"ROCR_VISIBLE_DEVICES", text, {}, 0, ""};
    out.named = means_none(entries) ? 0 : entries.size();
    for (std::size_t at = 0; at < std::min(entries.size(), unique_ids.size()); ++at) {
        auto entry = rocr_entry(entries[at], unique_ids);
        if (!entry.device) {
            out.fault = std::move(entry.fault);
            if (trim(entries[at]).empty()) {
                out.kept.clear();
            }
            return out;
        }
        if (std::find(out.kept.begin(), out.kept.end(), *entry.device) != out.kept.end()) {
            out.fault = shown(entries[at]) + " is repeated, which ends the list";
            return out;
        }
        out.kept.push_back(*entry.device);
    }
    if (entries.size() > unique_ids.size()) {
        out.fault = "the list has " + number(entries.size()) + " entries for " +
                    number(unique_ids.size()) + (unique_ids.size() == 1 ? " device" : " devices");
    }
    return out;
}

DeviceSelection hip_selection(const std::string& variable, const std::string& text,
                              const std::vector<std::uint64_t>& unique_ids, bool uuids) {
    const auto entries = entries_of(without_quotes(text));
    DeviceSelection out{variable, text, {}, 0, ""};
    out.named = means_none(entries) ? 0 : entries.size();
    for (const auto& each : entries) {
        auto entry = hip_entry(each, unique_ids, uuids);
        if (!entry.device) {
            out.fault = std::move(entry.fault);
            return out;
        }
        if (std::find(out.kept.begin(), out.kept.end(), *entry.device) != out.kept.end()) {
            out.fault = shown(each) + " is repeated";
        } else {
            out.kept.push_back(*entry.device);
        }
    }
    return out;
}

VisibleDevices visible_devices(const std::vector<std::uint64_t>& unique_ids,
                               const std::map<std::string, std::string>& environment,
                               const std::optional<std::string>& rocm) {
    VisibleDevices out;
    for (std::size_t at = 0; at < unique_ids.size(); ++at) {
        out.devices.push_back(at);
    }
    std::vector<std::uint64_t> left = unique_ids;
    if (const auto rocr = environment.find("ROCR_VISIBLE_DEVICES"); rocr != environment.end()) {
        out.rocr = rocr_selection(rocr->second, unique_ids);
        out.devices = out.rocr->kept;
        left.clear();
        for (const auto at : out.devices) {
            left.push_back(unique_ids[at]);
        }
    }
    for (const char* name : {"HIP_VISIBLE_DEVICES", "CUDA_VISIBLE_DEVICES"}) {
        const auto found = environment.find(name);
        if (found == environment.end() || found->second.empty()) {
            continue;
        }
        const bool uuids = !rocm || compare_versions(*rocm, "6.2").value_or(0) >= 0;
        out.hip = hip_selection(name, found->second, left, uuids);
        std::vector<std::size_t> devices;
        for (const auto at : out.hip->kept) {
            devices.push_back(out.devices[at]);
        }
        out.devices = std::move(devices);
        break;
    }
    return out;
}

TorchCount torch_count(const std::vector<std::uint64_t>& unique_ids,
                       const std::map<std::string, std::string>& environment) {
    const auto value = [&](const char* name) {
        const auto found = environment.find(name);
        return found == environment.end() ? nullptr : &found->second;
    };
    const std::string* rocr = value("ROCR_VISIBLE_DEVICES");
    const std::string* hip = value("HIP_VISIBLE_DEVICES");
    const std::string* text = hip != nullptr ? hip : value("CUDA_VISIBLE_DEVICES");
    if (rocr != nullptr) {
        const std::size_t left = python_split(*rocr).size();
        if (hip == nullptr) {
            return {std::min(left, unique_ids.size()), ""};
        }
        if (python_split(*hip).size() > left) {
            return {0, "HIP_VISIBLE_DEVICES contains more devices than ROCR_VISIBLE_DEVICES"};
        }
    }
    if (text == nullptr) {
        return {std::min<std::size_t>(unique_ids.size(), 64), ""};
    }
    return text->starts_with(uuid_prefix) ? torch_uuids(*text, unique_ids)
                                          : torch_numbers(*text, unique_ids.size());
}

}  // namespace rocenv
