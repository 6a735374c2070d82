import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { TEMPLATE_NAMES } from "../../src/base/verdicts.ts";
import type { RuleEntry } from "../../src/config/rule.ts";
import { templateRules } from "../../src/runtime/rules/templates.ts";

const page = readFileSync(join(import.meta.dirname, "../../docs/operating.md"), "utf8");
const row = (...cells: readonly string[]): string => `| ${cells.join(" | ")} |`;
const code = (text: string): string => `\`${text}\``;

const placesOf = ({ path, match = [] }: RuleEntry): string => {
  if (path === undefined) return "everywhere";
  return typeof path === "string" ? code(path) : `such as ${match.slice(0, 3).map(code).join(", ")}`;
};

const templateRows = (isShielded: boolean): readonly string[] =>
  templateRules("personal", isShielded).map((rule, nth) =>
    row(
      [rule.act].flat().join(", "),
      placesOf(rule),
      ...TEMPLATE_NAMES.map((name) => templateRules(name, isShielded)[nth]?.decide ?? ""),
    ),
  );

it("the page for operators says what each template decides, row by row", () => {
  expect(page).toContain(
    [row("Act", "Where", ...TEMPLATE_NAMES), row("---", "---", "---", "---", "---"), ""].join("\n"),
  );
  for (const line of templateRows(true)) expect(page.split("\n")).toContain(line);
});

it("and what of that is stricter where secrets are shown as they are", () => {
  const stricter = templateRows(false).filter((line) => !templateRows(true).includes(line));
  expect(stricter).toEqual([
    row("read", "such as `.env`, `app/.env.production`, `prod.env`", "notify", "approval", "blocked"),
  ]);
  expect(page).toContain('With `"secrets": "off"`, `team` asks (`approval`) before such settings are read.');
});
