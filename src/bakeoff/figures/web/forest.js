// Estimates and differences with their intervals, one row each.
import { colourOf, linear, marker, niceTicks, onPaper, roomFor, svgEl, tickText } from "./svg.js";

function rowsChart(host, data, rows, options) {
  const longest = Math.max(...rows.map((r) => r.label.length));
  const width = roomFor(host, 980, 300);
  const phone = width < 480; // the name and the numbers stand above the bar
  const rowHeight = phone ? 46 : onPaper() ? 20 : 28;
  const left = phone ? 12 : Math.min(0.36 * width + (width > 700 ? 90 : 0), longest > 30 ? 430 : 240, 30 + 7.2 * longest);
  const most = phone ? Math.floor((width - 24) / 7.4) - Math.max(...rows.map((r) => r.text.length)) : Math.max(6, Math.floor((left - 14) / 7.2));
  const short = (name) => (name.length > most ? `${name.slice(0, Math.ceil(most / 2) - 1)}…${name.slice(-Math.floor(most / 2))}` : name);
  const height = rows.length * rowHeight + 62;
  const finite = rows.flatMap((r) => [r.estimate, r.low, r.high]).filter((v) => v !== null && Number.isFinite(v));
  let [low, high] = [Math.min(...finite, ...options.always), Math.max(...finite, ...options.always)];
  const pad = (high - low || 1) * 0.06;
  [low, high] = [low - pad, high + pad];
  if (options.bounds) [low, high] = [Math.max(low, options.bounds[0] ?? low), Math.min(high, options.bounds[1] ?? high)];
  const right = phone ? 12 : 24 + 7.4 * Math.max(...rows.map((r) => r.text.length));
  const sx = linear([low, high], [left, width - right]);
  const svg = svgEl("svg", { viewBox: `0 0 ${width} ${height}`, width: "100%", role: "img", "aria-label": data.title, class: "bk-svg" });
  const grid = svgEl("g", { class: "bk-grid" });
  const ticks = niceTicks(low, high, width < 480 ? 3 : 5);
  const tick = tickText(ticks);
  for (const t of ticks) {
    grid.append(svgEl("line", { x1: sx(t), x2: sx(t), y1: 8, y2: height - 46 }), svgEl("text", { x: sx(t), y: height - 28, "text-anchor": "middle", text: tick(t) }));
  }
  grid.append(svgEl("text", { x: (left + width - right) / 2, y: height - 8, "text-anchor": "middle", class: "bk-axis", text: data.x_title }));
  svg.append(grid);
  if (options.band) svg.append(svgEl("rect", { x: sx(options.band[0]), width: sx(options.band[1]) - sx(options.band[0]), y: 8, height: height - 54, class: "bk-range" }));
  if (options.reference !== null && options.reference !== undefined) svg.append(svgEl("line", { x1: sx(options.reference), x2: sx(options.reference), y1: 8, y2: height - 46, class: "bk-triv" }));
  rows.forEach((r, i) => {
    const top = 24 + i * rowHeight;
    const y = phone ? top + 20 : top;
    const style = data.styles[r.model];
    const colour = style ? colourOf(style) : "var(--bk-ink)";
    const label = svgEl("text", { x: phone ? 4 : left - 10, y: top + 4, "text-anchor": phone ? "start" : "end", class: "bk-label", text: short(r.label) });
    label.append(svgEl("title", { text: r.label }));
    if (phone) svg.append(svgEl("rect", { x: 0, width, y: top - 12, height: 22, class: "bk-behind" }));
    svg.append(label);
    if (r.estimate === null) { svg.append(svgEl("text", { x: left + 4, y: y + 4, text: r.note || "–" })); return; }
    if (r.low !== null && r.high !== null) {
      svg.append(svgEl("line", { x1: sx(Math.max(r.low, low)), x2: sx(Math.min(r.high, high)), y1: y, y2: y, stroke: colour, "stroke-width": 2.4 }));
      for (const end of [r.low, r.high]) if (end >= low && end <= high) svg.append(svgEl("line", { x1: sx(end), x2: sx(end), y1: y - 5, y2: y + 5, stroke: colour, "stroke-width": 2 }));
    }
    svg.append(style ? marker(style, sx(r.estimate), y, 5) : svgEl("circle", { cx: sx(r.estimate), cy: y, r: 5, fill: colour }));
    svg.append(svgEl("text", { x: phone ? width - 4 : width - right + 12, y: top + 4, "text-anchor": phone ? "end" : "start", text: r.text }));
  });
  host.append(svg);
  return { redraw: () => {} };
}

export function drawForest(host, data) {
  const rows = data.rows.map((r, i) => ({ ...r, text: data.row_texts[i] }));
  const reference = data.off_scale ? null : data.reference ?? null;
  return rowsChart(host, data, rows, { reference, always: reference === null ? [] : [reference], bounds: data.bounds || [0, 1] });
}

export function drawDifferenceForest(host, data) {
  const rows = data.rows.map((r, i) => ({ ...r, model: r.winner, text: data.row_texts[i] }));
  return rowsChart(host, data, rows, { reference: 0, always: [0], band: data.margin ? [-data.margin, data.margin] : null });
}
