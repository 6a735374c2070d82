import { Fault } from "../../base/errors.ts";
import { PLACEHOLDER_START, placeholdersInBytes } from "../../text/secrets/placeholder.ts";
import type { ParsedInput, Tool } from "../../tools/tool.ts";
import type { Change } from "../../workspace/changes/change.ts";

/** Refuses placeholders in content that a tool decodes, both in the encoded arguments and in the decoded bytes. */
export function createDecodingCheck(tool: Tool) {
  let isDecoding = false;
  return {
    /** Returns true where a call names placeholders that may be restored. */
    mayRestore(input: ParsedInput): boolean {
      isDecoding = tool.decodes?.(input) ?? false;
      const isNamed = hasPlaceholder(input);
      if (isNamed && isDecoding) throw placeholderInEncodedContent();
      return isNamed;
    },
    check(changes: readonly Change[]): void {
      if (isDecoding && changes.some((change) => placeholdersInBytes(bytesOf(change)).length > 0))
        throw placeholderInEncodedContent();
    },
  };
}

/** Decoding would write a placeholder as it is, and split a restored value so that it is not recognised again. */
const placeholderInEncodedContent = (): Fault =>
  new Fault("invalid_input", "Cannot decode the content: it contains the placeholder of a secret", {
    argument: "content",
    hint: "Write it as text, with the placeholder where the value is meant, or edit the file; nothing was changed",
  });

const bytesOf = (change: Change): string => {
  const bytes = change.kind === "write" ? change.content : change.kind === "append" ? change.bytes : undefined;
  return bytes instanceof Uint8Array ? Buffer.from(bytes).toString("latin1") : "";
};

/** Lets arguments without placeholders, which most are, skip the restoring. */
function hasPlaceholder(value: unknown): boolean {
  if (typeof value === "string") return value.includes(PLACEHOLDER_START);
  if (typeof value !== "object" || value === null) return false;
  for (const key in value) if (hasPlaceholder(value[key as keyof typeof value])) return true;
  return false;
}
