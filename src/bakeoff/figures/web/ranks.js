// The critical-difference diagram: mean ranks on a line, bars over models that cannot be told apart.
import { colourOf, decimal, linear, roomFor, svgEl } from "./svg.js";

export function drawCriticalDifference(host, data) {
  const ranks = [...data.ranks].sort((a, b) => a.rank - b.rank);
  const k = ranks.length;
  const longest = Math.max(...ranks.map((r) => r.model.length));
  const width = roomFor(host, longest > 16 ? 900 : 640, 420);
  const side = Math.max(width < 560 ? 110 : 150, Math.min(0.3 * width, 80 + 7 * longest));
  const most = Math.max(6, Math.floor((side - 76) / 6.6));
  const half = Math.ceil(k / 2);
  const bars = data.cliques.filter((c) => c.length > 1);
  const top = data.cd ? 66 : 44;
  const labelTop = top + 18 + bars.length * 9;
  const height = labelTop + half * 22 + 10;
  const sx = linear([1, Math.max(k, 2)], [side, width - side]);
  const svg = svgEl("svg", { viewBox: `0 0 ${width} ${height}`, width: "100%", role: "img", "aria-label": data.title, class: "bk-svg" });
  const ink = "var(--bk-ink)";
  svg.append(svgEl("line", { x1: sx(1), x2: sx(Math.max(k, 2)), y1: top, y2: top, stroke: ink, "stroke-width": 1.5 }));
  for (let r = 1; r <= k; r++) {
    svg.append(svgEl("line", { x1: sx(r), x2: sx(r), y1: top - 5, y2: top, stroke: ink }), svgEl("text", { x: sx(r), y: top - 10, "text-anchor": "middle", text: r }));
  }
  if (data.cd) {
    const y = 20;
    svg.append(svgEl("line", { x1: sx(1), x2: sx(1 + data.cd), y1: y, y2: y, stroke: ink, "stroke-width": 2 }));
    for (const x of [sx(1), sx(1 + data.cd)]) svg.append(svgEl("line", { x1: x, x2: x, y1: y - 4, y2: y + 4, stroke: ink, "stroke-width": 2 }));
    svg.append(svgEl("text", { x: sx(1 + data.cd) + 8, y: y + 4, text: `CD = ${decimal(data.cd, 2)}` }));
  }
  ranks.forEach((r, i) => {
    const left = i < half;
    const row = left ? i : k - 1 - i;
    const y = labelTop + row * 22 + 8;
    const x = sx(r.rank);
    const end = left ? side - 10 : width - side + 10;
    const colour = colourOf(data.styles[r.model]);
    svg.append(svgEl("path", { d: `M${x} ${top}V${y}H${end}`, fill: "none", stroke: colour, "stroke-width": 1.4 }));
    const name = r.model.length > most ? `${r.model.slice(0, most - 1)}…` : r.model;
    const label = svgEl("text", { x: left ? end - 6 : end + 6, y: y + 4, "text-anchor": left ? "end" : "start", class: "bk-label", text: `${name} (${decimal(r.rank, 2)})` });
    label.append(svgEl("title", { text: r.model }));
    svg.append(label);
  });
  const rankOf = Object.fromEntries(ranks.map((r) => [r.model, r.rank]));
  bars.forEach((clique, i) => {
    const values = clique.map((m) => rankOf[m]);
    const y = top + 10 + i * 9;
    svg.append(svgEl("line", { x1: sx(Math.min(...values)) - 4, x2: sx(Math.max(...values)) + 4, y1: y, y2: y, stroke: ink, "stroke-width": 4.5, "stroke-linecap": "round" }));
    // A bar spans only its own members: a model under it that does not belong is crossed out by a gap.
    for (const r of ranks) {
      if (clique.includes(r.model) || r.rank <= Math.min(...values) || r.rank >= Math.max(...values)) continue;
      svg.append(svgEl("circle", { cx: sx(r.rank), cy: y, r: 5, fill: "var(--bk-paper)", stroke: ink }));
    }
  });
  host.append(svg);
  return { redraw: () => {} };
}
