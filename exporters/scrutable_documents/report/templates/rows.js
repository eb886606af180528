// Whole tables in, and the columns out that Scrutable's evaluator returns.

/** The results of each row of a table, a list a column. JSON writes a double as the shortest decimal that reads as it. */
function evaluateRows(model, votes, { columns, n_rows: count, results }) {
  const table = columns.map(([name, kind, cells]) => [name, kind === "numeric" ? cells.map(readNumber) : cells]);
  const found = results.map(() => []);
  for (let row = 0; row < count; row += 1) {
    const values = new Map(table.map(([name, cells]) => [name, cells[row]]));
    const record = recordOf(model, evaluate(model, values, votes));
    results.forEach((name, position) => found[position].push(record.get(name) ?? null));
  }
  return found;
}

/** What is found of a row, by the names of the columns. */
function recordOf(model, found) {
  const record = new Map();
  if (found.segment !== undefined) {
    record.set("segment", model.segments[found.segment].name);
  }
  if (found.score === undefined) {
    found.classScores.forEach((score, position) => record.set(`score_${position}`, score));
    found.classProbability.forEach((share, position) => record.set(`probability_${position}`, share));
    record.set("predicted", found.predicted);
  } else {
    record.set("score", found.score).set("probability", found.probability);
    record.set("approved", found.approved ? 1 : 0).set("knock_out", found.knockOut?.code);
    record.set("override", found.override?.code).set("adjustment", found.adjustment).set("grade", found.grade);
  }
  (found.parts ?? []).forEach(({ feature, points }) => record.set(`points_${feature}`, points));
  (found.reasons ?? []).forEach(({ code, short }, position) => {
    record.set(`reason_${position + 1}`, code).set(`short_${position + 1}`, short);
  });
  if (found.applying !== undefined) {
    record.set("rules", found.applying.map((position) => `${found.fallback ? "F" : ""}${position + 1}`).join(" "));
  }
  return record;
}

function readNumber(cell) {
  return typeof cell === "string" ? readEnd(cell) : cell;
}

/** JSON without a letter that HTML or an encoding could change. */
function asciiJson(data) {
  return JSON.stringify(data).replace(
    /[<>&\u007f-\uffff]/g,
    (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
