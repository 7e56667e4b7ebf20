// Sortable tables: a click (or Enter) on a column head sorts by it.
import { el } from "./svg.js";

export function makeSortable(table) {
  const heads = [...table.tHead.rows[0].cells];
  heads.forEach((head, column) => {
    const label = head.textContent;
    const button = el("button", { type: "button", class: "bk-sort", text: label });
    head.replaceChildren(button);
    button.addEventListener("click", () => {
      const ascending = head.getAttribute("aria-sort") !== "ascending";
      for (const other of heads) other.removeAttribute("aria-sort");
      head.setAttribute("aria-sort", ascending ? "ascending" : "descending");
      const rows = [...table.tBodies[0].rows];
      const key = (row) => { const cell = row.cells[column]; return cell.dataset.value ?? cell.textContent; };
      const number = (text) => (text === "" || text === "NaN" ? NaN : Number(text));
      rows.sort((a, b) => {
        const [x, y] = [key(a), key(b)];
        const [nx, ny] = [number(x), number(y)];
        if (Number.isNaN(nx) !== Number.isNaN(ny) && (a.cells[column].dataset.value !== undefined)) return Number.isNaN(nx) ? 1 : -1;
        const order = Number.isNaN(nx) || Number.isNaN(ny) ? x.localeCompare(y) : nx - ny;
        return ascending ? order : -order;
      });
      table.tBodies[0].append(...rows);
      table.dispatchEvent(new Event("bk-sorted"));
    });
  });
}

/** A long table: the first dozen, a button for the rest, and a box that finds a model. */
export function foldTable(table, words, most = 12) {
  const rows = () => [...table.tBodies[0].rows];
  if (rows().length <= most + 3) return;
  let [all, sought] = [false, ""];
  const more = el("button", { type: "button", class: "bk-link", onclick: () => { all = !all; show(); } });
  const find = el("input", { type: "search", class: "bk-find", "aria-label": words.find, placeholder: words.find, oninput: () => { sought = find.value.toLowerCase(); show(); } });
  const show = () => {
    const name = (row) => `${row.cells[0].textContent} ${row.cells[1] ? row.cells[1].textContent : ""}`.toLowerCase();
    rows().forEach((row, i) => { row.hidden = sought ? !name(row).includes(sought) : !all && i >= most; });
    more.textContent = all ? words.fewer : words.more.replace("{n}", String(rows().length - most));
    more.hidden = sought !== "";
    more.setAttribute("aria-expanded", String(all));
  };
  const wrap = table.closest(".bk-scroll") || table;
  wrap.before(find);
  wrap.after(more);
  table.addEventListener("bk-sorted", show);
  window.addEventListener("beforeprint", () => { [all, sought] = [true, ""]; show(); });
  show();
}

/** CSV of a table; a cell a spreadsheet would run as a formula is kept as text. */
export function tableCsv(table) {
  const cell = (c) => {
    const text = (c.dataset.value ?? c.textContent).trim();
    const safe = /^[=+@\t\r]/.test(text) || (text.startsWith("-") && Number.isNaN(Number(text))) ? `'${text}` : text;
    return /[",\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
  };
  return [...table.rows].map((row) => [...row.cells].map(cell).join(",")).join("\r\n");
}

export function saveText(name, text, type) {
  const link = el("a", { href: URL.createObjectURL(new Blob([text], { type })), download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(link.href), 5000);
}
