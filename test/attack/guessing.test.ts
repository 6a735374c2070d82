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
  const answer = await caller("edit", { path: ".env", ...edit });
  expect(answer.text + JSON.stringify(answer.data)).not.toMatch(/Zq9x|W7bT4m|hY5/);
});

const VALUE = "pQ3vLs0eZq9xW7bT4mK2pR8vL3nC6hY5";
/** As long as the other, and different from it everywhere. */
const OTHER = "Xk8RtM2yHd5NbG1jUwE6cFzA0oVi9S7l";

it.each([
  { name: "begins right", edit: { oldText: "API_TOKEN=pQ3", newText: "x" } },
  { name: "is in its middle", edit: { oldText: "W7bT4m", newText: "x" } },
  { name: "stands elsewhere too", edit: { oldText: "Zq9x", newText: "x", replaceAll: true } },
  { name: "stands elsewhere too, once", edit: { oldText: "Zq9x", newText: "x" } },
  { name: "is a pattern", edit: { oldText: "API_TOKEN=p.*", newText: "x", regex: true } },
  { name: "is a pattern for all others", edit: { oldText: "API_TOKEN=[^p].*", newText: "x", regex: true } },
  { name: "is put there", edit: { oldText: "PORT=1", newText: VALUE } },
])("an edit that guesses is answered the same, right or wrong: it $name", async ({ edit }) => {
  const answerFor = async (value: string) => {
    const caller = callerOn(scratch({ ".env": `# Zq9x\nAPI_TOKEN=${value}\nPORT=3000\n` }));
    await caller("read", { path: ".env" });
    const { text, data } = await caller("edit", { path: ".env", dry_run: true, ...edit });
    return { text: text.replaceAll(/c-[0-9a-f]+/g, "c-"), data };
  };
  expect(await answerFor(VALUE)).toEqual(await answerFor(OTHER));
});

it("a message that ends within a secret shows its placeholder, and nothing that stands for it", async () => {
  const caller = callerOn(scratch({ ".env": `API_KEY=hunter2hunter2xyz\nDB_PASSWORD=${OTHER}\n` }));
  await caller("read", { path: ".env" });
  const { text } = await caller("edit", { path: ".env", oldText: "API_KEY=guess", newText: "x" });
  expect(text).toContain("‹secret:DB_PASSWORD#1›");
  expect(text).not.toMatch(/[\u3400-\u4dbf]/);
});

it("a patch that guesses is answered the same, right or wrong", async () => {
  const patch = ["*** Begin Patch", "*** Update File: .env", "@@", "-API_TOKEN=pQ3vLs0", "+x", "*** End Patch"];
  const answerFor = async (value: string) =>
    callerOn(scratch({ ".env": `API_TOKEN=${value}\nPORT=3000\n` }))("apply_patch", { input: patch.join("\n") });
  expect(await answerFor(VALUE)).toEqual(await answerFor(OTHER));
});

it.each([
  { name: "would take a secret apart", edit: { oldText: "API_TOKEN=p", newText: "note " }, code: "no_match" },
  { name: "would cut a secret in two", edit: { oldText: "pQ3vLs0e", newText: "pQ3vLs0e " }, code: "no_match" },
  { name: "takes one apart", edit: { oldText: "API_TOKEN=.{8}", newText: "x", regex: true }, code: "pending" },
  { name: "keeps a part of one", edit: { oldText: "(=.).*", newText: "$1", regex: true }, code: "invalid_input" },
  { name: "keeps one", edit: { oldText: "(=.*)", newText: "$1 # it", regex: true }, code: "ok" },
  { name: "renames one", edit: { oldText: "API_TOKEN", newText: "OTHER_TOKEN" }, code: "ok" },
  { name: "puts another in its place", edit: { oldText: "‹secret:API_TOKEN#1›", newText: "pQ3vLs0eNew" }, code: "ok" },
])("an edit that $name: $code", async ({ edit, code }) => {
  const options = { approver: async () => undefined };
  const caller = callerOn(scratch({ ".env": "API_TOKEN=pQ3vLs0eZq9xW7bT4mK2pR8vL3nC6hY5\n" }), options);
  await caller("read", { path: ".env" });
  expect(await caller("edit", { path: ".env", ...edit })).toMatchObject({ code });
});
