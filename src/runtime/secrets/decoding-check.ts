import { Fault } from "../../base/errors.ts";
import { placeholdersInBytes } from "../../text/secrets/placeholder.ts";
import type { Change } from "../../workspace/changes/change.ts";

/** Throws where changes hold placeholders in bytes that a tool decoded from arguments. */
export function requireNoPlaceholders(changes: readonly Change[]): void {
  if (changes.some((change) => placeholdersInBytes(bytesOf(change)).length > 0)) throw placeholderInEncodedContent();
}

/** Decoding would write a placeholder as it is, and split a restored value so that it is not recognised again. */
export const placeholderInEncodedContent = (): Fault =>
  new Fault("invalid_input", "Cannot decode the content: it contains the placeholder of a secret", {
    argument: "content",
    hint: "Write it as text, with the placeholder where the value is meant, or edit the file; nothing was changed",
  });

const bytesOf = (change: Change): string => {
  const bytes = change.kind === "write" ? change.content : change.kind === "append" ? change.bytes : undefined;
  return bytes instanceof Uint8Array ? Buffer.from(bytes).toString("latin1") : "";
};
