import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { stateBeside } from "../runtime/scratch.ts";
import { changeBy, jsonOf, TIME, workplace } from "./workplace.ts";

async function withTrash() {
  const place = workplace();
  await changeBy(place.agent, "delete", { path: "a.txt" });
  const { data } = await place.agent("delete", { path: "d", recursive: true });
  const listed = async () =>
    (jsonOf((await place.holdfast(["trash", "--json"])).out)["items"] as readonly unknown[]).length;
  return { ...place, id: String(data["trash_id"]), listed };
}

describe("trash", () => {
  it.each([[["trash"]], [["trash", "list"]]])("%j shows what is in it", async (args) => {
    const { holdfast, id } = await withTrash();
    const { code, out } = await holdfast(args);
    const [head = "", first = "", second = ""] = out.split("\n");
    expect([code, head.split(/ {2,}/)]).toEqual([0, ["trash id", "deleted", "kept until", "by", "size", "path"]]);
    expect(first).toMatch(new RegExp(`^${id} +${TIME}  ${TIME}  agent  4 bytes +d/ \\(2 files\\)$`));
    expect(second).toMatch(/ agent {2}14 bytes {2}a\.txt$/);
    expect(first.indexOf("d/")).toBe(second.indexOf("a.txt"));
  });

  it("is empty at first", async () => {
    const { root, holdfast } = workplace();
    expect(await holdfast(["trash"])).toEqual({ code: 0, out: `The trash of ${root} is empty\n`, err: "" });
    expect(existsSync(stateBeside(root))).toBe(false);
  });

  it("restores by id and by path", async () => {
    const { holdfast, id, textOf, listed } = await withTrash();
    expect((await holdfast(["trash", "restore", id, "--dry-run"])).out).toBe("Would restore d\n");
    expect(await listed()).toBe(2);
    expect((await holdfast(["trash", "restore", id])).out).toBe("Restored d\n");
    expect((await holdfast(["trash", "restore", "a.txt"])).out).toBe("Restored a.txt\n");
    expect([textOf("d/y.txt"), textOf("a.txt"), await listed()]).toEqual(["y\n", "one\ntwo\nthree\n", 0]);
    const { code, err } = await holdfast(["trash", "restore", "a.txt"]);
    expect([code, err]).toEqual([
      1,
      'holdfast: Cannot restore "a.txt": it is not in the trash; holdfast history shows what was there\n',
    ]);
  });

  it("tells of older ones, and overwrites nothing", async () => {
    const { root, agent, holdfast, textOf } = await withTrash();
    writeFileSync(join(root, "a.txt"), "second\n");
    await changeBy(agent, "delete", { path: "a.txt" });
    expect((await holdfast(["trash", "restore", "a.txt"])).out).toMatch(/^Restored a\.txt\nAlso in the trash: /);
    const { code, err } = await holdfast(["trash", "restore", "a.txt"]);
    expect([code, err, textOf("a.txt")]).toEqual([1, expect.stringMatching(/something is there already/), "second\n"]);
  });

  it("restores over a file or elsewhere when told to", async () => {
    const { root, holdfast, textOf } = await withTrash();
    writeFileSync(join(root, "a.txt"), "second\n");
    expect((await holdfast(["trash", "restore", "a.txt"])).err).toBe(
      'holdfast: Cannot restore "a.txt": something is there already; ' +
        "choose another place with --to <path>, or replace a file with --overwrite\n",
    );
    expect((await holdfast(["trash", "restore", "d", "--to", "e"])).out).toBe("Restored e\n");
    expect((await holdfast(["trash", "restore", "a.txt", "--overwrite"])).out).toBe("Restored a.txt\n");
    expect([textOf("e/x.txt"), textOf("a.txt")]).toEqual(["x\n", "one\ntwo\nthree\n"]);
    expect((await holdfast(["trash", "purge", "--all", "--overwrite"])).code).toBe(2);
  });

  it.each([
    { what: ["--all"], left: 0, says: /\nPurged 2 items, 18 bytes\n$/ },
    { what: ["a.txt"], left: 1, says: /\nPurged 1 item, 14 bytes\n$/ },
    { what: ["--expired"], left: 2, says: /^Nothing to purge\n$/ },
  ])("purges $what", async ({ what, left, says }) => {
    const { holdfast, listed } = await withTrash();
    const planned = await holdfast(["trash", "purge", "--dry-run", ...what]);
    expect([planned.code, await listed()]).toEqual([0, 2]);
    const { code, out, err } = await holdfast(["trash", "purge", ...what]);
    expect([code, err, await listed()]).toEqual([0, "", left]);
    expect(out).toMatch(says);
  });

  it("what is purged leaves nothing but a line in the audit log", async () => {
    const { root, holdfast, id } = await withTrash();
    const { out } = await holdfast(["trash", "purge", id, "--json"]);
    expect(jsonOf(out)).toMatchObject({
      purged: [{ trash_id: id, path: "d", type: "directory", files: 2 }],
      dry_run: false,
    });
    const state = stateBeside(root);
    expect(readdirSync(join(state, ".holdfast-store/trash"))).toHaveLength(1);
    expect(readdirSync(join(state, "trash"))).toHaveLength(1);
    const log = readdirSync(state).filter((name) => name.startsWith("audit-"));
    const lines = log.map((name) => readFileSync(join(state, name), "utf8")).join("");
    expect(lines).toContain(`"tool":"trash purge","input":{"ids":["${id}"]}`);
  });

  it("only looks when read-only", async () => {
    const { holdfast, id, listed } = await withTrash();
    expect((await holdfast(["trash", "--read-only"])).out).toContain(id);
    const { code, err } = await holdfast(["trash", "purge", "--all", "--read-only"]);
    expect([code, err]).toEqual([
      1,
      "holdfast: Cannot purge anything: this session is read-only; leave out --read-only\n",
    ]);
    expect(await listed()).toBe(2);
  });

  it("what is not there cannot be purged", async () => {
    const { holdfast } = await withTrash();
    const { code, err } = await holdfast(["trash", "purge", "none"]);
    expect([code, err]).toEqual([
      1,
      'holdfast: Cannot purge "none": it is not in the trash; holdfast trash lists what is\n',
    ]);
  });

  it("keeps what the command line deletes for a week, or as told", async () => {
    const { holdfast } = workplace();
    const hoursLeft = async (path: string, ...args: readonly string[]) => {
      const { out } = await holdfast(["call", "delete", JSON.stringify({ path }), "--json", ...args]);
      return Math.round((Date.parse(String(jsonOf(out)["recoverable_until"])) - Date.now()) / 3_600_000);
    };
    expect([await hoursLeft("a.txt"), await hoursLeft("d/x.txt", "--trash-hours", "2")]).toEqual([168, 2]);
  });
});

describe("colour", () => {
  const ESCAPE = "\u001b[";

  it.each([
    { name: "not in a pipe", env: { NO_COLOR: undefined }, isColoured: false },
    { name: "not with NO_COLOR", env: { NO_COLOR: "1" }, isColoured: false },
    { name: "when it is forced", env: { NO_COLOR: undefined, FORCE_COLOR: "1" }, isColoured: true },
  ])("$name", async ({ env, isColoured }) => {
    const { agent, holdfast } = workplace();
    const id = await changeBy(agent, "edit", { path: "a.txt", oldText: "two", newText: "2" });
    await changeBy(agent, "delete", { path: "d", recursive: true });
    for (const args of [["history"], ["diff", id], ["trash"], ["undo", "--dry-run"]])
      expect([args, (await holdfast(args, env)).out.includes(ESCAPE)]).toEqual([args, isColoured]);
    const { out } = await holdfast(["history", "--json"], env);
    expect(out).not.toContain(ESCAPE);
  });
});
