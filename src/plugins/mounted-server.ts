import * as z from "zod";
import { Fault } from "../base/errors.ts";
import { withSortedKeys, mapStrings } from "../base/json.ts";
import { LIMITS } from "../base/limits.ts";
import type { ProgramExit, StartChildProgram } from "../base/program.ts";
import type { JsonSchema } from "../schema/listed-schema.ts";
import { visible } from "../text/quote.ts";
import { withImagesThatFit } from "../tools/result-images.ts";
import { type Answer, type Block, defineTool, outward, OUTWARD, type Tool } from "../tools/tool.ts";
import { type McpClient, openClient } from "./mcp-client.ts";
import type { ServerProgram } from "./plugin.ts";

/** Controls a server of a plugin. It starts at the first use, and again at the next use after it has ended. */
export interface MountedServer {
  /** Asks the server for its tools. Throws when it cannot be asked. */
  tools(): Promise<readonly Tool[]>;
  end(): void;
}

export interface MountOptions {
  readonly name: string;
  readonly plugin: string;
  readonly program: ServerProgram;
  readonly start: StartChildProgram;
  readonly warn: (message: string) => void;
}

export function mount(mounting: MountOptions): MountedServer {
  let opening: Promise<McpClient> | undefined;
  let isOver = false;
  const ended = ({ code, stderr }: ProgramExit): void => {
    opening = undefined;
    if (!isOver) mounting.warn(`The server "${mounting.name}" ended: ${errorLineOf(stderr) ?? `code ${code}`}`);
  };
  const opened = (): Promise<McpClient> => (opening ??= openServer(mounting, ended));
  return {
    tools: async () => toolsOf(await listTools(await opened()), mounting, opened),
    end() {
      isOver = true;
      void opening?.then(({ end }) => end()).catch(() => {});
    },
  };
}

/** Returns the most telling line of standard error: the error of a stack trace, else the last line. */
function errorLineOf(stderr: string): string | undefined {
  const lines = stderr.split(/\r?\n/).filter((line) => line.trim() !== "");
  return lines.find((line) => /^\w*(?:Error|Exception)\b/.test(line)) ?? lines.at(-1);
}

const openServer = ({ name, program, start }: MountOptions, ended: (ending: ProgramExit) => void): Promise<McpClient> =>
  openClient(name, (onLine) => {
    const { command: file, args: words = [], env = {}, directory = "/" } = program;
    const child = start({ file, args: words, env, directory }, onLine);
    void child.exited.then(ended);
    return child;
  });

const page = z.looseObject({
  tools: z.array(
    z.looseObject({
      name: z.string().regex(/^[\w.-]+$/),
      title: z.string().optional(),
      description: z.string().optional(),
      inputSchema: z.looseObject({ type: z.literal("object") }),
    }),
  ),
  nextCursor: z.string().optional(),
});

type RemoteTool = z.output<typeof page>["tools"][number];

/** Lists all pages of tools. Stops at an empty page, after a time limit, and at a maximum number of tools. */
async function listTools(client: McpClient): Promise<readonly RemoteTool[]> {
  const found: RemoteTool[] = [];
  const untilMs = Date.now() + LIMITS.mountedStartMs;
  let cursor: string | undefined;
  do {
    const response = await client.request("tools/list", cursor === undefined ? {} : { cursor }, {
      ms: LIMITS.mountedStartMs,
    });
    const { data } = page.safeParse(response);
    if (!data) throw new Fault("io", "it does not tell its tools as MCP has it");
    found.push(...data.tools);
    cursor = data.tools.length > 0 && Date.now() < untilMs ? data.nextCursor : undefined;
  } while (cursor !== undefined && found.length < LIMITS.mountedTools);
  return found.slice(0, LIMITS.mountedTools);
}

/** Warns of tools whose name or schema cannot be shown to a model, and keeps the others. */
function toolsOf(
  listed: readonly RemoteTool[],
  mounting: MountOptions,
  opened: () => Promise<McpClient>,
): readonly Tool[] {
  return listed.flatMap((foreign) => {
    const problem = problemOf(foreign, mounting.name);
    if (problem === undefined) return toolOf(foreign, mounting, opened);
    mounting.warn(
      `Skipped the tool "${foreign.name.slice(0, LIMITS.quotedNameChars)}" of the server "${mounting.name}": ${problem}`,
    );
    return [];
  });
}

function problemOf({ name, inputSchema }: RemoteTool, server: string): string | undefined {
  if (toolNameOf(server, name).length > 64) return "its name is too long";
  if (JSON.stringify(inputSchema).length > LIMITS.mountedSchemaChars) return "its schema is too large";
  return listable.safeParse(inputSchema).success ? undefined : "its schema is not as MCP has it";
}

/** Matches schemas that clients accept: they refuse the whole list for a single one that does not match. */
const listable = z.looseObject({
  properties: z.record(z.string(), z.looseObject({})).optional(),
  required: z.array(z.string()).optional(),
});

/** Joins server and tool with two underscores. Replaces dots, which most models do not accept in names. */
const toolNameOf = (server: string, tool: string): string => `${server}__${tool.replaceAll(".", "_")}`;

/** Wraps a remote tool. Since nobody knows what it does, it counts as `exec` and as `network`. */
function toolOf(foreign: RemoteTool, mounting: MountOptions, opened: () => Promise<McpClient>): Tool {
  const { name: server, plugin, program } = mounting;
  const { name, title = name, description = title, inputSchema } = foreign;
  const { timeoutMs: ms = LIMITS.mountedCallMs, optional = false } = program;
  return defineTool({
    name: toolNameOf(server, name),
    title: visibleText(title),
    description: visibleText(description),
    // Annotations of the server are not trusted.
    annotations: OUTWARD,
    input: z.looseObject({}),
    output: z.looseObject({}),
    inputSchema: mapStrings(inputSchema, visible, VERBATIM_KEYS) as JsonSchema,
    plugin,
    optional,
    plan: async (args, _view, facts) =>
      outward({
        acts: ["exec", "network"],
        target: `${name} of the server ${server}`,
        // An approval is for this text: the same arguments in another order must not need another one.
        sends: JSON.stringify(withSortedKeys(args), null, 2),
        run: async (signal) => {
          const response = await (await opened()).request("tools/call", { name, arguments: args }, { ms, signal });
          const { blocks, data } = answerIn(server, response);
          return { blocks: await withImagesThatFit(blocks, toolNameOf(server, name), facts.images()), data };
        },
      }),
  });
}

/** Lists keys whose values a model has to repeat exactly. */
const VERBATIM_KEYS: ReadonlySet<string> = new Set([
  "enum",
  "const",
  "default",
  "examples",
  "pattern",
  "required",
  "$ref",
]);

const visibleText = (text: string): string => visible(text.slice(0, LIMITS.mountedTextChars));

const media = { data: z.string(), mimeType: z.string() };
const content = z.union([
  z.looseObject({ type: z.literal("text"), text: z.string() }),
  z.looseObject({ type: z.enum(["image", "audio"]), ...media }),
  z.looseObject({ type: z.literal("resource_link"), uri: z.string() }),
  z.looseObject({
    type: z.literal("resource"),
    resource: z.looseObject({
      uri: z.string(),
      text: z.string().optional(),
      blob: z.string().optional(),
      mimeType: z.string().default("application/octet-stream"),
    }),
  }),
]);
/** A server that asks for input, which was not offered, does not match. */
const result = z.looseObject({
  resultType: z.literal("complete").optional(),
  content: z.array(content).default([]),
  structuredContent: z.record(z.string(), z.unknown()).optional(),
  isError: z.boolean().default(false),
});

function answerIn(server: string, response: unknown): Omit<Answer, "kind"> {
  const { data } = result.safeParse(response);
  if (!data) throw new Fault("tool_error", `Cannot understand the server "${server}": its answer is not as MCP has it`);
  const blocks = data.content.map(blockOf);
  if (data.isError)
    throw new Fault(
      "tool_error",
      textIn(blocks).slice(0, LIMITS.mountedTextChars) || `The server "${server}" failed and does not say why`,
    );
  return { blocks, data: data.structuredContent ?? { text: textIn(blocks) } };
}

function blockOf(part: z.output<typeof content>): Block {
  switch (part.type) {
    case "text":
      return { kind: "text", text: part.text };
    case "resource_link":
      return { kind: "text", text: part.uri };
    case "resource": {
      const { uri, text, blob = "", mimeType: mime } = part.resource;
      return text === undefined ? { kind: "resource", data: blob, mime, uri } : { kind: "text", text };
    }
    case "image":
    case "audio":
      return { kind: part.type, data: part.data, mime: part.mimeType };
  }
}

const textIn = (blocks: readonly Block[]): string =>
  blocks.flatMap((block) => (block.kind === "text" ? block.text : [])).join("\n");
