import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { beforeAll, expect, it } from "vitest";

/** A program that uses the installed package. Every line below `ts-expect-error` has to be an error. */
const PROGRAM = `
import {
  type AgentTool, answer, createHoldfast, createTools, defineTool, Fault, READ_ONLY, toAnthropicTools,
  toOpenAIResponsesTools, type ToolInput, type ToolOutput,
} from "holdfast";
import * as z from "zod";

const root = process.argv[2] ?? ".";
const lineCount = defineTool({
  name: "hello",
  title: "Hello",
  description: "Says hello",
  annotations: READ_ONLY,
  input: z.strictObject({ name: z.string().default("you") }),
  output: z.object({ said: z.string() }),
  plan: async ({ name }) => answer(\`hello \${name}\`, { said: name }),
});
const holdfast = createHoldfast({ roots: [root], stateDirectory: \`\${root}-state\`, tools: [lineCount] });

const input: ToolInput<"write"> = { path: "a.txt", content: "one\\ntwo\\n" };
const written = await holdfast.call("write", input);
const changeId: string | undefined = written.isError ? undefined : written.data.change_id;
const read = await holdfast.call("read", { path: "a.txt", limit: 1 });
if (read.isError) throw new Fault(read.data.error?.code ?? "io", read.text);
const content: string | undefined = read.data.content;
const listing: ToolOutput<"ls">["entries"][number]["type"] = "file";
const undone = await holdfast.undo({ ...(changeId !== undefined && { changeId }) });
const files: number = undone.isError ? 0 : undone.data.files.length;
const hello = await holdfast.call("hello", {});
const said: unknown = hello.isError ? undefined : hello.data["said"];

export const wrong = [
  // @ts-expect-error
  () => holdfast.call("read", { path: 1 }),
  // @ts-expect-error
  () => holdfast.call("read", { pathh: "a.txt" }),
  // @ts-expect-error
  () => holdfast.call("write", { path: "a.txt" }),
  // @ts-expect-error
  (): number => read.data.content,
  // @ts-expect-error
  () => holdfast.toolsFor("unknown"),
  // @ts-expect-error
  () => createHoldfast({ roots: "." }),
];

const tools: readonly AgentTool[] = createTools({ roots: [root], stateDirectory: \`\${root}-state\`, modelProvider: "openai" });
const forAnthropic = toAnthropicTools(holdfast.tools()).map(({ input_schema: schema }) => schema.type);
const { tools: strict } = toOpenAIResponsesTools(holdfast.tools(), { strict: true });
console.log(JSON.stringify({
  content, listing, files, said, tools: tools.length > 10,
  anthropic: forAnthropic.every((type) => type === "object"), strict: strict.every((tool) => tool.strict),
}));
holdfast.close();
`;

/** A program that annotates every value it passes with an exported type. */
const TYPED = `
import {
  type AfterCall, type Approver, type BeforeCallAnswer, type BeforeCall, createHoldfast, definePlugin, type Dialect, dialectTool,
  type HookCommands, type HookedCall, type HookedResult, type Hooks, type Native, type Notice, type NoticeSink, PLUGIN_KIT,
  type Plugin, type PluginKit, type PluginModule, textAnswer, type Verdict, type View, type Act, type Annotations, type Block,
  type FailedCall, type Intent, type LoopDetection, type NativeName, type ProfileName, type DialectAnswer, type ToolPolicyConfig,
} from "holdfast";

const answer: BeforeCallAnswer = { block: "no" };
const beforeCall: BeforeCall = ({ tool }: HookedCall) => (tool === "read" ? answer : undefined);
const afterCall: AfterCall = async ({ code }: HookedResult) => console.log(code);
const hooks: readonly Hooks[] = [{ beforeCall, afterCall }, { beforeCall: async () => {} }];
const hookCommands: HookCommands = { beforeCall: [{ command: ["/opt/check"] }] };
const approver: Approver = async ({ effect }) => ({ decision: effect.recoverable ? "once" : "deny" });
const notice: NoticeSink = ({ done }: Notice) => done.forEach(({ act }) => console.log(act satisfies Act));
const answerFault = (fault: Error, call: FailedCall, native: Native): DialectAnswer => textAnswer(fault.message + call.tool + native.roots);
const dialect: Dialect = { name: "x", tools: [], answerFault };
const made = definePlugin(({ defineTool, answer: says, READ_ONLY, readWholeText, z }) => ({
  id: "made",
  tools: [
    defineTool({
      name: "count",
      title: "Count",
      description: "Counts",
      annotations: READ_ONLY satisfies Annotations,
      input: z.strictObject({ path: z.string() }),
      output: z.object({ chars: z.int() }),
      async plan({ path }, view): Promise<Intent> {
        const length: number = await lengthOf(view, path.toUpperCase());
        return says(String(length), { chars: length });
      },
    }),
  ],
}));
const lengthOf = async (view: View, path: string): Promise<number> => (await PLUGIN_KIT.readWholeText(view, path)).length;
const late: PluginModule = async (kit: PluginKit): Promise<Plugin> => ({ id: "late", tools: kit.z ? [] : [] });
const blocks: readonly Block[] = textAnswer("x").blocks;
export const names: readonly (Verdict | NativeName | ProfileName)[] = ["blocked", "read", "full"];
export const lists: ToolPolicyConfig & { loops?: LoopDetection } = { tools: { deny: ["write"] } };
export const opened = async () =>
  createHoldfast({ roots: ["."], hooks, hookCommands, approver, onNotice: notice, dialect, plugins: [made, await late(PLUGIN_KIT)] });
export { blocks, dialectTool };

export const wrong = [
  // @ts-expect-error
  (): BeforeCall => () => ({ blok: "no" }),
  // @ts-expect-error
  (): BeforeCall => () => true,
  // @ts-expect-error
  () => definePlugin(() => ({ tools: [] })),
  // @ts-expect-error
  () => definePlugin(({ defineTol }) => ({ id: "x" })),
  // @ts-expect-error
  () => createHoldfast({ roots: ["."], plugins: [async () => ({ id: "x" })] }),
];
`;

let project = "";

beforeAll(() => {
  project = mkdtempSync(join(tmpdir(), "consumer-"));
  installInto(project);
  return () => rmSync(project, { recursive: true, force: true });
});

/** The package as it would be published; what it depends on is lent from here, so that no network is needed. */
function installInto(folder: string): void {
  const [{ files }] = JSON.parse(
    execFileSync("npm", ["pack", "--json", "--ignore-scripts", "--dry-run"], {
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
    }),
  );
  for (const { path } of files) cpSync(path, join(folder, "node_modules/holdfast", path));
  const { dependencies } = JSON.parse(readFileSync(join(folder, "node_modules/holdfast/package.json"), "utf8"));
  for (const name of [...Object.keys(dependencies), "@types/node", "undici-types"]) {
    mkdirSync(dirname(join(folder, "node_modules", name)), { recursive: true });
    symlinkSync(resolve("node_modules", name), join(folder, "node_modules", name));
  }
  writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
}

const compile = (options: object, files: readonly string[]): string => {
  const compilerOptions = { ...STRICT, ...options };
  writeFileSync(join(project, "tsconfig.json"), JSON.stringify({ compilerOptions, files }));
  return spawnSync(resolve("node_modules/.bin/tsc"), ["-p", "."], { cwd: project, encoding: "utf8" }).stdout;
};

const STRICT = {
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  skipLibCheck: false,
  module: "nodenext",
  target: "es2023",
  types: ["node"],
};

it("compiles in an empty project under strict, libraries included, and runs", () => {
  writeFileSync(join(project, "program.ts"), PROGRAM);
  expect(compile({ outDir: "out" }, ["program.ts"])).toBe("");
  const root = join(project, "root");
  mkdirSync(root);
  const printed = execFileSync(process.execPath, ["out/program.js", root], { cwd: project, encoding: "utf8" });
  expect(JSON.parse(printed)).toEqual({
    content: "one\n",
    listing: "file",
    files: 1,
    said: "you",
    tools: true,
    anthropic: true,
    strict: true,
  });
});

it("has a type for each thing that a program hands over", () => {
  writeFileSync(join(project, "typed.ts"), TYPED);
  expect(compile({ noEmit: true }, ["typed.ts"])).toBe("");
});

it("the examples are right in their types as well", () => {
  cpSync("examples", join(project, "examples"), { recursive: true });
  const loops = ["agent-loop", "anthropic-messages", "openai-chat", "openai-responses"];
  const parts = ["approvals", "custom-tool", "dialect", "hook-program", "hooks", "notices", "plugin", "plugin-module"];
  const files = [...loops, ...parts].map((name) => `examples/${name}.mjs`);
  expect(compile({ allowJs: true, checkJs: true, noEmit: true }, files)).toBe("");
});
