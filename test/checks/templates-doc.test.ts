import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { TEMPLATE_NAMES } from "../../src/base/verdicts.ts";
import type { RuleEntry } from "../../src/config/rule.ts";
import { GROUPS, PROFILES } from "../../src/runtime/tools/profiles.ts";
import { templateRules } from "../../src/runtime/rules/templates.ts";
import { matchesTool } from "../../src/runtime/tools/names.ts";
import { BUILTIN_TOOLS } from "../../src/tools/index.ts";

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

const toolsIn = (entries: readonly string[]): string => {
  const named = BUILTIN_TOOLS.filter((tool) => entries.some((entry) => matchesTool(entry, tool))).map(
    ({ name }) => name,
  );
  return named.length === BUILTIN_TOOLS.length ? "all" : named.map(code).join(" ") || "none today";
};

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
  expect(page).toContain('With `"secrets": "off"`, `team` asks (`approval`) before it reads the latter.');
});

it("and which tools are in each profile and group today", () => {
  const lines = page.split("\n");
  for (const [name, entries] of Object.entries(PROFILES)) expect(lines).toContain(row(code(name), toolsIn(entries)));
  for (const [name, entries] of GROUPS) expect(lines).toContain(row(code(name), toolsIn(entries)));
});
