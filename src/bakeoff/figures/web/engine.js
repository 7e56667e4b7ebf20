// What `decide` answers in any context, from the tables of `EveryContext`: the same rule, draws and intervals as in Python.

const TIE = 2e-15;

/** Expected cost of a case at a point of ROC space. */
export function expectedCost(context, fpr, tpr) {
  const p = context.prevalence;
  return p * (tpr * context.cost_tp + (1 - tpr) * context.cost_fn) + (1 - p) * (fpr * context.cost_fp + (1 - fpr) * context.cost_tn);
}

/** What a miss and a false alarm add to the cost of a case. */
function stakes(context) {
  return { miss: (context.cost_fn - context.cost_tp) * context.prevalence, alarm: (context.cost_fp - context.cost_tn) * (1 - context.prevalence) };
}

/** Slope of isocost lines: (cost_fp − cost_tn)(1 − p) / ((cost_fn − cost_tp) p). */
export function isocostSlope(context) {
  const { miss, alarm } = stakes(context);
  return miss > 0 ? alarm / miss : Infinity;
}

/** PC(+), the x axis of cost curves. */
export function probabilityCost(context) {
  const { miss, alarm } = stakes(context);
  return miss / (miss + alarm);
}

/** Whether costs can be compared in a context: both classes occur, and no right answer costs more than the wrong one. */
export function validContext(context) {
  const { prevalence: p, cost_fp, cost_fn, cost_tp, cost_tn } = context;
  if (![p, cost_fp, cost_fn, cost_tp, cost_tn].every(Number.isFinite) || !(p > 0 && p < 1)) return false;
  return cost_fn >= cost_tp && cost_fp >= cost_tn && cost_fn - cost_tp + (cost_fp - cost_tn) > 0;
}

function unpackAs(Kind, text) {
  return new Kind(Uint8Array.from(atob(text), (c) => c.charCodeAt(0)).buffer);
}

/** Tables and paths unpacked, once per page. */
export function contextEngine(data) {
  const table = data.table;
  const names = [...data.trivial, ...data.models.map((m) => m.name)];
  const models = data.models.map((m) => {
    const [hull, path] = [unpackAs(Float64Array, m.hull), unpackAs(Float64Array, m.path)];
    const [v, e] = [hull.length / 3, (path.length - 2) / 3];
    return {
      ...m,
      hull: { fpr: hull.subarray(0, v), tpr: hull.subarray(v, 2 * v), threshold: hull.subarray(2 * v) },
      path: { pc: path.subarray(0, e), fpr: path.subarray(e, 2 * e + 1), tpr: path.subarray(2 * e + 1) },
    };
  });
  const share = unpackAs(Uint16Array, table.share);
  const [mean, spread, excess] = ["mean", "spread", "excess"].map((key) => unpackAs(Float32Array, table[key]));
  const limits = table.limits && table.limits.map((side) => unpackAs(Float32Array, side));
  return { ...data, names, models, table: { ...table, share, mean, spread, excess, limits } };
}

/** Number of values that are at most `x`, of sorted ones. */
function countUpTo(sorted, x) {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sorted[middle] <= x) low = middle + 1; else high = middle;
  }
  return low;
}

/** A reader of lines `[g, width]` along the logit of PC(+), straight between two of them. */
function reader(table, pc, every = 1) {
  const [low, high, count] = table.lines;
  const step = ((high - low) / (count - 1)) * every;
  const last = Math.ceil(count / every) - 1;
  const x = Math.min(last, Math.max(0, (Math.log(pc / (1 - pc)) - low) / step));
  const from = Math.min(last - 1, Math.floor(x));
  return (values, width, column) => values[from * width + column] * (from + 1 - x) + values[(from + 1) * width + column] * (x - from);
}

/** Wilson's limits of a share of n. */
function wilsonLimits(p, n, z) {
  const centre = (p + (z * z) / (2 * n)) / (1 + (z * z) / n);
  const half = (z / (1 + (z * z) / n)) * Math.sqrt((p * (1 - p)) / n + (z * z) / (4 * n * n));
  return [p <= 0 ? 0 : centre - half, p >= 1 ? 1 : centre + half];
}

/** Limits of the cost of a rule fixed beforehand: Newcombe's from Wilson's where cases count alike, else resampled ones. */
function ownLimits(engine, context, rule, among) {
  if (rule.trivial) return [rule.cost, rule.cost];
  const { miss, alarm } = stakes(context);
  if (engine.table.limits) {
    const [below, above] = engine.table.limits.map((side) => (miss + alarm) * among(side, engine.names.length, rule.place));
    return [rule.cost - below, rule.cost + above];
  }
  const parts = [[miss, 1 - rule.tpr, engine.cases[0]], [alarm, rule.fpr, engine.cases[1]]].map(([weight, rate, n]) => {
    const [low, high] = wilsonLimits(rate, n, engine.table.quantile);
    return [weight * (rate - low), weight * (high - rate)];
  });
  return [rule.cost - Math.hypot(parts[0][0], parts[1][0]), rule.cost + Math.hypot(parts[0][1], parts[1][1])];
}

/** What the choice costs on rows that did not make it, and its limits, as `decide` gives them. */
function payOutOfBag(engine, context, choice, at) {
  const { table } = engine;
  const pc = probabilityCost(context);
  const { miss, alarm } = stakes(context);
  const [fpr, fnr] = [0, 1].map((column) => at(table.mean, 2, column));
  const [vf, vn, both] = [0, 1, 2].map((column) => at(table.spread, 3, column));
  const cost = expectedCost(context, fpr, 1 - fnr);
  const deviation = (miss + alarm) * Math.sqrt(Math.max(0, (1 - pc) ** 2 * vf + pc ** 2 * vn + 2 * pc * (1 - pc) * both));
  const reach = table.reach * deviation;
  const [below, above] = [Math.max(reach, choice.cost - choice.low), Math.max(reach, choice.high - choice.cost)];
  const [low, high] = [Math.max(cost - below, Math.min(expectedCost(context, 0, 1), cost)), cost + above];
  if (choice.threshold === null) return { cost: choice.cost, paid: { fpr: choice.fpr, tpr: choice.tpr }, low: Math.min(choice.low, low), high: Math.max(choice.high, high) };
  return { cost, low, high, paid: { fpr, tpr: 1 - fnr } };
}

/** Cheapest first; of costs that differ by rounding only, the order given. */
function cheapestOrder(rules) {
  const slack = TIE * Math.max(...rules.map((r) => Math.abs(r.normal)));
  const left = [...rules];
  const order = [];
  while (left.length) {
    const least = Math.min(...left.map((r) => r.normal));
    order.push(...left.splice(left.findIndex((r) => r.normal <= least + slack), 1));
  }
  return order;
}

/** Two-sided normal tail probability (Abramowitz and Stegun 7.1.26, absolute error below 2e-7). */
function tailOf(z) {
  const x = Math.abs(z) / Math.SQRT2;
  const t = 1 / (1 + 0.3275911 * x);
  return ((((1.061405429 * t - 1.453152027) * t + 1.421413741) * t - 0.284496736) * t + 0.254829592) * t * Math.exp(-x * x);
}

/** Holm's adjusted p-values, in the order given. */
function holmAdjusted(pvalues) {
  const order = pvalues.map((p, i) => [p, i]).sort((a, b) => a[0] - b[0]);
  const found = new Array(pvalues.length);
  let most = 0;
  order.forEach(([p, i], place) => { most = Math.max(most, Math.min(1, p * (pvalues.length - place))); found[i] = most; });
  return found;
}

/** Which vertex of a model's hull is cheapest at PC(+); of tied ones the first. */
function cheapestVertex(hull, pc) {
  const costs = Array.from(hull.fpr, (fpr, i) => pc * (1 - hull.tpr[i]) + (1 - pc) * fpr);
  const least = Math.min(...costs);
  return costs.findIndex((cost) => cost <= least + TIE);
}

/** The whole answer for a context: every rule, cheapest first, as `decide` has it. */
export function decideInPage(engine, context) {
  const pc = probabilityCost(context);
  const { table } = engine;
  const [at, among] = [reader(table, pc), reader(table, pc, table.every)];
  const width = engine.names.length;
  const rules = engine.names.map((model, place) => {
    const trivial = place < 2;
    const found = trivial ? null : engine.models[place - 2];
    const line = trivial ? 0 : countUpTo(found.path.pc, pc);
    const [fpr, tpr] = trivial ? [place, place] : [found.path.fpr[line], found.path.tpr[line]];
    const threshold = trivial ? (place ? -Infinity : Infinity) : found.labels_only ? null : found.hull.threshold[cheapestVertex(found.hull, pc)];
    return { model, place, trivial, fpr, tpr, threshold, normal: pc * (1 - tpr) + (1 - pc) * fpr, cost: expectedCost(context, fpr, tpr), pBest: at(table.share, width, place) / 65535 };
  });
  const ranked = cheapestOrder(rules);
  for (const rule of ranked) [rule.low, rule.high] = ownLimits(engine, context, rule, among);
  const { miss, alarm } = stakes(context);
  const [choice, ...others] = ranked;
  for (const rule of ranked) {
    rule.regret = rule.cost - choice.cost;
    rule.error = (miss + alarm) * among(table.excess, width, rule.place);
  }
  const adjusted = holmAdjusted(others.map((r) => (r.error > 0 ? tailOf(r.regret / r.error) : r.regret <= 0 ? 1 : 0)));
  others.forEach((rule, i) => { rule.pvalue = adjusted[i]; });
  if (!choice.trivial && table.draws > 1) Object.assign(choice, payOutOfBag(engine, context, choice, at));
  return ranked;
}

/** Who is chosen on which interval of PC(+): [{model, low, high}], trivial rules included. */
export function choicesOverContexts(engine, points = 2000, reach = 14) {
  const found = [];
  const choose = (x) => {
    const pc = 1 / (1 + Math.exp(-x));
    let [best, least] = [null, Infinity];
    engine.names.forEach((model, place) => {
      const path = place < 2 ? null : engine.models[place - 2].path;
      const line = path ? countUpTo(path.pc, pc) : 0;
      const [fpr, tpr] = path ? [path.fpr[line], path.tpr[line]] : [place, place];
      const cost = pc * (1 - tpr) + (1 - pc) * fpr;
      if (cost < least - TIE) { least = cost; best = model; }
    });
    return best;
  };
  let [model, from] = [choose(-reach), 0];
  for (let i = 1; i <= points; i++) {
    const x = reach * ((2 * i) / points - 1);
    const next = choose(x);
    if (next === model && i < points) continue;
    let [low, high] = [x - (2 * reach) / points, x];
    for (let k = 0; k < 40 && next !== model; k++) { const middle = (low + high) / 2; if (choose(middle) === model) low = middle; else high = middle; }
    const end = i === points && next === model ? 1 : 1 / (1 + Math.exp(-high));
    found.push({ model, low: from, high: end });
    [model, from] = [next, end];
  }
  if (from < 1) found.push({ model, low: from, high: 1 });
  return found;
}
