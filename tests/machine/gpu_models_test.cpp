// SPDX-License-Identifier: MIT
#include "machine/gpu/gpu_models.h"

#include "support/catch.h"

namespace gpu_models_test {

namespace {

using namespace rocenv;

TEST_CASE("models: modules are told with their dies", "[machine]") {
    CHECK(devices_told(8, 0x74a1, "AMD Instinct MI300X") == "8 x AMD Instinct MI300X");
    CHECK(devices_told(8, 0x7408, "AMD Instinct MI250X") == "4 x AMD Instinct MI250X, 8 dies");
    CHECK(devices_told(2, 0x740c, "MI250") == "1 x MI250, 2 dies");
    CHECK(devices_told(7, 0x7408, "AMD Instinct MI250X") == "7 dies of AMD Instinct MI250X");
    CHECK(devices_told(1, 0x7408, "AMD Instinct MI250X") == "1 die of AMD Instinct MI250X");
    CHECK(devices_told(3, 0x1234, "device 0x1234") == "3 x device 0x1234");
}

TEST_CASE("models: only MI250 and MI250X have dies that are devices", "[machine]") {
    for (const auto& model : gpu_models()) {
        CHECK((model.devices == 2) == model.name.starts_with("MI250"));
        CHECK(model.gpus_a_node % model.devices == 0);
    }
}

}  // namespace

}  // namespace gpu_models_test
