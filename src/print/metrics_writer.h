// SPDX-License-Identifier: MIT
// Writes the text format of Prometheus (0.0.4) for the textfile collector of node_exporter.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>

namespace rocenv {

// Prometheus type of a metric.
enum class MetricType { gauge, counter };

// A text of metrics in progress.
class MetricsWriter {
   public:
    // Begins a metric, whose samples follow. `help` is one line and not escaped.
    void metric(std::string_view name, MetricType type, std::string_view help);
    // Name and value of a label. The value may be any text; unprintable bytes become \xHH.
    using Label = std::pair<std::string_view, std::string_view>;
    // Adds a sample of the metric that metric() began.
    void sample(std::initializer_list<Label> labels, std::int64_t value);
    // Adds a line for people, of plain text.
    void comment(std::string_view text) { out_.append("# ").append(text).append("\n"); }
    // Returns the whole text. Call it once.
    std::string finish() { return std::move(out_); }

   private:
    std::string out_;
    std::string name_;
};

}  // namespace rocenv
