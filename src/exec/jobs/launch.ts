import { closeSync } from "node:fs";
import { join } from "node:path";
import { identityOf } from "../../base/process-identity.ts";
import { openTerminal } from "../pty/open-terminal.ts";
import { openScript } from "../pty/script.ts";
import { createFifos } from "../sandbox/fifos.ts";
import type { StartedCommand, Streams } from "../sandbox/sandbox.ts";
import type { StartCommand } from "./job.ts";
import { type JobRecord, writeProcess } from "./job-directory.ts";
import { LOG_FILE, openLog } from "./log.ts";
import { pumpToLog } from "./pump.ts";
import { INPUT_END_FILE, INPUT_FILE, OUTPUT_FILE, supervisorOf } from "./supervisor.ts";

export const DEVICE_FILE = "device";

/** Starts the command of a job with its log, its input and its supervisor, and notes which process it is. */
export async function launch(directory: string, record: JobRecord, start: StartCommand): Promise<StartedCommand> {
  const log = openLog(directory);
  try {
    const command = await (record.screenSize ? launchInTerminal : launchPlain)(directory, record, { log, start });
    return await noted(directory, command);
  } finally {
    closeSync(log);
  }
}

/** Notes which process a command is. One that cannot be found again must not run. */
async function noted(directory: string, command: StartedCommand): Promise<StartedCommand> {
  try {
    if (command.pid !== undefined) writeProcess(directory, identityOf(command.pid));
    return command;
  } catch (error) {
    await command.end(0);
    throw error;
  }
}

interface Launch {
  readonly log: number;
  readonly start: StartCommand;
}

/**
 * Gives the command a pipe instead of the log, which it could empty by opening it anew. A pump of ours copies to the
 * log, that of a detached command is part of its supervisor.
 */
async function launchPlain(directory: string, record: JobRecord, { log, start }: Launch): Promise<StartedCommand> {
  if (record.isDetached) return start(await supervisedStreams(directory, record, log, [OUTPUT_FILE]));
  const command = await start({ input: record.hasInput ? "pipe" : "none", output: { log } });
  if (command.output === undefined) return command;
  try {
    const pump = pumpToLog(command.output, join(directory, LOG_FILE));
    return { ...command, exited: command.exited.finally(pump.drained) };
  } catch (error) {
    // A command that nobody knows of must not go on.
    closeSync(command.output);
    await command.end(0);
    throw error;
  }
}

/** A detached command reads from a FIFO, which its supervisor opens. */
async function supervisedStreams(
  directory: string,
  { hasInput }: JobRecord,
  log: number,
  outputs: readonly string[] = [],
): Promise<Streams> {
  const fifos = [...outputs, ...(hasInput ? [INPUT_FILE, INPUT_END_FILE] : [])];
  if (fifos.length > 0) await createFifos(directory, fifos);
  return { input: "none", output: log, isDetached: true, supervisor: supervisorOf(directory) };
}

async function launchInTerminal(directory: string, record: JobRecord, { log, start }: Launch): Promise<StartedCommand> {
  const { isDetached, screenSize: size = { columns: 80, rows: 24 } } = record;
  const wanted = { size, log, logPath: join(directory, LOG_FILE), deviceFile: join(directory, DEVICE_FILE) };
  // The terminal of a detached command must outlive us as well.
  const terminal = isDetached ? openScript(wanted) : await openTerminal(wanted);
  try {
    if (!isDetached) return terminal.attach(await start(terminal.streams));
    const streams = await supervisedStreams(directory, record, log);
    const supervisor = [...supervisorOf(directory), ...(terminal.streams.supervisor ?? [])] as const;
    return await start({ ...streams, isTerminal: true, supervisor });
  } catch (error) {
    terminal.close();
    throw error;
  }
}
