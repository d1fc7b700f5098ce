// SPDX-License-Identifier: MIT
// Files of required settings are readable for the user of the check. Except for acceptance, and
// ci-preflight run by root, that is a user without rights, and a program in a container.
#include <algorithm>
#include <cerrno>
#include <set>

#include "check/check.h"
#include "profile/profile.h"
#include "rocenv/process.h"
#include "support/catch.h"
#include "support/faulty_fs.h"
#include "support/machines.h"
#include "util/text.h"

namespace rocenv {

namespace {

enum class Asker { user, container };

// A machine as a user without rights reads it: the kernel permits reads by its modes and
// capabilities (linux drivers/pci/pci-sysfs.c pci_read_config, drivers/firmware/dmi-id.c,
// arch/x86/kernel/cpu/microcode/core.c, fs/proc/namespaces.c, 6.12).
class SeenByAnybody final : public Fs {
   public:
    SeenByAnybody(const Fs& inner, Asker asker) : inner_(inner), asker_(asker) {}

    Result<std::string> read(const std::string& path) const override {
        const auto ends = [&](std::string_view end) { return path.ends_with(end); };
        const bool for_root = ends("_serial") || ends("/product_uuid") ||
                              ends("/microcode/version") || path.starts_with("/sys/firmware/") ||
                              path.starts_with("/sys/kernel/debug/");
        return for_root ? refused(path) : inner_.read(path);
    }
    Result<std::string> read_at(const std::string& path, std::uint64_t offset,
                                std::size_t size) const override {
        constexpr std::uint64_t header = 64;
        if (!path.ends_with("/config")) {
            return inner_.read_at(path, offset, size);
        }
        return offset >= header ? Result(std::string())
                                : inner_.read_at(path, offset, std::min(size, header - offset));
    }
    Result<std::vector<std::string>> list(const std::string& path) const override {
        return inner_.list(path);
    }
    Result<std::string> link(const std::string& path) const override {
        if (path == "/proc/1/ns/net" && asker_ == Asker::user) {
            return refused(path);
        }
        if (path == "/proc/self/ns/net" || path == "/proc/1/ns/net") {
            return std::string("net:[4026532281]");
        }
        if (path == "/proc/self/ns/pid") {
            return std::string(asker_ == Asker::user ? "pid:[4026531836]" : "pid:[4026532284]");
        }
        return inner_.link(path);
    }
    Result<std::uint64_t> size(const std::string& path) const override { return inner_.size(path); }
    Result<std::uint64_t> capacity(const std::string& path) const override {
        return inner_.capacity(path);
    }
    Result<Access> access(const std::string& path) const override { return inner_.access(path); }
    bool is_real() const override { return false; }

   private:
    static Error refused(const std::string& path) { return errno_error("read", path, EACCES); }

    const Fs& inner_;
    Asker asker_;
};

Process anybody() {
    Process out;
    out.environment["SOURCE_DATE_EPOCH"] = "0";
    return out;
}

// Ids that a profile requires of a machine and that could not be read.
std::set<std::string> unread(const std::string& profile, const std::string& machine, Asker asker) {
    const SeenByAnybody fs(machine_fs(machine), asker);
    const MemoryFs host;
    CheckRequest request;
    request.profiles = {profile};
    request.ignore_match = true;
    const auto result = check(request, fs, host, anybody());
    CAPTURE(profile, machine, join(result.errors, "; "));
    CHECK(result.errors.empty());
    std::set<std::string> out;
    for (const auto& finding : result.report.findings) {
        if (finding.level == Level::required && finding.outcome == Outcome::unknown) {
            out.insert(finding.id);
        }
    }
    return out;
}

}  // namespace

TEST_CASE("readable: what is required every day needs no rights", "[check]") {
    const MemoryFs empty;
    // Older than this rule: the control word of ACS is behind the header that everybody may read.
    const std::set<std::string> known{"pci.acs"};
    for (const auto& profile : ProfileStore(empty, anybody()).names()) {
        if (profile == "acceptance") {
            continue;
        }
        for (const char* machine : {"mi300x-tuned", "mi300a", "mi210", "mi350x", "no-gpu"}) {
            auto found = unread(profile, machine, Asker::user);
            std::erase_if(found, [&](const auto& id) { return known.contains(id); });
            CAPTURE(profile, machine, found);
            CHECK(found.empty());
        }
        auto found = unread(profile, "container", Asker::container);
        std::erase_if(found, [&](const auto& id) { return known.contains(id); });
        CAPTURE(profile, found);
        CHECK(found.empty());
    }
}

TEST_CASE("readable: acceptance does say what it may not read", "[check]") {
    const auto found = unread("acceptance", "mi300x-tuned", Asker::user);
    CHECK(found.contains("pci.device_status"));
    CHECK(found.contains("pci.dpc"));
}

}  // namespace rocenv
