// What a model says of one applicant. The definition is Scrutable's evaluator; this gives the same bits.

/**
 * Evaluate a model as its file holds it.
 *
 * `values` has the value of each feature by name. `votes` holds, for a rule set, the position of the class that each of
 * its rules votes for, and that of the favourable class; for a segmented model, the same of each segment. Sums of points
 * are exact in any order.
 */
function evaluate(model, values, votes) {
  if (model.type === "segmented-model") {
    return evaluateSegment(model, values, votes);
  }
  const row = rowOf(model.features, values);
  const found = EVALUATORS[model.type](model, row, votes);
  if (model.type === "regression-scorecard" || found.score === undefined) {
    return found;
  }
  applyPolicy(model.policy ?? {}, row, found);
  found.probability ??= probabilityOf(model.calibration, found.score);
  found.cutoff = model.cutoff;
  found.passed = found.score >= model.cutoff;
  found.approved = found.rule === null ? found.passed : !found.declined;
  found.reasons = rankedReasons(model, row, votes, found);
  return found;
}

/** Add what adjusts the score, and find the rule that decides, if any, and the grade. */
function applyPolicy({ knock_outs: knockOuts = [], adjustments = [], overrides = [], grades = [] }, row, found) {
  const applying = (rules) => rules.filter(({ when }) => allHold(when, row));
  found.adjustments = applying(adjustments);
  found.adjustment = found.adjustments.reduce((sum, { points }) => sum + points, 0);
  found.score += found.adjustment;
  found.knockOut = applying(knockOuts)[0] ?? null;
  found.override = found.knockOut === null ? (applying(overrides)[0] ?? null) : null;
  found.rule = found.knockOut ?? found.override;
  found.declined = found.knockOut !== null || found.override?.decision === "decline";
  found.grade = grades.find(({ at_least: limit = "-inf" }) => found.score >= Number(readEnd(limit)))?.name;
}

const EVALUATORS = {
  scorecard: addPoints,
  "regression-scorecard": addPoints,
  "rule-set": evaluateRules,
  "tree-ensemble": evaluateTrees,
};

function evaluateSegment(model, values, votes) {
  const routing = rowOf(model.routing ?? [], values);
  const position = model.segments.findIndex(({ when = [] }) => allHold(when, routing));
  const found = evaluate(model.segments[position].model, values, votes[position]);
  return { ...found, segment: position };
}

/** By name, the value of each feature, and which of its values are special codes. */
function rowOf(features, values) {
  const cells = features.map(({ name, special_codes: specialCodes = [] }) => {
    return [name, { specialCodes, value: values.get(name) }];
  });
  return new Map(cells);
}

/** The score, and of each characteristic and interaction its name, the attribute or cell, and its points. */
function addPoints(model, row) {
  let score = model.base_points;
  const ofCharacteristics = model.characteristics.map(({ feature, attributes }) => {
    const attribute = attributeOf(attributes, row.get(feature));
    const { points } = attributes[attribute];
    score += points;
    return { feature, attribute, points };
  });
  const ofTables = (model.interactions ?? []).map(({ name, rows, columns, points: table }) => {
    const [one, other] = [rows, columns].map(({ feature, conditions }) => {
      return attributeOf(conditions.map((condition) => ({ condition })), row.get(feature));
    });
    const points = table[one][other];
    score += points;
    return { feature: name, attribute: one * columns.conditions.length + other, points };
  });
  return { score, parts: [...ofCharacteristics, ...ofTables] };
}

function evaluateRules(model, row, votes) {
  const applying = positionsOf(model.rules, row);
  const deciding = applying.length ? applying : positionsOf(model.fallback, row);
  const [rules, classes] = applying.length ? [model.rules, votes.rules] : [model.fallback, votes.fallback];
  const classScores = model.outcome.classes.map(() => 0);
  deciding.forEach((position) => (classScores[classes[position]] += rules[position].weight ?? 1));
  const total = classScores.reduce((sum, each) => sum + each, 0);
  const found = {
    applying: deciding,
    fallback: applying.length === 0,
    classScores,
    classProbability: classScores.map((each) => each / total),
  };
  if (typeof model.cutoff !== "number") {
    return { ...found, predicted: classScores.indexOf(Math.max(...classScores)) };
  }
  const good = votes.favourable;
  return { ...found, score: classScores[good] - classScores[1 - good], probability: found.classProbability[good] };
}

function evaluateTrees(model, row) {
  let score = model.base_score;
  const leaves = model.trees.map((tree) => {
    let node = tree;
    const path = [];
    while (node.type === "split") {
      const held = allHold([node.when], row);
      path.push(held);
      node = held ? node.then : node.otherwise;
    }
    score += node.value;
    return { path, value: node.value };
  });
  return { score, leaves };
}

function positionsOf(rules, row) {
  return rules.flatMap(({ when }, position) => (allHold(when, row) ? [position] : []));
}

/** The probability of the favourable class, in the order of operations that the model's calibration declares. */
function probabilityOf({ slope, intercept = 0, link = "logit" }, score) {
  const z = intercept + slope * score;
  if (link === "identity") {
    return Math.min(1, Math.max(0, z));
  }
  return 1 / (1 + Math.exp(-Math.min(36, Math.max(-36, z))));
}
