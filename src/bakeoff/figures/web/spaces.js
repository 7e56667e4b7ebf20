// ROC space and cost curves of the explorer: the leader in its own colour, the others grey, the context as a line to drag.
import { expectedCost, isocostSlope, probabilityCost } from "./engine.js";
import { el, fmt, frame, linePath, money, percent, pointerAt, svgEl, tooltip } from "./svg.js";

/** Both pictures; `show(state, rules)` moves them to a context. `move(slope)` is told of a line that was dragged. */
export function contextSpaces(engine, text, move) {
  const tip = tooltip();
  const roc = rocSpace(engine, text, move, tip);
  const cost = costSpace(engine, text, move);
  const node = el("div", { class: "bk-spaces" },
    el("div", { class: "bk-panel", "data-step": "1 2" }, el("h3", { text: text.rocTitle }), roc.svg),
    el("div", { class: "bk-panel", "data-step": "3" }, el("h3", { text: text.costTitle }), cost.svg));
  return { node, show: (state, rules) => { roc.show(state, rules); cost.show(state, rules); } };
}

/** As large as a phone is wide: letters keep their size there. */
const size = () => { const width = Math.max(280, Math.min(420, window.innerWidth - 70)); return { width, height: 0.95 * width }; };

const modelLine = (d, leads) => svgEl("path", { d, fill: "none", class: leads ? "bk-curve bk-curve-first" : "bk-curve" });

/** Curves in the order of drawing: the leader last, on top. */
function inOrder(engine, leader) {
  return [...engine.models].sort((a, b) => (a.name === leader) - (b.name === leader));
}

function rocSpace(engine, text, move, tip) {
  const { svg, plot, sx, sy } = frame({ ...size(), role: "group", xTitle: text.fpr, yTitle: text.tpr, label: text.rocTitle });
  const layer = svgEl("g", {});
  const line = svgEl("line", { class: "bk-isocost", "data-testid": "isocost" });
  const grip = svgEl("line", { class: "bk-grip", tabindex: 0, role: "slider", "aria-label": text.dragIsocost, "data-testid": "isocost-grip" });
  const spot = svgEl("circle", { r: 6.5, class: "bk-dot bk-first", "data-testid": "spot" });
  plot.append(svgEl("line", { x1: sx(0), y1: sy(0), x2: sx(1), y2: sy(1), class: "bk-chance" }), layer, line, grip, spot);
  let [drawn, at, context] = [null, { fpr: 0, tpr: 0 }, null];
  const show = (state, rules) => {
    const best = rules[0];
    if (drawn !== best.model) {
      layer.replaceChildren(...inOrder(engine, best.model).map((m) => modelLine(linePath(m.curve.fpr, m.curve.tpr, sx, sy), m.name === best.model)));
      drawn = best.model;
    }
    [at, context] = [best, state];
    const slope = isocostSlope(state);
    const [a, b] = clipLine(best.fpr, best.tpr, slope);
    for (const node of [line, grip]) for (const [k, v] of Object.entries({ x1: sx(a[0]), y1: sy(a[1]), x2: sx(b[0]), y2: sy(b[1]) })) node.setAttribute(k, v.toFixed(2));
    line.dataset.slope = String(slope);
    grip.setAttribute("aria-valuetext", `${text.slope} ${fmt(slope, 3)}`);
    grip.setAttribute("aria-valuenow", String(+slope.toPrecision(4)));
    spot.setAttribute("cx", sx(best.fpr));
    spot.setAttribute("cy", sy(best.tpr));
  };
  // Dragging the line turns it about the cheapest point: a steeper line means false alarms weigh more.
  dragging(svg, grip, (p) => {
    const dx = sx.invert(p.x) - at.fpr;
    if (Math.abs(dx) >= 0.01) move(Math.max(0.001, (sy.invert(p.y) - at.tpr) / dx));
  });
  steps(grip, (step) => move(isocostSlope(context) * 1.1 ** step));
  svg.addEventListener("pointermove", (event) => {
    const p = pointerAt(svg, event);
    const near = nearestCorner(engine, sx.invert(p.x), sy.invert(p.y));
    if (!near) { tip.hide(); return; }
    const lines = [near.model.name, `${text.fpr} ${percent(near.fpr)}, ${text.tpr} ${percent(near.tpr)}`];
    if (!near.model.labels_only) lines.push(`${text.threshold} ${fmt(near.threshold)}`);
    tip.show(event, [...lines, `${text.cost} ${money(expectedCost(context, near.fpr, near.tpr))}`]);
  });
  svg.addEventListener("pointerleave", () => tip.hide());
  return { svg, show };
}

function nearestCorner(engine, fpr, tpr) {
  let best = null;
  for (const model of engine.models) model.hull.fpr.forEach((x, i) => {
    const d = Math.hypot(x - fpr, model.hull.tpr[i] - tpr);
    if (d < 0.04 && (!best || d < best.d)) best = { d, model, fpr: x, tpr: model.hull.tpr[i], threshold: model.hull.threshold[i] };
  });
  return best;
}

// The cross-fitted cost of each model along PC(+), which is what chooses; a cursor at the context.
function costSpace(engine, text, move) {
  const { svg, plot, sx, sy } = frame({ ...size(), role: "group", y: [0, 0.5], xTitle: text.pcTitle, yTitle: text.necTitle, label: text.costTitle });
  const layer = svgEl("g", {});
  const cursor = svgEl("g", { class: "bk-cursor", tabindex: 0, role: "slider", "aria-label": text.dragPc, "aria-valuemin": 0, "aria-valuemax": 1, "data-testid": "pc-cursor" });
  plot.append(layer, cursor);
  const xs = Array.from({ length: 161 }, (_, i) => i / 160);
  const lines = engine.models.map((m) => ({ name: m.name, d: linePath(xs, xs.map((x) => Math.min(0.5, costAt(m.path, x))), sx, sy) }));
  let drawn = null;
  const show = (state, rules) => {
    const best = rules[0];
    if (drawn !== best.model) {
      layer.replaceChildren(
        ...[[0, 0.5, 0, 0.5], [0.5, 1, 0.5, 0]].map(([x0, x1, y0, y1]) => svgEl("path", { d: linePath([x0, x1], [y0, y1], sx, sy), class: "bk-triv" })),
        ...[...lines].sort((a, b) => (a.name === best.model) - (b.name === best.model)).map((l) => modelLine(l.d, l.name === best.model)));
      drawn = best.model;
    }
    const pc = probabilityCost(state);
    const y = sy(Math.min(0.5, pc * (1 - best.tpr) + (1 - pc) * best.fpr));
    const upright = { x1: sx(pc), x2: sx(pc), y1: sy.range[1], y2: sy.range[0] };
    cursor.replaceChildren(svgEl("line", { ...upright, class: "bk-cursor-line" }), svgEl("line", { ...upright, class: "bk-grip" }), svgEl("circle", { cx: sx(pc), cy: y, r: 6.5, class: "bk-dot bk-first" }));
    cursor.setAttribute("aria-valuenow", pc.toFixed(4));
    cursor.setAttribute("aria-valuetext", `PC(+) ${fmt(pc, 3)}`);
    cursor.dataset.pc = String(pc);
  };
  const go = (x) => { const pc = Math.min(0.9999, Math.max(0.0001, x)); move((1 - pc) / pc); };
  dragging(svg, cursor, (p) => go(sx.invert(p.x)));
  steps(cursor, (step) => go(Number(cursor.dataset.pc) + 0.01 * step));
  return { svg, show };
}

function costAt(path, pc) {
  let line = 0;
  while (line < path.pc.length && path.pc[line] <= pc) line++;
  return pc * (1 - path.tpr[line]) + (1 - pc) * path.fpr[line];
}

/** The part of a line through (x, y) with this slope that lies in the unit square. */
function clipLine(x, y, slope) {
  if (!Number.isFinite(slope)) return [[x, 0], [x, 1]];
  const at = (v) => y + slope * (v - x);
  let [x0, x1] = [0, 1];
  if (slope > 1e-12) { x0 = Math.max(0, x + (0 - y) / slope); x1 = Math.min(1, x + (1 - y) / slope); }
  return [[x0, at(x0)], [x1, at(x1)]];
}

function dragging(svg, node, moved) {
  let active = false;
  node.addEventListener("pointerdown", (e) => { active = true; node.setPointerCapture(e.pointerId); e.preventDefault(); node.focus(); });
  node.addEventListener("pointermove", (e) => { if (active) moved(pointerAt(svg, e)); });
  for (const end of ["pointerup", "pointercancel"]) node.addEventListener(end, () => { active = false; });
}

function steps(node, moved) {
  node.addEventListener("keydown", (e) => {
    const step = { ArrowUp: 1, ArrowRight: 1, ArrowDown: -1, ArrowLeft: -1, PageUp: 10, PageDown: -10 }[e.key];
    if (step) { e.preventDefault(); moved(step); }
  });
}
