// The dialog that asks why, before an edit is recorded.

import { byId, change, fill, make, plainNumber, typed } from "./dom.js";

let settled = null;

// Asks until the edit is recorded, by `record`, or given up. `value` names the field that may still be typed anew.
export function ask(edit, value, who, preview, record) {
  const wanted = { ...edit };
  for (const id of ["ask-what", "ask-problem"]) byId(id).textContent = "";
  fill(byId("ask-effect"));
  byId("ask-why").value = "";
  byId("ask-who").value = who;
  byId("ask-value-label").hidden = value === null;
  byId("ask-value").value = value === null ? "" : plainNumber(edit[value]);
  byId("ask-value").oninput = () => {
    const number = typed(byId("ask-value").value);
    if (number === null) return;
    wanted[value] = number;
    preview({ ...wanted });
  };
  byId("ask-form").onsubmit = async (event) => {
    event.preventDefault();
    const why = byId("ask-why").value.trim();
    if (value !== null && typed(byId("ask-value").value) === null) return problem("Give a number.", "ask-value");
    if (why === "") return problem("Say why: the audit trail needs a reason.", "ask-why");
    byId("ask-record").disabled = true;
    try {
      await record({ ...wanted, why, who: byId("ask-who").value.trim() });
      finish();
    } catch (error) {
      problem(error.message, "ask-why");
    } finally {
      byId("ask-record").disabled = false;
    }
  };
  byId("ask").showModal();
  byId("ask-why").focus();
  return new Promise((resolve) => { settled = resolve; });
}

// What the edit would do: a text, and figures before and after.
export function showEffect(text, figures) {
  showProblem("");
  fill(byId("ask-what"), text);
  fill(byId("ask-effect"), ...figures.flatMap(([name, before, after]) => [
    make("dt", {}, name), make("dd", {}, change(before, after)),
  ]));
}

export function showProblem(text) {
  fill(byId("ask-problem"), text);
}

function finish() {
  byId("ask").close();
  settled?.();
  settled = null;
}

function problem(text, field) {
  showProblem(text);
  byId(field).focus();
}

byId("ask-cancel").addEventListener("click", finish);
byId("ask").addEventListener("close", finish);
