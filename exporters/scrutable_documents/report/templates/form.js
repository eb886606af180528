// The form: a field a feature, as the page holds them, and the value that each of them stands for.

/** The value of every feature by name, or null where some field holds no number; such fields are marked. */
function readForm(fields) {
  const values = new Map();
  let complete = true;
  fields.forEach((field, position) => {
    const read = field.kind === "numeric" ? readNumberField(field, position) : readChoice(field, position);
    complete &&= read !== undefined;
    values.set(field.name, read);
  });
  return complete ? values : null;
}

function readNumberField({ specials }, position) {
  const [input, missing] = [control("value", position), control("missing", position)];
  const code = control("code", position)?.value ?? "";
  input.disabled = missing.checked || code !== "";
  const invalid = !input.disabled && !Number.isFinite(input.valueAsNumber);
  input.setAttribute("aria-invalid", String(invalid));
  if (missing.checked) {
    return null;
  }
  if (code !== "") {
    return specials[Number(code)];
  }
  return invalid ? undefined : input.valueAsNumber;
}

function readChoice({ options, other }, position) {
  const { value } = control("value", position);
  return value === "missing" ? null : value === "other" ? other : options[Number(value)];
}

function control(what, position) {
  return document.getElementById(`${what}-${position}`);
}
