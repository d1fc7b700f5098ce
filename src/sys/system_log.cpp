// SPDX-License-Identifier: MIT
#include "sys/system_log.h"

#include <syslog.h>

namespace rocenv {

void log_change(const std::string& line) {
    ::openlog("rocenv", LOG_PID, LOG_DAEMON);
    ::syslog(LOG_NOTICE, "%s", line.c_str());
    ::closelog();
}

}  // namespace rocenv
