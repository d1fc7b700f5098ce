// SPDX-License-Identifier: MIT
// Every setting against its fixtures in tests/settings, and what all settings promise.
#include <cctype>
#include <iterator>
#include <set>

#include "os/emulation/kernel_rules.h"
#include "rocenv/report.h"
#include "settings/registry.h"
#include "settings/shape_cases.h"
#include "support/catch.h"

namespace rocenv::settings_test {

namespace {

using cases::Case;
using cases::Expect;

// A machine in memory that notes every path asked for, and may pass for the real one.
class NotingFs final : public Fs {
   public:
    NotingFs(const Fs& inner, std::optional<std::uint64_t> shm) : inner_(inner), shm_(shm) {}

    Result<std::string> read(const std::string& path) const override {
        paths.insert(path);
        return inner_.read(path);
    }
    Result<std::string> read_at(const std::string& path, std::uint64_t offset,
                                std::size_t size) const override {
        paths.insert(path);
        return inner_.read_at(path, offset, size);
    }
    Result<std::vector<std::string>> list(const std::string& path) const override {
        paths.insert(path);
        return inner_.list(path);
    }
    Result<std::string> link(const std::string& path) const override {
        paths.insert(path);
        return inner_.link(path);
    }
    Result<std::uint64_t> size(const std::string& path) const override {
        paths.insert(path);
        return inner_.size(path);
    }
    Result<std::uint64_t> capacity(const std::string& path) const override {
        paths.insert(path);
        const auto found = inner_.list(path);
        return found ? Result(shm_.value_or(0)) : Result<std::uint64_t>(found.error());
    }
    Result<Access> access(const std::string& path) const override {
        paths.insert(path);
        return inner_.access(path);
    }
    bool is_real() const override { return shm_.has_value(); }

    mutable std::set<std::string> paths;

   private:
    const Fs& inner_;
    std::optional<std::uint64_t> shm_;
};

struct Answer {
    std::vector<Assessment> rows;
    std::vector<Baseline> baselines;
    std::vector<Assessment> defaults;
    std::vector<std::string> unsafe;
    std::set<std::string> paths;  // that assess() asked for
};

Answer ask(const Case& test) {
    const Setting* setting = find_setting(test.id);
    if (setting == nullptr) {
        throw std::runtime_error(test.place + ": no setting " + test.id);
    }
    const auto tree = cases::machine_of(test);
    const NotingFs fs(*tree, test.shm);
    const Machine machine(fs);
    const Context context{machine, test.process};
    Answer out{assessed(*setting, context, cases::expectation_of(test)), {}, {}, {}, fs.paths};
    out.baselines = baseline_of(*setting, context);
    out.defaults = defaults_of(*setting, context);
    for (const auto& [target, part] : test.unsafe) {
        out.unsafe.push_back(unsafe_of(*setting, context, {target, std::nullopt, ""}).value_or(""));
    }
    return out;
}

std::optional<std::string> grade_of(const Assessment& row) {
    return row.grade == nullptr ? std::nullopt : std::optional(std::string(row.grade->name));
}

std::optional<std::string> reason_of(const Assessment& row) {
    return row.outcome != Outcome::unknown ? std::nullopt
                                           : std::optional(std::string(word_of(row.reason)));
}

std::optional<std::string> field_of(const Assessment& row, const std::string& name) {
    if (name == "reason") {
        return reason_of(row);
    }
    return name == "want"        ? row.expected
           : name == "have"      ? row.have
           : name == "effective" ? row.effective
           : name == "detail"    ? row.detail
           : name == "grade"     ? grade_of(row)
           : name == "refused"   ? row.refused
                                 : row.next_step;
}

std::string printed(const Assessment& row) {
    std::string out = row.target.text() + " " + std::string(word_of(row.outcome));
    for (const char* name : {"want", "have", "effective", "detail", "fix", "reason"}) {
        const auto text = field_of(row, name);
        out += std::string(" ") + name + "=" + (text ? "\"" + *text + "\"" : "null");
    }
    out += row.refused.empty() ? "" : " refused=\"" + row.refused + "\"";
    return out + (row.remark ? " remark" : "") + (row.change ? "" : " fixed");
}

bool fits(const Assessment& row, const cases::Field& field) {
    const auto have = field_of(row, field.name);
    return field.part ? have && have->find(*field.text) != std::string::npos : have == field.text;
}

bool fits(const Assessment& row, const Expect& expect) {
    return row.target.text() == expect.target && word_of(row.outcome) == expect.outcome &&
           row.remark == expect.remark && !(expect.fixed && row.change) &&
           std::all_of(expect.fields.begin(), expect.fields.end(),
                       [&](const cases::Field& field) { return fits(row, field); });
}

// Returns the difference from the expectation; empty if there is none.
std::string complaint(const std::vector<Expect>& expects, const std::vector<Assessment>& rows) {
    std::string out;
    for (std::size_t at = 0; at < std::max(rows.size(), expects.size()); ++at) {
        if (at >= rows.size() || at >= expects.size() || !fits(rows[at], expects[at])) {
            out += "\n  answer " + number(at + 1) + ": " +
                   (at < rows.size() ? printed(rows[at]) : "none") +
                   (at < expects.size() ? "" : " (not expected)");
        }
    }
    return out;
}

// The bytes as cases write them.
std::string bytes_text(std::string_view bytes) {
    std::string out;
    for (const auto& line : split(bytes, '\n')) {
        out += printable(line) + "\\n";
    }
    return out.substr(0, out.size() - 2);
}

std::string place_of(std::string_view path, std::uint64_t offset) {
    for (const std::string_view root : {"/sys/bus/pci/devices/", "/sys/devices/system/cpu/"}) {
        path.remove_prefix(path.starts_with(root) ? root.size() : 0);
    }
    return std::string(path) + (offset != 0 ? "@" + hex(offset, 1) : "");
}

std::vector<std::string> writes_of(const Change& change, const std::string& word) {
    std::vector<std::string> out;
    for (const auto& write : change.writes) {
        out.push_back(word + " " + place_of(write.path, write.offset.value_or(0)) + " = " +
                      bytes_text(write.bytes));
    }
    return out;
}

// As the lines "write" and "state" of a case.
std::vector<std::string> printed(const Change& change) {
    auto out = writes_of(change, "write");
    for (const auto& state : change.states) {
        out.push_back("state " + place_of(state.attribute.path, state.attribute.offset) + " " +
                      std::string(word_of(state.attribute.codec)) + " " +
                      (state.value.empty() ? "any" : state.value) +
                      (state.lost.empty() ? "" : " lost " + state.lost));
    }
    return out;
}

// As the lines "baseline" and "back" of a case.
std::vector<std::string> printed(const std::vector<Baseline>& baselines) {
    std::vector<std::string> out;
    for (const auto& each : baselines) {
        out.push_back("baseline " + each.target.text() + " " +
                      (each.back ? each.shown : "~" + each.back.error().text));
        if (each.back) {
            const auto writes = writes_of(*each.back, "back");
            out.insert(out.end(), writes.begin(), writes.end());
        }
    }
    return out;
}

// The same text, or the same up to a '~' and the rest somewhere behind.
bool line_fits(const std::string& line, const std::string& expect) {
    const auto mark = expect.find(" ~");
    return line == expect || (mark != expect.npos && line.starts_with(expect.substr(0, mark + 2)) &&
                              line.find(expect.substr(mark + 2)) != line.npos);
}

bool lines_fit(const std::vector<std::string>& lines, const std::vector<std::string>& expects) {
    return std::equal(lines.begin(), lines.end(), expects.begin(), expects.end(), line_fits);
}

bool holds_year(std::string_view text) {
    for (std::size_t at = 0; at + 4 <= text.size(); ++at) {
        const auto year = parse_number(text.substr(at, 4));
        if (year && *year >= 2000 && *year < 2100) {
            return true;
        }
    }
    return false;
}

std::string file_name(std::string_view id) {
    std::string name(id == "env." ? "env.HIP_FORCE_DEV_KERNARG" : id);
    std::transform(name.begin(), name.end(), name.begin(), [](unsigned char letter) {
        return letter == '.' ? '_' : static_cast<char>(std::tolower(letter));
    });
    return name;
}

bool asks_for_access(std::string_view id) {
    return id.starts_with("access.") || id == "gpu.visible";
}

// Returns whether a path shows the services, or whether this is a container.
bool is_host_file(const std::string& path) {
    return path.starts_with("/etc/systemd/system") || path.starts_with("/etc/tuned/") ||
           path == "/proc" || path == "/.dockerenv" || path == "/run/.containerenv";
}

// Returns whether an id is about the node, which a container's own files do not describe.
bool is_of_node(std::string_view id) {
    return id == "os.release" || id == "host.time_sync";
}

// Returns whether a path is one where the versions of variables' readers are searched.
bool is_python_place(const std::string& path) {
    return path.starts_with("/opt/venv") || path.starts_with("/opt/conda") ||
           path.find("/lib") != std::string::npos || path.ends_with("/bin") ||
           path.find("python") != std::string::npos;
}

bool asks_for_rocm(const std::string& id) {
    return id.starts_with("env.") || id.starts_with("rocm.");
}

bool is_allowed(const std::string& path, const Case& test) {
    static const std::vector<std::string> roots{"/sys/", "/proc/", "/opt/rocm/"};
    const auto rocm = test.process.variable("ROCM_PATH");
    return std::any_of(roots.begin(), roots.end(),
                       [&](const std::string& root) { return path.starts_with(root); }) ||
           (test.id == "limits.shm" && path == "/dev/shm") ||
           (test.id == "host.rivals" && is_host_file(path)) ||
           (test.id == "rdma.gpu_direct" && path.starts_with("/boot/config-")) ||
           (test.id == "host.time_sync" &&
            (path == "/proc" || path == "/run/systemd/timesync/synchronized")) ||
           (test.id == "os.release" && path == "/etc/os-release") ||
           (is_of_node(test.id) && (path == "/.dockerenv" || path == "/run/.containerenv")) ||
           (asks_for_rocm(test.id) && (path == "/opt" || path.starts_with("/opt/rocm") ||
                                       path.starts_with("/usr/share/miopen"))) ||
           (asks_for_access(test.id) && (path.starts_with("/dev/") || path == "/etc/group")) ||
           (asks_for_rocm(test.id) &&
            (is_python_place(path) || path.starts_with("/etc/alternatives/"))) ||
           (asks_for_rocm(test.id) && rocm && path.starts_with(*rocm)) ||
           (test.id == "rocm.arch" && path.starts_with("/srv/tensile"));
}

TEST_CASE("settings: whatever can be set is kept over a reboot by something", "[settings]") {
    std::set<std::string> asked;
    for (const auto& file : cases::all_cases()) {
        for (const auto& test : file.cases) {
            const Setting& setting = *find_setting(test.id);
            const Expectation expectation = cases::expectation_of(test);
            if (setting.info.places.empty() || expectation.unset) {
                continue;
            }
            INFO(test.place << ": " << test.id);
            CHECK_FALSE(keeping_of(setting, expectation).empty());
            asked.insert(test.id);
        }
    }
    for (const Setting* setting : all_settings()) {
        INFO(setting->info.id);
        CHECK(asked.contains(std::string(setting->info.id)) == !setting->info.places.empty());
    }
}

TEST_CASE("settings: a folder that stands for a machine takes what any setting writes",
          "[settings]") {
    for (const Setting* setting : all_settings()) {
        for (const auto& place : setting->info.places) {
            INFO(setting->info.id << " " << place.path);
            CHECK((place.bytes.empty() || place.offsets || rule_of(place) != nullptr));
        }
    }
}

TEST_CASE("settings: what only a reboot changes says so", "[settings]") {
    for (const auto& file : cases::all_cases()) {
        for (const auto& test : file.cases) {
            const Info& info = find_setting(test.id)->info;
            const Expectation expectation = cases::expectation_of(test);
            const Keeping keeping =
                expectation.unset ? Keeping() : keeping_of(*find_setting(test.id), expectation);
            const bool by_boot = !keeping.boot_words.empty() || !keeping.unwanted_words.empty() ||
                                 !keeping.firmware.empty();
            INFO(test.place << ": " << test.id);
            CHECK((!by_boot || !info.places.empty() || info.after_reboot));
            CHECK((!info.after_reboot || info.places.empty()));
        }
    }
}

}  // namespace

TEST_CASE("settings: every case", "[settings]") {
    for (const auto& file : cases::all_cases()) {
        for (const auto& test : file.cases) {
            const std::string wrong = complaint(test.expects, ask(test).rows);
            INFO(test.place << ": " << test.name << wrong);
            CHECK_FALSE(test.expects.empty());
            if (test.bug.empty()) {
                CHECK(wrong.empty());
            } else {
                INFO("the program does this now: take the line \"bug " << test.bug << "\" away");
                CHECK_FALSE(wrong.empty());
            }
        }
    }
}

TEST_CASE("settings: the changes that cases state", "[settings]") {
    for (const auto& file : cases::all_cases()) {
        for (const auto& test : file.cases) {
            const auto answer = ask(test);
            INFO(test.place << ": " << test.name);
            std::size_t found = 0;
            for (const auto& row : answer.rows) {
                const auto expects = test.changes.find(row.target.text());
                if (expects != test.changes.end()) {
                    ++found;
                    REQUIRE(row.change);
                    INFO(join(printed(*row.change), "\n"));
                    CHECK(printed(*row.change) == expects->second);
                }
            }
            CHECK(found == test.changes.size());
        }
    }
}

TEST_CASE("settings: the baselines, defaults and refusals that cases state", "[settings]") {
    for (const auto& file : cases::all_cases()) {
        for (const auto& test : file.cases) {
            const auto answer = ask(test);
            INFO(test.place << ": " << test.name);
            if (!test.baselines.empty()) {
                INFO(join(printed(answer.baselines), "\n"));
                CHECK(lines_fit(printed(answer.baselines), test.baselines));
            }
            if (!test.defaults.empty()) {
                CHECK(complaint(test.defaults, answer.defaults) == "");
            }
            for (std::size_t at = 0; at < test.unsafe.size(); ++at) {
                const auto& part = test.unsafe[at].second;
                INFO(answer.unsafe[at]);
                CHECK(answer.unsafe[at].empty() == part.empty());
                CHECK(answer.unsafe[at].find(part) != std::string::npos);
            }
        }
    }
}

TEST_CASE("settings: every setting has cases, and one in which it passes", "[settings]") {
    std::set<std::string> names;
    std::set<std::string> passing;
    for (const auto& file : cases::all_cases()) {
        for (const auto& test : file.cases) {
            const bool passes = std::any_of(test.expects.begin(), test.expects.end(),
                                            [](const auto& each) { return each.outcome == "ok"; });
            if (passes) {
                passing.insert(test.id);
            }
        }
    }
    for (const Setting* setting : all_settings()) {
        const std::string_view id = setting->info.id;
        INFO(id);
        CHECK(passing.contains(id == "env." ? "env.HIP_FORCE_DEV_KERNARG" : std::string(id)));
        names.insert(file_name(id));
    }
    for (const auto& file : cases::own_cases()) {
        INFO(file.name << ".case is named after no setting");
        CHECK(names.contains(file.name));
    }
}

TEST_CASE("settings: every setting with a row of a shape has the cases of one", "[settings]") {
    for (const Setting* setting : all_settings()) {
        const ShapeRow& row = setting->row;
        const bool is_row = row.file != nullptr || row.gpu_value != nullptr ||
                            row.interface_sysctl != nullptr || row.limit != nullptr ||
                            row.path != nullptr || row.policy != nullptr;
        INFO(setting->info.id);
        CHECK((!is_row || std::any_of(std::begin(cases::shapes), std::end(cases::shapes),
                                      [&](const auto& shape) { return shape.has(*setting); })));
    }
    CHECK(cases::case_files(ROCENV_SOURCE_DIR "/tests/settings/shapes").size() ==
          std::size(cases::shapes));
    for (const auto& shape : cases::shapes) {
        INFO(shape.name);
        CHECK(std::count_if(all_settings().begin(), all_settings().end(),
                            [&](const Setting* each) { return shape.has(*each); }) > 1);
    }
}

TEST_CASE("settings: asked twice, the answer is the same", "[settings]") {
    for (const auto& file : cases::all_cases()) {
        for (const auto& test : file.cases) {
            INFO(test.place << ": " << test.name);
            const auto first = ask(test).rows;
            const auto second = ask(test).rows;
            REQUIRE(first.size() == second.size());
            for (std::size_t at = 0; at < first.size(); ++at) {
                CHECK(printed(first[at]) == printed(second[at]));
            }
        }
    }
}

TEST_CASE("settings: every answer is whole, and each target is there once", "[settings]") {
    for (const auto& file : cases::all_cases()) {
        for (const auto& test : file.cases) {
            std::set<std::string> targets;
            const auto rows = ask(test).rows;
            INFO(test.place << ": " << test.name);
            CHECK_FALSE(rows.empty());
            for (const auto& row : rows) {
                INFO(printed(row));
                CHECK((targets.insert(row.target.text()).second || !test.bug.empty()));
                const bool judged = row.outcome == Outcome::ok || row.outcome == Outcome::differs;
                CHECK((judged || !row.detail.empty()));
                CHECK((row.outcome != Outcome::unknown || !row.detail.empty()));
                CHECK(is_plain(row.target.text()));
                CHECK(row.detail.find('\x1b') == std::string::npos);
                CHECK((test.id.starts_with("env.") ||
                       row.have.value_or("").find('\x1b') == std::string::npos));
            }
        }
    }
}

TEST_CASE("settings: a next step leaves nothing to be filled in", "[settings]") {
    for (const auto& file : cases::all_cases()) {
        for (const auto& test : file.cases) {
            const auto rows = ask(test).rows;
            for (const auto& finding :
                 to_findings(cases::expectation_of(test), *find_setting(test.id), rows)) {
                INFO(test.place << ": " << test.name << ": " << finding.fix);
                CHECK((finding.outcome != Outcome::differs || !finding.fix.empty()));
                for (const char* word :
                     {"BDF", "MHZ", "WORD", "MODE", " INDEX", "UNIT", "rocm-smi"}) {
                    CHECK(finding.fix.find(word) == std::string::npos);
                }
            }
        }
    }
}

TEST_CASE("settings: nothing is read but kernel files and the ROCm version", "[settings]") {
    for (const auto& file : cases::all_cases()) {
        for (const auto& test : file.cases) {
            for (const auto& path : ask(test).paths) {
                INFO(test.place << ": " << test.name << ": " << path);
                CHECK(is_allowed(path, test));
            }
        }
    }
}

TEST_CASE("settings: every setting says what it is", "[settings]") {
    std::set<std::string_view> ids;
    for (const Setting* setting : all_settings()) {
        const Info& info = setting->info;
        INFO(info.id);
        CHECK(ids.insert(info.id).second);
        for (const auto text : {info.id, info.summary, info.why, info.source, info.target,
                                info.read_from, info.next_step}) {
            CHECK_FALSE(text.empty());
        }
        CHECK((info.id == "env." || holds_year(info.source)));
        CHECK_FALSE(info.forms.empty());
        CHECK_FALSE(forms_text(info.forms).empty());
        const bool settable = !info.set_by.empty() && info.scope == Scope::node;
        CHECK((!settable || (!info.persist.empty() && !info.risk_note.empty())));
        CHECK((!settable || info.risk != Risk::none));
        const bool process = info.id.starts_with("env.") || info.id.starts_with("limits.") ||
                             asks_for_access(info.id);
        CHECK((info.scope == Scope::process) == process);
    }
}

TEST_CASE("settings: every setting says whether nodes of a cluster should agree on it",
          "[settings]") {
    for (const Setting* setting : all_settings()) {
        const Info& info = setting->info;
        INFO(info.id);
        CHECK(info.over_cluster != OverCluster::unstated);
        CHECK((info.scope == Scope::node || info.over_cluster == OverCluster::own));
        CHECK(normalised_of(*setting, "a word") == "a word");
    }
    const Setting& cmdline = *find_setting("kernel.cmdline");
    CHECK(normalised_of(cmdline,
                        "BOOT_IMAGE=/boot/vmlinuz-6.8 root=UUID=1234-5 ro iommu=pt "
                        "crashkernel=512M resume=/dev/sda2 luks.uuid=luks-1 rd.luks.UUID=7") ==
          "ro iommu=pt luks.uuid=luks-1");
}

TEST_CASE("settings: a grade says what it is, and lowers", "[settings]") {
    for (const Setting* setting : all_settings()) {
        std::set<std::string_view> names;
        for (const auto& grade : setting->info.grades) {
            INFO(setting->info.id << " " << grade.name);
            CHECK(names.insert(grade.name).second);
            CHECK_FALSE(grade.why.empty());
            CHECK(grade.at_most < Level::required);
        }
    }
    for (const auto& file : cases::all_cases()) {
        for (const auto& test : file.cases) {
            const auto grades = find_setting(test.id)->info.grades;
            for (const auto& row : ask(test).rows) {
                INFO(test.place << ": " << printed(row));
                CHECK((row.grade == nullptr ||
                       (row.grade >= grades.data() && row.grade < grades.data() + grades.size())));
            }
        }
    }
}

TEST_CASE("settings: an id leads to its setting, and to no other", "[settings]") {
    for (const Setting* setting : all_settings()) {
        const std::string id(setting->info.id);
        const Setting* found = find_setting(id);
        CHECK(found == (id == "env." ? nullptr : setting));
    }
    CHECK(find_setting("env.ANY") == all_settings().back());
    CHECK(find_setting("") == nullptr);
    CHECK(find_setting("kernel.numa") == nullptr);
    CHECK(find_setting("kernel.numa_balancing2") == nullptr);
}

}  // namespace rocenv::settings_test
