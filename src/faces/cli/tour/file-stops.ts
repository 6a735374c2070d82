import { join } from "node:path";
import type { Client } from "@modelcontextprotocol/client";
import { ask, type DemoAnswer, fileHasText, showsText, stopOf, type TourStop } from "./stop.ts";
import { EDITS, HUGE_LINES, PLAN, SERVERS } from "./workspace.ts";

export const READ_STOPS: readonly TourStop[] = [
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

const isRefused: TourStop["holds"] = ({ isError, text }) => isError && !text.includes("the secret");

export const escapeStops = (workspace: string): readonly TourStop[] =>
  ["../secret.txt", `${workspace}/../secret.txt`, "innocent.txt", "src/up/secret.txt", "/proc/self/environ"].map(
    (path) => stopOf({ says: path.replace(workspace, "<workspace>"), tool: "read", input: { path }, holds: isRefused }),
  );

export function changeStops(workspace: string): readonly TourStop[] {
  const leavesText = fileHasText(workspace);
  return [
    {
      says: `${EDITS} edits of one file at the same moment`,
      how: `edit, ${EDITS / SERVERS} times through each of ${SERVERS} servers`,
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
  return { isError: landed < EDITS, text: `${landed} of ${EDITS} edits landed`, data: {} };
}

/** Shows the tools of the reference server, whose changes can be undone as well. */
export function dropInStops(workspace: string): readonly TourStop[] {
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
  const { data } = await ask(client, "history", { limit: 1 });
  const { changes: [last] = [] } = data as { readonly changes?: readonly { readonly change_id: string }[] };
  return ask(client, "undo", { change_id: last?.change_id });
}
