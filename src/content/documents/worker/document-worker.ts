import { Fault, faultOf } from "../../../base/errors.ts";
import { LIMITS } from "../../../base/limits.ts";
import { createSemaphore } from "../../../base/semaphore.ts";
import type { Checkpoint } from "../../../base/time-slicing.ts";
import type { EditedCells } from "../../cells/cell-edit.ts";
import type { DocumentKind, DocumentPage, DocumentRequest } from "../document.ts";
import { startThread, type DocumentThread } from "./document-thread.ts";
import type { CellsRequest, WorkerAnswer } from "./message.ts";

/** A document to read from, and what the call around it needs. */
export interface DocumentSource {
  readonly kind: DocumentKind;
  /** Identifies this state of the document: the worker keeps the last one open. */
  readonly key: string;
  /** Reads all bytes, into memory of their own: they are given away to the worker. */
  bytes(): Promise<Uint8Array>;
  readonly checkpoint: Checkpoint;
}

/** The thread that reads documents now, with what it has read so far. */
interface Current {
  readonly thread: DocumentThread;
  openKey: string | undefined;
  documents: number;
  bytes: number;
}

const turns = createSemaphore(1);
let current: Current | undefined;
let idleTimer: NodeJS.Timeout | undefined;

/** Reads units of a document in the one worker of this process. Requests wait for each other. */
export const readInWorker = (source: DocumentSource, request: DocumentRequest): Promise<DocumentPage> =>
  inTurn(source.checkpoint, () => readNext(source, request));

/** Edits cells of a document in the worker. The bytes are given away to it. */
export const editInWorker = (message: CellsRequest, checkpoint: Checkpoint): Promise<EditedCells> =>
  inTurn(checkpoint, async () => {
    const answer = await threadFor(message.bytes).thread.ask(message, checkpoint);
    if ("edited" in answer) return answer.edited;
    throw answerFault(answer);
  });

async function inTurn<Result>(checkpoint: Checkpoint, work: () => Promise<Result>): Promise<Result> {
  const release = await turns.acquire(checkpoint);
  clearTimeout(idleTimer);
  try {
    return await work();
  } finally {
    idleTimer = setTimeout(endThread, LIMITS.documentIdleMs).unref();
    release();
  }
}

async function readNext(
  { kind, key, bytes, checkpoint }: DocumentSource,
  request: DocumentRequest,
): Promise<DocumentPage> {
  const name = `${kind} ${key}`;
  const known = current?.thread.isAlive() === true && current.openKey === name;
  const content = known ? undefined : await bytes();
  const now = threadFor(content);
  now.openKey = undefined;
  const answer = await now.thread.ask({ kind, request, ...(content && { bytes: content }) }, checkpoint);
  if (!("page" in answer)) throw answerFault(answer);
  now.openKey = name;
  return answer.page;
}

/** Returns the thread for the next request, and counts the bytes that it is given. */
function threadFor(content: Uint8Array | undefined): Current {
  if (content && isWornOut()) endThread();
  const now = (current ??= { thread: startThread(), openKey: undefined, documents: 0, bytes: 0 });
  if (content) {
    now.documents++;
    now.bytes += content.length;
  }
  return now;
}

/** Returns the fault of an answer. A library that may be of no use now is replaced with its thread. */
function answerFault(answer: WorkerAnswer): Fault {
  if (!("fault" in answer)) return new Fault("io", "Cannot read the document: its reader failed");
  if (answer.isBroken) endThread();
  return faultOf(answer.fault);
}

/** Replaces a thread now and then: memory of WebAssembly never shrinks. */
const isWornOut = (): boolean =>
  current !== undefined &&
  (!current.thread.isAlive() ||
    current.documents >= LIMITS.documentsPerWorker ||
    current.bytes >= LIMITS.documentBytesPerWorker);

function endThread(): void {
  current?.thread.end();
  current = undefined;
}
