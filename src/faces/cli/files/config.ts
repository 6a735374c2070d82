import { statSync } from "node:fs";
import { resolve } from "node:path";
import { quoted } from "../../../text/quote.ts";
import { formatTable } from "../terminal.ts";
import type { ActionContext, ActionResult } from "./action.ts";

/** Lists the storages. */
export async function showConfig({ options }: ActionContext): Promise<ActionResult> {
  const {
    roots: [basePath = "."],
    sources: named,
    readOnly = false,
  } = options;
  const base = { type: "local", basePath: resolve(basePath) };
  const sources = Object.entries(named).map(([name, directory]) => {
    const path = resolve(directory);
    return { name, type: "local", basePath: path, usable: isDirectory(path) };
  });
  const rows = sources.map(({ name, basePath: path, usable }) => [
    `source ${quoted(name)}`,
    `${quoted(path)}${usable ? "" : " (does not exist)"}`,
  ]);
  return {
    data: { ...base, readOnly, sources },
    text: formatTable([["base", quoted(base.basePath)], ...rows, ["read-only", String(readOnly)]]),
  };
}

const isDirectory = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
