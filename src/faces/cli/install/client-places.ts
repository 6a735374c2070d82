import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Client } from "./clients.ts";
import type { Directories } from "./directories.ts";

/** Returns the file of a client: the first that exists, or else the first. Undefined if it has none for projects. */
export function fileOf(client: Client, at: Directories, project: string | undefined): string | undefined {
  const files = project === undefined ? client.user(at) : client.project?.map((file) => join(project, file));
  return files?.find((file) => existsSync(file)) ?? files?.[0];
}

/** Returns true if a client is there: its file exists, the directory that it is in, or another sign of it. */
export function isFound(client: Client, at: Directories, project: string | undefined): boolean {
  const file = fileOf(client, at, project);
  if (file === undefined) return false;
  if (existsSync(file)) return true;
  if (project !== undefined) return dirname(file) !== project && existsSync(dirname(file));
  const general = [at.home("."), at.config(".")].map((path) => join(path, "."));
  const signs = [...(client.signs?.(at) ?? []), ...client.user(at).map((path) => dirname(path))];
  return signs.some((sign) => !general.includes(sign) && existsSync(sign));
}
