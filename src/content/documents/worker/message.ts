import type { FaultAnswer } from "../../../base/errors.ts";
import type { CellEdit, EditedCells } from "../../cells/cell-edit.ts";
import type { DocumentKind, DocumentPage, DocumentRequest } from "../document.ts";

export type WorkerRequest = PageRequest | CellsRequest;

/** Asks the worker for a part of a document. */
export interface PageRequest {
  readonly kind: DocumentKind;
  /** Is absent if the worker has this document open. */
  readonly bytes?: Uint8Array;
  readonly request: DocumentRequest;
}

/** Asks the worker to edit cells of a document. */
export interface CellsRequest {
  readonly kind: DocumentKind | "ole" | undefined;
  readonly bytes: Uint8Array;
  readonly edits: readonly CellEdit[];
}

/** `isBroken` says that a library failed in a way that may make it fail from now on. */
export type WorkerAnswer =
  | { readonly page: DocumentPage }
  | { readonly edited: EditedCells }
  | { readonly fault: FaultAnswer; readonly isBroken?: boolean };
