// SPDX-License-Identifier: MIT
#include "os/child/direct_run.h"

#include <unistd.h>

#include <new>

#include "os/fs/posix_fs.h"
#include "support/catch.h"

namespace rocenv::direct_run_test {

namespace {

// Returns whether this machine permits direct runs of work at all.
bool is_quiet_here() {
    const auto real = real_fs();
    const auto mounts = real->read("/proc/self/mounts");
    return mounts.ok() && all_local(*mounts);
}

}  // namespace

TEST_CASE("Direct run: only file systems that answer by themselves will do", "[direct]") {
    const std::string usual =
        "proc /proc proc rw 0 0\nsysfs /sys sysfs rw 0 0\n/dev/vda1 / ext4 rw 0 0\n"
        "overlay /merged overlay rw,lowerdir=/a 0 0\ntmpfs /dev/shm tmpfs rw 0 0\n"
        "systemd-1 /proc/sys/fs/binfmt_misc autofs rw 0 0\nportal /run/user/0/doc fuse.portal rw\n";
    CHECK(all_local(usual));
    CHECK_FALSE(all_local(""));
    for (const char* strange :
         {"server:/home /home nfs4 rw 0 0\n", "fs /scratch lustre rw 0 0\n",
          "x /mnt fuse.sshfs rw 0 0\n", "auto /home autofs rw 0 0\n", "x /procs nfs rw 0 0\n",
          "x /mnt neverheardof rw 0 0\n", "x /mnt"}) {
        INFO(strange);
        CHECK_FALSE(all_local(usual + strange));
        CHECK_FALSE(all_local(strange + usual));
    }
}

TEST_CASE("Direct run: files of drivers, devices and other processes may keep silent", "[direct]") {
    for (const char* path :
         {"/sys/module/amdgpu/version", "/sys/bus/pci/devices/0000:05:00.0/vbios",
          "/sys/bus/pci/devices/0000:05:00.0/config", "/sys", "/dev/kfd", "/proc/1/environ",
          "/proc/77", "/run/user/0/x.toml"}) {
        INFO(path);
        CHECK(may_keep_silent(path));
    }
    for (const char* path : {"/etc/rocenv/site.toml", "/opt/rocm/.info/version", "/proc/meminfo",
                             "/proc/self/mounts", "/proc/sys/kernel/osrelease", "/system/x",
                             "/sys/bus/pci/devices", "/sys/class/kfd/kfd/topology/nodes",
                             "/sys/bus/pci/devices/0000:05:00.0/modalias", "/proc/"}) {
        INFO(path);
        CHECK_FALSE(may_keep_silent(path));
    }
}

TEST_CASE("Direct run: what asks for a driver's file needs a helper", "[direct]") {
    const auto asks = [](const std::string& path) {
        LeftBehind left;
        return run_directly(
            [&](const Fs& machine, const Fs&) {
                return Output{machine.read(path).ok() ? 0 : 1, std::to_string(::getpid()), ""};
            },
            left);
    };
    CHECK_FALSE(asks("/sys/module/amdgpu/version"));
    const auto done = asks("/proc/self/stat");
    REQUIRE(done.has_value() == is_quiet_here());
    if (done) {
        CHECK(done->exit_code == 0);
        CHECK(done->out == std::to_string(::getpid()));
    }
}

TEST_CASE("Direct run: what throws is left to a helper, whose end is told", "[direct]") {
    LeftBehind left;
    const auto done =
        run_directly([](const Fs&, const Fs&) -> Output { throw std::bad_alloc(); }, left);
    CHECK_FALSE(done.has_value());
    CHECK(left.still().empty());
}

}  // namespace rocenv::direct_run_test
