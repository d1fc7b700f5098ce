// SPDX-License-Identifier: MIT
#include "os/redact/redact.h"

#include <string>

#include "support/catch.h"

namespace redact_test {

namespace {

using namespace rocenv;

std::string redacted_content(const std::string& path, const std::string& content,
                             const std::string& hostname = "node7\n") {
    Notes notes;
    notes["/proc/sys/kernel/hostname"].content.emplace(hostname);
    notes[path].content.emplace(content);
    redact(notes);
    return **notes[path].content;
}

struct TextCase {
    const char* text;
    const char* redacted;
};

TEST_CASE("Of CPUs and memory stays what does not change from reading to reading", "[redact]") {
    const std::string cpus =
        "processor\t: 0\nmodel name\t: X\ncpu MHz\t: 2400.5\nflags\t: fpu hypervisor\n\n"
        "processor\t: 1\nmodel name\t: X\ncpu MHz\t: 1500.1\nflags\t: fpu hypervisor\n";
    CHECK(redacted_content("/proc/cpuinfo", cpus) ==
          "processor\t: 0\nmodel name\t: X\nflags\t: fpu hypervisor\n");
    CHECK(redacted_content("/sys/devices/system/node/node1/meminfo",
                           "Node 1 MemTotal: 8 kB\nNode 1 MemFree: 5 kB\n") ==
          "Node 1 MemTotal: 8 kB\n");
    CHECK(redacted_content("/proc/meminfo", "MemTotal: 8 kB\nMemFree: 5 kB\n") ==
          "MemTotal: 8 kB\n");
    CHECK(redacted_content("/proc/meminfo", "garbled") == "redacted\n");
    CHECK(redacted_content("/proc/other", cpus) == "redacted\n");
}

TEST_CASE("Of the command line stays what tunes the kernel", "[redact]") {
    const TextCase cases[] = {
        {"iommu=pt pci=realloc=off,bfsort quiet ro\n", nullptr},
        {"amdgpu.noretry=0 processor.max_cstate=1 numa-balancing=disable\n", nullptr},
        {"mitigations=auto,no_guest_host isolcpus=managed_irq,1-3,8-63:2/16 hugepages=512\n",
         nullptr},
        {"root=UUID=1234-ABCD x\n", "root=redacted redacted\n"},
        {"ip=10.0.0.1::10.0.0.254:255.0.0.0:alice:eth0\n", "ip=redacted\n"},
        {"systemd.hostname=alice user=bob\n", "systemd.hostname=redacted user=redacted\n"},
        {"quiet node7 on-NODE7 Node7=1\n", "quiet redacted redacted redacted\n"},
        {"/dev/sda alice@host\n", "redacted redacted\n"},
        {"dyndbg=\"file foo.c +p; secret=x\" iommu=pt\n", "dyndbg=redacted iommu=pt\n"},
        {"foo=\"a secret\" iommu=pt\n", "redacted iommu=pt\n"},
        {"\"foo=a secret\" \"a secret\" iommu=pt\n", "redacted redacted iommu=pt\n"},
        {"iommu=\"pt secret\" ro\n", "iommu=redacted ro\n"},
        {"c2VjcmV0==\n", "redacted\n"},
        {"iommu=pt -- alice --token=x\n", "iommu=pt\n"},
        {"iommu=pt  \t quiet \n", "iommu=pt quiet\n"},
        {"open=\"end\n", "redacted\n"},
        {"initcall_blacklist=sysfb_init module_blacklist=nouveau,tpm_tokens,node7drv\n",
         "initcall_blacklist=sysfb_init module_blacklist=nouveau,redacted,redacted\n"},
        {"pci=realloc=off,password=z iommu.Passphrase=y kvm.token=x\n",
         "pci=realloc=off,redacted redacted redacted\n"},
        {"amdgpu.token=x amdgpu.virtual_display=alice amdgpu.dpm=0 sitedrv.x=1\n",
         "redacted amdgpu.virtual_display=redacted amdgpu.dpm=0 redacted\n"},
        {"vfio-pci.ids=1002:74a1 netconsole=@10.0.0.1/eth0\n",
         "vfio-pci.ids=1002:74a1 netconsole=redacted\n"},
        {"mem=192.168.1.1 crashkernel=512M,high\n", "mem=0.0.0.0 crashkernel=512M,high\n"},
        {"", nullptr},
        {"\x1bpassword", "\x01\n"},
    };
    for (const auto& item : cases) {
        CAPTURE(item.text);
        CHECK(redact_command_line(item.text, HostName("node7")) ==
              (item.redacted == nullptr ? item.text : item.redacted));
    }
    CHECK(redacted_content("/proc/cmdline", "quiet node7\n") == "quiet redacted\n");
}

TEST_CASE("Redacting what is redacted changes nothing", "[redact]") {
    for (const char* line : {"root=UUID=1 node7 a/b iommu=pt pci=x,bfsort -- x", "\x01"}) {
        const auto once = redact_command_line(line, HostName("node7"));
        CHECK(redact_command_line(once, HostName(redacted)) == once);
    }
}

TEST_CASE("A host's name is taken out in any letter case", "[redact]") {
    const HostName host("Grendel-17.cluster.example\n");
    CHECK(host.taken_out("at GRENDEL-17, xgrendel-17y") == "at redacted, xredactedy");
    CHECK(host.taken_out("grendel-17.other.example:80 grendel-1") == "redacted:80 grendel-1");
    CHECK(HostName("vm").taken_out("vm kvm VM-1 vmlinuz") == "redacted kvm redacted-1 vmlinuz");
    for (const char* name :
         {"", "(none)", "localhost", "redacted", "17", "performance", "amd", "mi300x"}) {
        CHECK(HostName(name).taken_out("performance none 17 MI300X") ==
              "performance none 17 MI300X");
    }
    CHECK(HostName("node7").is_common());
    CHECK(HostName("vm").is_common());
    CHECK_FALSE(HostName("nodes-1").is_common());
    CHECK_FALSE(HostName("grendel").is_common());
}

TEST_CASE("Of the distribution stay known keys, and its servers", "[redact]") {
    CHECK(
        redacted_content("/etc/os-release",
                         "PRETTY_NAME=\"Ubuntu of alice\"\nNAME=\"Ubuntu\"\nVERSION_ID=\"24.04\"\n"
                         "ID=ubuntu\nHOME_URL=\"https://alice:pw@www.ubuntu.com/?t=x\"\n"
                         "SUPPORT_URL='https://help.ubuntu.com/a'\nBUG_REPORT_URL=mailto:a@b\n"
                         "VARIANT=\"alice\"\n# alice\nSITE=1\n\n") ==
        "NAME=\"Ubuntu\"\nVERSION_ID=\"24.04\"\nID=ubuntu\n"
        "HOME_URL=\"https://www.ubuntu.com/\"\nSUPPORT_URL=\"https://help.ubuntu.com/\"\n");
    CHECK(redacted_content("/etc/os-release", "alice\n") == "redacted\n");
}

TEST_CASE("Of swap areas stay kinds and sizes", "[redact]") {
    CHECK(redacted_content(
              "/proc/swaps",
              "Filename\tType\tSize\tUsed\tPriority\n"
              "/home/alice/swap file\tfile\t1024\t0\t-2\n/dev/sda2 partition 8 0 -3\n") ==
          "Filename\tType\tSize\tUsed\tPriority\n"
          "/redacted\tfile\t1024\t0\t-2\n/redacted\tpartition\t8\t0\t-3\n");
    CHECK(redacted_content("/proc/swaps", "alice\n") == "redacted\n");
}

TEST_CASE("Of files of the kernel stay numbers and words that kernels write", "[redact]") {
    const std::string device = "/sys/bus/pci/devices/0000:05:00.0/";
    const TextCase cases[] = {
        {"32.0 GT/s PCIe\n", nullptr},
        {"0: 500Mhz\n1: 1700Mhz *\n", nullptr},
        {"0-95,192-287\n", nullptr},
        {"alice\n", "redacted\n"},
        {"feature mask: 0x5fcd\nalice: 7\n", "feature mask: 0x5fcd\nredacted 7\n"},
        {"00:1b:44:11:3a:b7\n", "00:00:00:00:00:00\n"},
    };
    for (const auto& item : cases) {
        CAPTURE(item.text);
        CHECK(redacted_content(device + "power_state", item.text) ==
              (item.redacted == nullptr ? item.text : item.redacted));
    }
    CHECK(redacted_content("/sys/module/amdgpu/parameters/alice", "1\n") == "redacted\n");
    CHECK(redacted_content("/sys/module/amdgpu/parameters/noretry", "1\n") == "1\n");
    CHECK(redacted_content("/boot/config-6.8",
                           "CONFIG_A=y\nCONFIG_CMDLINE=\"alice\"\n# alice\nCONFIG_B=m\n") ==
          "CONFIG_A=y\nCONFIG_B=m\n");
    CHECK(redacted_content("/sys/class/dmi/id/product_name", "Box of NODE7 10.0.0.1\n") ==
          "Box of redacted 0.0.0.0\n");
    CHECK(redacted_content("/sys/class/infiniband/a/fw_ver", "230.2.52.0\n") == "230.2.52.0\n");
}

TEST_CASE("Links to folders that a person named still lead there", "[redact]") {
    Notes notes;
    notes["/opt/rocm"].target.emplace("/home/alice/rocm-6.2.0");
    notes["/home/alice/rocm-6.2.0/.info/version"].content.emplace("6.2.0\n");
    notes["/sys/class/net/alice"].target.emplace("../../devices/alice");
    redact(notes);
    CHECK(**notes["/opt/rocm"].target == "/home/folder1/rocm-6.2.0");
    CHECK(**notes["/home/folder1/rocm-6.2.0/.info/version"].content == "6.2.0\n");
    CHECK(notes.contains("/sys/class/net/alice"));
}

TEST_CASE("UUIDs and hardware addresses lose their digits, PCI addresses do not", "[redact]") {
    const TextCase cases[] = {
        {"UUID=8c1f4a3e-6f0b-4f0e-9a55-2f6d3c7b9e04", "UUID=00000000-0000-0000-0000-000000000000"},
        {"at 00:1B:44:11:3a:b7.", "at 00:00:00:00:00:00."},
        {"506b:4b03:00c1:6f2e", "0000:0000:0000:0000"},
        {"0000:05:00.0", nullptr},
        {"ff:ff:ff:ff:ff", nullptr},
        {"11:22:33:44:55:66:7", "00:00:00:00:00:00:7"},
        {"x8c1f4a3e-6f0b-4f0e-9a55-2f6d3c7b9e041", nullptr},
        {"8c1f4a3e-6f0b-4f0e-9a55-2f6d3c7b9e0", nullptr},
        {"8c1f4a3e-", nullptr},
        {"dm-8c1f4a3e-6f0b-4f0e-9a55-2f6d3c7b9e04", "dm-00000000-0000-0000-0000-000000000000"},
        {"MAC:00:1B:44:11:3a:b7", "MAC:00:00:00:00:00:00"},
        {"00-1B-44-11-3a-b7", "00-00-00-00-00-00"},
        {"04:3f:72:03:00:aa:bb:cc", "00:00:00:00:00:00:00:00"},
        {"00:00:10:49:fe:80:00:00:00:00:00:00:04:3f:72:03:00:aa:bb:cc",
         "00:00:00:00:00:00:00:00:00:00:00:00:00:00:00:00:00:00:00:00"},
        {"fe80:0000:0000:0000:506b:4b03:00c1:6f2e", "0000:0000:0000:0000:0000:0000:0000:0000"},
        {"0-95,192-287", nullptr},
        {"at 192.0.2.1:80, 10.0.0.1/8", "at 0.0.0.0:80, 0.0.0.0/8"},
        {"1.2.3.4.5 v1.2.3.4 1.2.3 300.1.1.1", nullptr},
        {"[2001:db8:77::53]:80 fe80::1%eth0", "[::]:80 ::%eth0"},
        {"2001:db8:0:1:2:3:4:5", "::"},
        {"at ::ffff:192.0.2.1, ::192.0.2.1:80", "at ::, :::80"},
        {"16:05:09 a::b std::cafe :: ::1", nullptr},
    };
    for (const auto& item : cases) {
        CAPTURE(item.text);
        CHECK(redact_addresses(item.text) ==
              (item.redacted == nullptr ? item.text : item.redacted));
    }
}

TEST_CASE("Beside versions, addresses of a site's own networks lose their digits", "[redact]") {
    const TextCase cases[] = {
        {"10.2.3.4", nullptr},
        {" 10.2.3.4\n", nullptr},
        {"2.8 of 10.11.12.19", "2.8 of 0.0.0.0"},
        {"1.2.3.4 192.168.7.8", "1.2.3.4 0.0.0.0"},
        {"fw 20.43.10.14 build 172.15.0.1", nullptr},
    };
    for (const auto& item : cases) {
        CAPTURE(item.text);
        CHECK(redact_addresses(item.text, Dotted::version) ==
              (item.redacted == nullptr ? item.text : item.redacted));
    }
}

TEST_CASE("An address without an end takes no longer than others", "[redact]") {
    std::string text;
    for (int pair = 0; pair < 300000; ++pair) {
        text += "11:";
    }
    CHECK(redact_addresses(text).find('1') == std::string::npos);
}

TEST_CASE("Names of files say what is in them", "[redact]") {
    CHECK(redacted_content("/proc/sys/kernel/random/boot_id", "5d0f\n") ==
          "00000000-0000-0000-0000-000000000000\n");
    CHECK(redacted_content("/etc/machine-id", "5d0f") == "redacted");
    CHECK(redacted_content("/sys/x/serial_number", "PCB0123\n") == "redacted\n");
    CHECK(redacted_content("/sys/x/serial_number", "\n") == "\n");
    CHECK(redacted_content("/sys/x/vendor", "0x1002\n") == "0x1002\n");
    CHECK(redacted_content("/proc/sys/kernel/hostname", "alice\n") == "redacted\n");
}

TEST_CASE("GIDs stay what they are and name nobody", "[redact]") {
    const std::string gids = "/sys/class/infiniband/mlx5_0/ports/1/gids/";
    const std::string mapped = "0000:0000:0000:0000:0000:ffff:";
    Notes notes;
    notes[gids + "0"].content.emplace("fe80:0000:0000:0000:506b:4b03:00c1:6f2e\n");
    notes[gids + "1"].content.emplace("fe80:0000:0000:0000:506b:4b03:00c1:6f2e\n");
    notes[gids + "2"].content.emplace(mapped + "c0a8:010a\n");
    notes[gids + "3"].content.emplace(mapped + "c0a8:020a\n");
    notes[gids + "4"].content.emplace("0000:0000:0000:0000:0000:0000:0000:0000\n");
    notes[gids + "5"].content.emplace(mapped + "0000:0000\n");
    notes[gids + "6"].content.emplace("fe80:0000:0000:0001:0000:0000:0000:0000\n");
    redact(notes);
    CHECK(**notes[gids + "0"].content == "fe80:0000:0000:0000:0000:0000:0000:0001\n");
    CHECK(**notes[gids + "1"].content == **notes[gids + "0"].content);
    CHECK(**notes[gids + "2"].content == mapped + "0000:0001\n");
    CHECK(**notes[gids + "3"].content == mapped + "0000:0002\n");
    CHECK(**notes[gids + "4"].content == "0000:0000:0000:0000:0000:0000:0000:0000\n");
    CHECK(**notes[gids + "5"].content == mapped + "0000:0000\n");
    CHECK(**notes[gids + "6"].content == "fe80:0000:0000:0000:0000:0000:0000:0000\n");
    const auto once = **notes[gids + "3"].content;
    redact(notes);
    CHECK(**notes[gids + "3"].content == once);
}

TEST_CASE("Ids of GPUs and hives stay equal and different, in every file", "[redact]") {
    const std::string nodes = "/sys/class/kfd/kfd/topology/nodes/";
    Notes notes;
    notes[nodes + "0/properties"].content.emplace("hive_id 0\nunique_id 0\n");
    notes[nodes + "1/properties"].content.emplace("simd_count 8\nhive_id 77\nunique_id 255\nx 1\n");
    notes[nodes + "2/properties"].content.emplace("hive_id 77\nunique_id 99");
    notes[nodes + "3/properties"].content.emplace("hive_id 78\nunique_id 255\n\0\0");
    notes[nodes + "4/properties"].content.emplace("unique_id 12 34\nhive_id secret\nunique_id\n");
    notes["/sys/devices/gpu/unique_id"].content.emplace("00000000000000ff\n");
    notes["/sys/devices/gpu/unread"].content.emplace(Error{});
    redact(notes);
    const auto content = [&](const std::string& path) { return **notes[path].content; };
    CHECK(content(nodes + "0/properties") == "hive_id 0\nunique_id 0\n");
    CHECK(content(nodes + "1/properties") == "simd_count 8\nhive_id 1\nunique_id 1\nx 1\n");
    CHECK(content(nodes + "2/properties") == "hive_id 1\nunique_id 2");
    CHECK(content(nodes + "3/properties") == "hive_id 2\nunique_id 1\n");
    CHECK(content(nodes + "4/properties") ==
          "unique_id redacted\nhive_id redacted\nunique_id redacted\n");
    CHECK(content("/sys/devices/gpu/unique_id") == "0000000000000001\n");
}

using Names = std::vector<std::string>;

TEST_CASE("Of processes and units stay those that set what rocenv sets", "[redact]") {
    const std::string units = "/etc/systemd/system";
    Notes notes;
    notes["/proc"].names.emplace(Names{"1", "77", "8", "9", "self"});
    notes["/proc/1/comm"].content.emplace("secret-init\n");
    notes["/proc/77/comm"].content.emplace("tuned\n");
    notes["/proc/8/comm"].content.emplace("secret-job\n");
    notes["/proc/9/comm"].content.emplace(Error{ErrorKind::not_here});
    notes["/sys/fs/cgroup/system.slice"].names.emplace(Names{"secret.service", "tuned.service"});
    notes[units].names.emplace(Names{"a.wants", "b.wants", "c.wants", "secret.service"});
    notes[units + "/a.wants"].names.emplace(Names{"cpupower.service", "secret.service"});
    notes[units + "/b.wants"].names.emplace(Names{"secret.service"});
    notes[units + "/c.wants"].names.emplace(Error{});
    redact(notes);
    CHECK(**notes["/proc"].names == Names{"1", "2"});
    CHECK(**notes["/proc/1/comm"].content == "init\n");
    CHECK(**notes["/proc/2/comm"].content == "tuned\n");
    CHECK_FALSE(notes.contains("/proc/77/comm"));
    CHECK_FALSE(notes.contains("/proc/8/comm"));
    CHECK(**notes["/sys/fs/cgroup/system.slice"].names == Names{"tuned.service"});
    CHECK(**notes[units].names == Names{"a.wants", "c.wants"});
    CHECK(**notes[units + "/a.wants"].names == Names{"cpupower.service"});
    CHECK_FALSE(notes.contains(units + "/b.wants"));
}

TEST_CASE("A process that could not be asked may be any", "[redact]") {
    Notes notes;
    notes["/proc"].names.emplace(Names{"1", "40", "50", "60"});
    notes["/proc/1/comm"].content.emplace("init\n");
    notes["/proc/40/comm"].content.emplace(Error{ErrorKind::timed_out, 0, "", "says nothing"});
    notes["/proc/50/comm"].content.emplace(Error{ErrorKind::io, 3, "", "has ended"});  // ESRCH
    notes["/proc/60/comm"].content.emplace("tuned\n");
    redact(notes);
    CHECK(**notes["/proc"].names == Names{"1", "2", "3"});
    CHECK(**notes["/proc/2/comm"].content == "tuned\n");
    CHECK(notes["/proc/3/comm"].content->is(ErrorKind::timed_out));
    CHECK_FALSE(notes.contains("/proc/40/comm"));
}

TEST_CASE("Hidden processes stay hidden", "[redact]") {
    Notes notes;
    notes["/proc"].names.emplace(Names{"8"});
    notes["/proc/8/comm"].content.emplace("bash\n");
    redact(notes);
    CHECK((*notes["/proc"].names)->empty());
}

TEST_CASE("Names are replaced as whole words", "[redact]") {
    CHECK(redact_names("/home/al/x:al:almost:al", {"al", ""}) ==
          "/home/redacted/x:redacted:almost:redacted");
    CHECK(redact_names("red redacted", {"red"}) == "redacted redacted");
}

}  // namespace

}  // namespace redact_test
