// SPDX-License-Identifier: MIT
#include "print/metrics_writer.h"

#include "util/text.h"

namespace rocenv {

namespace {

// Escapes backslashes and quotes. Line ends need no escape, because printable() leaves none
// (https://prometheus.io/docs/instrumenting/exposition_formats).
std::string label_value(std::string_view text) {
    std::string out;
    for (const char byte : printable(text, uncut)) {
        out += byte == '\\' || byte == '"' ? std::string{'\\', byte} : std::string(1, byte);
    }
    return out;
}

}  // namespace

void MetricsWriter::metric(std::string_view name, MetricType type, std::string_view help) {
    name_ = name;
    out_ += "# HELP " + name_ + " " + std::string(help) + "\n# TYPE " + name_ +
            (type == MetricType::gauge ? " gauge\n" : " counter\n");
}

void MetricsWriter::sample(std::initializer_list<Label> labels, std::int64_t value) {
    std::string inside;
    for (const auto& [name, text] : labels) {
        inside +=
            (inside.empty() ? "" : ",") + std::string(name) + "=\"" + label_value(text) + "\"";
    }
    out_ += name_ + (inside.empty() ? "" : "{" + inside + "}") + " " + number(value) + "\n";
}

}  // namespace rocenv
