// The script of a report: draw everything once the page is there.
import { drawAll, themeButton } from "./figures.js";

export function startPage() {
  drawAll();
  const button = document.querySelector("[data-theme-button]");
  if (button) themeButton(button);
  document.documentElement.dataset.ready = "true";
}

startPage();
