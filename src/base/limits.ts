import { EDIT_LIMITS } from "./edit-limits.ts";
import { DAY_MS } from "./time.ts";

const KIB = 1024;
const MIB = 1024 * KIB;

/** Every number that bounds the product. Nothing else may hold a magic cap. */
export const LIMITS = {
  /** A path and a name in it are at most this long, in bytes; the kernel's own limits. */
  pathBytes: 4096,
  nameBytes: 255,
  /** Links followed while resolving one path; the kernel's own limit. */
  linkHops: 40,
  /** Names still to go while links are expanded, and steps taken in all; no honest path has as many. */
  pathSegments: 1024,
  pathSteps: 4096,
  /** A path whose meaning changes this often during one call is refused. */
  swappedTries: 8,
  /** Directories that a change keeps open at a time while it is made. */
  cachedDirHandles: 16,
  /** Paths one call may name. */
  pathsPerCall: 100,
  /** How much of a mistaken name is said back. */
  shownNameChars: 64,
  /** Commands that are offered in place of one that does not exist. */
  shownCommands: 3,
  /** Patterns that one call may exclude, and how long a pattern may be. */
  excludePatterns: 100,
  patternChars: 1000,
  /** How many patterns one with braces may stand for. */
  globAlternatives: 1000,
  /** A schema from elsewhere is followed this far down, and to this many parts; what is beyond may be anything. */
  schemaDepth: 32,
  schemaParts: 2000,
  /** How deep text may be nested that comes in blocks. */
  textBlockDepth: 6,
  /** Any string argument that is not file content. */
  argumentChars: 16 * KIB,

  /** A page of text, when neither the call nor the session says otherwise. */
  pageLines: 2000,
  pageBytes: 50 * KIB,
  /** The most a page may hold when the call names a limit but no max_bytes. */
  pageBytesByLimit: 512 * KIB,
  /** The least and the most a page may ever hold. */
  pageBytesLeast: 64,
  pageBytesMost: 8 * MIB,
  /** No file has more lines or bytes. */
  offsetMost: 1e15,
  /** What share of a declared context window one page may take, at this many characters a token. */
  pageWindowShare: 0.2,
  charsPerToken: 4,
  /** The start of a file that decides its encoding and type. */
  sniffBytes: 64 * KIB,
  /** What of a file that is held whole is looked at to tell its encoding, where that is not UTF-8. */
  detectedBytes: 256 * KIB,
  /** Pages are gathered, and ends looked for, in steps of this size. */
  stepBytes: 64 * KIB,
  /** What of an ignore file is read. */
  ignoreFileBytes: 64 * KIB,
  /** Files up to this size are copied by way of memory: the system's own copy takes three times as many calls. */
  smallCopyBytes: 64 * KIB,
  /** Scans read this much at a time; up to `syncBytes` is read without leaving the event loop. */
  scanBytes: MIB,
  syncBytes: 256 * KIB,
  /** A directory that itself takes more than this, some 30,000 entries, is read beside the event loop. */
  syncDirectoryBytes: MIB,
  /** Line positions are remembered for this many files. */
  lineIndexFiles: 32,
  /** Text up to this size goes to and from UTF-8 by way of UTF-16, which is faster, and takes twice as much for a moment. */
  transcodedUnits: MIB,
  /** Files up to this size are named by their content, larger ones by identity and times. */
  hashedBytes: MIB,
  /** Images and audio up to this size are shown as they are. */
  mediaBytes: 4 * MIB,

  ...EDIT_LIMITS,

  /** How long a change waits for other processes, at most this long between two tries. */
  lockWaitMs: 30_000,
  lockPauseMs: 8,
  /** A process that cannot be seen counts as gone when it holds the lock, or prepares a change, for so long. */
  lockSilentMs: 10_000,
  pendingSilentMs: 10 * 60_000,
  /** A call whose files changed between its plan and its commit is planned again this often. */
  replans: 200,
  replanMs: 10_000,
  editsPerCall: 1000,
  /** Files that one patch may speak of. */
  patchFiles: 1000,
  /** Entries of a tree that are looked at to see whether it is untouched, and how deep that goes. */
  fingerprintedEntries: 20_000,
  openDepth: 500,
  /** Entries of a tree that are counted before it is deleted. */
  countedEntries: 10_000,
  /** How long what was deleted can be brought back, in hours. */
  agentTrashHours: 24,
  userTrashHours: 168,
  /** What the history keeps, whichever is reached first; how often it is looked at, or after how much more. */
  historyBytes: 2 * 1024 * MIB,
  historyMs: 30 * DAY_MS,
  historyEntries: 20,
  historyEntriesMost: 1000,
  historyLookMs: 10 * 60_000,
  historyNewBytes: 256 * MIB,
  /** Something expires when two looks at the clock so far apart, or in two boots, were past its time. */
  clockLooksApartMs: 60 * 60_000,
  /** Times so old show every further change: what happens now gets others. Of times in whole seconds only older ones do. */
  clockTickMs: 100,
  coarseClockTickMs: 2500,
  /** How many contents that were read a moment ago are known again, and for how long. */
  cachedVersions: 64,
  cachedVersionMs: 50,
  /** What was listed of a directory of ours holds until that changes, if it is this little. */
  listedFiles: 64,
  /** Files that are opened before it pays to ask the kernel in its own words. */
  kernelLoadAfter: 256,
  /** A journal that is longer is filed, and a new one begun. */
  journalBytes: 256 * KIB,
  /** How long it stays open after a change, for the next one. */
  journalOpenMs: 50,
  /** What of a new content the history remembers, to tell it from later ones; what of an append the journal does. */
  deltaBytes: 16 * KIB,
  appendHeadBytes: 4 * KIB,
  /** Contents up to this size are compared line by line to show what a rewrite changes. */
  comparedBytes: MIB,
  /** Files of which a session remembers the version it saw; */
  seenFiles: 10_000,
  /** those of which it holds the bytes as well, to merge with them: how many, how many versions of each, and how much in all. */
  seenBases: 128,
  seenVersions: 4,
  seenBytes: 16 * MIB,
  /** What is shown of a change that another program made since a session saw a file. */
  foreignDiffLines: 80,
  foreignDiffBytes: 6 * KIB,
  /** A file up to this size can be edited; all of it is held in memory. */
  editBytes: 64 * MIB,
  /** Places that one call may edit, and what a file may hold for text to be looked for loosely: lines, pieces that are folded. */
  editPlaces: 100_000,
  editLines: 2_000_000,
  foldedPieces: 4_000_000,
  /** Lines of one patch, and bytes of all files that it speaks of: all are held in memory. */
  patchLines: 250_000,
  patchBytes: 256 * MIB,
  /** An edit of more places, or between places further apart, is told by what was replaced: nothing is compared. */
  diffPlaces: 1000,
  /** A longer line is compared as it is when others are compared by their looks. */
  foldedLineChars: 64 * KIB,

  listEntries: 300,
  listEntriesMost: 100_000,
  /** A longer page of entries comes without sizes and times: a look at each costs more than all names together. */
  listDetailed: 2000,
  completions: 100,
  treeEntries: 400,
  treeEntriesMost: 1_000_000,
  treeDepth: 64,
  /** How much more a tree looks at than it shows, at least so many entries, to know what is heavy; a huge directory counts as so many. */
  treeLook: 10,
  treeLookLeast: 4000,
  treeLookEach: 500,
  /** A tree with room for more is not looked at level by level: nearly all of it will be shown anyway. */
  treeNear: 20_000,
  /** What a walk passes, opens and takes before it says that it stopped early. */
  walkEntries: 5_000_000,
  walkDirectories: 500_000,
  walkMs: 30_000,
  /** Matches and groups in one answer. */
  findMatches: 200,
  findMatchesMost: 1_000_000,
  /** Characters of the paths in one answer, whatever its limit: it is held several times over before it is sent. */
  findChars: 2 * MIB,
  /** Duplicates are looked for among files up to this size, and reading so much in all. */
  duplicateBytes: 64 * MIB,
  duplicateBytesInAll: 2 * 1024 * MIB,
  /** Paths that one group of duplicates names. */
  duplicatePaths: 100,
  /** Names that are compared with a mistyped one. */
  similarNames: 1000,
  /** Directories that one walk holds open; those beyond are opened by their path. */
  walkHandles: 64,
  /** Directories that a walk passes before it has others read beside it, and how long the thread for that waits for more. */
  readAheadAfter: 400,
  readAheadIdleMs: 10_000,
  /** What is read beside a walk at a time, and how many times that is under way: little, or the walk waits for it in the end. */
  readAheadDirectories: 256,
  readAheadEntries: 4096,
  readAheadTargets: 16,
  readAheadJobs: 3,
  /** What the thread for that may hold: little, as what it read goes to the other one at once. */
  readAheadYoungMb: 1,
  readAheadOldMb: 24,

  /** Matches that one answer shows, when the call does not say; and that are put in order of interest at all. */
  grepMatches: 200,
  grepMatchesMost: 1_000_000,
  grepRanked: 10_000,
  /** What an answer may hold when the call names a limit. */
  grepChars: 2 * MIB,
  /** What is shown of a line, around the match; and of the lines around it. */
  grepLineChars: 240,
  grepContext: 20,
  /** Files that a count lists, values that a count by group tells apart. */
  grepCounted: 100_000,
  /** What ripgrep tells of a line; of a longer one it tells only where it is. */
  ripgrepLineBytes: 4096,
  /** Matches in one file that are passed on together. */
  grepBatch: 512,
  /** Where a search counts what needs a yes; it takes some 15 ms, mostly while ripgrep searches. */
  hiddenDirectories: 500,
  /** A longer line is searched in pieces of this size. */
  searchedLineBytes: 8 * MIB,
  /** A larger file cannot be searched across lines. */
  multilineBytes: 64 * MIB,
  /** How far back the heading of a match is looked for. */
  enclosingBytes: 256 * KIB,
  /** Searches that run at the same time; the others wait their turn. */
  searchesAtOnce: 2,
  /** How often a search that waits looks whether anybody still wants it. */
  cancelLookMs: 20,
  /** How often we look whether ripgrep waits at a FIFO. */
  waitingLookMs: 500,
  /** A piece of a program's output below this is followed by a wait, so that the next one is larger. */
  smallPieceBytes: 4 * KIB,
  outputBatchMs: 2,
  /** What another program may say on standard error before nobody listens. */
  stderrChars: 4 * KIB,

  /** Calls that the loop guard remembers; after how many in a circle it warns, refuses, and stops the session. */
  loopHistory: 30,
  loopWarning: 10,
  loopCritical: 20,
  loopBreaker: 30,
  /** Refusals, and tools that do not exist, count so much. */
  loopFaster: 3,
  /** Calls and answers up to this size are remembered as they are, others as a hash. */
  loopTextChars: KIB,
  /** Longer answers are compared with all their times and durations in them. */
  loopPlainChars: MIB,

  /** Places whose verdict is remembered. */
  cachedVerdicts: 4096,
  /** Rules of one file. */
  rulesPerFile: 1000,
  /** Examples of one rule, of either kind. */
  ruleExamples: 100,
  /** What the patterns with braces in the rules of one file may stand for, in characters. */
  alternativeChars: 256 * KIB,
  /** Entries of a tree that are judged one by one; a larger one gets the strictest verdict that might be due in it. */
  checkedTreeEntries: 200_000,
  /** Places that one call comes across and has to ask for, one after the other. */
  questionsPerCall: 100,
  /** Places that a refusal names. */
  refusedNames: 5,
  /** How long a call waits for a yes, less than clients wait for a call; how often it looks whether one has come. */
  approvalWaitMs: 50_000,
  approvalLookMs: 100,
  /** How often a link is looked after, and how many may speak to it at a time. */
  linkLookMs: 5000,
  answerConnections: 16,
  /** How long a question can be answered and the answer be used; how long it can still be looked at afterwards. */
  approvalMs: DAY_MS,
  approvalRetentionMs: 2 * DAY_MS,
  /** Questions that may be open at a time; whoever asks more is refused. */
  approvalsOpen: 100,
  /** How long "always" is. */
  grantMs: 30 * DAY_MS,
  /** What of a question a dialog shows; the command line shows all of it. */
  dialogChars: 4 * KIB,
  /** How often configuration files are looked at while calls come, to take new rules over. */
  configLookMs: 1000,
  /** What one notice says was done; of more it gives the number. */
  noticeEffects: 10,
  /** An answer up to this goes out in one piece. */
  joinedBytes: 256 * KIB,
  /** How long notices wait for each other: shorter than a person notices. */
  noticeMs: 20,
  /** Notices on standard error that nobody has read yet; further ones are dropped there. */
  unreadLogBytes: 64 * KIB,
  /** A configuration file: its size, how deep it is nested, and how many of its mistakes one message lists. */
  configBytes: MIB,
  configDepth: 64,
  configProblems: 10,

  /** Watches of one session, and directories that they may watch in all. */
  watches: 64,
  watchedDirectories: 150_000,
  /** How long hints gather before they are looked into: shorter than a person notices, longer than a save takes. */
  reconcileDelayMs: 20,
  /** A directory that was hinted at and cannot be reached is looked for again so often: it may be on the move. */
  reconcileTries: 5,
  /** Where a root is gone, it is looked for this often. */
  rootLookMs: 500,
  /** Files whose identity a watch learns beforehand, to know them again under another name. */
  indexedFiles: 20_000,
  /** Texts that a watch has at hand, so as not to keep another one like them. */
  internedTexts: 1024,
  /** Events that wait for one watch before it says that some were lost, and those that one answer holds. */
  queuedEvents: 20_000,
  eventsPerAnswer: 500,
  /** How long a call waits for events unless it says otherwise, and at most; how often it looks whether it is cancelled. */
  watchWaitMs: 10_000,
  watchWaitMsMost: 55_000,
  watchLookMs: 80,
  /** Changes of our own that events are compared with. */
  recentEffects: 20_000,
  /** Hints that a kernel keeps, where it does not say how many. */
  queuedHints: 16_384,

  /** How long a hook may take, and how much a program may answer. */
  hookMs: 10_000,
  programAnswerChars: MIB,

  /** How long a plugin may take to load, and one of its tools to say what it wants. */
  pluginLoadMs: 5000,
  pluginToolMs: 120_000,
  /** How long a mounted server may take to start, and to answer a call unless its plugin says otherwise, at most so long. */
  mountedStartMs: 20_000,
  mountedCallMs: 60_000,
  mountedCallMsMost: 600_000,
  /** How long a list of tools waits for servers that have not told theirs, once; those that come later are announced. */
  lazyToolsMs: 3000,
  /** Tools of one mounted server; what it may say of one, and how large a schema may be. */
  mountedTools: 500,
  mountedTextChars: 4 * KIB,
  mountedSchemaChars: 64 * KIB,
  /** What a mounted server may leave unread of all that it was told. */
  unreadBytes: 64 * MIB,

  /** How many handles, and files with handles, a session remembers to have been told of. */
  reportedPlaceholders: 10_000,
  /** No secret with its name is longer than this. */
  secretSpanBytes: 8 * KIB,
  /** Secrets are looked for in pieces of this size; so many small files are remembered as they may be shown. */
  maskedPieceBytes: MIB,
  maskedFiles: 8,
  /** A shorter value is hidden only where it was found: elsewhere it may be any word. */
  secretChars: 8,
  /** So much of a value that was cut off is hidden like all of it. */
  secretPartChars: 16,

  /** One message from a client; content of that size belongs into several calls. */
  messageBytes: 16 * MIB,
  /** What is kept of both ends of a longer one, to find its id in. */
  messageEdgeBytes: 256,
  /** How deep a message may be nested: the parser itself takes seconds for a million levels. */
  messageDepth: 512,
  /** How long a client may take to say which directories it offers, and how many such sets are remembered. */
  clientRootsMs: 10_000,
  clientRootSets: 16,
  /** Calls of one client that run at the same time; the others wait their turn. */
  parallelCalls: 32,
  /** How long calls under way may take once the client has closed its end, and it to read: most kill after 2 s. */
  closingMs: 1500,
  /** How long we hear out what a program left behind that has ended itself. */
  exitGraceMs: 300,
  /** What one answer may hold in all. */
  answerChars: 32 * MIB,
  /** A long operation gives way to the event loop this often, so that a cancellation arrives. */
  sliceMs: 20,
  /** Progress is told at most this often. */
  progressMs: 200,
  /** Alerts that people are told in a while, and how long one way to tell them may take. */
  alertsMost: 10,
  alertsMs: 60_000,
  alertWaitMs: 5000,
  /** How long an address that something is posted to may take. */
  postMs: 5000,
  /** Sessions that one client of the RPC face may have at a time. */
  rpcSessions: 64,
  /** Requests in one batch. */
  rpcBatch: 1000,
  /** A longer record is kept without its arguments. */
  auditChars: 16 * KIB,
  /** The message of an alert, and what goes with it: each is a line that people read, and fits into a record. */
  alertChars: 2 * KIB,
  /** Audit records wait this long for company before they are written. */
  auditFlushMs: 50,
  /** Records that wait while they cannot be written. */
  auditQueue: 1000,
} as const;
