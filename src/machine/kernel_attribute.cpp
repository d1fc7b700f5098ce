// SPDX-License-Identifier: MIT
#include "machine/kernel_attribute.h"

#include <algorithm>
#include <array>
#include <cctype>

#include "os/redact/redact_words.h"
#include "util/text.h"

namespace rocenv {

namespace {

constexpr std::uint64_t word_gone = 0xffff;
const std::string device_prefix = "/sys/bus/pci/devices/";

Error malformed(const std::string& path, const char* what, std::string_view text) {
    return garbled(path, std::string(what) + ": " + quoted_value(trim(text)));
}

// Returns 1900 for "1: 1900Mhz *"; std::nullopt if the line is not a numbered clock.
std::optional<std::uint64_t> clock_of(std::string_view line) {
    const auto colon = line.find(':');
    if (colon == std::string_view::npos || !parse_number(line.substr(0, colon))) {
        return std::nullopt;
    }
    auto text = trim(line.substr(colon + 1));
    text = trim(text.substr(0, text.find('*')));
    const auto digits = std::min(text.find_first_not_of("0123456789"), text.size());
    std::string unit(trim(text.substr(digits)));
    std::transform(unit.begin(), unit.end(), unit.begin(),
                   [](unsigned char letter) { return std::tolower(letter); });
    return unit == "mhz" ? parse_number(text.substr(0, digits)) : std::nullopt;
}

using Titles = std::array<std::string_view, 2>;
constexpr Titles graphics{"OD_SCLK:", "GFXCLK:"};
constexpr Titles memory{"OD_MCLK:", "MCLK:"};

// Returns the clocks of the section; none if one is invalid, so that the lower limit is never used
// as the upper.
std::vector<std::uint64_t> clocks_below(const Titles& titles, std::string_view table) {
    std::vector<std::uint64_t> clocks;
    bool inside = false;
    for (auto line : split(table, '\n')) {
        line = trim(line);
        if (std::find(titles.begin(), titles.end(), line) != titles.end()) {
            inside = true;
        } else if (line.ends_with(':') && !line.starts_with("S:")) {  // S: the clock in deep sleep
            inside = false;
        } else if (inside && !line.empty() && !line.starts_with("S:")) {
            const auto clock = clock_of(line);
            if (!clock) {
                return {};
            }
            clocks.push_back(*clock);
        }
    }
    return clocks;
}

Result<Clocks> range_of(const std::string& path, std::string_view text,
                        const std::vector<std::uint64_t>& clocks) {
    if (clocks.size() < 2) {
        return malformed(path, "shows no upper clock", text);
    }
    return Clocks{clocks.front(), clocks.back()};
}

std::uint64_t word_of(std::string_view bytes) {
    const auto byte = [&](std::size_t at) { return static_cast<unsigned char>(bytes[at]); };
    return static_cast<std::uint64_t>(byte(0) | byte(1) << 8);
}

Result<std::string> read_word16(const Fs& fs, const KernelAttribute& attribute) {
    const auto bytes = fs.read_at(attribute.path, attribute.offset, 2);
    if (!bytes) {
        return bytes.error();
    }
    // Without CAP_SYS_ADMIN the kernel truncates the space at 64 bytes without an error (linux
    // drivers/pci/pci-sysfs.c pci_read_config).
    if (bytes->size() < 2) {
        return Error{ErrorKind::not_permitted, 0, attribute.path,
                     attribute.path + ": not readable at " + hex(attribute.offset, 3) +
                         "; beyond 64 bytes it needs root (CAP_SYS_ADMIN)"};
    }
    if (word_of(*bytes) == word_gone) {
        return Error{
            ErrorKind::io, 0, attribute.path,
            attribute.path + ": the file contains only ones, so the device is gone or off"};
    }
    return hex(word_of(*bytes), 4);
}

Result<std::string> value_of(const Result<Choices>& choices) {
    return choices ? Result(choices->value) : choices.error();
}

Result<std::string> value_in(const KernelAttribute& attribute, std::string_view text) {
    if (attribute.codec == Codec::choice) {
        return value_of(parse_choice(attribute.path, text));
    }
    if (attribute.codec == Codec::starred) {
        return value_of(parse_starred(attribute.path, text));
    }
    if (attribute.codec == Codec::memory_clock) {
        const auto clocks = parse_memory_clocks(attribute.path, text);
        return clocks ? Result(number(clocks->upper)) : clocks.error();
    }
    if (attribute.codec == Codec::clocks || attribute.codec == Codec::upper_clock) {
        const auto clocks = parse_clocks(attribute.path, text);
        if (!clocks) {
            return clocks.error();
        }
        return attribute.codec == Codec::clocks ? clocks->text() : number(clocks->upper);
    }
    const auto line = trim(text);
    return line.empty() ? Result<std::string>(garbled(attribute.path, "is empty"))
                        : std::string(line);
}

}  // namespace

bool Choices::offers(std::string_view word) const {
    return std::find(offered.begin(), offered.end(), word) != offered.end();
}

Result<Choices> parse_choice(const std::string& path, std::string_view text) {
    Choices out;
    for (auto word : words(trim(text))) {
        const bool chosen = word.size() > 2 && word.front() == '[' && word.back() == ']';
        if (chosen) {
            word = word.substr(1, word.size() - 2);
        }
        if ((chosen && !out.value.empty()) || !is_plain(word) ||
            word.find_first_of("[]") != std::string_view::npos) {
            return malformed(path, "is not a list of words with one in brackets", text);
        }
        out.offered.emplace_back(word);
        out.value = chosen ? out.offered.back() : out.value;
    }
    return out.value.empty() ? Result<Choices>(malformed(path, "has no word in brackets", text))
                             : out;
}

Result<Choices> parse_starred(const std::string& path, std::string_view text) {
    Choices out;
    bool sensible = true;
    for (auto line : split(trim(text), '\n')) {
        line = trim(line);
        const auto colon = line.find(':');
        const auto index = parse_number(trim(line.substr(0, colon)));
        const bool marked = line.ends_with('*');
        if (colon == std::string_view::npos || !index || (marked && !out.value.empty())) {
            sensible = false;
            break;
        }
        out.offered.push_back(number(*index));
        out.value = marked ? out.offered.back() : out.value;
    }
    return sensible && !out.value.empty() ? Result(std::move(out))
                                          : malformed(path, "marks no policy", text);
}

std::string Clocks::text() const {
    return number(lower) + "-" + number(upper);
}

Result<Clocks> parse_clocks(const std::string& path, std::string_view text) {
    return range_of(path, text, clocks_below(graphics, text));
}

Result<Clocks> parse_memory_clocks(const std::string& path, std::string_view text) {
    return range_of(path, text, clocks_below(memory, text));
}

Result<std::string> read_attribute(const Fs& fs, const KernelAttribute& attribute) {
    if (attribute.codec == Codec::word16) {
        return read_word16(fs, attribute);
    }
    const auto text =
        fs.read_now(attribute.path);  // bypasses the cache, because the value proves a write
    return text ? value_in(attribute, *text) : text.error();
}

std::string write_text(const Write& write) {
    if (!write.offset) {
        std::string_view text = write.bytes;
        text = text.substr(0, text.size() - (text.ends_with('\n') ? 1 : 0));
        return "echo " + printable(text) + " > " + write.path;
    }
    std::string_view bdf = write.path;
    bdf.remove_prefix(bdf.starts_with(device_prefix) ? device_prefix.size() : 0);
    bdf = bdf.substr(0, bdf.find('/', 1));
    return "setpci -s " + std::string(bdf) + " " + bare_hex(*write.offset, 1) + ".w=" +
           (write.bytes.size() == 2 ? bare_hex(word_of(write.bytes), 4) : printable(write.bytes));
}

Result<std::uint64_t> count_of_file(const Fs& fs, const std::string& path) {
    const auto text = fs.read(path);
    if (!text) {
        return text.error();
    }
    const auto value = parse_number(trim(*text));
    return value ? Result(*value)
                 : garbled(path, "is not a valid number: " + quoted_value(trim(*text)));
}

Result<std::vector<std::uint32_t>> numbers_of_file(const Fs& fs, const std::string& path) {
    const auto text = fs.read(path);
    if (!text) {
        return text.error();
    }
    if (*text == "\n") {
        return std::vector<std::uint32_t>();
    }
    auto list = parse_number_list(trim(*text));
    return list && !list->empty()
               ? Result(*std::move(list))
               : garbled(path, "is not a valid list of numbers: " + quoted_value(trim(*text)));
}

Result<std::string> read_number(const Fs& fs, const std::string& path) {
    const auto count = count_of_file(fs, path);
    return count ? Result(number(*count)) : count.error();
}

}  // namespace rocenv
