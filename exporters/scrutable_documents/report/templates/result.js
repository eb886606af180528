// What the page shows of a result. All that comes from the model becomes text, never HTML, and steers nothing.

const SVG = "http://www.w3.org/2000/svg";
/** Below it, two decimals would not tell points and scores in log-odds apart. */
const SMALL = 10;
/** How headers of the table of points look. */
const HEADS = { Points: "number", Baseline: "number", "Points as a bar": "bar" };

/** Fill the places of the result: a sentence that is read out, the reasons, and what the score is made of. */
function show(words, row) {
  const result = scored_0(row);
  const segment = words.segments === null ? null : words.segments.indexOf(result.segment);
  const part = words.parts[segment ?? 0];
  const own = segment === null ? result : globalThis[`scored_${segment + 1}`](row);
  const name = segment === null ? [] : [element("p", `Segment: ${result.segment}`)];
  document.getElementById("summary").replaceChildren(...name, ...summary(part, result, own));
  document.getElementById("why").replaceChildren(...reasonList(part, result));
  document.getElementById("made-of").replaceChildren(...madeOf(part, result, own));
}

/** Say that a result needs a number in every marked field. */
function showIncomplete() {
  const said = element("p", "Type a number in every marked field, or tick that it is missing.");
  document.getElementById("summary").replaceChildren(said);
  ["why", "made-of"].forEach((id) => document.getElementById(id).replaceChildren());
}

function summary(part, result, own) {
  if (part.outcome !== undefined) {
    return [element("p", `${part.outcome}: ${decimal(result.score, 4)}`, "score")];
  }
  if (part.cutoff === null) {
    const shares = part.classes.map((name, position) => `${name} ${percent(result[`probability_${position}`])}`);
    return [element("p", `Class: ${part.classes[result.predicted]}`, "score"), element("p", shares.join(", "))];
  }
  const told = apart(result.score, part.cutoff);
  const score = `Score ${told(result.score)}, cutoff ${told(part.cutoff)}`;
  const decision = result.approved ? "Favourable decision" : "Unfavourable decision";
  const lines = [element("p", `${decision}. ${score}.`, result.approved ? "score approved" : "score declined")];
  const rule = decidingRule(part, result);
  if (rule !== undefined) {
    const kind = rule.kind === "override" ? "Override" : "Knock-out rule";
    lines.push(element("p", `${kind}, whatever the score: ${rule.reason}`));
  }
  part.adjustments.forEach(({ code, reason }) => {
    const points = own[`adjusting_${code}`];
    if (points !== 0) {
      lines.push(element("p", `Score adjustment of ${pointStyle(part)(points)} points: ${reason}`));
    }
  });
  if ((result.grade ?? null) !== null) {
    lines.push(element("p", `Grade: ${result.grade}`));
  }
  const chance = `Probability of ${part.favourable}: ${percent(result.probability)}`;
  return [...lines, element("p", `${chance}.`)];
}

/** The knock-out or override that decides, if any. */
function decidingRule(part, result) {
  const code = result.knock_out ?? result.override ?? null;
  return part.deciding.find((rule) => rule.code === code);
}

function reasonList(part, result) {
  const texts = new Map(part.texts ?? []);
  const list = element("ol");
  for (let rank = 1; (result[`reason_${rank}`] ?? null) !== null; rank += 1) {
    const code = result[`reason_${rank}`];
    const short = result[`short_${rank}`];
    const rule = Number.isNaN(short) ? decidingRule(part, result) : undefined;
    const by = rule === undefined ? `${pointStyle(part)(short)} ${part.unit}` : rule.kind.replace("knock-out", "knock-out rule");
    list.append(element("li", `${rule?.reason ?? texts.get(code)} (${code}; ${by})`));
  }
  return list.children.length > 0 ? [element("h4", "What fell short"), list] : [];
}

function madeOf(part, result, own) {
  if (part.characteristics !== undefined) {
    return [pointsTable(part, own)];
  }
  if (part.rules === undefined) {
    return [];
  }
  const sentences = new Map(part.rules);
  const applying = result.rules.split(" ");
  const heading = result.rules.startsWith("F") ? "No rule applies, so the fallback decides" : "Rules that apply";
  return [element("h4", heading), listOf(applying.map((number) => sentences.get(number)))];
}

function pointsTable(part, own) {
  const every = part.characteristics.flatMap(({ name, baseline }) => [own[`points_${name}`], baseline ?? 0]);
  const scale = { low: Math.min(0, ...every), high: Math.max(0, ...every) };
  const hasBaselines = part.characteristics.some(({ baseline }) => baseline !== null);
  const told = pointStyle(part);
  const head = element("tr");
  ["Characteristic", "Attribute", "Points", ...(hasBaselines ? ["Baseline"] : []), "Points as a bar"].forEach(
    (title) => head.append(cell("th", title, { scope: "col", class: HEADS[title] ?? "" })),
  );
  const body = element("tbody");
  part.characteristics.forEach(({ name, title, attributes, baseline }) => {
    const [points, attribute] = [own[`points_${name}`], attributes[own[`attribute_${name}`]]];
    const line = element("tr");
    line.append(cell("th", title, { scope: "row", class: room(title) }));
    line.append(cell("td", attribute, { class: room(attribute) }));
    line.append(cell("td", told(points), { class: "number" }));
    if (hasBaselines) {
      line.append(cell("td", baseline === null ? "" : told(baseline), { class: "number" }));
    }
    const drawn = cell("td", "", { class: "bar" });
    drawn.append(bar(points, baseline, scale));
    line.append(drawn);
    body.append(line);
  });
  const caption = `Points of each characteristic${hasBaselines ? "; the black mark is its baseline" : ""}`;
  const table = element("table");
  table.append(element("caption", caption));
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
  if (baseline !== null) {
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
function pointStyle({ small, decimals }) {
  return (value) => (small && Math.abs(value) < SMALL ? digits(value) : decimal(value, 2, decimals));
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
