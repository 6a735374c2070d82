import { copyFileSync } from "node:fs";
import { join } from "node:path";
import { scratch, type Tree } from "../runtime/scratch.ts";
import { openGreeted, toolCall, type Wire } from "./wire.ts";

const corpus = new URL("../content/corpus/", import.meta.url);

/** A workspace with files of the corpus, and the program that serves it. */
export async function served(names: readonly string[], tree: Tree = {}, args: readonly string[] = []) {
  const root = scratch(tree);
  for (const name of names) copyFileSync(new URL(name, corpus), join(root, name));
  const wire = await openGreeted(root, { args });
  let id = 0;
  const call = (tool: string, input: object) => answered(wire, ++id, tool, input);
  return { root, call, end: () => wire.end() };
}

interface Block {
  readonly type: string;
  readonly text?: string;
  readonly mimeType?: string;
  readonly data?: string;
}

async function answered(wire: Wire, id: number, tool: string, input: object) {
  wire.say(toolCall(id, tool, input));
  const { result } = (await wire.answer(id)) as {
    result: { content: readonly Block[]; structuredContent?: Record<string, unknown>; isError?: boolean };
  };
  return {
    text: result.content.map(({ text, mimeType }) => text ?? `<${mimeType}>`).join("\n"),
    images: result.content.flatMap(({ data }) => data ?? []),
    data: result.structuredContent ?? {},
    isError: result.isError === true,
  };
}
