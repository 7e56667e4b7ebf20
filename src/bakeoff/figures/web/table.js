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
    });
  });
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
