import type { Spawn } from "../../../base/program.ts";
import { watchCancellation } from "../../../base/time-slicing.ts";
import type { Query } from "../search.ts";
import type { Searcher, View } from "../../view.ts";
import { textArguments } from "./arguments.ts";
import { createOffsetReader } from "./output.ts";

interface TextRun {
  readonly spawn: Spawn;
  readonly file: string;
  readonly view: View;
  readonly query: Query;
  /** Checks the texts that ripgrep did not reach, if it failed. */
  readonly fallback: Searcher;
}

/** Pipes all texts into one run of ripgrep, and maps the offsets of matching lines to texts. */
export async function* candidateTexts(
  { spawn, file, view, query, fallback }: TextRun,
  texts: readonly Buffer[],
): AsyncGenerator<number> {
  const program = spawn({ file, args: textArguments(query), directory: "/", input: inTurn(texts) });
  const watch = watchCancellation(view.checkpoint, program.kill);
  const offsetsIn = createOffsetReader();
  let [seen, end] = [0, 0];
  try {
    for await (const chunk of program.output) {
      for (const offset of offsetsIn(chunk)) {
        if (offset < end) continue;
        while (offset >= end && seen < texts.length) end += texts[seen++]?.length ?? 0;
        yield seen - 1;
      }
    }
    const { code } = await program.exited;
    await watch.check();
    if (code === FOUND || code === NOTHING_FOUND) return;
    for await (const number of fallback.candidateTexts(view, texts.slice(seen), query)) yield seen + number;
  } finally {
    watch.stop();
    program.kill();
  }
}

const [FOUND, NOTHING_FOUND] = [0, 1];

async function* inTurn(texts: readonly Buffer[]): AsyncGenerator<Buffer> {
  yield* texts;
}
