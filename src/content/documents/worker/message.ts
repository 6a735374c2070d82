import type { FaultAnswer } from "../../../base/errors.ts";
import type { DocumentKind, DocumentPage, DocumentRequest } from "../document.ts";

/** Asks the worker for a part of a document. */
export interface WorkerRequest {
  readonly kind: DocumentKind;
  /** Is absent if the worker has this document open. */
  readonly bytes?: Uint8Array;
  readonly request: DocumentRequest;
}

export type WorkerAnswer = { readonly page: DocumentPage } | { readonly fault: FaultAnswer };
