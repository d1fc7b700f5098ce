// SPDX-License-Identifier: MIT
// Cases that tests/settings/rocm_version.case does not show: names of one tree, folders of
// libraries.
#include "variables/releases/versions.h"

#include <cerrno>
#include <string>
#include <vector>

#include "os/fs/memory_fs.h"
#include "support/catch.h"

namespace rocm_layouts_test {

namespace {

using namespace rocenv;

struct Node {
    MemoryFs fs;
    Process process;

    RocmLayouts find() const { return rocm_layouts(fs, process); }
    std::string folders() const {
        std::string out;
        for (const auto& layout : find().all) {
            out += (out.empty() ? "" : " ") + layout.folder;
        }
        return out;
    }
};

const std::string site = "/opt/venv/lib/python3.12/site-packages";

TEST_CASE("ROCm's layouts: a tree is told once, by the name that counts", "[versions]") {
    Node node;
    node.fs.add_file("/opt/rocm-6.2.0/.info/version", "6.2.0-66\n");
    node.fs.add_link("/opt/rocm", "/etc/alternatives/rocm");
    node.fs.add_link("/etc/alternatives/rocm", "/opt/rocm-6.2.0/");
    CHECK(node.folders() == "/opt/rocm");
    CHECK(node.find().counting()->tree == "/opt/rocm-6.2.0");
    CHECK(node.find().counting()->stated_by == "/opt/rocm/.info/version");
    node.process.environment["ROCM_PATH"] = "/opt/rocm-6.2.0";
    CHECK(node.folders() == "/opt/rocm-6.2.0");
    node.process.environment["ROCM_PATH"] = "/opt/rocm-6.2.0//";
    CHECK(node.folders() == "/opt/rocm-6.2.0");
    node.process.environment["ROCM_PATH"] = "rocm-6.2.0";  // relative to an unknown folder
    CHECK(node.folders() == "/opt/rocm");
}

TEST_CASE("ROCm's layouts: a name without anything behind it is no tree", "[versions]") {
    Node node;
    node.fs.add_folder("/opt/rocm-7.1.0");
    node.fs.add_folder("/opt/rocm-7.2.0/lib");
    node.fs.add_file("/opt/rocm-6.3.0", "");
    CHECK(node.folders().empty());
    node.fs.add_file("/opt/rocm-7.2.0/lib/libhsa-runtime64.so.1", "x");
    CHECK(node.folders() == "/opt/rocm-7.2.0");
}

TEST_CASE("ROCm's layouts: ROCM_PATH that names none is told", "[versions]") {
    Node node;
    node.fs.add_file("/opt/rocm/.info/version", "6.2.0-66\n");
    node.fs.add_folder("/opt/mine");
    CHECK(node.find().misled.empty());
    for (const std::string path : {"/opt/nosuch", "/opt/mine", "relative/x", "/opt/rocm/lib"}) {
        node.process.environment["ROCM_PATH"] = path;
        CHECK(node.find().misled == "ROCM_PATH is " + path + ", but this folder contains no ROCm");
        CHECK(node.folders() == "/opt/rocm");
    }
    node.process.environment["ROCM_PATH"] = "/opt/rocm";
    CHECK(node.find().misled.empty());
}

TEST_CASE("ROCm's layouts: ROCM_PATH is a wheel with all that belongs to it", "[versions]") {
    Node node;
    node.fs.add_file(site + "/_rocm_sdk_core/.info/version", "10.0.0");
    node.fs.add_folder(site + "/_rocm_sdk_libraries");
    node.process.environment["ROCM_PATH"] = site + "/_rocm_sdk_core";
    REQUIRE(node.find().counting() != nullptr);
    CHECK(node.find().counting()->kind == RocmKind::wheels);
    CHECK(node.find().counting()->libraries.back() == site + "/_rocm_sdk_libraries/lib");
}

TEST_CASE("ROCm's layouts: half a version is none", "[versions]") {
    for (const std::string text :
         {"6.4.zz\\nfoo", "99999999999999999999.1", "6.2 of us", "hello"}) {
        Node node;
        node.fs.add_file("/opt/rocm/.info/version", text);
        CHECK(node.find().version().is(ErrorKind::garbled));
    }
}

TEST_CASE("ROCm's layouts: links in a ring end", "[versions]") {
    Node node;
    node.fs.add_link("/opt/rocm", "/opt/rocm-6.2.0");
    node.fs.add_link("/opt/rocm-6.2.0", "/opt/rocm");
    CHECK(node.find().version().is(ErrorKind::io));
}

TEST_CASE("ROCm's layouts: the name tells where no file does, the file where both do",
          "[versions]") {
    Node node;
    node.fs.add_file("/opt/rocm/core-10.0/lib/libamdhip64.so", "x");
    CHECK(*node.find().version() == "10.0");
    CHECK(node.find().counting()->stated_by == "/opt/rocm/core-10.0");
    node.fs.add_file("/opt/rocm/core-10.0/.info/version", "10.0.1\n");
    CHECK(*node.find().version() == "10.0.1");
    node.fs.add_folder("/opt/rocm/core-asan-10.0");  // another build, never the default
    node.fs.add_folder("/opt/rocm/extras-10");
    CHECK(node.folders() == "/opt/rocm/core-10.0");
}

TEST_CASE("ROCm's layouts: what cannot be read is no version, and no other tree", "[versions]") {
    Node node;
    node.fs.add_file("/opt/rocm/.info/version", "6.2.0\n");
    node.fs.add_error("/opt/rocm/.info/version", EIO);
    node.fs.add_file("/opt/rocm-6.4.1/.info/version", "6.4.1\n");
    CHECK(node.find().version().is(ErrorKind::io));
    CHECK(node.folders() == "/opt/rocm /opt/rocm-6.4.1");
}

TEST_CASE("ROCm's layouts: the wheels of libraries lie beside the core's", "[versions]") {
    Node node;
    node.fs.add_file(site + "/_rocm_sdk_core/.info/version", "7.10.0\n");
    node.fs.add_folder(site + "/_rocm_sdk_libraries_gfx94X_dcgpu/lib");
    const auto layouts = node.find();
    CHECK(layouts.counting()->kind == RocmKind::wheels);
    CHECK(layouts.counting()->libraries ==
          std::vector<std::string>{site + "/_rocm_sdk_core/lib",
                                   site + "/_rocm_sdk_libraries_gfx94X_dcgpu/lib"});
    node.fs.add_file("/opt/rocm/.info/version", "6.2.0\n");
    CHECK(node.folders() == "/opt/rocm " + site + "/_rocm_sdk_core");
}

TEST_CASE("ROCm's layouts: PyTorch's own is told by what PyTorch says of it", "[versions]") {
    Node node;
    const std::string file = site + "/torch/version.py";
    node.fs.add_file(site + "/torch/lib/libamdhip64.so", "");
    CHECK(node.find().version().is(ErrorKind::not_here));
    node.fs.add_file(file, "__version__ = '2.11'\nhip = None\n");
    CHECK(node.find().version().is(ErrorKind::garbled));
    node.fs.add_file(file, "__version__ = '2.11'\nhip = '7.2.26015-a'\n");
    CHECK(*node.find().version() == "7.2");
    node.fs.add_file(file, "__version__ = '2.11+rocm7.1.1'\nhip = '7.2.26015-a'\n");
    CHECK(*node.find().version() == "7.1.1");
    node.fs.add_file(file, "__version__ = '2.11'\nhip = '7.2.26015-a'\nrocm = '7.2.1'\n");
    CHECK(*node.find().version() == "7.2.1");
}

TEST_CASE("ROCm's layouts: a distribution's is the last, but where ROCM_PATH is it", "[versions]") {
    Node node;
    node.fs.add_file("/usr/lib64/libhsa-runtime64.so.1", "");
    node.fs.add_link("/usr/lib64/libamdhip64.so.6", "libamdhip64.so.6.4.43483");
    CHECK(*node.find().version() == "6.4");
    CHECK(node.find().counting()->libraries == std::vector<std::string>{"/usr/lib64"});
    node.fs.add_file("/opt/rocm/.info/version", "6.2.0\n");
    CHECK(*node.find().version() == "6.2.0");
    node.process.environment["ROCM_PATH"] = "/usr";
    CHECK(*node.find().version() == "6.4");
    CHECK(node.folders() == "/usr /opt/rocm");
}

}  // namespace

}  // namespace rocm_layouts_test
