import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type {
  ChangeDetail,
  ChangeList,
  NetChange,
  Overview,
  Timeline,
  TrashList,
} from "../../../src/faces/console/contract.ts";
import { appOn, callerOf, callerOn, scratch, stateBeside } from "../../runtime/scratch.ts";
import { changeIn, consoleOn } from "./console.ts";

const TREE = { "a.txt": "one\ntwo\nthree\n", "b.txt": "b\n" };

describe("timeline", () => {
  it("tells calls by their meaning, newest first", async () => {
    const { agent, get, session } = await consoleOn(scratch(TREE), {
      ruleSource: {
        layers: [
          { name: "user", rules: [{ act: "write", path: "no.txt", decide: "blocked", reason: "no", origin: "f:1" }] },
        ],
      },
    });
    await agent("read", { path: "a.txt" });
    const edit = changeIn(await agent("edit", { path: "a.txt", old_text: "two", new_text: "2" }));
    await agent("write", { path: "no.txt", content: "x" });
    await agent("read", { path: "none.txt" });
    await agent("undo", {});
    const { events, before } = await get<Timeline>("/api/timeline");
    const shown = events.map(({ kind, tool, subject, code, message, change }) => [
      kind,
      tool,
      subject,
      code,
      message,
      change?.files.map(({ path, action, added, removed }) => [path, action, added, removed]),
    ]);
    expect(shown).toEqual([
      ["undo", "undo", "", "ok", undefined, [["a.txt", "edited", undefined, undefined]]],
      ["failed", "read", "none.txt", "not_found", "it does not exist", undefined],
      ["blocked", "write", "no.txt", "denied", "no", undefined],
      ["change", "edit", "a.txt", "ok", undefined, [["a.txt", "edited", 1, 1]]],
      ["read", "read", "a.txt", "ok", undefined, undefined],
    ]);
    expect(before).toBeUndefined();
    expect(events[0]?.change?.undoes).toEqual([edit]);
    expect(events[3]).toMatchObject({ session, agent: "main", principal: "agent", change: { id: edit, undone: true } });
  });

  it("names the file of a change, not the directories that were created for it", async () => {
    const { agent, get } = await consoleOn(scratch(TREE));
    await agent("write", { path: "new/deep/a.txt", content: "x\n" });
    await agent("mkdir", { path: "only" });
    const { events } = await get<Timeline>("/api/timeline");
    expect(events.map(({ change }) => change?.files.map(({ path }) => path))).toEqual([["only"], ["new/deep/a.txt"]]);
    const { diffs } = await get<ChangeDetail>(`/api/changes/${events[1]?.change?.id}`);
    expect(diffs.map(({ path }) => path)).toEqual(["new/deep/a.txt"]);
  });

  it("comes in pages, and finds words and sessions", async () => {
    const root = scratch(TREE);
    const { agent, get } = await consoleOn(root);
    const other = appOn(root, { agentContext: { agent: "other" } });
    for (const path of ["a.txt", "b.txt", "none"]) await agent("read", { path });
    await callerOf(other)("read", { path: "b.txt" });
    other.session.audit.flush();
    const all = await get<Timeline>("/api/timeline");
    const paged: string[] = [];
    for (let before: string | undefined = ""; before !== undefined;) {
      const page: Timeline = await get(`/api/timeline?limit=1${before === "" ? "" : `&before=${before}`}`);
      paged.push(...page.events.map(({ id }) => id));
      ({ before } = page);
    }
    expect(paged).toEqual(all.events.map(({ id }) => id));
    const found = async (query: string) =>
      (await get<Timeline>(`/api/timeline?${query}`)).events.map(({ subject, agent: who }) => `${who} ${subject}`);
    expect(await found("search=B.TXT")).toHaveLength(2);
    expect(await found("search=not_found")).toEqual(["main none"]);
    expect(await found("search=nothing-like-it")).toEqual([]);
    const { sessions } = await get<Overview>("/api/overview");
    const theirs = sessions.find((each) => each.agent === "other");
    expect(await found(`session=${theirs?.id}`)).toEqual(["other b.txt"]);
  });

  it("leaves out what a person only tries, and lines that are no record", async () => {
    const root = scratch(TREE);
    const { agent, get, post } = await consoleOn(root);
    const id = changeIn(await agent("write", { path: "a.txt", content: "x\n" }));
    await post("/api/undo", { change: id, dryRun: true });
    await get("/api/timeline");
    const day = new Date().toISOString().slice(0, 10);
    writeFileSync(join(stateBeside(root), `audit-${day}.jsonl`), 'no record\n{"half":', { flag: "a" });
    expect((await get<Timeline>("/api/timeline")).events.map(({ kind }) => kind)).toEqual(["change"]);
  });
});

describe("changes", () => {
  it("are listed and found by session, file and words", async () => {
    const { agent, get, session } = await consoleOn(scratch(TREE));
    const first = changeIn(await agent("write", { path: "dir/new.txt", content: "1\n" }));
    const second = changeIn(await agent("edit", { path: "a.txt", old_text: "two", new_text: "2" }));
    const ids = async (query: string) => (await get<ChangeList>(`/api/changes?${query}`)).changes.map(({ id }) => id);
    expect(await ids("")).toEqual([second, first]);
    expect(await ids(`session=${session}`)).toEqual([second, first]);
    expect(await ids("session=none")).toEqual([]);
    expect(await ids("path=dir")).toEqual([first]);
    expect(await ids("search=NEW")).toEqual([first]);
    expect(await ids(`cursor=${second}`)).toEqual([first]);
  });

  it("have diffs with marked words", async () => {
    const { agent, get } = await consoleOn(scratch({ "a.txt": "keep\nconst a = 1;\n" }));
    const id = changeIn(await agent("edit", { path: "a.txt", old_text: "= 1", new_text: "= 2" }));
    const { diffs, ...entry } = await get<ChangeDetail>(`/api/changes/${id}`);
    expect(entry).toMatchObject({ id, undone: false, undoes: [], tool: "edit" });
    expect(diffs).toEqual([
      {
        path: "a.txt",
        action: "edited",
        hunks: [
          {
            oldStart: 1,
            newStart: 1,
            lines: [
              { sign: " ", text: "keep" },
              { sign: "-", text: "const a = 1;", marks: [[10, 11]] },
              { sign: "+", text: "const a = 2;", marks: [[10, 11]] },
            ],
          },
        ],
      },
    ]);
  });

  it("with a long diff come in parts", async () => {
    const { agent, get } = await consoleOn(scratch());
    const lines = Array.from({ length: 2500 }, (_, nth) => `line ${nth}`);
    const id = changeIn(await agent("write", { path: "long.txt", content: `${lines.join("\n")}\n` }));
    const [first] = (await get<ChangeDetail>(`/api/changes/${id}`)).diffs;
    const [rest] = (await get<ChangeDetail>(`/api/changes/${id}?path=long.txt&line=${first?.next}`)).diffs;
    expect([first?.next, rest?.next]).toEqual([2000, undefined]);
    const shown = [first, rest].flatMap((diff) => diff?.hunks.flatMap((hunk) => hunk.lines.map(({ text }) => text)));
    expect(shown).toEqual(lines);
  });

  it("that are binary or no longer kept say so", async () => {
    const root = scratch({ "a.bin": new Uint8Array([0, 1, 2, 255]), "b.txt": "b\n" });
    const { agent, get } = await consoleOn(root);
    const binary = changeIn(await agent("delete", { path: "a.bin" }));
    const gone = changeIn(await agent("write", { path: "b.txt", content: "new\n" }));
    rmSync(join(stateBeside(root), ".holdfast-store", "objects"), { recursive: true });
    const noteOf = async (id: string) => (await get<ChangeDetail>(`/api/changes/${id}`)).diffs[0]?.note;
    expect(await noteOf(binary)).toMatch(/^binary/);
    expect(await noteOf(gone)).toMatch(/gone/);
    expect((await get<ChangeDetail>(`/api/changes/${gone}`)).final).toBe("What it replaced is no longer kept");
  });
});

describe("net change", () => {
  it("sums up what is still in effect", async () => {
    const root = scratch({ ...TREE, "m.txt": "m\n" });
    const { agent, get, session } = await consoleOn(root);
    const other = callerOn(root);
    const one = changeIn(await agent("edit", { path: "a.txt", old_text: "two", new_text: "2" }));
    const two = changeIn(await agent("edit", { path: "a.txt", old_text: "three", new_text: "3" }));
    await agent("write", { path: "gone.txt", content: "x\n" });
    await agent("delete", { path: "gone.txt" });
    await agent("write", { path: "undone.txt", content: "x\n" });
    await agent("undo", {});
    const moved = changeIn(await agent("move", { source: "m.txt", destination: "n.txt" }));
    await other("edit", { path: "a.txt", old_text: "one", new_text: "1" });
    const { files } = await get<NetChange>(`/api/net?session=${session}`);
    expect(files.map(({ others, ...file }) => ({ ...file, others: others.length }))).toEqual([
      { path: "a.txt", action: "edited", added: 2, removed: 2, changes: [one, two], others: 1 },
      { path: "n.txt", from: "m.txt", action: "moved", changes: [moved], others: 0 },
    ]);
    const { diff } = await get<NetChange>(`/api/net?session=${session}&path=a.txt`);
    expect(diff?.hunks[0]?.lines.map(({ sign, text }) => sign + text)).toEqual([" one", "-two", "-three", "+2", "+3"]);
  });

  it("sums up changes that a person picked, of several sessions", async () => {
    const root = scratch(TREE);
    const { agent, get } = await consoleOn(root);
    const other = callerOn(root);
    const one = changeIn(await agent("edit", { path: "a.txt", old_text: "two", new_text: "2" }));
    await agent("edit", { path: "a.txt", old_text: "one", new_text: "1" });
    const three = changeIn(await other("edit", { path: "a.txt", old_text: "2", new_text: "zwei" }));
    await agent("write", { path: "later.txt", content: "x\n" });
    const { files, diff } = await get<NetChange>(`/api/net?changes=${three},${one}&path=a.txt`);
    expect(files.map(({ others, ...file }) => ({ ...file, others: others.length }))).toEqual([
      { path: "a.txt", action: "edited", added: 2, removed: 2, changes: [one, three], others: 1 },
    ]);
    const lines = diff?.hunks[0]?.lines.map(({ sign, text }) => sign + text);
    expect(lines).toEqual(["-one", "-two", "+1", "+zwei", " three"]);
  });

  it("is nothing for a change and its undo", async () => {
    const { agent, get } = await consoleOn(scratch(TREE));
    const edit = changeIn(await agent("edit", { path: "a.txt", old_text: "two", new_text: "2" }));
    const undo = changeIn(await agent("undo", {}));
    expect(await get<NetChange>(`/api/net?changes=${edit},${undo}`)).toEqual({ files: [] });
  });

  it.each(["/api/net", "/api/net?changes=none", "/api/net?changes=", "/api/net?changes=a&session=b"])(
    "refuses %s",
    async (path) => {
      const { ask } = await consoleOn(scratch(TREE));
      expect((await ask("GET", path)).ok).toBe(false);
    },
  );
});

describe("overview", () => {
  it("counts what every screen shows", async () => {
    const root = scratch(TREE);
    const { agent, get, session } = await consoleOn(root);
    await agent("edit", { path: "a.txt", old_text: "two", new_text: "2" });
    await agent("delete", { path: "b.txt" });
    expect(await get<Overview>("/api/overview")).toMatchObject({
      roots: [root],
      waiting: 0,
      runningJobs: 0,
      trash: 1,
      lastHour: { files: 2, added: 1, removed: 1, undoable: 2 },
      sessions: [{ id: session, agent: "main", roots: [root], changes: 2 }],
    });
  });
});

describe("trash", () => {
  it("is listed and restored, also to another place", async () => {
    const root = scratch({ ...TREE, "dir/c.txt": "c\n" });
    const { agent, get, post } = await consoleOn(root);
    await agent("delete", { path: "a.txt" });
    await agent("delete", { path: "b.txt" });
    await agent("delete", { path: "dir/c.txt" });
    rmSync(join(root, "dir"), { recursive: true });
    writeFileSync(join(root, "dir"), "a file where its directory was\n");
    writeFileSync(join(root, "a.txt"), "new\n");
    const { items } = await get<TrashList>("/api/trash");
    expect(items.map(({ path, taken, expired, principal }) => [path, taken, expired, principal])).toEqual([
      ["dir/c.txt", false, false, "agent"],
      ["b.txt", false, false, "agent"],
      ["a.txt", true, false, "agent"],
    ]);
    const [, b, a] = items.map(({ id }) => id);
    expect((await post(`/api/trash/${b}/restore`)).status).toBe(200);
    expect(await post(`/api/trash/${a}/restore`)).toMatchObject({ status: 409, body: { error: { code: "exists" } } });
    expect((await post(`/api/trash/${a}/restore`, { to: "../out.txt" })).status).toBe(403);
    expect((await post(`/api/trash/${a}/restore`, { to: "old.txt" })).status).toBe(200);
    expect(["a.txt", "b.txt", "old.txt"].map((name) => readFileSync(join(root, name), "utf8"))).toEqual([
      "new\n",
      "b\n",
      TREE["a.txt"],
    ]);
  });

  it("loses only what has expired", async () => {
    const root = scratch(TREE);
    const { agent, get, post } = await consoleOn(root, { trashHours: 0.00001 });
    await agent("delete", { path: "a.txt" });
    await expect.poll(async () => (await get<TrashList>("/api/trash")).items[0]?.expired).toBe(true);
    expect((await post("/api/trash/purge-expired")).status).toBe(200);
    expect((await get<TrashList>("/api/trash")).items).toEqual([]);
  });
});
