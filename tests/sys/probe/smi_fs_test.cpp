// SPDX-License-Identifier: MIT
#include "vendor/smi_fs.h"

#include <string>
#include <vector>

#include "os/fs/memory_fs.h"
#include "support/catch.h"
#include "util/text.h"

namespace smi_fs_test {

namespace {

using namespace rocenv;
using Lines = std::vector<std::string>;

const std::string gpu = "/sys/bus/pci/devices/0000:05:00.0/";
const std::string other = "/sys/bus/pci/devices/0000:26:00.0/";
const std::string level = "power_dpm_force_performance_level";
const std::string table = "pp_od_clk_voltage";

// Calls that reached the library, and calls that reached the machine.
class Scene {
   public:
    Scene() : fs_(std::make_unique<Machine>(*this), calls()) {}

    std::optional<Error> write(const std::string& path, const std::string& bytes) {
        return fs_.write(path, std::nullopt, bytes);
    }
    void prove(const std::string& path) const { (void)fs_.read_now(path); }
    Lines log;
    bool fails = false;

   private:
    class Machine final : public ForwardingFs {
       public:
        explicit Machine(Scene& scene) : scene_(scene) {}
        std::optional<Error> write(const std::string& path, std::optional<std::uint64_t>,
                                   std::string_view bytes) override {
            scene_.log.push_back("file " + path + " " + std::string(trim(bytes)));
            return std::nullopt;
        }

       private:
        const Fs& inner() const override { return nothing_; }
        MemoryFs nothing_;
        Scene& scene_;
    };

    std::optional<Error> answer(const std::string& line) {
        log.push_back(line);
        return fails ? std::optional(Error{ErrorKind::io, 0, "", "rocm_smi_lib says no"})
                     : std::nullopt;
    }
    SmiCalls calls() {
        return {[this](const std::string& bdf, std::uint64_t mhz) {
                    return answer("limit " + bdf + " " + number(mhz));
                },
                [this](const std::string& bdf) { return answer("auto " + bdf); }};
    }

    SmiFs fs_;
};

TEST_CASE("smi: the three writes of a limit are one call, of two GPUs in turn") {
    Scene scene;
    CHECK_FALSE(scene.write(gpu + level, "perf_determinism"));
    CHECK_FALSE(scene.write(other + level, "perf_determinism"));
    CHECK_FALSE(scene.write(gpu + table, "s 1 1900\n"));
    CHECK_FALSE(scene.write(other + table, "s 1 1700\n"));
    CHECK(scene.log.empty());
    CHECK_FALSE(scene.write(gpu + table, "c\n"));
    CHECK_FALSE(scene.write(other + table, "c\n"));
    CHECK_FALSE(scene.write(gpu + level, "auto"));
    CHECK(scene.log ==
          Lines{"limit 0000:05:00.0 1900", "limit 0000:26:00.0 1700", "auto 0000:05:00.0"});
}

TEST_CASE("smi: a level without a limit is written when it is to be proved") {
    Scene scene;
    CHECK_FALSE(scene.write(gpu + level, "auto"));
    CHECK_FALSE(scene.write(gpu + level, "perf_determinism"));
    CHECK_FALSE(scene.write(other + level, "perf_determinism"));
    CHECK_FALSE(scene.write(other + table, "s 1 1700\n"));
    scene.prove(gpu + table);
    scene.prove(gpu + level);
    scene.prove(other + level);
    CHECK_FALSE(scene.write(other + table, "c\n"));
    CHECK(scene.log == Lines{"auto 0000:05:00.0", "file " + gpu + level + " perf_determinism",
                             "limit 0000:26:00.0 1700"});
}

TEST_CASE("smi: what the library cannot do passes, and so does every other file") {
    Scene scene;
    CHECK_FALSE(scene.write(gpu + level, "perf_determinism"));
    CHECK_FALSE(scene.write(gpu + level, "manual"));
    const Lines commands{"s 0 500", "s 1 1900", "c"};
    Lines expected{"file " + gpu + level + " manual"};
    for (const auto& command : commands) {
        CHECK_FALSE(scene.write(gpu + table, command + "\n"));
        expected.push_back("file " + gpu + table + " " + command);
    }
    for (const auto& path : {gpu + "x/" + level, gpu + "current_compute_partition",
                             "/proc/sys/" + level, std::string("/sys/bus/pci/devices/") + table}) {
        CHECK_FALSE(scene.write(path, "auto"));
        expected.push_back("file " + path + " auto");
    }
    CHECK(scene.log == expected);
}

TEST_CASE("smi: after a call that failed everything goes to the files") {
    Scene scene;
    scene.fails = true;
    scene.write(gpu + level, "perf_determinism");
    scene.write(gpu + table, "s 1 1900\n");
    const auto error = scene.write(gpu + table, "c\n");
    REQUIRE(error);
    CHECK(error->text == gpu + table + ": rocm_smi_lib says no");
    CHECK(error->path == gpu + table);
    CHECK_FALSE(scene.write(gpu + level, "auto"));
    CHECK(scene.log == Lines{"limit 0000:05:00.0 1900", "file " + gpu + level + " auto"});
}

}  // namespace

}  // namespace smi_fs_test
