// The decision card with costs: prevalence and costs to fill in, the answer of `decide`, and everything that follows from it.
import { choicesOverContexts, contextEngine, decideInPage, expectedCost, probabilityCost, validContext } from "./engine.js";
import { cutName, leadPicture, lightMark } from "./lead.js";
import { contextSpaces } from "./spaces.js";
import { decimal, el, fmt, inMarks, percent, svgEl } from "./svg.js";
import { saveText } from "./table.js";

const KEYS = ["prevalence", "cost_fp", "cost_fn", "cost_tp", "cost_tn"];
const STEEP = 6.9; // the strip runs from 0.1 % to 99.9 %, evenly in log odds
const logit = (p) => Math.log(p / (1 - p));
const expit = (v) => 1 / (1 + Math.exp(-v));

/** A number as people type it: 5000, 5,000 (5.000 on a Portuguese or Spanish page), 0,1; NaN for anything else. */
export function typedNumber(text) {
  const plain = text.replace(/[\s\u00a0\u202f%]/g, "");
  const [apart, grouped] = document.documentElement.lang === "en" ? [",", /^[1-9]\d{0,2}(,\d{3})+(\.\d*)?$/] : [".", /^[1-9]\d{0,2}(\.\d{3})+(,\d*)?$/];
  const whole = grouped.test(plain) ? plain.replaceAll(apart, "") : plain;
  return whole === "" ? NaN : Number(whole.replace(",", "."));
}

/** A share typed as 10, 10 %, 0.1 or 0,1: all are ten percent. */
export function typedShare(text) {
  const value = typedNumber(text);
  return /%/.test(text) || value >= 1 ? value / 100 : value;
}

/** Decimals so that half the width of an interval has two digits. */
function decimalsOf(low, high) {
  const half = (high - low) / 2;
  return half > 0 && Number.isFinite(half) ? Math.min(6, Math.max(0, 1 - Math.floor(Math.log10(half)))) : null;
}

/** An amount with these decimals; without any, three significant digits. */
function amount(value, decimals = null) {
  const digits = decimals ?? (value === 0 ? 0 : Math.min(6, Math.max(0, 2 - Math.floor(Math.log10(Math.abs(value))))));
  return decimal(value, digits);
}

/** A cost as it is typed: 3, not 3.00. */
const costShown = (v) => (v === null ? "" : inMarks(v >= 1000 ? v.toLocaleString("en", { maximumFractionDigits: 2 }) : String(+v.toPrecision(6))));
const signed = (value, decimals) => `${value >= 0 ? "+" : ""}${amount(value, decimals)}`;
const fill = (template, values) => template.replace(/\{(\w+)\}/g, (whole, key) => values[key] ?? whole);

/** Put the explorer into `host`; its handle has `set(context)`, `state` and `rules`. */
export function mountExplorer(host, data, options = {}) {
  const text = { ...EXPLORER_TEXT, ...(data.text || {}) };
  const engine = contextEngine(data);
  const choices = choicesOverContexts(engine);
  const given = data.context || { prevalence: null, cost_fp: null, cost_fn: null, cost_tp: 0, cost_tn: 0 };
  const start = { ...given, prevalence: given.prevalence ?? data.prevalence, currency: "" };
  let state = { ...start, ...(options.hash === false ? {} : readHash()) };
  if (!validContext({ ...state, cost_fp: state.cost_fp ?? 1, cost_fn: state.cost_fn ?? 1 })) state = { ...start };
  let rules = [];
  let queued = false;

  host.classList.add("bk-explorer");
  const section = host.closest("section");
  const said = (section && section.querySelector(".bk-said")) || el("div", { class: "bk-said" }, el("p", { class: "bk-light" }), el("p", { class: "bk-headline", "data-testid": "headline" }));
  const asWritten = [...said.querySelectorAll(".bk-light, .bk-headline")].map((node) => [node, node.innerHTML]);
  const byMeasure = section ? [...section.querySelectorAll(".bk-by-measure")] : [];
  const form = contextForm(data, text, () => state, change, reset);
  const lead = el("div", { class: "bk-half" });
  const cases = el("div", { class: "bk-half", "data-testid": "cases" });
  const flips = el("p", { class: "bk-change", "data-testid": "flips" });
  const table = el("div", { class: "bk-scroll", tabindex: 0, role: "group", "aria-label": text.rulesTitle });
  const spaces = contextSpaces(engine, text, (slope) => change({ cost_fn: missCost(slope) }));
  const warnings = el("ul", { class: "bk-warnings" }, ...data.warnings.map((w) => el("li", { text: w })));
  const more = el("div", { class: "bk-folds" },
    fold(text.spaces, [tour(text, spaces.node), spaces.node], "spaces"), fold(text.rulesTitle, [table, warnings], "rules"),
    fold(text.options, [form.right, el("div", { class: "bk-share" }, form.again, copyButton(text.copyLink, () => window.location.href), copyButton(text.copyPython, () => pythonCode(state)),
      copyButton(text.copyCommand, () => commandLine(state)), button(text.save, () => saveText("decision.csv", rulesCsv(rules), "text/csv"), "export"))], "options"));
  const answer = el("div", { class: "bk-answer", "data-testid": "answer" }, el("div", { class: "bk-halves" }, lead, cases), flips, more);
  if (data.context) host.replaceChildren(form.node, said, answer);
  else { if (!said.isConnected) host.append(said); host.append(form.node, answer); }

  function missCost(slope) {
    const wanted = ((state.cost_fp - state.cost_tn) * (1 - state.prevalence)) / (state.prevalence * slope) + state.cost_tp;
    return Math.min(1e9, Math.max(1e-6, +wanted.toPrecision(4)));
  }

  function reset() { state = { ...start }; render(); }

  function change(part) {
    const next = { ...state, ...part };
    if (hasCosts(next) && !validContext(next)) return;
    state = next;
    if (!queued) { queued = true; requestAnimationFrame(() => { queued = false; render(); }); }
  }

  const atStart = () => KEYS.every((key) => state[key] === start[key]);

  function decided() {
    const found = decideInPage(engine, state);
    if (!atStart() || !data.start.length) return found;
    // Where the report was asked about this context, the page shows what Python answered.
    const by = Object.fromEntries(found.map((r) => [r.model, r]));
    return data.start.map((r) => ({ ...by[r.model], ...r, threshold: r.trivial ? by[r.model].threshold : r.threshold, error: (r.regretHigh - r.regretLow) / 3.92 }));
  }

  function render() {
    const known = hasCosts(state);
    answer.hidden = !known;
    for (const node of byMeasure) node.hidden = known;
    form.show(state, choices);
    rules = known ? decided() : [];
    if (known && !(atStart() && data.context && section)) showSaid();
    else asWritten.forEach(([node, html]) => { node.innerHTML = html; });
    if (known) { showLead(); showCases(); showFlips(); showRules(); spaces.show(state, rules); }
    answer.dataset.model = known ? rules[0].model : "";
    answer.dataset.cost = known ? String(rules[0].cost) : "";
    if (options.hash !== false) writeHash(state, start);
  }

  const decimals = () => decimalsOf(rules[0].low, rules[0].high);
  const inMoney = (text) => `${text}${state.currency ? `\u00a0${state.currency}` : ""}`;
  const [priced, asked] = [(value, digits) => inMoney(amount(value, digits)), (value) => inMoney(costShown(value))];
  const ruleName = (r) => (r.trivial ? (r.model === data.trivial[1] ? text.everyone : text.nobody) : r.model);
  const withThreshold = (r) => (r.trivial || r.threshold === null ? cutName(ruleName(r)) : fill(text.above, { model: cutName(r.model), threshold: fmt(r.threshold, 3) }));

  function light() {
    const worst = Math.max(0, ...rules.slice(1).map((r) => r.pvalue));
    return worst <= 1 - data.confidence_level ? "settled" : worst <= 0.2 ? "leaning" : "open";
  }

  function showSaid() {
    const [best] = rules;
    const [lightNode, headline] = asWritten.map(([node]) => node);
    const now = light();
    lightNode.replaceChildren(lightMark(now), el("b", { text: text[now] }), el("span", { class: "bk-small", title: text.rule80, text: text.rule }));
    const verb = best.trivial ? text.deployNone : { settled: text.useIt, leaning: text.preferIt, open: text.openYet }[now];
    headline.textContent = fill(verb, {
      context: fill(text.context, { prevalence: inMarks(`${+(100 * state.prevalence).toPrecision(3)}`) + "\u00a0%", positive: data.called, fp: asked(state.cost_fp), fn: asked(state.cost_fn) }),
      rule: withThreshold(best), cost: priced(best.cost, decimals()),
    });
  }

  function showLead() {
    const [best, ...others] = rules;
    const digits = decimals();
    const [idle] = others.filter((r) => r.trivial); // the better of the two trivial rules is enough
    const shown = others.filter((r) => !r.trivial || r === idle);
    if (shown.indexOf(idle) > 3) shown.splice(3, 0, ...shown.splice(shown.indexOf(idle), 1));
    const rows = [
      { label: ruleName(best), leader: true, estimate: 0, filled: false, text: priced(best.cost, digits), small: best.low < best.high ? `(${amount(best.low, digits)} ${text.to} ${amount(best.high, digits)})` : "" },
      ...shown.map((r) => ({
        label: ruleName(r), estimate: r.regret, low: regretBar(r)[0], high: regretBar(r)[1], trivial: r.trivial,
        innerLow: r.regret - 1.2816 * r.error, innerHigh: r.regret + 1.2816 * r.error, filled: r.pvalue <= 1 - data.confidence_level, text: signed(r.regret, digits), small: "",
      })),
    ];
    lead.replaceChildren();
    leadPicture(lead, rows, { title: text.extraCost, words: text, most: 5 });
    lead.title = text.leadTitle;
  }

  /** What happens to 1,000 cases, at the rates that the choice has on rows that did not make it. */
  function showCases() {
    const best = rules[0];
    const paid = best.paid || best;
    const p = state.prevalence;
    const counts = { fn: 1000 * p * (1 - paid.tpr), fp: 1000 * (1 - p) * paid.fpr, tp: 1000 * p * paid.tpr, tn: 1000 * (1 - p) * (1 - paid.fpr) };
    const prices = { fn: state.cost_fn, fp: state.cost_fp, tp: state.cost_tp, tn: state.cost_tn };
    const names = { fn: text.missed, fp: text.alarms, tp: text.caught, tn: text.passed };
    const show = (v) => (v >= 9.95 ? decimal(v, 0) : v >= 0.05 ? decimal(v, 1) : fmt(v, 1));
    const rows = Object.keys(counts).map((key) => el("tr", {},
      el("th", { scope: "row" }, iconOf(key), el("span", { text: names[key] })), el("td", { "data-cell": key, "data-value": String(counts[key]), text: show(counts[key]) }),
      el("td", { text: prices[key] ? priced(counts[key] * prices[key], null) : "" })));
    rows.push(el("tr", { class: "bk-total" }, el("th", { scope: "row", text: text.total }), el("td", {}), el("td", { "data-testid": "total", text: total(best) })));

    cases.replaceChildren(el("b", { text: text.casesTitle }), el("div", { class: "bk-cases" }, iconArray(counts, names), el("table", { class: "bk-ledger" }, el("tbody", {}, ...rows))));
  }

  const total = (r) => priced(1000 * r.cost, 1000 * r.cost >= 100 ? 0 : null);

  function showFlips() {
    const pc = probabilityCost(state);
    const here = choices.findIndex((c) => pc <= c.high);
    const parts = [];
    const miss = (at) => (at * (1 - state.prevalence) * (state.cost_fp - state.cost_tn)) / ((1 - at) * state.prevalence) + state.cost_tp;
    const name = (place) => cutName(ruleName({ model: choices[place].model, trivial: data.trivial.includes(choices[place].model) }));
    const add = (template, at, place) => parts.push(el("span", { title: fill(text.orMiss, { miss: priced(miss(at)) }), "data-prevalence": String(prevalenceOf(at, state)), "data-model": choices[place].model, text: fill(template, { prevalence: percent(prevalenceOf(at, state)), rule: name(place) }) }));
    if (here > 0) add(text.below, choices[here].low, here - 1);
    if (here < choices.length - 1) add(text.aboveIt, choices[here].high, here + 1);
    flips.replaceChildren(el("b", { text: text.change }), ...(parts.length ? parts : [el("span", { text: text.nothing })]));
  }

  function showRules() {
    const digits = decimals();
    const heads = [text.threshold, text.cost, text.interval, text.pBest];
    const span = (low, high) => (low < high ? `${amount(low, digits)} ${text.to} ${amount(high, digits)}` : "–");
    const rows = rules.map((r, i) => el("tr", { class: r.trivial ? "bk-trivial" : null }, el("th", { scope: "row", title: ruleName(r), text: cutName(ruleName(r), 60) }),
      ...[r.trivial ? "–" : fmt(r.threshold, 3), ...(i ? [signed(r.regret, digits), span(...regretBar(r))] : [priced(r.cost, digits), span(r.low, r.high)]), percent(r.pBest ?? NaN, 0)].map((t) => el("td", { text: t }))));
    table.replaceChildren(el("table", { class: "bk-table" }, el("thead", {}, el("tr", {}, el("th", { scope: "col", class: "bk-text", text: text.rule2 }), ...heads.map((h) => el("th", { scope: "col", text: h })))), el("tbody", {}, ...rows)));
  }

  render();
  if (options.hash !== false) window.addEventListener("hashchange", () => {
    const found = readHash();
    const next = { ...start, ...found };
    if (Object.keys(found).length && validContext(next)) { state = next; render(); }
  });
  const handle = { get state() { return state; }, get rules() { return rules; }, set: (part) => { state = { ...state, ...part }; render(); }, render };
  host.bkExplorer = handle;
  return handle;
}

/** The 95 % interval of what a rule costs more than the chosen one. */
const regretBar = (r) => [r.regretLow ?? r.regret - 1.96 * r.error, r.regretHigh ?? r.regret + 1.96 * r.error];

const hasCosts = (state) => state.cost_fp !== null && state.cost_fn !== null;

/** The prevalence that gives this PC(+) at the costs of a state. */
function prevalenceOf(pc, state) {
  const [missed, alarmed] = [(1 - pc) * (state.cost_fn - state.cost_tp), pc * (state.cost_fp - state.cost_tn)];
  return alarmed / (missed + alarmed);
}

// ---------------------------------------------------------------------------------------------------- parts of the card

/** The sentence to fill in, and the strip of choices along the prevalence, which is a slider too. */
function contextForm(data, text, now, change, reset) {
  const fields = {};
  const problem = el("p", { class: "bk-problem-text", role: "alert", hidden: true });
  const field = (key, label, parse, show) => {
    const input = el("input", { type: "text", inputmode: "decimal", id: `bk-${key}`, "aria-label": label, "data-testid": key, autocomplete: "off", oninput: () => {
      const value = parse(input.value);
      const next = { ...now(), [key]: value };
      const good = Number.isFinite(value) && (hasCosts(next) ? validContext(next) : key === "prevalence" ? value > 0 && value < 1 : value >= 0);
      input.setAttribute("aria-invalid", String(!good && input.value !== ""));
      problem.hidden = good || input.value === "";
      problem.textContent = key === "prevalence" ? text.badShare : text.badCost;
      if (good) change({ [key]: value });
    }, onblur: () => { input.removeAttribute("aria-invalid"); problem.hidden = true; shown(now()); } });
    fields[key] = { input, show };
    return input;
  };
  const currency = el("input", { type: "text", class: "bk-currency", "aria-label": text.currency, placeholder: "€", maxlength: 6, oninput: () => change({ currency: currency.value }) });
  const inputs = {
    prevalence: field("prevalence", `${text.prevalence} ${data.called}`, typedShare, (v) => inMarks(String(+(100 * v).toPrecision(3)))),
    fp: field("cost_fp", text.costFp, typedNumber, costShown), fn: field("cost_fn", text.costFn, typedNumber, costShown), currency,
  };
  const filled = (phrase) => phrase.split(/(\{\w+\})/).map((part) => inputs[part.slice(1, -1)] || (part === "{positive}" ? el("bdi", { text: data.called }) : part.replace(" %", "\u00a0%")));
  const words = (data.context ? text.sentence : text.question).split(/, |(?<=[.]) /).flatMap((phrase) => [el("span", {}, ...filled(phrase)), " "]); // a line breaks between phrases
  const again = button(text.reset, reset, "reset");
  const slider = el("input", { type: "range", min: -STEEP, max: STEEP, step: 0.01, class: "bk-slide", "aria-label": `${text.prevalence} ${data.called}`, "data-testid": "prevalence-slider", oninput: () => change({ prevalence: +expit(Number(slider.value)).toPrecision(4) }) });
  const strip = el("div", { class: "bk-strip", "aria-hidden": "true", "data-testid": "strip" });
  const scale = el("div", { class: "bk-scale", "aria-hidden": "true" }, ...[0.01, 0.1, 0.5].map((p) => {
    const tick = el("span", { text: `${100 * p}${p === 0.5 ? "\u00a0%" : ""}` });
    tick.style.left = `${(50 * (logit(p) + STEEP)) / STEEP}%`;
    return tick;
  }));
  const along = el("div", { class: "bk-along" }, strip, slider, scale);
  const right = el("div", { class: "bk-fill" }, el("label", { text: text.costTp }, field("cost_tp", text.costTp, typedNumber, costShown)), el("label", { text: text.costTn }, field("cost_tn", text.costTn, typedNumber, costShown)),
    button(text.asInData, () => change({ prevalence: data.prevalence }), "as-in-data"));
  const node = el("div", { class: "bk-context" }, el("div", { class: "bk-fill" }, ...words), problem, along);

  function shown(state, choices) {
    for (const [key, f] of Object.entries(fields)) if (document.activeElement !== f.input) f.input.value = f.show(state[key]);
    slider.value = String(logit(state.prevalence));
    slider.setAttribute("aria-valuetext", percent(state.prevalence));
    along.hidden = !hasCosts(state);
    if (choices && hasCosts(state)) showStrip(state, choices);
  }

  function showStrip(state, choices) {
    const place = (pc) => 50 * (Math.min(STEEP, Math.max(-STEEP, logit(prevalenceOf(pc, state)))) / STEEP + 1);
    const order = [...new Set(choices.map((c) => c.model))].filter((m) => !data.trivial.includes(m));
    strip.replaceChildren(...choices.map((c) => [c, place(Math.max(c.low, 1e-9)), place(Math.min(c.high, 1 - 1e-9))]).filter(([, low, high]) => high - low > 0.05).map(([c, low, high]) => {
      const trivial = data.trivial.indexOf(c.model);
      const name = trivial < 0 ? c.model : (trivial ? text.everyone : text.nobody);
      const letters = Math.floor((((high - low) / 100) * (strip.clientWidth || 1100)) / 7.5) - 1;
      const part = el("span", { title: name, class: `bk-r${trivial < 0 ? 1 + (order.indexOf(c.model) % 5) : 0}`, text: letters > 3 && letters >= Math.min(name.length, 12) ? cutName(name, letters) : "" });
      part.style.width = `${high - low}%`;
      return part;
    }));
  }
  return { node, right, again, show: shown };
}

const ICONS = { fn: "bk-i-fn", fp: "bk-i-fp", tp: "bk-i-tp", tn: "bk-i-tn" };

function iconOf(key) {
  return svgEl("svg", { width: 14, height: 14, "aria-hidden": "true", class: `bk-icon ${ICONS[key]}` }, svgEl("path", { d: iconPath(key, 2, 2, 10) }));
}

const iconPath = (key, x, y, size) => (key === "tn" ? `M${x + size / 2 - 1} ${y + size / 2 - 1}h2v2h-2z` : `M${x} ${y}h${size}v${size}h${-size}z`);

/** 1,000 cases, worst first, 40 to a line; whole cases that add up. */
function iconArray(counts, names) {
  const keys = Object.keys(counts);
  const whole = keys.map((key) => Math.floor(counts[key] + 1e-9));
  const order = keys.map((key, i) => i).sort((a, b) => counts[keys[b]] - whole[b] - (counts[keys[a]] - whole[a]));
  for (let left = 1000 - whole.reduce((a, b) => a + b, 0), k = 0; left > 0; left--, k++) whole[order[k % 4]]++;
  const svg = svgEl("svg", { viewBox: "0 0 400 250", width: "100%", role: "img", class: "bk-svg bk-array", "aria-label": keys.map((key, i) => `${names[key]} ${whole[i]}`).join(", ") });
  let place = 0;
  keys.forEach((key, i) => {
    let d = "";
    for (let k = 0; k < whole[i]; k++, place++) d += iconPath(key, (place % 40) * 10 + 1.5, Math.floor(place / 40) * 10 + 1.5, 7);
    svg.append(svgEl("path", { d, class: `bk-icon ${ICONS[key]}` }));
  });
  return svg;
}

/** Three steps for somebody who never saw these pictures. */
function tour(text, spaces) {
  let at = 0;
  const said = el("p", { "aria-live": "polite", "data-testid": "tour-step" });
  const go = (step) => {
    at = step;
    said.textContent = `${at}. ${text[`tour${at}`]}`;
    for (const panel of spaces.querySelectorAll("[data-step]")) panel.classList.toggle("bk-lit-panel", panel.dataset.step.includes(String(at)));
  };
  const next = button(text.next, () => go((at % 3) + 1), "tour-next");
  said.textContent = text.tour0;
  return el("div", { class: "bk-tour" }, said, next);
}

function fold(title, nodes, name) {
  return el("details", { "data-fold": name }, el("summary", { text: title }), ...nodes);
}

function button(label, onclick, name) {
  return el("button", { type: "button", class: "bk-button", text: label, "data-testid": name, onclick });
}

function copyButton(label, make) {
  const node = button(label, async () => {
    node.dataset.copied = make();
    try { await navigator.clipboard.writeText(node.dataset.copied); } catch { /* no clipboard: the text stays in data-copied */ }
    node.classList.add("bk-done");
    setTimeout(() => node.classList.remove("bk-done"), 900);
  });
  return node;
}

const plainNumber = (v) => String(+Number(v).toPrecision(8));

export function pythonCode(state) {
  const right = state.cost_tp || state.cost_tn ? `, cost_tp=${plainNumber(state.cost_tp)}, cost_tn=${plainNumber(state.cost_tn)}` : "";
  return `bakeoff.decide(predictions, bakeoff.OperatingContext(prevalence=${plainNumber(state.prevalence)}, cost_fp=${plainNumber(state.cost_fp)}, cost_fn=${plainNumber(state.cost_fn)}${right}), rng=0)`;
}

export function commandLine(state) {
  const files = document.querySelector("[data-command]")?.dataset.command || "preds.csv --truth TRUTH --score MODEL";
  return `bakeoff decide ${files} --prevalence ${plainNumber(state.prevalence)} --cost-fp ${plainNumber(state.cost_fp)} --cost-fn ${plainNumber(state.cost_fn)}`;
}

function rulesCsv(rules) {
  const cell = (v) => (typeof v === "string" ? `"${(/^[=+\-@\t\r]/.test(v) ? `'${v}` : v).replaceAll('"', '""')}"` : String(v ?? ""));
  const names = ["model", "threshold", "cost", "low", "high", "pBest", "fpr", "tpr", "regret"];
  return [names.join(","), ...rules.map((r) => names.map((n) => cell(r[n])).join(","))].join("\r\n");
}

function readHash() {
  const found = {};
  const parts = new URLSearchParams(window.location.hash.replace(/^#/, ""));
  for (const key of KEYS) {
    const value = Number(parts.get(key));
    if (parts.has(key) && Number.isFinite(value)) found[key] = value;
  }
  return found;
}

/** The address keeps the whole context, so that a link means the same on every page; a link to a section is left alone. */
function writeHash(state, start) {
  const now = window.location.hash.replace(/^#/, "");
  const parts = new URLSearchParams();
  const moved = hasCosts(state) && KEYS.some((key) => state[key] !== start[key]);
  for (const key of KEYS) if (moved && (key.startsWith("cost_t") ? state[key] !== start[key] : true)) parts.set(key, plainNumber(state[key]));
  const wanted = parts.toString();
  if (now === wanted || (now !== "" && !now.includes("=") && wanted === "")) return;
  window.history.replaceState(null, "", wanted ? `#${wanted}` : window.location.pathname + window.location.search);
}

export const EXPLORER_TEXT = {
  settled: "settled", leaning: "leaning", open: "open", rule: "(settled: every dot filled)", rule80: "leaning when every dot would be filled at a level of 80 %",
  context: "At {prevalence} {positive}, false alarm {fp}, miss {fn}",
  useIt: "{context}: use {rule}, {cost} a case.", preferIt: "{context}: prefer {rule}, {cost} a case.",
  openYet: "{context}: no clear winner; cheapest {rule}, {cost} a case.", deployNone: "{context}: deploy none; to {rule} costs least, {cost} a case.",
  above: "{model} above {threshold}", everyone: "call everyone", nobody: "call nobody", to: "to",
  sentence: "{prevalence} % {positive}, false alarm {fp}, miss {fn} {currency}",
  question: "What would change this: your costs. At {prevalence} % {positive}, false alarm {fp}, miss {fn} {currency}",
  prevalence: "Prevalence of", costFp: "Cost of a false alarm", costFn: "Cost of a miss", costTp: "Cost of a hit", costTn: "Cost of a correct pass", currency: "Currency",
  asInData: "Prevalence as in the data", badShare: "A prevalence lies between 0 and 100 %: 10, 10 % or 0.1.",
  badCost: "A cost is a number, not negative; a wrong answer costs at least as much as a right one.",
  extraCost: "Extra cost", leadTitle: "Thin bars 95 %, thick 80 %, each pair alone. Filled dots: told apart, all rivals allowed for.",
  casesTitle: "1,000 cases", missed: "missed", alarms: "false alarms", caught: "caught", passed: "passed", total: "cost",
  change: "What would change this:", below: "below {prevalence} {rule}", aboveIt: "above {prevalence} {rule}", orMiss: "or a miss of {miss}", nothing: "no prevalence and no cost",
  spaces: "Curves", rulesTitle: "Rules", options: "Options", reset: "Reset", copyLink: "Copy link", copyPython: "Copy as Python", copyCommand: "Copy as command", save: "Save as CSV", next: "Next",
  tour0: "What the two pictures show, in three steps.",
  tour1: "ROC space. Each threshold of a model is a point: how many healthy cases it alarms (to the right) and how many ill ones it catches (upwards). A curve is one model; up and left is better.",
  tour2: "The dashed line. All points on it cost the same at your prevalence and costs. The cheapest rule is where the line, pushed up and left, last touches a curve: the blue dot.",
  tour3: "Cost curves. To the right, misses weigh more; the height is what each model costs there. The lowest line is the choice, and where two lines cross, the choice changes.",
  rocTitle: "ROC space", costTitle: "Cost curves", fpr: "false positive rate", tpr: "true positive rate", pcTitle: "PC(+): how much the positives matter", necTitle: "normalised expected cost",
  rule2: "rule", threshold: "threshold", cost: "cost a case", interval: "95 % interval", pBest: "share of resamples", slope: "slope",
  dragIsocost: "Isocost line: turn it to change the cost of a miss", dragPc: "Context: move it to change the cost of a miss",
  find: "Find", more: "and {n} more", fewer: "show fewer",
};
