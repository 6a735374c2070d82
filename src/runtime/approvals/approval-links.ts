import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import type { ApprovalRequest } from "./approval.ts";

/** The ways to questions, as ends of links. They cannot be guessed, and end with the process that made them. */
export interface ApprovalLinks {
  pathTo(request: ApprovalRequest): string;
  /** The question that a path leads to; undefined for one that we did not make, or whose question is gone or another now. */
  questionAt(path: string, read: (id: string) => ApprovalRequest | undefined): ApprovalRequest | undefined;
}

/** What is signed is the question with its effect and its end: nobody gets more, or more time, by another spelling. */
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
