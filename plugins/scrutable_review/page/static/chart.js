// Bars for the share of each bin, points for its bad rate, and beneath them its weight of evidence.

import { byId, draw, fill, fixed, make, percent } from "./dom.js";

const HEIGHT = 250;
const EDGE = { left: 46, right: 46, top: 22, bottom: 50 };
const COLOURS = ["#0072B2", "#009E73", "#CC79A7", "#7F5AA2", "#56B4E9", "#9A6B00"];
const SHAPES = ["square", "triangle", "diamond", "cross", "down", "bar"];
const DASHES = ["6 3", "2 3", "8 3 2 3", "4 4", "1 3", "10 4"];
const BAD = "#B34700";

export function showChart(table, by) {
  const width = Math.max(byId("chart").clientWidth, 320);
  const rows = table.attributes;
  const lines = [{ name: "all", colour: BAD, shape: "circle", dash: null, rates: rows.map((row) => row.bad_rate) }];
  const names = by === "" ? [] : Object.keys(rows[0].groups[by] ?? {});
  names.forEach((name, place) => lines.push({
    name, colour: COLOURS[place % COLOURS.length], shape: SHAPES[place % SHAPES.length],
    dash: DASHES[place % DASHES.length], rates: rows.map((row) => row.groups[by][name].bad_rate),
  }));
  const rates = lines.flatMap((line) => line.rates).filter((rate) => rate !== null);
  const space = {
    width, step: (width - EDGE.left - EDGE.right) / rows.length,
    share: topOf(Math.max(...rows.map((row) => row.share), 0.05)), rate: topOf(Math.max(...rates, 0.05)),
  };
  const picture = draw("svg", { width, height: HEIGHT, role: "img", "aria-label": spoken(table) },
    ...axes(space), ...rows.flatMap((row, place) => column(row, place, space)),
    ...lines.reverse().flatMap((line) => drawLine(line, rows, space)));
  fill(byId("chart"), picture);
  fill(byId("legend"), key("bar", "#c3d3e2", null, "share of applicants (left)"),
    ...lines.reverse().map((line) => key(line.shape, line.colour, line.dash,
      line.name === "all" && line.colour === BAD ? "bad rate (right)" : `bad rate of ${line.name}`)));
}

function topOf(largest) {
  const steps = [0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.8, 1];
  return steps.find((step) => largest <= step) ?? 1;
}

function middle(place, space) {
  return EDGE.left + space.step * (place + 0.5);
}

function height(part) {
  return HEIGHT - EDGE.bottom - part * (HEIGHT - EDGE.top - EDGE.bottom);
}

function axes(space) {
  const found = [];
  for (const part of [0, 0.5, 1]) {
    const y = height(part);
    found.push(draw("line", { class: "grid", x1: EDGE.left, x2: space.width - EDGE.right, y1: y, y2: y }));
    found.push(draw("text", { class: "tick", x: EDGE.left - 6, y: y + 4, "text-anchor": "end" }, tick(part * space.share)));
    found.push(draw("text", { class: "tick bad", x: space.width - EDGE.right + 6, y: y + 4 }, tick(part * space.rate)));
  }
  return found;
}

function tick(value) {
  return `${Number((100 * value).toFixed(1))}%`;
}

function column(row, place, space) {
  const x = middle(place, space);
  const wide = Math.min(space.step * 0.72, 120);
  const y = height(row.share / space.share);
  const isOrdinary = row.kind === "interval" || row.kind === "categories";
  const bar = draw("rect", {
    class: isOrdinary ? "share" : "share aside", x: x - wide / 2, y, width: wide,
    height: HEIGHT - EDGE.bottom - y, "data-bin": place,
  });
  const field = draw("rect", {
    class: "field", x: EDGE.left + space.step * place, y: EDGE.top, width: space.step, height: HEIGHT - EDGE.top,
    "data-bin": place,
  }, draw("title", {}, titleOf(row)));
  const woe = row.woe_used === row.woe ? `WoE ${fixed(row.woe, 2)}` : `WoE ${fixed(row.woe_used, 2)} (${row.policy})`;
  return [field, bar,
    draw("text", { class: "name", x, y: HEIGHT - EDGE.bottom + 18, "text-anchor": "middle" }, short(nameOf(row), space.step)),
    draw("text", { class: "woe", x, y: HEIGHT - EDGE.bottom + 36, "text-anchor": "middle" }, short(woe, space.step)),
  ];
}

// The words of the table, as far as there is room for them.
function nameOf(row) {
  return row.kind === "special" ? row.condition.replace("special ", "") : row.condition;
}

function titleOf(row) {
  return `${row.condition}: share ${percent(row.share)}, bad rate ${percent(row.bad_rate)}, WoE ${fixed(row.woe, 3)}`;
}

function short(text, room) {
  const letters = Math.max(Math.floor(room / 7), 3);
  return text.length <= letters ? text : `${text.slice(0, letters - 1)}…`;
}

function drawLine(line, rows, space) {
  const isAll = line.shape === "circle";
  const at = (place) => [middle(place, space), height(line.rates[place] / space.rate)];
  const seen = rows.map((_, place) => place).filter((place) => line.rates[place] !== null);
  const found = [];
  const ordered = seen.filter((place) => rows[place].kind === "interval");
  if (ordered.length > 1) {
    found.push(draw("polyline", {
      class: "line", points: ordered.map((place) => at(place).join(",")).join(" "), stroke: line.colour,
      "stroke-dasharray": line.dash,
    }));
  }
  for (const place of seen) {
    const [x, y] = at(place);
    found.push(marker(line.shape, x, y, line.colour));
    if (isAll) found.push(draw("text", { class: "rate", x, y: y - 9, "text-anchor": "middle" }, percent(line.rates[place])));
  }
  return found;
}

function marker(shape, x, y, colour) {
  const corners = {
    square: [[-4, -4], [4, -4], [4, 4], [-4, 4]], triangle: [[0, -5], [5, 4], [-5, 4]],
    diamond: [[0, -5], [5, 0], [0, 5], [-5, 0]], down: [[0, 5], [5, -4], [-5, -4]], bar: [[-6, -2], [6, -2], [6, 2], [-6, 2]],
    cross: [[-5, -2], [-2, -2], [-2, -5], [2, -5], [2, -2], [5, -2], [5, 2], [2, 2], [2, 5], [-2, 5], [-2, 2], [-5, 2]],
  }[shape];
  if (!corners) return draw("circle", { class: "mark", cx: x, cy: y, r: 4.5, fill: colour });
  return draw("polygon", { class: "mark", points: corners.map(([dx, dy]) => `${x + dx},${y + dy}`).join(" "), fill: colour });
}

function key(shape, colour, dash, text) {
  const icon = draw("svg", { width: 34, height: 14, "aria-hidden": "true" });
  if (text.startsWith("share")) icon.append(draw("rect", { class: "share", x: 9, y: 1, width: 16, height: 12 }));
  else {
    icon.append(draw("line", { class: "line", x1: 1, x2: 33, y1: 7, y2: 7, stroke: colour, "stroke-dasharray": dash }));
    icon.append(marker(shape, 17, 7, colour));
  }
  return make("span", {}, icon, text);
}

function spoken(table) {
  return `Share and bad rate of ${table.attributes.length} bins; the binning table below has the figures`;
}
