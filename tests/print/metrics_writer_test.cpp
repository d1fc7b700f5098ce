// SPDX-License-Identifier: MIT
#include "print/metrics_writer.h"

#include "support/catch.h"

namespace rocenv::metrics_writer_test {

TEST_CASE("metrics: a label holds any text", "[metrics]") {
    MetricsWriter writer;
    writer.metric("a_total", MetricType::counter, "How many.");
    writer.sample({}, 7);
    writer.metric("b", MetricType::gauge, "What.");
    writer.sample({{"id", "say \"a\\b\""}, {"target", "x\ny\xff\x1b"}}, -2);
    CHECK(writer.finish() ==
          "# HELP a_total How many.\n"
          "# TYPE a_total counter\n"
          "a_total 7\n"
          "# HELP b What.\n"
          "# TYPE b gauge\n"
          "b{id=\"say \\\"a\\\\b\\\"\",target=\"x\\\\x0ay\\\\xff\\\\x1b\"} -2\n");
}

}  // namespace rocenv::metrics_writer_test
