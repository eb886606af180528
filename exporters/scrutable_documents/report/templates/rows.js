// Whole tables in, and the columns out that Scrutable's evaluator returns.

/** The results of each row of a table, a list a column. JSON writes a double as the shortest decimal that reads as it. */
function evaluateRows({ columns, n_rows: count, results }) {
  const table = columns.map(([name, kind, cells]) => [name, kind === "numeric" ? cells.map(readNumber) : cells]);
  const told = results.map(() => []);
  for (let row = 0; row < count; row += 1) {
    const result = scored_0(new Map(table.map(([name, cells]) => [name, cells[row]])));
    results.forEach((name, position) => told[position].push(result[name] ?? null));
  }
  return told;
}

function readNumber(cell) {
  return cell === "inf" ? Infinity : cell === "-inf" ? -Infinity : cell;
}

/** JSON without a letter that HTML or an encoding could change. */
function asciiJson(data) {
  return JSON.stringify(data).replace(
    /[<>&\u007f-\uffff]/g,
    (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
