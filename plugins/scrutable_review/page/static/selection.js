// What the learner selects: which characteristics stay, why the others left, and what a decision by hand changes.

import { byId, fill, fixed, make } from "./dom.js";

// What each decision asks for, and what its button says.
const DECISIONS = [["must", "Must stay"], ["never", "Take out"], ["free", "Leave to the selector"]];

// `known` is what the server says of the card as it was fitted last; null before it was.
export function showSelection(state, known, decide) {
  const isOld = known === null || known.revision !== state.revision;
  byId("selection").setAttribute("aria-busy", isOld ? "true" : "false");
  fill(byId("selection-said"), isOld ? `The card of ${state.learner} is being fitted …` : said(state, known));
  fill(byId("selection-about"), isOld ? "" : (known.selection?.about ?? ""));
  byId("selection-change").hidden = isOld || known.change === null;
  fill(byId("selection-table"), ...(isOld ? [] : [table(state, known, decide)]));
  if (!isOld && known.change !== null) showChange(known.change);
}

// What a decision that is not recorded would change: a text, and figures before and after.
export function effectOfChange(detail, change) {
  return [`${detail}. ${changed(change)}`, [["AUC on these rows", ...change.auc]]];
}

function said({ learner, file }, { selection, points }) {
  const size = Object.keys(points).length;
  const by = selection === null ? "Nothing is selected" : `The selector ${selection.selector} keeps ${selection.kept.length} of ${selection.considered}`;
  return `${by}; the card of ${learner} has ${size} characteristics. scrutable fit … --learner ${learner} --edits ${file} makes it the model.`;
}

function changed(change) {
  const why = Object.entries(change.left).filter(([, reason]) => reason !== "").map(([name, reason]) => ` ${name} left, since ${reason}.`);
  return `${change.said}.${why.join("")}`;
}

function showChange(change) {
  fill(byId("selection-changed"), `${change.detail}. ${changed(change)}`);
  const moved = Object.entries(change.moved);
  fill(byId("selection-moved"), ...(moved.length === 0 ? [] : [make("table", {},
    head(["Characteristic", "Points from worst to best, before", "now"]),
    make("tbody", {}, ...moved.map(([name, [before, now]]) => make("tr", {}, make("th", { scope: "row" }, name),
      number(fixed(before, 1)), number(fixed(now, 1))))))]));
}

// --- the log -----------------------------------------------------------------------------------------------------

function table(state, known, decide) {
  const entries = new Map((known.selection?.log ?? []).map((entry) => [entry.feature, entry]));
  const isKept = (name) => known.selection === null || known.selection.kept.includes(name);
  const order = (each) => [isKept(each.feature) ? 0 : 1, -Number(each.iv_used)];
  const rows = [...state.features].sort((a, b) => order(a)[0] - order(b)[0] || order(a)[1] - order(b)[1]);
  return make("table", {},
    head(["Characteristic", "IV", "", "Why", "Step", "Points from worst to best", "By hand", "Decide"]),
    make("tbody", {}, ...rows.map((each) => line(each, isKept(each.feature), entries.get(each.feature), known, decide))));
}

function line(each, isKept, entry, known, decide) {
  const { feature } = each;
  const points = feature in known.points ? fixed(known.points[feature], 1) : "–";
  const status = isKept ? "kept" : "left";
  const hand = known.by_hand[feature];
  const noted = hand === undefined ? "" : `${hand.stays === "must" ? "must stay" : "never stays"}: ${hand.why} (${hand.who})`;
  return make("tr", { class: isKept ? null : "left" }, make("th", { scope: "row" }, feature),
    number(fixed(each.iv_used, 4)), make("td", {}, status), make("td", {}, entry?.reason ?? ""), make("td", {}, entry?.step ?? ""),
    number(points), make("td", {}, noted), make("td", {}, ...buttons(feature, each.stays, isKept, decide)));
}

// What is so anyway needs no decision, but for one who wants it to stay so.
function buttons(feature, stays, isKept, decide) {
  return DECISIONS.filter(([wanted]) => wanted !== stays && !(wanted === "never" && !isKept && stays === "free")).map(([wanted, text]) => {
    const button = make("button", { type: "button", "aria-label": `${text}: ${feature}` }, text);
    button.addEventListener("click", () => decide({ feature, action: "select", stays: wanted }));
    return button;
  });
}

function head(texts) {
  return make("thead", {}, make("tr", {}, ...texts.map((text) => make("th", { scope: "col" }, text))));
}

function number(text) {
  return make("td", { class: "number" }, text);
}
