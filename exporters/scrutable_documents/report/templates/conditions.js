// Conditions on one value. A value is null (missing), a number in numeric features, or a text in categorical ones.

/** Whether a number lies in an interval; infinite ends are written as texts, and always belong to it. */
function inside(interval, value) {
  const lower = Number(readEnd(interval.lower ?? "-inf"));
  const upper = Number(readEnd(interval.upper ?? "inf"));
  const closed = interval.closed ?? "left";
  const closedLower = closed === "left" || closed === "both" || lower === -Infinity;
  const closedUpper = closed === "right" || closed === "both" || upper === Infinity;
  return (closedLower ? value >= lower : value > lower) && (closedUpper ? value <= upper : value < upper);
}

/** Whether a value satisfies a condition: a special code is only ever special, and a missing value only ever missing. */
function holds(condition, specialCodes, value) {
  if (condition.type === "missing" || value === null) {
    return condition.type === "missing" && value === null;
  }
  if (condition.type === "special" || specialCodes.includes(value)) {
    return condition.type === "special" && condition.codes.includes(value);
  }
  if (condition.type === "categories") {
    return condition.values.includes(value) !== (condition.negated ?? false);
  }
  return condition.type === "interval" && inside(condition, value);
}

/** Whether every clause holds: each needs one of its conditions. */
function allHold(clauses, row) {
  return clauses.every((clause) => {
    const { specialCodes, value } = row.get(clause.feature);
    return clause.any_of.some((condition) => holds(condition, specialCodes, value));
  });
}

/** Position of the attribute that a value has: the one whose condition holds, else the one for any other value. */
function attributeOf(attributes, cell) {
  const found = attributes.findIndex(({ condition }) => holds(condition, cell.specialCodes, cell.value));
  return found >= 0 ? found : attributes.findIndex(({ condition }) => condition.type === "otherwise");
}

function readEnd(end) {
  return end === "inf" ? Infinity : end === "-inf" ? -Infinity : end;
}
