// Every code block can be copied and, where it is wider than the page, scrolled from the keyboard.
for (const pre of document.querySelectorAll("div.highlight > pre, div.cell_output pre")) {
  pre.tabIndex = 0;
  if (!pre.parentElement.matches("div.highlight") || pre.closest("div.cell_output")) continue;
  const button = document.createElement("button");
  button.type = "button";
  button.className = "copy";
  button.textContent = "copy";
  button.addEventListener("click", async () => {
    // Prompts of a console are not code.
    const lines = pre.textContent.split("\n");
    const console = lines.some((line) => line.startsWith(">>> "));
    const code = console ? lines.filter((line) => /^(>>>|\.\.\.)( |$)/.test(line)).map((line) => line.slice(4)) : lines;
    try { await navigator.clipboard.writeText(code.join("\n").trimEnd()); button.textContent = "copied"; } catch { button.textContent = "Ctrl-C"; window.getSelection().selectAllChildren(pre); }
    setTimeout(() => { button.textContent = "copy"; }, 1500);
  });
  pre.parentElement.append(button);
}
for (const caption of document.querySelectorAll('.caption[role="heading"]:not([aria-level])')) caption.setAttribute("aria-level", "2");
for (const wrapper of document.querySelectorAll(".table-wrapper, div.math")) wrapper.tabIndex = 0;
for (const summary of document.querySelectorAll('summary[aria-label]')) summary.removeAttribute("aria-label");
