// The operating-context explorer: one shared state (prevalence, costs, models, threshold policy), every view linked.
import { colourOf, el, fmt, frame, isDark, legend, linePath, marker, money, percent, pointerAt, svgEl, tooltip } from "./svg.js";

const EXPLORER_LIMITS = { prevalence: [1e-4, 1 - 1e-4], cost: [1e-2, 1e6] };

// ---------------------------------------------------------------------------------------------------- arithmetic

/** Expected cost of a case at a point of ROC space. */
export function expectedCost(context, fpr, tpr) {
  const p = context.prevalence;
  return p * (tpr * context.cost_tp + (1 - tpr) * context.cost_fn) + (1 - p) * (fpr * context.cost_fp + (1 - fpr) * context.cost_tn);
}

/** Slope of isocost lines: (cost_fp − cost_tn)(1 − p) / ((cost_fn − cost_tp) p). */
export function isocostSlope(context) {
  const miss = (context.cost_fn - context.cost_tp) * context.prevalence;
  const alarm = (context.cost_fp - context.cost_tn) * (1 - context.prevalence);
  return miss > 0 ? alarm / miss : Infinity;
}

/** PC(+), the x axis of cost curves. */
export function probabilityCost(context) {
  const miss = (context.cost_fn - context.cost_tp) * context.prevalence;
  const alarm = (context.cost_fp - context.cost_tn) * (1 - context.prevalence);
  return miss / (miss + alarm);
}

/** Whether costs can be compared in a context: both classes occur, and no right answer costs more than the wrong one. */
export function validContext(context) {
  const { prevalence: p, cost_fp, cost_fn, cost_tp, cost_tn } = context;
  if (![p, cost_fp, cost_fn, cost_tp, cost_tn].every(Number.isFinite) || !(p > 0 && p < 1)) return false;
  return cost_fn >= cost_tp && cost_fp >= cost_tn && cost_fn - cost_tp + (cost_fp - cost_tn) > 0;
}

function unpackRates(text) {
  const bytes = Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
  const view = new DataView(bytes.buffer);
  const rates = new Float32Array(bytes.length / 2);
  for (let i = 0; i < rates.length; i++) rates[i] = view.getUint16(2 * i, true) / 65535;
  return rates;
}

/** Models with their replicates unpacked: rep.fpr[b * m + j] at resampled vertex j. */
export function explorerModels(data) {
  return data.models.map((m) => ({
    ...m,
    rep: { fpr: unpackRates(m.replicates.fpr), tpr: unpackRates(m.replicates.tpr), m: m.hull.resampled.length },
  }));
}

/** The cheapest vertex of one model. */
function bestVertex(model, context) {
  let best = 0;
  let least = expectedCost(context, model.hull.fpr[0], model.hull.tpr[0]);
  for (let i = 1; i < model.hull.fpr.length; i++) {
    const cost = expectedCost(context, model.hull.fpr[i], model.hull.tpr[i]);
    if (cost < least - 1e-12 * Math.max(1, Math.abs(least))) { least = cost; best = i; }
  }
  return { index: best, cost: least };
}

/** Replicate costs of a vertex; a vertex that was not resampled borrows the deviations of its nearest neighbour. */
function replicateCosts(model, index, context, count) {
  const places = model.hull.resampled;
  let near = 0;
  for (let j = 1; j < places.length; j++) if (Math.abs(places[j] - index) < Math.abs(places[near] - index)) near = j;
  const dx = model.hull.fpr[index] - model.hull.fpr[places[near]];
  const dy = model.hull.tpr[index] - model.hull.tpr[places[near]];
  const costs = new Float64Array(count);
  for (let b = 0; b < count; b++) {
    const fpr = clamp01(model.rep.fpr[b * model.rep.m + near] + dx);
    const tpr = clamp01(model.rep.tpr[b * model.rep.m + near] + dy);
    costs[b] = expectedCost(context, fpr, tpr);
  }
  return costs;
}

const clamp01 = (v) => Math.min(1, Math.max(0, v));

function quantile(sorted, q) {
  const place = (sorted.length - 1) * q;
  const low = Math.floor(place);
  const high = Math.min(low + 1, sorted.length - 1);
  return sorted[low] + (sorted[high] - sorted[low]) * (place - low);
}

/** The whole answer for a context: every rule with its cost, interval, probability of being best and regret. */
export function decideInPage(models, data, context, policy = {}) {
  const rules = models.map((model) => {
    const fixed = policy.kind === "fixed" && policy.model === model.name && policy.index !== undefined;
    const curve = fixed ? model.curve : model.hull;
    const index = fixed ? policy.index : bestVertex(model, context).index;
    const fpr = curve.fpr[index];
    const tpr = curve.tpr[index];
    const near = fixed ? nearestVertex(model, fpr, tpr) : index;
    const draws = replicateCosts(model, near, context, data.replicates);
    const shift = expectedCost(context, fpr, tpr) - expectedCost(context, model.hull.fpr[near], model.hull.tpr[near]);
    if (shift) for (let b = 0; b < draws.length; b++) draws[b] += shift;
    return { model: model.name, trivial: false, fpr, tpr, threshold: curve.threshold[index], index, cost: expectedCost(context, fpr, tpr), draws };
  });
  for (const [place, name] of data.trivial.entries()) {
    const cost = expectedCost(context, place, place);
    rules.push({ model: name, trivial: true, fpr: place, tpr: place, threshold: null, index: place, cost, draws: new Float64Array(data.replicates).fill(cost) });
  }
  const scale = Math.max(...rules.map((r) => Math.abs(r.cost)), 1e-300);
  rules.sort((a, b) => (Math.abs(a.cost - b.cost) <= 1e-12 * scale ? b.trivial - a.trivial : a.cost - b.cost));
  const wins = new Float64Array(rules.length);
  for (let b = 0; b < data.replicates; b++) {
    let least = Infinity;
    for (const r of rules) least = Math.min(least, r.draws[b]);
    const tied = rules.filter((r) => r.draws[b] <= least + 1e-9 * Math.max(1, Math.abs(least)));
    for (const r of tied) wins[rules.indexOf(r)] += 1 / tied.length;
  }
  rules.forEach((rule, place) => {
    const sorted = Float64Array.from(rule.draws).sort();
    const tail = (1 - data.confidence_level) / 2;
    rule.low = Math.min(rule.cost, quantile(sorted, tail));
    rule.high = Math.max(rule.cost, quantile(sorted, 1 - tail));
    rule.pBest = wins[place] / data.replicates;
    rule.regret = rule.cost - rules[0].cost;
  });
  return rules;
}

function nearestVertex(model, fpr, tpr) {
  let best = 0;
  let least = Infinity;
  model.hull.fpr.forEach((x, i) => {
    const d = Math.hypot(x - fpr, model.hull.tpr[i] - tpr);
    if (d < least) { least = d; best = i; }
  });
  return best;
}

/** Who is cheapest on which interval of PC(+): [{model, low, high}], trivial rules included. */
export function winnersOverContexts(models, data, shown) {
  const points = [];
  for (const model of models) if (shown(model.name)) model.hull.fpr.forEach((x, i) => points.push({ model: model.name, fpr: x, fnr: 1 - model.hull.tpr[i] }));
  points.push({ model: data.trivial[0], fpr: 0, fnr: 1 }, { model: data.trivial[1], fpr: 1, fnr: 0 });
  // Lower envelope of the lines from (0, fpr) to (1, fnr): start with the least value at 0, then follow crossings.
  let current = points.reduce((a, b) => (b.fpr < a.fpr || (b.fpr === a.fpr && b.fnr < a.fnr) ? b : a));
  const found = [];
  let x = 0;
  while (x < 1) {
    let next = null;
    let where = 1;
    for (const p of points) {
      const gain = current.fnr - current.fpr - (p.fnr - p.fpr);
      if (gain <= 1e-15) continue;
      const crossing = (p.fpr - current.fpr) / gain;
      if (crossing < where - 1e-12 || (Math.abs(crossing - where) <= 1e-12 && next && p.fnr < next.fnr)) { where = Math.max(crossing, x); next = p; }
    }
    const last = found[found.length - 1];
    if (last && last.model === current.model) last.high = where;
    else if (where > x + 1e-12) found.push({ model: current.model, low: x, high: where });
    if (!next) break;
    x = where;
    current = next;
  }
  return found;
}

// ---------------------------------------------------------------------------------------------------- the page

const logit = (p) => Math.log(p / (1 - p));
const expit = (v) => 1 / (1 + Math.exp(-v));

/** Put the explorer into `host`. Returns an object with `set(state)`, `state` and `answer`, which tests use. */
export function mountExplorer(host, data, options = {}) {
  const text = { ...EXPLORER_TEXT, ...(data.text || {}) };
  const models = explorerModels(data);
  const base = data.n_positive / (data.n_positive + data.n_negative);
  const start = {
    prevalence: data.context.prevalence ?? base, cost_fp: data.context.cost_fp, cost_fn: data.context.cost_fn,
    cost_tp: data.context.cost_tp, cost_tn: data.context.cost_tn, off: [], policy: { kind: "cheapest" }, currency: "€", range: null,
  };
  let state = { ...start, ...(options.hash === false ? {} : readHash(models)) };
  if (!validContext(state)) state = { ...state, ...pickContext(start) };
  const tip = tooltip();
  host.classList.add("bk-explorer");
  host.replaceChildren();

  const answer = el("p", { class: "bk-answer", "aria-live": "polite", "data-testid": "answer" });
  const controls = explorerControls(() => state, text, data, base, change);
  const roc = rocView();
  const cost = costView();
  const matrix = el("div", { class: "bk-matrix", tabindex: 0, role: "region", "aria-label": text.matrixTitle, "data-testid": "matrix" });
  const table = el("div", { class: "bk-rules", tabindex: 0, role: "region", "aria-label": text.rulesTitle });
  const regret = el("div", { class: "bk-regret", "aria-live": "polite" });
  const warnings = el("ul", { class: "bk-warnings" }, ...data.warnings.map((w) => el("li", { text: w })));
  const keys = legend(models.map((m) => m.name), data.styles, (model, on) => {
    change({ off: on ? state.off.filter((m) => m !== model) : [...state.off, model] });
  }, Object.fromEntries(state.off.map((m) => [m, false])));
  const share = el("div", { class: "bk-share" },
    copyButton(text.copyPython, () => pythonCode(state)),
    copyButton(text.copyCommand, () => commandLine(state)),
    copyButton(text.copyLink, () => window.location.href));
  host.append(
    answer,
    el("div", { class: "bk-explorer-grid" },
      el("div", { class: "bk-panel bk-controls" }, controls.node, el("h4", { text: text.models }), keys, share),
      el("div", { class: "bk-panel" }, el("h4", { text: text.rocTitle }), roc.svg),
      el("div", { class: "bk-panel" }, el("h4", { text: text.costTitle }), cost.svg),
      el("div", { class: "bk-panel" }, el("h4", { text: text.matrixTitle }), matrix),
      el("div", { class: "bk-panel" }, el("h4", { text: text.rulesTitle }), table, regret)),
    warnings);

  const isShown = (name) => !state.off.includes(name);
  let rules = [];
  let queued = false;

  function change(part) {
    const next = { ...state, ...part };
    if (!validContext(next)) return;
    state = next;
    if (!queued) { queued = true; requestAnimationFrame(() => { queued = false; render("off" in part || "theme" in part); }); }
  }

  function render(redraw = false) {
    const shown = models.filter((m) => isShown(m.name));
    rules = decideInPage(shown, data, state, state.policy);
    if (redraw) { roc.draw(); cost.draw(); }
    controls.show(state);
    roc.show();
    cost.show();
    showAnswer();
    showMatrix();
    showRules();
    if (options.hash !== false) writeHash(state, start);
  }

  function showAnswer() {
    const [best, second] = rules;
    const unit = state.currency;
    const parts = [];
    if (best.trivial) {
      parts.push(text.trivialWins.replace("{model}", best.model).replace("{cost}", `${money(best.cost)} ${unit}`));
    } else {
      const rule = best.threshold === null ? best.model : `${best.model} ${text.atThreshold} ${fmt(best.threshold)}`;
      parts.push(text.modelWins.replace("{rule}", rule).replace("{cost}", `${money(best.cost)} ${unit}`)
        .replace("{low}", money(best.low)).replace("{high}", money(best.high)).replace("{p}", percent(best.pBest, 0)));
    }
    if (second) parts.push(text.runnerUp.replace("{model}", second.model).replace("{more}", `${money(second.cost - best.cost)} ${unit}`));
    answer.textContent = parts.join(" ");
    answer.dataset.model = best.model;
    answer.dataset.cost = String(best.cost);
  }

  function showMatrix() {
    const best = rules[0];
    const p = state.prevalence;
    const cells = { tp: 1000 * p * best.tpr, fn: 1000 * p * (1 - best.tpr), fp: 1000 * (1 - p) * best.fpr, tn: 1000 * (1 - p) * (1 - best.fpr) };
    const ppv = cells.tp / (cells.tp + cells.fp);
    const npv = cells.tn / (cells.tn + cells.fn);
    const show = (v) => (v >= 99.95 ? v.toFixed(0) : v >= 0.095 ? v.toFixed(1) : fmt(v, 2));
    const cell = (key, label, price) => el("td", { class: `bk-cell-${key}`, "data-cell": key, "data-value": String(cells[key]) },
      el("b", { text: show(cells[key]) }), el("span", { text: `${label} · ${money(price)} ${state.currency}` }));
    matrix.replaceChildren(el("table", {},
      el("caption", { text: `${text.per1000} ${percent(p)}, ${best.model}` }),
      el("thead", {}, el("tr", {}, el("td", {}), el("th", { scope: "col", text: `${text.called} ${data.positive}` }), el("th", { scope: "col", text: `${text.called} ${data.negative}` }))),
      el("tbody", {},
        el("tr", {}, el("th", { scope: "row", text: `${text.truly} ${data.positive}` }), cell("tp", text.hits, state.cost_tp), cell("fn", text.misses, state.cost_fn)),
        el("tr", {}, el("th", { scope: "row", text: `${text.truly} ${data.negative}` }), cell("fp", text.alarms, state.cost_fp), cell("tn", text.passes, state.cost_tn)))),
    el("p", { class: "bk-small", text: `PPV ${percent(ppv)} · NPV ${percent(npv)} · TPR ${percent(best.tpr)} · FPR ${percent(best.fpr)}` }));
  }

  function showRules() {
    const head = [text.rule, text.threshold, `${text.cost} (${state.currency})`, text.pBest, text.regret];
    const rows = rules.slice(0, 8).map((r) => el("tr", { class: r.trivial ? "bk-trivial" : null },
      el("th", { scope: "row" }, swatch(r), el("span", { text: r.model })),
      el("td", { text: r.threshold === null ? "–" : fmt(r.threshold) }),
      el("td", {}, el("span", { text: money(r.cost) }), r.trivial ? null : el("span", { class: "bk-interval", text: ` ${money(r.low)} – ${money(r.high)}` })),
      el("td", { text: percent(r.pBest, 0) }), el("td", { text: money(r.regret) })));
    table.replaceChildren(el("table", { class: "bk-table" },
      el("thead", {}, el("tr", {}, ...head.map((h) => el("th", { scope: "col", text: h })))), el("tbody", {}, ...rows)));
    showRegret();
  }

  function showRegret() {
    if (!state.range) { regret.replaceChildren(el("p", { class: "bk-small", text: text.brushHint })); return; }
    const [low, high] = state.range;
    const xs = Array.from({ length: 41 }, (_, i) => low + ((high - low) * i) / 40);
    const lines = models.filter((m) => isShown(m.name)).map((m) => ({ name: m.name, at: (x) => Math.min(...m.hull.fpr.map((f, i) => (1 - x) * f + x * (1 - m.hull.tpr[i]))) }));
    lines.push({ name: data.trivial[0], at: (x) => x }, { name: data.trivial[1], at: (x) => 1 - x });
    const values = lines.map((l) => xs.map(l.at));
    const least = xs.map((_, i) => Math.min(...values.map((v) => v[i])));
    const found = lines.map((l, k) => ({ name: l.name, mean: values[k].reduce((s, v, i) => s + v - least[i], 0) / xs.length, worst: Math.max(...values[k].map((v, i) => v - least[i])) }))
      .sort((a, b) => a.mean - b.mean).slice(0, 4);
    regret.replaceChildren(
      el("p", { class: "bk-small", text: `${text.overRange} PC(+) ${fmt(low, 2)} – ${fmt(high, 2)}: ` + found.map((f) => `${f.name} ${fmt(f.mean, 2)} (${text.worst} ${fmt(f.worst, 2)})`).join("; ") }),
      el("button", { type: "button", class: "bk-button", text: text.clearRange, onclick: () => change({ range: null }) }));
  }

  function swatch(rule) {
    const s = svgEl("svg", { width: 12, height: 12, "aria-hidden": "true" });
    s.append(marker(rule.trivial ? null : data.styles[rule.model], 6, 6, 4));
    return s;
  }

  // ROC space: curves, hull of all models in its owners' colours, isocost line through the cheapest point.
  function rocView() {
    const view = frame({ width: 400, height: 390, role: "group", xTitle: text.fpr, yTitle: text.tpr, label: text.rocTitle });
    const { svg, plot, sx, sy } = view;
    const layer = svgEl("g", {});
    const line = svgEl("line", { class: "bk-isocost", "data-testid": "isocost" });
    const grip = svgEl("line", { class: "bk-grip", tabindex: 0, role: "slider", "aria-label": text.dragIsocost, "data-testid": "isocost-grip" });
    const spot = svgEl("g", { class: "bk-spot", tabindex: 0, role: "slider", "aria-label": text.dragPoint, "data-testid": "spot" });
    plot.append(svgEl("line", { x1: sx(0), y1: sy(0), x2: sx(1), y2: sy(1), class: "bk-chance" }), layer, line, grip, spot);
    const draw = () => {
      layer.replaceChildren();
      for (const m of models) {
        if (!isShown(m.name)) continue;
        const style = data.styles[m.name];
        layer.append(svgEl("path", { d: linePath(m.curve.fpr, m.curve.tpr, sx, sy), fill: "none", stroke: colourOf(style), "stroke-width": 1.8, "stroke-dasharray": style.dash }));
      }
      for (const v of hullVertices()) layer.append(svgEl("circle", { cx: sx(v.fpr), cy: sy(v.tpr), r: 3.4, fill: colourOf(data.styles[v.model]), class: "bk-vertex" }));
    };
    const hullVertices = () => {
      const points = models.filter((m) => isShown(m.name)).flatMap((m) => m.hull.fpr.map((x, i) => ({ fpr: x, tpr: m.hull.tpr[i], model: m.name })));
      const sorted = [{ fpr: 0, tpr: 0 }, ...points, { fpr: 1, tpr: 1 }].sort((a, b) => a.fpr - b.fpr || a.tpr - b.tpr);
      const hull = [];
      for (const p of sorted) {
        while (hull.length > 1 && (hull[hull.length - 1].fpr - hull[hull.length - 2].fpr) * (p.tpr - hull[hull.length - 2].tpr) >= (hull[hull.length - 1].tpr - hull[hull.length - 2].tpr) * (p.fpr - hull[hull.length - 2].fpr)) hull.pop();
        hull.push(p);
      }
      return hull.filter((v) => v.model);
    };
    const show = () => {
      const best = rules[0];
      const slope = isocostSlope(state);
      const [a, b] = clipLine(best.fpr, best.tpr, slope);
      for (const node of [line, grip]) for (const [k, v] of Object.entries({ x1: sx(a[0]), y1: sy(a[1]), x2: sx(b[0]), y2: sy(b[1]) })) node.setAttribute(k, v.toFixed(2));
      line.dataset.slope = String(slope);
      grip.setAttribute("aria-valuetext", `${text.slope} ${fmt(slope, 3)}`);
      grip.setAttribute("aria-valuenow", fmt(slope, 3).replace("−", "-"));
      spot.replaceChildren(svgEl("circle", { cx: sx(best.fpr), cy: sy(best.tpr), r: 8, class: "bk-halo" }), marker(best.trivial ? null : data.styles[best.model], sx(best.fpr), sy(best.tpr), 5));
      spot.setAttribute("aria-valuetext", `${best.model}, FPR ${percent(best.fpr)}, TPR ${percent(best.tpr)}`);
      spot.setAttribute("aria-valuenow", String(best.fpr.toFixed(4)));
    };
    // Dragging the line turns it about the cheapest point: a steeper line means false alarms weigh more.
    dragging(svg, grip, (at) => {
      const best = rules[0];
      const dx = sx.invert(at.x) - best.fpr;
      const dy = sy.invert(at.y) - best.tpr;
      if (Math.abs(dx) < 0.01) return;
      setSlope(Math.max(0.001, dy / dx));
    });
    grip.addEventListener("keydown", (e) => {
      const step = { ArrowUp: 1.1, ArrowRight: 1.1, ArrowDown: 1 / 1.1, ArrowLeft: 1 / 1.1 }[e.key];
      if (step) { e.preventDefault(); setSlope(isocostSlope(state) * step); }
    });
    // Dragging the point fixes the threshold of its model.
    dragging(svg, spot, (at) => fixThreshold(sx.invert(at.x), sy.invert(at.y)));
    spot.addEventListener("keydown", (e) => {
      const step = { ArrowUp: 1, ArrowRight: 1, ArrowDown: -1, ArrowLeft: -1 }[e.key];
      if (!step) return;
      e.preventDefault();
      const name = state.policy.kind === "fixed" ? state.policy.model : (rules.find((r) => !r.trivial) || {}).model;
      const model = models.find((m) => m.name === name);
      if (!model) return;
      const from = state.policy.kind === "fixed" ? state.policy.index : nearestOnCurve(model, rules.find((r) => r.model === name));
      const index = Math.min(model.curve.fpr.length - 1, Math.max(0, from + step));
      change({ policy: { kind: "fixed", model: name, index } });
    });
    svg.addEventListener("pointermove", (e) => {
      const at = pointerAt(svg, e);
      hoverAt(e, sx.invert(at.x), sy.invert(at.y));
    });
    svg.addEventListener("pointerleave", () => { tip.hide(); cost.highlight(null); });
    return { svg, draw, show };
  }

  function hoverAt(event, fpr, tpr) {
    let best = null;
    for (const m of models) {
      if (!isShown(m.name)) continue;
      m.hull.fpr.forEach((x, i) => {
        const d = Math.hypot(x - fpr, m.hull.tpr[i] - tpr);
        if (d < 0.04 && (!best || d < best.d)) best = { d, m, i };
      });
    }
    if (!best) { tip.hide(); cost.highlight(null); return; }
    const { m, i } = best;
    const lines = [m.name, `FPR ${percent(m.hull.fpr[i])}, TPR ${percent(m.hull.tpr[i])}`];
    if (m.hull.threshold[i] !== null) lines.push(`${text.threshold} ${fmt(m.hull.threshold[i])}`);
    lines.push(`${text.cost} ${money(expectedCost(state, m.hull.fpr[i], m.hull.tpr[i]))} ${state.currency}`);
    tip.show(event, lines);
    cost.highlight({ fpr: m.hull.fpr[i], tpr: m.hull.tpr[i], model: m.name });
  }

  function nearestOnCurve(model, rule) {
    let best = 0;
    let least = Infinity;
    model.curve.fpr.forEach((x, i) => {
      const d = Math.hypot(x - rule.fpr, model.curve.tpr[i] - rule.tpr);
      if (d < least) { least = d; best = i; }
    });
    return best;
  }

  function fixThreshold(fpr, tpr) {
    const shown = models.filter((m) => isShown(m.name));
    const name = state.policy.kind === "fixed" ? state.policy.model : rules[0].trivial ? null : rules[0].model;
    const candidates = name ? shown.filter((m) => m.name === name) : shown;
    let best = null;
    for (const m of candidates) m.curve.fpr.forEach((x, i) => {
      const d = Math.hypot(x - fpr, m.curve.tpr[i] - tpr);
      if (!best || d < best.d) best = { d, model: m.name, index: i };
    });
    if (best) change({ policy: { kind: "fixed", model: best.model, index: best.index } });
  }

  function setSlope(slope) {
    const wanted = ((state.cost_fp - state.cost_tn) * (1 - state.prevalence)) / (state.prevalence * slope) + state.cost_tp;
    change({ cost_fn: bounded(wanted) });
  }

  function setPc(pc) {
    const x = Math.min(0.9999, Math.max(0.0001, pc));
    setSlope((1 - x) / x);
  }

  const bounded = (v) => Math.min(EXPLORER_LIMITS.cost[1], Math.max(EXPLORER_LIMITS.cost[0], +v.toPrecision(4)));

  // Cost curves: lower envelope of each model, trivial lines, the strip of winners, a cursor at PC(+).
  function costView() {
    const view = frame({ width: 400, height: 390, role: "group", y: [0, 0.5], xTitle: text.pcTitle, yTitle: text.necTitle, label: text.costTitle, margin: { bottom: 74 } });
    const { svg, plot, sx, sy, height } = view;
    const layer = svgEl("g", {});
    const strip = svgEl("g", { class: "bk-strip", "data-testid": "strip" });
    const range = svgEl("rect", { class: "bk-range", y: sy.range[1], height: sy.range[0] - sy.range[1], width: 0, x: 0 });
    const lit = svgEl("line", { class: "bk-lit" });
    const cursor = svgEl("g", { class: "bk-cursor", tabindex: 0, role: "slider", "aria-label": text.dragPc, "aria-valuemin": 0, "aria-valuemax": 1, "data-testid": "pc-cursor" });
    plot.append(range, layer, lit, strip, cursor);
    const stripY = height - 34;
    const envelope = (m) => {
      const xs = Array.from({ length: 161 }, (_, i) => i / 160);
      return { xs, ys: xs.map((x) => Math.min(x, 1 - x, ...m.hull.fpr.map((f, i) => (1 - x) * f + x * (1 - m.hull.tpr[i])))) };
    };
    const draw = () => {
      layer.replaceChildren();
      for (const [place] of data.trivial.entries()) {
        const [y0, y1] = place ? [1, 0] : [0, 1];
        layer.append(svgEl("path", { d: linePath(place ? [0.5, 1] : [0, 0.5], place ? [0.5, 0] : [0, 0.5], sx, sy), class: "bk-triv", "data-ends": `${y0},${y1}` }));
      }
      for (const m of models) {
        if (!isShown(m.name)) continue;
        const { xs, ys } = envelope(m);
        const style = data.styles[m.name];
        layer.append(svgEl("path", { d: linePath(xs, ys, sx, sy), fill: "none", stroke: colourOf(style), "stroke-width": 1.8, "stroke-dasharray": style.dash }));
      }
      strip.replaceChildren();
      for (const w of winnersOverContexts(models, data, isShown)) {
        const style = data.styles[w.model];
        const width = Math.max(0.5, sx(w.high) - sx(w.low));
        const box = svgEl("rect", { x: sx(w.low), y: stripY - 9, width, height: 12, fill: style ? colourOf(style) : "var(--bk-grey)" });
        box.append(svgEl("title", { text: `${w.model}: PC(+) ${fmt(w.low, 3)} – ${fmt(w.high, 3)}` }));
        strip.append(box);
      }
    };
    const show = () => {
      const pc = probabilityCost(state);
      const total = state.prevalence * (state.cost_fn - state.cost_tp) + (1 - state.prevalence) * (state.cost_fp - state.cost_tn);
      const floor = state.prevalence * state.cost_tp + (1 - state.prevalence) * state.cost_tn;
      const best = rules[0];
      const y = sy(Math.min(0.5, (best.cost - floor) / total));
      cursor.replaceChildren(
        svgEl("line", { x1: sx(pc), x2: sx(pc), y1: sy.range[1], y2: stripY + 5, class: "bk-cursor-line" }),
        svgEl("line", { x1: sx(pc), x2: sx(pc), y1: sy.range[1], y2: stripY + 5, class: "bk-grip" }),
        marker(best.trivial ? null : data.styles[best.model], sx(pc), y, 5));
      cursor.setAttribute("aria-valuenow", pc.toFixed(4));
      cursor.setAttribute("aria-valuetext", `PC(+) ${fmt(pc, 3)}`);
      cursor.dataset.pc = String(pc);
      if (state.range) { range.setAttribute("x", sx(state.range[0])); range.setAttribute("width", Math.max(0, sx(state.range[1]) - sx(state.range[0]))); }
      else range.setAttribute("width", 0);
    };
    const highlight = (point) => {
      if (!point) { lit.setAttribute("visibility", "hidden"); return; }
      for (const [k, v] of Object.entries({ x1: sx(0), y1: sy(Math.min(0.5, point.fpr)), x2: sx(1), y2: sy(Math.min(0.5, 1 - point.tpr)), visibility: "visible", stroke: colourOf(data.styles[point.model]) })) lit.setAttribute(k, v);
    };
    dragging(svg, cursor, (at) => setPc(sx.invert(at.x)));
    cursor.addEventListener("keydown", (e) => {
      const step = { ArrowUp: 0.01, ArrowRight: 0.01, ArrowDown: -0.01, ArrowLeft: -0.01, PageUp: 0.1, PageDown: -0.1 }[e.key];
      if (step) { e.preventDefault(); setPc(probabilityCost(state) + step); }
    });
    let from = null;
    strip.addEventListener("pointerdown", (e) => { from = clamp01(sx.invert(pointerAt(svg, e).x)); strip.setPointerCapture(e.pointerId); });
    strip.addEventListener("pointermove", (e) => {
      if (from === null) return;
      const to = clamp01(sx.invert(pointerAt(svg, e).x));
      if (Math.abs(to - from) > 0.01) change({ range: [Math.min(from, to), Math.max(from, to)] });
    });
    strip.addEventListener("pointerup", () => { from = null; });
    return { svg, draw, show, highlight };
  }

  roc.draw();
  cost.draw();
  render();
  window.matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => change({ theme: isDark() }));
  document.addEventListener("bk-theme", () => change({ theme: isDark() }));
  const handle = { get state() { return state; }, get rules() { return rules; }, set: (part) => { state = { ...state, ...part }; render(true); }, render };
  host.bkExplorer = handle;
  return handle;
}

/** The part of a line through (x, y) with this slope that lies in the unit square. */
export function clipLine(x, y, slope) {
  if (!Number.isFinite(slope)) return [[x, 0], [x, 1]];
  const at = (v) => y + slope * (v - x);
  let [x0, x1] = [0, 1];
  if (slope > 1e-12) { x0 = Math.max(0, x + (0 - y) / slope); x1 = Math.min(1, x + (1 - y) / slope); }
  return [[x0, at(x0)], [x1, at(x1)]];
}

function dragging(svg, node, move) {
  let active = false;
  node.addEventListener("pointerdown", (e) => { active = true; node.setPointerCapture(e.pointerId); e.preventDefault(); node.focus(); });
  node.addEventListener("pointermove", (e) => { if (active) move(pointerAt(svg, e)); });
  for (const end of ["pointerup", "pointercancel"]) node.addEventListener(end, () => { active = false; });
}

function explorerControls(now, text, data, base, change) {
  const state = now();
  const fields = {};
  const node = el("div", { class: "bk-fields" });
  const add = (key, label, toSlider, fromSlider, ends, digits) => {
    const id = `bk-${key}`;
    const number = el("input", { type: "number", id, step: "any", "data-testid": key, oninput: () => {
      const typed = number.value === "" ? NaN : Number(number.value);
      const good = validContext({ ...now(), [key]: typed });
      number.setAttribute("aria-invalid", String(!good));
      if (good) change({ [key]: typed });
    }, onblur: () => { number.removeAttribute("aria-invalid"); show(now()); } });
    const slider = toSlider && el("input", { type: "range", min: ends[0], max: ends[1], step: (ends[1] - ends[0]) / 1000, "aria-label": label, "data-testid": `${key}-slider`, oninput: () => change({ [key]: +fromSlider(Number(slider.value)).toPrecision(4) }) });
    fields[key] = { number, slider, toSlider, digits };
    return el("div", { class: "bk-field" }, el("label", { for: id, text: label }), number, slider);
  };
  const [p0, p1] = EXPLORER_LIMITS.prevalence;
  const [c0, c1] = EXPLORER_LIMITS.cost;
  node.append(
    add("prevalence", `${text.prevalence} ${data.positive}`, logit, expit, [logit(p0), logit(p1)]),
    add("cost_fp", text.costFp, Math.log, Math.exp, [Math.log(c0), Math.log(c1)]),
    add("cost_fn", text.costFn, Math.log, Math.exp, [Math.log(c0), Math.log(c1)]),
    el("details", {}, el("summary", { text: text.rightCosts }), add("cost_tp", text.costTp), add("cost_tn", text.costTn)));
  const currency = el("input", { type: "text", id: "bk-currency", maxlength: 6, value: state.currency, oninput: () => change({ currency: currency.value }) });
  const policy = el("select", { id: "bk-policy", "data-testid": "policy", onchange: () => change({ policy: policy.value === "cheapest" ? { kind: "cheapest" } : now().policy }) },
    el("option", { value: "cheapest", text: text.policyCheapest }), el("option", { value: "fixed", text: text.policyFixed, disabled: true }));
  node.append(
    el("div", { class: "bk-field" }, el("label", { for: "bk-policy", text: text.policy }), policy),
    el("div", { class: "bk-field bk-inline" }, el("label", { for: "bk-currency", text: text.currency }), currency,
      el("button", { type: "button", class: "bk-button", text: text.asInData, "data-testid": "as-in-data", onclick: () => change({ prevalence: base }) })));
  function show(shown) {
    for (const [key, f] of Object.entries(fields)) {
      if (document.activeElement !== f.number) f.number.value = String(+Number(shown[key]).toPrecision(6));
      if (f.slider && document.activeElement !== f.slider) f.slider.value = String(f.toSlider(Math.max(shown[key], 1e-9)));
      if (f.slider) f.slider.setAttribute("aria-valuetext", fmt(shown[key]));
    }
    policy.value = shown.policy.kind;
  }
  return { node, show };
}

function copyButton(label, make) {
  const button = el("button", { type: "button", class: "bk-button", text: label, onclick: async () => {
    const copied = make();
    button.dataset.copied = copied;
    try { await navigator.clipboard.writeText(copied); } catch { /* no clipboard: the text stays in data-copied */ }
    button.classList.add("bk-done");
    setTimeout(() => button.classList.remove("bk-done"), 900);
  } });
  return button;
}

export function pythonCode(state) {
  const n = (v) => String(+Number(v).toPrecision(8));
  const right = state.cost_tp || state.cost_tn ? `, cost_tp=${n(state.cost_tp)}, cost_tn=${n(state.cost_tn)}` : "";
  return `bakeoff.decide(predictions, bakeoff.OperatingContext(prevalence=${n(state.prevalence)}, cost_fp=${n(state.cost_fp)}, cost_fn=${n(state.cost_fn)}${right}))`;
}

export function commandLine(state) {
  const n = (v) => String(+Number(v).toPrecision(8));
  return `bakeoff decide preds.csv --truth TRUTH --score MODEL --prevalence ${n(state.prevalence)} --cost-fp ${n(state.cost_fp)} --cost-fn ${n(state.cost_fn)}`;
}

const HASH_KEYS = ["prevalence", "cost_fp", "cost_fn", "cost_tp", "cost_tn"];

const pickContext = (state) => Object.fromEntries(HASH_KEYS.map((key) => [key, state[key]]));

export function readHash(models) {
  const found = {};
  const parts = new URLSearchParams(window.location.hash.replace(/^#/, ""));
  for (const key of HASH_KEYS) {
    const value = Number(parts.get(key));
    if (parts.has(key) && Number.isFinite(value)) found[key] = value;
  }
  if (parts.has("off")) found.off = parts.getAll("off").filter((name) => models.some((m) => m.name === name));
  const fixed = models.find((m) => m.name === parts.get("model"));
  const index = Number(parts.get("point"));
  if (fixed && Number.isInteger(index) && index >= 0 && index < fixed.curve.fpr.length) found.policy = { kind: "fixed", model: fixed.name, index };
  return found;
}

export function writeHash(state, start) {
  const parts = new URLSearchParams();
  for (const key of HASH_KEYS) if (state[key] !== start[key]) parts.set(key, String(+Number(state[key]).toPrecision(8)));
  for (const name of state.off) parts.append("off", name);
  if (state.policy.kind === "fixed") { parts.set("model", state.policy.model); parts.set("point", String(state.policy.index)); }
  const text = parts.toString();
  const target = text ? `#${text}` : window.location.pathname + window.location.search;
  if (window.location.hash.replace(/^#/, "") !== text) window.history.replaceState(null, "", target);
}

export const EXPLORER_TEXT = {
  models: "Models", rocTitle: "ROC space", costTitle: "Cost curves", matrixTitle: "What happens to 1000 cases", rulesTitle: "The rules, cheapest first",
  fpr: "false positive rate", tpr: "true positive rate", pcTitle: "PC(+): how much the positives matter", necTitle: "normalised expected cost",
  prevalence: "Prevalence of", costFp: "Cost of a false alarm", costFn: "Cost of a miss", costTp: "Cost of a hit", costTn: "Cost of a correct pass",
  rightCosts: "Costs of right answers", currency: "Currency", asInData: "Prevalence as in the data", policy: "Threshold", policyCheapest: "cheapest for the context", policyFixed: "fixed (drag the point)",
  atThreshold: "at threshold", modelWins: "Use {rule}: {cost} a case (interval {low} to {high}); cheapest in {p} of resamples.",
  trivialWins: "“{model}” is cheapest, {cost} a case: no model is worth deploying here.", runnerUp: "Next is {model}, {more} more.",
  per1000: "Of 1000 cases at a prevalence of", called: "called", truly: "truly", hits: "hits", misses: "misses", alarms: "false alarms", passes: "correct passes",
  rule: "rule", threshold: "threshold", cost: "cost a case", interval: "interval", pBest: "cheapest in", regret: "more than best", slope: "slope",
  dragIsocost: "Isocost line: turn it to change the cost of a miss", dragPc: "Context: move it to change the cost of a miss", dragPoint: "Operating point: move it to fix the threshold",
  brushHint: "Drag over the coloured strip to compare models over a range of contexts.", overRange: "Mean regret over", worst: "worst", clearRange: "clear range",
  copyPython: "Copy as Python", copyCommand: "Copy as command", copyLink: "Copy link",
};
