// The application page: tabs, a dropped file with its column mapping, the guide as an interview, the planner.
import { drawAll, drawFigure, themeButton } from "./figures.js";
import { decimal, el } from "./svg.js";

// The words of the page in English; the server hands those of another language in #bk-words.
const APP_TEXT = {
  serverAnswered: "The server answered {status}.", refused: "refused",
  noRuns: "No experiment here yet. Start `bakeoff serve FOLDER` with a folder of runs, or drop a file in the next tab.", experiments: "experiments",
  experiment: "experiment", models: "models", dataSets: "data sets", done: "done", failed: "failed",
  drop: "Drop a CSV or Parquet file of predictions (one row per case, one column per model) or of scores (rows data sets, columns models); or counts, or the log of an evaluation tool.",
  choose: "or choose a file:", reading: "Reading {name} …", ready: "{name}: {rows} rows of {models}.", whatIsEach: "{name}: {rows} rows. What is each column?", column: "column",
  firstValues: "first values", is: "is", positiveClass: "positive class", pick: "– choose –", fileHolds: "the file holds",
  holdsPredictions: "predictions: one row per case", holdsScores: "scores: one row per data set", compareModels: "Compare the models",
  roleScores: "scores of a model", roleTruth: "the truth", roleDataset: "name of the data set", roleSkip: "leave out",
  roleLabels: "labels of a model", roleValues: "values of a model", roleFold: "fold", roleRepeat: "repeat", roleGroup: "group",
  whatScores: "what the scores are (accuracy, RMSE, …)", better: "better is", notSaid: "– as the measure tells –", more: "more", less: "less",
  roleOf: "role of {name}", computing: "Computing …", asFits: "as fits the evidence", measure: "measure", allPairs: "all pairs", control: "control",
  confidence: "confidence level", margin: "margin", again: "start again", accuracy: "accuracy", toShow: "difference to show", power: "power",
  holdsOutcomes: "right and wrong answers: one row per item, 1 or 0 per model", roleItem: "name of the item", roleAnswers: "answers of a model",
  noPositive: "– none: all classes alike –", columns: "What each column is", cancel: "Cancel", soFar: "{stage} · {seconds} s", saveReport: "Save the report",
  ownPage: "Open on a page of its own", earlier: "Earlier results", stage_compare: "Comparing", stage_evaluate: "Measures and their intervals", stage_roc: "ROC curves",
  stage_cost_curves: "Cost curves", stage_decide: "Decision", stage_explorer: "Costs and prevalences", stage_score_predictions: "Folds", save: "save",
  lesson: "What is worked out?", smallTable: "Your table: one row a line, values apart by spaces", lectureNumbers: "the lecture's numbers",
  toBeat: "value of the model to beat", correlation: "correlation of the two models", share: "share of positives",
};

const spokenWords = document.getElementById("bk-words");
const words = { ...APP_TEXT, ...(spokenWords ? JSON.parse(spokenWords.textContent) : {}) };

function fill(template, values) {
  return template.replace(/\{(\w+)\}/g, (whole, name) => values[name] ?? whole);
}

async function post(path, body, signal) {
  const response = await fetch(path, { method: "POST", signal, headers: { "content-type": "application/json" }, body: JSON.stringify(body) });
  const data = await response.json().catch(() => ({ error: fill(words.serverAnswered, { status: response.status }) }));
  if (!response.ok) throw Object.assign(new Error(data.error || words.refused), { hint: data.hint });
  return data;
}

function problemBox(problem) {
  return el("div", { class: "bk-verdict bk-problem", role: "alert" }, el("p", { text: problem.message }), problem.hint ? el("p", { text: problem.hint }) : null);
}

function field(label, control) {
  const id = control.id || `bk-f${Math.random().toString(36).slice(2)}`;
  control.id = id;
  return el("div", { class: "bk-field" }, el("label", { for: id, text: label }), control);
}

function choice(options, value, onchange) {
  const select = el("select", { onchange: () => onchange(select.value) }, ...options.map((o) => el("option", { value: o.value, text: o.text })));
  select.value = value ?? "";
  return select;
}

// -- tabs -------------------------------------------------------------------------------------------------------

const TABS = ["runs", "drop", "advise", "plan", "course"];

/** The tab of the address, which Back and a refresh keep. */
function tabOf(hash) {
  return TABS.includes(hash.slice(1)) ? hash.slice(1) : "drop";
}

function showTab(name) {
  for (const tab of TABS) {
    const on = tab === name;
    const button = document.getElementById(`tab-${tab}`);
    button.setAttribute("aria-selected", String(on));
    button.tabIndex = on ? 0 : -1;
    button.classList.toggle("bk-primary", on);
    document.getElementById(`panel-${tab}`).hidden = !on;
  }
}

function go(tab) {
  window.history.pushState(null, "", `#${tab}`);
  showTab(tab);
}

function startTabs() {
  for (const [place, tab] of TABS.entries()) {
    const button = document.getElementById(`tab-${tab}`);
    button.addEventListener("click", () => go(tab));
    button.addEventListener("keydown", (e) => {
      const step = { ArrowRight: 1, ArrowLeft: -1 }[e.key];
      if (!step) return;
      const next = TABS[(place + step + TABS.length) % TABS.length];
      go(next);
      document.getElementById(`tab-${next}`).focus();
    });
  }
}

// -- experiments ------------------------------------------------------------------------------------------------

async function showRuns() {
  const panel = document.getElementById("panel-runs");
  const { stores } = await (await fetch("/api/stores")).json();
  if (!stores.length) { panel.replaceChildren(el("p", { text: words.noRuns })); return 0; }
  const rows = stores.map((s) => el("tr", {},
    el("th", { scope: "row" }, s.problem ? el("span", { text: s.title }) : el("span", {}, el("a", { href: `/report/${encodeURIComponent(s.name)}`, text: s.title }), " · ", el("a", { href: `/report/${encodeURIComponent(s.name)}?download`, download: "", text: words.save, "aria-label": `${words.saveReport}: ${s.title}` }))),
    el("td", { text: s.models ?? "–" }), el("td", { text: s.datasets ?? "–" }),
    el("td", {}, s.planned ? el("progress", { max: s.planned, value: s.done, "aria-label": `${s.done} / ${s.planned}` }) : null, el("span", { text: s.planned ? ` ${s.done} / ${s.planned}` : s.problem || "–" })),
    el("td", { text: s.failed ?? "–" })));
  panel.replaceChildren(el("div", { class: "bk-scroll", tabindex: 0, role: "group", "aria-label": words.experiments }, el("table", { class: "bk-table" },
    el("thead", {}, el("tr", {}, ...[words.experiment, words.models, words.dataSets, words.done, words.failed].map((h) => el("th", { scope: "col", text: h })))), el("tbody", {}, ...rows))));
  return stores.filter((s) => s.missing > 0).length;
}

async function watchRuns() {
  const running = await showRuns().catch(() => 0);
  if (running) setTimeout(watchRuns, 3000);
}

// -- a dropped file ---------------------------------------------------------------------------------------------

function startDrop() {
  const panel = document.getElementById("panel-drop");
  const input = el("input", { type: "file", accept: ".csv,.tsv,.txt,.json,.jsonl,.ndjson,.parquet,.pq,.arrow,.feather,.gz,.bz2,.xz,.zst", id: "bk-file", "data-testid": "file" });
  const zone = el("div", { class: "bk-drop" }, el("p", { text: words.drop }), el("label", { for: "bk-file", text: words.choose }), input);
  const status = el("div", { "aria-live": "polite", "data-testid": "status" });
  const mapping = el("div", {});
  const result = el("div", { "data-testid": "result", class: "bk-result" });
  const earlier = el("div", { "data-testid": "earlier" });
  panel.replaceChildren(zone, mapping, status, result, earlier);
  const shown = { id: null };
  const list = async () => {
    const { results } = await (await fetch("/api/results")).json();
    earlier.replaceChildren(...(results.length ? [el("details", {}, el("summary", { text: `${words.earlier} (${results.length})` }), el("ul", { class: "bk-earlier" }, ...results.map((r) => el("li", {},
      el("a", { href: `#result=${r.id}`, text: r.headline }), el("span", { class: "bk-small", text: ` ${r.name}, ${r.when.slice(0, 16).replace("T", " ")} · ` }),
      el("a", { href: `/result/${r.id}?download`, download: "", text: words.save, "aria-label": `${words.saveReport}: ${r.name}` })))))] : []));
  };
  /** Show what the address names: a result that was made, or nothing. */
  const restore = async () => {
    const id = (window.location.hash.match(/^#result=([\w-]+)$/) || [])[1];
    showTab(id ? "drop" : tabOf(window.location.hash));
    if (!id) { if (shown.id) { result.replaceChildren(); mapping.replaceChildren(); status.replaceChildren(); shown.id = null; } return; }
    if (id === shown.id) return;
    try {
      const response = await fetch(`/api/result/${id}`);
      const answer = await response.json();
      if (!response.ok) throw Object.assign(new Error(answer.error), { hint: answer.hint });
      shown.id = id;
      mapping.replaceChildren(); status.replaceChildren();
      showReport(answer, result, null);
    } catch (problem) { status.replaceChildren(problemBox(problem)); result.replaceChildren(); }
  };
  const made = (answer) => {
    shown.id = answer.result;
    window.history.pushState(null, "", `#result=${answer.result}`);
    list();
  };
  window.addEventListener("popstate", restore);
  window.addEventListener("hashchange", restore);
  list().catch(() => {});
  restore();
  const send = async (file) => {
    mapping.replaceChildren(); result.replaceChildren();
    status.replaceChildren(el("p", { class: "bk-small", text: fill(words.reading, { name: file.name }) }));
    const form = new FormData();
    form.append("file", file);
    try {
      const response = await fetch("/api/upload", { method: "POST", body: form });
      const type = response.headers.get("content-type") || "";
      const data = type.includes("json") ? await response.json() : { error: await response.text() };
      if (!response.ok) throw Object.assign(new Error(data.error), { hint: data.hint });
      status.replaceChildren();
      mapColumns(data, mapping, result, status, made);
    } catch (problem) { status.replaceChildren(problemBox(problem)); }
  };
  input.addEventListener("change", () => { if (input.files.length) send(input.files[0]); });
  zone.addEventListener("dragover", (e) => { e.preventDefault(); zone.classList.add("bk-over"); });
  zone.addEventListener("dragleave", () => zone.classList.remove("bk-over"));
  zone.addEventListener("drop", (e) => { e.preventDefault(); zone.classList.remove("bk-over"); if (e.dataTransfer.files.length) send(e.dataTransfer.files[0]); });
}

/** A finished report: what can be asked of it again (where the upload is here), how to keep it, and the report. */
function showReport(answer, result, bar) {
  const body = el("div", { "data-hash": "false" });
  body.append(...new DOMParser().parseFromString(answer.html, "text/html").body.childNodes);
  const keep = el("p", { class: "bk-share" },
    el("a", { class: "bk-button", href: `/result/${answer.result}?download`, download: "", "data-testid": "save", text: words.saveReport }),
    el("a", { class: "bk-button", href: `/result/${answer.result}`, text: words.ownPage }));
  result.replaceChildren(...[keep, bar].filter(Boolean), body);
  drawAll(body);
  result.scrollIntoView({ block: "start" });
}

function mapColumns(upload, host, result, status, made) {
  const state = structuredClone(upload.guess);
  const options = { measure: "", control: "", level: 0.95, margin: "" };
  const names = Object.keys(upload.preview);
  const draw = () => {
    const compare = el("button", { type: "button", class: "bk-button bk-primary", "data-testid": "analyse", text: words.compareModels, onclick: run });
    if (state.mode === "ready") { // counts and logs say themselves what they hold
      host.replaceChildren(el("details", { open: true }, el("summary", { text: words.columns }), el("p", { text: fill(words.ready, { name: upload.name, rows: upload.rows, models: state.models.join(", ") }) })), compare);
      return;
    }
    const table = el("table", { class: "bk-table" }, el("caption", { text: fill(words.whatIsEach, { name: upload.name, rows: upload.rows }) }),
      el("thead", {}, el("tr", {}, ...[words.column, words.firstValues, words.is].map((h) => el("th", { scope: "col", class: "bk-text", text: h })))),
      el("tbody", {}, ...names.map((name) => el("tr", {}, el("th", { scope: "row", text: name }), el("td", { class: "bk-text", text: upload.preview[name].join(", ").slice(0, 60) }), el("td", { class: "bk-text" }, roleSelect(name))))));
    const rest = [];
    const classes = state.mode === "predictions" && state.truth ? upload.values[state.truth] || [] : [];
    if (state.positive && !classes.includes(state.positive)) state.positive = null;
    if (classes.length > 1) rest.push(field(words.positiveClass, choice([{ value: "", text: classes.length > 2 ? words.noPositive : words.pick }, ...classes.map((c) => ({ value: c, text: c }))], state.positive, (v) => { state.positive = v; })));
    if (state.mode === "scores") {
      const named = el("input", { type: "text", value: state.measure ?? "", "data-testid": "scores-measure", onchange: () => { state.measure = named.value.trim(); } });
      rest.push(field(words.whatScores, named), field(words.better, choice([{ value: "", text: words.notSaid }, { value: "greater", text: words.more }, { value: "lower", text: words.less }], state.better, (v) => { state.better = v; })));
    }
    host.replaceChildren(
      el("details", { open: true, class: "bk-mapping" }, el("summary", { text: words.columns }),
        field(words.fileHolds, choice([{ value: "predictions", text: words.holdsPredictions }, { value: "scores", text: words.holdsScores }, { value: "outcomes", text: words.holdsOutcomes }], state.mode, (v) => { state.mode = v; if (v !== "predictions" && !state.models) state.models = names.filter((n) => state.kinds[n] === "number"); if (v === "predictions") state.roles ??= {}; draw(); })),
        el("div", { class: "bk-scroll", tabindex: 0, role: "group", "aria-label": words.columns }, table), ...rest),
      compare);
  };
  const roleSelect = (name) => {
    if (state.mode !== "predictions") {
      const keys = state.mode === "scores" ? ["dataset", "fold", "repeat"] : ["item", "groups"];
      const now = keys.find((k) => state[k] === name) || ((state.models || []).includes(name) ? "model" : "skip");
      const named = { dataset: words.roleDataset, fold: words.roleFold, repeat: words.roleRepeat, item: words.roleItem, groups: words.roleGroup };
      const roles = [["model", state.mode === "scores" ? words.roleScores : words.roleAnswers], ...keys.map((k) => [k, named[k]]), ["skip", words.roleSkip]];
      const select = choice(roles.map(([value, text]) => ({ value, text })), now, (v) => {
        state.models = (state.models || []).filter((m) => m !== name);
        for (const key of keys) if (state[key] === name) state[key] = null;
        if (v === "model") state.models.push(name); else if (v !== "skip") state[v] = name;
      });
      select.setAttribute("aria-label", fill(words.roleOf, { name }));
      return select;
    }
    const roles = [["truth", words.roleTruth], ["score", words.roleScores], ["pred", words.roleLabels], ["value", words.roleValues], ["fold", words.roleFold], ["repeat", words.roleRepeat], ["groups", words.roleGroup], ["skip", words.roleSkip]];
    const now = ["truth", "fold", "repeat", "groups"].find((k) => state[k] === name) || state.roles[name] || "skip";
    const select = choice(roles.map(([value, text]) => ({ value, text })), now, (v) => {
      for (const key of ["truth", "fold", "repeat", "groups"]) if (state[key] === name) state[key] = null;
      delete state.roles[name];
      if (["truth", "fold", "repeat", "groups"].includes(v)) state[v] = name; else state.roles[name] = v;
      draw(); // another truth has other classes
    });
    select.setAttribute("aria-label", fill(words.roleOf, { name }));
    return select;
  };
  let working = null; // what is under way: a second question calls the first off
  const run = async () => {
    if (working) working.stop();
    const job = Math.random().toString(36).slice(2);
    const aborted = new AbortController();
    const stage = el("p", { class: "bk-small", text: words.computing });
    const told = async () => {
      const now = await (await fetch(`/api/progress/${job}`)).json().catch(() => ({}));
      if (now.stage) stage.textContent = fill(words.soFar, { stage: words[`stage_${now.stage}`] || words.computing, seconds: decimal(now.seconds, 0) });
    };
    const timer = setInterval(told, 700);
    const mine = working = { stop: () => { clearInterval(timer); aborted.abort(); fetch(`/api/cancel/${job}`, { method: "POST" }); status.replaceChildren(); working = null; } };
    status.replaceChildren(stage, el("progress", { "aria-label": words.computing }), " ", el("button", { type: "button", class: "bk-button", "data-testid": "cancel", text: words.cancel, onclick: mine.stop }));
    try {
      const answer = await post("/api/analyse", { id: upload.id, mapping: state, job, ...options }, aborted.signal);
      status.replaceChildren();
      host.querySelector("details").open = false;
      showReport(answer, result, toolbar(answer));
      made(answer);
    } catch (problem) { if (problem.name !== "AbortError") { status.replaceChildren(problemBox(problem)); result.replaceChildren(); } }
    clearInterval(timer);
    if (working === mine) working = null;
  };
  const toolbar = (answer) => {
    const bar = el("div", { class: "bk-toolbar" });
    if (answer.measures.length) bar.append(field(words.measure, choice([{ value: "", text: words.asFits }, ...answer.measures.map((m) => ({ value: m, text: answer.labels[m] || m }))], options.measure, (v) => { options.measure = v; run(); })));
    bar.append(field(words.control, choice([{ value: "", text: words.allPairs }, ...answer.models.map((m) => ({ value: m, text: m }))], options.control, (v) => { options.control = v; run(); })));
    const number = (label, key, step) => { const input = el("input", { type: "number", step, value: options[key], "data-testid": key, onchange: () => { options[key] = input.value; run(); } }); return field(label, input); };
    bar.append(number(words.confidence, "level", 0.01), number(words.margin, "margin", 0.005));
    return bar;
  };
  draw();
}

// -- the guide as an interview ----------------------------------------------------------------------------------

function startAdvise() {
  const panel = document.getElementById("panel-advise");
  const ask = async (answers) => {
    const reply = await post("/api/advise", { answers });
    const said = el("ol", { class: "bk-said" }, ...reply.said.map(([q, a]) => el("li", {}, el("span", { class: "bk-small", text: `${q} ` }), el("b", { text: a }))));
    const again = el("button", { type: "button", class: "bk-button", text: words.again, onclick: () => ask({}) });
    if (reply.advice) {
      panel.replaceChildren(said, el("div", { class: "bk-verdict", "aria-live": "polite", "data-testid": "advice" }, el("p", { text: reply.advice.title }), el("p", { text: reply.advice.reason }), reply.advice.then ? el("p", { text: reply.advice.then }) : null, reply.advice.by_name ? el("p", { class: "bk-small", text: reply.advice.by_name }) : null), again);
      return;
    }
    const buttons = reply.question.answers.map((a) => el("button", { type: "button", class: "bk-button bk-choice", text: a.text, onclick: () => ask({ ...answers, [reply.question.code]: a.code }) }));
    panel.replaceChildren(said, el("fieldset", { class: "bk-question" }, el("legend", { text: reply.question.text }), ...buttons), reply.said.length ? again : el("span"));
    if (reply.said.length) buttons[0].focus();
  };
  ask({}).catch((problem) => panel.replaceChildren(problemBox(problem)));
}

// -- the planner ------------------------------------------------------------------------------------------------

function startPlan() {
  const panel = document.getElementById("panel-plan");
  const state = { measure: "accuracy", difference: 0.02, power: 0.8, baseline: 0.85, correlation: 0.5, prevalence: 0.5 };
  const answer = el("div", { class: "bk-verdict", "aria-live": "polite", "data-testid": "plan" });
  const host = el("div", {});
  let timer = null;
  const ask = () => {
    clearTimeout(timer);
    timer = setTimeout(async () => {
      try {
        const reply = await post("/api/plan", state);
        answer.replaceChildren(...String(reply.text).split("\n").filter(Boolean).slice(0, 4).map((t) => el("p", { text: t })));
        drawFigure("power", host, reply.figure);
      } catch (problem) { answer.replaceChildren(el("p", { text: problem.message }), el("p", { text: problem.hint || "" })); host.replaceChildren(); }
    }, 150);
  };
  const slider = (label, key, low, high, step) => {
    const shown = el("output", { text: String(state[key]) });
    const input = el("input", { type: "range", min: low, max: high, step, value: state[key], "data-testid": `plan-${key}`, oninput: () => { state[key] = Number(input.value); shown.textContent = input.value; ask(); } });
    const made = field(label, input);
    made.append(shown);
    return made;
  };
  panel.replaceChildren(el("div", { class: "bk-explorer-grid bk-plan-grid" },
    el("div", { class: "bk-panel" },
      field(words.measure, choice([{ value: "accuracy", text: words.accuracy }, { value: "auc", text: "AUC" }], state.measure, (v) => { state.measure = v; ask(); })),
      slider(words.toShow, "difference", 0.002, 0.1, 0.002), slider(words.power, "power", 0.5, 0.99, 0.01), slider(words.toBeat, "baseline", 0.5, 0.99, 0.01), slider(words.correlation, "correlation", 0, 0.95, 0.05), slider(words.share, "prevalence", 0.01, 0.99, 0.01)),
    el("div", { class: "bk-panel" }, answer, host)));
  ask();
}

// -- the course: a small table, worked out step by step -----------------------------------------------------------

async function startCourse() {
  const panel = document.getElementById("panel-course");
  const { lessons } = await post("/api/course", {});
  const state = { lesson: lessons[0].code };
  const table = el("textarea", { rows: 18, cols: 30, spellcheck: "false", "data-testid": "course-table" });
  const steps = el("div", { "aria-live": "polite", "data-testid": "course-steps" });
  const host = el("div", { "data-testid": "course-figure" });
  let [timer, asked] = [null, 0];
  const ask = () => {
    clearTimeout(timer);
    timer = setTimeout(async () => {
      const mine = ++asked;
      try {
        const reply = await post("/api/course", { lesson: state.lesson, table: table.value });
        if (mine !== asked) return;
        steps.replaceChildren(...new DOMParser().parseFromString(reply.html, "text/html").body.childNodes);
        host.replaceChildren();
        if (reply.figure) drawFigure(reply.figure.kind, host, reply.figure);
      } catch (problem) { if (mine === asked) { steps.replaceChildren(problemBox(problem)); host.replaceChildren(); } }
    }, 200);
  };
  const start = () => { table.value = lessons.find((l) => l.code === state.lesson).table; ask(); };
  table.addEventListener("input", ask);
  const pick = choice(lessons.map((l) => ({ value: l.code, text: l.title })), state.lesson, (v) => { state.lesson = v; start(); });
  pick.setAttribute("data-testid", "course-lesson");
  panel.replaceChildren(el("div", { class: "bk-explorer-grid bk-plan-grid" },
    el("div", { class: "bk-panel" }, field(words.lesson, pick), field(words.smallTable, table),
      el("button", { type: "button", class: "bk-button", text: words.lectureNumbers, onclick: start })),
    el("div", { class: "bk-panel" }, host, el("div", { class: "bk-scroll", tabindex: 0, role: "region", "aria-label": words.lesson }, steps))));
  start();
}

startTabs();
document.querySelector("[data-language]").addEventListener("change", (e) => {
  document.cookie = `bakeoff-language=${e.target.value}; path=/; samesite=strict`;
  window.location.reload();
});
themeButton(document.querySelector("[data-theme-button]"));
startDrop();
startAdvise();
startPlan();
startCourse().catch((problem) => document.getElementById("panel-course").replaceChildren(problemBox(problem)));
watchRuns();
document.documentElement.dataset.ready = "true";
