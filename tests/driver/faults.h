// SPDX-License-Identifier: MIT
// Faults of the driver lab, on demand. PLACE is a pattern as of a shell, compared with the end of a
// path: 0000:05:00.0/pp_od_clk_voltage, 0000:05:00.0/*.
#pragma once

#include <condition_variable>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

namespace lab {

class Faults {
   public:
    // One line:
    //   refuse PLACE ERRNO [START]  writes (that begin with START) fail with `EINVAL`, `EPERM` ...
    //   unread PLACE ERRNO          reads fail
    //   ignore PLACE [START]        writes are accepted and change nothing
    //   block PLACE [START]         reads and writes never answer; with START only such writes
    //   heal                        ends all of these; blocked calls continue
    // Returns false for any other line.
    bool command(const std::vector<std::string>& words);

    // Waits while the place is blocked; then 0 or the errno to fail with.
    int before_read(const std::string& path);
    int before_write(const std::string& path, std::string_view bytes);
    // Returns whether this write must change nothing.
    bool ignores(const std::string& path, std::string_view bytes);

   private:
    enum class Kind { refuse, unread, ignore, block };
    struct Fault {
        Kind kind;
        std::string place;
        int error;
        std::string start;
    };
    using Lock = std::unique_lock<std::mutex>;
    const Fault* find(Kind kind, const std::string& path, std::string_view bytes) const;
    void wait_while_blocked(Lock& lock, const std::string& path, std::string_view bytes);

    std::mutex mutex_;
    std::condition_variable healed_;
    std::vector<Fault> faults_;
};

}  // namespace lab
