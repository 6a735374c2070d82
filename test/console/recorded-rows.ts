import type {
  ChangeDetail,
  ChangeEntry,
  Explanation,
  FileDiff,
  Health,
  Hunk,
  JobList,
  NetChange,
  Overview,
  RuleList,
  Timeline,
  TimelineEvent,
  TrashList,
  WaitingList,
} from "../../src/faces/console/contract.ts";

/** Everything in these answers happened before this time. */
export const NOW = "2026-11-14T14:32:10.000Z";

/** A name that would run a script, end an element, or turn the text around, if a page took it for more than text. */
export const HOSTILE = `<img src=x onerror="globalThis.ran=1">"><script>globalThis.ran=1</script>\u202Etxt.exe`;

const at = (time: string): string => `2026-11-14T${time}.000Z`;
const CLAUDE = { session: "3f2a77c1", agent: "claude-code", principal: "agent" } as const;
const CODEX = { session: "91bc04d2", agent: "codex", principal: "agent" } as const;
const OPENCODE = { session: "c07e5512", agent: "opencode", principal: "agent" } as const;
const YOU = { session: "9d10aa01", agent: "console", principal: "user" } as const;

export const overview: Overview = {
  version: "0.2.0",
  node: "22.15.0",
  containment: "handle",
  roots: ["~/code/harbor"],
  waiting: 3,
  oldestAsked: at("14:26:02"),
  runningJobs: 1,
  trash: 5,
  needLook: 1,
  lastHour: { files: 38, added: 1490, removed: 1634, undoable: 36 },
  sessions: [
    { id: CLAUDE.session, agent: "claude-code", roots: ["~/code/harbor"], lastSeen: at("14:32:02"), changes: 9 },
    { id: CODEX.session, agent: "codex", roots: ["~/code/harbor"], lastSeen: at("14:31:02"), changes: 7 },
    { id: OPENCODE.session, agent: "opencode", roots: ["~/code/harbor"], lastSeen: at("14:26:02"), changes: 6 },
  ],
};

const allocateHunks: readonly Hunk[] = [
  {
    oldStart: 1,
    newStart: 1,
    lines: [
      { sign: " ", text: 'import { isFree } from "./calendar.js";' },
      { sign: " ", text: 'import type { Wharf, Boat, Stay } from "./model.js";' },
      { sign: " ", text: "" },
      { sign: "+", text: "/** Metres of water between a boat and the end of its wharf. */" },
      { sign: "+", text: "const CLEARANCE = 0.5;" },
      { sign: "+", text: "" },
    ],
  },
  {
    oldStart: 14,
    newStart: 17,
    heading: "export function allocate(",
    lines: [
      { sign: " ", text: "  boat: Boat," },
      { sign: " ", text: "  wharfs: readonly Wharf[]," },
      { sign: "-", text: "): Wharf | undefined {" },
      { sign: "-", text: "  const free = wharfs.filter((b) => !b.taken);", marks: [[29, 44]] },
      { sign: "-", text: "  return free.find((b) => b.length >= boat.length);", marks: [[14, 50]] },
      { sign: "+", text: "  stay: Stay,", marks: [[2, 13]] },
      { sign: "+", text: "): Wharf | undefined {" },
      {
        sign: "+",
        text: "  const fits = wharfs.filter((wharf) => isFree(wharf, stay) && holds(wharf, boat));",
        marks: [[29, 81]],
      },
      { sign: "+", text: "  // The shortest wharf that fits: long ones stay free for long boats." },
      { sign: "+", text: "  return fits.toSorted(byLength).at(0);", marks: [[14, 38]] },
      { sign: " ", text: "}" },
    ],
  },
  {
    oldStart: 31,
    newStart: 37,
    heading: "export function release(",
    lines: [
      { sign: "-", text: "  wharf.taken = false;", marks: [[16, 21]] },
      { sign: "+", text: "  wharf.taken = undefined;", marks: [[16, 25]] },
      { sign: " ", text: '  log.info({ wharf: wharf.id }, "released");' },
    ],
  },
];

const seasonHunks: readonly Hunk[] = [
  {
    oldStart: 5,
    newStart: 5,
    heading: "export const seasons = [",
    lines: [
      { sign: " ", text: '  { name: "low", from: "10-01", to: "04-30", factor: 0.8 },' },
      { sign: " ", text: '  { name: "mid", from: "05-01", to: "05-31", factor: 1 },' },
      { sign: "-", text: '  { name: "high", from: "06-15", to: "09-30", factor: 1.4 },', marks: [[25, 30]] },
      { sign: "+", text: '  { name: "high", from: "06-01", to: "09-30", factor: 1.4 },', marks: [[25, 30]] },
      { sign: " ", text: "] as const;" },
    ],
  },
];

const releaseHunks: readonly Hunk[] = [
  {
    oldStart: 8,
    newStart: 8,
    heading: "jobs.publish",
    lines: [
      { sign: " ", text: "  publish:" },
      { sign: " ", text: "    runs-on: ubuntu-24.04" },
      { sign: " ", text: "    permissions:" },
      { sign: "-", text: "      contents: read", marks: [[16, 20]] },
      { sign: "+", text: "      contents: write", marks: [[16, 21]] },
      { sign: "+", text: "      id-token: write" },
      { sign: " ", text: "    steps:" },
      { sign: " ", text: "      - uses: actions/checkout@v5" },
      { sign: " ", text: "      - run: npm ci" },
      { sign: "-", text: "      - run: npm publish" },
      { sign: "+", text: "      - run: npm publish --provenance --access public", marks: [[24, 55]] },
      { sign: "+", text: "        env:" },
      { sign: "+", text: "          NODE_AUTH_TOKEN: ‹secret:NPM_TOKEN#1›" },
      { sign: " ", text: "      - run: node scripts/announce.mjs" },
    ],
  },
];

type Who = typeof CLAUDE | typeof CODEX | typeof OPENCODE | typeof YOU;

function change(
  id: string,
  time: string,
  who: Who,
  more: Partial<ChangeEntry> & Pick<ChangeEntry, "tool" | "files">,
): ChangeEntry {
  return { id, time: at(time), ...who, undone: false, undoes: [], ...more };
}

const edited = (path: string, added: number, removed: number) => ({ path, action: "edited", added, removed });

const patch = change("c-81f2", "14:30:08", CLAUDE, {
  tool: "apply_patch",
  files: [edited("src/wharfs/allocate.ts", 10, 4), edited("src/rates/season.ts", 1, 1)],
});

export const changeList: readonly ChangeEntry[] = [
  patch,
  change("c-81e7", "14:28:40", CLAUDE, {
    tool: "write",
    files: [{ path: "test/allocate.test.ts", action: "created", added: 64 }],
  }),
  change("c-81d0", "14:27:11", CODEX, {
    tool: "apply_patch",
    files: [
      edited("src/rates/season.ts", 50, 20),
      edited("src/rates/price.ts", 4, 1),
      edited("src/rates/tax.ts", 2, 1),
      edited("docs/rates.md", 2, 0),
    ],
  }),
  change("c-81c4", "14:24:31", CLAUDE, {
    tool: "exec",
    command: "npm run build",
    files: [
      edited("build/app.js", 1158, 1179),
      edited("build/app.js.map", 1, 1),
      { path: "build/locales/", action: "created", added: 45 },
    ],
  }),
  change("c-81b3", "14:23:05", YOU, { tool: "undo", files: [edited("README.md", 3, 3)], undoes: ["c-81a9"] }),
  change("c-81a9", "14:21:47", CLAUDE, { tool: "edit", files: [edited("README.md", 3, 3)], undone: true }),
  change("c-8198", "14:20:50", CODEX, {
    tool: "move",
    files: [{ path: "src/time/zone.ts", from: "src/util/time.ts", action: "moved" }],
  }),
  change("c-8195", "14:20:12", CODEX, { tool: "edit", files: [edited("src/wharfs/calendar.ts", 4, 4)] }),
  change("c-80f1", "14:02:19", CLAUDE, { tool: "delete", files: [{ path: "old/", action: "deleted", removed: 388 }] }),
  change("c-80d7", "13:58:00", CLAUDE, { tool: "edit", files: [edited("src/wharfs/model.ts", 9, 2)] }),
  change("c-80c2", "13:55:21", CLAUDE, { tool: "edit", files: [edited("src/wharfs/calendar.ts", 26, 11)] }),
  change("c-80bf", "13:54:02", CLAUDE, { tool: "edit", files: [edited("src/wharfs/calendar.ts", 71, 8)] }),
  change("c-80a0", "13:51:33", OPENCODE, {
    tool: "edit",
    files: [edited("src/server.ts", 2, 1)],
    final: "The contents before it are no longer kept",
  }),
  change("c-8097", "13:48:10", OPENCODE, { tool: "edit", files: [edited(`docs/${HOSTILE}`, 1, 1)] }),
];

const eventOf = (entry: ChangeEntry, kind: TimelineEvent["kind"] = "change"): TimelineEvent => ({
  id: `e-${entry.id}`,
  time: entry.time,
  session: entry.session,
  agent: entry.agent,
  principal: entry.principal,
  tool: entry.tool,
  kind,
  subject: entry.command ?? entry.files[0]?.path ?? "",
  code: "ok",
  ms: 18,
  change: entry,
});

let reads = 0;
const read = (time: string, who: Who, tool: string, subject: string, message?: string): TimelineEvent => ({
  id: `r-${++reads}`,
  time: at(time),
  ...who,
  tool,
  kind: "read",
  subject,
  code: "ok",
  ms: 3,
  ...(message !== undefined && { message }),
});

const refused = (
  id: string,
  time: string,
  who: Who,
  kind: TimelineEvent["kind"],
  code: string,
  tool: string,
  subject: string,
  message: string,
): TimelineEvent => ({
  id,
  time: at(time),
  ...who,
  tool,
  kind,
  subject,
  code,
  message,
  ms: 2,
});

const byId = (id: string): ChangeEntry => changeList.find((entry) => entry.id === id) ?? patch;
const several = (count: number, one: (index: number) => TimelineEvent): readonly TimelineEvent[] =>
  Array.from({ length: count }, (_, index) => one(index));

export const timeline: Timeline = {
  events: [
    {
      ...refused("e-q2", "14:31:02", CODEX, "asked", "pending", "edit", ".github/workflows/release.yml", "waits"),
      question: "q-2",
    },
    {
      id: "e-job7",
      time: at("14:31:00"),
      ...CLAUDE,
      tool: "exec",
      kind: "command",
      subject: "npm test",
      code: "ok",
      ms: 12,
      job: "7",
    },
    eventOf(patch),
    ...several(14, (index) => read("14:30:02", CLAUDE, "read", `src/wharfs/${index}.ts`)),
    ...several(3, () => read("14:30:01", CLAUDE, "grep", "isFree")),
    eventOf(byId("c-81e7")),
    eventOf(byId("c-81d0")),
    refused("e-b1", "14:26:30", CODEX, "blocked", "denied", "write", ".git/config", "inside .git is git’s own"),
    ...several(9, (index) => read("14:25:10", CODEX, "read", `src/rates/${index}.ts`)),
    { ...eventOf(byId("c-81c4"), "command"), job: "6" },
    eventOf(byId("c-81b3"), "undo"),
    eventOf(byId("c-81a9")),
    eventOf(byId("c-8198")),
    eventOf(byId("c-8195")),
    eventOf(byId("c-80f1")),
    read("14:01:40", CLAUDE, "read", ".env", "3 values hidden from the model"),
    ...several(22, (index) => read("14:01:10", CLAUDE, "read", `docs/${index}.md`)),
    ...several(6, () => read("14:01:05", CLAUDE, "grep", "wharf")),
    eventOf(byId("c-80d7")),
    refused("e-d1", "13:57:44", CLAUDE, "asked", "denied", "delete", "migrations/0007_wharfs.sql", "“too early”"),
    eventOf(byId("c-80c2")),
    eventOf(byId("c-80bf")),
    refused(
      "e-f1",
      "13:52:12",
      OPENCODE,
      "failed",
      "no_match",
      "edit",
      "src/server.ts",
      "text not found, nothing changed",
    ),
    eventOf(byId("c-80a0")),
    ...several(12, (index) => read("13:50:30", OPENCODE, "read", `src/${index}.ts`)),
    ...several(2, () => read("13:50:00", OPENCODE, "list_directory", "src")),
    eventOf(byId("c-8097")),
    read("12:32:10", CODEX, "read", HOSTILE, HOSTILE),
  ],
};

const hostileDiff: FileDiff = {
  path: `docs/${HOSTILE}`,
  action: "edited",
  hunks: [
    {
      oldStart: 1,
      newStart: 1,
      lines: [
        { sign: "-", text: HOSTILE },
        { sign: "+", text: `${HOSTILE}${HOSTILE}`, marks: [[3, 9999]] },
      ],
    },
  ],
};

const longHunk: Hunk = {
  oldStart: 1,
  newStart: 1,
  lines: Array.from({ length: 950 }, (_, index) => ({ sign: "+", text: `line ${index}` })),
};

export function changeDetail(id: string): ChangeDetail | undefined {
  const entry = changeList.find((each) => each.id === id);
  if (!entry) return undefined;
  return {
    ...entry,
    diffs: entry.files.map(({ path, action }) =>
      path === hostileDiff.path ? hostileDiff : { path, action, ...contentsOf(path) },
    ),
  };
}

function contentsOf(path: string): Pick<FileDiff, "hunks" | "note"> {
  if (path.startsWith("build/")) return { hunks: [], note: "Too large to compare" };
  if (path === "test/allocate.test.ts") return { hunks: [longHunk] };
  return { hunks: path.endsWith("season.ts") ? seasonHunks : allocateHunks };
}

export const waiting: WaitingList = {
  questions: [
    {
      ...CODEX,
      id: "q-2",
      state: "pending",
      tool: "edit",
      asked: at("14:31:02"),
      expires: "2026-11-15T14:31:02.000Z",
      reasons: ["team.jsonc:14 write .github/** needs approval"],
      summary: "Edit .github/workflows/release.yml",
      effects: [{ action: "edit", path: ".github/workflows/release.yml", hunks: releaseHunks }],
      recoverable: true,
      answerable: true,
      current: true,
      repeatable: true,
    },
    {
      ...CLAUDE,
      id: "q-1",
      state: "pending",
      tool: "delete",
      asked: at("14:31:30"),
      expires: "2026-11-15T14:31:30.000Z",
      reasons: ["built in: nothing is deleted for good without a yes"],
      summary: "Delete build/ for good: 3 files, 41 kB",
      effects: [
        { action: "delete", path: "build/app.js", note: "36 kB, last changed by job 6" },
        { action: "delete", path: "build/app.js.map", note: "4.1 kB" },
        { action: "delete", path: `build/${HOSTILE}`, note: HOSTILE },
      ],
      recoverable: false,
      answerable: true,
      current: true,
      repeatable: false,
    },
    {
      ...OPENCODE,
      id: "q-3",
      state: "pending",
      tool: "edit",
      asked: at("14:26:02"),
      expires: "2026-11-15T14:26:02.000Z",
      reasons: ["team.jsonc:11 write src/rates/** needs approval"],
      summary: "Edit src/rates/season.ts",
      effects: [{ action: "edit", path: "src/rates/season.ts", hunks: seasonHunks }],
      recoverable: true,
      answerable: true,
      current: false,
      repeatable: true,
    },
    {
      ...CODEX,
      id: "q-0",
      state: "allowed",
      tool: "exec",
      asked: at("14:12:00"),
      expires: "2026-11-15T14:12:00.000Z",
      reasons: ["exec is not in the list"],
      summary: "npm install zod@4",
      effects: [],
      recoverable: true,
      answerable: true,
      current: true,
      repeatable: true,
      answer: { decision: "session", time: at("14:12:09") },
    },
    {
      ...CLAUDE,
      id: "q-00",
      state: "denied",
      tool: "delete",
      asked: at("13:57:20"),
      expires: "2026-11-15T13:57:20.000Z",
      reasons: ["team.jsonc:10"],
      summary: "Delete migrations/0007_wharfs.sql",
      effects: [{ action: "delete", path: "migrations/0007_wharfs.sql" }],
      recoverable: true,
      answerable: true,
      current: true,
      repeatable: true,
      answer: { decision: "deny", reason: "too early", time: at("13:57:44") },
    },
  ],
};

export const net: NetChange = {
  files: [
    { ...edited("src/wharfs/allocate.ts", 10, 4), changes: ["c-81f2"], others: [] },
    { ...edited("src/wharfs/calendar.ts", 97, 19), changes: ["c-80bf", "c-80c2"], others: [] },
    { ...edited("src/wharfs/model.ts", 9, 2), changes: ["c-80d7"], others: [] },
    { ...edited("src/rates/season.ts", 1, 1), changes: ["c-81f2"], others: [CODEX.session] },
    { path: "test/allocate.test.ts", action: "created", added: 64, changes: ["c-81e7"], others: [] },
    { ...edited("build/app.js", 1158, 1179), changes: ["c-81c4"], others: [] },
    { ...edited("build/app.js.map", 1, 1), changes: ["c-81c4"], others: [] },
    { path: "old/", action: "deleted", removed: 388, changes: ["c-80f1"], others: [] },
    { ...edited(`docs/${HOSTILE}`, 1, 1), changes: ["c-8097"], others: [] },
  ],
};

export const netDiff = (path: string): FileDiff => ({ path, action: "edited", ...contentsOf(path) });

const deleted = (id: string, path: string, more: Partial<TrashList["items"][number]>): TrashList["items"][number] => ({
  id,
  path,
  type: "file",
  files: 1,
  bytes: 9100,
  deleted: at("13:39:00"),
  until: "2026-11-15T13:39:00.000Z",
  expired: false,
  taken: false,
  ...OPENCODE,
  ...more,
});

export const trash: TrashList = {
  items: [
    deleted("t-1", "old/", {
      type: "directory",
      files: 12,
      bytes: 41_000,
      deleted: at("14:02:00"),
      until: "2026-11-15T14:02:00.000Z",
      ...CLAUDE,
    }),
    deleted("t-2", "docs/plan-2025.md", {}),
    deleted("t-3", "src/rates/table.csv", {
      bytes: 2_200_000,
      deleted: "2026-11-13T17:51:00.000Z",
      until: at("17:51:00"),
      taken: true,
      ...CODEX,
    }),
    deleted("t-4", HOSTILE, { ...YOU }),
    deleted("t-5", "notes.md", {
      bytes: 2000,
      deleted: "2026-11-13T14:20:00.000Z",
      until: at("14:20:00"),
      expired: true,
      ...CLAUDE,
    }),
  ],
};

export const jobs: JobList = {
  jobs: [
    {
      id: "7",
      state: "running",
      command: "npm test",
      directory: "~/code/harbor",
      ...CLAUDE,
      started: at("14:29:56"),
      detached: false,
      outputBytes: 1204,
      undo: "overlay",
      sandbox: "no network",
      changesWait: false,
      files: [
        { path: "test/__snapshots__/price.snap", action: "created", added: 48 },
        edited("coverage/summary.json", 6, 6),
      ],
    },
    {
      id: "6",
      state: "done",
      exitCode: 0,
      command: "npm run build",
      directory: "~/code/harbor",
      ...CLAUDE,
      started: at("14:24:17"),
      ended: at("14:24:31"),
      detached: false,
      outputBytes: 240,
      undo: "overlay",
      changesWait: false,
      change: "c-81c4",
      files: [edited("build/app.js", 1158, 1179)],
    },
    {
      id: "5",
      state: "done",
      exitCode: 1,
      command: "npx prisma migrate dev",
      directory: "~/code/harbor",
      ...OPENCODE,
      started: at("14:10:00"),
      ended: at("14:10:03"),
      detached: false,
      outputBytes: 0,
      undo: "none",
      changesWait: false,
    },
    {
      id: "4",
      state: "done",
      exitCode: 0,
      command: `echo ${HOSTILE}`,
      directory: "~/code/harbor",
      ...CODEX,
      started: at("14:05:00"),
      ended: at("14:05:21"),
      detached: false,
      outputBytes: 10,
      undo: "overlay",
      changesWait: true,
      files: [edited("package.json", 1, 1)],
    },
  ],
};

export const outputs: Readonly<Record<string, string>> = {
  "7": '> harbor@0.4.0 test\n> vitest run\n\n\u001B[32m✓\u001B[39m test/model.test.ts (14 tests) 31 ms\n✓ test/calendar.test.ts (42 tests) 118 ms\n✗ test/allocate.test.ts (11 tests, 1 failed) 512 ms\n     expected "B-14" to be "B-10"\n… test/migrations.test.ts\n',
  "6": "> harbor@0.4.0 build\nbuild/app.js      36.1 kB\nok in 14.0 s\n",
  "4": `${HOSTILE}\n`,
};

export const rules: RuleList = {
  problems: ["team.jsonc line 22: unknown key “decice”. The rules of 14:03 stay in force"],
  grants: [
    { id: "g-1", what: "exec npm install *", session: CODEX.session, agent: "codex" },
    { id: "g-2", what: "write docs/**", until: "2026-12-14T10:00:00.000Z" },
  ],
  rules: [
    { decide: "blocked", act: "write", path: "**/*.env", origin: "team.jsonc:9", reason: "keys are set by people" },
    { decide: "approval", act: "write", path: "src/rates/**", origin: "team.jsonc:11" },
    { decide: "notify", act: "write, move", path: "src/**", origin: ".holdfast.jsonc:4" },
    { decide: "autonomous", act: "read", origin: "built in" },
  ],
};

export const explanation: Explanation = {
  verdict: "blocked",
  reasons: ["keys are set by people"],
  matching: rules.rules.slice(0, 3),
};

export const health: Health = {
  rows: [
    {
      name: "Rules",
      text: "team.jsonc line 22: unknown key “decice”",
      note: "The rules of 14:03 stay in force",
      state: "look",
    },
    { name: "Containment", text: "full", note: "Links and races cannot lead outside", state: "good" },
    {
      name: "Sandbox for commands",
      text: "overlay, no network",
      note: "Changes are held back until a command ends",
      state: "good",
    },
    { name: "Audit log", text: "9,120 calls, none altered", state: "good" },
    { name: "Durability", text: "process", note: "Survives the end of any process, not a power cut", state: "good" },
  ],
  history: { count: 412, bytes: 38_000_000, mostBytes: 2_000_000_000 },
  trash: { count: 5, bytes: 2_300_000, mostBytes: 1_000_000_000 },
};
