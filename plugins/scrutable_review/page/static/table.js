// The binning table, with the rows that are selected for a merge.

import { byId, count, fill, fixed, make, percent } from "./dom.js";

export function showTable(table, selected, select) {
  const by = Object.entries(table.attributes[0].groups).map(([name, groups]) => [name, Object.keys(groups)]);
  const top = [make("td", { colspan: 9 })];
  const second = ["", "Bin", "Count", "Share", "Good", "Bad", "Bad rate", "WoE", "IV"].map((text) => header(text));
  for (const [name, groups] of by) {
    top.push(make("th", { scope: "colgroup", colspan: 2 * groups.length }, name));
    for (const group of groups) second.push(header(`Share of ${group}`), header(`Bad rate of ${group}`));
  }
  const rows = table.attributes.map((row, place) => line(row, place, by, selected.has(place), select));
  fill(byId("table"), make("table", {},
    make("thead", {}, ...(by.length ? [make("tr", {}, ...top)] : []), make("tr", {}, ...second)),
    make("tbody", {}, ...rows), make("tfoot", {}, total(table))));
}

function header(text) {
  return make("th", { scope: "col" }, text === "" ? make("span", { class: "unseen" }, "Select") : text);
}

function line(row, place, by, isSelected, select) {
  const box = make("input", { type: "checkbox", "aria-label": `Select ${row.condition}` });
  box.checked = isSelected;
  box.disabled = row.kind !== "interval" && row.kind !== "categories";
  box.addEventListener("change", () => select(place, box.checked));
  const groups = by.flatMap(([name, own]) => own.flatMap((group) => {
    const figures = row.groups[name][group];
    return [number(percent(figures.share)), number(percent(figures.bad_rate))];
  }));
  return make("tr", { class: isSelected ? "selected" : null },
    make("td", {}, box), make("th", { scope: "row" }, row.condition, ...policyNote(row)),
    number(count(row.count)), number(percent(row.share)), number(count(row.good)), number(count(row.bad)),
    number(percent(row.bad_rate)), number(woeText(row)), number(fixed(row.iv, 4)), ...groups);
}

function policyNote(row) {
  if (row.policy === "own") return [];
  const text = row.policy === "with" ? `counted with ${row.with}` : `${row.policy} WoE`;
  return [make("span", { class: "policy" }, text)];
}

function woeText(row) {
  return row.woe_used === row.woe ? fixed(row.woe, 3) : `${fixed(row.woe_used, 3)} (own ${fixed(row.woe, 3)})`;
}

function total(table) {
  const sum = (name) => table.attributes.reduce((all, row) => all + Number(row[name]), 0);
  const known = sum("count");
  return make("tr", {}, make("td"), make("th", { scope: "row" }, "All"), number(count(known)), number(percent(1)),
    number(count(sum("good"))), number(count(sum("bad"))), number(percent(known ? sum("bad") / known : null)), make("td"),
    number(fixed(table.iv, 4)));
}

function number(text) {
  return make("td", { class: "number" }, text);
}
