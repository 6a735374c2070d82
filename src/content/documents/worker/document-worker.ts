import { faultOf } from "../../../base/errors.ts";
import { LIMITS } from "../../../base/limits.ts";
import { createSemaphore } from "../../../base/semaphore.ts";
import type { Checkpoint } from "../../../base/time-slicing.ts";
import type { DocumentKind, DocumentPage, DocumentRequest } from "../document.ts";
import { startThread, type DocumentThread } from "./document-thread.ts";

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
export async function readInWorker(source: DocumentSource, request: DocumentRequest): Promise<DocumentPage> {
  const release = await turns.acquire(source.checkpoint);
  clearTimeout(idleTimer);
  try {
    return await readNext(source, request);
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
  if (!known && isWornOut()) endThread();
  const now = (current ??= { thread: startThread(), openKey: undefined, documents: 0, bytes: 0 });
  if (content) {
    now.documents++;
    now.bytes += content.length;
  }
  now.openKey = undefined;
  const answer = await now.thread.ask({ kind, request, ...(content && { bytes: content }) }, checkpoint);
  if ("fault" in answer) throw faultOf(answer.fault);
  now.openKey = name;
  return answer.page;
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
