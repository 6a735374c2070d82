import { Fault, isFault } from "../base/errors.ts";
import { LIMITS } from "../base/limits.ts";
import type { Native } from "./native.ts";

/** All of a file as text, however many pages that takes. What is no text is taken for UTF-8, as well as that goes. */
export async function wholeText(native: Native<"read">, path: string): Promise<string> {
  try {
    const text = await joined(native, { path, limit: LIMITS.offsetMost });
    if (text !== undefined) return text;
  } catch (error) {
    if (!isFault(error) || !isNoText(error)) throw error;
  }
  return Buffer.from(await wholeBase64(native, path), "base64").toString("utf8");
}

/** Media too large to be shown are no text either. */
const isNoText = ({ code, details }: Fault): boolean =>
  code === "not_text" || (code === "too_large" && details["mime"] !== undefined);

/** All bytes of a file. */
async function wholeBase64(native: Native<"read">, path: string): Promise<string> {
  // Pages of whole groups of three: their base64 can be put together.
  const limit = LIMITS.pageBytesMost - (LIMITS.pageBytesMost % 3);
  return (await joined(native, { path, encoding: "base64", limit })) ?? "";
}

interface Page {
  readonly path: string;
  readonly encoding?: string;
  readonly limit: number;
}

/** Undefined when the file is shown as an image or as sound. Pages of different states are never put together. */
async function joined(native: Native<"read">, page: Page): Promise<string | undefined> {
  const parts: string[] = [];
  let length = 0;
  let version: string | undefined;
  let cursor: string | undefined;
  do {
    const from = cursor === undefined ? {} : { cursor };
    const answer = await native.ask("read", { ...page, ...from, max_bytes: LIMITS.pageBytesMost });
    if (answer.content === undefined) return undefined;
    version ??= answer.version;
    if (answer.version !== version)
      throw new Fault("stale", `Cannot read ${JSON.stringify(page.path)} whole: it changes meanwhile`);
    parts.push(answer.content);
    length += answer.content.length;
    cursor = answer.cursor;
    if (length > LIMITS.answerChars)
      throw new Fault("too_large", `Cannot read ${JSON.stringify(page.path)} whole: it has ${answer.size} bytes`);
  } while (cursor !== undefined);
  return parts.join("");
}
