// Outcomes: which items separate the models, a line for each model and the items along it, alike ones together.
import { cutName } from "./lead.js";
import { roomFor, svgEl } from "./svg.js";

export function drawItems(host, data) {
  const width = roomFor(host, 1150, 300);
  const phone = width < 480;
  const [row, bar] = phone ? [44, 16] : [26, 20];
  const left = phone ? 6 : Math.min(0.3 * width, 34 + 8.2 * Math.max(...data.models.map((m) => Math.min(32, m.length))));
  const right = phone ? 6 : 70;
  const height = data.models.length * row + 4;
  const at = (item) => (left + ((width - left - right) * item) / data.n_items).toFixed(2);
  const svg = svgEl("svg", { viewBox: `0 0 ${width} ${height}`, width: "100%", role: "img", "aria-label": `${data.title}. ${data.caption}`, class: "bk-svg bk-lead-svg" });
  data.models.forEach((model, i) => {
    const y = i * row + (phone ? 24 : 2);
    const d = data.runs[i].map(([from, to]) => `M${at(from)} ${y}H${at(to)}V${y + bar}H${at(from)}Z`).join("");
    const name = svgEl("text", { x: 12, y: i * row + (phone ? 18 : 17), class: "bk-label", text: cutName(model, phone ? 26 : 32) });
    name.append(svgEl("title", { text: model }));
    svg.append(name, svgEl("rect", { x: left, y, width: width - left - right, height: bar, class: "bk-item-none" }),
      svgEl("path", { d, class: i ? "bk-item" : "bk-item bk-item-first" }),
      svgEl("text", { x: width - (phone ? 6 : 0), y: i * row + (phone ? 18 : 17), "text-anchor": "end", class: "bk-value", text: String(data.solved[i]) }));
  });
  host.append(svg);
  return { redraw: () => {} };
}
