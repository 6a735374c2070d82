import { pathToFileURL } from "node:url";
import { basename, join } from "node:path";
import { describe, expect, it } from "vitest";
import { scratch, together } from "../runtime/scratch.ts";
import { connect, ERAS } from "./bin.ts";
import { openGreeted } from "./wire.ts";

const PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
const TREE = {
  ".env": "API_TOKEN=t0ps3cr3t-value\n",
  "a.txt": "one\ntwo\n",
  "b c#%.txt": "odd name",
  "latin.txt": Buffer.from("caf\u00e9\n", "latin1"),
  "empty.txt": "",
  "long.txt": "0123456789\n".repeat(10_000),
  "dot.png": Buffer.from(PNG, "base64"),
  "sub/inner.txt": "inner",
  "sub/program.bin": Buffer.from([0x7f, 0x45, 0x4c, 0x46, 0, 1, 2, 3]),
  "sub/inside/deep.txt": "deep",
  out: { link: "../../outside.txt" },
};

const listed = (root: string, name: string, size: number) => ({ uri: uriOf(root, name), name, size });
const uriOf = (...path: readonly string[]) => pathToFileURL(join(...path)).href;

describe.each(ERAS)("$era", ({ options }) => {
  const root = together((atEnd) => scratch(TREE, atEnd));
  const client = together((atEnd) => connect(root(), options, atEnd));

  it("lists the files of the root, by address", async () => {
    const { resources } = await client().listResources();
    expect(resources).toEqual([
      { ...listed(root(), ".env", 26), mimeType: "text/plain" },
      listed(root(), "a.txt", 8),
      listed(root(), "b c#%.txt", 8),
      listed(root(), "dot.png", 70),
      listed(root(), "empty.txt", 0),
      listed(root(), "latin.txt", 5),
      listed(root(), "long.txt", 110_000),
    ]);
  });

  it("has one template", async () => {
    const { resourceTemplates } = await client().listResourceTemplates();
    expect(resourceTemplates).toEqual([
      { name: "file", title: "A file inside the roots", uriTemplate: "file:///{+path}" },
    ]);
  });

  it.each([
    { name: "a.txt", text: "one\ntwo\n" },
    { name: "b c#%.txt", text: "odd name" },
    { name: "latin.txt", text: "caf\u00e9\n" },
    { name: ".env", text: "API_TOKEN=‹secret:API_TOKEN#1›\n" },
    { name: "sub/inner.txt", text: "inner" },
  ])("reads $name", async ({ name, text }) => {
    const uri = uriOf(root(), name);
    const { contents } = await client().readResource({ uri });
    expect(contents).toEqual([{ uri, mimeType: "text/plain", text }]);
  });

  it("an empty file is empty, and not a remark about it", async () => {
    const uri = uriOf(root(), "empty.txt");
    expect((await client().readResource({ uri })).contents).toMatchObject([{ uri, text: "" }]);
  });

  it("a file longer than a page comes whole", async () => {
    const uri = uriOf(root(), "long.txt");
    const { contents } = await client().readResource({ uri });
    expect(contents).toEqual([{ uri, mimeType: "text/plain", text: TREE["long.txt"] }]);
  });

  it("what is neither text nor an image comes as bytes", async () => {
    const uri = uriOf(root(), "sub/program.bin");
    const { contents } = await client().readResource({ uri });
    const blob = TREE["sub/program.bin"].toString("base64");
    expect(contents).toEqual([{ uri, mimeType: "application/octet-stream", blob }]);
  });

  it("reads an image as bytes", async () => {
    const uri = uriOf(root(), "dot.png");
    expect((await client().readResource({ uri })).contents).toEqual([{ uri, mimeType: "image/png", blob: PNG }]);
  });

  it.each([
    { name: "a missing file", uri: (at: string) => uriOf(at, "none.txt"), says: "does not exist" },
    { name: "a directory", uri: (at: string) => uriOf(at, "sub"), says: "it is a directory" },
    { name: "the outside", uri: () => "file:///etc/passwd", says: "not inside" },
    { name: "a way up", uri: (at: string) => `${uriOf(at)}/../../x`, says: "not inside" },
    { name: "a link to the outside", uri: (at: string) => uriOf(at, "out"), says: "leads outside" },
    { name: "another machine", uri: () => "file://elsewhere/a.txt", says: "give a file:/// URI of this machine" },
    { name: "another scheme", uri: () => "https://example.com/a.txt", says: "give a file:/// URI of this machine" },
    { name: "no address", uri: () => "a.txt", says: "give a file:/// URI of this machine" },
  ])("refuses $name, and goes on", async ({ uri, says }) => {
    const asked = uri(root());
    const reading = client().readResource({ uri: asked });
    await expect(reading).rejects.toMatchObject({ message: expect.stringContaining(says), data: { uri: asked } });
    expect((await client().readResource({ uri: uriOf(root(), "a.txt") })).contents).toHaveLength(1);
  });

  const complete = async (value: string) => {
    const ref = { type: "ref/resource" as const, uri: "file:///{+path}" };
    const { completion } = await client().complete({ ref, argument: { name: "path", value } });
    return completion;
  };

  it.each([
    {
      typed: "/",
      values: [".env", "a.txt", "b c#%.txt", "dot.png", "empty.txt", "latin.txt", "long.txt", "out", "sub/"],
    },
    { typed: "/l", values: ["latin.txt", "long.txt"] },
    { typed: "/sub/", values: ["sub/inner.txt", "sub/inside/", "sub/program.bin"] },
    { typed: "/sub/ins", values: ["sub/inside/"] },
    { typed: "/none/", values: [] },
  ])("completes $typed", async ({ typed, values }) => {
    const at = root().slice(1);
    expect(await complete(`${at}${typed}`)).toMatchObject({
      values: values.map((value) => `${at}/${value}`),
      total: values.length,
      hasMore: false,
    });
  });

  it("completes the way to the root", async () => {
    const at = root().slice(1);
    expect((await complete(at.slice(0, -2))).values).toEqual([at]);
    expect((await complete("")).values).toEqual([at]);
  });

  it("does not tire of completing in one directory, or of listing", async () => {
    const at = root().slice(1);
    for (let time = 0; time < 25; time++) expect((await complete(`${at}/a`)).values).toEqual([`${at}/a.txt`]);
    for (let time = 0; time < 25; time++)
      expect((await client().listResources(undefined, { cacheMode: "bypass" })).resources).toHaveLength(7);
  });
});

it("lists a directory of more than a page, and completes at most a hundred", async () => {
  const names = Array.from({ length: 1500 }, (_, n) => `file-${String(n).padStart(4, "0")}`);
  const root = scratch(Object.fromEntries(names.map((name) => [name, ""])));
  const client = await connect(root);
  expect((await client.listResources()).resources.map(({ name }) => name)).toEqual(names);
  const ref = { type: "ref/resource" as const, uri: "file:///{+path}" };
  const { completion } = await client.complete({ ref, argument: { name: "path", value: `${root.slice(1)}/file-0` } });
  expect(completion).toMatchObject({ hasMore: true });
  expect(completion.values.map((value) => basename(value))).toEqual(names.slice(0, 100));
});

it("refuses to cut a file that is too large, and says what to do", async () => {
  const root = scratch({ "big.txt": "0123456789abcde\n".repeat(600_000) });
  const client = await connect(root);
  await expect(client.readResource({ uri: uriOf(root, "big.txt") })).rejects.toThrow(/too large; use the read tool/);
});

it("completes names that lie beyond the first page of a directory", async () => {
  const names = Array.from({ length: 1500 }, (_, n) => `file-${String(n).padStart(4, "0")}`);
  const root = scratch(Object.fromEntries(names.map((name) => [name, ""])));
  const client = await connect(root);
  const ref = { type: "ref/resource" as const, uri: "file:///{+path}" };
  const { completion } = await client.complete({ ref, argument: { name: "path", value: `${root.slice(1)}/file-149` } });
  expect(completion.values.map((value) => basename(value))).toEqual(names.slice(1490));
});

it("lists one root after the other", async () => {
  const [one, two] = [scratch({ "1.txt": "", sub: null }), scratch({ "2.txt": "" })];
  const wire = await openGreeted(one, { args: [two] });
  const list = async (id: string, params: object) => {
    wire.say({ jsonrpc: "2.0", id, method: "resources/list", params });
    return (await wire.answer(id))["result"] as { resources: { uri: string }[]; nextCursor?: string };
  };
  const first = await list("first", {});
  expect(first.resources.map(({ uri }) => uri)).toEqual([uriOf(one, "1.txt")]);
  const second = await list("second", { cursor: first.nextCursor });
  expect(second.resources.map(({ uri }) => uri)).toEqual([uriOf(two, "2.txt")]);
  expect(second.nextCursor).toBeUndefined();
});

it("refuses a cursor that it did not make", async () => {
  const client = await connect(scratch({ "a.txt": "" }));
  for (const cursor of ["9:", "x", "-1:", "0:abc"])
    await expect(client.listResources({ cursor })).rejects.toThrow(/copy it unchanged/);
});
