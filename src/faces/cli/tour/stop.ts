import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Client } from "@modelcontextprotocol/client";
import { quoted, visible } from "../../../text/quote.ts";
import { colored, print } from "../terminal.ts";

/** The answer of a server. */
export interface DemoAnswer {
  readonly isError: boolean;
  readonly text: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** One step of the tour, with the condition that its answer must meet. */
export interface TourStop {
  readonly says: string;
  /** The call, printed dimly. */
  readonly how: string;
  readonly act: (clients: readonly Client[]) => Promise<DemoAnswer>;
  readonly holds: (answer: DemoAnswer) => boolean;
  /** The number of lines of the answer to show. */
  readonly lines: number;
}

/** Says why stops are left out on this machine. */
export interface NotShown {
  readonly notShown: string;
}

/** Takes one stop and prints it. Returns whether it showed what it says. */
export async function runStop(
  clients: readonly Client[],
  stop: TourStop | NotShown,
  workspace: string,
): Promise<boolean> {
  if ("notShown" in stop) {
    print(`${colored("dim", "–")} ${visible(stop.notShown)}`);
    return true;
  }
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

/** A stop that makes one call. */
interface ToolStop {
  readonly says: string;
  readonly tool: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly holds: TourStop["holds"];
  readonly lines?: number;
}

export const stopOf = ({ says, tool, input, holds, lines = 1 }: ToolStop): TourStop => ({
  says: quoted(says),
  how: `${tool} ${JSON.stringify(input)}`,
  act: ([client]) => ask(client as Client, tool, input),
  holds,
  lines,
});

export async function ask(client: Client, tool: string, input: ToolStop["input"]): Promise<DemoAnswer> {
  const { content, isError = false, structuredContent = {} } = await client.callTool({ name: tool, arguments: input });
  const text = content.map((block) => (block.type === "text" ? block.text : `[${block.type}]`)).join("\n");
  return { isError, text, data: structuredContent as DemoAnswer["data"] };
}

export const showsText =
  (part: string): TourStop["holds"] =>
  ({ isError, text }) =>
    !isError && text.includes(part);

/** Checks the file on disk instead of trusting the answer. */
export const fileHasText =
  (workspace: string) =>
  (name: string, text: string, encoding: BufferEncoding = "utf8"): TourStop["holds"] =>
  ({ isError }) =>
    !isError && readFileSync(join(workspace, name)).equals(Buffer.from(text, encoding));
