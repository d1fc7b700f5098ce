// SPDX-License-Identifier: MIT
// Outcomes of each setting if one of the files that it reads is unreadable, missing or garbled.
// faults.txt has, for every kind of file of every id, the outcomes with all files good, and below
// each file the differences from them. UPDATE=1 writes it again; read the difference.
#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iterator>

#include "check/check.h"
#include "os/fs/posix_fs.h"
#include "settings/registry.h"
#include "support/catch.h"
#include "support/faulty_fs.h"
#include "util/text.h"

using namespace rocenv;

namespace fault_table_test {

namespace {

const std::string here = std::string(ROCENV_SOURCE_DIR) + "/tests/golden/";

CheckResult check_one(const Fs& machine, const std::string& id) {
    CheckRequest request;
    request.profiles = {here + "every.toml"};
    request.only = {id};
    return check(request, machine, *real_fs(), Process());
}

// The outcomes of all findings, each once.
std::string outcomes(const CheckResult& result) {
    std::set<std::string> words;
    for (const auto& finding : result.report.findings) {
        words.insert(std::string(word_of(finding.outcome)));
    }
    return join(std::vector<std::string>(words.begin(), words.end()), "+");
}

const char* verb_of(Operation operation) {
    switch (operation) {
        case Operation::read:
            return "read";
        case Operation::read_at:
            return "read at";
        case Operation::list:
            return "list";
        case Operation::link:
            return "link";
        case Operation::size:
            return "size";
    }
    return "";
}

// Returns whether the report's head reads this path in every check.
bool for_the_head(const std::string& path) {
    return path == "/sys" || path.ends_with("/hostname") || path.ends_with("/osrelease") ||
           path.ends_with("/boot_id");
}

std::string printed(const std::map<std::string, std::vector<std::string>>& by_outcome) {
    std::vector<std::string> parts;
    parts.reserve(by_outcome.size());
    for (const auto& [outcome, faults] : by_outcome) {
        parts.push_back(outcome + " (" + join(faults, ", ") + ")");
    }
    return parts.empty() ? "changes nothing" : join(parts, "; ");
}

std::map<std::string, Answer> faults_of(Operation operation, const std::string& path) {
    auto faults = faults_of(operation);
    const auto good = FaultyFs(remembered_machine("mi300x-tuned")).read(path);
    if (operation == Operation::read && good) {
        faults.emplace("NUL-padded", *good + std::string(4000, '\0'));
    }
    return faults;
}

std::string row(const std::string& id, const std::string& normal, Operation operation,
                const std::string& path) {
    std::map<std::string, std::vector<std::string>> by_outcome;
    for (const auto& [name, answer] : faults_of(operation, path)) {
        const FaultyFs fs(remembered_machine("mi300x-tuned"), Fault{operation, path, answer});
        const auto words = outcomes(check_one(fs, id));
        if (words != normal) {
            by_outcome[words].push_back(name);
        }
    }
    return "  " + std::string(verb_of(operation)) + " " + kind_of(path) + "\n    " +
           printed(by_outcome) + "\n";
}

std::string rows(const std::string& id) {
    const FaultyFs whole(remembered_machine("mi300x-tuned"));
    const auto normal = outcomes(check_one(whole, id));
    std::string out = id + ": " + normal + "\n";
    std::set<std::pair<Operation, std::string>> seen;
    for (const auto& [operation, path] : whole.questions) {
        const bool is_new = seen.emplace(operation, kind_of(path)).second;
        out += is_new && !for_the_head(path) ? row(id, normal, operation, path) : "";
    }
    return out;
}

std::string contents(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace

TEST_CASE("golden: every.toml names every setting", "[golden]") {
    const FaultyFs whole(remembered_machine("mi300x-tuned"));
    for (const auto& id : known_ids()) {
        INFO(id);
        CHECK_FALSE(check_one(whole, id).report.findings.empty());
    }
}

TEST_CASE("golden: what each bad file does to each setting", "[golden][long]") {
    std::string table;
    for (const auto& id : known_ids()) {
        table += rows(id);
    }
    if (std::getenv("UPDATE") != nullptr) {
        std::ofstream(here + "faults.txt", std::ios::binary) << table;
    }
    CHECK(table == contents(here + "faults.txt"));
}

}  // namespace fault_table_test
