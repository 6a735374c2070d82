import { expect, it, onTestFinished, vi } from "vitest";
import { policyExplainTool } from "../../src/faces/cli/commands/policy-explain-tool.ts";
import { appOn, scratch } from "../runtime/scratch.ts";

/** Exit code, and what is printed on either channel. */
function explaining(tool: string, json = false): { code: number; out: string; err: string } {
  const toolset = appOn(scratch(), { readOnly: true, toolConfig: { tools: { deny: ["ls"] } } }).session.toolset();
  const said = { out: "", err: "" };
  const spies = [
    vi.spyOn(process.stdout, "write").mockImplementation((text) => Boolean((said.out += String(text)))),
    vi.spyOn(process.stderr, "write").mockImplementation((text) => Boolean((said.err += String(text)))),
  ];
  onTestFinished(() => spies.forEach((spy) => spy.mockRestore()));
  return { code: policyExplainTool(tool, toolset, { json }), ...said };
}

it.each([
  { tool: "read", code: 0, out: "read is shown\n", err: "" },
  { tool: "glob", code: 0, out: "find is shown\n", err: "" },
  {
    tool: "list",
    code: 1,
    out: 'ls is hidden\n  global lists: tools.deny has "ls"; take "ls" out of tools.deny\n',
    err: "",
  },
  {
    tool: "write",
    code: 1,
    out: "write is hidden\n  read-only: nothing can be changed in this session; set readOnly to false\n",
    err: "",
  },
  {
    tool: "wirte",
    code: 2,
    out: "",
    err: 'holdfast: Cannot explain: there is no tool "wirte"; example: holdfast policy explain write\n',
  },
])("policy explain $tool", ({ tool, ...said }) => expect(explaining(tool)).toEqual(said));

it("prints data", () => {
  const { code, out } = explaining("ls", true);
  const removal = { step: "global lists", reason: 'tools.deny has "ls"', key: ["tools", "deny", "0"] };
  const remedy = { kind: "remove", key: ["tools", "deny"], entry: "ls" };
  expect([code, JSON.parse(out)]).toEqual([
    1,
    { tool: "ls", isVisible: false, removals: [{ ...removal, remedy, fix: 'take "ls" out of tools.deny' }] },
  ]);
});
