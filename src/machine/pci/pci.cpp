// SPDX-License-Identifier: MIT
// PCI functions, with one file each (modalias: vendor, device and class from memory, no bus
// access): a node with 2,000 functions costs 2,000 reads.
#include "machine/pci/pci.h"

#include <algorithm>
#include <array>
#include <memory>
#include <tuple>
#include <utility>

#include "machine/rdma/rdma.h"
#include "os/redact/redact_words.h"
#include "rocenv/machine.h"
#include "util/text.h"

namespace rocenv {

namespace {

const std::string devices_folder = "/sys/bus/pci/devices";
constexpr std::size_t most_functions = 10000;
constexpr std::ptrdiff_t most_gpus = 512;  // each has its own findings; nodes have 8, or 64 virtual

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
    constexpr std::size_t most = 16;  // longer numbers may overflow
    if (text.size() > most) {
        return parse_number(text, 16).has_value();
    }
    return !text.empty() && std::all_of(text.begin(), text.end(), [](char byte) {
        return digit_of[static_cast<unsigned char>(byte)] >= 0;
    });
}

// Returns the value of `Count` hexadecimal digits; `all` becomes negative on an invalid one.
// std::from_chars takes three times as long.
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

// Parses pci:v00001002d000074A1sv00001002sd000074A1bc12sc00i00 (linux drivers/pci/pci-sysfs.c
// modalias_show, 6.12: fixed numbers of digits). A node has thousands.
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

// Reads a file such as "0x1002\n".
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

// Returns the location in ../../../devices/pci0000:00/0000:00:01.1/0000:05:00.0.
Result<PciPlace> Machine::place_of(const std::string& bdf) const {
    const auto& target = reader_of(bdf).path();
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

namespace {

// Returns the functions in the list of the machine; none if the list cannot be read.
const std::vector<PciFunction>& functions_of(const Machine& machine) {
    static const std::vector<PciFunction> none;
    const auto& found = machine.pci();
    return found ? *found : none;
}

}  // namespace

const std::vector<std::string>& Machine::functions_below(const std::string& bdf) const {
    if (!below_) {
        below_.emplace();
        for (const auto& function : functions_of(*this)) {
            const auto above = bridges_above(function.bdf);
            for (const auto& port : above ? *above : std::vector<std::string>()) {
                (*below_)[port].push_back(function.bdf);
            }
        }
    }
    static const std::vector<std::string> none;
    const auto found = below_->find(bdf);
    return found == below_->end() ? none : found->second;
}

const std::optional<std::string>& Machine::guest_function() const {
    if (!guest_function_) {
        const auto& functions = functions_of(*this);
        const auto found =
            std::find_if(functions.begin(), functions.end(), [this](const PciFunction& function) {
                const auto& driver = reader_of(function.bdf).driver();
                return driver && driver->find("vfio") != std::string::npos;
            });
        guest_function_ = found == functions.end() ? std::nullopt : std::optional(found->bdf);
    }
    return *guest_function_;
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
            if (is_pci_address(bdf)) {  // a software device (rxe, siw) has no function
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

namespace {

constexpr std::size_t header_size = 64;
constexpr std::uint16_t legacy_size = 256;
constexpr std::uint16_t first_header = 0x100;
constexpr std::uint16_t acs_id = 0x000d;
constexpr std::uint32_t all_ones = 0xffffffff;
constexpr std::size_t most_headers = 480;  // 4 KiB less 256 bytes, 8 bytes each, as the kernel

std::uint32_t little_endian(std::string_view bytes) {
    std::uint32_t word = 0;
    for (std::size_t at = bytes.size(); at-- > 0;) {
        word = word << 8 | static_cast<unsigned char>(bytes[at]);
    }
    return word;
}

Error needs_root(const std::string& path, std::uint16_t offset) {
    return {ErrorKind::not_permitted, 0, path,
            path + ": not readable at " + hex(offset, 3) +
                "; beyond 64 bytes it needs root (CAP_SYS_ADMIN)"};
}

}  // namespace

PciConfig::PciConfig(const Fs& fs, const std::string& bdf)
    : fs_(fs), path_(pci_path(bdf, "/config")) {}

const Result<std::string>& PciConfig::header() const {
    if (!header_) {
        header_ = fs_.read_at(path_, 0, header_size);
    }
    return *header_;
}

Result<std::uint32_t> PciConfig::word_beyond_header(std::uint16_t offset) const {
    const auto bytes = fs_.read_at(path_, offset, 4);
    if (!bytes) {
        return bytes.error();
    }
    if (bytes->size() == 4) {
        return little_endian(*bytes);
    }
    // If the first word beyond the public part is missing, the caller lacks the right to read it.
    return offset < legacy_size || offset == first_header
               ? needs_root(path_, offset)
               : garbled(path_, "ends in the middle of its extended space");
}

Result<std::uint32_t> PciConfig::raw_word(std::uint16_t offset) const {
    if (offset >= header_size) {
        return word_beyond_header(offset);
    }
    const auto& bytes = header();
    if (!bytes) {
        return bytes.error();
    }
    if (bytes->size() < header_size) {
        return garbled(path_, "is " + number(bytes->size()) + " bytes long, not at least 64");
    }
    return little_endian(std::string_view(*bytes).substr(offset, 4));
}

Result<std::uint32_t> PciConfig::word(std::uint16_t offset) const {
    auto word = raw_word(offset);
    if (word && *word == all_ones) {
        return Error{ErrorKind::io, 0, path_,
                     path_ + ": the file contains only ones, so the device is gone or off"};
    }
    return word;
}

Result<std::uint16_t> PciConfig::half(std::uint16_t offset) const {
    const auto whole = word(static_cast<std::uint16_t>(offset & ~3U));
    if (!whole) {
        return whole.error();
    }
    return static_cast<std::uint16_t>(*whole >> (offset & 2U) * 8);
}

Result<bool> PciConfig::is_extended() const {
    const auto size = fs_.size(path_);
    if (!size) {
        return size.error();
    }
    if (*size < legacy_size) {
        return garbled(path_, "is " + number(*size) + " bytes long, not 256 or 4096");
    }
    return *size > legacy_size;
}

// Checks that the function has a vendor: a header of zeros is invalid, and its empty lists prove
// nothing.
Result<std::uint32_t> PciConfig::identity() const {
    const auto first = word(0);
    return first && (*first & 0xffff) == 0 ? garbled(path_, "names no vendor") : first;
}

// Returns the start of the list: 0x34, if bit 4 of the status register is set.
PciConfig::List PciConfig::start() const {
    constexpr std::uint32_t has_list = 1U << 20;
    List list;
    const auto known = identity();
    const auto status = known ? raw_word(4) : known;
    const auto first = status ? raw_word(0x34) : status;
    if (!first) {
        list.error = first.error();
    } else if ((*status & has_list) != 0) {
        list.next = static_cast<std::uint16_t>(*first & 0xfc);
    }
    return list;
}

void PciConfig::step(List& list) const {
    const std::uint16_t at = list.next;
    list.next = 0;
    if (at < header_size || !list.visited.insert(at).second) {
        list.error = garbled(path_, "the list of capabilities is broken at " + hex(at, 2));
        return;
    }
    const auto header = word(at);
    if (!header) {
        list.error = header.error();
        return;
    }
    list.found.push_back({static_cast<std::uint16_t>(*header & 0xff), at});
    list.next = static_cast<std::uint16_t>(*header >> 8 & 0xfc);
}

void PciConfig::step_extended(List& list) const {
    const std::uint16_t at = list.next;
    list.next = 0;
    if (at < first_header || list.visited.size() >= most_headers ||
        !list.visited.insert(at).second) {
        list.error = garbled(path_, "the list of extended capabilities is broken at " + hex(at, 3));
        return;
    }
    const auto header = word(at);
    if (!header) {
        list.error = header.error();
    } else if (*header == 0) {  // an empty list is one header of zeros
        const auto known = identity();
        list.error = known ? std::nullopt : std::optional(known.error());
    } else {
        list.found.push_back({static_cast<std::uint16_t>(*header & 0xffff), at});
        list.next = static_cast<std::uint16_t>(*header >> 20 & 0xffc);
    }
}

Result<std::optional<std::uint16_t>> PciConfig::find(List& list, std::uint16_t id,
                                                     Step follow) const {
    for (std::size_t at = 0;; ++at) {
        while (at >= list.found.size() && list.next != 0 && !list.error) {
            (this->*follow)(list);
        }
        if (at >= list.found.size()) {
            break;
        }
        if (list.found[at].id == id) {
            return std::optional(list.found[at].offset);
        }
    }
    if (list.error) {
        return *list.error;
    }
    return std::optional<std::uint16_t>();
}

Result<std::optional<std::uint16_t>> PciConfig::capability(std::uint8_t id) const {
    if (!list_) {
        list_ = start();
    }
    return find(*list_, id, &PciConfig::step);
}

Result<std::optional<std::uint16_t>> PciConfig::extended_capability(std::uint16_t id) const {
    if (!extended_) {
        extended_ = List{.next = first_header};
    }
    return find(*extended_, id, &PciConfig::step_extended);
}

Result<std::optional<std::uint16_t>> PciConfig::register_in(
    const Result<std::optional<std::uint16_t>>& capability, std::uint16_t offset) const {
    if (!capability || !*capability) {
        return capability;
    }
    const auto value = half(static_cast<std::uint16_t>(**capability + offset));
    return value ? Result(std::optional(*value)) : value.error();
}

Result<std::optional<std::uint16_t>> PciConfig::express_register(std::uint16_t offset) const {
    constexpr std::uint8_t pci_express = 0x10;
    return register_in(capability(pci_express), offset);
}

Result<std::optional<std::uint16_t>> PciConfig::extended_register(std::uint16_t id,
                                                                  std::uint16_t offset) const {
    return register_in(extended_capability(id), offset);
}

Result<std::optional<Acs>> read_acs(const PciConfig& config) {
    const auto offset = config.extended_capability(acs_id);
    if (!offset) {
        return offset.error();
    }
    if (!*offset) {
        return std::optional<Acs>();
    }
    const auto word = config.word(static_cast<std::uint16_t>(**offset + 4));
    if (!word) {
        return word.error();
    }
    return std::optional(Acs{**offset, static_cast<std::uint16_t>(*word & 0xffff),
                             static_cast<std::uint16_t>(*word >> 16)});
}

std::string acs_bits(std::uint16_t word) {
    constexpr const char* names[] = {"SrcValid",    "TransBlk",   "ReqRedir",   "CmpltRedir",
                                     "UpstreamFwd", "EgressCtrl", "DirectTrans"};
    std::string out;
    for (std::size_t bit = 0; bit < std::size(names); ++bit) {
        out += (out.empty() ? "" : " ") + std::string(names[bit]) +
               ((word >> bit & 1) != 0 ? "+" : "-");
    }
    return out;
}

PciReader::PciReader(const Fs& fs, std::string bdf)
    : fs_(fs), bdf_(std::move(bdf)), config_(fs, bdf_) {}

// Reads lines "RxErr 0" and a sum; older documents show names of several words.
Result<std::vector<AerCounter>> PciReader::read_aer(const std::string& file) const {
    const std::string path = pci_path(bdf_) + "/" + file;
    const auto text = fs_.read(path);
    if (!text) {
        return text.error();
    }
    std::vector<AerCounter> counters;
    for (const auto line : split(trim(*text), '\n')) {
        const auto blank = line.rfind(' ');
        const auto count = blank == line.npos ? std::nullopt : parse_number(line.substr(blank + 1));
        if (!count) {
            return garbled(path, "is not a valid list of counters: " + quoted_value(line));
        }
        counters.push_back({std::string(trim(line.substr(0, blank))), *count});
    }
    if (counters.empty() || !counters.back().name.starts_with("TOTAL_")) {
        return garbled(path, "does not end with a sum");
    }
    // Errors without a named kind appear only in the sum.
    const bool named = std::any_of(counters.begin(), counters.end() - 1,
                                   [](const AerCounter& each) { return each.count > 0; });
    if (named || counters.back().count == 0) {
        counters.pop_back();
    }
    return counters;
}

const Result<std::vector<AerCounter>>& PciReader::aer(AerSeverity severity) const {
    constexpr std::array files{"aer_dev_correctable", "aer_dev_nonfatal", "aer_dev_fatal"};
    const auto at = static_cast<std::size_t>(severity);
    auto& answer = answers().aer[at];
    if (!answer) {
        answer = read_aer(files[at]);
    }
    return *answer;
}

Result<std::uint64_t> PciReader::fatal_messages() const {
    const std::string path = pci_path(bdf_, "/aer_rootport_total_err_fatal");
    const auto text = fs_.read(path);
    if (!text) {
        return text.error();
    }
    const auto count = parse_number(trim(*text));
    return count ? Result(*count)
                 : garbled(path, "is not a valid number: " + quoted_value(trim(*text)));
}

PciReader::Answers& PciReader::answers() const {
    if (!answers_) {
        answers_ = std::make_unique<Answers>();
    }
    return *answers_;
}

const Result<LinkState>& PciReader::link() const {
    auto& answer = answers().link;
    if (!answer) {
        answer = read_link_state(fs_, bdf_, LinkRead::once);
    }
    return *answer;
}

void PciReader::read_link_again() const {
    answers().link = read_link_state(fs_, bdf_, LinkRead::again);
}

const Result<std::string>& PciReader::path() const {
    auto& answer = answers().path;
    if (!answer) {
        answer = fs_.link(pci_path(bdf_));
    }
    return *answer;
}

const Result<std::string>& PciReader::driver() const {
    auto& answer = answers().driver;
    if (!answer) {
        auto target = fs_.link(pci_path(bdf_, "/driver"));
        if (target) {
            answer = target->substr(target->rfind('/') + 1);
        } else if (target.is(ErrorKind::not_here) && exists(fs_, pci_path(bdf_))) {
            answer = std::string();
        } else {
            answer = target.error();
        }
    }
    return *answer;
}

const PciReader& Machine::reader_of(const std::string& bdf) const {
    auto& reader = readers_[bdf];
    if (!reader) {
        reader = std::make_unique<PciReader>(fs_, bdf);
    }
    return *reader;
}

Machine::Machine(const Fs& fs, GpusFrom gpus_from) : fs_(fs), gpus_from_(gpus_from) {}
Machine::~Machine() = default;

}  // namespace rocenv
