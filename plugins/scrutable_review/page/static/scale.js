// From values of a numeric feature to places on its axis and back: by shares of applicants, or by the values themselves.

export function scaleOf(table, mode, left, right) {
  const { values, below, integer } = table.scale;
  const marks = mode === "share" ? below : values;
  const [first, last] = mode === "share" ? [0, 1] : padded(values);
  const toX = (mark) => left + (right - left) * Math.min(Math.max((mark - first) / (last - first), 0), 1);
  const place = (value) => toX(mode === "share" ? between(value, values, below) : value);
  const exact = (x) => {
    const mark = first + (last - first) * (x - left) / (right - left);
    return mode === "share" ? between(mark, marks, values) : mark;
  };
  const step = (x) => (integer ? 1 : digitStep(Math.abs(exact(x + 1) - exact(x - 1)) / 2, values));
  const rounded = (value, by) => Number((Math.round(value / by) * by).toPrecision(12));
  return { place, step, at: (x) => rounded(exact(x), step(x)), rounded };
}

function padded(values) {
  const [first, last] = [values[0], values[values.length - 1]];
  const room = (last - first) * 0.02 || 1;
  return [first - room, last + room];
}

// The largest power of ten that a step of the pointer does not leap over.
function digitStep(size, values) {
  const range = values[values.length - 1] - values[0] || 1;
  return 10 ** Math.floor(Math.log10(size > 0 ? size : range / 1000));
}

// Linear interpolation; `from` rises.
function between(value, from, to) {
  if (value <= from[0]) return to[0];
  const last = from.length - 1;
  if (value >= from[last]) return to[last];
  let [low, high] = [0, last];
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (from[middle] <= value) low = middle;
    else high = middle;
  }
  return to[low] + (to[high] - to[low]) * (value - from[low]) / (from[high] - from[low]);
}
