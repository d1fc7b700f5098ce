// SPDX-License-Identifier: MIT
// PCI functions. One file each (modalias: vendor, device and class from memory, no bus access), so
// that a node with 2,000 functions costs 2,000 reads.
#include <algorithm>
#include <array>
#include <memory>
#include <tuple>

#include "machine/rdma/rdma.h"
#include "os/redact/redact_words.h"
#include "rocenv/machine.h"
#include "util/text.h"

namespace rocenv {

namespace {

const std::string devices_folder = "/sys/bus/pci/devices";
constexpr std::size_t most_functions = 10000;
constexpr std::ptrdiff_t most_gpus =
    512;  // each has findings of its own; nodes have 8, or 64 virtual

constexpr std::array<int, 256> hex_digits() {
    std::array<int, 256> digits{};
    digits.fill(-1);
    constexpr std::string_view both[] = {"0123456789abcdef", "0123456789ABCDEF"};
    for (const auto row : both) {
        for (std::size_t at = 0; at < row.size(); ++at) {
            digits[static_cast<unsigned char>(row[at])] = static_cast<int>(at);
        }
    }
    return digits;
}

constexpr auto digit_of = hex_digits();

bool is_hex(std::string_view text) {
    constexpr std::size_t most = 16;  // more may be too large a number
    if (text.size() > most) {
        return parse_number(text, 16).has_value();
    }
    return !text.empty() && std::all_of(text.begin(), text.end(), [](char byte) {
        return digit_of[static_cast<unsigned char>(byte)] >= 0;
    });
}

// So many hexadecimal digits; `all` is negative once one is none. std::from_chars takes three times
// as long.
template <std::size_t Count>
std::uint32_t digits_at(std::string_view text, std::size_t at, int& all) {
    static_assert(Count <= 8);
    std::uint32_t value = 0;
    for (std::size_t next = at; next < at + Count; ++next) {
        const int digit = digit_of[static_cast<unsigned char>(text[next])];
        all |= digit;
        value = value << 4 | static_cast<std::uint32_t>(digit & 0xf);
    }
    return value;
}

// pci:v00001002d000074A1sv00001002sd000074A1bc12sc00i00 (linux drivers/pci/pci-sysfs.c
// modalias_show, 6.12: each number in as many digits). A node has thousands.
bool take_modalias(std::string_view text, PciFunction& function) {
    constexpr std::string_view form = "pci:v00000000d00000000sv00000000sd00000000bc00sc00i00";
    constexpr std::size_t vendor = form.find('v') + 1;
    constexpr std::size_t device = form.find('d') + 1;
    constexpr std::size_t subsystem_vendor = form.find("sv") + 2;
    constexpr std::size_t subsystem_device = form.find("sd") + 2;
    constexpr std::size_t base = form.find("bc") + 2;
    constexpr std::size_t sub = form.find("sc") + 2;
    constexpr std::size_t interface = form.rfind('i') + 1;
    if (text.size() != form.size() || text.substr(0, vendor) != form.substr(0, vendor) ||
        text[device - 1] != 'd' || text.substr(subsystem_vendor - 2, 2) != "sv" ||
        text.substr(subsystem_device - 2, 2) != "sd" || text.substr(base - 2, 2) != "bc" ||
        text.substr(sub - 2, 2) != "sc" || text[interface - 1] != 'i') {
        return false;
    }
    int all = 0;
    const std::tuple ids{
        digits_at<8>(text, vendor, all), digits_at<8>(text, device, all),
        digits_at<8>(text, subsystem_vendor, all) << 16 | digits_at<8>(text, subsystem_device, all),
        digits_at<2>(text, base, all) << 16 | digits_at<2>(text, sub, all) << 8 |
            digits_at<2>(text, interface, all)};
    if (all < 0) {
        return false;
    }
    std::tie(function.vendor, function.device, function.subsystem, function.class_code) = ids;
    return true;
}

// A file that holds "0x1002\n".
std::optional<Error> take_hex(const Fs& fs, const std::string& path, std::uint32_t& out) {
    const auto text = fs.read(path);
    if (!text) {
        return text.error();
    }
    const auto word = trim(*text);
    const auto value = word.starts_with("0x") ? parse_number(word.substr(2), 16) : std::nullopt;
    if (!value || *value > 0xffffffff) {
        return garbled(path, "is not a valid hexadecimal number: " + quoted_value(word));
    }
    out = static_cast<std::uint32_t>(*value);
    return std::nullopt;
}

PciFunction identify(const Fs& fs, const std::string& bdf) {
    PciFunction function;
    function.bdf = bdf;
    const auto alias = fs.read(pci_path(bdf, "/modalias"));
    if (alias && take_modalias(trim(*alias), function)) {
        return function;
    }
    auto error =
        alias || alias.is(ErrorKind::not_here) ? std::nullopt : std::optional(alias.error());
    if (!error) {
        error = take_hex(fs, pci_path(bdf, "/vendor"), function.vendor);
    }
    if (!error) {
        error = take_hex(fs, pci_path(bdf, "/device"), function.device);
    }
    if (!error) {
        error = take_hex(fs, pci_path(bdf, "/class"), function.class_code);
    }
    if (error) {
        function.error = std::make_shared<const Error>(*std::move(error));
    }
    return function;
}

}  // namespace

bool is_pci_address(std::string_view name) {
    const auto domain = name.substr(0, name.find(':'));
    const auto rest = name.substr(domain.size());  // ":05:00.0"
    return domain.size() >= 4 && is_hex(domain) && rest.size() == 8 && rest[3] == ':' &&
           rest[6] == '.' && is_hex(rest.substr(1, 2)) && is_hex(rest.substr(4, 2)) &&
           is_hex(rest.substr(7));
}

std::string pci_path(std::string_view bdf, std::string_view file) {
    return concat({devices_folder, "/", bdf, file});
}

const Result<std::vector<PciFunction>>& Machine::pci() const {
    if (pci_) {
        return *pci_;
    }
    const auto names = fs_.list(devices_folder);
    if (!names) {
        return pci_.emplace(names.error());
    }
    if (names->size() > most_functions) {
        return pci_.emplace(
            garbled(devices_folder, "holds more than " + number(most_functions) + " functions"));
    }
    std::vector<PciFunction> functions;
    functions.reserve(names->size());
    for (const auto& name : *names) {
        if (is_pci_address(name)) {
            functions.push_back(identify(fs_, name));
        }
    }
    const auto gpus =
        std::count_if(functions.begin(), functions.end(),
                      [](const PciFunction& function) { return function.is_amd_gpu(); });
    if (gpus > most_gpus) {
        return pci_.emplace(
            garbled(devices_folder, "holds more than " + number(most_gpus) + " GPUs"));
    }
    return pci_.emplace(std::move(functions));
}

PciFunction Machine::function(const std::string& bdf) const {
    if (pci_ && pci_->ok()) {
        const auto& known = pci_->value();
        const auto found = std::lower_bound(
            known.begin(), known.end(), bdf,
            [](const PciFunction& each, const std::string& address) { return each.bdf < address; });
        if (found != known.end() && found->bdf == bdf) {
            return *found;
        }
    }
    return identify(fs_, bdf);
}

// ../../../devices/pci0000:00/0000:00:01.1/0000:05:00.0
Result<PciPlace> Machine::place_of(const std::string& bdf) const {
    const auto target = fs_.link(pci_path(bdf));
    if (!target) {
        return target.error();
    }
    PciPlace place;
    for (const auto part : split(*target, '/')) {
        if (part.starts_with("pci") && place.bridges.empty()) {
            place.root = part;
        } else if (is_pci_address(part) && part != bdf) {
            place.bridges.emplace_back(part);
        }
    }
    return place;
}

Result<std::vector<std::string>> Machine::bridges_above(const std::string& bdf) const {
    auto place = place_of(bdf);
    return place ? Result(std::move(place.value().bridges)) : place.error();
}

Result<std::vector<RdmaNic>> Machine::named_rdma_nics() const {
    std::vector<RdmaNic> found;
    for (const char* folder : {"/sys/class/infiniband", "/sys/class/cxi"}) {
        const auto names = fs_.list(folder);
        if (!names && !names.is(ErrorKind::not_here)) {
            return names.error();
        }
        if (names && names->size() > most_rdma_devices) {
            return garbled(folder, "holds more than " + number(most_rdma_devices) + " devices");
        }
        for (const auto& name : names ? *names : std::vector<std::string>()) {
            const auto target = fs_.link(std::string(folder) + "/" + name + "/device");
            if (!target && !target.is(ErrorKind::not_here)) {
                return target.error();
            }
            const std::string bdf = target ? target->substr(target->rfind('/') + 1) : "";
            if (is_pci_address(bdf)) {  // a software device (rxe, siw) hangs off none
                found.push_back({bdf, name});
            }
        }
    }
    std::stable_sort(found.begin(), found.end(),
                     [](const RdmaNic& a, const RdmaNic& b) { return a.bdf < b.bdf; });
    const auto same = [](const RdmaNic& a, const RdmaNic& b) { return a.bdf == b.bdf; };
    found.erase(std::unique(found.begin(), found.end(), same), found.end());
    return found;
}

Result<std::vector<std::string>> Machine::rdma_nics() const {
    const auto nics = named_rdma_nics();
    if (!nics) {
        return nics.error();
    }
    std::vector<std::string> functions;
    for (const auto& nic : *nics) {
        functions.push_back(nic.bdf);
    }
    return functions;
}

std::optional<Error> Machine::asleep(const std::string& bdf) const {
    const std::string path = pci_path(bdf, "/power/runtime_status");
    const auto status = fs_.read(path);
    if (!status) {
        if (status.is(ErrorKind::not_here)) {
            return std::nullopt;
        }
        return status.error();
    }
    const auto word = trim(*status);
    if (word != "suspended" && word != "suspending") {
        return std::nullopt;
    }
    return Error{ErrorKind::asleep, 0, path,
                 bdf + " is " + std::string(word) + ", and a read would wake it"};
}

}  // namespace rocenv
