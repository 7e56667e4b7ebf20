// The decision guide as a tree: questions, answers, advice; folded branches open with a click or the keyboard.
import { el } from "./svg.js";

export function drawAdviceTree(host, data) {
  const branch = (node) => {
    if (!node.question) return el("div", { class: "bk-leaf" }, el("b", { text: node.advice }), el("span", { class: "bk-small", text: node.why ? ` ${node.why}` : "" }), node.by_name ? el("div", { class: "bk-small", text: node.by_name }) : "");
    const list = el("ul", { class: "bk-branches" });
    for (const option of node.options) list.append(el("li", {}, el("details", { open: option.taken || data.open ? true : null }, el("summary", { text: option.answer }), branch(option.next))));
    return el("div", { class: "bk-question" }, el("b", { text: node.question }), list);
  };
  host.append(branch(data.root));
  return { redraw: () => {} };
}
