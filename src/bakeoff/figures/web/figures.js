// The registry of figures: draws every <figure class="bk-fig" data-kind data-source> of the page, with a menu.
import { drawCalibration, drawCostCurve, drawErrorDistribution, drawPower, drawPrecisionRecall, drawRoc, drawRocSpace, drawSeries } from "./curves.js";
import { drawNull, drawPosterior, drawReplicates, drawScoreDistribution } from "./density.js";
import { mountExplorer } from "./explorer.js";
import { drawDifferenceForest, drawForest } from "./forest.js";
import { drawConfusion, drawPairHeatmap } from "./grids.js";
import { drawItems } from "./items.js";
import { drawLead, lightMark } from "./lead.js";
import { drawBox, drawTimeQuality } from "./points.js";
import { drawCriticalDifference } from "./ranks.js";
import { drawPredicted, drawResiduals } from "./scatter.js";
import { el } from "./svg.js";
import { foldTable, makeSortable, saveText, tableCsv } from "./table.js";
import { drawAdviceTree } from "./tree.js";

export const RENDERERS = {
  "roc": drawRoc, "precision-recall": drawPrecisionRecall, "calibration": drawCalibration, "cost-curve": drawCostCurve, "power": drawPower,
  "forest": drawForest, "difference-forest": drawDifferenceForest, "critical-difference": drawCriticalDifference,
  "confusion": drawConfusion, "pair-heatmap": drawPairHeatmap, "box": drawBox, "time-quality": drawTimeQuality,
  "posterior": drawPosterior, "null": drawNull, "replicates": drawReplicates, "roc-space": drawRocSpace, "series": drawSeries, "score-distribution": drawScoreDistribution, "advice-tree": drawAdviceTree, "explorer": mountExplorer, "lead": drawLead,
  "predicted": drawPredicted, "residuals": drawResiduals, "error-distribution": drawErrorDistribution, "class-recall": drawForest, "class-roc": drawRoc, "items": drawItems,
};

/** Draw one figure into its host. */
export function drawFigure(kind, host, data, options = {}) {
  const renderer = RENDERERS[kind];
  if (!renderer) throw new Error(`no figure of kind ${kind}`);
  host.replaceChildren();
  return renderer(host, data, options);
}

/** A standalone SVG file: the style sheet's colours are written into it. */
export function svgFile(svg) {
  const copy = svg.cloneNode(true);
  const originals = [svg, ...svg.querySelectorAll("*")];
  const copies = [copy, ...copy.querySelectorAll("*")];
  const properties = ["fill", "stroke", "stroke-width", "stroke-dasharray", "opacity", "font-size", "font-family", "visibility"];
  originals.forEach((node, i) => {
    const style = getComputedStyle(node);
    copies[i].setAttribute("style", properties.map((p) => `${p}:${style.getPropertyValue(p)}`).join(";"));
  });
  const box = svg.viewBox.baseVal;
  copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  copy.setAttribute("width", box.width);
  copy.setAttribute("height", box.height);
  copy.setAttribute("style", `background:${getComputedStyle(document.body).backgroundColor}`);
  return new XMLSerializer().serializeToString(copy);
}

async function savePng(svg, name) {
  const box = svg.viewBox.baseVal;
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svgFile(svg))}`;
  await image.decode();
  const canvas = el("canvas", { width: box.width * 2, height: box.height * 2 });
  const context = canvas.getContext("2d");
  context.scale(2, 2);
  context.drawImage(image, 0, 0, box.width, box.height);
  const link = el("a", { href: canvas.toDataURL("image/png"), download: name });
  document.body.append(link);
  link.click();
  link.remove();
}

function figureMenu(figure, host, data, name) {
  const menu = el("div", { class: "bk-fig-menu" });
  const picture = () => host.querySelector("svg.bk-svg");
  if (picture()) {
    menu.append(
      el("button", { type: "button", class: "bk-button", text: "SVG", onclick: () => saveText(`${name}.svg`, svgFile(picture()), "image/svg+xml") }),
      el("button", { type: "button", class: "bk-button", text: "PNG", onclick: () => savePng(picture(), `${name}.png`) }));
  }
  menu.append(el("button", { type: "button", class: "bk-button", text: "JSON", onclick: () => saveText(`${name}.json`, JSON.stringify(data), "application/json") }));
  figure.append(menu);
}

/** Draw everything on the page that says what it is. */
export function drawAll(root = document) {
  const drawn = [];
  const words = { find: "Find", more: "and {n} more", fewer: "show fewer", ...JSON.parse(root.querySelector("[data-words]")?.dataset.words || "{}") };
  for (const figure of root.querySelectorAll("figure.bk-fig[data-kind]")) {
    const source = document.getElementById(figure.dataset.source);
    const data = JSON.parse(source.textContent);
    const host = el("div", { class: "bk-host" });
    figure.append(host);
    const draw = () => drawFigure(figure.dataset.kind, host, data, figure.closest("[data-hash=false]") ? { hash: false } : {});
    draw();
    if (figure.dataset.kind === "explorer") continue;
    figureMenu(figure, host, data, figure.dataset.source);
    drawn.push(draw);
    // What is folded has no width yet: it is drawn again when it is seen.
    for (let fold = figure.closest("details"); fold; fold = fold.parentElement.closest("details")) fold.addEventListener("toggle", () => { if (fold.open) draw(); });
  }
  for (const node of root.querySelectorAll("[data-light]")) node.replaceWith(lightMark(node.dataset.light));
  for (const table of root.querySelectorAll("table.bk-sortable")) {
    makeSortable(table);
    foldTable(table, words);
    const name = table.dataset.name || "table";
    const wrap = table.closest(".bk-scroll") || table;
    wrap.after(el("div", { class: "bk-fig-menu" }, el("button", { type: "button", class: "bk-button", text: "CSV", onclick: () => saveText(`${name}.csv`, tableCsv(table), "text/csv") })));
  }
  const again = () => drawn.forEach((draw) => draw());
  window.matchMedia("(prefers-color-scheme: dark)").addEventListener("change", again);
  document.addEventListener("bk-theme", again);
}

/** The button that switches between light and dark paper. */
export function themeButton(button) {
  button.addEventListener("click", () => {
    const root = document.documentElement;
    const dark = root.dataset.theme ? root.dataset.theme === "dark" : window.matchMedia("(prefers-color-scheme: dark)").matches;
    root.dataset.theme = dark ? "light" : "dark";
    document.dispatchEvent(new Event("bk-theme"));
  });
}
