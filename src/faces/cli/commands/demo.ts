import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { PRODUCT } from "../../../base/product.ts";
import { quoted, visible } from "../../../text/quote.ts";
import { print, colored } from "../terminal.ts";

/** Runs `holdfast demo`: drives real servers by the official MCP client, on a temporary directory. */
export async function demo(): Promise<number> {
  const home = mkdtempSync(join(tmpdir(), "holdfast-demo-"));
  const cleanUp = () => rmSync(home, { recursive: true, force: true });
  process.once("SIGINT", () => {
    cleanUp();
    process.exit(130);
  });
  try {
    const workspace = createDemoWorkspace(home);
    const servers = Array.from({ length: SERVERS }, () => connect(workspace, home));
    const clients = await Promise.all(servers);
    const client = await connect(workspace, home, ["--dialect", "mcp-filesystem"]);
    const passed = await runStops(clients, client, workspace);
    await Promise.all([...clients, client].map((each) => each.close()));
    print(`\n${passed ? colored("good", GOOD_END) : colored("bad", "Something did not hold: please report it.")}`);
    return passed ? 0 : 1;
  } finally {
    cleanUp();
  }
}

const GOOD_END = "Done. Everything above really happened.";
const SERVERS = 4;
const EDITS_EACH = 5;
const EDITS = SERVERS * EDITS_EACH;
const HUGE_LINES = 400_000;
const PLAN = Array.from({ length: EDITS }, (_, n) => `task ${n + 1}: open\n`).join("");

/** Creates a workspace with a secret beside it. */
function createDemoWorkspace(home: string): string {
  const workspace = join(home, "workspace");
  mkdirSync(join(workspace, "src"), { recursive: true });
  writeFileSync(join(home, "secret.txt"), "the secret\n");
  writeFileSync(join(home, "config.jsonc"), JSON.stringify(RULES));
  writeFileSync(join(workspace, "notes.txt"), "Buy milk.\nCall Ada.\n");
  writeFileSync(join(workspace, "plan.txt"), PLAN);
  writeFileSync(join(workspace, "src", "main.ts"), 'console.log("hello");\n');
  writeFileSync(join(workspace, "latin-1.txt"), Buffer.from("Gr\u00fc\u00dfe aus K\u00f6ln\r\n", "latin1"));
  writeFileSync(
    join(workspace, "huge.log"),
    Array.from({ length: HUGE_LINES }, (_, n) => `line ${n + 1} of a long log`).join("\n"),
  );
  symlinkSync(join(home, "secret.txt"), join(workspace, "innocent.txt"));
  symlinkSync("../../..", join(workspace, "src", "up"));
  return workspace;
}

/** Replaces the user's rules, which might ask for approvals. */
const RULES = { policy: { rules: [{ act: ["write", "move", "delete"], decide: "autonomous" }] } };

async function connect(workspace: string, home: string, flags: readonly string[] = []): Promise<Client> {
  const client = new Client({ name: `${PRODUCT.name}-demo`, version: PRODUCT.version });
  const command = { command: process.execPath, args: [process.argv[1] as string, ...flags, workspace] };
  await client.connect(
    new StdioClientTransport({
      ...command,
      // Messages of the servers would appear between the steps of the tour.
      stderr: "ignore",
      env: {
        ...(process.env as Record<string, string>),
        HOLDFAST_STATE: join(home, "state"),
        HOLDFAST_CONFIG: join(home, "config.jsonc"),
      },
    }),
  );
  return client;
}

interface DemoAnswer {
  readonly isError: boolean;
  readonly text: string;
}

/** One step of the tour, with the condition that its answer must meet. */
interface TourStop {
  readonly says: string;
  /** The call, printed dimly. */
  readonly how: string;
  readonly act: (clients: readonly Client[]) => Promise<DemoAnswer>;
  readonly holds: (answer: DemoAnswer) => boolean;
  /** The number of lines of the answer to show. */
  readonly lines: number;
}

/** Runs all stops. `other` is a client of a server with the tools of the reference server. */
async function runStops(clients: readonly Client[], other: Client, workspace: string): Promise<boolean> {
  let passed = true;
  for (const [title, served, stops] of [
    ["Looking around", clients, READ_STOPS],
    ["Five ways out, all refused", clients, escapeStops(workspace)],
    ["Changing files, and nothing is lost", clients, changeStops(workspace)],
    [
      "In place of the reference filesystem server: --dialect mcp-filesystem",
      [other, ...clients],
      dropInStops(workspace),
    ],
  ] as const) {
    print(`\n${colored("strong", title)}`);
    for (const stop of stops) passed = (await runStop(served, stop, workspace)) && passed;
  }
  return passed;
}

async function runStop(clients: readonly Client[], stop: TourStop, workspace: string): Promise<boolean> {
  const started = performance.now();
  const answer = await stop.act(clients);
  const time = `${(performance.now() - started).toFixed(1)} ms`;
  const holds = stop.holds(answer);
  const short = (text: string): string => text.replaceAll(workspace, "<workspace>");
  print(
    `${holds ? colored("good", "✓") : colored("bad", "✗")} ${stop.says}  ${colored("dim", `${short(stop.how)}  ${time}`)}`,
  );
  const lines = answer.text.split(/\r?\n/).filter((line) => line !== "" && !DIFF_HEAD.test(line));
  for (const line of holds ? lines.slice(0, stop.lines) : lines) print(`    ${coloredLine(visible(short(line)))}`);
  return holds;
}

const DIFF_HEAD = /^(?:(?:---|\+\+\+|@@|Index:) |={3,}$|```)/;

function coloredLine(line: string): string {
  if (line.startsWith("+")) return colored("good", line);
  return line.startsWith("-") ? colored("bad", line) : colored("place", line);
}

interface ToolStop {
  readonly says: string;
  readonly tool: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly holds: TourStop["holds"];
  readonly lines?: number;
}

const stopOf = ({ says, tool, input, holds, lines = 1 }: ToolStop): TourStop => ({
  says: quoted(says),
  how: `${tool} ${JSON.stringify(input)}`,
  act: ([client]) => ask(client as Client, tool, input),
  holds,
  lines,
});

async function ask(client: Client, tool: string, input: ToolStop["input"]): Promise<DemoAnswer> {
  const { content, isError = false } = await client.callTool({ name: tool, arguments: input });
  return { isError, text: content.map((block) => (block.type === "text" ? block.text : `[${block.type}]`)).join("\n") };
}

const showsText =
  (part: string): TourStop["holds"] =>
  ({ isError, text }) =>
    !isError && text.includes(part);
const isRefused: TourStop["holds"] = ({ isError, text }) => isError && !text.includes("the secret");

const READ_STOPS: readonly TourStop[] = [
  { says: "The tree", tool: "tree", input: {}, holds: showsText("main.ts"), lines: 9 },
  {
    says: "A huge log, from the middle",
    tool: "read",
    input: { path: "huge.log", offset: HUGE_LINES / 2, limit: 2 },
    holds: showsText(`line ${HUGE_LINES / 2} of`),
    lines: 3,
  },
  {
    says: "… and its end",
    tool: "read",
    input: { path: "huge.log", offset: -2 },
    holds: showsText(`line ${HUGE_LINES} of`),
    lines: 2,
  },
].map(stopOf);

const escapeStops = (workspace: string): readonly TourStop[] =>
  ["../secret.txt", `${workspace}/../secret.txt`, "innocent.txt", "src/up/secret.txt", "/proc/self/environ"].map(
    (path) => stopOf({ says: path.replace(workspace, "<workspace>"), tool: "read", input: { path }, holds: isRefused }),
  );

/** Checks the file on disk instead of trusting the answer. */
const fileHasText =
  (workspace: string) =>
  (name: string, text: string, encoding: BufferEncoding = "utf8"): TourStop["holds"] =>
  ({ isError }) =>
    !isError && readFileSync(join(workspace, name)).equals(Buffer.from(text, encoding));

function changeStops(workspace: string): readonly TourStop[] {
  const leavesText = fileHasText(workspace);
  return [
    {
      says: `${EDITS} edits of one file at the same moment`,
      how: `edit, ${EDITS_EACH} times through each of ${SERVERS} servers`,
      act: editTogether,
      holds: leavesText("plan.txt", PLAN.replaceAll("open", "done")),
      lines: 1,
    },
    ...[
      {
        says: "Latin-1 and its line ends stay, byte for byte",
        tool: "edit",
        input: { path: "latin-1.txt", oldText: "K\u00f6ln", newText: "Z\u00fcrich" },
        holds: leavesText("latin-1.txt", "Gr\u00fc\u00dfe aus Z\u00fcrich\r\n", "latin1"),
        lines: 3,
      },
      {
        says: "A directory is deleted",
        tool: "delete",
        input: { path: "src", recursive: true },
        holds: showsText("trash"),
      },
      {
        says: "… and brought back",
        tool: "restore",
        input: { path: "src" },
        holds: leavesText("src/main.ts", 'console.log("hello");\n'),
      },
      {
        says: "A file is overwritten by mistake",
        tool: "write",
        input: { path: "notes.txt", content: "Oops.\n" },
        holds: leavesText("notes.txt", "Oops.\n"),
        lines: 4,
      },
      {
        says: "… and that is undone",
        tool: "undo",
        input: {},
        holds: leavesText("notes.txt", "Buy milk.\nCall Ada.\n"),
      },
    ].map(stopOf),
  ];
}

async function editTogether(clients: readonly Client[]): Promise<DemoAnswer> {
  const edits = Array.from({ length: EDITS }, (_, n) =>
    ask(clients[n % SERVERS] as Client, "edit", {
      path: "plan.txt",
      oldText: `task ${n + 1}: open`,
      newText: `task ${n + 1}: done`,
    }),
  );
  const landed = (await Promise.all(edits)).filter(({ isError }) => !isError).length;
  return { isError: landed < EDITS, text: `${landed} of ${EDITS} edits landed` };
}

/** Shows the tools of the reference server, whose changes can be undone as well. */
function dropInStops(workspace: string): readonly TourStop[] {
  const leavesText = fileHasText(workspace);
  const [path, secret] = [join(workspace, "notes.txt"), join(workspace, "innocent.txt")];
  return [
    {
      says: "Which directories it may use",
      tool: "list_allowed_directories",
      input: {},
      holds: showsText(workspace),
      lines: 2,
    },
    {
      says: "An edit, in the words of that server",
      tool: "edit_file",
      input: { path, edits: [{ oldText: "Ada", newText: "Grace" }] },
      holds: leavesText("notes.txt", "Buy milk.\nCall Grace.\n"),
      lines: 3,
    },
    { says: "A link out of the workspace", tool: "read_text_file", input: { path: secret }, holds: isRefused },
  ]
    .map(stopOf)
    .concat({
      says: "The edit is taken back, which that server cannot",
      how: "undo, through a server that speaks natively",
      act: async ([, native]) => undoLastChange(native as Client),
      holds: leavesText("notes.txt", "Buy milk.\nCall Ada.\n"),
      lines: 1,
    });
}

/** Undoes the last change of any session. */
async function undoLastChange(client: Client): Promise<DemoAnswer> {
  const { structuredContent } = await client.callTool({ name: "history", arguments: { limit: 1 } });
  const { changes: [last] = [] } = structuredContent as {
    readonly changes?: readonly { readonly change_id: string }[];
  };
  return ask(client, "undo", { change_id: last?.change_id });
}
