// SPDX-License-Identifier: MIT
// A report holds no credentials and, unless ids are asked for, no host name and no address: no MAC
// and GUID, also where the name of an interface or RDMA device holds it.
#pragma once

#include "os/redact/redact.h"
#include "rocenv/machine.h"
#include "rocenv/report.h"

namespace rocenv {

// Takes them out of findings and notes; facts hold none already. Such interfaces and devices are
// named by their PCI address.
void hide_identities(const Machine& machine, Report& report);

// Removes credentials only; the report keeps the ids that --with-ids asks for.
void hide_credentials(Report& report);

// Returns what a finding of a setting says without host name, addresses and credentials. A host
// name that other texts hold, too, is taken out of those that come from elsewhere alone.
std::string without_identities(std::string_view id, std::string_view text, const HostName& host);

// Returns the same of a fact that this program or an older one wrote; of the kernel's command line
// what a recording keeps.
std::string without_identities_in_fact(std::string_view id, std::string_view value,
                                       const HostName& host);

}  // namespace rocenv
