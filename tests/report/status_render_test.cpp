// SPDX-License-Identifier: MIT
#include <string>

#include "report/render.h"
#include "support/catch.h"
#include "transaction/set.h"

namespace status_render_test {

namespace {

using namespace rocenv;

const std::string since = "2026-11-20T19:31:00Z";

StatusItem item(std::string id, std::string target, std::string baseline, std::string set) {
    StatusItem out;
    out.key = {std::move(id), std::move(target)};
    out.baseline = std::move(baseline);
    out.present = set;
    out.set = std::move(set);
    out.by = "rocenv";
    out.since = since;
    out.paths = {"/sys/" + out.key.id + "/" + out.key.target};
    return out;
}

Status rich() {
    Status status;
    for (int at = 0; at < 384; ++at) {
        status.items.push_back(
            item("cpu.governor", "policy" + std::to_string(at), "schedutil", "performance"));
    }
    status.items[7].present = "ondemand";
    status.items[7].by = "someone else";
    status.items.push_back(item("cpu.idle", "cpu3/C2", "enabled", "disabled"));
    status.items.push_back(item("cpu.idle", "cpu4/C2", "enabled", "disabled"));
    auto side = item("gpu.determinism", "0000:05:00.0", "off", "1900");
    side.by = "side effect";
    side.paths.push_back("/sys/other");
    status.items.push_back(side);
    auto back = item("kernel.numa_balancing", "system", "1", "0");
    back.present = "1";
    back.by = "baseline";
    status.items.push_back(back);
    status.holders = {"job-17", "job-18", "run/4711-1f2e3d4c"};
    status.dead = {"run/4711-1f2e3d4c"};
    status.notes = {"the last set did not end; the next reset puts everything back"};
    status.exit_code = 5;
    return status;
}

std::string human(const Status& status, Detail detail = Detail::normal) {
    return render_status_human(status, detail, Colour::no);
}

TEST_CASE("Status tells what was set, folded, and what became of it", "[status_render]") {
    CHECK(human(rich()) ==
          R"(4 settings active, 1 modified outside rocenv since 2026-11-20T19:31:00Z
  SETTING                WAS        NOW                TARGETS
  cpu.governor           schedutil  performance        policy0-6,8-383
  cpu.governor           schedutil  ondemand  CHANGED  policy7
  cpu.idle               enabled    disabled           cpu3-4/C2
  gpu.determinism        off        1900               0000:05:00.0
  kernel.numa_balancing  1          1
cpu.governor: modified outside rocenv (rocenv set performance)
gpu.determinism: is a side effect of another setting
kernel.numa_balancing: has its old value again
Held by: job-17, job-18, run/4711-1f2e3d4c (dead)
note: the last set did not end; the next reset puts everything back
)");
}

TEST_CASE("A limit that is lost is told from one in force", "[status_render]") {
    Status status;
    status.items = {item("gpu.determinism", "0000:05:00.0", "off", "1900"),
                    item("gpu.determinism", "0000:09:00.0", "off", "1900")};
    status.items[1].present = "lost";
    CHECK(human(status).find("gpu.determinism: reads lost, as after a GPU reset") !=
          std::string::npos);
}

TEST_CASE("Each item says since when and who holds it where that is not the same for all",
          "[status_render]") {
    Status status;
    status.items = {item("cpu.boost", "system", "false", "true"),
                    item("kernel.thp", "system", "always", "madvise")};
    status.items[0].hold = "job-17";
    status.items[1].by = "unknown";
    CHECK(human(status) == R"(2 settings active
  SETTING     WAS     NOW      TARGETS
  cpu.boost   false   true
  kernel.thp  always  madvise
cpu.boost: since 2026-11-20T19:31:00Z, held by job-17
kernel.thp: reads madvise
kernel.thp: since 2026-11-20T19:31:00Z
)");
}

TEST_CASE("The age of a set is in the largest unit that is full", "[status_render]") {
    Status status;
    status.items = {item("kernel.thp", "system", "always", "madvise")};
    for (const auto& [now, age] : {std::pair{"2026-11-20T19:31:59Z", "59 s"},
                                   {"2026-11-20T19:32:00Z", "1 min"},
                                   {"2026-11-20T20:30:59Z", "59 min"},
                                   {"2026-11-20T20:31:00Z", "1 h"},
                                   {"2026-11-21T19:30:59Z", "23 h"},
                                   {"2026-11-21T19:31:00Z", "1 d"}}) {
        status.time = now;
        INFO(now);
        CHECK(human(status).starts_with("1 setting active since 2026-11-20T19:31:00Z (" +
                                        std::string(age) + ")\n"));
    }
}

TEST_CASE("Nothing set, and a journal that cannot be read, are one line", "[status_render]") {
    Status status;
    CHECK(human(status) == "no setting is active on this node\n");
    CHECK(human(status, Detail::quiet).empty());
    status.unreadable = Error{ErrorKind::not_permitted, 13, "/j", "cannot read /j: EACCES"};
    CHECK(human(status) == "the journal cannot be read: cannot read /j: EACCES\n");
}

}  // namespace

}  // namespace status_render_test
