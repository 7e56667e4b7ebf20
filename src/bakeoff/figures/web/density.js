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

// The distribution of a statistic where H0 holds: what rejects is coloured, what was found is a line.
export function drawNull(host, data) {
  const top = Math.max(...data.density) * 1.08;
  const { svg, plot, sx, sy } = frame({ width: roomFor(host, 520), height: 300, x: [data.x[0], data.x[data.x.length - 1]], y: [0, top], xTitle: data.x_title, yTitle: data.y_title, label: data.title, yTicks: [] });
  const rejects = (v) => data.region.some(([low, high]) => v >= low && v <= high);
  if (data.discrete) {
    data.x.forEach((x, i) => plot.append(svgEl("line", { x1: sx(x), x2: sx(x), y1: sy(0), y2: sy(data.density[i]), stroke: rejects(x) ? "var(--bk-warn)" : "var(--bk-accent)", "stroke-width": rejects(x) ? 3 : 2 })));
  } else {
    for (const [low, high] of data.region) {
      const inside = data.x.map((x, i) => i).filter((i) => data.x[i] >= low && data.x[i] <= high);
      if (inside.length) plot.append(svgEl("path", { d: bandPath(inside.map((i) => data.x[i]), inside.map(() => 0), inside.map((i) => data.density[i]), sx, sy), fill: "var(--bk-warn)", opacity: 0.5 }));
    }
    plot.append(svgEl("path", { d: linePath(data.x, data.density, sx, sy), fill: "none", stroke: "var(--bk-accent)", "stroke-width": 2 }));
  }
  for (const value of data.statistics) plot.append(svgEl("line", { x1: sx(value), x2: sx(value), y1: sy(0), y2: sy(top), stroke: "currentColor", "stroke-width": 2 }));
  host.append(svg, el("p", { class: "bk-small", text: data.caption }));
  return { redraw: () => {} };
}

export function drawReplicates(host, data) {
  const top = Math.max(...data.counts) * 1.08 || 1;
  const { svg, plot, sx, sy } = frame({ width: roomFor(host, 520), height: 300, x: [data.edges[0], data.edges[data.edges.length - 1]], y: [0, top], xTitle: data.x_title, yTitle: data.y_title, label: data.title });
  data.counts.forEach((n, i) => plot.append(svgEl("rect", { x: sx(data.edges[i]), width: Math.max(0.5, sx(data.edges[i + 1]) - sx(data.edges[i])), y: sy(n), height: sy(0) - sy(n), fill: "var(--bk-accent)", opacity: 0.4 })));
  for (const [value, dash] of [[data.estimate, null], [data.low, "6 4"], [data.high, "6 4"]]) plot.append(svgEl("line", { x1: sx(value), x2: sx(value), y1: sy(0), y2: sy(top), stroke: "currentColor", "stroke-width": 2, "stroke-dasharray": dash }));
  host.append(svg, el("p", { class: "bk-small", text: data.caption }));
  return { redraw: () => {} };
}
