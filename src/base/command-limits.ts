import { DAY_MS } from "./time.ts";

const KIB = 1024;
const MIB = 1024 * KIB;

/** Bounds commands, their jobs, their output and what they change. Is part of LIMITS. */
export const COMMAND_LIMITS = {
  /** Caps the text of a command, and what is written to one at a time. */
  commandChars: 64 * KIB,
  inputChars: 64 * KIB,
  keysPerCall: 1000,
  /** Sets after how long a command goes on in the background, by default and at most. */
  yieldMs: 10_000,
  yieldMsMost: 120_000,
  /** Sets after how long a command is ended, by default and at least. */
  commandTimeoutMs: 1_800_000,
  commandTimeoutMsLeast: 10_000,
  /** Sets how long a poll waits for output or the end of a command, by default and at most. */
  pollMs: 10_000,
  pollMsMost: 55_000,
  /** Caps the scripts that are looked into before they run. */
  scriptBytes: 512 * KIB,
  /** Caps the files of a repository that are read to say how to get back what git throws away. */
  gitFileBytes: 4 * MIB,
  /** Sets how long a call waits for what a command answers to its input. */
  echoMs: 300,
  /** Sizes the terminal of a command. */
  screenSize: { columns: 120, rows: 40 },
  /** Caps the lines of a log in one answer. */
  logLinesMost: 10_000,

  /** Caps the processes and threads of a command in a sandbox, where the operator sets no other limit. */
  commandProcesses: 4096,
  /** Caps the variables that a call may add to the environment of its command. */
  environmentBytes: 64 * KIB,
  /** Caps the time that a helper of the sandbox takes to start. */
  helperStartMs: 10_000,
  /** Caps how long a container engine takes to answer, and a killed command in a container to end. */
  engineMs: 30_000,
  containerGraceMs: 5000,

  /** Caps the jobs of a user that run at the same time, and the finished ones that are kept, by number and age. */
  jobs: 64,
  finishedJobs: 256,
  finishedJobMs: DAY_MS,
  /** Sets how long a job has to end after it was asked to, before it is killed. */
  jobGraceMs: 5000,
  /** Caps the ends of background commands that one answer tells, and how much of a command such a note quotes. */
  jobEndNotes: 10,
  jobEndCommandChars: 120,
  /** Caps the output in an answer, of a job that has ended and of one that runs, and sizes a page of a log in lines. */
  resultChars: 100_000,
  pendingChars: 10_000,
  jobLogLines: 200,
  /** Caps what a log takes on the disk while somebody looks after it: its head and its tail are kept. */
  jobLogBytes: 16 * MIB,
  jobLogHeadBytes: 64 * KIB,
  jobLogTailBytes: 8 * MIB,
  /** Caps a log on a disk that cannot forget the middle of a file; a job that prints more is ended. */
  jobLogBytesMost: 1024 * MIB,
  /** Caps what waits to be read by a job before further input is refused. */
  jobInputBytes: MIB,

  /** Caps the files that one command may change, each new directory counted as one, and what is listed as refused. */
  viewEntries: 50_000,
  viewRefusedListed: 100,
  /** Caps the different names that are kept of a new directory; with more of them, the rules look into it again. */
  viewTreeNames: 50_000,
  /** Caps the bytes that are compared to show what a command changed, and the diffs that its answer holds. */
  viewComparedBytes: 16 * MIB,
  viewDiffBytes: 8 * KIB,
  /** Sets how long the view of a command is kept whose changes were not applied. */
  viewMs: DAY_MS,

  /** Caps the files of a picture when it is taken, and later: a command may create many. */
  pictureEntries: 200_000,
  pictureEntriesLater: 1_000_000,
  /** Caps the copies that a picture keeps, in all, of one file, and by number. */
  pictureBytes: 256 * MIB,
  pictureFileBytes: 8 * MIB,
  pictureFiles: 20_000,
  /** Sets how long a command waits for copies. More are made while it runs. */
  pictureWaitMs: 1000,
  /** Sets how long the picture of a command is kept that nobody has looked at. */
  pictureMs: 7 * DAY_MS,
} as const;
