import { COMMAND_LIMITS } from "./command-limits.ts";
import { CONSOLE_LIMITS } from "./console-limits.ts";
import { CONTENT_LIMITS } from "./content-limits.ts";
import { DIAGNOSTICS_LIMITS } from "./diagnostics-limits.ts";
import { EDIT_LIMITS } from "./edit-limits.ts";
import { SERVER_LIMITS } from "./server-limits.ts";
import { DAY_MS } from "./time.ts";
import { WATCH_LIMITS } from "./watch-limits.ts";

const KIB = 1024;
const MIB = 1024 * KIB;

/** Every limit that a caller can notice. A constant that only tunes an algorithm stays beside it. */
export const LIMITS = {
  /** Caps a path and a name in it, in bytes; these are the kernel's own limits. */
  pathBytes: 4096,
  nameBytes: 255,
  /** Caps the links followed while one path is resolved; the kernel's own limit. */
  linkHops: 40,
  /** Caps the names still to resolve while links are expanded, and the steps in all; no honest path has as many. */
  pathSegments: 1024,
  pathSteps: 4096,
  /** Caps the retries of a path that changes its meaning during one call; after them it is refused. */
  swapRetries: 8,
  /** Caps the directory handles that a change keeps cached while it is made. */
  cachedDirHandles: 16,
  /** Paths one call may name. */
  pathsPerCall: 100,
  /** Caps how much of a mistyped name a message quotes. */
  quotedNameChars: 64,
  /** Caps the commands that are suggested in place of an unknown one. */
  shownCommands: 3,
  /** Patterns that one call may exclude, and how long a pattern may be. */
  excludePatterns: 100,
  patternChars: 1000,
  /** Caps the patterns that one pattern with braces expands to. */
  globAlternatives: 1000,
  /** Caps the depth and the number of parts that are read of a foreign schema; anything is accepted beyond. */
  schemaDepth: 32,
  schemaParts: 2000,
  /** Caps the nesting of text that comes in blocks. */
  textBlockDepth: 6,
  /** Caps any string argument that is not file content. */
  argumentChars: 16 * KIB,

  /** Sizes a page of text when neither the call nor the session says otherwise. */
  pageLines: 2000,
  pageBytes: 50 * KIB,
  /** Caps a page when the call names a limit but no max_bytes. */
  pageBytesByLimit: 512 * KIB,
  /** Bounds what a page may ever hold. */
  pageBytesLeast: 64,
  pageBytesMost: 8 * MIB,
  /** Caps offsets: no file has more lines or bytes. */
  offsetMost: 1e15,
  /** Sets the share of a declared context window that one page may take, at this many characters per token. */
  pageWindowShare: 0.2,
  charsPerToken: 4,
  /** Sizes the start of a file that decides its encoding and type. */
  sniffBytes: 64 * KIB,
  /** Caps the bytes that are inspected to detect the encoding of a file held in memory, when it is not UTF-8. */
  detectedBytes: 256 * KIB,
  /** Sizes the steps in which pages are read and line ends are searched. */
  stepBytes: 64 * KIB,
  /** Caps the bytes that are read of an ignore file. */
  ignoreFileBytes: 64 * KIB,
  /** Caps the files that are copied through memory: the system's own copy takes three times as many calls. */
  smallCopyBytes: 64 * KIB,
  /** Sizes the reads of a scan; up to `syncBytes` are read without leaving the event loop. */
  scanBytes: MIB,
  syncBytes: 256 * KIB,
  /** Caps the directories that are read synchronously, by their own size: this is some 30,000 entries. */
  syncDirectoryBytes: MIB,
  /** Sizes the LRU cache of line positions, in files. */
  lineIndexFiles: 32,
  /** Caps the text that is converted to and from UTF-8 through UTF-16: faster, but takes twice the memory. */
  transcodedUnits: MIB,
  /** Caps the files whose version is a hash of the content; larger ones are versioned by identity and times. */
  hashedBytes: MIB,
  /** Caps the images and audio that are returned as they are. */
  mediaBytes: 4 * MIB,

  ...EDIT_LIMITS,

  ...COMMAND_LIMITS,
  ...CONSOLE_LIMITS,
  ...CONTENT_LIMITS,
  ...SERVER_LIMITS,

  ...DIAGNOSTICS_LIMITS,

  /** Caps the wait for the lock of another process, and the pause between two attempts. */
  lockWaitMs: 30_000,
  lockPauseMs: 8,
  /** Sets after how long a process that cannot be seen counts as dead, when it holds the lock or prepares a change. */
  lockSilentMs: 10_000,
  pendingSilentMs: 10 * 60_000,
  /** Caps the objects of a remote storage that one change set may touch: each is a request or two. */
  objectsPerSet: 10_000,
  /** Caps the wait for one answer of a remote storage; an object can be as large as a file that can be edited. */
  storeCallMs: 60_000,
  /** Caps the calls of a remote storage that one change set waits for at the same time. */
  storeCallsAtOnce: 16,
  /** Caps how often an object is opened again that somebody wrote before its first byte was read. */
  overtakenReads: 5,
  /** Caps how often, and how long, a call is planned again because its files changed between plan and commit. */
  replans: 200,
  replanMs: 10_000,
  editsPerCall: 1000,
  /** Caps the paths that a pattern in a command matches, for the rules to decide about each. */
  patternMatches: 1000,
  /** Caps the files of one patch. */
  patchFiles: 1000,
  /** Caps the entries that a fingerprint of a tree covers, and the depth of nested open directories. */
  fingerprintedEntries: 20_000,
  openDepth: 500,
  /** Caps the entries that are counted before a tree is deleted. */
  countedEntries: 10_000,
  /** Sets how long deleted files can be restored, in hours. */
  agentTrashHours: 24,
  userTrashHours: 168,
  /** Bounds the history: the bytes of one root, those of a user, and the age, but for the last changes of each root. */
  historyBytes: 2 * 1024 * MIB,
  historyBytesOfUser: 10 * 1024 * MIB,
  historyMs: 30 * DAY_MS,
  historyKept: 50,
  historyEntries: 20,
  historyEntriesMost: 1000,
  /** Sets how often the history is pruned, and after how many new bytes it is pruned at once. */
  historyPollMs: 10 * 60_000,
  historyNewBytes: 256 * MIB,
  /** Sets how far apart two readings of the clock must be for something to expire; two boots count as well. */
  clockReadingsApartMs: 60 * 60_000,
  /** Sets the age at which a timestamp is sure to differ from that of any further change; whole seconds need more. */
  clockTickMs: 100,
  coarseClockTickMs: 2500,
  /** Caps the files of a state directory whose listing is cached; a longer listing is read each time. */
  listedFiles: 64,
  /** Sets after how many opened files and directories it pays to load the kernel calls (`jail/kernel.ts`). */
  kernelLoadAfter: 256,
  /** Caps a journal; a longer one is archived and a new one is started. */
  journalBytes: 256 * KIB,
  /** Sets how long the journal stays open for the next change. */
  journalOpenMs: 50,
  /** Caps the inserted bytes that the history stores of a content, and the head of an append in the journal. */
  deltaBytes: 16 * KIB,
  appendHeadBytes: 4 * KIB,
  /** Caps the contents that are compared line by line to show what a rewrite changes. */
  comparedBytes: MIB,
  /** Caps the files whose last seen version a session remembers. */
  seenFiles: 10_000,
  /** Caps the seen files of a session whose bytes are bases for merges, the versions of each, and the bytes of all sessions. */
  seenBases: 128,
  seenVersions: 4,
  seenBytes: 32 * MIB,
  /** Caps the diff of a change that another program made since a session saw a file. */
  foreignDiffLines: 80,
  foreignDiffBytes: 6 * KIB,
  /** Caps the files that can be edited; all of a file is held in memory. */
  editBytes: 64 * MIB,
  /** Caps the places that one call may edit, and the lines and folded pieces of a file that is matched loosely. */
  editPlaces: 100_000,
  editLines: 2_000_000,
  foldedPieces: 4_000_000,
  /** Caps the lines of one patch, and the bytes of all its files: all are held in memory. */
  patchLines: 250_000,
  patchBytes: 256 * MIB,
  /** Caps the edits that are diffed; with more places, or places further apart, only the replaced text is reported. */
  diffPlaces: 1000,
  /** Caps the lines that are folded for a loose comparison; a longer one is compared as it is. */
  foldedLineChars: 64 * KIB,

  listEntries: 300,
  listEntriesMost: 100_000,
  /** Caps the entries that are listed with sizes and times: a stat of each costs more than all names together. */
  listDetailed: 2000,
  completions: 100,
  treeEntries: 400,
  treeEntriesMost: 1_000_000,
  treeDepth: 64,
  /**
   * Sets how many times more a tree scans than it shows, to rank it: at least so many, a huge directory counts as so
   * many.
   */
  treeScanFactor: 10,
  treeScanLeast: 4000,
  treeScanEach: 500,
  /** Sets the limit from which a tree is not scanned level by level: nearly all of it will be shown anyway. */
  treeNear: 20_000,
  /** Caps the entries, directories and time of a walk before it reports that it stopped early. */
  walkEntries: 5_000_000,
  walkDirectories: 500_000,
  walkMs: 30_000,
  /** Caps the matches and groups in one answer. */
  findMatches: 200,
  findMatchesMost: 1_000_000,
  /** Caps the path characters in one answer, whatever its limit: several copies of it exist before it is sent. */
  findChars: 2 * MIB,
  /** Caps the files that are compared as duplicates, and the bytes read for them in all. */
  duplicateBytes: 64 * MIB,
  duplicateTotalBytes: 2 * 1024 * MIB,
  /** Caps the paths that one group of duplicates names. */
  duplicatePaths: 100,
  /** Caps the names that are compared with a mistyped one. */
  similarNames: 1000,
  /** Caps the directory handles of one walk; further directories are opened by path. */
  walkHandles: 64,

  /** Caps the matches of one answer when the call does not say, when it does, and those that are ranked at all. */
  grepMatches: 200,
  grepMatchesMost: 1_000_000,
  grepRanked: 10_000,
  /** Caps an answer when the call names a limit. */
  grepChars: 2 * MIB,
  /** Caps the characters shown of a line around the match, and the context lines. */
  grepLineChars: 240,
  grepContext: 20,
  /** Caps the files that a count lists, and the values that a count by group distinguishes. */
  grepCounted: 100_000,
  /** Caps the lines that ripgrep prints; of a longer one it reports only the position. */
  ripgrepLineBytes: 4096,
  /** Sizes the batches of matches in one file. */
  grepBatch: 512,
  /** Caps the directories in which a search counts what needs an approval: some 15 ms beside ripgrep. */
  hiddenDirectories: 500,
  /** Caps the lines that are searched whole; a longer one is searched in pieces of this size. */
  searchedLineBytes: 8 * MIB,
  /** Caps the files that can be searched across lines. */
  multilineBytes: 64 * MIB,
  /** Caps how far back the heading of a match is searched. */
  enclosingBytes: 256 * KIB,
  /** Caps the searches that run at the same time; the others queue. */
  searchesAtOnce: 2,
  /** Sets how often a queued search polls for its cancellation. */
  cancelPollMs: 20,
  /** Sets how often we poll whether ripgrep is blocked at a FIFO. */
  blockedPollMs: 500,
  /** Sets below which size a piece of output is followed by a pause, so that the next one is larger. */
  smallPieceBytes: 4 * KIB,
  outputBatchMs: 2,
  /** Caps what is kept of another program's standard error. */
  stderrChars: 4 * KIB,

  /** Sizes the history of the loop guard, and sets at how many repetitions it warns, refuses and suspends. */
  loopHistory: 30,
  loopWarning: 10,
  loopCritical: 20,
  loopBreaker: 30,
  /** Sets how many times a refusal, or a tool that does not exist, counts. */
  loopRefusalWeight: 3,
  /** Caps the calls and answers that are compared as they are; others are compared by hash. */
  loopTextChars: KIB,
  /** Caps the answers that are compared without their times and durations; a longer one is compared as it is. */
  loopPlainChars: MIB,

  /** Sizes the cache of verdicts, in paths. */
  cachedVerdicts: 4096,
  /** Caps the rules of one file. */
  rulesPerFile: 1000,
  /** Caps the examples of one rule, of either kind. */
  ruleExamples: 100,
  /** Caps the characters that the patterns with braces in one rules file expand to. */
  alternativeChars: 256 * KIB,
  /** Caps the tree entries that are judged one by one; a larger tree gets the strictest verdict possible in it. */
  checkedTreeEntries: 200_000,
  /** A new tree of a command up to this size is shown to a person with all its contents, beyond it by its names. */
  shownTree: { files: 50, bytes: 100_000 },
  /** Caps the approvals that one call asks for, one after the other. */
  questionsPerCall: 100,
  /** Caps the lines about changed files in one answer; more are folded by directory. */
  changeLines: 100,
  /** Caps the paths that a refusal names. */
  refusedNames: 5,
  /** Sets how long a call waits for an approval, less than clients wait for a call, and how often it polls. */
  approvalWaitMs: 50_000,
  approvalPollMs: 100,
  /** Caps how long a program is waited for that is asked over a socket, and the line that it answers with. */
  socketAnswerMs: 120_000,
  socketAnswerBytes: 4096,
  /** Sets how often an open question with a link is checked, and caps the connections to its listener. */
  linkPollMs: 5000,
  answerConnections: 16,
  /** Sets how long a question can be answered and the answer be used, and how long it can be inspected afterwards. */
  approvalMs: DAY_MS,
  approvalRetentionMs: 2 * DAY_MS,
  /** Caps the open questions; further ones are refused. */
  approvalsOpen: 100,
  /** Sets the lifetime of an "always" grant. */
  grantMs: 30 * DAY_MS,
  /** Caps what a dialog shows of a question; the command line shows all of it. */
  dialogChars: 4 * KIB,
  /** Sets how often configuration files are checked for new rules while calls come. */
  configPollMs: 1000,
  /** Caps the effects that one notice lists; of more it gives the number. */
  noticeEffects: 10,
  /** Sets how long notices are batched: shorter than a person notices. */
  noticeMs: 20,
  /** Caps the unread notices on standard error; further ones are dropped there. */
  unreadLogBytes: 64 * KIB,
  /** Caps a configuration file: its size, its nesting, and the mistakes that one message lists. */
  configBytes: MIB,
  configDepth: 64,
  configProblems: 10,

  ...WATCH_LIMITS,

  /** Caps the run time of a hook, and the answer of a program. */
  hookMs: 10_000,
  programAnswerChars: MIB,

  /** Caps the time a plugin takes to load, and one of its tools to plan. */
  pluginLoadMs: 5000,
  pluginToolMs: 120_000,
  /** Caps the time a mounted server takes to start, and to answer a call: by default, and as its plugin may set it. */
  mountedStartMs: 20_000,
  mountedCallMs: 60_000,
  mountedCallMsMost: 600_000,
  /** Caps the one wait of a list of tools for mounted servers; tools that come later are announced. */
  lazyToolsMs: 3000,
  /** Caps the tools of one mounted server, their texts and their schemas. */
  mountedTools: 500,
  mountedTextChars: 4 * KIB,
  mountedSchemaChars: 64 * KIB,
  /** Caps what a mounted server may leave unread. */
  unreadBytes: 64 * MIB,

  /** Caps the placeholders, and the files with placeholders, that a session remembers to have reported. */
  reportedPlaceholders: 10_000,
  /** Caps a secret together with its name. */
  secretSpanBytes: 8 * KIB,
  /** Sizes the pieces in which secrets are searched, and the cache of small redacted files. */
  redactedPieceBytes: MIB,
  redactedFiles: 8,
  /** Sets the length from which a value is redacted everywhere: a shorter one may be any word elsewhere. */
  secretChars: 8,
  /** Sets the length from which a truncated value is redacted like the whole. */
  secretPartChars: 16,

  /** Caps one message from a client; larger content belongs into several calls. */
  messageBytes: 16 * MIB,
  /** Caps what is kept of both ends of a message that is too long, to find its id in. */
  messageEdgeBytes: 256,
  /** Caps the nesting of a message: the parser itself takes seconds for a million levels. */
  messageDepth: 512,
  /** Caps the time a client takes to list its roots, and the cached sets of roots. */
  clientRootsMs: 10_000,
  clientRootSets: 16,
  /** Caps the calls of one client that run at the same time; the others queue. */
  parallelCalls: 32,
  /** Caps the calls in flight after the client has closed its end, and its reading: most clients kill after 2 s. */
  closingMs: 1500,
  /** Sets how long we wait for the rest of the output of a program that has exited. */
  exitGraceMs: 300,
  /** Caps one answer in all. */
  answerChars: 32 * MIB,
  /** Sets how often a long operation yields to the event loop, so that a cancellation arrives. */
  sliceMs: 20,
  /** Sets the shortest time between two progress reports. */
  progressMs: 200,
  /** Sets how long work has to take before its progress is drawn on a terminal. */
  progressShownAfterMs: 500,
  /** Caps the alerts in a period, and the time that one way to deliver them may take. */
  alertsMost: 10,
  alertsMs: 60_000,
  alertWaitMs: 5000,
  /** Caps the time that an HTTP POST may take. */
  postMs: 5000,
  /** Caps the sessions of one client of the RPC face. */
  rpcSessions: 64,
  /** Caps the requests in one batch. */
  rpcBatch: 1000,
  /** Caps an audit record; a longer one is kept without its arguments. */
  auditChars: 16 * KIB,
  /** Caps the message of an alert and its details: each is a line that people read, and fits into a record. */
  alertChars: 2 * KIB,
  /** Sets how long audit records are batched before they are written. */
  auditFlushMs: 50,
  /** Caps the audit records that are queued while they cannot be written. */
  auditQueue: 1000,
} as const;
