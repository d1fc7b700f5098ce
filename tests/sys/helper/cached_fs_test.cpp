// SPDX-License-Identifier: MIT
#include "os/child/cached_fs.h"

#include <cerrno>
#include <map>
#include <string>
#include <vector>

#include "os/child/shared_log.h"
#include "os/fs/memory_fs.h"
#include "support/catch.h"

namespace cached_fs_test {

namespace {

using namespace rocenv;

// Counts what is asked of the machine below, and looks at the log while it is asked.
class CountingFs final : public Fs {
   public:
    CountingFs(const MemoryFs& inner, const SharedLog& log) : inner_(inner), log_(log) {}

    Result<std::string> read(const std::string& path) const override {
        note(path);
        return inner_.read(path);
    }
    Result<std::string> read_at(const std::string& path, std::uint64_t offset,
                                std::size_t size) const override {
        note(path);
        return inner_.read_at(path, offset, size);
    }
    Result<std::vector<std::string>> list(const std::string& path) const override {
        note(path);
        return inner_.list(path);
    }
    Result<std::string> link(const std::string& path) const override {
        note(path);
        return inner_.link(path);
    }
    Result<std::uint64_t> size(const std::string& path) const override {
        note(path);
        return inner_.size(path);
    }
    Result<std::uint64_t> capacity(const std::string& path) const override {
        note(path);
        return inner_.capacity(path);
    }
    Result<Access> access(const std::string& path) const override {
        note(path);
        const auto found = inner_.access(path);
        return found && found->err == 0 ? Access{0, 44} : found;
    }
    bool is_real() const override { return false; }

    int asked(const std::string& path) const { return asked_[path]; }

   private:
    void note(const std::string& path) const {
        ++asked_[path];
        CHECK(log_.pending().path == path);
        CHECK(log_.pending().since_ms != 0);
    }
    const MemoryFs& inner_;
    const SharedLog& log_;
    mutable std::map<std::string, int> asked_;
};

struct Watched {
    Watched() : counting(memory, log) {
        REQUIRE(log.usable());
        memory.add_file("/d/f", "text\n");
        memory.add_config("/d/config", "0123", 4096);
        memory.add_link("/d/l", "f");
        memory.add_folder("/empty");
        memory.add_error("/e", EIO);
        memory.add_error("/denied", EPERM);
    }
    MemoryFs memory;
    SharedLog log;
    CountingFs counting;
};

void check_answers(const Fs& fs) {
    CHECK(*fs.read("/d/f") == "text\n");
    CHECK(*fs.read_at("/d/config", 2, 4) == "23");
    CHECK(*fs.list("/d") == std::vector<std::string>{"config", "f", "l"});
    CHECK(fs.list("/empty")->empty());
    CHECK(*fs.link("/d/l") == "f");
    CHECK(*fs.size("/d/config") == 4096);
    CHECK(*fs.capacity("/d/f") == 0);
    CHECK(fs.access("/empty")->err == 0);
    CHECK(fs.access("/empty")->group == 44);
    CHECK(fs.access("/denied")->err == EPERM);
    CHECK(fs.access("/gone").is(ErrorKind::not_here));
    CHECK(fs.read("/e").error().err == EIO);
    CHECK(fs.list("/gone").is(ErrorKind::not_here));
    CHECK(fs.size("/gone").error().text == "cannot access '/gone': No such file or directory");
}

TEST_CASE("The same answers, asked once", "[cached_fs]") {
    Watched setup;
    Known known(setup.log);
    const auto fs = cached_fs(setup.counting, known, "m");
    check_answers(*fs);
    check_answers(*fs);
    CHECK(setup.counting.asked("/d/f") == 2);  // read and capacity, once each
    CHECK(setup.counting.asked("/e") == 1);
    CHECK(setup.counting.asked("/gone") == 3);
    CHECK(setup.log.pending().since_ms == 0);
}

TEST_CASE("The next helper knows every answer and asks nothing", "[cached_fs]") {
    Watched setup;
    {
        Known first(setup.log);
        check_answers(*cached_fs(setup.counting, first, "m"));
    }
    const int before = setup.counting.asked("/d/f");
    Known second(setup.log);
    check_answers(*cached_fs(setup.counting, second, "m"));
    CHECK(setup.counting.asked("/d/f") == before);
    CHECK(setup.counting.asked("/gone") == 3);
}

TEST_CASE("Different operations and offsets of one file are cached separately", "[cached_fs]") {
    Watched setup;
    Known known(setup.log);
    const auto fs = cached_fs(setup.counting, known, "m");
    CHECK(*fs->read_at("/d/config", 0, 4) == "0123");
    CHECK(*fs->read_at("/d/config", 0, 2) == "01");
    CHECK(*fs->read_at("/d/config", 1, 2) == "12");
    CHECK(*fs->read("/d/config") == "0123");
    CHECK(*fs->size("/d/config") == 4096);
}

TEST_CASE("Two machines that share a log keep their answers apart", "[cached_fs]") {
    Watched setup;
    MemoryFs other;
    other.add_file("/d/f", "other\n");
    Known known(setup.log);
    const auto machine = cached_fs(setup.counting, known, "m");
    const auto host = cached_fs(other, known, "h");
    CHECK(*machine->read("/d/f") == "text\n");
    CHECK(*host->read("/d/f") == "other\n");
}

TEST_CASE("Counters are read anew each time", "[cached_fs]") {
    Watched setup;
    Known known(setup.log);
    const auto fs = cached_fs(setup.memory, known, "m");
    CHECK(*fs->read_now("/d/f") == "text\n");
    setup.memory.add_file("/d/f", "new\n");
    CHECK(*fs->read_now("/d/f") == "new\n");
}

void lose(SharedLog& log, const std::string& path) {
    log.add(lost_key(path), Error{ErrorKind::timed_out, 0, path, path + ": no answer in 5 s"});
}

TEST_CASE("A file that did not answer is not asked again, by no operation", "[cached_fs]") {
    Watched setup;
    lose(setup.log, "/d/f");
    Known known(setup.log);
    const auto fs = cached_fs(setup.counting, known, "m");
    const auto read = fs->read("/d/f");
    REQUIRE(read.is(ErrorKind::timed_out));
    CHECK(read.error().text == "/d/f: no answer in 5 s");
    CHECK(fs->size("/d/f").is(ErrorKind::timed_out));
    CHECK(fs->link("/d/f").is(ErrorKind::timed_out));
    CHECK(fs->list("/d/f").is(ErrorKind::timed_out));
    CHECK(setup.counting.asked("/d/f") == 0);
    CHECK(*fs->link("/d/l") == "f");
}

TEST_CASE("A counter that did not answer is not asked again either", "[cached_fs]") {
    Watched setup;
    lose(setup.log, "/d/f");
    Known known(setup.log);
    const auto fs = cached_fs(setup.counting, known, "m");
    CHECK(fs->read_now("/d/f").is(ErrorKind::timed_out));
    CHECK(setup.counting.asked("/d/f") == 0);
}

struct FateCase {
    const char* path;
    const char* fate;
};

TEST_CASE("Files that share a device share its fate", "[cached_fs]") {
    const FateCase cases[] = {
        {"/sys/bus/pci/devices/0000:05:00.0/config", "/sys/bus/pci/devices/0000:05:00.0"},
        {"/sys/bus/pci/devices/0000:05:00.0/power/runtime_status",
         "/sys/bus/pci/devices/0000:05:00.0"},
        {"/sys/bus/pci/devices/0000:05:00.0", "/sys/bus/pci/devices/0000:05:00.0"},
        {"/sys/class/kfd/kfd/topology/nodes/3/properties", "/sys/class/kfd"},
        {"/sys/class/kfd/kfd/topology/generation_id", "/sys/class/kfd"},
        {"/sys/devices/system/cpu/cpufreq/policy0/scaling_governor",
         "/sys/devices/system/cpu/cpufreq/policy0"},
        {"/proc/cmdline", "/proc"}};
    for (const auto& item : cases) {
        CHECK(failure_domain(item.path) == item.fate);
    }
}

TEST_CASE("After two silent files of a device nothing more of it is asked", "[cached_fs]") {
    const std::string gpu = "/sys/bus/pci/devices/0000:05:00.0";
    const std::string other = "/sys/bus/pci/devices/0000:06:00.0";
    Watched setup;
    for (const auto& folder : {gpu, other}) {
        setup.memory.add_file(folder + "/third", "3");
    }
    lose(setup.log, gpu + "/first");
    lose(setup.log, other + "/first");
    lose(setup.log, gpu + "/deeper/second");
    Known known(setup.log);
    const auto fs = cached_fs(setup.counting, known, "m");
    const auto third = fs->read(gpu + "/third");
    REQUIRE(third.is(ErrorKind::timed_out));
    CHECK(
        third.error().text.starts_with(gpu + "/third: not asked, other files of the same device"));
    CHECK(setup.counting.asked(gpu + "/third") == 0);
    CHECK(*fs->read(other + "/third") == "3");
}

TEST_CASE("After the deadline only what is known is answered", "[cached_fs]") {
    Watched setup;
    {
        Known known(setup.log);
        CHECK(cached_fs(setup.counting, known, "m")->read("/d/f").ok());
    }
    setup.log.close_for_new();
    Known known(setup.log);
    const auto fs = cached_fs(setup.counting, known, "m");
    CHECK(*fs->read("/d/f") == "text\n");
    CHECK_FALSE(fs->deadline_reached());
    const auto late = fs->link("/d/l");
    REQUIRE(late.is(ErrorKind::timed_out));
    CHECK(fs->deadline_reached());
    CHECK(late.error().text == "/d/l: not asked before the deadline");
    CHECK(setup.counting.asked("/d/l") == 0);
}

TEST_CASE("The log keeps answers and errors byte for byte", "[cached_fs]") {
    SharedLog log;
    const std::string bytes("\0\n=\xff", 4);
    log.add("k", Answer(bytes));
    log.add("e", Answer(Error{ErrorKind::garbled, 7, "/p", "text"}));
    log.add("k", Answer(bytes + "2"));
    CHECK(log.find("k") == bytes + "2");
    CHECK_FALSE(log.find("e"));
    CHECK_FALSE(log.find(""));
    std::vector<std::string> keys;
    log.for_each([&](const SharedLog::Record& record) {
        const Answer answer = SharedLog::answer_of(record);
        keys.emplace_back(record.key);
        if (!answer) {
            CHECK(answer.error().kind == ErrorKind::garbled);
            CHECK(answer.error().err == 7);
            CHECK(answer.error().path == "/p");
            CHECK(answer.error().text == "text");
        }
    });
    CHECK(keys == std::vector<std::string>{"k", "e", "k"});
}

TEST_CASE("A full log drops an answer and keeps the others", "[cached_fs]") {
    SharedLog log;
    log.add("first", Answer(std::string("1")));
    const std::string large(std::size_t{130} << 20, 'x');
    log.add("large", Answer(large));
    log.add("too large", Answer(large));
    log.add("last", Answer(std::string("2")));
    CHECK(log.find("first") == "1");
    CHECK(log.find("large")->size() == large.size());
    CHECK_FALSE(log.find("too large"));
    CHECK(log.find("last") == "2");
}

}  // namespace

}  // namespace cached_fs_test
