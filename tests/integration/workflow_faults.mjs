// SPDX-License-Identifier: MIT
// node workflow_faults.mjs FILE: what GitHub's parser of workflows finds wrong with a file, a line each.
import { readFileSync } from "node:fs";
import { NoOperationTraceWriter, parseWorkflow } from "@actions/workflow-parser";

const name = process.argv[2];
const { context } = parseWorkflow({ name, content: readFileSync(name, "utf8") }, new NoOperationTraceWriter());
for (const error of context.errors.getErrors()) {
    console.log(error.message);
}
