// The groups of a categorical feature, with a chip for each category.

import { byId, fill, make, options, percent } from "./dom.js";

export function showGroups(table, selected, toggle) {
  const groups = groupsOf(table);
  fill(byId("groups"), ...groups.map(([row, place]) => card(row, place, selected, toggle)),
    make("div", { class: "empty", "data-own": "" }, "Drop a category here to split it off"));
  const pairs = groups.map(([row, place]) => [String(place), row.condition]);
  options(byId("move-to"), [["", "choose a group"], ...pairs], "");
  byId("split").disabled = byId("move-to").disabled = selected.size === 0;
}

function groupsOf(table) {
  return table.attributes.map((row, place) => [row, place]).filter(([row]) => row.kind === "categories");
}

function card(row, place, selected, toggle) {
  const chips = row.values.map((value, number) => chip(value, number, selected.has(value), toggle));
  const held = row.values.length === 1 ? "1 category" : `${row.values.length} categories`;
  return make("div", { class: "group", "data-bin": place },
    make("p", { class: "grab" }, `${held}, share ${percent(row.share)}, bad rate ${percent(row.bad_rate)}`),
    make("div", { class: "chips" }, ...chips));
}

function chip(value, number, isSelected, toggle) {
  const button = make("button", {
    type: "button", class: "chip", "aria-pressed": String(isSelected), title: String(value), "data-value": number,
  }, value === "" ? "(empty text)" : String(value));
  button.addEventListener("click", () => toggle(value));
  return button;
}
