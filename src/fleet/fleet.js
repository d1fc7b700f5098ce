// SPDX-License-Identifier: MIT
"use strict";
// Shows the result that stands in the element "data" (src/fleet/print/page_writer.h says what is in it).
// Whatever was read from a report becomes text nodes and nothing else.

const fleet = JSON.parse(document.getElementById("data").textContent);
const rowsAtOnce = 200;

// ---- Elements

function at(id) {
  return document.getElementById(id);
}

// An element with attributes; what is undefined is left out, texts become text.
function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== undefined) element.setAttribute(name, value);
  }
  element.append(...children.filter((child) => child !== undefined));
  return element;
}

function button(text, action, attributes = {}) {
  const element = make("button", { type: "button", ...attributes }, text);
  element.addEventListener("click", action);
  return element;
}

function count(number, one, many = one + "s") {
  return `${number.toLocaleString("en")} ${number === 1 ? one : many}`;
}

function word(text, kind) {
  return make("span", { class: "word " + kind }, text);
}

// In a narrow window its cells stand below each other, each with its head (fleet.css): the roles say
// that it stays a table.
function table(caption, heads, rows, kind = "plain") {
  const head = make("tr", { role: "row" },
    ...heads.map((text) => make("th", { scope: "col", role: "columnheader" }, text)));
  for (const { cells } of rows) {
    heads.forEach((text, i) => cells[i].setAttribute("data-head", text));
  }
  return make("table", { class: "stack " + kind, role: "table" },
    make("caption", { class: "unseen" }, caption),
    make("thead", { role: "rowgroup" }, head),
    make("tbody", { role: "rowgroup" }, ...rows));
}

// The first cell names the row.
function row(first, ...cells) {
  return make("tr", { role: "row" },
    make("th", { scope: "row", role: "rowheader" }, ...[first].flat()),
    ...cells.map((cell) => make("td", { role: "cell" }, ...[cell].flat())));
}

// Details whose content is made when they are opened.
function folded(summary, content) {
  const element = make("details", {}, make("summary", {}, summary));
  element.addEventListener("toggle", () => element.append(content()), { once: true });
  return element;
}

// A list of hosts, which may be broken behind a comma, folded away when it is long.
function hosts({ names }) {
  const parts = () => names.split(/(?<=,)/).flatMap((part) => [part, make("wbr")]);
  if (names.length <= 100) return make("span", { class: "value" }, ...parts());
  return folded("names", () => make("p", { class: "value" }, ...parts()));
}

function pairs(list) {
  const element = make("dl", { class: "facts" });
  for (const [name, ...values] of list) {
    if (values.some((value) => value !== undefined && value !== "")) {
      element.append(make("dt", {}, name), make("dd", {}, ...values.filter((value) => value !== undefined)));
    }
  }
  return element;
}

// ---- Words

const statuses = {
  0: ["✓ pass", "good", 2],
  1: ["✗ FAIL", "bad", 0],
  3: ["? unknown", "unsure", 1],
  4: ["○ not judged", "unsure", 2],
};

function status(number) {
  return statuses[number] ?? [`status ${number}`, "plainly", 3];
}

function statusWord(number) {
  const [text, kind] = status(number);
  return word(text, kind);
}

function outcomeKind({ outcome, level, waived }) {
  if (waived || level === "info") return "plainly";
  return { ok: "good", differs: "bad", failed: "bad", unsafe: "bad", unknown: "unsure" }[outcome] ?? "plainly";
}

function outcomeWord(finding) {
  const reason = finding.reason ? ` (${finding.reason})` : "";
  return word((finding.waived ? "waived: " : "") + finding.outcome + reason, outcomeKind(finding));
}

function isQuiet(finding) {
  return ["ok", "na", "hidden", "changed"].includes(finding.outcome);
}

function groupName(group) {
  const parts = [group.model, group.product, ...group.by].filter((part) => part !== "");
  return parts.join(", ") || "unknown model";
}

// ---- Nodes

// [12, 13, 14, 20] of "12-14,20".
function numbers(ranges) {
  if (ranges === "") return [];
  return ranges.split(",").flatMap((range) => {
    const [first, last = first] = range.split("-").map(Number);
    return Array.from({ length: last - first + 1 }, (_, i) => first + i);
  });
}

function findingsOf(report) {
  return numbers(report.findings).map((number) => fleet.findings[number]);
}

const nodes = fleet.nodes.map(([name, time, report, group, fold, file, line], index) => ({
  index, name, time, group, line,
  file: fleet.files[file],
  report: fleet.reports[report],
  fold: fleet.groups[group].folds[fold],
  key: `fold:${group + 1}.${fold + 1}`,
}));

// What a filter finds is put together once for each report, group and fold.
function reportText(report) {
  report.text ??= [report.kernel, report.profiles, report.version,
    ...findingsOf(report).filter((finding) => !isQuiet(finding)).map((finding) => finding.id)]
    .join("\n").toLowerCase();
  return report.text;
}

function foldText(node) {
  node.fold.text ??= [groupName(fleet.groups[node.group]),
    ...node.fold.differences.flatMap(({ id, target, here }) => [id, target, here])]
    .join("\n").toLowerCase();
  return node.fold.text;
}

// "fold:2.1", "group:2", "finding:3" and "cause:1" are exact, since buttons of this page write them.
function hasTally(report, tally) {
  return tally !== undefined && findingsOf(report).some((finding) => finding.id === tally.id &&
    finding.level === tally.level && finding.outcome === tally.outcome &&
    Boolean(finding.waived) === Boolean(tally.waived) && (finding.waived?.ticket ?? "") === (tally.ticket ?? ""));
}

function membersOf(cause) {
  if (cause === undefined) return new Set();
  cause.set ??= new Set(numbers(cause.members));
  return cause.set;
}

function hasWord(node, wanted) {
  if (/^fold:\d+\.\d+$/.test(wanted)) return node.key === wanted;
  if (/^finding:\d+$/.test(wanted)) return hasTally(node.report, fleet.tallies[Number(wanted.slice(8)) - 1]);
  if (/^cause:\d+$/.test(wanted)) return membersOf(fleet.causes[Number(wanted.slice(6)) - 1]).has(node.index);
  if (/^group:\d+$/.test(wanted)) return `group:${node.group + 1}` === wanted;
  return node.name.toLowerCase().includes(wanted) || reportText(node.report).includes(wanted) ||
    foldText(node).includes(wanted);
}

const orders = {
  name: (node) => node.index,
  status: (node) => status(node.report.status)[2],
  odd: (node) => node.fold.differences.length,
  group: (node) => node.group,
  time: (node) => node.time,
};

const view = { order: "name", descending: false, limit: rowsAtOnce, nodes: [] };

function selected() {
  const words = at("words").value.toLowerCase().split(/\s+/).filter((text) => text !== "");
  const wanted = at("status").value;
  const oddOnly = at("odd").checked;
  return nodes.filter((node) => (wanted === "" || String(node.report.status) === wanted) &&
    (!oddOnly || node.fold.differences.length > 0) &&
    words.every((text) => hasWord(node, text)));
}

function sorted(list) {
  const key = orders[view.order];
  const sign = view.descending ? -1 : 1;
  const compare = (a, b) => (key(a) < key(b) ? -sign : key(a) > key(b) ? sign : a.index - b.index);
  return list.sort(compare);
}

function nothingText(group) {
  if (!group.baseline) return "no majority";
  return group.without_majority === 0 ? "nothing" : `${count(group.without_majority, "fact")} without a majority`;
}

function differenceText(node) {
  const ids = [...new Set(node.fold.differences.map(({ id }) => id))];
  if (ids.length === 0) return nothingText(fleet.groups[node.group]);
  return ids.slice(0, 3).join(", ") + (ids.length > 3 ? ` and ${ids.length - 3} more` : "");
}

// Its button is clicked for the whole row (openRow).
function nodeRow(node) {
  const name = make("button", { type: "button", class: "plain", tabindex: "-1", "aria-haspopup": "dialog" }, node.name);
  return make("tr", { "data-node": node.index },
    make("th", { scope: "row" }, name),
    make("td", {}, statusWord(node.report.status)),
    make("td", {}, differenceText(node)),
    make("td", { class: "wide" }, `${node.group + 1}: ${groupName(fleet.groups[node.group])}`),
    make("td", { class: "wide" }, node.time));
}

function showRows() {
  const visible = view.nodes.slice(0, view.limit);
  at("rows").replaceChildren(...visible.map(nodeRow));
  at("rows").querySelector("button")?.setAttribute("tabindex", "0");
  const rest = view.nodes.length - visible.length;
  at("more").hidden = rest === 0;
  at("more").textContent = `Show the other ${count(rest, "node")}`;
  at("shown").textContent = `${view.nodes.length.toLocaleString("en")} of ${count(nodes.length, "node")}` +
    (rest > 0 ? `, the first ${visible.length} of them shown` : "");
}

function refresh() {
  view.limit = rowsAtOnce;
  view.nodes = sorted(selected());
  showRows();
}

// The nodes that differ in most come first.
function sortBy(head) {
  const order = head.dataset.sort;
  view.descending = order === view.order ? !view.descending : order === "odd";
  view.order = order;
  for (const cell of at("table").querySelectorAll("thead th")) cell.removeAttribute("aria-sort");
  head.parentElement.setAttribute("aria-sort", view.descending ? "descending" : "ascending");
  refresh();
}

function filterBy(words) {
  at("filter").reset();
  at("words").value = words;
  refresh();
  at("nodes").scrollIntoView();
  at("words").focus({ preventScroll: true });
}

function showAll() {
  const next = view.limit;
  view.limit = Infinity;
  showRows();
  focusRow(at("rows").rows[next]);
}

function focusRow(element) {
  const next = element?.querySelector("button");
  if (!next) return;
  at("rows").querySelector("button[tabindex='0']")?.setAttribute("tabindex", "-1");
  next.setAttribute("tabindex", "0");
  next.focus();
}

function moveInRows(event) {
  const current = event.target.closest("tr");
  const rows = at("rows").rows;
  const targets = {
    ArrowDown: current.nextElementSibling,
    ArrowUp: current.previousElementSibling,
    Home: rows[0],
    End: rows[rows.length - 1],
  };
  if (!(event.key in targets)) return;
  event.preventDefault();
  focusRow(targets[event.key]);
}

// ---- One node's report

// Those that are alike but for their targets as one.
function merged(differences) {
  const alike = new Map();
  for (const { target, ...rest } of differences) {
    const key = JSON.stringify(rest);
    if (!alike.has(key)) alike.set(key, { ...rest, targets: [] });
    alike.get(key).targets.push(target);
  }
  return [...alike.values()];
}

function differenceRows(differences) {
  return merged(differences).map(({ fact, id, targets, here, others, unread, level }) =>
    row(id, targets.join(", "), [value(here), unread ? " (not known to differ)" : ""], value(others),
      fact ? "fact" : `${level ? level + " " : ""}finding`));
}

function differenceTable(caption, others, differences) {
  return table(caption, ["Id", "Target", "Here", others, "Kind"], differenceRows(differences), "differences");
}

const settings = new Map(fleet.settings.map((setting) => [setting.id, setting]));

function value(text) {
  return text === null ? undefined : make("span", { class: "value" }, text === "" ? "empty" : text);
}

function findingBox(finding) {
  const { why, source, persist } = settings.get(finding.id) ?? {};
  const waived = finding.waived && [finding.waived.ticket, finding.waived.why,
    finding.waived.until && `until ${finding.waived.until}`].filter((text) => text).join(", ");
  return make("article", { class: "finding" },
    make("h3", {}, `${finding.id} `, make("span", { class: "quiet" }, finding.target), " "),
    make("p", {}, outcomeWord(finding), ` ${finding.level}`),
    pairs([
      ["Value", value(finding.have)], ["Expected", value(finding.want)], ["Detail", finding.detail],
      ["Counted", finding.counters?.join(", ")], ["Waived", waived], ["Why it matters", why],
      ["Next step", finding.fix && make("code", {}, finding.fix)],
      ["After a reboot", persist], ["Source", source],
    ]));
}

function quietTable(findings) {
  return table("Findings without anything to do", ["Id", "Target", "Outcome", "Value", "Level"],
    findings.map((finding) => row(finding.id, finding.target, outcomeWord(finding),
      value(finding.have ?? ""), finding.level)));
}

function factTable(report) {
  const facts = numbers(report.facts).map((number) => fleet.facts[number]);
  return table("Facts", ["Id", "Target", "Value"], facts.map(([id, target, text, reason]) =>
    row(id, target, text === null ? `unread (${reason})` : value(text))));
}

function reportHead(node) {
  const { report } = node;
  const kind = [report.recording && "judged from a recording", report.container && "in a container",
    report.asked && `checked with ${report.asked}`,
    report.contradicts && "its status differs from that of its findings"];
  return pairs([
    ["Status", statusWord(report.status), report.because && ` ${report.because}`],
    ["Group", `${node.group + 1}: ${groupName(fleet.groups[node.group])}`],
    ["Reported", node.time], ["Profile", report.profiles], ["Kernel", report.kernel],
    ["rocenv", report.version], ["Read from", `${node.file}${node.line > 1 ? `, line ${node.line}` : ""}`],
    ["Kind", kind.filter((text) => text).join(", ")],
  ]);
}

function differencePart(node) {
  const { differences } = node.fold;
  if (differences.length === 0) return [];
  const others = fleet.reference === "" ? "Majority" : `Reference ${fleet.reference}`;
  return [make("h3", {}, "Differences from its group"),
    differenceTable("Differences from the group", others, differences)];
}

const outcomesByWeight = ["differs", "failed", "unsafe", "unknown"];
const levelsByWeight = ["required", "recommended", "info"];

function weight(finding) {
  return (finding.waived ? 100 : 0) + 10 * levelsByWeight.indexOf(finding.level) +
    outcomesByWeight.indexOf(finding.outcome);
}

function findingPart(report) {
  const findings = findingsOf(report);
  const told = findings.filter((finding) => !isQuiet(finding)).sort((a, b) => weight(a) - weight(b));
  const quiet = findings.filter(isQuiet);
  const parts = [make("h3", {}, told.length === 0 ? "Nothing to do" : count(told.length, "finding")),
    ...told.map(findingBox)];
  if (quiet.length > 0) {
    parts.push(folded(`${count(quiet.length, "finding")} without anything to do`, () => quietTable(quiet)));
  }
  if (report.facts) {
    parts.push(folded(count(numbers(report.facts).length, "fact"), () => factTable(report)));
  }
  return parts;
}

function showReport(node) {
  at("report-title").textContent = node.name;
  at("report-body").replaceChildren(reportHead(node), ...differencePart(node), ...findingPart(node.report));
  if (!at("report").open) at("report").showModal();
  at("report-title").focus();
  at("report").scrollTop = 0;
}

// The address names the node whose report is open, so it can be sent to somebody.
function followAddress() {
  let name;
  try {
    name = decodeURIComponent(location.hash.match(/^#node=(.*)$/)?.[1] ?? "");
  } catch {
    return;
  }
  const node = nodes.find((one) => name !== "" && one.name === name);
  if (node) showReport(node);
  else if (at("report").open) at("report").close();
}

function openRow(event) {
  const element = event.target.closest("tr");
  const isSelecting = event.detail > 0 && String(getSelection()) !== "";
  if (!element || isSelecting) return;
  focusRow(element);
  location.hash = "node=" + encodeURIComponent(nodes[element.dataset.node].name);
}

function forgetAddress() {
  if (location.hash.startsWith("#node=")) history.replaceState(null, "", location.pathname + location.search);
}

// ---- What stands above the nodes

function tile(name, number) {
  return make("div", {}, make("dt", {}, name), make("dd", {}, number.toLocaleString("en")));
}

function showSummary() {
  const having = (wanted) => nodes.filter((node) => node.report.status === wanted).length;
  const always = [["✓ Pass", having(0)], ["✗ Fail", having(1)], ["? Unknown", having(3)], ["Missing", fleet.missing.count]];
  const others = [["○ Not judged", having(4)], ["Stale", fleet.stale.count], ["Differ from their group", fleet.odd],
    ["Pass and differ", fleet.odd_but_ok], ["Facts without a majority", fleet.without_majority],
    ["Not compared", fleet.uncompared_count], ["Unread inputs", fleet.unread_inputs]];
  const tiles = [...always, ...others.filter(([, number]) => number > 0)];
  at("summary").append(...tiles.map(([name, number]) => tile(name, number)));
  at("title").textContent = `Fleet of ${count(nodes.length, "node")}`;
  document.title = `rocenv fleet: ${count(nodes.length, "node")}`;
  at("about").textContent = fleet.newest === "" ? "" :
    `Reports of ${fleet.oldest === fleet.newest ? "" : fleet.oldest + " to "}${fleet.newest}` +
    (fleet.superseded > 0 ? `; ${count(fleet.superseded, "older report")} not counted` : "") +
    `; ${count(fleet.reports.length, "distinct report")}`;
}

// ---- Causes

const causeWords = {
  missing: ["MISSING", "bad"], stale: ["STALE", "unsure"], fail: ["FAIL", "bad"], unknown: ["UNKNOWN", "unsure"],
  unjudged: ["NOT JUDGED", "unsure"], warn: ["WARN", "unsure"], outlier: ["outlier", "plainly"],
};

// A step for each model, or one for all.
function stepList(steps) {
  return steps.map(({ model, fix }) => make("p", {}, model ? `${model}: ` : "", make("code", {}, fix)));
}

function causeRow({ kind, text, nodes: which, steps }, index) {
  const [name, look] = causeWords[kind];
  const nodeCount = count(which.count, "node");
  const filter = index === undefined ? nodeCount :
    button(nodeCount, () => filterBy(`cause:${index + 1}`), { class: "plain", "aria-label": `Filter the ${nodeCount} of this cause` });
  return row(word(name, look), filter, hosts(which), text, stepList(steps));
}

const causesAtOnce = 20;

function causeTable(rows) {
  return table("Nodes by cause", ["Status", "Nodes", "Which", "Cause", "Next step"], rows, "causes");
}

function showCauses() {
  const absent = [["missing", "no report"], ["stale", "only reports that are older than --max-age"]]
    .filter(([key]) => fleet[key].count > 0)
    .map(([key, text]) => causeRow({ kind: key, text, nodes: fleet[key], steps: [] }));
  const rows = [...absent, ...fleet.causes.map(causeRow)];
  if (rows.length === 0) {
    at("causes").append(make("p", {}, calmText()));
    return;
  }
  at("causes").append(causeTable(rows.slice(0, causesAtOnce)));
  const rest = rows.slice(causesAtOnce);
  if (rest.length > 0) at("causes").append(folded(`${count(rest.length, "more cause")}`, () => causeTable(rest)));
}

function notice(...content) {
  at("remarks").hidden = false;
  at("notices").append(make("div", { class: "notice" }, ...content));
}

function problemText({ kind, file, line, text }) {
  return `${file}${line > 0 ? `:${line}` : ""}: ${kind === "remark" ? "" : kind + ": "}${text}`;
}

function problemList() {
  const rest = fleet.more_problems > 0 ? [`and ${fleet.more_problems.toLocaleString("en")} more`] : [];
  return make("ul", {}, ...[...fleet.problems.map(problemText), ...rest].map((text) => make("li", {}, text)));
}

function showNotices() {
  for (const text of fleet.warnings) notice(text);
  if (fleet.unexpected.count > 0) notice(`${count(fleet.unexpected.count, "node")} not expected: `, hosts(fleet.unexpected));
  for (const { why, nodes } of fleet.uncompared) notice(`${count(nodes.count, "node")} not compared, ${why}: `, hosts(nodes));
  const problems = fleet.problems.length + fleet.more_problems;
  if (problems > 0) notice(folded(`${count(problems, "remark")} about the input`, problemList));
}

function tallyRow(tally, index) {
  const filter = button(tally.id, () => filterBy(`finding:${index + 1}`),
    { class: "plain", "aria-label": `Filter the nodes by ${tally.id}` });
  const waived = tally.waived && tally.ticket ? ` ${tally.ticket}` : "";
  return row(filter, [outcomeWord(tally), waived], tally.level, tally.nodes.count.toLocaleString("en"), hosts(tally.nodes),
    stepList(tally.steps));
}

// Without a finding, the nodes and the input decide whether all is well.
function calmText() {
  if (nodes.length === 0) return "No report was read.";
  const allGood = nodes.every((node) => node.report.status === 0);
  const whole = fleet.unread_inputs + fleet.missing.count + fleet.stale.count === 0;
  if (allGood && whole) return "All nodes pass.";
  return allGood ? "All nodes with a report pass; others have none."
    : "No finding failed, but not all nodes pass: see their status.";
}

function showFindings() {
  at("findings").append(fleet.tallies.length === 0 ? make("p", {}, calmText()) :
    table("Findings over all nodes", ["Setting", "Outcome", "Level", "Nodes", "Which", "Next step"], fleet.tallies.map(tallyRow), "tallies"));
}

const differencesAtOnce = 6;

function differenceList(differences) {
  const more = (targets) => (targets.length === 1 ? "" : ` and ${targets.length - 1} more`);
  const item = ({ id, targets, here, others, level }) =>
    make("li", {}, `${level ? level + " " : ""}${id} ${targets[0]}${more(targets)}: `, value(here), " in place of ", value(others));
  const list = (part) => make("ul", { class: "plain" }, ...part.map(item));
  const all = merged(differences);
  const rest = all.slice(differencesAtOnce);
  if (rest.length === 0) return list(all);
  return [list(all.slice(0, differencesAtOnce)), folded(`and ${rest.length} more`, () => list(rest))];
}

function foldRow(group, groupIndex, fold, index) {
  const filter = button(count(fold.nodes.count, "node"), () => filterBy(`fold:${groupIndex + 1}.${index + 1}`), { class: "plain" });
  const asOthers = !group.baseline ? "too few nodes for a majority" :
    group.without_majority === 0 ? "as the majority" : `nothing, but ${nothingText(group)}`;
  return row(filter, hosts(fold.nodes), [statusWord(fold.status), fold.container ? " in a container" : "", fold.because ? ` ${fold.because}` : ""],
    fold.differences.length === 0 ? asOthers : differenceList(fold.differences));
}

function splitList(group) {
  const item = ({ id, target, sides }) => make("li", {}, `${id} ${target}: `,
    ...sides.flatMap((side) => [value(side.value), ` on ${side.nodes.count}, `, hosts(side.nodes), "; "]));
  return make("ul", {}, ...group.splits.map(item));
}

function commonList(group) {
  return make("ul", {}, ...group.findings.map((finding) => make("li", {}, outcomeWord(finding),
    ` ${finding.id} ${finding.target}: `, value(finding.have ?? "no value"), ", expected ", value(finding.want ?? "nothing"))));
}

const foldsAtOnce = 50;

function foldTable(group, index, folds, first) {
  return table(`Nodes of group ${index + 1} by what they differ in`, ["Nodes", "Which", "Status", "Differs in"],
    folds.map((fold, i) => foldRow(group, index, fold, first + i)), "folds");
}

function groupBox(group, index) {
  const title = make("h3", {}, `Group ${index + 1}: ${groupName(group)} `,
    make("span", { class: "quiet" }, count(group.nodes.count, "node")));
  const box = make("article", { class: "group" }, title,
    make("p", { class: "quiet" }, `Profile ${group.profiles || "none"}`),
    foldTable(group, index, group.folds.slice(0, foldsAtOnce), 0));
  const rest = group.folds.slice(foldsAtOnce);
  if (rest.length > 0) {
    box.append(folded(`${rest.length} more kinds of nodes`, () => foldTable(group, index, rest, foldsAtOnce)));
  }
  if (group.splits.length > 0) {
    box.append(folded(`${count(group.splits.length, "place")} without a majority`, () => splitList(group)));
  }
  if (group.findings.length > 0) {
    box.append(folded(`${count(group.findings.length, "finding")} ${group.findings_of_all ? "that are not compared" : "of the majority"}`, () => commonList(group)));
  }
  return box;
}

function changeBox(change) {
  return make("article", { class: "group" }, make("h3", {}, count(change.nodes.count, "node")), hosts(change.nodes),
    differenceTable("What changed", "Before", change.differences));
}

const growthsAtOnce = 1000;

function growthTable(growths) {
  const rows = growths.slice(0, growthsAtOnce).map((growth) =>
    row(nodes[growth.node].name, growth.id, growth.target, growth.counter, growth.was, growth.now,
      growth.same_boot ? "same" : "another"));
  return table("Counters", ["Node", "Setting", "Target", "Counter", "Was", "Is", "Boot"], rows);
}

function growthPart(growths) {
  if (growths.length <= growthsAtOnce) return growthTable(growths);
  const rest = `The first ${growthsAtOnce.toLocaleString("en")} of them; rocenv fleet --format json has all.`;
  return make("div", {}, make("p", {}, rest), growthTable(growths));
}

const changesAtOnce = 20;

function showChanges() {
  const { since } = fleet;
  if (!since) return;
  at("changes").hidden = false;
  const unchanged = since.unchanged.toLocaleString("en");
  at("changes").append(make("p", {}, `${since.folder}: ${count(since.nodes, "node")}, ${unchanged} of them unchanged.`));
  for (const [key, text] of [["added", "New: "], ["gone", "Gone: "]]) {
    if (since[key].count > 0) at("changes").append(make("p", {}, text, hosts(since[key])));
  }
  at("changes").append(...since.changes.slice(0, changesAtOnce).map(changeBox));
  const rest = since.changes.slice(changesAtOnce);
  if (rest.length > 0) {
    at("changes").append(folded(`${rest.length} more kinds of change`, () => make("div", {}, ...rest.map(changeBox))));
  }
  if (since.growths.length > 0) {
    at("changes").append(folded(`${count(since.growths.length, "counter")} grown or fallen`, () => growthPart(since.growths)));
  }
}

function listen() {
  at("filter").addEventListener("input", refresh);
  at("filter").addEventListener("reset", () => setTimeout(refresh));
  at("filter").addEventListener("submit", (event) => event.preventDefault());
  for (const head of at("table").querySelectorAll("thead button")) {
    head.addEventListener("click", () => sortBy(head));
  }
  at("rows").addEventListener("click", openRow);
  at("rows").addEventListener("keydown", moveInRows);
  at("more").addEventListener("click", showAll);
  at("close").addEventListener("click", () => at("report").close());
  at("report").addEventListener("close", forgetAddress);
  addEventListener("hashchange", followAddress);
}

showSummary();
showCauses();
showNotices();
showChanges();
showFindings();
at("groups").append(...fleet.groups.map(groupBox));
listen();
refresh();
followAddress();
