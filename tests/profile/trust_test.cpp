// SPDX-License-Identifier: MIT
// Effects of a file that is not trusted on profiles, waivers and a check.
#include "profile/request.h"

#include <cerrno>
#include <set>

#include "check/check.h"
#include "os/fs/forwarding_fs.h"
#include "os/fs/memory_fs.h"
#include "profile/profile.h"
#include "profile/waiver_file.h"
#include "support/catch.h"
#include "util/text.h"

namespace rocenv::trust_test {

namespace {

const std::string etc = "/etc/rocenv/profiles/";
const std::string own = "/home/u/.config/rocenv/profiles/";

// A host of which some files can be changed by others.
class Host final : public ForwardingFs {
   public:
    void add(const std::string& path, const std::string& text) { files_.add_file(path, text); }
    void add_open(const std::string& path, const std::string& text) {
        add(path, text);
        open_.insert(path);
    }
    Result<std::string> read_trusted(const std::string& path) const override {
        return open_.contains(path) ? not_trusted(path, path + " is not trusted: it is open")
                                    : files_.read(path);
    }
    std::optional<Error> write(const std::string& path, std::optional<std::uint64_t>,
                               std::string_view) override {
        return errno_error("write", path, EROFS);
    }

   private:
    const Fs& inner() const override { return files_; }
    MemoryFs files_;
    std::set<std::string> open_;
};

std::string named(const std::string& name) {
    return "[profile]\nname = \"" + name + "\"\nsummary = \"a site's\"\n";
}

Process root() {
    Process process;
    process.is_root = true;
    process.environment["HOME"] = "/home/u";
    return process;
}

std::string found(const ProfileStore& store, const std::string& name) {
    const auto profile = store.find(name);
    return profile ? profile->file : profile.error().text;
}

std::string doubts(const ProfileStore& store) {
    return join(doubt_lines(store.doubts()), "\n");
}

ProfileStore refusing(const Host& host) {
    return {host, root(), ProfileStore::Parts::all, Untrusted::refused};
}

}  // namespace

TEST_CASE("trust: a profile of /etc that is not trusted is refused or ignored", "[profile]") {
    Host host;
    host.add_open(etc + "host.toml", named("host"));
    host.add_open(etc + "site.toml", named("site"));
    const std::string why = etc + "host.toml is not trusted: it is open";
    CHECK(found(refusing(host), "host") == why);

    const ProfileStore store(host, root());
    CHECK(found(store, "host") == "built-in:host");
    CHECK(found(store, "host") == "built-in:host");
    CHECK(doubts(store) == why + "; the file is ignored");
    CHECK(store.find("site").error().kind == ErrorKind::bad_input);
    CHECK(found(store, "site") == etc + "site.toml is not trusted: it is open");
    CHECK(found(store, etc + "host.toml") == why);

    Process user;
    CHECK(found(ProfileStore(host, user), "host") == etc + "host.toml");
}

TEST_CASE("trust: a user's own profile that root does not trust is ignored", "[profile]") {
    Host host;
    host.add_open(own + "host.toml", named("host"));
    const auto store = refusing(host);
    CHECK(found(store, "host") == "built-in:host");
    CHECK(doubts(store) == own + "host.toml is not trusted: it is open; the file is ignored");

    Host roots;
    roots.add(own + "host.toml", named("host"));
    CHECK(found(refusing(roots), "host") == own + "host.toml");
    Process sudo = root();
    sudo.through_sudo = true;
    const ProfileStore under_sudo(roots, sudo);
    CHECK(found(under_sudo, "host") == "built-in:host");
    CHECK(found(under_sudo, "mi300x") == "built-in:mi300x");
    CHECK(doubts(under_sudo) ==
          own +
              "host.toml is not trusted: under sudo root uses no user's own profiles; the file is "
              "ignored");
}

TEST_CASE("trust: a path that is named is used, with a line", "[profile]") {
    Host host;
    host.add_open("/x/p.toml", "[profile]\nname = \"p\"\nextends = [\"./q.toml\"]\n");
    host.add_open("/x/q.toml", named("q"));
    const auto store = refusing(host);
    const auto resolved = resolve(store, {"/x/p.toml"}, {});
    CHECK(resolved.diagnostics.empty());
    CHECK(doubts(store) ==
          "/x/p.toml is not trusted: it is open; the file is used as named\n"
          "/x/q.toml is not trusted: it is open; the file is used as named");
}

TEST_CASE("trust: the site's file is refused or ignored", "[profile]") {
    Host host;
    host.add_open(site_file, "[settings]\n\"cpu.smt\" = \"off\"\n");
    const auto refused = resolve(refusing(host), {"host"}, {}, {}, Site::merged);
    REQUIRE(refused.diagnostics.size() == 1);
    CHECK(refused.diagnostics.front().text ==
          site_file + " is not trusted: it is open (--no-site ignores it)");

    const ProfileStore store(host, root());
    const auto ignored = resolve(store, {"host"}, {}, {}, Site::merged);
    CHECK(ignored.diagnostics.empty());
    CHECK(ignored.site.empty());
    CHECK(doubts(store) == site_file + " is not trusted: it is open; the file is ignored");
}

TEST_CASE("trust: check reports site.trust for each file", "[profile]") {
    Host host;
    host.add_open(site_file, "[settings]\n");
    host.add_open(waivers_file, "");
    MemoryFs machine;
    machine.add_folder("/proc");
    CheckRequest request;
    request.profiles = {"host"};
    request.only = {"cpu.smt"};
    CHECK(check(request, machine, host, root()).errors.size() == 1);

    request.untrusted = Untrusted::ignored;
    const auto result = check(request, machine, host, root());
    CHECK(result.errors.empty());
    CHECK(result.doubts.size() == 2);
    CHECK(result.report.exit_code == 3);
    std::vector<std::string> targets;
    for (const auto& finding : result.report.findings) {
        if (finding.id == trust_id) {
            CHECK(finding.level == Level::required);
            CHECK(finding.outcome == Outcome::unknown);
            targets.push_back(finding.target);
        }
    }
    CHECK(targets == std::vector<std::string>{site_file, waivers_file});

    request.skip = {trust_id};
    CHECK(check(request, machine, host, root()).report.exit_code == 0);
}

}  // namespace rocenv::trust_test
