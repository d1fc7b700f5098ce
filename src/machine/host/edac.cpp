// SPDX-License-Identifier: MIT
#include "machine/host/edac.h"

#include <algorithm>

#include "util/text.h"

namespace rocenv {

const std::string& edac_folder() {
    static const std::string folder = "/sys/devices/system/edac/mc";
    return folder;
}

Result<std::vector<std::string>> memory_controllers(const Fs& fs) {
    auto names = fs.list(edac_folder());
    if (!names) {
        return names.error();
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
        return Error{ErrorKind::not_here, 0, edac_folder(), edac_folder() + ": is empty"};
    }
    return names;
}

}  // namespace rocenv
