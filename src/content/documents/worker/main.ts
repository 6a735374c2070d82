// Becomes dist/document-worker.cjs, which runs in a thread of its own: it opens documents, one at a time, and keeps the
// last one open for its next page. It also edits cells.
import { parentPort } from "node:worker_threads";
import { answerOf, isFault } from "../../../base/errors.ts";
import { LIMITS } from "../../../base/limits.ts";
import { editCells } from "../../cells/edit-cells.ts";
import type { DocumentPage, OpenDocument } from "../document.ts";
import { readDocumentPage } from "../document-page.ts";
import { openDocument } from "../open-document.ts";
import { damaged } from "../zip.ts";
import { memoryFault } from "./memory-fault.ts";
import type { PageRequest, WorkerAnswer, WorkerRequest } from "./message.ts";
import { capWasmMemory } from "./wasm-memory.ts";

const wasmMemory = capWasmMemory(LIMITS.documentWasmBytes);
let open: OpenDocument | undefined;

parentPort?.on("message", (message: WorkerRequest) => {
  // oxlint-disable-next-line require-post-message-target-origin -- A port has no origin.
  void answerFor(message).then((answer) => parentPort?.postMessage(answer));
});

async function answerFor(message: WorkerRequest): Promise<WorkerAnswer> {
  try {
    return "edits" in message
      ? { edited: await editCells(message.bytes, message.kind, message.edits) }
      : { page: await pageFor(message) };
  } catch (error) {
    if (isFault(error)) return { fault: answerOf(error) };
    // A parser may fail in any way on a damaged file; its own words are not for the caller. It may be of no use now.
    const fault = wasmMemory.wasReached() ? memoryFault() : damaged(`its ${message.kind} content cannot be parsed`);
    return { fault: answerOf(fault), isBroken: true };
  }
}

async function pageFor({ kind, bytes, request }: PageRequest): Promise<DocumentPage> {
  if (bytes) {
    open?.close?.();
    open = undefined;
    open = await openDocument(bytes, kind);
  }
  if (!open) throw damaged("it could not be opened");
  return readDocumentPage(open, request);
}
