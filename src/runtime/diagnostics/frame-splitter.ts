import { LIMITS } from "../../base/limits.ts";

/** Receives each whole message, and the reason why no further one can be found. */
export interface FrameHandlers {
  message(text: string): void;
  broken(reason: string): void;
}

/** Splits a stream of bytes into messages, each after a header that says its length. Holds at most one message. */
export function createFrameSplitter({ message, broken }: FrameHandlers): (chunk: Buffer) => void {
  let header: Buffer = EMPTY;
  let body: Buffer[] = [];
  let missing = 0;
  let isBroken = false;
  const fail = (reason: string): void => {
    isBroken = true;
    header = EMPTY;
    broken(reason);
  };
  const takeBody = (bytes: Buffer): Buffer => {
    const part = bytes.subarray(0, missing);
    body.push(part);
    missing -= part.length;
    if (missing === 0) {
      const text = Buffer.concat(body).toString("utf8");
      body = [];
      message(text);
    }
    return bytes.subarray(part.length);
  };
  const takeHeader = (bytes: Buffer): Buffer => {
    header = Buffer.concat([header, bytes]);
    const end = header.indexOf(HEADER_END);
    if (end < 0) {
      if (header.length > LIMITS.messageHeaderBytes) fail("it sends no header of a message");
      return EMPTY;
    }
    const [, length] = CONTENT_LENGTH.exec(header.toString("latin1", 0, end)) ?? [];
    const rest = header.subarray(end + HEADER_END.length);
    header = EMPTY;
    if (length === undefined) fail("it sends a message without a length");
    else if (Number(length) > LIMITS.messageBytes) fail(`it sends a message of ${length} bytes`);
    else missing = Number(length);
    return rest;
  };
  return function split(chunk) {
    for (let rest = chunk; rest.length > 0;) {
      if (isBroken) return;
      rest = missing > 0 ? takeBody(rest) : takeHeader(rest);
    }
  };
}

/** Adds the header to a message. */
export const framed = (message: string): string => `Content-Length: ${Buffer.byteLength(message)}\r\n\r\n${message}`;

const EMPTY = Buffer.alloc(0);
const HEADER_END = "\r\n\r\n";
const CONTENT_LENGTH = /(?:^|\r\n)content-length:[ \t]*(\d{1,10})[ \t]*(?:\r\n|$)/i;
