// The list of features, those that tell most first.

import { byId, fill, fixed, make } from "./dom.js";

export function showFeatures(features, chosen, choose) {
  const wanted = byId("filter").value.trim().toLowerCase();
  const shown = features
    .filter((each) => each.feature.toLowerCase().includes(wanted))
    .sort((a, b) => Number(b.iv_used) - Number(a.iv_used));
  const focused = document.activeElement?.dataset?.feature;
  fill(byId("features"), ...shown.map((each) => item(each, each.feature === chosen, choose)));
  byId("nothing").hidden = shown.length > 0;
  if (focused !== undefined) {
    [...byId("features").querySelectorAll("button")].find((button) => button.dataset.feature === focused)?.focus();
  }
}

// The largest information value about membership of each protected attribute: null without bound, undefined unknown.
export function largestByAttribute(table) {
  const found = new Map();
  for (const attribute of Object.keys(table.attributes[0]?.groups ?? {})) {
    const own = Object.entries(table.fiv).filter(([name]) => name.startsWith(`${attribute}: `));
    const values = own.map(([, value]) => value);
    const largest = values.includes(null) ? null : Math.max(...values);
    found.set(attribute, values.length ? largest : undefined);
  }
  return found;
}

function item(table, isChosen, choose) {
  const edits = table.n_edits === 1 ? "1 edit" : `${table.n_edits} edits`;
  const fiv = [...largestByAttribute(table)].map(([name, value]) => make("span", {}, `FIV ${name} ${value === null ? "∞" : fixed(value, 3)}`));
  const button = make("button", { type: "button", "aria-current": isChosen ? "true" : null, title: table.feature },
    make("span", { class: "name" }, table.feature),
    make("span", { class: "iv" }, `IV ${fixed(table.iv_used, 3)}`),
    make("span", { class: "facts" },
      make("span", {}, table.strength), make("span", {}, trendText(table)), ...fiv,
      ...(table.few.length ? [make("span", {}, `too few rows for an FIV: ${table.few.join("; ")}`)] : []),
      ...(table.leak ? [make("strong", {}, "leak or knock-out?")] : []),
      ...(table.stays === "free" ? [] : [make("strong", {}, table.stays === "must" ? "must stay" : "never stays")]),
      ...(table.n_edits ? [make("strong", {}, edits)] : [])),
  );
  button.dataset.feature = table.feature;
  button.addEventListener("click", () => choose(table.feature));
  return make("li", {}, button);
}

function trendText(table) {
  if (table.kind !== "numeric") return "categories";
  return table.observed_trend === "none" ? "no trend" : `good rate ${table.observed_trend}`;
}
