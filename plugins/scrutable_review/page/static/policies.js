// Select boxes for the trend, and for what becomes of missing values and special codes.

import { policy } from "./edits.js";
import { byId, fill, make, options } from "./dom.js";

const PLAIN = [["own", "own WoE"], ["neutral", "neutral: WoE 0"], ["worst", "worst: lowest WoE of the bins"]];

export function showPolicies(table, propose) {
  const boxes = table.kind === "numeric" ? [trendBox(table, propose)] : [];
  for (const row of table.attributes) {
    if (row.kind === "missing" || row.kind === "special") boxes.push(policyBox(table, row, propose));
  }
  fill(byId("policies"), ...boxes);
}

function trendBox(table, propose) {
  const select = make("select", { id: "trend" });
  options(select, [["none", "none asked"], ["ascending", "ascending"], ["descending", "descending"]], table.trend ?? "none");
  select.addEventListener("change", () => propose({ feature: table.feature, action: "trend", trend: select.value }));
  return make("label", {}, "Trend of the good rate ", select);
}

function policyBox(table, row, propose) {
  const bins = table.attributes.filter((each) => each.kind === "interval" || each.kind === "categories");
  const pairs = bins.map((bin, place) => [`with ${place}`, `with ${bin.condition}`]);
  const now = row.policy === "with" ? `with ${bins.findIndex((bin) => bin.condition === row.with)}` : row.policy;
  const select = make("select", { "data-policy": row.kind });
  options(select, [...PLAIN, ...pairs], now);
  select.addEventListener("change", () => {
    const [name, place] = select.value.split(" ");
    propose(policy(table, row, name, place === undefined ? null : bins[Number(place)]));
  });
  return make("label", {}, row.kind === "missing" ? "Missing values " : `Policy of ${row.condition} `, select);
}
