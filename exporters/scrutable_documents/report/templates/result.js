// What the page shows of a result. All that comes from the model becomes text, never HTML, and steers nothing.

const SVG = "http://www.w3.org/2000/svg";
/** Where all points are smaller, as in log-odds, two decimals would not tell them apart. */
const SMALL = 10;
/** How headers of the table of points look. */
const HEADS = { Points: "number", Baseline: "number", "Points as a bar": "bar" };

/** Fill the places of the result: a sentence that is read out, the reasons, and what the score is made of. */
function show(model, words, found) {
  const part = found.segment === undefined ? model : model.segments[found.segment].model;
  const own = found.segment === undefined ? words : words.segments[found.segment];
  document.getElementById("summary").replaceChildren(...summary(part, own, found));
  document.getElementById("why").replaceChildren(...reasonList(part, found));
  document.getElementById("made-of").replaceChildren(...madeOf(part, own, found));
}

/** Say that a result needs a number in every marked field. */
function showIncomplete() {
  const said = element("p", "Type a number in every marked field, or tick that it is missing.");
  document.getElementById("summary").replaceChildren(said);
  ["why", "made-of"].forEach((id) => document.getElementById(id).replaceChildren());
}

function summary(part, own, found) {
  const lines = [];
  if (own.segment !== null) {
    lines.push(element("p", `Segment: ${own.segment}`));
  }
  if (part.type === "regression-scorecard") {
    return [...lines, element("p", `${own.outcome}: ${decimal(found.score, 4)}`, "score")];
  }
  if (found.score === undefined) {
    lines.push(element("p", `Class: ${own.classes[found.predicted]}`, "score"));
    const shares = found.classProbability.map((share, position) => `${own.classes[position]} ${percent(share)}`);
    return [...lines, element("p", shares.join(", "))];
  }
  const told = apart(found.score, found.cutoff);
  const score = `Score ${told(found.score)}, cutoff ${told(found.cutoff)}`;
  const decision = found.approved ? "Favourable decision" : "Unfavourable decision";
  lines.push(element("p", `${decision}. ${score}.`, found.approved ? "score approved" : "score declined"));
  if (found.rule !== null) {
    const kind = found.knockOut === null ? "Override" : "Knock-out rule";
    lines.push(element("p", `${kind}, whatever the score: ${found.rule.reason}`));
  }
  found.adjustments.forEach(({ points, reason }) => {
    lines.push(element("p", `Score adjustment of ${pointStyle(part)(points)} points: ${reason}`));
  });
  if (found.grade !== undefined) {
    lines.push(element("p", `Grade: ${found.grade}`));
  }
  const chance = `Probability of ${own.favourable}: ${percent(found.probability)}`;
  return [...lines, element("p", `${chance}.`)];
}

function reasonList(part, { reasons, rule, knockOut, adjustments }) {
  if (!reasons || reasons.length === 0) {
    return [];
  }
  const texts = new Map([...byName(part.reasons.texts), ...adjustments.map(({ code, reason }) => [code, reason])]);
  const told = pointStyle(part);
  const list = element("ol");
  reasons.forEach(({ code, short }) => {
    const words = short === null ? rule.reason : texts.get(code);
    const unit = part.type === "rule-set" ? "votes against" : "points short";
    const points = short === null ? (knockOut === null ? "override" : "knock-out rule") : `${told(short)} ${unit}`;
    list.append(element("li", `${words} (${code}; ${points})`));
  });
  return [element("h4", "What fell short"), list];
}

function madeOf(part, own, found) {
  if (found.parts !== undefined) {
    return [pointsTable(part, own, found.parts)];
  }
  if (found.applying !== undefined) {
    const sentences = found.fallback ? own.fallback : own.rules;
    const heading = found.fallback ? "No rule applies, so the fallback decides" : "Rules that apply";
    return [element("h4", heading), listOf(found.applying.map((position) => sentences[position]))];
  }
  const told = pointStyle(part);
  const leaves = found.leaves.map(({ path, value }, tree) => {
    const way = own.trees[tree][path.map((held) => (held ? "1" : "0")).join("")];
    return `Tree ${tree + 1}: ${way}: ${told(value)}`;
  });
  const folded = element("details");
  folded.append(element("summary", `The leaf of each of the ${leaves.length} trees`), listOf(leaves));
  return [folded];
}

function pointsTable(part, own, parts) {
  const baselines = byName(part.reasons?.baselines ?? {});
  const every = [...parts.map(({ points }) => points), ...baselines.values()];
  const scale = { low: Math.min(0, ...every), high: Math.max(0, ...every) };
  const told = pointStyle(part);
  const head = element("tr");
  ["Characteristic", "Attribute", "Points", ...(baselines.size ? ["Baseline"] : []), "Points as a bar"].forEach(
    (title) => head.append(cell("th", title, { scope: "col", class: HEADS[title] ?? "" })),
  );
  const body = element("tbody");
  parts.forEach(({ feature, attribute, points }, position) => {
    const line = element("tr");
    const { title, attributes } = own.characteristics[position];
    line.append(cell("th", title, { scope: "row", class: room(title) }));
    line.append(cell("td", attributes[attribute], { class: room(attributes[attribute]) }));
    line.append(cell("td", told(points), { class: "number" }));
    if (baselines.size) {
      line.append(cell("td", baselines.has(feature) ? told(baselines.get(feature)) : "", { class: "number" }));
    }
    const drawn = cell("td", "", { class: "bar" });
    drawn.append(bar(points, baselines.get(feature), scale));
    line.append(drawn);
    body.append(line);
  });
  const table = element("table");
  table.append(element("caption", baselines.size ? "Points of each characteristic; the black mark is its baseline" : "Points of each characteristic"));
  const top = element("thead");
  top.append(head);
  table.append(top, body);
  const scrolling = cell("div", "", { class: "scroll", tabindex: "0", role: "region" });
  scrolling.setAttribute("aria-label", "Points of each characteristic");
  scrolling.append(table);
  return scrolling;
}

function bar(points, baseline, { low, high }) {
  const x = (value) => (high > low ? (100 * (value - low)) / (high - low) : 0);
  const picture = svg("svg", { viewBox: "0 0 100 10", preserveAspectRatio: "none", "aria-hidden": "true", class: "bar" });
  const width = Math.max(Math.abs(x(points) - x(0)), points === 0 ? 0 : 1.5);
  const from = points < 0 ? x(0) - width : x(0);
  picture.append(svg("rect", { x: from, y: 2, width, height: 6, class: points < 0 ? "below" : "above" }));
  picture.append(svg("rect", { x: x(0), y: 0, width: 0.5, height: 10, class: "zero" }));
  if (baseline !== undefined) {
    picture.append(svg("rect", { x: x(baseline) - 0.8, y: 0, width: 1.6, height: 10, class: "mark" }));
  }
  return picture;
}

function listOf(texts) {
  const list = element("ul");
  texts.forEach((text) => list.append(element("li", text)));
  return list;
}

function element(tag, text = "", className = "") {
  const made = document.createElement(tag);
  made.textContent = visible(text);
  made.className = className;
  return made;
}

function cell(tag, text, attributes = {}) {
  const made = element(tag, text);
  Object.entries(attributes).forEach(([name, value]) => made.setAttribute(name, value));
  return made;
}

function svg(tag, attributes) {
  const made = document.createElementNS(SVG, tag);
  Object.entries(attributes).forEach(([name, value]) => made.setAttribute(name, value));
  return made;
}

function decimal(value, most, least = 0) {
  return value.toLocaleString("en-US", { maximumFractionDigits: most, minimumFractionDigits: least });
}

function percent(share) {
  return `${decimal(100 * share, 2)}%`;
}

/** A style of points: two decimals, or four digits where all points of the model are small, as in log-odds. */
function pointStyle(part) {
  const attributes = (part.characteristics ?? []).flatMap((each) => each.attributes);
  const cells = (part.interactions ?? []).flatMap((each) => each.points.flat());
  const points = [...attributes.map((attribute) => attribute.points), ...cells];
  const baselines = byName(part.reasons?.baselines ?? {}).values();
  const small = Math.max(0, ...[...points, ...baselines].map(Math.abs)) < SMALL;
  const least = points.every(Number.isInteger) ? 0 : 2;
  return (value) => (small && Math.abs(value) < SMALL ? digits(value) : decimal(value, 2, least));
}

function digits(value) {
  return value.toLocaleString("en-US", { maximumSignificantDigits: 4 });
}

/** A style in which a score that is not the cutoff does not read like it: points as elsewhere, else more decimals. */
function apart(score, cutoff) {
  const small = Math.max(Math.abs(score), Math.abs(cutoff)) < SMALL;
  if (small && (score === cutoff || digits(score) !== digits(cutoff))) {
    return digits;
  }
  let decimals = 2;
  while (decimals < 10 && score !== cutoff && decimal(score, decimals) === decimal(cutoff, decimals)) {
    decimals += 1;
  }
  return (value) => decimal(value, decimals);
}

/** Columns with words too long to be left whole are given room. */
function room(text) {
  return text.split(/\s+/).some((word) => word.length > 16) ? "long" : "whole";
}
