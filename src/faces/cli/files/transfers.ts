import { hash } from "node:crypto";
import { plural } from "../../../text/plural.ts";
import { quoted } from "../../../text/quote.ts";
import type { ActionContext, ActionResult } from "./action.ts";
import { readLocal, writeLocal } from "./local.ts";

/** Copies a local file to a storage. */
export async function upload(
  { files, storage, settings: { filing } }: ActionContext,
  words: readonly string[],
): Promise<ActionResult> {
  const [localPath = "", remotePath = ""] = words;
  const bytes = await readLocal(localPath);
  await files.write(remotePath, bytes, { ...storage, overwrite: filing.overwrite });
  const url = await files.getUrl(remotePath, storage);
  const data = {
    ...storage,
    localPath,
    remotePath,
    url,
    ...sizeAndChecksum(bytes),
    uploadedAt: new Date().toISOString(),
  };
  return { data, text: `Uploaded ${quoted(localPath)} to ${quoted(remotePath)}: ${plural(bytes.length, "byte")}` };
}

/** Copies a file of a storage to a local file. */
export async function download(
  { files, storage, settings: { filing } }: ActionContext,
  words: readonly string[],
): Promise<ActionResult> {
  const [remotePath = "", localPath = ""] = words;
  const bytes = await files.readBytes(remotePath, storage);
  await writeLocal(localPath, bytes, filing.overwrite);
  const data = { ...storage, remotePath, localPath, ...sizeAndChecksum(bytes), downloadedAt: new Date().toISOString() };
  return { data, text: `Downloaded ${quoted(remotePath)} to ${quoted(localPath)}: ${plural(bytes.length, "byte")}` };
}

const sizeAndChecksum = (bytes: Uint8Array) => ({
  sizeBytes: bytes.length,
  checksum: `sha256:${hash("sha256", bytes, "hex")}`,
});
