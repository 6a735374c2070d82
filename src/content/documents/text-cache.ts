import { LIMITS } from "../../base/limits.ts";

/** The text of a document for a search, and the unit of each of its lines. */
export interface DocumentText {
  /** Is in UTF-8, and ends in a line feed. */
  readonly bytes: Buffer;
  /** Lists the first line of each unit, from 1, with a name for it: "page 3". Is empty where lines are the units. */
  readonly units: readonly { readonly line: number; readonly name: string }[];
}

/** An LRU cache of texts, bounded by their size. */
export function createTextCache(mostBytes: number = LIMITS.documentCacheChars) {
  const texts = new Map<string, DocumentText>();
  let bytes = 0;
  const drop = (key: string): void => {
    bytes -= texts.get(key)?.bytes.length ?? 0;
    texts.delete(key);
  };
  return {
    get(key: string): DocumentText | undefined {
      const text = texts.get(key);
      if (text) {
        texts.delete(key);
        texts.set(key, text);
      }
      return text;
    },
    set(key: string, text: DocumentText): void {
      drop(key);
      if (text.bytes.length > mostBytes) return;
      texts.set(key, text);
      bytes += text.bytes.length;
      for (const oldest of texts.keys()) {
        if (bytes <= mostBytes) break;
        drop(oldest);
      }
    },
  };
}
