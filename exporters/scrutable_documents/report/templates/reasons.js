// The reasons of a decision, ranked by the model's reason policy.

/**
 * The reasons with their shortfalls, the largest first, ties in the policy's order, score adjustments last; a rule that
 * declines comes before all, unless it may not be told, and stands alone where the score reaches the cutoff.
 */
function rankedReasons(model, row, votes, found) {
  const policy = model.reasons ?? null;
  if (policy === null) {
    return null;
  }
  const told = found.declined && (found.rule.explained ?? true);
  const first = told ? [{ code: found.rule.code, short: null }] : [];
  if (found.declined && found.passed) {
    return first;
  }
  const short = new Map();
  SHORTFALLS[model.type](model, row, votes, found).forEach(([code, by]) => {
    short.set(code, Math.max(short.get(code) ?? 0, by));
  });
  const taking = found.adjustments.filter(({ points, explained = true }) => explained && points < 0);
  taking.forEach(({ code, points }) => short.set(code, -points));
  const ranked = [...policy.order, ...taking.map(({ code }) => code)]
    .filter((code) => (short.get(code) ?? 0) > 0)
    .map((code) => ({ code, short: short.get(code) }))
    .sort((one, other) => other.short - one.short); // a stable sort keeps the order of ties
  return [...first, ...ranked].slice(0, policy.k ?? 4);
}

/** By kind of model: codes, each with how far one of the features that carry it falls short. */
const SHORTFALLS = {
  scorecard: shortOfPoints,
  "rule-set": (model, row, votes, found) => coded(model, shortOfRules(model, votes, found)),
  "tree-ensemble": (model, row) => coded(model, shortOfTrees(model, row)),
};

/** The baseline of each characteristic and interaction minus its points; an attribute may have a code of its own. */
function shortOfPoints(model, row, votes, found) {
  const [baselines, codes] = [byName(model.reasons.baselines), byName(model.reasons.codes)];
  return found.parts.map(({ feature, attribute, points }, position) => {
    const own = model.characteristics[position]?.attributes[attribute].reason_code;
    return [own ?? codes.get(feature), baselines.get(feature) - points];
  });
}

/** By feature, the weight of the rules that decide, vote against the applicant and read it. */
function shortOfRules(model, votes, found) {
  const short = new Map();
  const [rules, classes] = found.fallback ? [model.fallback, votes.fallback] : [model.rules, votes.rules];
  found.applying
    .filter((position) => classes[position] !== votes.favourable)
    .forEach((position) => {
      const { when, weight = 1 } = rules[position];
      when.forEach(({ feature }) => short.set(feature, (short.get(feature) ?? 0) + weight));
    });
  return short;
}

/** By feature, its baseline minus what its own trees give and what each leaf of the others adds for it. */
function shortOfTrees(model, row) {
  const short = byName(model.reasons.baselines);
  const effects = [...(model.reasons.effects ?? [])];
  const subtract = (feature, points) => short.set(feature, short.get(feature) - points);
  model.trees.forEach((tree) => {
    const leaves = pathsOf(tree);
    const features = new Set(leaves.flatMap(({ path }) => path.map(([clause]) => clause.feature)));
    if (features.size === 1) {
      const { value } = leaves.find(({ path }) => keeps(path, row));
      features.forEach((feature) => subtract(feature, value));
    } else if (features.size > 1) {
      effects.shift().forEach(({ features: read, values }, leaf) => {
        const own = (feature) => leaves[leaf].path.filter(([clause]) => clause.feature === feature);
        const satisfied = read.reduce((bits, feature, bit) => bits + (keeps(own(feature), row) ? 2 ** bit : 0), 0);
        read.forEach((feature, position) => subtract(feature, values[satisfied][position]));
      });
    }
  });
  return short;
}

/** Every leaf of a tree with the clauses on its path and whether each holds there; `then` before `otherwise`. */
function pathsOf(node, path = []) {
  if (node.type === "leaf") {
    return [{ path, value: node.value }];
  }
  return [...pathsOf(node.then, [...path, [node.when, true]]), ...pathsOf(node.otherwise, [...path, [node.when, false]])];
}

function keeps(path, row) {
  return path.every(([clause, wanted]) => allHold([clause], row) === wanted);
}

function coded(model, short) {
  const codes = byName(model.reasons.codes);
  return [...short].filter(([feature]) => codes.has(feature)).map(([feature, by]) => [codes.get(feature), by]);
}

/** An object of a model's file by its keys, whatever they are. */
function byName(data) {
  return new Map(Object.entries(data));
}
