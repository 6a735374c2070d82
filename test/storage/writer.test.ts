import { lstatSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, it } from "vitest";
import { createLocalStorage } from "../../src/storage/local/local.ts";
import type { Durability } from "../../src/storage/writer.ts";
import { type Changeable, writerSuite } from "../../src/testing/writer.ts";
import { backupTreeSuite } from "../../src/testing/writer-backups.ts";
import { layout } from "../layout.ts";

const KINDS: readonly { containment: "handle" | "best-effort"; durability: Durability }[] = [
  { containment: "handle", durability: "process" },
  { containment: "handle", durability: "power" },
  { containment: "best-effort", durability: "process" },
];

for (const { containment, durability } of KINDS) {
  const make = (tree: readonly string[]): Changeable => {
    const root = layout(tree);
    const stateDirectory = join(dirname(root), "state");
    const storage = createLocalStorage([root], { containment, writerOptions: { stateDirectory, durability } });
    return { storage, outside: () => outsideOf(root) };
  };
  writerSuite({ describe, it }, `${containment}, ${durability}`, make);
  backupTreeSuite({ describe, it }, `${containment}, ${durability}`, make);
}

/** Captures everything about the secret beside the root, and the names there. */
function outsideOf(root: string): unknown {
  const outside = join(dirname(root), "outside");
  const { mode, mtimeMs, ino, nlink } = lstatSync(join(outside, "secret"));
  const { mode: ownMode } = lstatSync(outside);
  const names = readdirSync(dirname(root)).filter((name) => name !== "state");
  return {
    names,
    outside: readdirSync(outside),
    mode,
    ownMode,
    mtimeMs,
    ino,
    nlink,
    text: readFileSync(join(outside, "secret"), "utf8"),
  };
}
