import { STORE_NAME } from "../../src/base/product.ts";
import type { OpenDirectory, SafePath, Storage } from "../../src/storage/storage.ts";
import { codeOf } from "./storage.ts";

/** Returns what an act gives, or the code of its fault. */
export const attempt = (act: () => unknown): Promise<unknown> => Promise.resolve().then(act).catch(codeOf);

/** Lists everything below the root: files with their text, links with their target. */
export async function pictureOf(storage: Storage): Promise<readonly string[]> {
  const root = storage.roots[0] as SafePath;
  const lines: string[] = [];
  const draw = async (directory: OpenDirectory): Promise<void> => {
    for (const entry of await directory.entries()) {
      if (entry.name === STORE_NAME) continue;
      const path = `${directory.facts().path}/${entry.name}` as SafePath;
      const way = path.slice(root.length + 1);
      if (entry.kind === "directory") {
        lines.push(`${way}/`);
        await directory.withDirectory(entry, draw);
      } else lines.push(entry.kind === "file" ? `${way} = ${await textOf(storage, path)}` : await leads(way, path));
    }
  };
  const leads = async (way: string, path: SafePath): Promise<string> => {
    const led = await attempt(async () => (await storage.stat(path, "follow"))?.path.slice(root.length + 1));
    return `${way} => ${String(led)}`;
  };
  await storage.withDirectory(root, draw);
  return lines.toSorted();
}

const textOf = (storage: Storage, path: SafePath): Promise<string> =>
  storage.withFile(path, async (file) => {
    const bytes = Buffer.alloc(file.facts.size);
    return bytes.toString("utf8", 0, await file.read(bytes, 0));
  });
