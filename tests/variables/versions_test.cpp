// SPDX-License-Identifier: MIT
#include "variables/releases/versions.h"

#include <cerrno>
#include <string>
#include <vector>

#include "os/fs/memory_fs.h"
#include "support/catch.h"
#include "variables/releases/packages.h"

namespace versions_test {

namespace {

using namespace rocenv;

// The answer about one package on a machine.
class Node {
   public:
    MemoryFs fs;
    Process process;

    Result<FoundVersion> find(std::string_view package, Versions::Assumed assumed = {}) const {
        const Machine machine(fs);
        return Versions(machine, process, std::move(assumed)).find(package);
    }
    FoundVersion rocm() const {
        const Machine machine(fs);
        return *Versions(machine, process).rocm_with_build();
    }
    std::string version(std::string_view package) const {
        const auto found = find(package);
        return found ? found->version : found.error().text;
    }
    std::string where(std::string_view package) const {
        const auto found = find(package);
        return found ? found->where : found.error().text;
    }
    void add_torch(const std::string& site, const std::string& version) {
        fs.add_file(site + "/torch/version.py",
                    "from typing import Optional\n\n__all__ = ['__version__', 'debug', 'hip']\n"
                    "__version__ = '" +
                        version + "'\ndebug = False\nhip: Optional[str] = '6.3.42131-fa1d09cbd'\n");
    }
};

TEST_CASE("PyTorch's version is what torch/version.py says", "[versions]") {
    Node node;
    node.add_torch("/opt/venv/lib/python3.12/site-packages", "2.7.1+rocm6.3");
    CHECK(node.version("torch") == "2.7.1+rocm6.3");
    CHECK(node.where("torch") == "/opt/venv/lib/python3.12/site-packages/torch/version.py");
    CHECK(node.version("hip") == "6.3.42131-fa1d09cbd");
    const Machine machine(node.fs);
    const auto build = Versions(machine, node.process).torch();
    REQUIRE(build.ok());
    CHECK(build->folder == "/opt/venv/lib/python3.12/site-packages/torch");
    CHECK(build->rocm.empty());
}

TEST_CASE("Without its own file a package is known by its metadata", "[versions]") {
    Node node;
    const std::string site = "/opt/venv/lib/python3.12/site-packages";
    node.fs.add_folder(site + "/pytorch_triton_rocm-3.2.0.dist-info");
    node.fs.add_folder(site + "/vllm-0.9.1+rocm630.dist-info");
    node.fs.add_folder(site + "/amd_aiter-0.1.4.dist-info");
    node.fs.add_folder(site + "/torchvision-0.22.0.dist-info");
    CHECK(node.version("triton") == "3.2.0");
    CHECK(node.version("vllm") == "0.9.1+rocm630");
    CHECK(node.version("aiter") == "0.1.4");
    CHECK(node.find("torch").is(ErrorKind::not_here));
    node.fs.add_file(site + "/vllm/_version.py",
                     "version_tuple = (0, 9)\n__version__ = version = '0.9.2'\n");
    CHECK(node.version("vllm") == "0.9.2");
}

TEST_CASE("The place that Python would import from first wins", "[versions]") {
    Node node;
    // from last to first
    const std::vector<std::pair<std::string, std::string>> places{
        {"/usr/lib/python3/dist-packages", "1.13.0"},
        {"/usr/local/lib/python3.11/dist-packages", "2.0.0"},
        {"/root/.local/lib/python3.11/site-packages", "2.1.0"},
        {"/c/lib/python3.10/site-packages", "2.2.0"},
        {"/v/lib/python3.12/site-packages", "2.3.0"},
        {"/src/pytorch", "2.4.0"}};
    node.process.environment = {{"HOME", "/root"},
                                {"PATH", "/opt/none/bin:/usr/bin"},
                                {"CONDA_PREFIX", "/c"},
                                {"VIRTUAL_ENV", "/v"},
                                {"PYTHONPATH", "relative:/src/pytorch:"}};
    node.fs.add_link("/usr/bin/python3", "python3.11");
    node.fs.add_file("/usr/bin/python3.11", "");
    for (const auto& [site, version] : places) {
        node.add_torch(site, version);
        CHECK(node.version("torch") == version);
    }
}

TEST_CASE("Only the packages of PATH's python count among the user's own", "[versions]") {
    Node node;
    node.process.environment = {{"HOME", "/home/u"}, {"PATH", "/usr/bin"}};
    node.fs.add_link("/usr/bin/python3", "python3.11");
    node.fs.add_file("/usr/bin/python3.11", "");
    node.add_torch("/home/u/.local/lib/python3.9/site-packages", "1.9.0");
    CHECK(node.find("torch").is(ErrorKind::not_here));
    node.add_torch("/home/u/.local/lib/python3.11/site-packages", "2.1.0");
    CHECK(node.version("torch") == "2.1.0");
    node.process.environment["PYTHONNOUSERSITE"] = "1";
    CHECK(node.find("torch").is(ErrorKind::not_here));
}

TEST_CASE("A virtual environment in PATH is one without being activated", "[versions]") {
    Node node;
    node.process.environment = {{"HOME", "/home/u"}, {"PATH", "/v/bin:/usr/bin"}};
    node.fs.add_link("/v/bin/python3", "/usr/bin/python3.11");
    node.fs.add_file("/usr/bin/python3.11", "");
    node.fs.add_file("/v/pyvenv.cfg", "home = /usr/bin\n");
    node.add_torch("/home/u/.local/lib/python3.11/site-packages", "2.1.0");
    node.add_torch("/v/lib/python3.11/site-packages", "2.6.0");
    CHECK(node.version("torch") == "2.6.0");
}

TEST_CASE("Of several Pythons in one prefix the newest comes first", "[versions]") {
    MemoryFs fs;
    for (const char* name : {"python3.9", "python3.13t", "python3", "python3.10", "python3.x"}) {
        fs.add_folder(std::string("/opt/conda/lib/") + name);
    }
    const auto sites = python_sites(fs, Process());
    REQUIRE(sites.size() == 8);
    CHECK(sites[0] == "/opt/conda/lib/python3.13t/site-packages");
    CHECK(sites[2] == "/opt/conda/lib/python3.10/site-packages");
    CHECK(sites[7] == "/opt/conda/lib/python3/dist-packages");
}

TEST_CASE("Not permitted is told from not here", "[versions]") {
    Node node;
    CHECK(node.find("torch").is(ErrorKind::not_here));
    node.process.environment = {{"VIRTUAL_ENV", "/v"}};
    node.fs.add_folder("/v/lib/python3.12/site-packages");
    node.fs.add_error("/v/lib/python3.12/site-packages", EACCES);
    CHECK(node.find("torch").is(ErrorKind::not_permitted));
    SECTION("as for Python another place will do") {
        node.add_torch("/opt/venv/lib/python3.12/site-packages", "2.7.1");
        CHECK(node.version("torch") == "2.7.1");
    }
    SECTION("a place that does not answer leaves it unknown") {
        node.fs.add_error("/v/lib/python3.12/site-packages", ETIMEDOUT);
        node.add_torch("/opt/venv/lib/python3.12/site-packages", "2.7.1");
        CHECK(node.find("torch").is(ErrorKind::timed_out));
    }
}

TEST_CASE("A package that does not tell its version is garbled, not absent", "[versions]") {
    Node node;
    node.fs.add_file("/opt/venv/lib/python3.12/site-packages/torch/version.py",
                     "__version__ = None\n");
    CHECK(node.find("torch").is(ErrorKind::garbled));
}

TEST_CASE("ROCm's version comes with the build its headers name", "[versions]") {
    Node node;
    CHECK(node.find("rocm").is(ErrorKind::not_here));
    node.fs.add_file("/opt/rocm/.info/version", "6.2.0-66\n");
    CHECK(node.version("rocm") == "6.2.0-66");
    CHECK(node.rocm().where == "/opt/rocm/.info/version");
    node.fs.add_file(
        "/opt/rocm/include/rocm-core/rocm_version.h",
        "#define ROCM_VERSION_MAJOR   6\n#define ROCM_BUILD_INFO \"6.2.0.0-66-eb6cf91\"\n");
    CHECK(node.rocm().build == "6.2.0.0-66-eb6cf91");
    node.process.environment["ROCM_PATH"] = "/sw/rocm";
    CHECK(node.version("rocm") == "6.2.0-66");
    node.fs.add_file("/sw/rocm/.info/version", "6.4.1-83\n");
    CHECK(node.version("rocm") == "6.4.1-83");
    CHECK(node.rocm().build.empty());
}

TEST_CASE("ROCm as a Python package", "[versions]") {
    Node node;
    const std::string site = "/opt/venv/lib/python3.12/site-packages";
    node.fs.add_folder(site + "/_rocm_sdk_core/lib");
    node.fs.add_folder(site + "/rocm_sdk_core-7.9.0.dist-info");
    CHECK(node.version("rocm") == "7.9.0");
}

TEST_CASE("A library is known by its header, else by its file's numbers", "[versions]") {
    Node node;
    CHECK(node.find("rocblas").is(ErrorKind::not_here));
    for (const char* name : {"librocblas.so", "librocblas.so.4", "librocblas.so.4.4.60403",
                             "libhipblaslt.so.0.10.60303", "librccl.so.1.0.60403"}) {
        node.fs.add_file(std::string("/opt/rocm/lib/") + name, "");
    }
    CHECK(node.version("rocblas") == "4.4");
    CHECK(node.where("rocblas") == "/opt/rocm/lib/librocblas.so.4.4.60403");
    CHECK(node.version("hipblaslt") == "0.10");
    CHECK(node.find("rccl").is(ErrorKind::garbled));  // 1.0 is not its version
    node.fs.add_file(
        "/opt/rocm/include/rocblas/internal/rocblas-version.h",
        "#define ROCBLAS_VERSION_MAJOR 4\n#define ROCBLAS_VERSION_MINOR 4\n"
        "#define ROCBLAS_VERSION_PATCH 1\n#define ROCBLAS_VERSION_TWEAK d0eb7188-dirty\n");
    CHECK(node.version("rocblas") == "4.4.1");
    CHECK(node.find("rocblas")->build == "d0eb7188-dirty");
    node.fs.add_file("/opt/rocm/include/rccl/rccl.h",
                     "#define NCCL_MAJOR 2\n#define NCCL_MINOR 22\n#define NCCL_PATCH 3\n");
    CHECK(node.version("rccl") == "2.22.3");
    node.fs.add_file("/opt/rocm/include/miopen/version.h", "#define MIOPEN_VERSION_MAJOR 3\n");
    CHECK(node.find("miopen").is(ErrorKind::garbled));
}

TEST_CASE("A library that PyTorch brings along is the one that counts", "[versions]") {
    Node node;
    node.fs.add_file("/opt/rocm/lib/librocblas.so.4.4.60403", "");
    const std::string site = "/opt/venv/lib/python3.12/site-packages";
    node.add_torch(site, "2.7.1+rocm6.3");
    CHECK(node.version("rocblas") == "4.4");
    node.fs.add_file(site + "/torch/lib/librocblas.so", "");
    CHECK(node.find("rocblas").is(ErrorKind::garbled));
    node.fs.add_file(site + "/torch/lib/librocblas.so.5.0.70000", "");
    CHECK(node.version("rocblas") == "5.0");
    const Machine machine(node.fs);
    const Versions versions(machine, node.process);
    CHECK(versions.bundled("rocblas") == site + "/torch/lib/librocblas.so");
    CHECK_FALSE(versions.bundled("rccl"));
    const std::string beside = site + "/_rocm_sdk_libraries_gfx94X_dcgpu/lib/librccl.so.1";
    node.fs.add_file(beside, "");
    CHECK(versions.bundled("rccl") == beside);
}

TEST_CASE("Given versions win", "[versions]") {
    Node node;
    node.add_torch("/opt/venv/lib/python3.12/site-packages", "2.7.1");
    const auto assumed = Versions::parse_assumed({"torch=2.8", "rocm=6.4"});
    REQUIRE(assumed.ok());
    CHECK(node.find("torch", *assumed)->version == "2.8");
    CHECK(node.find("torch", *assumed)->where == "given");
    CHECK(node.find("rocm", *assumed)->version == "6.4");
    CHECK(node.find("hip", *assumed).is(ErrorKind::not_here));
}

TEST_CASE("Several versions are given in one text, in any order", "[versions]") {
    for (const char* text : {"torch=2.11,triton=3.6", "triton=3.6,torch=2.11"}) {
        const auto assumed = Versions::parse_assumed({text, "rocm=7.0"});
        REQUIRE(assumed.ok());
        CHECK(*assumed == Versions::Assumed{{"rocm", "7.0"}, {"torch", "2.11"}, {"triton", "3.6"}});
    }
    for (const char* text : {"torch=2.11,", ",torch=2.11", "torch=2.11,,triton=3.6", "torch=2=3",
                             "torch=2.11 triton=3.6"}) {
        INFO(text);
        CHECK(Versions::parse_assumed({text}).is(ErrorKind::bad_input));
    }
}

TEST_CASE("What is given must be a version of something known", "[versions]") {
    for (const char* text :
         {"torch", "torch=", "=2.8", "torch=new", "pytroch=2.8", "", "torch=2\n"}) {
        INFO(text);
        const auto assumed = Versions::parse_assumed({"rocm=6.4", text});
        CHECK(assumed.is(ErrorKind::bad_input));
    }
    CHECK(Versions::parse_assumed({"trch=2.8"}).error().text.find("Did you mean 'torch'?") !=
          std::string::npos);
}

TEST_CASE("What Python assigns", "[versions]") {
    CHECK(assigned_text("hip: Optional[str] = '7.0'\n", "hip") == "7.0");
    CHECK(assigned_text("hip = \"7.0\"  # of the build\n", "hip") == "7.0");
    CHECK(assigned_text("hipx = '1'\nhip: Optional[str] = None\n", "hip").empty());
    CHECK(assigned_text("# hip = '1'\n", "hip").empty());
    CHECK(assigned_text("hip = '7.0", "hip").empty());
}

}  // namespace

}  // namespace versions_test
