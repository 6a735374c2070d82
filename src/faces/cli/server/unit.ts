import { resolve } from "node:path";
import { PRODUCT } from "../../../base/product.ts";
import type { CliSettings } from "../flags.ts";
import { LOG_ONLY } from "./background.ts";

/** Formats a unit of systemd that serves the same directories with the same flags. */
export function unitText(settings: CliSettings): string {
  const words = process.argv.slice(3).filter((word) => word !== "--unit");
  const command = [
    process.execPath,
    resolve(process.argv[1] ?? ""),
    "up",
    ...words.map((word) => absolute(word, settings)),
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

/** Makes directories absolute: a unit starts somewhere else. */
const absolute = (word: string, { words }: CliSettings): string =>
  words.includes(word) && !word.includes("://") ? resolve(word) : word;

/** Quotes a word as systemd reads it. */
const unitWord = (word: string): string =>
  /^[\w@%+=:,./-]+$/.test(word) && !word.includes("%")
    ? word
    : `"${word.replace(/["\\]/g, "\\$&").replaceAll("%", "%%").replaceAll("$", "$$$$")}"`;
