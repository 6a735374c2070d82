import type { Readable, Writable } from "node:stream";
import type { App } from "../../app/app.ts";
import { LIMITS } from "../../base/limits.ts";
import { idAtEdges, RPC, TOO_LONG } from "../json-rpc.ts";
import { createLineSplitter } from "../../base/line-splitter.ts";
import { answerTo, errorResponse, responseLine } from "./frame.ts";
import { createMethods } from "./methods.ts";

/**
 * Serves JSON-RPC 2.0, one request or batch per line, until the input ends and everything is answered. Applies
 * backpressure: reading pauses while too many requests run or the client does not read its answers.
 */
export function serveRpc(app: App, input: Readable, output: Writable): Promise<void> {
  const signal = { aborted: false };
  const handle = createMethods(app, signal);
  let running = 0;
  let isEnded = false;
  return new Promise((resolve) => {
    const resumeOrResolve = (): void => {
      if (isEnded && running === 0) {
        input.destroy();
        resolve();
      } else if (running < LIMITS.parallelCalls && !output.writableNeedDrain) input.resume();
    };
    const write = (text: string | undefined): void => {
      if (text !== undefined && !signal.aborted) output.write(`${text}\n`);
    };
    const handleLine = async (line: string): Promise<void> => {
      if (++running >= LIMITS.parallelCalls) input.pause();
      write(await answerTo(line, handle));
      running--;
      if (output.writableNeedDrain) input.pause();
      resumeOrResolve();
    };
    const splitter = createLineSplitter(LIMITS.messageBytes, {
      line: (line) => void (line.trim() === "" || handleLine(line)),
      tooLong: (start, end) => write(responseLine(idAtEdges(start, end), errorResponse(RPC.request, TOO_LONG))),
    });
    const end = (): void => {
      if (isEnded) return;
      // The last line may lack its line break.
      splitter(Buffer.from("\n"));
      isEnded = true;
      resumeOrResolve();
    };
    input.on("data", splitter);
    for (const event of ["end", "close", "error"]) input.once(event, end);
    output.on("drain", resumeOrResolve);
    output.once("error", () => {
      signal.aborted = true;
      end();
    });
  });
}
