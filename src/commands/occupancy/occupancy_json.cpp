// SPDX-License-Identifier: MIT
#include "commands/occupancy/occupancy.h"
#include "json/writer.h"

namespace rocenv {

namespace {

std::optional<std::string> text_of(const std::string& text) {
    return text.empty() ? std::nullopt : std::optional(text);
}

void write_fact(JsonWriter& json, std::string_view key, const Fact& fact) {
    json.open_object(key);
    json.integer("value", fact.value);
    json.text("from", fact.from_node ? "node" : "table");
    json.close_object();
}

void write_next(JsonWriter& json, const std::optional<NextStep>& next) {
    if (!next) {
        json.null("next");
        return;
    }
    json.open_object("next");
    json.integer("waves_per_simd", next->waves_per_simd);
    json.open_object("fewer");
    json.integer("vgprs", next->vgprs);
    json.integer("agprs", next->agprs);
    json.integer("vgprs_or_agprs", next->either);
    json.integer("sgprs", next->sgprs);
    json.integer("lds_bytes", next->lds_bytes);
    json.close_object();
    json.close_object();
}

void write_demand(JsonWriter& json, const Demand& demand) {
    json.integer_or_null("vgprs", demand.vgprs);
    json.integer_or_null("agprs", demand.agprs);
    json.integer_or_null("sgprs", demand.sgprs);
    json.integer_or_null("lds_bytes", demand.lds_bytes);
    json.integer_or_null("waves_per_workgroup", demand.waves);
}

void write_scratch(JsonWriter& json, const KernelOccupancy& kernel) {
    const auto& scratch = kernel.kernel.scratch;
    json.open_object("spills");
    json.integer_or_null("vgprs", scratch.vgpr_spills);
    json.integer_or_null("sgprs", scratch.sgpr_spills);
    json.close_object();
    json.integer_or_null("scratch_bytes", scratch.bytes);
    if (scratch.dynamic_stack) {
        json.boolean("dynamic_stack", *scratch.dynamic_stack);
    } else {
        json.null("dynamic_stack");
    }
    const auto& waves = kernel.kernel.demand.waves;
    json.integer_or_null(
        "registers_possible",
        waves ? std::optional(registers_possible(kernel.gpu, *waves)) : std::nullopt);
}

void write_counts(JsonWriter& json, const std::optional<CodeCounts>& counts) {
    if (!counts) {
        json.null("code");
        return;
    }
    json.open_object("code");
    json.integer("loads", counts->loads);
    json.integer("wide_loads", counts->wide_loads);
    json.integer("lds_reads", counts->lds_reads);
    json.integer("wide_lds_reads", counts->wide_lds_reads);
    json.integer("waits", counts->waits);
    json.integer("mfma", counts->mfma);
    json.integer("spills", counts->spills);
    json.integer("calls", counts->calls);
    json.close_object();
}

void write_kernel(JsonWriter& json, const KernelOccupancy& kernel) {
    json.open_object();
    json.text_or_null("kernel", text_of(kernel.kernel.name));
    json.text_or_null("file", text_of(kernel.kernel.file));
    json.text("arch", kernel.gpu.gfx);
    json.integer_or_null("waves_per_simd", kernel.answer.waves_per_simd);
    json.integer("waves_per_simd_at_most", kernel.answer.at_most);
    json.text("limited_by", word_of(kernel.answer.limited_by));
    json.integer_or_null("workgroups_per_cu", kernel.answer.workgroups_per_cu);
    write_next(json, kernel.answer.next);
    write_demand(json, kernel.kernel.demand);
    write_scratch(json, kernel);
    write_counts(json, kernel.kernel.counts);
    json.integer_or_null("grid", kernel.grid);
    json.decimal_or_null("grid_fill", kernel.fill);
    json.open_object("gpu");
    write_fact(json, "compute_units", kernel.gpu.compute_units);
    write_fact(json, "simds_per_cu", kernel.gpu.simds);
    write_fact(json, "lds_bytes_per_cu", kernel.gpu.lds_bytes);
    json.close_object();
    json.open_array("notes");
    for (const auto& note : kernel.kernel.notes) {
        json.text("", note);
    }
    json.close_array();
    json.close_object();
}

}  // namespace

std::string render_occupancy_json(std::span<const KernelOccupancy> kernels) {
    JsonWriter json;
    json.open_array();
    for (const auto& kernel : kernels) {
        write_kernel(json, kernel);
    }
    json.close_array();
    return json.finish();
}

}  // namespace rocenv
