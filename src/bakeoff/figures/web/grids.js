// Figures that are grids of cells: confusion matrices and pair heat maps.
import { cutName } from "./lead.js";
import { el, fmt, percent } from "./svg.js";

function shade(value, base) {
  const strength = Math.round(6 + 38 * Math.min(1, Math.max(0, value))); // pale enough for ink to be read on it
  return `background: color-mix(in srgb, var(${base}) ${strength}%, var(--bk-paper)); color: var(--bk-ink)`;
}

export function drawConfusion(host, data) {
  const table = el("table", { class: "bk-table bk-heat" });
  table.append(el("thead", {}, el("tr", {}, el("td", { class: "bk-text", text: data.corner }), ...data.classes.map((c) => el("th", { scope: "col", text: c })))));
  const body = el("tbody");
  data.counts.forEach((row, i) => {
    body.append(el("tr", {}, el("th", { scope: "row", text: data.classes[i] }), ...row.map((count, j) => {
      const rate = data.rates[i][j];
      const cell = el("td", {}, el("b", { text: fmt(count, 6) }), el("span", { text: ` ${rate === null ? "–" : percent(rate)}` }));
      cell.style.cssText = shade(rate || 0, i === j ? "--bk-accent" : "--bk-bad");
      return cell;
    })));
  });
  table.append(body);
  host.append(el("div", { class: "bk-scroll", tabindex: 0, role: "group", "aria-label": data.title }, table));
  return { redraw: () => {} };
}

export function drawPairHeatmap(host, data) {
  const table = el("table", { class: "bk-table bk-heat" });
  table.append(el("thead", {}, el("tr", {}, el("td", {}), ...data.models.map((m) => el("th", { scope: "col", title: m, text: cutName(m, 24) })))));
  const body = el("tbody");
  data.models.forEach((a, i) => {
    body.append(el("tr", {}, el("th", { scope: "row", title: a, text: cutName(a, 24) }), ...data.models.map((b, j) => {
      const p = data.pvalue[i][j];
      if (p === null) return el("td", { text: data.cells[i][j] });
      const cell = el("td", { title: `${a} − ${b}` }, el("b", { text: data.cells[i][j] }), el("span", { text: ` ${data.chances[i][j]}` }));
      const strength = p < 0.001 ? 0.9 : p < 0.01 ? 0.6 : p < 0.05 ? 0.35 : 0;
      if (strength) cell.style.cssText = shade(strength, data.better[i][j] ? "--bk-good" : "--bk-bad");
      return cell;
    })));
  });
  table.append(body);
  host.append(el("div", { class: "bk-scroll", tabindex: 0, role: "group", "aria-label": data.title }, table));
  return { redraw: () => {} };
}
