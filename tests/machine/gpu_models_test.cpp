// SPDX-License-Identifier: MIT
#include "machine/gpu/gpu_models.h"

#include "support/catch.h"

namespace gpu_models_test {

namespace {

using namespace rocenv;

TEST_CASE("models: modules are told with their dies", "[machine]") {
    CHECK(devices_text(8, 0x74a1, "AMD Instinct MI300X") == "8 x AMD Instinct MI300X");
    CHECK(devices_text(8, 0x7408, "AMD Instinct MI250X") == "4 x AMD Instinct MI250X, 8 dies");
    CHECK(devices_text(2, 0x740c, "MI250") == "1 x MI250, 2 dies");
    CHECK(devices_text(7, 0x7408, "AMD Instinct MI250X") == "7 dies of AMD Instinct MI250X");
    CHECK(devices_text(1, 0x7408, "AMD Instinct MI250X") == "1 die of AMD Instinct MI250X");
    CHECK(devices_text(3, 0x1234, "device 0x1234") == "3 x device 0x1234");
}

TEST_CASE("models: only MI250 and MI250X have dies that are devices", "[machine]") {
    for (const auto& model : gpu_models()) {
        CHECK((model.devices == 2) == model.name.starts_with("MI250"));
        CHECK(model.gpus_a_node % model.devices == 0);
    }
}

TEST_CASE("models: MI350P is a card without a mesh", "[machine]") {
    const GpuModel* card = gpu_model(0x75a8);
    REQUIRE(card != nullptr);
    CHECK(card->name == "MI350P");
    CHECK(gpu_name(0x75a8) == "AMD Instinct MI350P");
    CHECK(card->gfx == "gfx950");
    CHECK(card->mesh == Mesh::none);
    CHECK(card->compute_units == 128);
    CHECK(card->dies == 4);
    CHECK(card->memory_gib == 144);
    CHECK(card->board_gpus == 0);  // a server has up to eight
    CHECK_FALSE(card->states("first_driver"));
}

TEST_CASE("models: both virtual functions of MI308X", "[machine]") {
    for (const std::uint32_t device : {0x74b6U, 0x74bcU}) {
        CAPTURE(device);
        REQUIRE(gpu_model(device) != nullptr);
        CHECK(gpu_model(device)->name == "MI308X");
    }
    CHECK(marketing_name(0x74bc, 0) == "AMD Instinct MI308X VF");
}

TEST_CASE("models: AMD states which reject clock determinism", "[machine]") {
    std::string rejecting;
    for (const auto& model : gpu_models()) {
        rejecting += model.no_determinism.empty() ? "" : std::string(model.name) + " ";
        CHECK((model.determinism_mhz == 0 || model.no_determinism.empty()));
    }
    CHECK(rejecting == "MI308X MI350X MI355X MI350P ");
}

TEST_CASE("models: boards of workstations have a name and no model", "[machine]") {
    struct Board {
        std::uint32_t device;
        std::uint32_t revision;
        std::string_view name;
    };
    for (const Board& board :
         {Board{0x7551, 0xc0, "AMD Radeon AI PRO R9700"},
          Board{0x7551, 0xc8, "AMD Radeon AI PRO R9600D"},
          Board{0x7480, 0x00, "AMD Radeon Pro W7600"}, Board{0x7489, 0x00, "AMD Radeon Pro W7500"},
          Board{0x7460, 0x00, "AMD Radeon Pro V710"},
          Board{0x7461, 0x00, "AMD Radeon Pro V710 MxGPU"},
          Board{0x73e3, 0x00, "AMD Radeon Pro W6600"}}) {
        CAPTURE(board.name);
        CHECK(marketing_name(board.device, board.revision) == board.name);
        CHECK(gpu_model(board.device) == nullptr);
    }
    CHECK(marketing_name(0x7551, std::nullopt).empty());  // two boards share the id
}

}  // namespace

}  // namespace gpu_models_test
