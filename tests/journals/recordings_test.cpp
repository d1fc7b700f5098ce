// SPDX-License-Identifier: MIT
// Journals that released programs wrote on the fixture machines (README.md here): each way back
// that a recording names restores every byte of the machine and leaves no journal.
#include <algorithm>
#include <filesystem>
#include <map>
#include <set>

#include "contract/scene.h"
#include "os/fs/posix_fs.h"
#include "settings/registry.h"
#include "support/catch.h"
#include "transaction/journal/journal_grammar.h"
#include "util/place_pattern.h"
#include "util/text.h"

namespace rocenv::recordings_test {

namespace {

using contract::Node;

// Ids, and paths of older ids as "ID PATH", that are newer than the last recordings. The next
// release records them.
const std::set<std::string> recorded_later{};

using Fields = std::vector<std::string>;

struct Recording {
    std::string name;
    std::string machine;
    std::vector<Fields> ways;
    std::vector<std::string> dead;
    std::vector<Fields> files;  // "file" PATH BEFORE AFTER, or "bytes" PATH OFFSET BEFORE AFTER
    std::string journal;
};

Fields fields_of(std::string_view line) {
    Fields out;
    for (const auto part : split(line, '\t')) {
        const auto text = unescaped(part, "\\");
        REQUIRE(text);
        out.push_back(*text);
    }
    return out;
}

void take_line(const Fields& fields, Recording& out) {
    if (fields[0] == "machine") {
        out.machine = fields.at(1);
    } else if (fields[0] == "back") {
        out.ways.emplace_back(fields.begin() + 1, fields.end());
    } else if (fields[0] == "dead") {
        out.dead.push_back(fields.at(1));
    } else if (!fields[0].starts_with('#')) {
        REQUIRE(fields.size() == (fields[0] == "file" ? 4 : 5));
        out.files.push_back(fields);
    }
}

Recording recording_of(const std::filesystem::path& path) {
    const auto text = real_fs()->read(path.string());
    REQUIRE(text);
    const std::string mark = "\njournal\n";
    const auto head = text->find(mark);
    REQUIRE(head != std::string::npos);
    Recording out;
    out.name = path.parent_path().filename().string() + "/" + path.stem().string();
    for (const auto line : split(std::string_view(*text).substr(0, head), '\n')) {
        take_line(fields_of(line), out);
    }
    out.journal = text->substr(head + mark.size());
    REQUIRE_FALSE(out.ways.empty());
    return out;
}

const std::vector<Recording>& recordings() {
    static const auto all = [] {
        std::vector<std::filesystem::path> paths;
        const std::string here = std::string(ROCENV_SOURCE_DIR) + "/tests/journals";
        for (const auto& entry : std::filesystem::recursive_directory_iterator(here)) {
            if (entry.path().extension() == ".txt" && entry.path().parent_path() != here) {
                paths.push_back(entry.path());
            }
        }
        std::sort(paths.begin(), paths.end());
        std::vector<Recording> out;
        std::transform(paths.begin(), paths.end(), std::back_inserter(out), recording_of);
        return out;
    }();
    return all;
}

enum class When { before, after };

void put(const Recording& recording, When when, MemoryFs& machine) {
    for (const auto& fields : recording.files) {
        const auto& bytes = fields[fields.size() - (when == When::before ? 2 : 1)];
        if (fields[0] == "file") {
            machine.add_file(fields[1], bytes);
        } else {
            REQUIRE_FALSE(machine.write(fields[1], parse_number(fields[2]), bytes));
        }
    }
}

ResetRequest request_of(const std::string& step) {
    ResetRequest request;
    const auto parts = words(step);
    request.force = step == "--force";
    if (parts.size() == 2 && parts[0] == "--hold") {
        request.hold = parts[1];
    }
    REQUIRE((step.empty() || request.force || !request.hold.empty()));
    return request;
}

void check_way(const Recording& recording, const Fields& way, const MemoryFs& start,
               const MemoryFs& set) {
    INFO(recording.name << ": reset " << join(way, ", reset "));
    Node node(set);
    node.kernel.governor_turns_boost_on = false;
    node.store.text = recording.journal;
    node.store.dead = recording.dead;
    for (const auto& step : way) {
        const auto result = node.reset(request_of(step));
        INFO(contract::printed(result));
        CHECK(result.report.exit_code == 0);
    }
    CHECK(node.differs_from(start) == "");
    contract::count_run("recorded journals");
}

using Records = std::map<std::string, std::vector<Recorded>>;  // by id

Records records_of(int format) {
    Records out;
    for (const auto& recording : recordings()) {
        contract::MemoryStore store;
        store.text = recording.journal;
        const auto journal = read_journal(store);
        REQUIRE(journal);
        if (journal->format != format) {
            continue;
        }
        for (const auto& transaction : journal->transactions) {
            for (const auto& [key, recorded] : transaction.entries) {
                out[key.id].push_back(recorded);
            }
        }
    }
    return out;
}

// Returns whether one of them is restored by a write to such a path.
bool writes_to(const std::vector<Recorded>& records, std::string_view path) {
    return std::any_of(records.begin(), records.end(), [&](const Recorded& recorded) {
        return std::any_of(recorded.back.writes.begin(), recorded.back.writes.end(),
                           [&](const Write& write) { return matches_pattern(path, write.path); });
    });
}

void check_is_recorded(const std::string& id, std::span<const WrittenPlace> places,
                       const std::vector<Recorded>& records) {
    if (recorded_later.contains(id)) {
        return;
    }
    INFO(id << ": if it is newer than the last recordings, recorded_later lists it");
    CHECK_FALSE(records.empty());
    for (const auto& place : records.empty() ? std::span<const WrittenPlace>() : places) {
        const bool later = recorded_later.contains(id + " " + std::string(place.path));
        INFO(place.path);
        CHECK((place.bytes.empty() || later || writes_to(records, place.path)));
    }
}

}  // namespace

TEST_CASE("recorded journals: every way back restores every byte", "[journals]") {
    CHECK(recordings().size() >= 25);
    for (const auto& recording : recordings()) {
        MemoryFs start(machine_fs(recording.machine));
        put(recording, When::before, start);
        MemoryFs set(start);
        put(recording, When::after, set);
        CHECK_FALSE(start == set);
        for (const auto& way : recording.ways) {
            check_way(recording, way, start, set);
        }
    }
}

TEST_CASE("recorded journals: both formats hold every id that can be set, and all its places",
          "[journals]") {
    for (const int format : {first_format, second_format}) {
        INFO("format " << format);
        Records records = records_of(format);
        for (const Setting* setting : all_settings()) {
            const Info& info = setting->info;
            if (!info.places.empty()) {
                check_is_recorded(std::string(info.id), info.places, records[std::string(info.id)]);
            }
        }
    }
}

}  // namespace rocenv::recordings_test
