// Dragging of bins and of categories, wherever they are drawn, on one another.

import { make } from "./dom.js";

const FAR = 5;

// `find(target)` says what lies there, or null; `drop(what, onto)` gets what was dragged and what it was dropped on.
export function dragging(area, find, drop) {
  let started = null;
  let ghost = null;

  const end = () => {
    started = null;
    ghost?.remove();
    ghost = null;
    for (const each of document.querySelectorAll(".over")) each.classList.remove("over");
  };
  const under = (event) => {
    const target = document.elementFromPoint(event.clientX, event.clientY);
    return target && area.contains(target) ? find(target) : null;
  };
  area.addEventListener("pointerdown", (event) => {
    const what = event.button === 0 ? find(event.target) : null;
    if (what?.label) started = { what, x: event.clientX, y: event.clientY, pointer: event.pointerId };
  });
  area.addEventListener("pointermove", (event) => {
    if (!started) return;
    if (!ghost) {
      if (Math.hypot(event.clientX - started.x, event.clientY - started.y) < FAR) return;
      area.setPointerCapture(started.pointer);
      ghost = ghostOf(started.what.label);
    }
    ghost.style.left = `${event.clientX + 12}px`;
    ghost.style.top = `${event.clientY + 12}px`;
    for (const each of area.querySelectorAll(".over")) each.classList.remove("over");
    under(event)?.element.classList.add("over");
  });
  area.addEventListener("pointerup", (event) => {
    const [what, onto] = [started?.what, ghost ? under(event) : null];
    const wasDragged = ghost !== null;
    end();
    if (!wasDragged) return;
    area.addEventListener("click", stop, { capture: true, once: true });
    setTimeout(() => area.removeEventListener("click", stop, { capture: true }), 0);
    if (onto && onto.element !== what.element) drop(what, onto);
  });
  area.addEventListener("pointercancel", end);
  document.addEventListener("keydown", (event) => event.key === "Escape" && end());
}

// The click that ends a drag selects nothing.
function stop(event) {
  event.stopPropagation();
  event.preventDefault();
}

function ghostOf(text) {
  const ghost = make("div", { class: "ghost" }, text);
  document.body.append(ghost);
  return ghost;
}
