// SPDX-License-Identifier: MIT
#include "fact_tables.h"

#define TOML_EXCEPTIONS 0
#include <toml++/toml.h>

#include <algorithm>
#include <fstream>
#include <iostream>
#include <iterator>
#include <regex>
#include <set>
#include <sstream>

namespace facts {

namespace {

constexpr unsigned pci_id = 0xffff;
constexpr unsigned pci_revision = 0xff;

// Every row also has `source` and may have `read`, the month in which the source was read; both are
// inherited from the top of the file.
const std::map<std::string, Table> tables{
    {"model",
     {"gpu_models",
      {{"name", Kind::text, true},
       {"ids", Kind::rows, true},
       {"gfx", Kind::gfx, true},
       {"gpus_a_node", Kind::number},
       {"devices", Kind::number},
       {"board_gpus", Kind::number},
       {"gpus_a_hive", Kind::number},
       {"mesh",
        Kind::choice,
        false,
        0,
        {{"none", "Mesh::none"}, {"full", "Mesh::full"}, {"hops", "Mesh::hops"}}},
       {"compute_units", Kind::number},
       {"dies", Kind::number},
       {"memory_gib", Kind::number},
       {"link_speed", Kind::version},
       {"link_width", Kind::number},
       {"nic_gbps", Kind::number},
       {"determinism_mhz", Kind::number},
       {"no_determinism", Kind::text},
       {"watts", Kind::number},
       {"host_memory_gib", Kind::number},
       {"first_rocm", Kind::version},
       {"first_driver", Kind::version},
       {"first_kernel", Kind::version},
       {"source", Kind::text, true},
       {"unverified", Kind::columns}},
      {"name"}}},
    {"ids",
     {"gpu_ids",
      {{"device", Kind::id, true, pci_id},
       {"revision", Kind::id, false, pci_revision},
       {"name", Kind::text, true}},
      {"device", "revision"}}},
    {"card",
     {"other_cards",
      {{"device", Kind::id, true, pci_id},
       {"revision", Kind::id, true, pci_revision},
       {"name", Kind::text, true}},
      {"device", "revision"}}},
    {"package_port",
     {"package_ports",
      {{"vendor", Kind::id, true, pci_id}, {"device", Kind::id, true, pci_id}},
      {"vendor", "device"}}},
    {"target",
     {"gfx_targets",
      {{"gfx", Kind::gfx, true}, {"sramecc", Kind::flag}, {"xnack_per_process", Kind::flag}},
      {"gfx"}}},
    {"architecture",
     {"gpu_architectures",
      {{"gfx", Kind::gfx, true},
       {"part", Kind::text, true},
       {"registers", Kind::number, true},
       {"unified", Kind::flag},
       {"granule", Kind::number, true},
       {"waves", Kind::number, true},
       {"lds_granule", Kind::number, true},
       {"lds_bytes", Kind::number, true}},
      {"gfx"}}},
    {"unsupported",
     {"unsupported_families",
      {{"prefix", Kind::text, true}, {"name", Kind::text, true}, {"why", Kind::text, true}},
      {"prefix"}}},
    {"driver",
     {"driver_releases",
      {{"release", Kind::version, true},
       {"module", Kind::version, true},
       {"first_rocm", Kind::version, true},
       {"last_rocm", Kind::version, true}},
      {"release"}}},
    {"unlisted",
     {"unlisted_releases",
      {{"of", Kind::choice, true, 0, {{"rocm", "Unlisted::rocm"}, {"driver", "Unlisted::driver"}}},
       {"release", Kind::version, true},
       {"why", Kind::text, true}},
      {"of", "release"}}},
    {"driver_parameter",
     {"driver_parameters",
      {{"name", Kind::text, true},
       {"usual", Kind::text, true},
       {"level",
        Kind::choice,
        false,
        0,
        {{"recommended", "&parameters_grades[0]"}, {"report", "&parameters_grades[1]"}}},
       {"means", Kind::text, true}},
      {"name"}}},
    {"firmware",
     {"needed_firmware",
      {{"part", Kind::text, true}, {"by_driver", Kind::flag}, {"unverified", Kind::flag}},
      {"part"}}},
    {"boot_word",
     {"boot_words",
      {{"word", Kind::text, true},
       {"repeats", Kind::choice, false, 0, {{"sum", "Repeats::sum"}, {"once", "Repeats::once"}}},
       {"effect", Kind::text, true},
       {"judged_by", Kind::text},
       {"shows", Kind::text},
       {"is_choice", Kind::flag},
       {"same_as", Kind::text},
       {"source", Kind::text, true}},
      {"word"}}},
    {"nic",
     {"nic_ids",
      {{"vendor", Kind::id, true, pci_id},
       {"device", Kind::id, true, pci_id},
       {"name", Kind::unwritten, true}},
      {"vendor", "device"}}},
    {"nic_maker",
     {"nic_modules",
      {{"vendor", Kind::id, true, pci_id},
       {"driver", Kind::text, true},
       {"rdma", Kind::text, true}},
      {"vendor"}}},
    {"port_counter",
     {"port_counters",
      {{"folder", Kind::text, true},
       {"name", Kind::text, true},
       {"weight",
        Kind::choice,
        true,
        0,
        {{"critical", "Weight::critical"}, {"error", "Weight::error"}, {"retry", "Weight::retry"}}},
       {"highest", Kind::number},
       {"usual", Kind::number}},
      {"folder", "name"}}},
    {"rival",
     {"rival_services", {{"unit", Kind::text, true}, {"process", Kind::text, true}}, {"unit"}}},
    {"clock_service",
     {"clock_services", {{"unit", Kind::text, true}, {"process", Kind::text, true}}, {"unit"}}},
    {"python_package",
     {"python_packages",
      {{"name", Kind::text, true},
       {"module", Kind::text},
       {"version_file", Kind::text},
       {"dists", Kind::texts, true}},
      {"name"}}},
    {"rocm_library",
     {"rocm_libraries",
      {{"name", Kind::text, true},
       {"header", Kind::text, true},
       {"macros", Kind::text, true},
       {"file", Kind::text, true},
       {"numbers_tell", Kind::flag}},
      {"name"}}},
    {"module",
     {"kernel_modules", {{"name", Kind::text, true}, {"parameters", Kind::words, true}}, {"name"}}},
};

// Tables of their own: the items of a [[list]], and the one text of [[words]].
const Column list_items{"items", Kind::texts, true};
const Column list_words{"words", Kind::words, true};

bool failed = false;

void fail(const Place& place, const std::string& text) {
    std::cerr << place.file << ":" << place.line << ":" << place.column << ": " << text << "\n";
    failed = true;
}

Place place_of(const std::string& file, const toml::node& node) {
    return {file, node.source().begin.line, node.source().begin.column};
}

std::string cpp_text(const std::string& text) {
    std::string out = "\"";
    for (const char byte : text) {
        out += byte == '"' || byte == '\\' ? std::string("\\") + byte : std::string(1, byte);
    }
    return out + "\"";
}

bool is_one_line(const std::string& text) {
    return std::none_of(text.begin(), text.end(),
                        [](unsigned char byte) { return byte < ' ' || byte == 0x7f; });
}

const char* expected(Kind kind) {
    switch (kind) {
        case Kind::version:
            return "expected numbers with points, such as \"6.3.2\"";
        case Kind::gfx:
            return "expected a name such as \"gfx90a\"";
        case Kind::number:
            return "expected a number";
        case Kind::id:
            return "expected a number up to ";
        case Kind::flag:
            return "expected true (leave the key out for false)";
        case Kind::choice:
            return "expected one of: ";
        case Kind::texts:
            return "expected a list of different texts";
        case Kind::columns:
            return "expected a list of keys that rows of this table may have";
        case Kind::words:
            return "expected different words with blanks between them";
        case Kind::rows:
            return "expected a list of rows in braces";
        case Kind::text:
        case Kind::unwritten:
            break;
    }
    return "expected a text of one line";
}

bool fits(const std::string& text, const char* pattern) {
    return std::regex_match(text, std::regex(pattern));
}

// Reader of one file.
class Reader {
   public:
    Reader(std::string file, Facts& into) : file_(std::move(file)), into_(into) {}

    void read() {
        const auto parsed = toml::parse_file(file_);
        if (!parsed) {
            const auto& at = parsed.error().source().begin;
            fail({file_, at.line, at.column}, std::string(parsed.error().description()));
            return;
        }
        const toml::table& root = parsed.table();
        for (const auto& [key, value] : root) {
            if (key == "source" || key == "read") {
                shared_[std::string(key.str())] = value.value_or(std::string());
            }
        }
        for (const auto& [key, value] : root) {
            if (key != "source" && key != "read") {
                read_rows(std::string(key.str()), value);
            }
        }
    }

   private:
    void read_rows(const std::string& key, const toml::node& value) {
        const auto* list = value.as_array();
        const bool is_list = key == "list" || key == "words";
        if (list == nullptr || (!is_list && (key == "ids" || tables.count(key) == 0))) {
            fail(place_of(file_, value), "unknown table '" + key + "'");
            return;
        }
        for (const auto& each : *list) {
            const auto* row = each.as_table();
            if (row == nullptr) {
                fail(place_of(file_, each), "expected a table");
            } else if (is_list) {
                read_list(key == "list" ? list_items : list_words, *row);
            } else {
                add_row(tables.at(key), *row, true);
            }
        }
    }

    // Makes a table with one row of a list, under the list's name.
    void read_list(const Column& column, const toml::table& list) {
        const Table table{list["name"].value_or(std::string()),
                          {{"name", Kind::unwritten, true}, column},
                          {"name"}};
        if (!fits(table.name, "[a-z_]+") || into_.rows.count(table.name) != 0) {
            fail(place_of(file_, list), "a list needs a name of its own in small letters and '_'");
            return;
        }
        Row row = read_row(table, list, true);
        const auto start = row.written.find("= ");
        row.written = start == std::string::npos ? "" : row.written.substr(start + 2);
        if (column.kind == Kind::texts && !row.written.empty()) {
            row.written = row.written.substr(1, row.written.size() - 2);  // without the braces
        }
        into_.rows[table.name].push_back(std::move(row));
    }

    void add_row(const Table& table, const toml::table& from, bool has_source) {
        Row row = read_row(table, from, has_source);
        row.written = "{" + row.written + "},";
        for (const auto& other : into_.rows[table.name]) {
            if (std::all_of(table.unique.begin(), table.unique.end(), [&](const auto& key) {
                    return !row.texts[key].empty() && row.texts[key] == other.texts.at(key);
                })) {
                fail(row.place, table.unique.front() + " " + row.texts[table.unique.front()] +
                                    " is already in line " + std::to_string(other.place.line));
            }
        }
        into_.rows[table.name].push_back(std::move(row));
    }

    Row read_row(const Table& table, const toml::table& from, bool has_source) {
        Row row;
        row.place = place_of(file_, from);
        for (const auto& [key_node, value] : from) {
            const std::string key(key_node.str());
            const bool known = std::any_of(table.columns.begin(), table.columns.end(),
                                           [&](const Column& column) { return column.key == key; });
            if (!known && !(has_source && (key == "source" || key == "read"))) {
                fail({file_, key_node.source().begin.line, key_node.source().begin.column},
                     "unknown key '" + key + "'");
            }
        }
        if (has_source) {
            check_source(from);
        }
        for (const auto& column : table.columns) {
            row.texts[column.key] = "";
            add_column(table, column, from, row);
        }
        return row;
    }

    std::string inherited(const toml::table& from, const std::string& key) {
        return from[key].value_or(shared_[key]);
    }

    void check_source(const toml::table& from) {
        const std::string source = inherited(from, "source");
        const std::string read = inherited(from, "read");
        const auto* own = from.get("source");
        const Place place = place_of(file_, own != nullptr ? *own : from);
        if (source.empty()) {
            fail(place, "source is missing");
        } else if (!fits(read, "20\\d\\d-[01]\\d") && !fits(source, ".*\\b20\\d\\d\\b.*")) {
            fail(place,
                 "source has no year, and no month of reading (read = \"2026-11\") is stated");
        }
    }

    void add_column(const Table& table, const Column& column, const toml::table& from, Row& row) {
        const auto* value = from.get(column.key);
        std::string written;
        if (value != nullptr) {
            row.places[column.key] = place_of(file_, *value);
            const auto cpp = written_value(table, column, *value, row.texts[column.key]);
            if (!cpp) {
                fail(place_of(file_, *value), column.key + ": " + expectation(column));
                return;
            }
            written = *cpp;
        } else if (column.key == "source") {
            written = cpp_text(inherited(from, "source"));
        } else if (column.required) {
            fail(row.place, column.key + " is missing");
        }
        if (!written.empty() && column.kind != Kind::unwritten) {
            row.written += (row.written.empty() ? "." : ", .") + column.key + " = " + written;
        }
    }

    static std::string expectation(const Column& column) {
        std::string out = expected(column.kind);
        out += column.kind == Kind::id ? std::to_string(column.limit) : "";
        for (const auto& [word, cpp] : column.words) {
            out += (word == column.words.front().first ? "" : ", ") + word;
        }
        return out;
    }

    // Returns the C++ of a value, and its text; std::nullopt if the column cannot have it.
    std::optional<std::string> written_value(const Table& table, const Column& column,
                                             const toml::node& value, std::string& text) {
        if (column.kind == Kind::rows) {
            return written_rows(value);
        }
        if (column.kind == Kind::texts || column.kind == Kind::columns) {
            return written_list(table, column, value, text);
        }
        if (column.kind == Kind::flag) {
            return value.value<bool>() == true && value.is_boolean() ? std::optional("true")
                                                                     : std::nullopt;
        }
        if (column.kind == Kind::number || column.kind == Kind::id) {
            return written_number(column, value, text);
        }
        const auto* string = value.as_string();
        if (string == nullptr) {
            return std::nullopt;
        }
        text = string->get();
        return written_text(column, text);
    }

    static std::optional<std::string> written_text(const Column& column, std::string& text) {
        if (column.kind == Kind::words) {
            return written_words(text);
        }
        if (column.kind == Kind::choice) {
            const auto found = std::find_if(column.words.begin(), column.words.end(),
                                            [&](const auto& word) { return word.first == text; });
            return found == column.words.end() ? std::nullopt : std::optional(found->second);
        }
        const bool good = column.kind == Kind::version ? fits(text, "\\d+(\\.\\d+)+")
                          : column.kind == Kind::gfx   ? fits(text, "gfx[0-9a-f]{3,4}")
                                                       : is_one_line(text);
        return good ? std::optional(cpp_text(text)) : std::nullopt;
    }

    // Returns the words with one blank between them, as literals that compilers accept.
    static std::optional<std::string> written_words(const std::string& text) {
        std::istringstream in(text);
        std::set<std::string> seen;
        std::string out = "\"";
        for (std::string word; in >> word;) {
            if (!seen.insert(word).second) {
                return std::nullopt;
            }
            out += (seen.size() == 1 ? "" : seen.size() % 16 == 0 ? " \"\n\"" : " ") + word;
        }
        return seen.empty() || text.find_first_of("\"\\") != std::string::npos
                   ? std::nullopt
                   : std::optional(out + "\"");
    }

    static std::optional<std::string> written_number(const Column& column, const toml::node& value,
                                                     std::string& text) {
        const auto* whole = value.as_integer();
        const std::int64_t limit = column.kind == Kind::id ? column.limit : 0xffffffff;
        if (whole == nullptr || whole->get() < 0 || whole->get() > limit) {
            return std::nullopt;
        }
        text = std::to_string(whole->get());
        return text;
    }

    static std::optional<std::string> written_list(const Table& table, const Column& column,
                                                   const toml::node& value, std::string& text) {
        const auto* list = value.as_array();
        std::set<std::string> seen;
        std::string out;
        for (const auto& each : list != nullptr ? *list : toml::array()) {
            const auto item = each.value<std::string>();
            const bool is_column =
                item && std::any_of(table.columns.begin(), table.columns.end(),
                                    [&](const Column& other) { return other.key == *item; });
            if (!item || item->empty() || !is_one_line(*item) || !seen.insert(*item).second ||
                (column.kind == Kind::columns && !is_column)) {
                return std::nullopt;
            }
            text += (text.empty() ? "" : "\n") + *item;
            out += (out.empty() ? "" : ", ") + cpp_text(*item);
        }
        if (seen.empty()) {
            return std::nullopt;
        }
        if (column.kind == Kind::columns) {
            std::string joined = text;
            std::replace(joined.begin(), joined.end(), '\n', ' ');
            return cpp_text(joined);
        }
        return "{" + out + "}";
    }

    // The rows of the other table follow each other, so a span of them is a pointer and a number.
    std::optional<std::string> written_rows(const toml::node& value) {
        const Table& table = tables.at("ids");
        const auto* list = value.as_array();
        if (list == nullptr || list->empty()) {
            return std::nullopt;
        }
        const auto first = into_.rows[table.name].size();
        for (const auto& each : *list) {
            const auto* row = each.as_table();
            if (row == nullptr) {
                return std::nullopt;
            }
            add_row(table, *row, false);
        }
        return "{" + table.name + " + " + std::to_string(first) + ", " +
               std::to_string(list->size()) + "}";
    }

    std::string file_;
    Facts& into_;
    std::map<std::string, std::string> shared_;
};

const std::vector<Row>& rows_of(const Facts& facts, const std::string& table) {
    static const std::vector<Row> none;
    const auto found = facts.rows.find(table);
    return found == facts.rows.end() ? none : found->second;
}

std::set<std::string> column_of(const Facts& facts, const std::string& table,
                                const std::string& key) {
    std::set<std::string> out;
    for (const auto& row : rows_of(facts, table)) {
        out.insert(row.texts.at(key));
    }
    return out;
}

// Checks that another table (`where`) has each value of a column, if it is not empty.
void check_known(const Facts& facts, const std::string& table, const std::string& key,
                 const std::set<std::string>& known, const std::string& where) {
    for (const auto& row : rows_of(facts, table)) {
        const auto& text = row.texts.at(key);
        if (!text.empty() && known.count(text) == 0) {
            fail(row.places.at(key), key + ": '" + text + "' is not in " + where);
        }
    }
}

// Checks that the first ROCm of a driver comes before the last in the list of releases.
void check_drivers(const Facts& facts) {
    const auto& list = rows_of(facts, "rocm_releases");
    const std::string releases = list.empty() ? "" : "\n" + list.front().texts.at("items") + "\n";
    for (const auto& row : rows_of(facts, "driver_releases")) {
        const auto first = releases.find("\n" + row.texts.at("first_rocm") + "\n");
        const auto last = releases.find("\n" + row.texts.at("last_rocm") + "\n");
        if (first == std::string::npos || last == std::string::npos || first > last) {
            fail(row.places.at("first_rocm"),
                 "first_rocm and last_rocm are not two releases of rocm_releases in their order");
        }
    }
}

std::string name_of(const std::string& word) {
    return word.substr(0, word.find('='));
}

// Checks that all rows of a parameter stand together and agree, since repeats_of() finds the first
// one.
void check_boot_words(const Facts& facts) {
    std::map<std::string, const Row*> last;
    const Row* before = nullptr;
    for (const auto& row : rows_of(facts, "boot_words")) {
        const std::string name = name_of(row.texts.at("word"));
        const Row*& other = last[name];
        if (other != nullptr &&
            (other != before || other->texts.at("repeats") != row.texts.at("repeats"))) {
            fail(row.place, "rows of " + name + " stand together and state the same repeats");
        }
        other = before = &row;
    }
}

// Keeps a file that has this text already, so that ninja compiles nothing.
bool write_table(const std::string& path, const std::vector<Row>& rows) {
    std::string text = "// Written by make_facts from profiles/facts/*.toml.\n";
    for (const auto& row : rows) {
        text += row.written + "\n";
    }
    std::ifstream in(path, std::ios::binary);
    if (std::string(std::istreambuf_iterator<char>(in), {}) == text) {
        return true;
    }
    std::ofstream out(path, std::ios::binary);
    out << text;
    return bool(out.flush());
}

}  // namespace

bool read_file(const std::string& file, Facts& into) {
    failed = false;
    Reader(file, into).read();
    return !failed;
}

bool check_across(const Facts& facts) {
    failed = false;
    check_known(facts, "gpu_models", "gfx", column_of(facts, "gfx_targets", "gfx"), "[[target]]");
    check_known(facts, "gpu_architectures", "part", column_of(facts, "gpu_models", "name"),
                "[[model]]");
    check_drivers(facts);
    check_boot_words(facts);
    return !failed;
}

bool write_tables(const std::string& folder, const std::string& names, const Facts& facts) {
    bool good = true;
    std::set<std::string> missing;
    std::istringstream in(names);
    for (std::string name; std::getline(in, name, ',');) {
        missing.insert(name);
    }
    for (const auto& [name, rows] : facts.rows) {
        if (missing.erase(name) == 0) {
            std::cerr << "make_facts: rocenv_fact_tables in facts.cmake lacks " << name << "\n";
            good = false;
        }
        good = write_table(folder + "/" + name + ".inc", rows) && good;
    }
    for (const auto& name : missing) {
        std::cerr << "make_facts: no file has rows of the table " << name << "\n";
        good = false;
    }
    return good;
}

}  // namespace facts
