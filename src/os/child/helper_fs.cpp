// SPDX-License-Identifier: MIT
#include "os/child/helper_fs.h"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "os/child/cached_fs.h"
#include "os/child/child_process.h"
#include "os/child/shared_log.h"
#include "os/child/wait_line.h"
#include "os/interruption.h"
#include "util/text.h"

namespace rocenv {

namespace {

constexpr int most_silences = 2;

enum class Operation : char {
    open = 'o',
    read = 'r',
    read_trusted = 't',
    read_at = 'a',
    list = 'l',
    link = 's',
    size = 'z',
    capacity = 'c',
    access = 'p',
    write = 'w',
};

struct Question {
    Operation operation = Operation::read;
    std::string path;
    std::optional<std::uint64_t> offset;
    std::size_t size = 0;
    std::string_view bytes;
};

Answer do_operation(WritableFs& machine, Operation operation, const std::string& path,
                    std::optional<std::uint64_t> offset, std::size_t size,
                    const std::string& bytes) {
    switch (operation) {
        case Operation::open:
            return std::string(machine.is_real() ? "real" : "");
        case Operation::read:
            return machine.read_now(path);
        case Operation::read_trusted:
            return machine.read_trusted(path);
        case Operation::read_at:
            return machine.read_at(path, offset.value_or(0), size);
        case Operation::list:
            return as_answer(machine.list(path));
        case Operation::link:
            return machine.link(path);
        case Operation::size:
            return as_answer(machine.size(path));
        case Operation::capacity:
            return as_answer(machine.capacity(path));
        case Operation::access:
            return as_answer(machine.access(path));
        case Operation::write:
            break;
    }
    auto error = machine.write(path, offset, bytes);
    return error ? Answer(*std::move(error)) : Answer(std::string());
}

bool send_question(Channel& channel, const Question& question) {
    const char operation = static_cast<char>(question.operation);
    const std::string offset = question.offset ? number(*question.offset) : "";
    const std::string size = number(question.size);
    const std::string_view fields[] = {
        {&operation, 1}, question.path, offset, size, question.bytes};
    return channel.send(fields);
}

bool send_answer(Channel& channel, const Answer& answer) {
    return send_result(channel, answer ? Result(Fields{*answer}) : answer.error());
}

Answer answer_in(Fields fields) {
    auto result = result_in(std::move(fields), "the helper");
    return result ? Answer(join(*result, "")) : result.error();  // a single field
}

// Runs the helper.
void help(int fd, const HelperFs::Opener& open_machine) {
    ignore_interruptions();
    Channel channel{Fd(fd)};
    auto machine = open_machine();
    if (!machine) {
        send_answer(channel, machine.error());
        return;
    }
    Fields asked{std::string(1, static_cast<char>(Operation::open)), "", "", "", ""};
    do {
        const auto offset = parse_number(asked[2]);
        const auto answer = do_operation(**machine, static_cast<Operation>(asked[0][0]), asked[1],
                                         offset, parse_number(asked[3]).value_or(0), asked[4]);
        if (!send_answer(channel, answer)) {
            break;
        }
    } while (channel.receive(asked, 0) == Channel::Got::message);
}

}  // namespace

class HelperFs::Helper {
   public:
    Helper(const Patience& patience, Opener open_machine)
        : patience_(patience), open_machine_(std::move(open_machine)) {
        set_deadline(patience.deadline_seconds);
    }
    ~Helper() {
        if (channel_) {
            end(root_name);
        }
    }
    Helper(const Helper&) = delete;
    Helper& operator=(const Helper&) = delete;

    void extend(double seconds) {
        set_deadline(seconds);
        rollback_ = true;
        line_.begin();
    }
    bool is_real() const { return real_; }
    const std::vector<std::string>& left_behind() const { return left_behind_; }

    // Opens the machine for a helper of another kind, which only reads.
    OpenMachine opener() const {
        return [this]() -> Result<std::unique_ptr<Fs>> {
            auto machine = open_machine_();
            if (!machine) {
                return machine.error();
            }
            return std::unique_ptr<Fs>(std::move(machine).value());
        };
    }

    // Returns the time limits without the time that has passed.
    Patience rest() const {
        return {patience_.probe_seconds, static_cast<double>(deadline_ - now_ms()) / 1000};
    }

    // Fills the log by another helper, which takes this one's turn.
    void read_ahead(SharedLog& log, const std::function<void(const Fs&)>& read) {
        if (channel_) {
            end(root_name);
        }
        const std::size_t before = add_silences(log);
        for (auto& sentence : fill_log(log, rest(), opener(), read)) {
            left_behind_.push_back(std::move(sentence));
        }
        note_silences(log, before);
    }

    // Starts a helper if there is none. Returns std::nullopt if a helper runs. A helper that is
    // killed while it opens the machine is replaced once.
    std::optional<Error> start() {
        if (channel_) {
            return std::nullopt;
        }
        if (auto refused = not_asked(root_name)) {
            return refused;
        }
        const Question question{Operation::open, root_name, {}, 0, {}};
        auto opened = open_in_helper(question);
        if (!opened) {
            opened = open_in_helper(question);
        }
        if (!opened) {
            return died(question);
        }
        if (!*opened) {
            end(root_name);
            return opened->error();
        }
        real_ = **opened == "real";
        return std::nullopt;
    }

    // Sends a question and returns the answer. If the helper was killed, reads are repeated once,
    // and so are writes that it cannot have received. The effect of other writes is unknown.
    Answer ask(const Question& question) {
        if (auto refused = not_asked(question.path)) {
            return *std::move(refused);
        }
        bool seen = false;
        auto answer = try_once(question, seen);
        if (!answer && (!seen || question.operation != Operation::write)) {
            answer = try_once(question, seen);
        }
        return answer ? *std::move(answer) : died(question);
    }

   private:
    void set_deadline(double seconds) {
        deadline_ = now_ms() + static_cast<std::int64_t>(seconds * 1000);
    }

    // Receives an answer and shows the line, which stays between questions: many fast answers may
    // take long together.
    Channel::Got receive(const Question& question, Fields& fields, std::int64_t until_ms) {
        const std::int64_t start = now_ms();
        const auto show_wait = [&] {
            if (rollback_) {
                line_.show_wait("restoring", question.path, deadline_);
            } else {
                const bool writes = question.operation == Operation::write;
                line_.show_step(question.path, {writes, start, until_ms, deadline_});
            }
        };
        show_wait();
        return receive_showing(channel_, fields, until_ms, line_, show_wait);
    }

    // Asks once. Returns std::nullopt if the helper died; `seen` is true if it may have received
    // the question.
    std::optional<Answer> try_once(const Question& question, bool& seen) {
        if (auto error = start()) {
            error->path = question.path;
            error->text = question.path + ": " + error->text;
            return *std::move(error);
        }
        if (!send_question(channel_, question)) {
            end(question.path);
            return std::nullopt;
        }
        seen = true;
        return wait_for_answer(question);
    }

    std::optional<Answer> open_in_helper(const Question& question) {
        helper_ = Child::start(Child::Line::socket, [this](int fd) { help(fd, open_machine_); });
        if (!helper_) {
            return Error{ErrorKind::io, 0, "", "cannot start the helper (fork failed)"};
        }
        channel_ = Channel(helper_.take_line());
        return wait_for_answer(question);
    }

    // Returns the answer or a timeout; std::nullopt if the helper died.
    std::optional<Answer> wait_for_answer(const Question& question) {
        const std::int64_t start = now_ms();
        const std::int64_t allowed = allowed_ms(start);
        Fields fields;
        auto got = receive(question, fields, start + allowed);
        if (got == Channel::Got::timed_out) {
            // an answer that arrives during the kill counts
            Channel channel = end(question.path);
            got = channel.receive(fields, now_ms() - 1) == Channel::Got::message
                      ? Channel::Got::message
                      : Channel::Got::timed_out;
        }
        switch (got) {
            case Channel::Got::message:
                return answer_in(std::move(fields));
            case Channel::Got::closed:
                end(question.path);
                return std::nullopt;
            case Channel::Got::timed_out:
                break;
        }
        note_silence(question);
        return Error{
            ErrorKind::timed_out, 0, question.path,
            question.path + ": no answer " +
                (now_ms() < deadline_ ? "in " + seconds_text(allowed) : "before the deadline")};
    }

    // Returns the limit of an operation that starts at `now`: at most half of the remaining time,
    // as in supervise.cpp.
    std::int64_t allowed_ms(std::int64_t now) const {
        const auto probe = static_cast<std::int64_t>(patience_.probe_seconds * 1000);
        return std::min(probe, std::max<std::int64_t>((deadline_ - now) / 2, 1));
    }

    void note_silence(const Question& question) {
        const bool write = question.operation == Operation::write;
        note_silence(question.path, write ? most_silences : 1);
    }

    void note_silence(const std::string& path, int times) {
        auto& silence = silent_[failure_domain(path)];
        silence.times += times;
        silence.path = path;
    }

    // Adds the devices that are not asked any more to the log. Returns the number of records.
    std::size_t add_silences(SharedLog& log) const {
        std::size_t added = 0;
        for (const auto& [domain, silence] : silent_) {
            for (int time = 0; silence.times >= most_silences && time < most_silences; ++time) {
                log.add(lost_key(silence.path), *not_asked(silence.path));
                ++added;
            }
        }
        return added;
    }

    // Notes the operations in the log that did not return, but for the first `before`.
    void note_silences(const SharedLog& log, std::size_t before) {
        log.for_each([&](const SharedLog::Record& record) {
            if (!record.key.starts_with('!')) {
                return;
            }
            if (before > 0) {
                --before;
            } else {
                note_silence(std::string(record.key.substr(1)), 1);
            }
        });
    }

    std::optional<Error> not_asked(const std::string& path) const {
        const auto silent = silent_.find(failure_domain(path));
        const char* why = nullptr;
        if (silent != silent_.end() && silent->second.times >= most_silences) {
            why = ": not read, because its device did not answer before";
        } else if (now_ms() >= deadline_) {
            why = ": not asked before the deadline";
        }
        return why == nullptr ? std::nullopt
                              : std::optional(Error{ErrorKind::timed_out, 0, path, path + why});
    }

    // Returns the error of a helper that was killed or has a bug. Two such questions count as two
    // timeouts.
    Error died(const Question& question) {
        note_silence({Operation::read, question.path, {}, 0, {}});
        return Error{ErrorKind::io, 0, question.path,
                     question.path + ": the helper process died at it"};
    }

    // Ends the helper. Returns the channel, which may still hold an answer.
    Channel end(const std::string& path) {
        Channel channel = std::exchange(channel_, Channel());
        const auto end = channel ? helper_.kill(channel.fd()) : Child::End::gone;
        if (end != Child::End::gone) {
            left_behind_.push_back(helper_.left_behind(end, path));
        }
        return channel;
    }

    const Patience patience_;
    const Opener open_machine_;
    std::int64_t deadline_ = 0;
    Child helper_;
    Channel channel_;
    bool real_ = false;
    bool rollback_ = false;
    WaitLine line_;
    struct Silence {
        int times = 0;
        std::string path;  // the last
    };
    std::map<std::string, Silence> silent_;  // by failure domain
    std::vector<std::string> left_behind_;
};

// Reads that are made one by one.
class HelperFs::Live final : public Fs {
   public:
    explicit Live(Helper& helper) : helper_(helper) {}

    Result<std::string> read(const std::string& path) const override {
        return helper_.ask({Operation::read, path, {}, 0, {}});
    }
    Result<std::string> read_trusted(const std::string& path) const override {
        return helper_.ask({Operation::read_trusted, path, {}, 0, {}});
    }
    Result<std::string> read_at(const std::string& path, std::uint64_t offset,
                                std::size_t size) const override {
        return helper_.ask({Operation::read_at, path, offset, size, {}});
    }
    Result<std::vector<std::string>> list(const std::string& path) const override {
        return names_in(helper_.ask({Operation::list, path, {}, 0, {}}));
    }
    Result<std::string> link(const std::string& path) const override {
        return helper_.ask({Operation::link, path, {}, 0, {}});
    }
    Result<std::uint64_t> size(const std::string& path) const override {
        return number_in(helper_.ask({Operation::size, path, {}, 0, {}}));
    }
    Result<std::uint64_t> capacity(const std::string& path) const override {
        return number_in(helper_.ask({Operation::capacity, path, {}, 0, {}}));
    }
    Result<Access> access(const std::string& path) const override {
        return access_in(helper_.ask({Operation::access, path, {}, 0, {}}));
    }
    bool is_real() const override { return helper_.is_real(); }

   private:
    Helper& helper_;
};

// The answers of a helper that read ahead.
struct HelperFs::Ahead {
    SharedLog log;
    std::optional<Known> known;
    std::unique_ptr<Fs> cached;
};

HelperFs::HelperFs(std::unique_ptr<Helper> helper, Writes writes)
    : writes_(writes), helper_(std::move(helper)), live_(std::make_unique<Live>(*helper_)) {}

HelperFs::~HelperFs() = default;

Result<std::unique_ptr<HelperFs>> HelperFs::start(const Patience& patience, Opener open_machine,
                                                  Writes writes) {
    auto helper = std::make_unique<Helper>(patience, std::move(open_machine));
    if (auto error = helper->start()) {
        return *std::move(error);
    }
    return std::unique_ptr<HelperFs>(new HelperFs(std::move(helper), writes));
}

const Fs& HelperFs::inner() const {
    return direct_ != nullptr ? *direct_ : ahead_ ? *ahead_->cached : *live_;
}

std::unique_ptr<HelperFs> HelperFs::not_started(const Patience& patience, Opener open_machine) {
    auto helper = std::make_unique<Helper>(patience, std::move(open_machine));
    return std::unique_ptr<HelperFs>(new HelperFs(std::move(helper), Writes::direct));
}

Output HelperFs::run(const std::function<Output()>& work) {
    return run_supervised(helper_->rest(), helper_->opener(),
                          [&](const Fs& machine, const Fs& /*host*/) {
                              direct_ = &machine;
                              return work();
                          });
}

void HelperFs::read_ahead(const std::function<void()>& read) {
    read_live();
    if (direct_ != nullptr || (has_written_ && writes_ == Writes::delayed)) {
        return;
    }
    auto ahead = std::make_unique<Ahead>();
    if (!ahead->log.usable()) {
        return;
    }
    helper_->read_ahead(ahead->log, [&](const Fs& machine) {
        direct_ = &machine;
        read();
    });
    ahead->known.emplace(ahead->log);
    if (!ahead->known->is_torn()) {
        ahead->cached = cached_fs(*live_, *ahead->known, "m", ReadNow::replayed);
        ahead_ = std::move(ahead);
    }
}

void HelperFs::read_live() {
    ahead_.reset();
}

std::optional<Error> HelperFs::write(const std::string& path, std::optional<std::uint64_t> offset,
                                     std::string_view bytes) {
    if (direct_ != nullptr) {
        return Error{ErrorKind::bad_input, 0, path, path + ": not written by a helper that reads"};
    }
    read_live();
    has_written_ = true;
    const auto answer = helper_->ask({Operation::write, path, offset, 0, bytes});
    return answer ? std::nullopt : std::optional(answer.error());
}

void HelperFs::extend(double seconds) {
    read_live();
    helper_->extend(seconds);
}

std::vector<std::string> HelperFs::left_behind() const {
    return helper_->left_behind();
}

}  // namespace rocenv
