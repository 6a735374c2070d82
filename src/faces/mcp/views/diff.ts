import { element } from "./elements.ts";

/** Shows a unified diff: a line each, with its sign, so that colour is never alone. */
export function diffView(diff: string): HTMLElement {
  const lines = diff
    .replace(/\n$/, "")
    .split("\n")
    .filter((line) => !line.startsWith("--- ") && !line.startsWith("+++ "));
  const view = element("pre", "diff", ...lines.map((line) => element("span", kindOf(line), line === "" ? " " : line)));
  view.tabIndex = 0;
  view.setAttribute("aria-label", "What changed");
  return view;
}

const kindOf = (line: string): string =>
  line.startsWith("+") ? "add" : line.startsWith("-") ? "del" : line.startsWith("@@") ? "gap" : "";
