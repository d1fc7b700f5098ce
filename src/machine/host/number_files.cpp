// SPDX-License-Identifier: MIT
#include "machine/host/number_files.h"

#include "os/redact/redact_words.h"
#include "util/text.h"

namespace rocenv {

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
