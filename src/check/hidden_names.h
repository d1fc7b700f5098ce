// SPDX-License-Identifier: MIT
// Removal of identities from reports. A report contains no credentials and, without --with-ids, no
// host name and no address. This covers MACs and GUIDs, also in names of interfaces and RDMA
// devices.
#pragma once

#include "os/redact/redact.h"
#include "rocenv/machine.h"
#include "rocenv/process.h"
#include "rocenv/report.h"

namespace rocenv {

// Removes identities and credentials from findings, and named addresses from notes; facts contain
// none. Interfaces and devices that are named by an address get their PCI address as name. Any
// setting may repeat a part of a variable of the process, so each word of its credentials is
// removed from the findings that name it.
void hide_identities(const Machine& machine, const Process& process, Report& report);

// Removes only credentials from findings. The report keeps the ids that --with-ids requested.
void hide_credentials(const Process& process, Report& report);

// Returns the text of a finding without host name, addresses and credentials. Four numbers with
// dots stay if the values of `id` are versions. If the host name is a word that other texts
// contain, too, it is removed only from texts that this program did not write: those of variables
// and some ids.
std::string without_identities(std::string_view id, std::string_view text, const HostName& host);

// Returns the same for a fact that this or an older program wrote. A kernel command line is
// redacted as in a recording.
std::string without_identities_in_fact(std::string_view id, std::string_view value,
                                       const HostName& host);

}  // namespace rocenv
