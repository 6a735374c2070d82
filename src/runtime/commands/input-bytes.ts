import { bytesOfKeys, bytesOfPaste } from "../../exec/pty/keys.ts";
import type { JobInput } from "../../exec/report.ts";

/** Returns the bytes that an input writes to a command; null closes its input. */
export function bytesOfInput(input: JobInput): Uint8Array | null {
  switch (input.kind) {
    case "text":
      return Buffer.from(input.text);
    case "paste":
      return bytesOfPaste(input.text);
    case "hex":
      return Buffer.from(input.text, "hex");
    case "keys":
      return bytesOfKeys(input.keys);
    case "end":
      return null;
  }
}
