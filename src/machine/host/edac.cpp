// SPDX-License-Identifier: MIT
#include "machine/host/edac.h"

#include <algorithm>
#include <optional>

#include "util/text.h"

namespace rocenv {

const std::string& edac_folder() {
    static const std::string folder = "/sys/devices/system/edac/mc";
    return folder;
}

// Returns a loaded driver of memory controllers: "amd64_edac".
static std::optional<std::string> loaded_driver(const Fs& fs) {
    const auto modules = fs.list("/sys/module");
    for (const auto& name : modules ? *modules : std::vector<std::string>()) {
        if (name.ends_with("_edac")) {
            return name;
        }
    }
    return std::nullopt;
}

Result<std::vector<std::string>> memory_controllers(const Fs& fs) {
    auto names = fs.list(edac_folder());
    if (!names) {
        const auto driver =
            names.is(ErrorKind::not_here) ? loaded_driver(fs) : std::optional<std::string>();
        return driver ? Error{ErrorKind::io, 0, edac_folder(),
                              edac_folder() + " does not exist, although the driver " + *driver +
                                  " is loaded"}
                      : names.error();
    }
    auto& list = names.value();
    std::erase_if(list, [](const std::string& name) {
        return !name.starts_with("mc") || !parse_number(name.substr(2));
    });
    std::sort(list.begin(), list.end(), [](const std::string& one, const std::string& other) {
        return *parse_number(one.substr(2)) < *parse_number(other.substr(2));
    });
    constexpr std::size_t most = 1024;
    if (list.size() > most) {
        return garbled(edac_folder(), "holds more than " + number(most) + " controllers");
    }
    if (list.empty()) {
        return Error{ErrorKind::not_here, 0, edac_folder(),
                     edac_folder() + ": the folder is empty"};
    }
    return names;
}

}  // namespace rocenv
