import { buffer } from "node:stream/consumers";
import { plural } from "../../../text/plural.ts";
import { quoted } from "../../../text/quote.ts";
import { FileError } from "../../sdk/file-error.ts";
import type { FileInfo } from "../../sdk/file-manager.ts";
import type { FileFlags } from "../file-flags.ts";
import { formatTable, localTime, sizeText } from "../terminal.ts";
import type { Action, ActionContext, ActionResult } from "./action.ts";
import { showConfig } from "./config.ts";
import { readLocal } from "./local.ts";
import { testConnection } from "./test-connection.ts";
import { download, upload } from "./transfers.ts";

/** Lists the actions of `holdfast file`. */
export const ACTIONS: Readonly<Record<string, Action>> = {
  read: { takes: ["a path"], flags: ["encoding"], example: "config.json", run: read },
  write: {
    takes: ["a path"],
    flags: ["content", "file", "encoding", "overwrite"],
    example: "config.json --content '{}'",
    run: write,
  },
  list: { takes: ["a directory?"], flags: ["pattern", "recursive"], example: "data --recursive", run: list },
  delete: { takes: ["a path"], flags: [], example: "temp.json", run: remove },
  exists: { takes: ["a path"], flags: [], example: "config.json", run: exists },
  copy: relocateAction("copy", "Copied"),
  move: relocateAction("move", "Moved"),
  upload: {
    takes: ["a local file", "a path"],
    flags: ["overwrite"],
    example: "./export.csv data/export.csv",
    run: upload,
  },
  download: {
    takes: ["a path", "a local file"],
    flags: ["overwrite"],
    example: "data/export.csv ./export.csv",
    run: download,
  },
  "get-url": { takes: ["a path"], flags: [], example: "config.json", run: getUrl },
  "show-config": { takes: [], flags: [], example: "", run: showConfig },
  "test-connection": { takes: [], flags: [], example: "", run: testConnection },
};

async function read(
  { files, storage, settings: { filing, json } }: ActionContext,
  [path = ""]: readonly string[],
): Promise<ActionResult> {
  const { encoding } = filing;
  if (!json && encoding === undefined) return { data: {}, text: await files.readBytes(path, storage) };
  const content = await files.read(path, { ...storage, encoding });
  return { data: { path, content }, text: Buffer.from(content) };
}

async function write(
  { files, storage, settings: { filing } }: ActionContext,
  [path = ""]: readonly string[],
): Promise<ActionResult> {
  const { encoding, overwrite } = filing;
  const data = await files.write(path, await contentOf(filing), { ...storage, encoding, overwrite });
  return { data, text: `Wrote ${quoted(data.fullPath)}: ${plural(data.size, "byte")}` };
}

/** Returns the bytes of `--content`, of `--file` or of standard input. */
async function contentOf({ content, file, encoding }: FileFlags): Promise<string | Uint8Array> {
  if (content !== undefined && file !== undefined)
    throw new FileError("INVALID_ARGUMENT", "Cannot write both --content and --file: give one of them");
  if (content !== undefined) return content;
  if (encoding !== undefined)
    throw new FileError("INVALID_ARGUMENT", "Cannot use --encoding: it applies to --content only");
  return file === undefined ? buffer(process.stdin) : readLocal(file);
}

async function list(
  { files, storage, settings: { filing } }: ActionContext,
  [path]: readonly string[],
): Promise<ActionResult> {
  const { pattern, recursive } = filing;
  const listed = await files.list(path, { ...storage, pattern, recursive });
  return { data: { files: listed }, text: listed.length === 0 ? "[No files]" : formatTable(listed.map(rowOf)) };
}

const rowOf = ({ path, size, modifiedAt }: FileInfo): readonly string[] => [
  size === undefined ? "-" : sizeText(size),
  modifiedAt === undefined ? "-" : localTime(modifiedAt),
  quoted(path),
];

async function remove({ files, storage }: ActionContext, [path = ""]: readonly string[]): Promise<ActionResult> {
  await files.delete(path, storage);
  return { data: { path, deleted: true }, text: `Deleted ${quoted(path)}; holdfast undo brings it back` };
}

/** Returns exit code 3 for a missing file, so that scripts can use it as a condition. */
async function exists({ files, storage }: ActionContext, [path = ""]: readonly string[]): Promise<ActionResult> {
  const found = await files.exists(path, storage);
  return { data: { path, exists: found }, text: String(found), exitCode: found ? 0 : NOT_FOUND };
}

const NOT_FOUND = 3;

function relocateAction(operation: "copy" | "move", verb: string): Action {
  return {
    takes: ["a path", "a destination"],
    flags: ["overwrite"],
    example: "config.json config.backup.json",
    async run({ files, storage, settings: { filing } }, [source = "", destination = ""]) {
      const data = await files[operation](source, destination, { ...storage, overwrite: filing.overwrite });
      return { data, text: `${verb} ${quoted(source)} to ${quoted(destination)}` };
    },
  };
}

async function getUrl({ files, storage }: ActionContext, [path = ""]: readonly string[]): Promise<ActionResult> {
  const url = await files.getUrl(path, storage);
  return { data: { path, url }, text: url };
}
