// SPDX-License-Identifier: MIT
#include "launch/program_start.h"

#include <fcntl.h>
#include <grp.h>
#include <pwd.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <utility>

#include "os/interruption.h"
#include "util/exit_status.h"
#include "util/near_names.h"
#include "util/text.h"

namespace rocenv {

namespace {

constexpr int signal_base = 128;

Error no_such(const char* what, const std::string& name) {
    return {ErrorKind::bad_input, 0, "",
            "unknown " + std::string(what) + " " + in_quotes(name, 60) + " for --user"};
}

Result<gid_t> group_of(const std::string& name) {
    if (const auto number = parse_number(name); number && *number < UINT32_MAX) {
        return static_cast<gid_t>(*number);
    }
    const group* entry = ::getgrnam(name.c_str());
    return entry != nullptr ? Result<gid_t>(entry->gr_gid) : no_such("group", name);
}

std::vector<gid_t> groups_of(const char* user, gid_t group) {
    int count = 64;
    std::vector<gid_t> groups(static_cast<std::size_t>(count));
    while (::getgrouplist(user, group, groups.data(), &count) < 0) {
        groups.resize(static_cast<std::size_t>(count));
    }
    groups.resize(static_cast<std::size_t>(count));
    return groups;
}

std::vector<char*> pointers(const std::vector<std::string>& texts) {
    std::vector<char*> out;
    out.reserve(texts.size() + 1);
    for (const auto& text : texts) {
        out.push_back(const_cast<char*>(text.c_str()));
    }
    out.push_back(nullptr);
    return out;
}

void put(std::vector<std::string>& environment, const std::string& name, const std::string& value) {
    std::erase_if(environment,
                  [&](const std::string& entry) { return entry.starts_with(name + "="); });
    environment.push_back(name + "=" + value);
}

// Returns 0, or the errno of what failed. The order is that of setpriv(1): groups need the user's
// rights. The program cannot gain rights by executing set-id files.
int take_identity(const RunAs& as) {
    const bool failed = ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 ||
                        ::setgroups(as.groups.size(), as.groups.data()) != 0 ||
                        ::setresgid(as.group, as.group, as.group) != 0 ||
                        ::setresuid(as.user, as.user, as.user) != 0;
    return failed ? errno : 0;
}

bool from_kernel(const siginfo_t& info) {
    return info.si_code == SI_KERNEL;
}

// Forwards a signal. A terminal's keys signal the whole foreground group, so the program has
// received those already. A terminal that goes away signals its session's leader alone, or the
// group as well: twice is better than never. A stopped program receives the signal only when it
// continues, as the leader does.
void pass_on(pid_t program, const siginfo_t& info) {
    if (!from_kernel(info) || info.si_signo == SIGHUP) {
        ::kill(program, info.si_signo);
    }
    if (from_kernel(info) && info.si_signo == SIGHUP) {
        ::kill(program, SIGCONT);
    }
}

// Reaps all children that have ended. Returns the program's status once it has ended.
std::optional<int> reap(pid_t program) {
    int status = 0;
    for (pid_t pid = 0; (pid = ::waitpid(-1, &status, WNOHANG | WUNTRACED)) > 0;) {
        if (pid == program && WIFSTOPPED(status)) {
            ::raise(SIGSTOP);  // so that the shell gets its terminal back
        } else if (pid == program) {
            return WIFSIGNALED(status) ? signal_base + WTERMSIG(status) : WEXITSTATUS(status);
        }
    }
    return std::nullopt;
}

int wait_for(pid_t program, const sigset_t& all) {
    for (;;) {
        siginfo_t info{};
        const int signal = ::sigwaitinfo(&all, &info);
        if (signal == SIGCHLD) {
            if (const auto status = reap(program)) {
                return *status;
            }
        } else if (signal > 0) {
            pass_on(program, info);
        }
    }
}

}  // namespace

Result<RunAs> find_user(const std::string& user_and_group) {
    const auto colon = user_and_group.find(':');
    const std::string user = user_and_group.substr(0, colon);
    const auto id = parse_number(user);
    const passwd* entry =
        id && *id < UINT32_MAX ? ::getpwuid(static_cast<uid_t>(*id)) : ::getpwnam(user.c_str());
    if (entry == nullptr && (!id || *id >= UINT32_MAX)) {
        return no_such("user", user);
    }
    RunAs out;
    out.user = entry != nullptr ? entry->pw_uid : static_cast<uid_t>(*id);
    out.group = entry != nullptr ? entry->pw_gid : static_cast<gid_t>(*id);
    out.name = entry != nullptr ? entry->pw_name : "";
    out.home = entry != nullptr ? entry->pw_dir : "/";
    if (colon != std::string::npos) {
        const auto group = group_of(user_and_group.substr(colon + 1));
        if (!group) {
            return group.error();
        }
        out.group = *group;
    }
    out.groups = out.name.empty() ? std::vector{out.group} : groups_of(out.name.c_str(), out.group);
    return out;
}

std::vector<std::string> environment_with(const std::vector<EnvLine>& lines) {
    std::vector<std::string> out;
    for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry) {
        const std::string_view text(*entry);
        const bool replaced = std::any_of(lines.begin(), lines.end(), [&](const EnvLine& line) {
            return text.size() > line.name.size() && text[line.name.size()] == '=' &&
                   text.starts_with(line.name);
        });
        if (!replaced) {
            out.emplace_back(text);
        }
    }
    for (const auto& line : lines) {
        if (line.value) {
            out.push_back(line.name + "=" + *line.value);
        }
    }
    return out;
}

NotStarted become(const ProgramStart& start) {
    std::vector<std::string> environment = start.environment;
    if (start.as) {
        if (const int err = take_identity(*start.as); err != 0) {
            return {exit_refused, "--user: cannot become that user: " + errno_text(err)};
        }
        // A user without an entry gets nothing of the caller's, above all not the home folder.
        const std::string name = start.as->name.empty() ? number(start.as->user) : start.as->name;
        put(environment, "HOME", start.as->home);
        put(environment, "USER", name);
        put(environment, "LOGNAME", name);
    }
    put_inherited_back();
    const auto variables = pointers(environment);
    const auto words = pointers(start.command);
    char** const own = std::exchange(environ, const_cast<char**>(variables.data()));
    ::execvp(words.front(), words.data());
    const int err = errno;
    environ = own;
    const bool missing = err == ENOENT || err == ENOTDIR;
    return {missing ? exit_not_found : exit_cannot_start,
            "cannot start " + in_quotes(start.command.front(), 200) + ": " + errno_text(err)};
}

int start_and_wait(const ProgramStart& start, AsInit init) {
    sigset_t all;
    sigset_t before;
    ::sigfillset(&all);
    ::sigprocmask(SIG_BLOCK, &all, &before);
    if (init == AsInit::yes && ::getpid() != 1) {
        ::prctl(PR_SET_CHILD_SUBREAPER, 1);
    }
    if (interrupted()) {
        mention("rocenv: interrupted by " + interruption() + " before the program was started\n");
        return exit_refused;
    }
    const pid_t program = ::fork();
    if (program < 0) {
        mention("rocenv: cannot start a process: " + errno_text(errno) + "\n");
        return exit_refused;
    }
    if (program == 0) {
        take_interruptions(before);
        ::sigprocmask(SIG_SETMASK, &before, nullptr);
        const NotStarted failure = become(start);
        say("rocenv: " + printable(failure.text, uncut) + "\n");
        ::_exit(failure.exit_code);
    }
    return wait_for(program, all);
}

}  // namespace rocenv
