import { expect, it } from "vitest";
import { LIMITS } from "../../src/base/limits.ts";
import { loadDialect } from "../../src/dialects/load.ts";
import { textOf } from "../../src/tools/tool.ts";
import { appOn, scratch } from "../runtime/scratch.ts";

const NAMES = Array.from({ length: LIMITS.listDetailed + 50 }, (_, nth) => `file-${String(nth).padStart(4, "0")}`);

// A native page is short, to cost few tokens; none of these documents knows pages.
it.each([
  { dialect: "mcp-filesystem", tool: "list_directory", line: (name: string) => `[FILE] ${name}` },
  { dialect: "mcp-filesystem", tool: "list_directory_with_sizes", line: (name: string) => `[FILE] ${name} ` },
  { dialect: "picoclaw", tool: "list_dir", line: (name: string) => `FILE: ${name}\n` },
  { dialect: "fractary", tool: "fractary_file_list", line: (name: string) => `"name":"${name}","size":1,` },
  {
    dialect: "capabilities",
    tool: "filesystem__list",
    line: (name: string) => `"name":"${name}","type":"file","size":1,`,
  },
])("$dialect: $tool lists every entry of a long directory", async ({ dialect, tool, line }) => {
  const root = scratch(Object.fromEntries(NAMES.map((name) => [name, "x"])));
  const { surface } = appOn(root, { dialect: await loadDialect(dialect) });
  const { blocks, data } = await surface.call({
    tool,
    input: { path: dialect === "fractary" ? "." : root },
    signal: { aborted: false },
  });
  const text = `${textOf(blocks)}\n${JSON.stringify(data)}`;
  expect(NAMES.filter((name) => !text.includes(line(name)))).toEqual([]);
});
