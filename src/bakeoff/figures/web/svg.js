// Small helpers for drawing SVG by hand: elements, scales, axes, tooltips, downloads. No library.

const SVG_NS = "http://www.w3.org/2000/svg";

/** Make an element; `attributes` are set as text, children appended. Data only ever becomes text, never markup. */
export function el(name, attributes = {}, ...children) {
  const node = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value === undefined || value === null || value === false) continue;
    if (key === "text") node.textContent = value;
    else if (key.startsWith("on")) node.addEventListener(key.slice(2), value);
    else node.setAttribute(key, value === true ? "" : value);
  }
  node.append(...children.filter((c) => c !== null && c !== undefined));
  return node;
}

export function svgEl(name, attributes = {}, ...children) {
  const node = document.createElementNS(SVG_NS, name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value === undefined || value === null || value === false) continue;
    if (key === "text") node.textContent = value;
    else if (key.startsWith("on")) node.addEventListener(key.slice(2), value);
    else node.setAttribute(key, value);
  }
  node.append(...children);
  return node;
}

/** Linear scale from data to pixels. */
export function linear([d0, d1], [r0, r1]) {
  const k = (r1 - r0) / (d1 - d0 || 1);
  const scale = (v) => r0 + (v - d0) * k;
  scale.invert = (p) => d0 + (p - r0) / k;
  scale.domain = [d0, d1];
  scale.range = [r0, r1];
  return scale;
}

/** Round tick values, about `count` of them. */
export function niceTicks(low, high, count = 5) {
  const span = high - low || 1;
  const raw = span / count;
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = [1, 2, 2.5, 5, 10].map((m) => m * power).find((s) => span / s <= count + 0.5) || raw;
  const ticks = [];
  for (let v = Math.ceil(low / step - 1e-9) * step; v <= high + step * 1e-9; v += step) ticks.push(+v.toPrecision(12));
  return ticks;
}

/** Round ticks that hold every value between them: no point lies beyond the last line. */
export function ticksAround(low, high) {
  if (low === high) return niceTicks(low - 0.5 * (Math.abs(low) || 1), low + 0.5 * (Math.abs(low) || 1));
  const inner = niceTicks(low, high);
  const step = inner.length > 1 ? inner[1] - inner[0] : high - low;
  return niceTicks(Math.floor(low / step + 1e-9) * step, Math.ceil(high / step - 1e-9) * step, Math.ceil(high / step - 1e-9) - Math.floor(low / step + 1e-9));
}

/** A number as programs write it, "2,357.5", in the marks of the page's language: pt 2.357,5, es 2357,5. */
export function inMarks(text) {
  const language = document.documentElement.lang;
  if (language !== "es" && language !== "pt") return text;
  const [whole, rest] = text.split(".");
  const grouped = whole.replaceAll(",", language === "pt" ? "." : whole.replace(/\D/g, "").length > 4 ? "\u00a0" : "");
  return rest === undefined ? grouped : `${grouped},${rest}`;
}

/** With so many decimals, thousands apart, and a true minus. */
export function decimal(value, digits) {
  return inMarks(value.toLocaleString("en", { minimumFractionDigits: digits, maximumFractionDigits: digits })).replace("-", "−");
}

/** Numbers for people: four significant digits, no trailing noise. */
export function fmt(value, digits = 4) {
  if (value === null || value === undefined || Number.isNaN(value)) return "–";
  if (value === Infinity || value === "Infinity") return "∞";
  if (value === -Infinity || value === "-Infinity") return "−∞";
  const number = Number(value);
  if (number !== 0 && (Math.abs(number) < 1e-4 || Math.abs(number) >= 1e7)) return inMarks(number.toExponential(2)).replaceAll("-", "−");
  const fixed = Math.abs(number) >= 1000 ? number.toFixed(0) : number.toPrecision(digits);
  const text = fixed.includes(".") ? fixed.replace(/0+$/, "").replace(/\.$/, "") : fixed;
  return inMarks(text).replace("-", "−");
}

const MONEY_FORMATS = [0, 2, 4].map((digits) => new Intl.NumberFormat("en", { minimumFractionDigits: digits, maximumFractionDigits: digits }));

export function money(value) {
  if (!Number.isFinite(value)) return fmt(value);
  if (value === 0) return "0";
  const size = Math.abs(value);
  return inMarks(MONEY_FORMATS[size >= 1000 ? 0 : size >= 0.095 ? 1 : 2].format(value)).replace("-", "−");
}

export function percent(value, digits = 1) {
  const v = 100 * value;
  if (!Number.isFinite(v)) return "–";
  if (v !== 0 && Math.abs(v) < 0.1) return `${fmt(v, 2)}\u00a0%`;
  return `${decimal(v, digits)}\u00a0%`;
}

/** Writes ticks with one number of decimals, but zero as 0: 0, 0.05, 0.10. */
export function tickText(ticks) {
  const digits = Math.max(0, ...ticks.map((t) => (String(t).split(".")[1] || "").length));
  const plain = ticks.every((t) => Math.abs(t) < 1e7 && !String(t).includes("e"));
  return (t) => (plain && t !== 0 ? decimal(t, digits) : fmt(t, 3));
}

/** Colour of a model on the paper in use; the style sheet switches between the two by custom properties. */
export function colourOf(style) {
  if (!style) return "var(--bk-ink-2)";
  return isDark() ? style.colour_dark : style.colour;
}

/** Whether the page is being printed: figures are drawn again as wide as a column, in the colours of light paper. */
export const onPaper = () => document.documentElement.dataset.paper === "true";

export function isDark() {
  if (onPaper()) return false;
  const forced = document.documentElement.dataset.theme;
  if (forced) return forced === "dark";
  return window.matchMedia("(prefers-color-scheme: dark)").matches;
}

export function linePath(xs, ys, sx, sy) {
  let d = "";
  for (let i = 0; i < xs.length; i++) d += `${i ? "L" : "M"}${sx(xs[i]).toFixed(2)} ${sy(ys[i]).toFixed(2)}`;
  return d;
}

export function bandPath(xs, low, high, sx, sy) {
  const back = [...xs.keys()].reverse();
  return (
    linePath(xs, high, sx, sy) +
    back.map((i) => `L${sx(xs[i]).toFixed(2)} ${sy(low[i]).toFixed(2)}`).join("") + "Z"
  );
}

/** A chart frame: svg with margins, grid, axes and their titles. Returns the plot group and scales. */
export function frame(options) {
  const { width = 480, height = 400, x = [0, 1], y = [0, 1], xTitle = "", yTitle = "", label = "" } = options;
  const xTicks = options.xTicks || niceTicks(...x);
  const yTicks = options.yTicks || niceTicks(...y);
  const xFormat = options.xFormat || tickText(xTicks);
  const yFormat = options.yFormat || tickText(yTicks);
  const letters = Math.max(0, ...yTicks.map((t) => yFormat(t).length)); // the title stands left of them
  const margin = { top: 12, right: 14, bottom: 44, left: Math.max(54, 30 + 7 * letters), ...(options.margin || {}) };
  const sx = (options.xScale || linear)(x, [margin.left, width - margin.right]);
  const sy = (options.yScale || linear)(y, [height - margin.bottom, margin.top]);
  const svg = svgEl("svg", {
    viewBox: `0 0 ${width} ${height}`, width: "100%", role: options.role || "img", "aria-label": label, class: "bk-svg",
    preserveAspectRatio: "xMidYMid meet",
  });
  const grid = svgEl("g", { class: "bk-grid" });
  for (const t of xTicks) {
    grid.append(svgEl("line", { x1: sx(t), x2: sx(t), y1: sy.range[0], y2: sy.range[1] }));
    grid.append(svgEl("text", { x: sx(t), y: sy.range[0] + 17, "text-anchor": "middle", text: xFormat(t) }));
  }
  for (const t of yTicks) {
    grid.append(svgEl("line", { x1: sx.range[0], x2: sx.range[1], y1: sy(t), y2: sy(t) }));
    grid.append(svgEl("text", { x: sx.range[0] - 8, y: sy(t) + 4, "text-anchor": "end", text: yFormat(t) }));
  }
  grid.append(svgEl("text", {
    x: (sx.range[0] + sx.range[1]) / 2, y: height - 6, "text-anchor": "middle", class: "bk-axis", text: xTitle,
  }));
  grid.append(svgEl("text", {
    x: 0, y: 0, "text-anchor": "middle", class: "bk-axis", text: yTitle,
    transform: `translate(14 ${(sy.range[0] + sy.range[1]) / 2}) rotate(-90)`,
  }));
  const plot = svgEl("g", { class: "bk-plot" });
  svg.append(grid, plot);
  return { svg, plot, grid, sx, sy, width, height, margin };
}

/** Width to draw at: that of the host, so that letters keep their size on a phone. */
export function roomFor(host, widest, least = 320) {
  if (onPaper()) return host.closest(".bk-wide, .bk-fig:only-child") ? Math.min(widest, 690) : Math.min(widest, widest > 560 ? 340 : 300);
  return Math.max(least, Math.min(widest, host.clientWidth || widest));
}

/** Point under the mouse or finger, in the coordinates of the viewBox. */
export function pointerAt(svg, event) {
  const box = svg.getBoundingClientRect();
  const view = svg.viewBox.baseVal;
  // preserveAspectRatio "meet": the picture is centred and scaled by the smaller ratio
  const scale = Math.min(box.width / view.width, box.height / view.height);
  const left = box.left + (box.width - view.width * scale) / 2;
  const top = box.top + (box.height - view.height * scale) / 2;
  return { x: (event.clientX - left) / scale, y: (event.clientY - top) / scale };
}

/** A tooltip shared by the page. */
export function tooltip() {
  let node = document.querySelector(".bk-tip");
  if (!node) {
    node = el("div", { class: "bk-tip", role: "status", hidden: true });
    document.body.append(node);
  }
  return {
    show(event, lines) {
      node.replaceChildren(...lines.map((line) => el("div", { text: line })));
      node.hidden = false;
      const box = node.getBoundingClientRect();
      const x = Math.min(event.clientX + 14, window.innerWidth - box.width - 8);
      const y = event.clientY + 16 + box.height > window.innerHeight ? event.clientY - box.height - 10 : event.clientY + 16;
      node.style.left = `${Math.max(4, x)}px`;
      node.style.top = `${Math.max(4, y)}px`;
    },
    hide() { node.hidden = true; },
  };
}

/** A legend of buttons; each toggles its model. */
export function legend(models, styles, onToggle, state = {}) {
  const list = el("div", { class: "bk-legend", role: "group" });
  for (const model of models) {
    const style = styles[model];
    const swatch = svgEl("svg", { width: 26, height: 10, "aria-hidden": "true" });
    swatch.append(svgEl("line", {
      x1: 1, x2: 25, y1: 5, y2: 5, stroke: colourOf(style), "stroke-width": 3, "stroke-dasharray": style && style.dash,
    }));
    const button = el("button", {
      type: "button", class: "bk-key", "aria-pressed": state[model] === false ? "false" : "true",
      onclick: () => {
        const on = button.getAttribute("aria-pressed") !== "true";
        button.setAttribute("aria-pressed", String(on));
        onToggle(model, on);
      },
    }, swatch, el("span", { text: model }));
    list.append(button);
  }
  return list;
}

export function marker(style, x, y, size = 5) {
  const fill = colourOf(style);
  const kind = style ? style.marker : "circle";
  if (kind === "square") return svgEl("rect", { x: x - size, y: y - size, width: 2 * size, height: 2 * size, fill });
  if (kind === "triangle") return svgEl("path", { d: `M${x} ${y - size - 1}L${x + size + 1} ${y + size}H${x - size - 1}Z`, fill });
  if (kind === "diamond") return svgEl("path", { d: `M${x} ${y - size - 1}L${x + size + 1} ${y}L${x} ${y + size + 1}L${x - size - 1} ${y}Z`, fill });
  if (kind === "cross") return svgEl("path", { d: `M${x - size} ${y - size}L${x + size} ${y + size}M${x + size} ${y - size}L${x - size} ${y + size}`, stroke: fill, "stroke-width": 2, fill: "none" });
  return svgEl("circle", { cx: x, cy: y, r: size, fill });
}
