// The audit trail, newest edit first.

import { byId, change, fill, make } from "./dom.js";

// Actions whose details do not say what they are about.
const NAMED = ["trend", "missing", "special", "select", "start"];
const HEADERS = ["No.", "Feature", "Edit", "Who", "Why", "IV"];

export function showAudit(audit, feature) {
  const numbered = audit.map((edit, place) => [edit, place + 1]);
  const shown = numbered.filter(([edit]) => !byId("only").checked || edit.feature === feature).reverse();
  if (!shown.length) {
    fill(byId("audit"), make("p", { class: "hint" }, "No edit yet."));
    return;
  }
  const pairs = [...new Set(audit.flatMap((edit) => Object.keys(edit.fiv_before)))];
  const headers = [...HEADERS, ...pairs.map((pair) => `FIV ${pair}`)];
  fill(byId("audit"), make("table", {},
    make("thead", {}, make("tr", {}, ...headers.map((text) => make("th", { scope: "col" }, text)))),
    make("tbody", {}, ...shown.map(([edit, number]) => line(edit, number, pairs)))));
}

function line(edit, number, pairs) {
  const what = NAMED.includes(edit.action) ? `${edit.action}: ${edit.detail}` : edit.detail;
  const texts = [number, edit.feature, what, edit.who || "–", edit.why || "–"];
  const figures = [change(edit.iv_before, edit.iv_after), ...pairs.map((pair) => change(edit.fiv_before[pair], edit.fiv_after[pair]))];
  return make("tr", {}, ...texts.map((text) => make("td", {}, String(text))),
    ...figures.map((text) => make("td", { class: "number" }, text)));
}
