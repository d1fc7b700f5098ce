// SPDX-License-Identifier: MIT
#include "util/mountinfo.h"

#include "support/catch.h"

namespace rocenv::mountinfo_test {

namespace {

constexpr const char* mountinfo =
    "22 1 259:2 / / rw,relatime shared:1 - ext4 /dev/nvme0n1p2 rw\n"
    "not a mount\n"
    "40 22 0:51 /export /home rw shared:9 master:3 - nfs4 filer:/export rw\n"
    "41 22 0:52 / /mnt/two\\040words rw - fuse.glusterfs g:/v rw\n"
    "42 40 0:53 / /home rw - ext4 /dev/sdb1 rw\n"
    "43 22 0:54 / /data/lustre rw - lustre mgs:/l rw\n"
    "44 22 0:55 / /data rw - xfs /dev/sdc1 rw\n";

std::string type_of(std::string_view path) {
    const auto mount = mount_of(parse_mountinfo(mountinfo), path);
    return mount ? std::string(mount->type) : "";
}

}  // namespace

TEST_CASE("mountinfo: a path lies on the deepest mount, of two at one point on the newest",
          "[mountinfo]") {
    CHECK(parse_mountinfo(mountinfo).size() == 6);
    CHECK(type_of("/") == "ext4");
    CHECK(type_of("/opt/rocm") == "ext4");
    CHECK(type_of("/home/user") == "ext4");
    CHECK(type_of("/homes") == "ext4");
    CHECK(type_of("/mnt/two words/cache") == "fuse.glusterfs");
    CHECK(type_of("/data/lustre") == "lustre");
    CHECK(type_of("/data/lustre/a") == "lustre");
    CHECK(type_of("/data/lustres") == "xfs");
    CHECK(!mount_of({}, "/"));
}

TEST_CASE("mountinfo: file systems that nodes share", "[mountinfo]") {
    const auto network = [](std::string_view type) {
        return is_network({"1", "0:1", "/", "/", type});
    };
    for (const char* type : {"nfs", "nfs4", "lustre", "gpfs", "ceph", "fuse.ceph-fuse", "cifs",
                             "beegfs", "wekafs", "fuse.sshfs", "fuse.glusterfs"}) {
        CHECK(network(type));
    }
    for (const char* type : {"ext4", "xfs", "tmpfs", "overlay", "btrfs", "zfs", "fuse.lxcfs",
                             "fuse.fuse-overlayfs", "nfsd", "fuse"}) {
        CHECK_FALSE(network(type));
    }
}

}  // namespace rocenv::mountinfo_test
