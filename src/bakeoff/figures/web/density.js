// Distributions: posterior of a difference with its region of practical equivalence, and scores by class.
import { bandPath, el, frame, linePath, percent, roomFor, svgEl } from "./svg.js";

export function drawPosterior(host, data) {
  const top = Math.max(...data.density) * 1.08;
  const view = frame({ width: roomFor(host, 520), height: 320, x: [data.x[0], data.x[data.x.length - 1]], y: [0, top], xTitle: data.x_title, yTitle: data.y_title, label: data.title, yTicks: [] });
  const { svg, plot, sx, sy } = view;
  const zero = data.x.map(() => 0);
  plot.append(svgEl("path", { d: bandPath(data.x, zero, data.density, sx, sy), fill: "var(--bk-accent)", opacity: 0.18 }));
  plot.append(svgEl("path", { d: linePath(data.x, data.density, sx, sy), fill: "none", stroke: "var(--bk-accent)", "stroke-width": 2 }));
  if (data.rope && data.rope[1] > data.rope[0]) plot.append(svgEl("rect", { x: sx(Math.max(data.rope[0], data.x[0])), width: Math.max(1, sx(data.rope[1]) - sx(data.rope[0])), y: sy(top), height: sy(0) - sy(top), fill: "var(--bk-warn)", opacity: 0.16 }));
  plot.append(svgEl("line", { x1: sx(0), x2: sx(0), y1: sy(0), y2: sy(top), class: "bk-triv" }));
  host.append(svg, el("p", { class: "bk-small", text: data.shares.map((s) => `${s.label} ${percent(s.p)}`).join(" · ") }));
  return { redraw: () => {} };
}

function swatch(colour) {
  return svgEl("svg", { width: 14, height: 10, "aria-hidden": "true" }, svgEl("rect", { width: 14, height: 10, fill: colour }));
}

export function drawScoreDistribution(host, data) {
  const top = Math.max(...data.positive, ...data.negative) * 1.08 || 1;
  const edges = data.edges;
  const view = frame({ width: roomFor(host, 520), height: 320, x: [edges[0], edges[edges.length - 1]], y: [0, top], xTitle: data.x_title, yTitle: data.y_title, label: data.title });
  const { svg, plot, sx, sy } = view;
  const steps = (heights) => heights.flatMap((h, i) => [[edges[i], h], [edges[i + 1], h]]);
  for (const [heights, colour, name] of [[data.negative, "var(--bk-grey)", data.negative_name], [data.positive, "var(--bk-accent)", data.positive_name]]) {
    const points = steps(heights);
    const xs = points.map((p) => p[0]);
    const ys = points.map((p) => p[1]);
    plot.append(svgEl("path", { d: bandPath(xs, ys.map(() => 0), ys, sx, sy), fill: colour, opacity: 0.25 }), svgEl("path", { d: linePath(xs, ys, sx, sy), fill: "none", stroke: colour, "stroke-width": 1.8 }));
  }
  if (data.threshold !== null && data.threshold !== undefined) plot.append(svgEl("line", { x1: sx(data.threshold), x2: sx(data.threshold), y1: sy(0), y2: sy(top), class: "bk-triv" }));
  host.append(svg, el("p", { class: "bk-small" }, ...[["var(--bk-accent)", data.positive_name], ["var(--bk-grey)", data.negative_name]].map(([colour, name]) => el("span", { class: "bk-named" }, swatch(colour), el("b", { text: name })))));
  return { redraw: () => {} };
}
