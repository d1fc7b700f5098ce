// SPDX-License-Identifier: MIT
#include "util/read_pieces.h"

#include "util/text.h"

namespace rocenv {

Result<std::string> read_in_pieces(const Fs& fs, const std::string& path, std::size_t most_mib) {
    constexpr std::size_t piece_size = std::size_t{1} << 20;
    std::string text;
    for (;;) {
        const auto piece = fs.read_at(path, text.size(), piece_size);
        if (!piece) {
            return piece.error();
        }
        if (piece->empty()) {
            return text;
        }
        if (text.size() + piece->size() > most_mib << 20) {
            return Error{ErrorKind::bad_input, 0, path,
                         printable(path, uncut) + ": is larger than " + number(most_mib) + " MiB"};
        }
        text += *piece;
    }
}

}  // namespace rocenv
