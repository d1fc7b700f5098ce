// SPDX-License-Identifier: MIT
// make_catalogue OUTPUT.cpp FILE.toml...: checks the catalogue's files and writes them as one C++
// file, the image that src/variables/catalogue.h describes. Prints a fault as FILE:LINE: TEXT,
// status 1.
#include <algorithm>
#include <cstdint>
#include <fstream>
#include <iostream>

#include "catalogue_files.h"

namespace {

using namespace catalogue;

bool failed = false;

// One number of a row, or the text whose index will be written.
struct Item {
    bool is_text;
    std::uint32_t number;
    std::string text;
};

// A row, in the order of its readers.
class Row {
   public:
    Row& text(const std::string& text) {
        items_.push_back({true, 0, text});
        return *this;
    }
    Row& number(std::size_t value) {
        items_.push_back({false, static_cast<std::uint32_t>(value), ""});
        return *this;
    }
    Row& texts(const std::vector<std::string>& texts) {
        number(texts.size());
        for (const auto& each : texts) {
            text(each);
        }
        return *this;
    }
    void add(const Row& other) {
        items_.insert(items_.end(), other.items_.begin(), other.items_.end());
    }
    const std::vector<Item>& items() const { return items_; }

   private:
    std::vector<Item> items_;
};

// The optional items of a row: the marks are a number before them.
class Marked {
   public:
    void text(const std::string& text, bool is_there) {
        mark(is_there);
        if (is_there) {
            row_.text(text);
        }
    }
    void text(const std::string& text) { Marked::text(text, !text.empty()); }
    void texts(const std::vector<std::string>& texts) {
        mark(!texts.empty());
        if (!texts.empty()) {
            row_.texts(texts);
        }
    }
    void defaults(const Defaults& defaults) {
        mark(!defaults.empty());
        if (!defaults.empty()) {
            row_.number(defaults.size());
        }
        for (const auto& [from, value] : defaults) {
            row_.text(from).text(value);
        }
    }
    void forms(const std::vector<Form>& forms) {
        mark(!forms.empty());
        if (!forms.empty()) {
            row_.number(forms.size());
        }
        for (const auto& form : forms) {
            row_.text(form.from).text(form.parser).texts(form.values);
        }
    }
    void count(std::size_t value) {
        mark(value != 0);
        if (value != 0) {
            row_.number(value);
        }
    }
    Row row() const {
        Row out;
        out.number(marks_).add(row_);
        return out;
    }

   private:
    void mark(bool is_there) { marks_ |= std::uint32_t{is_there} << next_++; }

    Row row_;
    std::uint32_t marks_ = 0;
    unsigned next_ = 0;
};

Row other_row(Reader& other) {
    Marked row;
    for (const char* key : {"looked_at", "package", "since", "until"}) {
        row.text(other.texts[key]);
    }
    row.text(other.texts["default"], other.has_default);
    row.defaults(other.defaults);
    row.forms(other.forms);
    return row.row();
}

Row variable_row(Entry& entry) {
    Marked row;
    for (const auto& key : text_keys) {
        const std::string& text = entry.texts[key];
        row.text(text, key == "default" ? entry.has_default : !text.empty());
    }
    row.texts(entry.values);
    row.defaults(entry.defaults);
    row.forms(entry.forms);
    row.count(entry.others.size());
    Row out = row.row();
    for (auto& other : entry.others) {
        out.add(other_row(other));
    }
    return out;
}

std::vector<Row> rows_of(Catalogue& catalogue) {
    std::vector<Row> rows;
    for (auto& [name, entry] : catalogue.variables) {
        rows.push_back(variable_row(entry));
    }
    for (const auto& [prefix, family] : catalogue.families) {
        rows.push_back(Row()
                           .text(prefix)
                           .text(family.reader)
                           .text(family.doc)
                           .text(family.searched)
                           .texts(family.whole));
    }
    for (const auto& rule : catalogue.rules) {
        rows.push_back(Row()
                           .texts(rule.when)
                           .text(rule.says)
                           .text(rule.source)
                           .text(rule.next)
                           .number(rule.recommended        ? 1
                                   : rule.in_several_nodes ? 2
                                                           : 0)
                           .texts(rule.versions)
                           .texts(rule.gfx)
                           .texts(rule.nics)
                           .texts(rule.modes));
    }
    for (const auto& [program, list] : catalogue.releases) {
        rows.push_back(Row()
                           .text(program)
                           .text(list.package)
                           .text(list.date)
                           .text(list.source)
                           .texts(list.searched));
    }
    return rows;
}

// All texts, in the order of their indexes.
struct Texts {
    std::vector<std::string> ordered;
    std::map<std::string, std::size_t> index;
    std::size_t first_name = 0;

    void add(const std::string& text) {
        if (index.try_emplace(text, ordered.size()).second) {
            ordered.push_back(text);
        }
    }
};

// Returns the texts that are not names, most used first.
std::vector<std::string> by_use(const std::vector<Row>& rows, const Catalogue& catalogue) {
    std::map<std::string, std::size_t> uses;
    for (const auto& row : rows) {
        for (const auto& item : row.items()) {
            uses[item.text] += item.is_text && catalogue.variables.count(item.text) == 0 ? 1 : 0;
        }
    }
    std::vector<std::string> out;
    for (const auto& [text, count] : uses) {
        if (count != 0) {
            out.push_back(text);
        }
    }
    std::stable_sort(out.begin(), out.end(),
                     [&](const std::string& a, const std::string& b) { return uses[a] > uses[b]; });
    return out;
}

Texts texts_of(const std::vector<Row>& rows, const Catalogue& catalogue) {
    constexpr std::size_t in_one_byte = 128;
    const auto others = by_use(rows, catalogue);
    Texts out;
    for (std::size_t at = 0; at < std::min(others.size(), in_one_byte); ++at) {
        out.add(others[at]);
    }
    out.first_name = out.ordered.size();
    for (const auto& [name, entry] : catalogue.variables) {
        out.add(name);
    }
    for (const auto& text : others) {
        out.add(text);
    }
    return out;
}

std::string packed_number(std::size_t value) {
    std::string out;
    for (; value >= 0x80; value >>= 7) {
        out += static_cast<char>(0x80 | (value & 0x7f));
    }
    return out + static_cast<char>(value);
}

std::string packed_start(std::size_t value) {
    if (value >> 24 != 0) {
        std::cerr << "make_catalogue: the catalogue is too large for its form\n";
        failed = true;
    }
    return {static_cast<char>(value), static_cast<char>(value >> 8),
            static_cast<char>(value >> 16)};
}

// Pieces in a row, with the start of each and the end of the last.
struct Pieces {
    std::string bytes;
    std::string starts = packed_start(0);

    void add(const std::string& piece) {
        bytes += piece;
        starts += packed_start(bytes.size());
    }
};

Pieces pieces_of(const std::vector<std::string>& texts) {
    Pieces out;
    for (const auto& text : texts) {
        out.add(text);
    }
    return out;
}

Pieces pieces_of(const std::vector<Row>& rows, const Texts& texts) {
    Pieces out;
    for (const auto& row : rows) {
        std::string packed;
        for (const auto& item : row.items()) {
            packed += packed_number(item.is_text ? texts.index.at(item.text) : item.number);
        }
        out.add(packed);
    }
    return out;
}

std::string array(const char* type, const char* name, const std::string& bytes) {
    std::string out = std::string("constexpr ") + type + " " + name + "[] = {\n";
    const bool is_signed = std::string(type) == "char";
    for (std::size_t at = 0; at < bytes.size(); ++at) {
        const int byte = static_cast<unsigned char>(bytes[at]);
        out += std::to_string(is_signed && byte > 127 ? byte - 256 : byte) +
               (at % 32 == 31 ? ",\n" : ",");
    }
    return out + "};\n";
}

void write(const std::string& output, Catalogue& catalogue) {
    const auto rows = rows_of(catalogue);
    const auto texts = texts_of(rows, catalogue);
    const auto text_pieces = pieces_of(texts.ordered);
    const auto row_pieces = pieces_of(rows, texts);
    std::ofstream out(output);
    out << "// Written by make_catalogue from profiles/variables/*.toml.\n"
           "#include \"variables/catalogue.h\"\n\nnamespace rocenv {\nnamespace {\n"
        << array("char", "bytes", text_pieces.bytes)
        << array("std::uint8_t", "text_starts", text_pieces.starts)
        << array("std::uint8_t", "rows", row_pieces.bytes)
        << array("std::uint8_t", "row_starts", row_pieces.starts)
        << "}  // namespace\n\nconstinit const CatalogueImage catalogue_image{\n"
           "    bytes, text_starts, rows, row_starts, "
        << texts.first_name << ", " << catalogue.variables.size() << ", "
        << catalogue.families.size() << ", " << catalogue.rules.size() << ", "
        << catalogue.releases.size() << "};\n\n}  // namespace rocenv\n";
    if (!out.flush()) {
        std::cerr << output << ": cannot be written\n";
        failed = true;
    }
}

}  // namespace

int main(int argc, char** argv) {
    Catalogue catalogue;
    for (int at = 2; at < argc; ++at) {
        failed = !take_file(argv[at], catalogue) || failed;
    }
    if (argc < 3 || catalogue.variables.empty()) {
        std::cerr << "make_catalogue OUTPUT.cpp FILE.toml...\n";
        return 2;
    }
    failed = !settle_releases(catalogue) || failed;
    if (!failed) {
        write(argv[1], catalogue);
    }
    return failed ? 1 : 0;
}
