import { resolve } from "node:path";
import { ownWords } from "../../../base/own-words.ts";
import { PRODUCT } from "../../../base/product.ts";
import type { CliSettings } from "../flags.ts";
import { serverWordsOf } from "../server-flags.ts";
import { LOG_ONLY } from "./background.ts";

/** Formats a unit of systemd that serves the same directories with the same flags. It starts somewhere else. */
export function unitText({ words, rootsWith, installing, server }: CliSettings): string {
  const roots = rootsWith(words);
  const command = [
    ...ownWords(),
    "up",
    ...(roots.length === 0 ? ["."] : roots).map(absoluteRoot),
    ...installing.serverArgs,
    ...serverWordsOf(server),
  ];
  return [
    "[Unit]",
    `Description=${PRODUCT.title}: files for AI agents`,
    "",
    "[Service]",
    `ExecStart=${command.map(unitWord).join(" ")}`,
    `Environment=${LOG_ONLY}=1`,
    "Restart=on-failure",
    "NoNewPrivileges=true",
    "",
    "[Install]",
    "WantedBy=default.target",
  ].join("\n");
}

/** Returns a directory as it is called from anywhere; a storage is. */
export const absoluteRoot = (root: string): string => (root.includes("://") ? root : resolve(root));

/** Quotes a word as systemd reads it. */
const unitWord = (word: string): string =>
  /^[\w@+=:,./-]+$/.test(word)
    ? word
    : `"${word.replace(/["\\]/g, "\\$&").replaceAll("%", "%%").replaceAll("$", "$$$$")}"`;
