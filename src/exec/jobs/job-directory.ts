import { randomInt } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";
import { errnoOf } from "../../base/errno.ts";
import { Fault } from "../../base/errors.ts";
import { LIMITS } from "../../base/limits.ts";
import { hasProcessExited, OWN_BOOT } from "../../base/process-identity.ts";
import { parseStored } from "../../base/stored-json.ts";
import { exitOfStatus } from "../exit-status.ts";
import type { EndedState, EndReason, JobState } from "./job.ts";
import { LOG_FILE } from "./log.ts";
import { EXIT_FILE, PROCESS_FILE } from "./supervisor.ts";

/** All that is written down about a job when it starts. */
export type JobRecord = z.output<typeof jobRecord>;

const jobRecord = z.object({
  description: z.object({
    command: z.string(),
    directory: z.string(),
    session: z.string(),
    agent: z.string(),
    principal: z.string(),
    roots: z.array(z.string()),
    undo: z.enum(["overlay", "picture", "none"]),
    sandbox: z.enum(["docker", "bubblewrap", "unshare", "container", "none"]).optional(),
    notes: z.record(z.string(), z.string()).optional(),
  }),
  /** The process that started it, and looks after it unless it has exited. */
  server: z.string(),
  startedMs: z.number(),
  isDetached: z.boolean(),
  hasInput: z.boolean(),
  screenSize: z.object({ columns: z.int(), rows: z.int() }).optional(),
  deadlineMs: z.number().optional(),
});

const RECORD_FILE = "job.json";
const REASON_FILE = "reason";
/** Takes the room of what will be written over it, so that a disk that is full by then cannot swallow that. */
const NOTHING_YET = " ".repeat(80);

/** Creates the directory of a new job and returns its id. */
export function createJobDirectory(home: string, record: JobRecord): string {
  try {
    mkdirSync(home, { recursive: true, mode: 0o700 });
    const id = newDirectory(home);
    writeFileSync(join(home, id, RECORD_FILE), JSON.stringify(record), { mode: 0o600 });
    for (const name of [PROCESS_FILE, EXIT_FILE]) writeFileSync(join(home, id, name), NOTHING_YET, { mode: 0o600 });
    return id;
  } catch (error) {
    throw startFault(error);
  }
}

/** Says why a job could not be started, in words that name the disk where that is full. */
export function startFault(error: unknown): unknown {
  const errno = errnoOf(error);
  if (errno !== "ENOSPC" && errno !== "EDQUOT") return error;
  return new Fault("disk_full", "Cannot start the command: the disk that keeps its output is full", {}, error);
}

function newDirectory(home: string): string {
  for (;;) {
    const id = Array.from({ length: ID_LETTERS }, () => LETTERS[randomInt(LETTERS.length)]).join("");
    try {
      mkdirSync(join(home, id), { mode: 0o700 });
      return id;
    } catch (error) {
      if (errnoOf(error) !== "EEXIST") throw error;
    }
  }
}

const ID_LETTERS = 6;
/** Leaves out letters that look alike, and vowels, which make words. */
const LETTERS = "bcdfghjkmnpqrstvwxz";
const ID = /^[a-z]{6}$/;

/** Lists the ids of all jobs, also of those whose directory is damaged. */
export function jobIds(home: string): readonly string[] {
  return ifExists(() => readdirSync(home))?.filter((name) => ID.test(name)) ?? [];
}

/** Returns undefined for a job that does not exist, or whose record cannot be read. */
export const readRecord = (home: string, id: string): JobRecord | undefined =>
  ID.test(id) ? parseStored(jobRecord, readText(join(home, id, RECORD_FILE))) : undefined;

/** Returns who runs a job: itself, or its supervisor; undefined before that is known. */
export const processOfJob = (directory: string): string | undefined =>
  /^([\w.]+)\n/.exec(readText(join(directory, PROCESS_FILE)) ?? "")?.[1];

export const writeProcess = (directory: string, identity: string): void =>
  writeFileSync(join(directory, PROCESS_FILE), `${identity}\n`, { flag: "r+" });

export const writeStatus = (directory: string, status: number): void =>
  writeFileSync(join(directory, EXIT_FILE), `${status}\n`, { flag: "r+" });

/** Notes why a job is ended, before it is: whoever sees its exit then knows. The first reason counts. */
export function writeReason(directory: string, reason: EndReason): void {
  try {
    writeFileSync(join(directory, REASON_FILE), reason, { mode: 0o600, flag: "wx" });
  } catch (error) {
    if (!["EEXIST", "ENOSPC", "ENOENT"].includes(errnoOf(error) ?? "")) throw error;
  }
}

/** Derives the state of a job from its files and from the processes that run now. */
export function stateIn(directory: string, { server, isDetached }: JobRecord): JobState {
  const exited = exitedState(directory);
  if (exited) return exited;
  const identity = processOfJob(directory);
  const isAlive = (process: string): boolean => !hasProcessExited(process, isSilent(directory));
  // A job of ours that has exited runs until the server that waits for it has noted how.
  const isNoted = isDetached && identity !== undefined;
  if ((identity !== undefined && isAlive(identity)) || (!isNoted && isAlive(server))) return { kind: "running" };
  // It may have written its status between the two looks.
  return exitedState(directory) ?? lostState(directory, identity ?? server);
}

function lostState(directory: string, process: string): EndedState {
  const because = process.startsWith(`${OWN_BOOT}.`) ? "killed" : "rebooted";
  return { kind: "lost", because, endedMs: lastOutputMs(directory), ...reasonIn(directory) };
}

/** Returns whether a job has printed nothing for long. Of one in another container, nothing else can be seen. */
const isSilent = (directory: string): boolean => lastOutputMs(directory) < Date.now() - LIMITS.finishedJobMs;

const lastOutputMs = (directory: string): number =>
  ifExists(() => statSync(join(directory, LOG_FILE)).mtimeMs) ?? Date.now();

function exitedState(directory: string): EndedState | undefined {
  const path = join(directory, EXIT_FILE);
  const [, status] = /^(\d+)\n/.exec(readText(path) ?? "") ?? [];
  if (status === undefined) return undefined;
  const endedMs = ifExists(() => statSync(path).mtimeMs) ?? 0;
  return { kind: "exited", exit: exitOfStatus(Number(status)), endedMs, ...reasonIn(directory) };
}

/** Returns why we ended a job; nothing for one that ended by itself. */
export function reasonIn(directory: string): { readonly reason?: EndReason } {
  const reason = endReason.safeParse(readText(join(directory, REASON_FILE))).data;
  return reason === undefined ? {} : { reason };
}

const endReason = z.enum(["stopped", "timeout", "cancelled", "output", "session"]);

export const removeJobDirectory = (directory: string): void => rmSync(directory, { recursive: true, force: true });

const readText = (path: string): string | null => ifExists(() => readFileSync(path, "utf8")) ?? null;

/** Returns undefined where a file is gone: another process may have removed the job. */
function ifExists<T>(look: () => T): T | undefined {
  try {
    return look();
  } catch (error) {
    if (errnoOf(error) === "ENOENT") return undefined;
    throw error;
  }
}
