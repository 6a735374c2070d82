import type { BigIntStats } from "node:fs";
import { userInfo } from "node:os";
import { Fault } from "../../base/errors.ts";
import type { Facts, Kind, SafePath } from "../storage.ts";
import { kindOfStats } from "./jail/jail.ts";

/** Converts the stats of an object to facts. */
export function factsOf(stats: BigIntStats, path: SafePath): Facts {
  return {
    path,
    kind: kindOfStats(stats),
    size: Number(stats.size),
    modifiedMs: Number(stats.mtimeNs / 1_000_000n),
    createdMs: Number(stats.birthtimeNs / 1_000_000n),
    accessedMs: Number(stats.atimeNs / 1_000_000n),
    mode: Number(stats.mode & 0o7777n),
    links: Number(stats.nlink),
    owner: ownerOf(Number(stats.uid)),
    identity: `${stats.dev}:${stats.ino}`,
    times: `${stats.mtimeNs}:${stats.ctimeNs}`,
  };
}

/** Returns our own name, else the number: looking up others would need more than Node offers. */
function ownerOf(uid: number): string {
  cachedUser ??= currentUser();
  return uid === cachedUser.uid ? cachedUser.username : String(uid);
}

let cachedUser: { readonly uid: number; readonly username: string } | undefined;

/** Falls back to the number for a user without a passwd entry, as in many containers. */
function currentUser(): { readonly uid: number; readonly username: string } {
  const uid = process.getuid?.() ?? -1;
  try {
    return { uid, username: userInfo().username };
  } catch {
    return { uid, username: String(uid) };
  }
}

/** Returns the facts, or throws the fault that says what is there instead. */
export function requireKind(kind: "file" | "directory", facts: Facts, path: string): Facts {
  if (facts.kind === kind) return facts;
  if (facts.kind === "file" || facts.kind === "directory") {
    const code = kind === "file" ? "not_a_file" : "not_a_directory";
    throw new Fault(code, `Cannot open ${JSON.stringify(path)}: it is a ${facts.kind}`, { path });
  }
  throw new Fault("special_file", `Cannot open ${JSON.stringify(path)}: it is ${SPECIAL[facts.kind]}`, { path });
}

const SPECIAL: Readonly<Record<Exclude<Kind, "file" | "directory">, string>> = {
  symlink: "a link",
  other: "a FIFO, socket or device",
};
