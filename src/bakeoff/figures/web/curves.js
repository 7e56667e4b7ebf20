// Figures made of curves: ROC, precision–recall, calibration, cost curves, power.
import { bandPath, colourOf, el, fmt, frame, legend, linePath, marker, onPaper, percent, pointerAt, roomFor, svgEl, tooltip } from "./svg.js";

/** A line chart with bands, a legend that hides models, and the nearest point under the pointer in a tooltip. */
function lineChart(host, data, series, options) {
  const width = roomFor(host, options.width || 480);
  const view = frame({ ...options, width, height: Math.min(options.height || 400, Math.round((onPaper() ? 0.8 : 0.95) * width)) });
  const { svg, plot, sx, sy } = view;
  const hidden = new Set();
  const tip = tooltip();
  const layer = svgEl("g", {});
  plot.append(...(options.under ? options.under(view) : []), layer, ...(options.over ? options.over(view) : []));
  const draw = () => {
    layer.replaceChildren();
    for (const s of series) {
      if (hidden.has(s.model)) continue;
      const style = data.styles[s.model];
      if (s.low) layer.append(svgEl("path", { d: bandPath(s.bandX || s.x, s.low, s.high, sx, sy), fill: colourOf(style), opacity: 0.14 }));
      layer.append(svgEl("path", { d: linePath(s.x, s.y, sx, sy), fill: "none", stroke: colourOf(style), "stroke-width": 2, "stroke-dasharray": style && style.dash, "data-model": s.model }));
      if (s.points) s.x.forEach((x, i) => layer.append(marker(style, sx(x), sy(s.y[i]), s.size ? s.size[i] : 3.5)));
    }
  };
  svg.addEventListener("pointermove", (e) => {
    const at = pointerAt(svg, e);
    let best = null;
    for (const s of series) {
      if (hidden.has(s.model)) continue;
      s.x.forEach((x, i) => {
        const d = Math.hypot(sx(x) - at.x, sy(s.y[i]) - at.y);
        if (d < 22 && (!best || d < best.d)) best = { d, s, i };
      });
    }
    if (best) tip.show(e, options.describe(best.s, best.i)); else tip.hide();
  });
  svg.addEventListener("pointerleave", () => tip.hide());
  draw();
  host.append(svg);
  const named = [...new Set(series.map((s) => s.model))].filter((m) => data.styles[m]);
  if (named.length) host.append(legend(named, data.styles, (model, on) => { if (on) hidden.delete(model); else hidden.add(model); draw(); }));
  return { redraw: draw };
}

export function drawRoc(host, data) {
  const series = data.curves.map((c) => {
    const band = (data.bands || {})[c.model];
    return { model: c.model, x: c.fpr, y: c.tpr, auc: c.auc, threshold: c.threshold, ...(band ? { bandX: band.fpr, low: band.low, high: band.high } : {}) };
  });
  return lineChart(host, data, series, {
    width: 480, height: 430, xTitle: data.x_title, yTitle: data.y_title, label: data.title,
    under: ({ sx, sy }) => [svgEl("line", { x1: sx(0), y1: sy(0), x2: sx(1), y2: sy(1), class: "bk-chance" })],
    over: ({ sx, sy }) => [
      ...(data.hull || []).filter((v) => data.styles[v.model]).map((v) => svgEl("circle", { cx: sx(v.fpr), cy: sy(v.tpr), r: 3.2, fill: colourOf(data.styles[v.model]), class: "bk-vertex" })),
      ...(data.thresholds ? data.curves : []).flatMap((c) => c.fpr.map((x, i) => svgEl("text", { x: sx(x) + 4, y: sy(c.tpr[i]) + 12, "font-size": 10, text: fmt(c.threshold[i] ?? Infinity) }))),
    ],
    describe: (s, i) => [s.model, `${data.x_title} ${percent(s.x[i])}, ${data.y_title} ${percent(s.y[i])}`, `AUC ${fmt(s.auc)}`, ...(s.threshold && s.threshold[i] !== null ? [`≥ ${fmt(s.threshold[i])}`] : [])],
  });
}

export function drawSeries(host, data) {
  const xs = data.curves[0].x;
  const top = Math.max(...data.curves.flatMap((c) => c.high || c.y), data.reference ?? 0) * 1.05 || 1;
  return lineChart(host, data, data.curves.map((c) => ({ ...c, points: true })), {
    width: 520, height: 360, x: [Math.min(...xs), Math.max(...xs)], y: [0, top], xTitle: data.x_title, yTitle: data.y_title, label: data.title,
    under: ({ sx, sy }) => (data.reference === null ? [] : [svgEl("line", { x1: sx.range[0], x2: sx.range[1], y1: sy(data.reference), y2: sy(data.reference), class: "bk-chance" })]),
    describe: (s, i) => [s.model, `${fmt(s.x[i])}: ${fmt(s.y[i], 3)}`],
  });
}

export function drawRocSpace(host, data) {
  const { svg, plot, sx, sy } = frame({ width: Math.min(480, roomFor(host, 480)), height: 430, xTitle: data.x_title, yTitle: data.y_title, label: data.title });
  plot.append(svgEl("line", { x1: sx(0), y1: sy(0), x2: sx(1), y2: sy(1), class: "bk-chance" }),
    svgEl("path", { d: linePath(data.hull.map((p) => p[0]), data.hull.map((p) => p[1]), sx, sy), class: "bk-curve bk-curve-first", fill: "none" }));
  data.lines.forEach((line, i) => {
    const [[x0, y0], [x1, y1]] = line.ends;
    plot.append(svgEl("line", { x1: sx(x0), y1: sy(y0), x2: sx(x1), y2: sy(y1), class: "bk-triv" }),
      svgEl("text", { x: sx(x1) - 4, y: sy(y1) - 4, "text-anchor": "end", class: "bk-small", text: data.costs[i] }));
  });
  for (const p of data.points) {
    plot.append(marker(p.on_hull ? data.styles[p.model] : null, sx(p.fpr), sy(p.tpr), 5), svgEl("text", { x: sx(p.fpr) + 8, y: sy(p.tpr) + 13, text: p.model }));
  }
  host.append(svg);
  return { redraw: () => {} };
}

export function drawPrecisionRecall(host, data) {
  return lineChart(host, data, data.curves.map((c) => ({ model: c.model, x: c.recall, y: c.precision, ap: c.average_precision })), {
    width: 480, height: 430, xTitle: data.x_title, yTitle: data.y_title, label: data.title,
    under: ({ sx, sy }) => [svgEl("line", { x1: sx(0), x2: sx(1), y1: sy(data.prevalence), y2: sy(data.prevalence), class: "bk-chance" })],
    describe: (s, i) => [s.model, `${data.x_title} ${percent(s.x[i])}, ${data.y_title} ${percent(s.y[i])}`, `${data.area} ${fmt(s.ap)}`],
  });
}

/** Radii whose areas go with the counts: a point of three cases is a speck, and so is its noise. */
function sizes(counts) {
  const most = Math.max(...counts);
  return counts.map((n) => 1.5 + 5 * Math.sqrt(n / most));
}

export function drawCalibration(host, data) {
  return lineChart(host, data, data.curves.map((c) => ({ model: c.model, x: c.mean, y: c.observed, low: c.low, high: c.high, count: c.count, points: true, size: sizes(c.count) })), {
    width: 480, height: 430, xTitle: data.x_title, yTitle: data.y_title, label: data.title,
    under: ({ sx, sy }) => [svgEl("line", { x1: sx(0), y1: sy(0), x2: sx(1), y2: sy(1), class: "bk-chance" })],
    describe: (s, i) => [s.model, `${percent(s.x[i])} → ${percent(s.y[i])}`, `n = ${s.count[i]}`],
  });
}

export function drawErrorDistribution(host, data) {
  return lineChart(host, data, data.curves.map((c) => ({ model: c.model, x: c.error, y: c.share })), {
    width: 480, height: 430, x: [0, data.largest], xTitle: data.x_title, yTitle: data.y_title, label: data.title,
    describe: (s, i) => [s.model, `${percent(s.y[i])} ≤ ${fmt(s.x[i])}`],
  });
}

export function drawCostCurve(host, data) {
  return lineChart(host, data, data.envelopes.map((c) => ({ model: c.model, x: c.pc, y: c.cost, low: c.low, high: c.high })), {
    width: 480, height: 430, y: [0, 0.5], xTitle: data.x_title, yTitle: data.y_title, label: data.title, margin: { bottom: 70 },
    under: ({ sx, sy, height }) => [
      svgEl("path", { d: linePath([0, 0.5, 1], [0, 0.5, 0], sx, sy), class: "bk-triv" }),
      ...(data.ranges || []).map((r) => {
        const style = data.styles[r.model];
        const box = svgEl("rect", { x: sx(r.low), width: Math.max(0.5, sx(r.high) - sx(r.low)), y: height - 43, height: 11, fill: style ? colourOf(style) : "var(--bk-grey)" });
        box.append(svgEl("title", { text: `${r.model}: ${fmt(r.low, 3)} – ${fmt(r.high, 3)}` }));
        return box;
      }),
    ],
    describe: (s, i) => [s.model, `PC(+) ${fmt(s.x[i], 3)}, ${fmt(s.y[i])}`],
  });
}

export function drawPower(host, data) {
  const high = Math.max(...data.x);
  const low = Math.min(...data.x);
  return lineChart(host, { ...data, styles: data.styles || {} }, [{ model: "", x: data.x, y: data.power }], {
    width: 480, height: 360, x: [low, high], y: [0, 1], xTitle: data.x_title, yTitle: data.y_title, label: data.title,
    under: ({ sx, sy }) => [
      svgEl("line", { x1: sx(low), x2: sx(high), y1: sy(data.target), y2: sy(data.target), class: "bk-chance" }),
      ...(data.at ? [svgEl("line", { x1: sx(data.at), x2: sx(data.at), y1: sy(0), y2: sy(1), class: "bk-triv" })] : []),
    ],
    describe: (s, i) => [`${fmt(s.x[i])}: ${percent(s.y[i])}`],
  });
}
