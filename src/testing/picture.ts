import { type Code, isFault } from "../base/errors.ts";
import { STORE_NAME } from "../base/product.ts";
import type { Facts, OpenDirectory, SafePath, Storage } from "../storage/storage.ts";

/** Returns the code of a Fault. Anything else is a bug, and fails the test by itself. */
export function codeOf(error: unknown): Code {
  if (isFault(error)) return error.code;
  throw error;
}

/** Returns what an act gives, or the code of its fault. */
export const attempt = (act: () => unknown): Promise<unknown> => Promise.resolve().then(act).catch(codeOf);

/** Leaves out the access time, which looking may change. */
export const withoutAccess = (facts: Facts): object => ({ ...facts, accessedMs: undefined });

/** Lists everything below the root: files with their text, links with their target. */
export async function pictureOf(storage: Storage): Promise<readonly string[]> {
  const root = storage.roots[0] as SafePath;
  const lines: string[] = [];
  const draw = async (directory: OpenDirectory): Promise<void> => {
    for (const entry of await directory.entries()) {
      if (entry.name === STORE_NAME) continue;
      const path = `${directory.facts().path}/${entry.name}` as SafePath;
      const relativePath = path.slice(root.length + 1);
      if (entry.kind === "directory") {
        lines.push(`${relativePath}/`);
        await directory.withDirectory(entry, draw);
      } else
        lines.push(
          entry.kind === "file" ? `${relativePath} = ${await textOf(storage, path)}` : await leads(relativePath, path),
        );
    }
  };
  const leads = async (relativePath: string, path: SafePath): Promise<string> => {
    const led = await attempt(async () => (await storage.stat(path, "follow"))?.path.slice(root.length + 1));
    return `${relativePath} => ${String(led)}`;
  };
  await storage.withDirectory(root, draw);
  return lines.toSorted();
}

const textOf = (storage: Storage, path: SafePath): Promise<string> =>
  storage.withFile(path, async (file) => {
    const bytes = Buffer.alloc(file.facts.size);
    return bytes.toString("utf8", 0, await file.read(bytes, 0));
  });
