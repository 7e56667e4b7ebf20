// Figures made of points: paired scores over folds or data sets, time against quality.
import { colourOf, decimal, fmt, linear, marker, niceTicks, roomFor, svgEl, tickText, ticksAround, tooltip } from "./svg.js";

export function drawBox(host, data) {
  const groups = data.groups;
  const width = roomFor(host, 1100);
  const height = 380;
  const all = groups.flatMap((g) => g.values).filter((v) => v !== null);
  const ticks = ticksAround(Math.min(...all), Math.max(...all));
  const [low, high] = [ticks[0], ticks[ticks.length - 1]];
  const tick = tickText(ticks);
  const pad = 0.03 * (high - low);
  const sy = linear([low - pad, high + pad], [height - 58, 14]);
  const step = (width - 80) / groups.length;
  const cx = (i) => 64 + step * (i + 0.5);
  const svg = svgEl("svg", { viewBox: `0 0 ${width} ${height}`, width: "100%", role: "img", "aria-label": data.title, class: "bk-svg" });
  const grid = svgEl("g", { class: "bk-grid" });
  for (const t of ticks) grid.append(svgEl("line", { x1: 60, x2: width - 12, y1: sy(t), y2: sy(t) }), svgEl("text", { x: 54, y: sy(t) + 4, "text-anchor": "end", text: tick(t) }));
  grid.append(svgEl("text", { class: "bk-axis", "text-anchor": "middle", transform: `translate(13 ${height / 2}) rotate(-90)`, text: data.y_title }));
  svg.append(grid);
  const tip = tooltip();
  // Thin lines join the scores of one fold or data set: the comparison is within, not between.
  if (data.paired && data.labels.length <= 60) {
    data.labels.forEach((_, row) => {
      const points = groups.map((g, i) => [cx(i), g.values[row]]).filter((p) => p[1] !== null);
      svg.append(svgEl("path", { d: points.map((p, i) => `${i ? "L" : "M"}${p[0].toFixed(1)} ${sy(p[1]).toFixed(1)}`).join(""), fill: "none", stroke: "var(--bk-line)" }));
    });
  }
  groups.forEach((g, i) => {
    const style = data.styles[g.model];
    const colour = colourOf(style);
    const sorted = g.values.filter((v) => v !== null).sort((a, b) => a - b);
    const q = (p) => { const at = (sorted.length - 1) * p; const f = Math.floor(at); return sorted[f] + ((sorted[f + 1] ?? sorted[f]) - sorted[f]) * (at - f); };
    const half = Math.min(26, step * 0.28);
    if (sorted.length >= 4) {
      svg.append(svgEl("rect", { x: cx(i) - half, width: 2 * half, y: sy(q(0.75)), height: Math.max(1, sy(q(0.25)) - sy(q(0.75))), fill: colour, opacity: 0.16 }));
      svg.append(svgEl("line", { x1: cx(i) - half, x2: cx(i) + half, y1: sy(q(0.5)), y2: sy(q(0.5)), stroke: colour, "stroke-width": 3 }));
    }
    g.values.forEach((v, row) => {
      if (v === null) return;
      const dot = svgEl("circle", { cx: cx(i) + ((row % 7) - 3) * 2.2, cy: sy(v), r: 3, fill: colour, opacity: 0.75 });
      dot.addEventListener("pointerenter", (e) => tip.show(e, [g.model, `${data.labels[row]}: ${fmt(v)}`]));
      dot.addEventListener("pointerleave", () => tip.hide());
      svg.append(dot);
    });
    const name = g.model.length > step / 7.5 ? `${g.model.slice(0, Math.max(3, Math.floor(step / 7.5) - 1))}…` : g.model;
    const label = svgEl("text", { x: cx(i), y: height - 34, "text-anchor": "middle", class: "bk-label", text: name });
    label.append(svgEl("title", { text: g.model }));
    svg.append(label);
  });
  host.append(svg);
  return { redraw: () => {} };
}

export function drawTimeQuality(host, data) {
  const width = roomFor(host, 560);
  const height = 380;
  const logs = data.points.map((p) => Math.log10(Math.max(p.time, 1e-6)));
  let [x0, x1] = [Math.min(...logs) - 0.3, Math.max(...logs) + 0.5];
  const values = data.points.flatMap((p) => [p.value, p.low, p.high]).filter((v) => v !== null);
  const pad = (Math.max(...values) - Math.min(...values) || 1) * 0.08;
  const [y0, y1] = [Math.min(...values) - pad, Math.max(...values) + pad];
  const sx = linear([x0, x1], [62, width - 16]);
  const sy = linear([y0, y1], [height - 50, 14]);
  const svg = svgEl("svg", { viewBox: `0 0 ${width} ${height}`, width: "100%", role: "img", "aria-label": data.title, class: "bk-svg" });
  const grid = svgEl("g", { class: "bk-grid" });
  for (let p = Math.ceil(x0); p <= x1; p++) grid.append(svgEl("line", { x1: sx(p), x2: sx(p), y1: 14, y2: height - 50 }), svgEl("text", { x: sx(p), y: height - 32, "text-anchor": "middle", text: `${decimal(10 ** p, Math.max(0, -p))} s` }));
  for (const t of niceTicks(y0, y1)) grid.append(svgEl("line", { x1: 62, x2: width - 16, y1: sy(t), y2: sy(t) }), svgEl("text", { x: 56, y: sy(t) + 4, "text-anchor": "end", text: fmt(t, 3) }));
  grid.append(svgEl("text", { class: "bk-axis", x: width / 2, y: height - 8, "text-anchor": "middle", text: data.x_title }), svgEl("text", { class: "bk-axis", "text-anchor": "middle", transform: `translate(13 ${height / 2}) rotate(-90)`, text: data.y_title }));
  svg.append(grid);
  data.points.forEach((p, i) => {
    const style = data.styles[p.model];
    if (p.low !== null && p.high !== null) svg.append(svgEl("line", { x1: sx(logs[i]), x2: sx(logs[i]), y1: sy(p.low), y2: sy(p.high), stroke: colourOf(style), "stroke-width": 1.6, opacity: 0.6 }));
    svg.append(marker(style, sx(logs[i]), sy(p.value), 6));
    const right = sx(logs[i]) > width - 130;
    svg.append(svgEl("text", { x: sx(logs[i]) + (right ? -10 : 10), y: sy(p.value) - 8, "text-anchor": right ? "end" : "start", class: "bk-label", text: p.model.length > 24 ? `${p.model.slice(0, 23)}…` : p.model }));
  });
  host.append(svg);
  return { redraw: () => {} };
}
