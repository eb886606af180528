// Elements and texts. Whatever comes from data becomes a text node or an attribute, never markup, and steers nothing.

import { visible } from "./visible.js";

/** Attributes that are shown or read out. */
const SHOWN = ["aria-label", "title"];
const SVG = "http://www.w3.org/2000/svg";

export function byId(id) {
  return document.getElementById(id);
}

export function make(tag, attributes = {}, ...children) {
  return filled(document.createElement(tag), attributes, children);
}

export function draw(tag, attributes = {}, ...children) {
  return filled(document.createElementNS(SVG, tag), attributes, children);
}

export function fill(parent, ...children) {
  parent.replaceChildren(...shown(children));
}

export function options(select, pairs, chosen) {
  fill(select, ...pairs.map(([value, text]) => {
    const option = make("option", { value }, text);
    option.selected = value === chosen;
    return option;
  }));
}

// Figures as bankers read them; a figure that is not known is a dash.
export function percent(value) {
  return isKnown(value) ? `${(100 * Number(value)).toFixed(1)}%` : "–";
}

export function fixed(value, digits) {
  if (!isKnown(value)) return "–";
  const text = Number(value).toFixed(digits);
  return Number(text) === 0 ? (0).toFixed(digits) : text;
}

// An information value; null stands for one without bound, where one of two groups has a bin to itself.
export function information(value) {
  return value === null ? "∞" : fixed(value, 4);
}

export function change(before, after) {
  return `${information(before)} → ${information(after)}`;
}

export function count(value) {
  const number = Number(value);
  return Number.isInteger(number) ? number.toLocaleString("en") : number.toLocaleString("en", { maximumFractionDigits: 1 });
}

// A number with all of its digits, as tables spell it, or with fewer.
export function plainNumber(value, digits = 17) {
  const number = Number(Number(value).toPrecision(digits));
  const size = Math.abs(number);
  if (number !== 0 && (size < 1e-4 || size >= 1e16)) {
    return number.toExponential().replace(/e([+-])(\d)$/, (_, sign, digit) => `e${sign}0${digit}`);
  }
  return size >= 1e15 && Number.isInteger(number) ? `${number}.0` : String(number);
}

// A number that somebody typed, or null.
export function typed(text) {
  const cleaned = text.trim();
  return cleaned !== "" && Number.isFinite(Number(cleaned)) ? Number(cleaned) : null;
}

function isKnown(value) {
  return value !== null && value !== undefined;
}

function filled(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    element.setAttribute(name, value === true ? "" : SHOWN.includes(name) ? visible(value) : value);
  }
  element.append(...shown(children));
  return element;
}

function shown(children) {
  return children.map((child) => (typeof child === "string" ? visible(child) : child));
}
