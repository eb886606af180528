// The path of cards: what each keeps and costs, and what merges and leaves on the way to the one that is looked at.

import { byId, draw, fill, fixed, make, options, percent } from "./dom.js";

const HEIGHT = 220;
const EDGE = { left: 60, right: 16, top: 22, bottom: 40 };

// `looked` is what the server says of the card that is looked at; null before one is.
export function showCards(state, looked, look) {
  const { cards } = state.cards;
  const steps = looked === null ? null : looked.other.steps;
  const model = cards.find((card) => card.chosen);
  fill(byId("cards-model"), `The model is the card of ${card(model)}. AUC and log-loss are of the rows that it learned from: `
    + "they say what fewer steps cost, not how good a card is for others.");
  fill(byId("cards-choice"), chosen(state));
  byId("cards-back").hidden = state.choice === null;
  showPicture(cards, steps, look);
  fill(byId("cards-table"), make("table", {},
    make("thead", {}, make("tr", {}, ...["Steps", "", "Characteristics", "Variance kept", "AUC", "Log-loss"].map(header))),
    make("tbody", {}, ...cards.map((each) => line(each, each.steps === steps, look)))));
  const known = state.cards.steps.filter((each) => each > 0).map((each) => [String(each), `${each} steps`]);
  options(byId("cards-any"), [["", "any other"], ...known], steps === null ? "" : String(steps));
  showChange(looked, model);
}

function card(each) {
  return `${each.steps} steps in ${each.characteristics} characteristics`;
}

function chosen({ choice, file, cards }) {
  if (choice === null) return "No other card is chosen.";
  return `Chosen: the card of ${choice.steps} steps, by ${choice.who}, since: ${choice.why}. `
    + `scrutable fit … --learner ${cards.learner} --edits ${file} makes it the model.`;
}

function header(text) {
  return make("th", { scope: "col" }, text);
}

function line(each, isLooked, look) {
  const button = make("button", { type: "button", "aria-pressed": isLooked ? "true" : "false" }, String(each.steps));
  button.addEventListener("click", () => look(each.steps));
  return make("tr", { class: isLooked ? "selected" : null },
    make("td", { class: "number" }, button), make("td", {}, each.chosen ? "the model" : ""),
    ...[String(each.characteristics), percent(each.kept), fixed(each.auc, 4), fixed(each.log_loss, 4)]
      .map((text) => make("td", { class: "number" }, text)));
}

// --- what merges -------------------------------------------------------------------------------------------------

function showChange(looked, model) {
  byId("cards-change").hidden = looked === null;
  if (looked === null) return;
  const fewer = looked.other.steps <= model.steps;
  const same = looked.other.steps === model.steps;
  fill(byId("cards-change-title"), same ? "The model's own card" : `What ${fewer ? "merges" : "is told apart"} on the card of ${card(looked.other)}`);
  fill(byId("cards-said"), same ? "" : `${looked.said}.`);
  const leaves = looked.without.map((feature) => make("li", {}, `${feature} ${fewer ? "leaves the card" : "comes onto the card"}`));
  fill(byId("cards-without"), ...leaves);
  const headings = fewer ? ["Before", "After"] : ["After", "Before"];
  fill(byId("cards-merges"), ...(looked.merges.length ? [make("table", {},
    make("thead", {}, make("tr", {}, ...["Characteristic", ...headings].map(header))),
    make("tbody", {}, ...looked.merges.map(merge)))] : []));
  byId("cards-choose").disabled = looked.other.steps === 0;
}

function merge({ feature, parts, whole }) {
  return make("tr", {}, make("th", { scope: "row" }, feature),
    make("td", {}, make("ul", { class: "parts" }, ...parts.map((part) => make("li", {}, part)))), make("td", {}, whole));
}

// --- the picture -------------------------------------------------------------------------------------------------

function showPicture(cards, steps, look) {
  const shown = cards.filter((each) => each.auc !== null);
  const width = Math.min(Math.max(byId("cards-picture").clientWidth, 320), 760);
  const most = Math.max(...shown.map((each) => each.steps), 1);
  const [low, high] = [Math.min(...shown.map((each) => each.auc)), Math.max(...shown.map((each) => each.auc))];
  const at = (each) => [
    EDGE.left + (width - EDGE.left - EDGE.right) * each.steps / most,
    HEIGHT - EDGE.bottom - (HEIGHT - EDGE.top - EDGE.bottom) * (each.auc - low) / (high - low || 1),
  ];
  const ticks = [low, (low + high) / 2, high].flatMap((auc) => {
    const y = at({ steps: 0, auc })[1];
    return [draw("line", { class: "grid", x1: EDGE.left, x2: width - EDGE.right, y1: y, y2: y }),
      draw("text", { class: "tick", x: EDGE.left - 6, y: y + 4, "text-anchor": "end" }, fixed(auc, 3))];
  });
  const path = shown.map((each, place) => `${place ? "L" : "M"}${at(each).join(" ")}`).join("");
  const dots = shown.flatMap((each) => dot(each, at(each), each.steps === steps, look));
  const floor = HEIGHT - EDGE.bottom;
  fill(byId("cards-picture"), draw("svg", { width, height: HEIGHT, role: "img", "aria-label": "AUC of the cards by their steps" },
    ...ticks, draw("path", { class: "along", d: path }), ...dots,
    draw("text", { class: "tick", x: EDGE.left, y: floor + 18 }, "0"),
    draw("text", { class: "tick", x: width - EDGE.right, y: floor + 18, "text-anchor": "end" }, String(most)),
    draw("text", { class: "tick", x: (EDGE.left + width) / 2, y: floor + 32, "text-anchor": "middle" }, "steps"),
    draw("text", { class: "tick", x: EDGE.left - 6, y: 12, "text-anchor": "end" }, "AUC")));
}

function dot(each, [x, y], isLooked, look) {
  const point = draw("circle", { class: isLooked ? "card looked" : "card", cx: x, cy: y, r: isLooked ? 7 : 5 });
  point.addEventListener("click", () => look(each.steps));
  const ring = each.chosen ? [draw("circle", { class: "ring", cx: x, cy: y, r: 10 })] : [];
  return [point, ...ring];
}
