// SPDX-License-Identifier: MIT
#include "report/model/read.h"

#include "report/model/described.h"

namespace rocenv {

bool read_report(JsonReading& reading, Report& into) {
    return read_json(reading, into);
}

}  // namespace rocenv
