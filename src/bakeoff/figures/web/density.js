// Distributions: posterior of a difference with its region of practical equivalence, scores by class, the simplex.
import { bandPath, colourOf, el, fmt, frame, linePath, percent, roomFor, svgEl } from "./svg.js";

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
  host.append(svg, el("p", { class: "bk-small" }, el("b", { text: data.positive_name }), document.createTextNode(" (blue) · "), el("b", { text: data.negative_name }), document.createTextNode(" (grey)")));
  return { redraw: () => {} };
}

export function drawSimplex(host, data) {
  const width = 480;
  const height = 430;
  const corner = { a: [60, 380], b: [420, 380], rope: [240, 60] };
  const at = (p) => [corner.b[0] * p[2] + corner.a[0] * p[0] + corner.rope[0] * p[1], corner.b[1] * p[2] + corner.a[1] * p[0] + corner.rope[1] * p[1]];
  const svg = svgEl("svg", { viewBox: `0 0 ${width} ${height}`, width: "100%", role: "img", "aria-label": data.title, class: "bk-svg" });
  svg.append(svgEl("path", { d: `M${corner.a}L${corner.rope}L${corner.b}Z`, fill: "none", stroke: "var(--bk-ink)" }));
  const centre = at([1 / 3, 1 / 3, 1 / 3]);
  for (const mid of [at([0.5, 0.5, 0]), at([0, 0.5, 0.5]), at([0.5, 0, 0.5])]) svg.append(svgEl("line", { x1: centre[0], y1: centre[1], x2: mid[0], y2: mid[1], class: "bk-chance" }));
  for (const p of data.points) { const [x, y] = at(p); svg.append(svgEl("circle", { cx: x.toFixed(1), cy: y.toFixed(1), r: 1.8, fill: "var(--bk-accent)", opacity: 0.35 })); }
  svg.append(svgEl("text", { x: corner.a[0], y: 405, "text-anchor": "middle", class: "bk-label", text: `${data.labels[0]} ${percent(data.p[0])}` }), svgEl("text", { x: corner.rope[0], y: 48, "text-anchor": "middle", class: "bk-label", text: `${data.labels[1]} ${percent(data.p[1])}` }), svgEl("text", { x: corner.b[0], y: 405, "text-anchor": "middle", class: "bk-label", text: `${data.labels[2]} ${percent(data.p[2])}` }));
  host.append(svg);
  return { redraw: () => {} };
}
