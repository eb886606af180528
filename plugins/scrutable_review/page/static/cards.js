// The path of cards: what each keeps and costs, and what merges and leaves on the way to the one that is looked at.

import { byId, draw, fill, fixed, make, options, percent } from "./dom.js";

const HEIGHT = 220;
const EDGE = { left: 60, right: 16, top: 22, bottom: 40 };

// `looked` is what the server says of the card that is looked at; null before one is.
export function showCards(state, looked, look) {
  const { cards, figures } = state.cards;
  const steps = looked === null ? null : looked.other.steps;
  const model = cards.find((card) => card.chosen);
  fill(byId("cards-model"), `The model is the card of ${card(model)}.${measures(figures)}${state.cards.about && ` ${state.cards.about}.`}`);
  fill(byId("cards-choice"), chosen(state));
  byId("cards-back").hidden = state.choice === null;
  byId("cards-picture").hidden = figures.length === 0;
  if (figures.length) showPicture(cards, figures[0], steps, look);
  fill(byId("cards-table"), make("table", {},
    make("thead", {}, make("tr", {}, ...["Steps", "", "Characteristics", "Variance kept", ...figures.map(title)].map(header))),
    make("tbody", {}, ...cards.map((each) => line(each, figures, each.steps === steps, look)))));
  const known = state.cards.steps.filter((each) => each > 0).map((each) => [String(each), `${each} steps`]);
  options(byId("cards-any"), [["", "any other"], ...known], steps === null ? "" : String(steps));
  showChange(looked, model, state.cards.about ? ["leaves", "comes to"].map((word) => `${word} what is added`) : ["leaves the card", "comes onto the card"]);
}

function card(each) {
  return `${each.steps} steps in ${each.characteristics} characteristics`;
}

function chosen({ choice, file, cards }) {
  if (choice === null) return "No other card is chosen.";
  return `Chosen: the card of ${choice.steps} steps, by ${choice.who}, since: ${choice.why}. `
    + `scrutable fit … --learner ${cards.learner} --edits ${file} makes it the model.`;
}

function title(figure) {
  return figure.title.charAt(0).toUpperCase() + figure.title.slice(1);
}

function measures(figures) {
  if (!figures.length) return "";
  return ` ${figures.map(title).join(" and ")} are of the rows that it learned from: they say what fewer steps cost, `
    + "not how good a card is for others.";
}

function header(text) {
  return make("th", { scope: "col" }, text);
}

function line(each, figures, isLooked, look) {
  const button = make("button", { type: "button", "aria-pressed": isLooked ? "true" : "false" }, String(each.steps));
  button.addEventListener("click", () => look(each.steps));
  return make("tr", { class: isLooked ? "selected" : null },
    make("td", { class: "number" }, button), make("td", {}, each.chosen ? "the model" : ""),
    ...[String(each.characteristics), percent(each.kept), ...figures.map(({ name }) => fixed(each[name] ?? null, 4))]
      .map((text) => make("td", { class: "number" }, text)));
}

// --- what merges -------------------------------------------------------------------------------------------------

function showChange(looked, model, [leaving, coming]) {
  byId("cards-change").hidden = looked === null;
  if (looked === null) return;
  const fewer = looked.other.steps <= model.steps;
  const same = looked.other.steps === model.steps;
  fill(byId("cards-change-title"), same ? "The model's own card" : `What ${fewer ? "merges" : "is told apart"} on the card of ${card(looked.other)}`);
  fill(byId("cards-said"), same ? "" : `${looked.said}.`);
  const leaves = looked.without.map((feature) => make("li", {}, `${feature} ${fewer ? leaving : coming}`));
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

function showPicture(cards, figure, steps, look) {
  const height = (each) => each[figure.name];
  const shown = cards.filter((each) => height(each) !== undefined);
  const width = Math.min(Math.max(byId("cards-picture").clientWidth, 320), 760);
  const most = Math.max(...shown.map((each) => each.steps), 1);
  const [low, high] = [Math.min(...shown.map(height)), Math.max(...shown.map(height))];
  const up = (value) => HEIGHT - EDGE.bottom - (HEIGHT - EDGE.top - EDGE.bottom) * (value - low) / (high - low || 1);
  const at = (each) => [EDGE.left + (width - EDGE.left - EDGE.right) * each.steps / most, up(height(each))];
  const ticks = [low, (low + high) / 2, high].flatMap((value) => {
    const y = up(value);
    return [draw("line", { class: "grid", x1: EDGE.left, x2: width - EDGE.right, y1: y, y2: y }),
      draw("text", { class: "tick", x: EDGE.left - 6, y: y + 4, "text-anchor": "end" }, fixed(value, 3))];
  });
  const path = shown.map((each, place) => `${place ? "L" : "M"}${at(each).join(" ")}`).join("");
  const dots = shown.flatMap((each) => dot(each, at(each), each.steps === steps, look));
  const floor = HEIGHT - EDGE.bottom;
  fill(byId("cards-picture"), draw("svg", { width, height: HEIGHT, role: "img", "aria-label": `${figure.title} of the cards by their steps` },
    ...ticks, draw("path", { class: "along", d: path }), ...dots,
    draw("text", { class: "tick", x: EDGE.left, y: floor + 18 }, "0"),
    draw("text", { class: "tick", x: width - EDGE.right, y: floor + 18, "text-anchor": "end" }, String(most)),
    draw("text", { class: "tick", x: (EDGE.left + width) / 2, y: floor + 32, "text-anchor": "middle" }, "steps"),
    draw("text", { class: "tick", x: EDGE.left - 6, y: 12, "text-anchor": "end" }, figure.title)));
}

function dot(each, [x, y], isLooked, look) {
  const point = draw("circle", { class: isLooked ? "card looked" : "card", cx: x, cy: y, r: isLooked ? 7 : 5 });
  point.addEventListener("click", () => look(each.steps));
  const ring = each.chosen ? [draw("circle", { class: "ring", cx: x, cy: y, r: 10 })] : [];
  return [point, ...ring];
}
