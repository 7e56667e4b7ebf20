// Regression: what was predicted against what came, and what is left over along the prediction.
import { bandPath, fmt, frame, linePath, roomFor, svgEl, tooltip } from "./svg.js";

function scatter(host, data, ys, options) {
  const xs = data.predicted;
  const finite = (values) => values.filter((v) => v !== null);
  const ends = (values) => { const [low, high] = [Math.min(...values), Math.max(...values)]; const pad = (high - low || 1) * 0.04; return [low - pad, high + pad]; };
  const both = options.same ? ends([...finite(xs), ...finite(ys)]) : null;
  const width = roomFor(host, 480);
  const view = frame({ width, height: Math.round(0.8 * width), x: both || ends(finite(xs)), y: both || ends([0, ...finite(ys)]), xTitle: data.x_title, yTitle: data.y_title, label: data.title, margin: { left: 62 } });
  const { svg, plot, sx, sy } = view;
  const tip = tooltip();
  plot.append(...options.under(view));
  const dots = svgEl("g", { class: "bk-scatter" });
  xs.forEach((x, i) => {
    if (x === null || ys[i] === null) return;
    const dot = svgEl("circle", { cx: sx(x).toFixed(1), cy: sy(ys[i]).toFixed(1), r: 3 });
    dot.addEventListener("pointerenter", (e) => tip.show(e, [`${data.x_title} ${fmt(x)}`, `${data.y_title} ${fmt(ys[i])}`]));
    dot.addEventListener("pointerleave", () => tip.hide());
    dots.append(dot);
  });
  plot.append(dots, ...(options.over ? options.over(view) : []));
  host.append(svg);
  return { redraw: () => {} };
}

export function drawPredicted(host, data) {
  return scatter(host, data, data.actual, { same: true, under: ({ sx, sy }) => {
    const [low, high] = sx.domain;
    return [svgEl("line", { x1: sx(low), y1: sy(low), x2: sx(high), y2: sy(high), class: "bk-triv" })];
  } });
}

export function drawResiduals(host, data) {
  const m = data.middle;
  return scatter(host, data, data.residual, {
    under: ({ sx, sy }) => [svgEl("line", { x1: sx.range[0], x2: sx.range[1], y1: sy(0), y2: sy(0), class: "bk-zero" })],
    over: ({ sx, sy }) => [
      svgEl("path", { d: bandPath(m.x, m.low, m.high, sx, sy), fill: "var(--bk-accent)", opacity: 0.16, "pointer-events": "none" }),
      svgEl("path", { d: linePath(m.x, m.median, sx, sy), fill: "none", stroke: "var(--bk-accent)", "stroke-width": 2.4, "pointer-events": "none" }),
    ],
  });
}
