// The lead picture: how far ahead of every other the leader is, with intervals. Used by the card and by the explorer.
import { el, linear, niceTicks, roomFor, svgEl, tickText } from "./svg.js";

/** A name cut in the middle, so that beginnings and ends stay distinct. */
export function cutName(name, most = 40) {
  return name.length > most ? `${name.slice(0, Math.ceil(most / 2) - 1)}…${name.slice(1 - Math.floor(most / 2))}` : name;
}

/** Ends of the axis: bars of the rows shown and places of the rest, as far as twice the bars; what lies farther gets an arrow. */
function leadDomain(rows, most, equal) {
  const known = (values) => values.filter((v) => v !== null && v !== undefined && Number.isFinite(v));
  const near = rows.slice(0, most).filter((r) => !r.leader && !r.trivial);
  const bars = known((near.length ? near : rows).flatMap((r) => [r.estimate, r.low, r.high]));
  const most95 = Math.max(0, ...bars);
  for (const r of rows) if (r.trivial && r.estimate <= most95) bars.push(...known([r.low, r.high])); // a far one gets an arrow
  let [low, high] = [Math.min(0, -equal, ...bars), Math.max(0, equal, ...bars)];
  if (low === high) high = low + 1;
  high = Math.min(low + 2 * (high - low), Math.max(high, ...known(rows.slice(most).map((r) => r.estimate))));
  const pad = 0.05 * (high - low);
  return [low - pad, high + pad];
}

/**
 * Draw rows {label, estimate, low, high, innerLow, innerHigh, filled, leader, trivial, text, small}, the leader first.
 * `options`: title, equal (half the width of the strip of practical equality), most (rows before "and n more"), words.
 */
export function leadPicture(host, rows, options) {
  const most = options.most || 8;
  const state = { all: false, sought: "" };
  const picture = el("div", { class: "bk-lead" });
  const find = rows.length > most + 1 ? el("input", { type: "search", class: "bk-find", "aria-label": options.words.find, placeholder: options.words.find, oninput: () => { state.sought = find.value.toLowerCase(); draw(); } }) : null;
  host.append(el("div", { class: "bk-lead-head" }, el("b", { text: options.title }), find), picture);
  const isFound = (r) => state.sought !== "" && r.label.toLowerCase().includes(state.sought);

  function draw() {
    const shown = rows.filter((r, i) => state.all || i < most || isFound(r));
    const rest = rows.filter((r) => !shown.includes(r));
    picture.replaceChildren(chart(shown, rest));
    if (rows.length <= most) return;
    const label = state.all ? options.words.fewer : options.words.more.replace("{n}", String(rest.length || rows.length - most));
    picture.append(el("button", { type: "button", class: "bk-link", "data-testid": "more", "aria-expanded": String(state.all), text: label, onclick: () => { state.all = !state.all; draw(); } }));
  }

  function chart(shown, rest) {
    const width = roomFor(host, 1150, 300);
    const phone = width < 480;
    const rowHeight = phone ? 50 : 28;
    const left = phone ? 6 : Math.min(0.3 * width, 34 + 8.2 * Math.max(...shown.map((r) => Math.min(32, r.label.length))));
    const letters = Math.max(8, Math.floor((left - 22) / 8));
    const right = phone ? 6 : 30 + Math.max(90, ...shown.map((r) => 8 * r.text.length + (r.small ? 7.2 * r.small.length : 0)));
    const height = shown.length * rowHeight + (rest.length ? 30 : 0) + 30;
    const sx = linear(leadDomain(rows, most, options.equal || 0), [left + 14, width - right - 14]);
    const bottom = height - 26;
    const svg = svgEl("svg", { viewBox: `0 0 ${width} ${height}`, width: "100%", role: "img", "aria-label": options.title, class: "bk-svg bk-lead-svg" });
    if (options.equal) svg.append(svgEl("rect", { x: sx(-options.equal), width: sx(options.equal) - sx(-options.equal), y: 0, height: bottom, class: "bk-equal" }));
    const ticks = niceTicks(...sx.domain, width < 760 ? 3 : 5);
    const tick = tickText(ticks);
    for (const t of ticks) {
      svg.append(svgEl("line", { x1: sx(t), x2: sx(t), y1: 0, y2: bottom, class: t === 0 ? "bk-zero" : "bk-hair" }),
        svgEl("text", { x: sx(t), y: height - 8, "text-anchor": "middle", class: "bk-tick", text: tick(t) }));
    }
    shown.forEach((r, i) => {
      const top = i * rowHeight;
      const y = phone ? top + 36 : top + 14;
      const name = svgEl("text", { x: 12, y: top + 19, class: `bk-label${r.leader ? " bk-leader" : ""}${isFound(r) ? " bk-found" : ""}`, text: cutName(r.label, phone ? 26 : Math.min(32, letters)) });
      name.append(svgEl("title", { text: r.label }));
      const value = svgEl("text", { x: phone ? width - 6 : width - right + 8, y: top + 19, "text-anchor": phone ? "end" : "start", class: "bk-value" }, svgEl("tspan", { text: r.text }));
      if (r.small && (!phone || r.leader)) value.append(svgEl("tspan", { class: "bk-small", text: ` ${r.small}` }));
      if (phone) svg.append(svgEl("rect", { x: 0, width, y: top, height: 26, class: "bk-behind" }));
      svg.append(name, value);
      mark(svg, sx, r, y);
      if (r.leader || !r.filled) svg.append(svgEl("line", { x1: 2, x2: 2, y1: top, y2: top + rowHeight, class: "bk-bracket" }));
    });
    const end = (v) => Math.min(sx.range[1], Math.max(sx.range[0], sx(v)));
    for (const r of rest) if (r.estimate !== null) svg.append(svgEl("line", { x1: end(r.estimate), x2: end(r.estimate), y1: bottom - 22, y2: bottom - 8, class: r.filled ? "bk-rug" : "bk-rug bk-near" }));
    return svg;
  }

  function mark(svg, sx, r, y) {
    if (r.leader) { svg.append(svgEl("circle", { cx: sx(0), cy: y, r: 6, class: "bk-dot bk-first" })); return; }
    if (r.estimate === null) return;
    const [from, to] = sx.domain;
    if (r.estimate > to || r.estimate < from) {
      const [x, sign] = r.estimate > to ? [sx.range[1], 1] : [sx.range[0], -1];
      svg.append(svgEl("line", { x1: sx(0), x2: x - 8 * sign, y1: y, y2: y, class: "bk-far" }), svgEl("path", { d: `M${x} ${y}l${-9 * sign} -4v8z`, class: "bk-tip-mark" }));
      return;
    }
    const bar = (low, high, css) => { if (low !== null && high !== null && low !== undefined) svg.append(svgEl("line", { x1: sx(Math.max(low, from)), x2: sx(Math.min(high, to)), y1: y, y2: y, class: css })); };
    bar(r.low, r.high, "bk-bar");
    bar(r.innerLow, r.innerHigh, "bk-bar bk-thick");
    svg.append(svgEl("circle", { cx: sx(r.estimate), cy: y, r: 5.5, class: r.filled ? "bk-dot" : "bk-dot bk-hollow" }));
  }

  draw();
  return { draw };
}

/** The lead picture of a comparison. */
export function drawLead(host, data) {
  leadPicture(host, data.rows, { title: data.axis, equal: data.equal, words: data.words });
  return {};
}

/** The mark of the light: full, half or empty. */
export function lightMark(light) {
  const svg = svgEl("svg", { width: 18, height: 18, viewBox: "0 0 18 18", "aria-hidden": "true", class: "bk-light-mark" }, svgEl("circle", { cx: 9, cy: 9, r: 7.5 }));
  if (light === "settled") svg.append(svgEl("circle", { cx: 9, cy: 9, r: 7.5, class: "bk-full" }));
  if (light === "leaning") svg.append(svgEl("path", { d: "M9 1.5a7.5 7.5 0 0 0 0 15z", class: "bk-full" }));
  return svg;
}
