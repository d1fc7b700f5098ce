// SPDX-License-Identifier: MIT
#include "transaction/persist_hints.h"

#include <string>
#include <string_view>
#include <vector>

#include "cli/commands.h"
#include "os/fs/memory_fs.h"
#include "profile/profile.h"
#include "support/catch.h"
#include "support/machines.h"
#include "util/text.h"

namespace persist_hints_test {

namespace {

using namespace rocenv;

// As a profile's entry, at level required.
Expectation expected(const std::string& text, Level level = Level::required) {
    const auto entry = parse_override(text);
    REQUIRE(entry.ok());
    Expectation out;
    out.id = entry->id;
    out.value = *entry->value;
    out.level = level;
    return out;
}

std::string hints(const std::vector<Expectation>& expectations,
                  const std::vector<std::string>& profiles,
                  const std::string& line = "iommu=off quiet") {
    MemoryFs fs;
    fs.add_file("/proc/cmdline", line + "\n");
    return persist_hints(expectations, profiles, Site::merged, Machine(fs).kernel_arguments());
}

bool holds(std::string_view text, std::string_view part) {
    return text.find(part) != std::string_view::npos;
}

TEST_CASE("Every kind of file that keeps a setting over a reboot", "[persist_hints]") {
    const std::vector<Expectation> expectations = {
        expected("kernel.numa_balancing=0"),
        expected("kernel.compaction_proactiveness=0"),
        expected("kernel.thp=madvise"),
        expected("cpu.boost=true"),
        expected("cpu.governor=performance"),
        expected("cpu.idle={ max_latency_us = 10 }"),
        expected("kernel.cmdline={ wanted = [\"iommu=pt\"], unwanted = [\"iommu=off\"] }"),
        expected("kernel.iommu=passthrough"),
        expected("cpu.smt=off")};
    CHECK(hints(expectations, {"site", "mi300x"}) ==
          R"(# /etc/sysctl.d/90-rocenv.conf
kernel.numa_balancing = 0
vm.compaction_proactiveness = 0

# /etc/tmpfiles.d/rocenv.conf
w /sys/kernel/mm/transparent_hugepage/enabled - - - - madvise
w /sys/devices/system/cpu/cpufreq/boost - - - - 1
w /sys/devices/system/cpu/intel_pstate/no_turbo - - - - 0

# /etc/systemd/system/rocenv-set.service
# (adapt the path of rocenv; paths of profiles begin with /), then:
# systemctl daemon-reload && systemctl enable rocenv-set.service
[Unit]
Description=GPU node settings of rocenv
Wants=systemd-udev-settle.service
After=systemd-udev-settle.service tuned.service cpupower.service
Before=slurmd.service kubelet.service

[Service]
Type=oneshot
RemainAfterExit=yes
ExecStart=/usr/local/bin/rocenv set \
    -p site \
    -p mi300x \
    --only cpu.governor,cpu.idle

[Install]
WantedBy=multi-user.target

# /etc/default/grub.d/90-rocenv.cfg, then update-grub and reboot
# (other boot loaders: add these words to the kernel line, each of them once)
# remove from the kernel line: iommu=off
GRUB_CMDLINE_LINUX="$GRUB_CMDLINE_LINUX iommu=pt"
GRUB_CMDLINE_LINUX="$GRUB_CMDLINE_LINUX cpufreq.default_governor=performance"
GRUB_CMDLINE_LINUX="$GRUB_CMDLINE_LINUX processor.max_cstate=1"

# in the BIOS:
# cpu.smt = off: SMT Control, or nosmt on the kernel command line
)");
}

TEST_CASE("Words are to be removed only if they stand on the line", "[persist_hints]") {
    const std::vector<Expectation> expectations = {
        expected("kernel.cmdline={ unwanted = [\"iommu=off\", \"nosmp\", \"idle\"] }")};
    CHECK(holds(hints(expectations, {"p"}, "ro idle=poll"),
                "remove from the kernel line: idle=poll\n"));
    CHECK(hints(expectations, {"p"}, "ro quiet") ==
          "# The profile names nothing that a reboot undoes.\n");
}

TEST_CASE("What is only for information needs no help over a reboot", "[persist_hints]") {
    CHECK(hints({expected("kernel.numa_balancing=0", Level::info)}, {"p"}) ==
          "# The profile names nothing that a reboot undoes.\n");
    CHECK(holds(hints({expected("kernel.numa_balancing=0", Level::recommended)}, {"p"}),
                "kernel.numa_balancing = 0\n"));
}

TEST_CASE("A limit on idle states that lets C2 pass does not stop at C1", "[persist_hints]") {
    CHECK(holds(hints({expected("cpu.idle={ max_latency_us = 10 }")}, {"p"}), "max_cstate=1"));
    CHECK_FALSE(holds(hints({expected("cpu.idle={ max_latency_us = 200 }")}, {"p"}), "max_cstate"));
    CHECK_FALSE(holds(hints({expected("cpu.idle=all")}, {"p"}), "max_cstate"));
}

TEST_CASE("ACS on the kernel line clears what the policy clears", "[persist_hints]") {
    const std::string start = "pci.acs={ scope = \"gpu-path\", policy = ";
    CHECK(holds(hints({expected(start + "\"no-redirect\" }")}, {"p"}), "config_acs=x0x00xx@"));
    CHECK(holds(hints({expected(start + "\"off\" }")}, {"p"}), "config_acs=0000000@"));
    // Bits in front of each: Linux 6.12 leaves a function without as it is (seen in the kernel
    // lab).
    CHECK(holds(hints({expected(start + "\"off\" }")}, {"p"}), ";0000000@0000:00:01.2"));
}

TEST_CASE("Words from a profile cannot break out of the shell or the unit", "[persist_hints]") {
    const auto words = expected(R"(kernel.cmdline={ wanted = ['a"$(b)`c\'] })");
    CHECK(holds(hints({words}, {"p"}), R"(LINUX a\"\$(b)\`c\\")"));
    CHECK(holds(hints({expected("cpu.idle=all")}, {"./50% $x.toml"}), R"(-p './50%% $$x.toml')"));
}

TEST_CASE("Only a reboot can change these, and one line says so", "[persist_hints]") {
    std::vector<Finding> findings(4);
    findings[0].id = findings[1].id = "kernel.cmdline";
    findings[2].id = "kernel.numa_balancing";
    findings[3].id = "cpu.smt";
    for (auto& finding : findings) {
        finding.outcome = Outcome::differs;
    }
    findings[3].level = Level::info;
    CHECK(reboot_note(findings) ==
          "1 setting needs a reboot or the BIOS: kernel.cmdline; --persist-hints prints what to "
          "add");
    findings[3].level = Level::recommended;
    CHECK(holds(reboot_note(findings),
                "2 settings need a reboot or the BIOS: kernel.cmdline, "
                "cpu.smt;"));
    CHECK(reboot_note({findings[2]}).empty());
}

TEST_CASE("Without -p the profiles that fit the node are named", "[persist_hints]") {
    const auto said = [](const std::string& machine) {
        const auto& fs = machine_fs(machine);
        const auto output = profile_missing({}, "set", fs, fs, Process());
        REQUIRE(output.has_value());
        CHECK(output->exit_code == 2);
        CHECK(output->out.empty());
        return output->err;
    };
    const std::string start =
        "rocenv: set needs a profile, named with -p. Profiles for this node: ";
    CHECK(said("mi300x-spx") == start + "mi300x, mi300x-benchmark\n");
    CHECK(said("no-gpu") == start + "host, host-benchmark\n");
    CheckRequest options;
    options.profiles = {"host"};
    const auto& fs = machine_fs("no-gpu");
    CHECK_FALSE(profile_missing(options, "set", fs, fs, Process()).has_value());
}

TEST_CASE("Hints for every shipped profile fit a terminal", "[persist_hints]") {
    const auto& fs = machine_fs("mi300x-spx");
    const ProfileStore store(fs, Process());
    for (const auto& name : store.names()) {
        SetOptions options;
        options.request.check.ignore_match = true;
        options.request.check.profiles = {name};
        const auto output = run_persist_hints(options, fs, fs, Process());
        CAPTURE(name, output.err);
        CHECK(output.exit_code == 0);
        for (const auto line : split(output.out, '\n')) {
            CAPTURE(line);
            CHECK(line.size() <= 80);
        }
    }
}

TEST_CASE("Hints keep to --only and take --want", "[persist_hints]") {
    const auto& fs = machine_fs("mi300x-spx");
    SetOptions options;
    options.request.check.profiles = {"benchmark"};
    options.request.check.only = {"gpu.*"};
    options.request.check.overrides = {"gpu.soc_pstate=1"};
    const auto text = run_persist_hints(options, fs, fs, Process()).out;
    CHECK(holds(text,
                "    -p mi300x-benchmark \\\n    --want gpu.soc_pstate=1 \\\n"
                "    --only gpu.determinism,gpu.soc_pstate\n"));
    CHECK_FALSE(holds(text, "sysctl"));
    const auto refused = wrong_names({{"--only", {"gpu.*"}}, {"--skip", {"gpus.*"}}});
    REQUIRE(refused);
    CHECK(refused->err == "rocenv: unknown setting 'gpus.*' for --skip\n");
    CHECK(refused->exit_code == 2);
}

}  // namespace

}  // namespace persist_hints_test
