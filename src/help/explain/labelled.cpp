// SPDX-License-Identifier: MIT
#include "help/explain/labelled.h"

#include <algorithm>

#include "util/text.h"

namespace rocenv {

namespace {

constexpr std::size_t margin = 2;
constexpr std::size_t indent = 14;  // of the texts behind labels

std::string labelled(std::string_view label) {
    std::string out = std::string(margin, ' ') + std::string(label);
    out.resize(std::max(indent, out.size() + 1), ' ');
    return out;
}

}  // namespace

void Labelled::head(const std::string& name, const std::string& kind) {
    out_ += out_.empty() ? "" : "\n";
    out_ += wrapped(styled(name, Style::heading, colour_) + ", ", margin, kind);
}

void Labelled::sentence(std::string_view text) {
    if (!text.empty()) {
        out_ += wrapped(std::string(margin, ' '), margin, text);
    }
}

void Labelled::line(std::string_view label, std::string_view text) {
    if (!text.empty()) {
        out_ += wrapped(labelled(label), indent, text);
    }
}

void Labelled::lines(std::string_view label, const std::vector<std::string>& texts) {
    for (const auto& text : texts) {
        line(&text == &texts.front() ? label : "", text);
    }
}

void Labelled::line(std::string_view label, std::string_view word, Style style,
                    std::string_view text) {
    out_ += wrapped(labelled(label) + styled(word, style, colour_), indent, text);
}

void Labelled::command(std::string_view label, const std::string& text) {
    if (!text.empty()) {
        out_ += labelled(label) + printable(text, uncut) + "\n";
    }
}

std::string texts_told(const std::vector<std::string>& texts) {
    std::string out;
    for (const auto& text : texts) {
        out += (out.empty() ? "" : ", ") + (text.empty() ? "(empty)" : text);
    }
    return out;
}

}  // namespace rocenv
