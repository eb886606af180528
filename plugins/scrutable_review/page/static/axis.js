// The axis of a numeric feature: bins as fields, cuts as handles that pointer and keys move.

import { cutsOf } from "./edits.js";
import { byId, draw, fill, plainNumber } from "./dom.js";
import { scaleOf } from "./scale.js";

const HEIGHT = 92;
const EDGE = 24;
const [TOP, BOTTOM] = [22, 62];

// `act` has move(at, to), settle(), cancel(), cut(at), drop(at): what handles and the axis ask for.
export function showAxis(table, mode, act) {
  const width = Math.max(byId("axis").clientWidth, 320);
  const scale = scaleOf(table, mode, EDGE, width - EDGE);
  const cuts = cutsOf(table);
  const picture = draw("svg", { width, height: HEIGHT, role: "group", "aria-labelledby": "axis-title" },
    ...fields(table, cuts, scale, width), ...rug(table, scale), ...ends(table, width));
  picture.append(...cuts.map((cut, place) => handle(picture, cuts, place, scale, act, table.scale)));
  picture.addEventListener("dblclick", (event) => {
    const x = event.clientX - picture.getBoundingClientRect().left;
    if (!event.target.closest("[data-cut]")) act.cut(scale.at(x));
  });
  fill(byId("axis"), picture);
}

export function focusCut(value) {
  byId("axis").querySelector(`[aria-valuenow="${plainNumber(value)}"]`)?.focus();
}

function fields(table, cuts, scale, width) {
  const edges = [EDGE, ...cuts.map(scale.place), width - EDGE];
  const intervals = table.attributes.map((row, place) => [row, place]).filter(([row]) => row.kind === "interval");
  return intervals.map(([row, place], order) => draw("rect", {
    class: order % 2 ? "bin odd" : "bin", x: edges[order], y: TOP, width: Math.max(edges[order + 1] - edges[order], 1),
    height: BOTTOM - TOP, "data-bin": place,
  }, draw("title", {}, row.condition)));
}

function rug(table, scale) {
  return table.scale.values.map((value) => {
    const x = scale.place(value);
    return draw("line", { class: "rug", x1: x, x2: x, y1: BOTTOM - 6, y2: BOTTOM });
  });
}

function ends(table, width) {
  const { values } = table.scale;
  return [
    draw("text", { class: "tick", x: EDGE, y: HEIGHT - 2 }, `${plainNumber(values[0], 5)} (least)`),
    draw("text", { class: "tick", x: width - EDGE, y: HEIGHT - 2, "text-anchor": "end" },
      `${plainNumber(values[values.length - 1], 5)} (most)`),
  ];
}

function handle(picture, cuts, place, scale, act, { values }) {
  const start = cuts[place];
  const above = place % 2 === 0;
  const label = draw("text", { class: "cut-label", y: above ? TOP - 8 : BOTTOM + 14, "text-anchor": "middle" });
  const group = draw("g", {
    class: "cut", tabindex: 0, role: "slider", "data-cut": place, "aria-label": `Cut ${place + 1} of ${cuts.length}`,
    "aria-orientation": "horizontal", "aria-valuemin": cuts[place - 1] ?? values[0],
    "aria-valuemax": cuts[place + 1] ?? values[values.length - 1],
  },
  draw("rect", { class: "grip", x: -9, y: TOP - 4, width: 18, height: BOTTOM - TOP + 8 }),
  draw("line", { x1: 0, x2: 0, y1: TOP - 4, y2: BOTTOM + 4 }),
  draw("rect", { class: "knob", x: -5, y: (TOP + BOTTOM) / 2 - 9, width: 10, height: 18, rx: 3 }));
  let now = start;

  // A handle follows the pointer, even where the cut that it stands for leaps from value to value.
  const put = (value, x = scale.place(value)) => {
    now = value;
    group.setAttribute("transform", `translate(${x} 0)`);
    group.setAttribute("aria-valuenow", plainNumber(value));
    label.textContent = plainNumber(value);
    const room = 14 + 3 * label.textContent.length;
    label.setAttribute("x", Math.min(Math.max(x, room), picture.getAttribute("width") - room) - x);
  };
  // Beyond a neighbour it stops a step before it.
  const tryAt = (wanted, x) => {
    const [low, high] = [cuts[place - 1] ?? -Infinity, cuts[place + 1] ?? Infinity];
    const step = scale.step(scale.place(now));
    let value = wanted;
    if (wanted <= low) value = scale.rounded(low + step, step);
    if (wanted >= high) value = scale.rounded(high - step, step);
    if (value <= low || value >= high) return;
    const isNew = value !== now;
    put(value, value === wanted ? x : undefined);
    if (isNew) act.move(start, value);
  };
  const settle = () => {
    put(now);
    if (now !== start) act.settle();
  };
  const back = () => {
    put(start);
    act.cancel();
  };
  group.append(label);
  put(start);
  byPointer(group, (at) => {
    const x = at - picture.getBoundingClientRect().left;
    tryAt(scale.at(x), x);
  }, settle, back);
  byKeys(group, {
    by: (steps) => tryAt(scale.rounded(now + steps * scale.step(scale.place(now)), scale.step(scale.place(now)))),
    settle, back, drop: () => act.drop(start),
  });
  group.addEventListener("blur", () => now !== start && act.left(back));
  return group;
}

function byPointer(group, to, settle, back) {
  let dragged = false;
  group.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    dragged = true;
    group.setPointerCapture(event.pointerId);
    event.stopPropagation();
  });
  group.addEventListener("pointermove", (event) => dragged && to(event.clientX));
  group.addEventListener("pointerup", () => {
    if (dragged) settle();
    dragged = false;
  });
  group.addEventListener("pointercancel", () => {
    if (dragged) back();
    dragged = false;
  });
  group.addEventListener("keydown", (event) => {
    if (event.key === "Escape") dragged = false;
  });
}

function byKeys(group, { by, settle, back, drop }) {
  const steps = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1, PageDown: -10, PageUp: 10 };
  group.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key in steps) by(steps[event.key] * (event.shiftKey ? 10 : 1));
    else if (event.key === "Enter") settle();
    else if (event.key === "Escape") back();
    else if (event.key === "Delete") drop();
    else return;
    event.preventDefault();
  });
}
