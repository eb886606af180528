// From what a hand does to bins to the edit that says it. An edit is null, or a text, where there is none to make.

export function cutsOf(table) {
  return table.attributes.filter((each) => each.kind === "interval" && each.upper !== null).map((each) => each.upper);
}

export function mergeOfTwo(table, from, onto) {
  const [one, other] = [table.attributes[from], table.attributes[onto]];
  const kinds = [one.kind, other.kind];
  if (from === onto) return null;
  if (kinds.every((kind) => kind === "interval")) return mergeOfMany(table, [from, onto]);
  if (kinds.every((kind) => kind === "categories")) return mergeOfMany(table, [from, onto]);
  const isBin = other.kind === "interval" || other.kind === "categories";
  if (isBin && (one.kind === "missing" || one.kind === "special")) return policy(table, one, "with", other);
  return "Only missing values and special codes can be put with a bin of another kind.";
}

export function mergeOfMany(table, positions) {
  const chosen = positions.map((position) => table.attributes[position]);
  const feature = table.feature;
  if (chosen.length < 2) return "Select at least two bins.";
  if (chosen.every((each) => each.kind === "categories")) {
    return { feature, action: "merge", values: chosen.map((each) => each.values[0]) };
  }
  if (!chosen.every((each) => each.kind === "interval")) return "Select intervals only, or groups of categories only.";
  const sorted = [...positions].sort((a, b) => a - b);
  if (sorted.some((position, place) => place && position !== sorted[place - 1] + 1)) {
    return "Only intervals that lie side by side can be merged.";
  }
  const dropped = sorted.slice(1).map((position) => table.attributes[position].lower);
  if (dropped.length === 1) return { feature, action: "merge", at: dropped[0] };
  return { feature, action: "cuts", cuts: cutsOf(table).filter((cut) => !dropped.includes(cut)) };
}

// The categories join a group that is there, or leave the rest of it as it is.
export function moved(table, values, onto) {
  const target = table.attributes[onto];
  if (target.kind !== "categories") return "Categories can only join a group of categories.";
  const joining = values.filter((value) => !target.values.includes(value));
  if (!joining.length) return null;
  return { feature: table.feature, action: "merges", groups: [[...target.values, ...joining]] };
}

export function split(table, values) {
  if (!values.length) return "Select the categories to split off.";
  return { feature: table.feature, action: "split", values };
}

export function policy(table, attribute, name, bin) {
  const edit = { feature: table.feature, action: attribute.kind, policy: name };
  if (attribute.kind === "special") edit.codes = attribute.values;
  if (bin) edit.bin = valueIn(table, bin);
  return edit;
}

// A value that lies in a bin: the smallest that was seen, where the bin is open below.
function valueIn(table, bin) {
  if (bin.kind === "categories") return bin.values[0];
  if (bin.lower !== null) return bin.lower;
  const smallest = table.scale && table.scale.values.length ? table.scale.values[0] : 0;
  if (bin.upper === null || smallest < bin.upper) return smallest;
  return bin.upper - Math.max(1, Math.abs(bin.upper));
}
