// SPDX-License-Identifier: MIT
// The ACS capability words, which no command prints, against lspci's text in the folder that
// ROCENV_CAPTURES names.
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "machine/pci/pci.h"
#include "os/fs/posix_fs.h"
#include "support/catch.h"
#include "support/skip.h"
#include "util/text.h"

namespace acs_capture_test {

namespace {

namespace files = std::filesystem;

// A file's words, one blank between them: mails wrap lspci's lines and pad them with hard blanks.
std::string words_of(const files::path& file) {
    std::ifstream in(file);
    std::string text((std::istreambuf_iterator<char>(in)), {});
    const std::string hard_blank = "\xc2\xa0";
    for (auto at = text.find(hard_blank); at != std::string::npos; at = text.find(hard_blank, at)) {
        text.replace(at, hard_blank.size(), " ");
    }
    std::string joined = " ";
    for (const auto line : rocenv::split(text, '\n')) {
        for (const auto word : rocenv::words(line)) {
            joined += std::string(word) + " ";
        }
    }
    return joined;
}

files::path pci_captures() {
    const std::string folder = rocenv::captures_folder();
    return folder.empty() ? files::path() : files::path(folder) / "pci";
}

}  // namespace

TEST_CASE("captures: ACS words are what lspci prints for the same bytes") {
    const files::path captures = pci_captures();
    if (captures.empty()) {
        return;
    }
    std::size_t compared = 0;
    for (const auto& capture : files::directory_iterator(captures)) {
        const auto devices = capture.path() / "sys/bus/pci/devices";
        const std::string text = words_of(capture.path() / "lspci.txt");
        if (text.find(" ACSCap: ") == std::string::npos || !files::exists(devices)) {
            continue;
        }
        const auto fs = rocenv::sysroot_fs(capture.path().string());
        REQUIRE(fs.ok());
        for (const auto& device : files::directory_iterator(devices)) {
            const std::string bdf = device.path().filename().string();
            INFO(capture.path().filename().string() << " " << bdf);
            const rocenv::PciConfig config(**fs, bdf);
            const auto extended = config.is_extended();
            REQUIRE(extended.ok());
            const auto acs =
                *extended ? rocenv::read_acs(config) : rocenv::Result(std::optional<rocenv::Acs>());
            REQUIRE(acs.ok());
            if (*acs) {
                CHECK(text.find(" ACSCap: " + rocenv::acs_bits((*acs)->capability) + " ACSCtl: " +
                                rocenv::acs_bits((*acs)->control) + " ") != std::string::npos);
                ++compared;
            }
        }
    }
    CHECK(compared >= 5);
}

TEST_CASE("captures: ACS bits are named as on a whole server") {
    const files::path captures = pci_captures();
    if (captures.empty()) {
        return;
    }
    const std::string text = words_of(captures / "h100-server-pex890xx/lspci-vvv.txt");
    const std::string title = " ACSCtl: ";
    const std::size_t length = rocenv::acs_bits(0).size();
    std::size_t lines = 0;
    for (auto at = text.find(title); at != std::string::npos; at = text.find(title, at + 1)) {
        const std::string bits = text.substr(at + title.size(), length);
        std::uint16_t word = 0;
        std::uint16_t bit = 1;
        for (const char byte : bits) {
            word = static_cast<std::uint16_t>(byte == '+' ? word | bit : word);
            bit = static_cast<std::uint16_t>(byte == '+' || byte == '-' ? bit << 1 : bit);
        }
        CHECK(rocenv::acs_bits(word) == bits);
        ++lines;
    }
    CHECK(lines == 55);
}

}  // namespace acs_capture_test
