// SPDX-License-Identifier: MIT
#include "os/fs/tree_file.h"

#include <cerrno>
#include <string>

#include "check/record.h"
#include "os/fs/memory_fs.h"
#include "os/redact/redact.h"
#include "support/catch.h"

namespace recording_fs_test {

namespace {

using namespace rocenv;
using Names = std::vector<std::string>;

template <class T>
std::string printed(const Result<T>& answer) {
    if (!answer) {
        return answer.error().text;
    }
    if constexpr (std::is_same_v<T, Names>) {
        std::string out;
        for (const auto& name : *answer) {
            out += name + "/";
        }
        return out;
    } else if constexpr (std::is_same_v<T, std::uint64_t>) {
        return std::to_string(*answer);
    } else {
        return *answer;
    }
}

std::unique_ptr<MemoryFs> replayed(const RecordingFs& fs) {
    auto replay = parse_tree("r.tree", "rocenv tree 1\n" + tree_entries(fs.notes()));
    if (!replay) {
        FAIL(replay.error().text);
    }
    return std::move(replay).value();
}

// A machine with every kind of answer.
std::unique_ptr<MemoryFs> machine() {
    auto made = std::make_unique<MemoryFs>();
    MemoryFs& fs = *made;
    fs.add_file("/d/one", "1\n");
    fs.add_file("/d/many", "a\n\n b \nlast");
    fs.add_file("/d/bytes", std::string("\0\x7f\\\n", 4));
    fs.add_file("/d/empty", "");
    fs.add_file("/d/newline", "\n");
    fs.add_file("/d/with blank", "x\n");
    fs.add_link("/d/link", "../other place/x");
    fs.add_error("/d/eio", EIO);
    fs.add_error("/d/enoent", ENOENT);
    fs.add_lost("/d/lost", EACCES);
    fs.add_folder("/d/folder");
    fs.add_config("/pci/a/config", std::string(4096, '\x11'), 4096);
    fs.add_config("/pci/b/config", std::string(64, '\x22'), 4096);
    fs.add_config("/pci/c/config", std::string(256, '\x33'), 4096, EIO);
    fs.add_config("/pci/d/config", std::string(256, '\x44'), 256);
    fs.add_config("/pci/e/config", "", 4096, EPERM);
    fs.add_link("/class/gpu", "/devices/gpu");
    fs.add_file("/devices/gpu/vendor", "0x1002\n");
    fs.set_capacity("/shm", 67108864);
    return made;
}

std::vector<std::string> ask(const Fs& fs) {
    std::vector<std::string> out;
    for (const char* path :
         {"/d/one", "/d/many", "/d/bytes", "/d/empty", "/d/newline", "/d/with blank", "/d/eio",
          "/d/enoent", "/d/lost", "/d/folder", "/d/none", "/none/below", "/class/gpu/vendor"}) {
        out.push_back(printed(fs.read(path)));
        out.push_back(exists(fs, path) ? "there" : "not there");
    }
    for (const char* path : {"/d", "/d/folder", "/d/eio", "/none", "/d/one", "/class/gpu"}) {
        out.push_back(printed(fs.list(path)));
    }
    for (const char* path : {"/d/link", "/d/one", "/d/none", "/d/folder", "/class/gpu"}) {
        out.push_back(printed(fs.link(path)));
    }
    for (const char* name : {"a", "b", "c", "d", "e"}) {
        const std::string path = std::string("/pci/") + name + "/config";
        out.push_back(printed(fs.size(path)));
        for (const std::uint64_t offset : {0x40U, 0x100U, 0x200U}) {
            out.push_back(printed(fs.read_at(path, offset, 4)));
        }
    }
    out.push_back(printed(fs.capacity("/shm")));
    out.push_back(printed(fs.size("/d/lost")));
    return out;
}

TEST_CASE("What was recorded answers the same questions the same way", "[recording]") {
    const auto owner = machine();
    const MemoryFs& fs = *owner;
    const RecordingFs recorder(fs);
    const auto answers = ask(recorder);
    CHECK(answers == ask(fs));
    const auto replay = replayed(recorder);
    const RecordingFs again(*replay);
    CHECK(ask(again) == answers);
    CHECK(tree_entries(again.notes()) == tree_entries(recorder.notes()));
    CHECK_FALSE(recorder.is_real());
}

TEST_CASE("Only what was asked is written down", "[recording]") {
    const auto owner = machine();
    const MemoryFs& fs = *owner;
    const RecordingFs recorder(fs);
    (void)recorder.list("/d");
    (void)recorder.read("/d/one");
    (void)recorder.read("/d/none");
    (void)recorder.read_at("/pci/a/config", 0x100, 4);
    CHECK(tree_entries(recorder.notes()) == R"(n /d/bytes
n /d/eio
n /d/empty
n /d/enoent
n /d/folder
n /d/link
n /d/lost
n /d/many
n /d/newline
f /d/one = 1
n /d/with\x20blank
c /pci/a/config 4096
  100: 11 11 11 11
)");
    const auto replay = replayed(recorder);
    CHECK(printed(replay->list("/d")) == printed(fs.list("/d")));
    const auto unread = replay->read("/d/many");
    REQUIRE(unread.is(ErrorKind::io));
    CHECK(unread.error().text == "/d/many: is there, but was not read when this was recorded");
    CHECK_FALSE(replay->list("/d/folder").ok());
    CHECK_FALSE(replay->link("/d/link").ok());
    CHECK(exists(*replay, "/d/many"));
}

TEST_CASE("A link and what was asked below it are both kept", "[recording]") {
    const auto owner = machine();
    const MemoryFs& fs = *owner;
    const RecordingFs recorder(fs);
    (void)recorder.link("/class/gpu");
    (void)recorder.read("/class/gpu/vendor");
    CHECK(tree_entries(recorder.notes()) ==
          "l /class/gpu -> /devices/gpu\nf /class/gpu/vendor = 0x1002\n");
    const auto replay = replayed(recorder);
    CHECK(*replay->link("/class/gpu") == "/devices/gpu");
    CHECK(*replay->read("/class/gpu/vendor") == "0x1002\n");
}

TEST_CASE("A folder that was measured keeps what was listed in it", "[recording]") {
    MemoryFs fs;
    fs.add_file("/dev/shm/segment", "x");
    fs.set_capacity("/dev/shm", 4096);
    const RecordingFs recorder(fs);
    (void)recorder.list("/dev/shm");
    (void)recorder.capacity("/dev/shm");
    (void)recorder.read("/dev/shm/segment");
    const auto replay = replayed(recorder);
    CHECK(printed(replay->list("/dev/shm")) == "segment/");
    CHECK(printed(replay->capacity("/dev/shm")) == "4096");
}

TEST_CASE("A config file that could not be read is not replayed as an empty one", "[recording]") {
    MemoryFs machine;
    machine.add_config("/sys/d/config", "", 56, EIO);
    const RecordingFs recording(machine);
    CHECK(*recording.size("/sys/d/config") == 56);
    CHECK(recording.read("/sys/d/config").error().err == EIO);
    CHECK(replayed(recording)->read("/sys/d/config").error().err == EIO);
    CHECK(*replayed(recording)->size("/sys/d/config") == 56);
}

TEST_CASE("A file that is there and says that it is not is replayed so", "[recording]") {
    MemoryFs machine;
    machine.add_error("/sys/file", ENOENT);
    machine.set_capacity("/sys/file", 4096);
    const RecordingFs recording(machine);
    CHECK(recording.read("/sys/file").error().err == ENOENT);
    (void)recording.size("/sys/file");
    (void)recording.capacity("/sys/file");
    const auto replay = replayed(recording);
    CHECK(replay->read("/sys/file").error().err == ENOENT);
    CHECK(printed(replay->capacity("/sys/file")) == "4096");
}

// Answers one path never.
class SilentFs final : public Fs {
   public:
    Result<std::string> read(const std::string& path) const override { return silence(path); }
    Result<std::string> read_at(const std::string& path, std::uint64_t,
                                std::size_t) const override {
        return silence(path);
    }
    Result<Names> list(const std::string& path) const override { return silence(path); }
    Result<std::string> link(const std::string& path) const override { return silence(path); }
    Result<std::uint64_t> size(const std::string& path) const override { return silence(path); }
    Result<std::uint64_t> capacity(const std::string& path) const override { return silence(path); }
    bool is_real() const override { return true; }

   private:
    static Error silence(const std::string& path) {
        return {ErrorKind::timed_out, 0, path, path + ": no answer in 5 s"};
    }
};

TEST_CASE("Silence is recorded, named and replayed as silence", "[recording]") {
    const SilentFs fs;
    const RecordingFs recorder(fs);
    (void)recorder.read("/b");
    (void)recorder.size("/b");
    (void)recorder.list("/a");
    CHECK(recorder.silent() == Names{"/a", "/b"});
    CHECK(tree_entries(recorder.notes()) == "e /a ETIMEDOUT\ne /b ETIMEDOUT all\n");
    CHECK(replayed(recorder)->read("/b").is(ErrorKind::timed_out));
}

TEST_CASE("Of a file that changes the last answer is kept", "[recording]") {
    MemoryFs fs;
    fs.add_file("/counter", "1\n");
    const RecordingFs recorder(fs);
    (void)recorder.read("/counter");
    fs.add_file("/counter", "2\n");
    (void)recorder.read_now("/counter");
    CHECK(tree_entries(recorder.notes()) == "f /counter = 2\n");
}

TEST_CASE("Paths that no tree can hold are left out", "[recording]") {
    const auto owner = machine();
    const MemoryFs& fs = *owner;
    const RecordingFs recorder(fs);
    for (const char* path : {"/", "//d", "/d/../d", "/d/./one", "/d/"}) {
        (void)recorder.list(path);
        (void)recorder.read(path);
    }
    CHECK(tree_entries(recorder.notes()).empty());
}

TEST_CASE("A path that is too long for a tree is left out", "[recording]") {
    const std::string folder = "/sys/" + std::string(500, 'd');
    MemoryFs fs;
    fs.add_file(folder + "/name", "1");
    fs.add_file(folder + "/longname", "1");
    const RecordingFs recorder(fs);
    (void)recorder.list(folder);
    (void)recorder.read(folder + "/name");
    (void)recorder.read(folder + "/longname");
    CHECK(printed(replayed(recorder)->list(folder)) == "name/");
}

TEST_CASE("A machine without sys and proc is none", "[recording]") {
    MemoryFs fs;
    fs.add_file("/etc/hostname", "x\n");
    CHECK(record(fs, fs, {}, WithEnv::no).is(ErrorKind::bad_input));
}

TEST_CASE("Every variable of the catalogue is a comment, but no secret", "[recording]") {
    MemoryFs fs;
    fs.add_folder("/sys");
    Process process;
    process.environment = {{"HF_ENDPOINT", "https://me:word@mirror/x"},
                           {"HF_TOKEN", "hf_1"},
                           {"HSA_ENABLE_SDMA", "0"},
                           {"MY_OWN", "1"},
                           {"VLLM_API_KEY", "key_1"}};
    const auto text = record(fs, fs, process, WithEnv::yes)->text;
    CHECK(text.find("\n# env HF_ENDPOINT=redacted\n# env HSA_ENABLE_SDMA=0\n") !=
          std::string::npos);
    CHECK(text.find("TOKEN") == std::string::npos);
    CHECK(text.find("API_KEY") == std::string::npos);
    CHECK(text.find("MY_OWN") == std::string::npos);
}

TEST_CASE("The environment is left out, and known variables are comments", "[recording]") {
    MemoryFs fs;
    fs.add_file("/proc/sys/kernel/hostname", "node7\n");
    fs.add_folder("/sys");
    Process process;
    process.environment = {
        {"HIP_FORCE_DEV_KERNARG", "/home/alice/node7 x\n"}, {"USER", "alice"}, {"TOKEN", "secret"}};
    const auto without = record(fs, fs, process, WithEnv::no);
    CHECK(without->text.find("KERNARG") == std::string::npos);
    const auto with = record(fs, fs, process, WithEnv::yes);
    CHECK(with->text.find("\n# env HIP_FORCE_DEV_KERNARG=redacted\n") != std::string::npos);
    CHECK(with->text.find("secret") == std::string::npos);
    CHECK(with->text.find("alice") == std::string::npos);
    REQUIRE(parse_tree("m.tree", with->text).ok());
    CHECK((*parse_tree("m.tree", with->text))->remark().empty());
    CHECK(with->text.ends_with(" entries\n"));
}

}  // namespace

}  // namespace recording_fs_test
