// SPDX-License-Identifier: MIT
#include "variables/reading.h"

#include "os/fs/memory_fs.h"
#include "support/catch.h"

namespace rocenv::reading_test {

namespace {

Reading read(const std::string& name, const std::optional<std::string>& text,
             const Versions::Assumed& assumed) {
    const MemoryFs fs;
    const Machine machine(fs);
    const Process process;
    const Versions versions(machine, process, assumed);
    return Readers(machine, versions).read(*find_variable(name), text);
}

}  // namespace

TEST_CASE("A text that reads default is not what could not be found out", "[variables]") {
    const Versions::Assumed torch{{"torch", "2.14.1"}};
    CHECK(read("TORCHINDUCTOR_NUMERICS", "default", torch).certain());
    CHECK(read("TORCHINDUCTOR_NUMERICS", std::nullopt, torch).certain());
    CHECK_FALSE(read("TORCH_COMPILE_FORCE_DISABLE_CACHES", "yes", {}).certain());
    CHECK_FALSE(read("HIP_FORCE_DEV_KERNARG", std::nullopt, {}).certain());
}

// Facts that tests/readers found with PyTorch 2.6.0 and 2.14.1.
TEST_CASE("Defaults that changed between releases of PyTorch", "[variables]") {
    for (const auto* name :
         {"TORCH_DYNAMO_AUTOMATIC_DYNAMIC_LOCAL_PGO", "TORCHINDUCTOR_AUTOGRAD_CACHE",
          "TORCHINDUCTOR_LOOP_ORDERING_AFTER_FUSION"}) {
        INFO(name);
        CHECK(read(name, std::nullopt, {{"torch", "2.6.0"}}).effective == "false");
        CHECK(read(name, std::nullopt, {{"torch", "2.14.1"}}).effective == "true");
    }
    CHECK(read("TORCHINDUCTOR_CPP_MIN_CHUNK_SIZE", std::nullopt, {{"torch", "2.6.0"}}).effective ==
          "4096");
    CHECK(read("TORCH_COMPILE_DISABLE", std::nullopt, {{"torch", "2.6.0"}}).effective == "false");
}

}  // namespace rocenv::reading_test
