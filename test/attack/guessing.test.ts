import { expect, it } from "vitest";
import { callerOn, scratch } from "../runtime/scratch.ts";

it("a guess that begins like a secret looks the same whether or not it goes on like it", async () => {
  const known = "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.";
  const caller = callerOn(scratch({ ".env": `API_TOKEN=${known}Zq9xW7bT4mK2pR8vL3nC6hY5\n` }));
  await caller("read", { path: ".env" });
  const guesses = ["Z", "Zq", "A", "Zx", "-", "_/", "+=", "Zq9xW7bT4mK2pR8vL3nC6hY4"].map((guess) => known + guess);
  await caller("write", { path: "guesses.txt", content: guesses.join("\n") });
  const lines = (await caller("read", { path: "guesses.txt" })).text.split("\n");
  expect(new Set(lines.slice(0, guesses.length))).toEqual(new Set(["‹secret:API_TOKEN#1›"]));
});

it.each([
  { name: "a dry run", edit: { oldText: "API_TOKEN=s", newText: "x", dry_run: true } },
  { name: "an edit that does not fit", edit: { oldText: "API_TOKEN=sk_live_A", newText: "x" } },
])("$name through the middle of a secret tells nothing of its rest", async ({ edit }) => {
  const caller = callerOn(scratch({ ".env": "API_TOKEN=sk_live_Zq9xW7bT4mK2pR8vL3nC6hY5\n" }));
  const told = await caller("edit", { path: ".env", ...edit });
  expect(told.text + JSON.stringify(told.data)).not.toMatch(/Zq9x|W7bT4m|hY5/);
});

it.each([
  { name: "takes a secret apart", edit: { oldText: "API_TOKEN=p", newText: "note " }, code: "pending" },
  { name: "cuts a secret in two", edit: { oldText: "pQ3vLs0e", newText: "pQ3vLs0e " }, code: "pending" },
  { name: "renames one", edit: { oldText: "API_TOKEN", newText: "OTHER_TOKEN" }, code: "ok" },
  { name: "puts another in its place", edit: { oldText: "‹secret:API_TOKEN#1›", newText: "pQ3vLs0eNew" }, code: "ok" },
])("an edit that $name: $code", async ({ edit, code }) => {
  const options = { approver: async () => undefined };
  const caller = callerOn(scratch({ ".env": "API_TOKEN=pQ3vLs0eZq9xW7bT4mK2pR8vL3nC6hY5\n" }), options);
  await caller("read", { path: ".env" });
  expect(await caller("edit", { path: ".env", ...edit })).toMatchObject({ code });
});
