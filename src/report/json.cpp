// SPDX-License-Identifier: MIT
#include "json/out.h"
#include "json/schema.h"
#include "report/model/described.h"
#include "report/render.h"
#include "transaction/set.h"
#include "util/text.h"

namespace rocenv {

namespace {

std::vector<ReportWrite> written(const std::vector<PlannedWrite>& writes) {
    std::vector<ReportWrite> out;
    for (const auto& [key, write] : writes) {
        std::string bytes;
        for (const char byte : write.bytes) {
            bytes += bare_hex(static_cast<unsigned char>(byte), 2);
        }
        out.push_back({key.id, key.target, write.path, write.offset, bytes});
    }
    return out;
}

}  // namespace

std::string render_json(const Report& report) {
    return json_text_of(report, ReportContext{report});
}

std::string render_jsonl(const Report& report) {
    return json_text_of(report, ReportContext{report}, JsonLayout::one_line);
}

std::string render_set_json(const SetResult& result, DryRun dry_run) {
    ReportContext context{result.report, dry_run};
    if (dry_run == DryRun::yes) {
        context.writes = written(result.writes);
    }
    return json_text_of(result.report, context);
}

std::string report_schema() {
    return json_schema_of<Report, ReportContext>("Report of rocenv check, set and reset");
}

}  // namespace rocenv
