import type { Server } from "@modelcontextprotocol/server";
import { LIMITS } from "../../base/limits.ts";
import type { Surface } from "../../runtime/pipeline/surface.ts";
import { textOf } from "../../tools/tool.ts";
import { listedPrompts } from "./prompt-list.ts";
import { requestOf } from "./request.ts";
import { type Ask, requireSuccess, throwProtocolError } from "./resources.ts";

/** Serves prompts. Each asks the tools for what a model needs to begin; it changes nothing. */
export function servePrompts(server: Server, surface: Surface): void {
  const { files } = surface;
  if (!files) return;
  server.setRequestHandler("prompts/list", () => ({ prompts: listedPrompts(surface).map(toPrompt) }));
  server.setRequestHandler("prompts/get", async ({ params }, { mcpReq }) => {
    const prompt = listedPrompts(surface).find(({ name }) => name === params.name);
    const write = prompt && WRITERS.get(prompt.name);
    if (!write) return throwProtocolError(`Cannot get the prompt ${JSON.stringify(params.name)}: there is none`);
    const ask: Ask = (tool, input) => files.call(requestOf(tool, input, mcpReq));
    const text = await write(argumentsIn(params.arguments), ask);
    return { description: prompt.description, messages: [{ role: "user", content: { type: "text", text } }] };
  });
}

const toPrompt = ({ arguments: expected, ...prompt }: ReturnType<typeof listedPrompts>[number]) => ({
  ...prompt,
  arguments: expected.map((argument) => ({ ...argument })),
});

type Arguments = Readonly<Record<string, string>>;

/** Drops empty arguments: forms of clients send them for fields that were left out. */
const argumentsIn = (given: Arguments = {}): Arguments =>
  Object.fromEntries(Object.entries(given).filter(([, value]) => value.trim() !== ""));

const WRITERS: ReadonlyMap<string, (given: Arguments, ask: Ask) => Promise<string>> = new Map([
  ["review-changes", reviewText],
  ["undo", undoText],
]);

async function reviewText({ session, path }: Arguments, ask: Ask): Promise<string> {
  const input = { net: true, ...(session !== undefined && { session }), ...(path !== undefined && { path }) };
  const { blocks } = requireSuccess(await ask("history", input));
  return [
    `Review what ${session === undefined ? "this session" : `the session ${session}`} changed.`,
    "Its changes, newest first, and what they sum up to:",
    textOf(blocks),
    "Read the files where the diffs are not enough. Say first whether the changes do what was asked, then list what is " +
      "wrong, missing or left behind, with file and line. Change nothing before I answer; undo takes a change_id.",
  ].join("\n\n");
}

async function undoText({ change, path }: Arguments, ask: Ask): Promise<string> {
  const input = {
    ...(change === "session" ? { session: await ownSession(ask) } : change !== undefined && { change_id: change }),
    ...(path !== undefined && { path }),
  };
  const preview = await ask("undo", { ...input, dry_run: true });
  const what = `${WHAT[change ?? ""] ?? `the change ${change}`}${path === undefined ? "" : `, in ${JSON.stringify(path)}`}`;
  if (!preview.isError)
    return [
      `Take back ${what}. A preview, nothing is changed yet:`,
      textOf(preview.blocks),
      `If nothing in it is a surprise, call undo with ${JSON.stringify(input)}, then say which files are as before.`,
    ].join("\n\n");
  const recent = await ask("history", { session: await ownSession(ask), limit: LIMITS.refusedNames });
  return [
    `I want to take back ${what}. A preview, nothing is changed yet:`,
    textOf(preview.blocks),
    `The last changes of this session:\n${textOf(recent.blocks)}`,
    "Say in a sentence what is in the way and what can be taken back instead. Change nothing before I answer.",
  ].join("\n\n");
}

const WHAT: Readonly<Record<string, string>> = {
  "": "the last change of this session",
  session: "everything that this session changed",
};

const ownSession = async (ask: Ask): Promise<string> =>
  String(requireSuccess(await ask("session", {})).data["session_id"]);
