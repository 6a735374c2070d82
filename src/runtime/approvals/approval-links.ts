import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import type { ApprovalRequest } from "./approval.ts";

/** Creates the paths of links to questions. They cannot be guessed, and are valid as long as this process runs. */
export interface ApprovalLinks {
  pathTo(request: ApprovalRequest): string;
  /**
   * Returns the question of a path; undefined for a path that we did not make, or whose question is gone or has
   * changed.
   */
  questionAt(path: string, read: (id: string) => ApprovalRequest | undefined): ApprovalRequest | undefined;
}

/** Signs the question with its effect and its expiry, so that no altered link gets more permission or more time. */
export function createApprovalLinks(key: Uint8Array = randomBytes(32)): ApprovalLinks {
  const signatureOf = ({ id, digest, expiresMs }: ApprovalRequest): Buffer =>
    createHmac("sha256", key)
      .update(JSON.stringify([id, digest, expiresMs]))
      .digest();
  return {
    pathTo: (request) => `/approvals/${request.id}/${signatureOf(request).toString("base64url")}`,
    questionAt(path, read) {
      const [, id = "", signature = ""] = PATH.exec(path) ?? [];
      const request = read(id);
      const given = Buffer.from(signature, "base64url");
      return request && given.length === SIGNATURE_BYTES && timingSafeEqual(given, signatureOf(request))
        ? request
        : undefined;
    },
  };
}

const SIGNATURE_BYTES = 32;
const PATH = /^\/approvals\/([0-9a-f]+)\/([\w-]{43})$/;
