// The page: what it shows, what was chosen on it, and the way of every edit from a gesture to the record.

import { get, inTurn, latest, post } from "./api.js";
import { ask, showEffect, showProblem } from "./ask.js";
import { showAudit } from "./audit.js";
import { focusCut, showAxis } from "./axis.js";
import { showCards } from "./cards.js";
import { showChart } from "./chart.js";
import { byId, change, fill, information, make, options, typed } from "./dom.js";
import { dragging } from "./drag.js";
import { mergeOfMany, mergeOfTwo, moved, split } from "./edits.js";
import { showFeatures } from "./features.js";
import { showGroups } from "./groups.js";
import { showPolicies } from "./policies.js";
import { effectOfChange, showSelection } from "./selection.js";
import { showTable } from "./table.js";
import { visible } from "./visible.js";

const view = {
  state: null, feature: "", who: "", bins: new Set(), values: new Set(), tentative: null, preview: null, width: 0,
  shown: "bins", looked: null, selection: null,
};

function table() {
  return view.state.features.find((each) => each.feature === view.feature);
}

// --- showing ---------------------------------------------------------------------------------------------------

function showAll() {
  const { state } = view;
  byId("undo").disabled = !state.undo;
  byId("redo").disabled = !state.redo;
  fill(byId("saved"), state.saved ? `All edits are saved in ${state.file}` : `Edits will be saved in ${state.file}`);
  byId("show-cards").hidden = state.cards === null;
  byId("show-selection").hidden = state.learner === null;
  for (const name of ["cards", "selection", "bins"]) {
    const button = byId(`show-${name}`);
    byId(name).hidden = view.shown !== name;
    if (view.shown === name) button?.setAttribute("aria-current", "true");
    else button?.removeAttribute("aria-current");
  }
  showFeatures(state.features, view.shown === "bins" ? view.feature : "", choose);
  if (view.shown === "cards") {
    showCards(state, view.looked, look);
    return;
  }
  if (view.shown === "selection") {
    refit();
    return;
  }
  showAudit(state.audit, view.feature);
  showFeature();
}

function turnTo(name) {
  view.shown = name;
  showAll();
  byId(`${name}-title`).focus();
}

function showFeature() {
  const now = table();
  const isNumeric = now.kind === "numeric";
  fill(byId("feature"), now.feature);
  byId("leak").hidden = !now.leak;
  fill(byId("leak"), now.leak ? `Leak or knock-out? ${now.leak[0].toUpperCase()}${now.leak.slice(1)}.` : "");
  byId("axis-section").hidden = !isNumeric || !now.scale;
  byId("groups-section").hidden = isNumeric;
  if (isNumeric && now.scale) showAxis(now, byId("scale").value, handles);
  if (!isNumeric) showGroups(now, view.values, toggleValue);
  showPolicies(now, propose);
  showFigures();
}

// What a tentative edit changes while it is not recorded.
function showFigures() {
  const [now, shown] = [table(), view.preview ?? table()];
  byId("tentative").textContent = view.preview ? "Preview: not recorded" : "";
  document.body.classList.toggle("tentative", view.preview !== null);
  const facts = effects(now, shown).map(([name, before, after]) =>
    [name, view.preview ? change(before, after) : information(after)]);
  facts[0][1] += ` (${shown.strength})`;
  if (shown.iv !== shown.iv_used) facts.splice(1, 0, ["IV without policies", information(shown.iv)]);
  if (now.kind === "numeric") facts.push(["Observed trend of the good rate", shown.observed_trend]);
  fill(byId("figures"), ...facts.map(([name, text]) => make("div", {}, make("dt", {}, name), make("dd", {}, text))));
  showChart(shown, byId("by").value);
  showTable(shown, view.preview ? new Set() : view.bins, toggleBin);
  byId("merge").disabled = view.bins.size < 2 || view.preview !== null;
}

function effects(before, after) {
  const pairs = Object.keys(before.fiv).map((pair) => [`FIV ${pair}`, before.fiv[pair], after.fiv[pair]]);
  return [["IV", before.iv_used, after.iv_used], ...pairs];
}

// Pictures are drawn for the room they have.
function showAgain([{ contentRect }]) {
  if (!view.state || view.tentative || view.width === contentRect.width) return;
  view.width = contentRect.width;
  if (view.shown === "cards") showCards(view.state, view.looked, look);
  if (view.shown === "bins") showFeature();
}

function complain(text) {
  byId("message").hidden = text === "";
  fill(byId("message").querySelector("p"), text);
}

// --- choosing --------------------------------------------------------------------------------------------------

function choose(feature) {
  view.shown = "bins";
  view.feature = feature;
  view.bins.clear();
  view.values.clear();
  view.preview = null;
  window.history.replaceState(null, "", `#${encodeURIComponent(feature)}`);
  showAll();
}

function toggleBin(place, isChosen) {
  if (isChosen) view.bins.add(place);
  else view.bins.delete(place);
  byId("merge").disabled = view.bins.size < 2;
  byId("table").querySelectorAll("tbody tr")[place].classList.toggle("selected", isChosen);
}

function toggleValue(value) {
  const places = [...document.querySelectorAll(".chip")];
  const place = places.indexOf(document.activeElement);
  if (!view.values.delete(value)) view.values.add(value);
  showGroups(table(), view.values, toggleValue);
  document.querySelectorAll(".chip")[place]?.focus();
}

// --- cards -------------------------------------------------------------------------------------------------------

const look = latest(async (steps) => {
  try {
    view.looked = await post("card", { steps });
    showCards(view.state, view.looked, look);
  } catch (error) {
    complain(error.message);
  }
});

async function chooseCard() {
  const { steps } = view.looked.other;
  const asked = ask({ steps }, null, view.who, () => {}, async ({ who, why }) => {
    await recordCard({ steps, who, why });
    view.who = who;
  });
  showEffect(`Choose the card of ${steps} steps. ${view.looked.said}.`, []);
  await asked;
}

async function recordCard(wanted) {
  try {
    view.state = { ...view.state, ...await post("choose", { ...wanted, revision: view.state.revision }) };
    complain("");
    showAll();
  } catch (error) {
    if (error.status === 409) await load();
    throw error;
  }
}

// --- selection -------------------------------------------------------------------------------------------------

// The card is fitted again where the bins or the decisions have changed since.
const refit = latest(async () => {
  showSelection(view.state, view.selection, decide);
  if (view.selection?.revision === view.state.revision) return;
  try {
    view.selection = await post("selection", {});
    showSelection(view.state, view.selection, decide);
  } catch (error) {
    complain(error.message);
  }
});

async function decide(edit) {
  complain("");
  view.tentative = edit;
  const asked = ask(edit, null, view.who, () => {}, async (wanted) => {
    view.who = wanted.who;
    await act("edit", { edit: wanted });
  });
  showEffect("The card is being fitted to see what this changes …", []);
  fitted(edit);
  await asked;
  if (view.tentative === edit) view.tentative = null;
}

const fitted = latest(async (edit) => {
  try {
    const { detail, change: changed } = await post("preview", { edit });
    if (view.tentative === edit && byId("ask").open) showEffect(...effectOfChange(detail, changed));
  } catch (error) {
    if (view.tentative === edit) tellProblem(error);
  }
});

// --- editing ---------------------------------------------------------------------------------------------------

const preview = latest(async (edit) => {
  try {
    const found = await post("preview", { edit });
    if (view.tentative !== edit) return;
    view.preview = found.table;
    showFigures();
    showEffect(found.detail, effects(table(), found.table));
  } catch (error) {
    if (view.tentative === edit) tellProblem(error);
  }
});

function tellProblem(error) {
  if (byId("ask").open) showProblem(error.message);
  else complain(error.message);
}

function attempt(edit) {
  view.tentative = edit;
  preview(edit);
}

function giveUp() {
  view.tentative = null;
  view.preview = null;
  showFigures();
}

async function propose(edit, value = null) {
  if (edit === null || byId("ask").open) return;
  complain("");
  if (typeof edit === "string") {
    complain(edit);
    return;
  }
  attempt(edit);
  await ask(edit, value, view.who, attempt, async (wanted) => {
    view.who = wanted.who;
    await act("edit", { edit: wanted });
  });
  view.tentative = null;
  view.preview = null;
  showFeature();
  if (edit.action === "move") focusCut(edit.to);
}

// An action that the server records: it answers with what has changed.
async function act(name, body = {}) {
  try {
    const { changed, ...rest } = await post(name, { ...body, revision: view.state.revision });
    const features = view.state.features.map((each) => (each.feature === changed.feature ? changed : each));
    view.state = { ...view.state, ...rest, features };
    view.bins.clear();
    view.values.clear();
    view.feature = changed.feature;
    if (view.shown === "cards") view.shown = "bins";
    view.tentative = view.preview = null;
    complain("");
    showAll();
  } catch (error) {
    if (error.status === 409) await load();
    throw error;
  }
}

// Each waits for the one before, since the server takes an action only of a page that has seen the newest state.
const step = inTurn(async (name) => {
  if (!view.state || byId("ask").open || byId(name).disabled) return;
  try {
    await act(name);
  } catch (error) {
    complain(error.message);
  }
});

const handles = {
  move: (at, to) => attempt({ feature: view.feature, action: "move", at, to }),
  settle: () => propose(view.tentative, "to"),
  cancel: giveUp,
  left: (back) => byId("ask").open || back(),
  cut: (at) => propose({ feature: view.feature, action: "cut", at }, "at"),
  drop: (at) => propose({ feature: view.feature, action: "merge", at }),
};

// --- gestures --------------------------------------------------------------------------------------------------

function binAt(target) {
  const element = target.closest("[data-bin]");
  if (!element) return null;
  const place = Number(element.dataset.bin);
  return { element, place, label: table().attributes[place].condition };
}

function groupAt(target) {
  const element = target.closest("[data-bin], [data-own]");
  if (!element) return null;
  if (!("bin" in element.dataset)) return { element, isOwn: true };
  const [place, chip] = [Number(element.dataset.bin), target.closest(".chip")];
  const row = table().attributes[place];
  const values = chip ? [row.values[Number(chip.dataset.value)]] : null;
  return { element, place, values, label: String(values ? values[0] : row.condition) };
}

function dropOnGroup(what, onto) {
  const values = what.values ?? table().attributes[what.place].values;
  if (onto.isOwn) propose(split(table(), values));
  else propose(what.values ? moved(table(), values, onto.place) : mergeOfTwo(table(), what.place, onto.place));
}

function mergeDropped(what, onto) {
  propose(mergeOfTwo(table(), what.place, onto.place));
}

function keys(event) {
  if (!(event.ctrlKey || event.metaKey) || event.target.closest("input, textarea, select")) return;
  const key = event.key.toLowerCase();
  if (key !== "z" && key !== "y") return;
  event.preventDefault();
  step(key === "y" || event.shiftKey ? "redo" : "undo");
}

// --- beginning and end -------------------------------------------------------------------------------------------

async function load() {
  view.state = await get("state");
  const { features, source, who } = view.state;
  document.title = visible(`Binning review: ${source}`);
  fill(byId("source"), source);
  view.who ||= who;
  const wanted = [view.feature, decodeURIComponent(window.location.hash.slice(1))];
  const strongest = features.reduce((best, each) => (Number(each.iv_used) > Number(best.iv_used) ? each : best));
  view.feature = wanted.find((name) => features.some((each) => each.feature === name)) ?? strongest.feature;
  const attributes = Object.keys(strongest.attributes[0].groups);
  options(byId("by"), [["", "all applicants only"], ...attributes.map((name) => [name, name])], byId("by").value);
  showAll();
}

async function finish() {
  try {
    const { said } = await post("finish", {});
    view.state = null;
    fill(document.body, make("main", { id: "end" }, make("h1", {}, "Review finished"), make("p", {}, said),
      make("p", {}, "You can close this window.")));
  } catch (error) {
    complain(error.message);
  }
}

byId("undo").addEventListener("click", () => step("undo"));
byId("redo").addEventListener("click", () => step("redo"));
byId("finish").addEventListener("click", finish);
byId("show-cards").addEventListener("click", () => turnTo("cards"));
byId("show-selection").addEventListener("click", () => turnTo("selection"));
byId("cards-any").addEventListener("change", (event) => event.target.value !== "" && look(Number(event.target.value)));
byId("cards-choose").addEventListener("click", chooseCard);
byId("cards-back").addEventListener("click", () => recordCard({ steps: null }).catch((error) => complain(error.message)));
byId("dismiss").addEventListener("click", () => complain(""));
byId("filter").addEventListener("input", () => showFeatures(view.state.features, view.feature, choose));
byId("only").addEventListener("change", () => showAudit(view.state.audit, view.feature));
byId("by").addEventListener("change", showFigures);
byId("scale").addEventListener("change", showFeature);
byId("merge").addEventListener("click", () => propose(mergeOfMany(table(), [...view.bins])));
byId("split").addEventListener("click", () => propose(split(table(), [...view.values])));
byId("move-to").addEventListener("change", (event) => {
  const place = event.target.value;
  event.target.value = "";
  if (place !== "") propose(moved(table(), [...view.values], Number(place)));
});
byId("add-cut").addEventListener("submit", (event) => {
  event.preventDefault();
  const at = typed(byId("cut-value").value);
  if (at === null) complain("A cut is a number, such as 25 or 0.5.");
  else propose({ feature: view.feature, action: "cut", at }, "at");
});
document.addEventListener("keydown", keys);
dragging(byId("chart"), binAt, mergeDropped);
dragging(byId("axis"), binAt, mergeDropped);
dragging(byId("groups"), groupAt, dropOnGroup);
new ResizeObserver(showAgain).observe(byId("columns"));
load().catch((error) => complain(error.message));
