// The script of a report: draw everything once the page is there.
import { drawAll, themeButton } from "./figures.js";

export function startPage() {
  drawAll();
  const button = document.querySelector("[data-theme-button]");
  if (button) themeButton(button);
  openTarget();
  window.addEventListener("hashchange", openTarget);
  window.addEventListener("beforeprint", () => onto("true"));
  window.addEventListener("afterprint", () => onto("false"));
  document.documentElement.dataset.ready = "true";
}

/** Unfold what a link points to. */
function openTarget() {
  const name = window.location.hash.slice(1);
  const target = name && !name.includes("=") ? document.getElementById(name) : null;
  const fold = target && target.querySelector("details");
  if (fold) { fold.open = true; target.scrollIntoView(); }
}

/** Paper has no folds, and other widths than the window. */
function onto(paper) {
  document.documentElement.dataset.paper = paper;
  if (paper === "true") for (const fold of document.querySelectorAll("main details")) fold.open = true;
  document.dispatchEvent(new Event("bk-theme"));
}

startPage();
