# SPDX-License-Identifier: MIT
# A report as a table: findings that differ in their target only are one entry. Findings that only say that something does not
# exist on the machine are left out: a new setting would add such a line to every machine.
def targets: map(.target) | if length > 3 then .[:2] + ["… \(length) in all"] else . end | join(" ");
def reading: if .effective then " read as \(.effective)" else "" end;
def detail: if .detail then "\n    \(.detail)" else "" end;

.findings
| map(select(.outcome != "na" or .have != null or .effective != null))
| map(.target as $target | .detail |= if . then gsub($target; "TARGET") else . end)
| group_by([.id, .outcome, .want, .have, .detail, .effective])[]
| targets as $targets
| .[0]
| "\(.id) \(.outcome): want \(.want) have \(.have)\(reading)\n    on \($targets)\(detail)"
