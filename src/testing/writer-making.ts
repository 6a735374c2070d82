import { Fault } from "../base/errors.ts";
import type { Facts } from "../storage/storage.ts";
import type { StreamedTree } from "../storage/writer.ts";
import type { Row } from "./writer-row.ts";

const bytes = Buffer.from("new");
const copyOfDir = (name: string) => [
  `${name}/`,
  `${name}/below/`,
  `${name}/below/deep = dir/below/deep`,
  `${name}/beside = dir/beside`,
];

const STREAMED: StreamedTree = {
  source: "a test",
  entries: [
    { path: "", kind: "directory" },
    { path: "below", kind: "directory", mode: 0o750 },
    { path: "below/deep", kind: "file", size: 8, mode: 0o640, modifiedMs: 1_700_000_000_000 },
    { path: "twin", kind: "file", size: 8, copyOf: "below/deep" },
  ],
  withContents: (use) =>
    use(async function* () {
      yield Buffer.from("stream");
      yield Buffer.from("ed");
    }),
};

const brokenAfter = (tree: StreamedTree): StreamedTree => ({
  ...tree,
  withContents: (use) =>
    use(async function* () {
      yield Buffer.from("half");
      throw new Fault("stale", "Cannot go on: it was changed meanwhile");
    }),
});

const STAGING: readonly Row[] = [
  { name: "stages bytes", act: ({ writer, at }) => writer.stage(at("new"), { bytes }, {}), plus: ["new = new"] },
  {
    name: "stages no bytes",
    act: ({ writer, at }) => writer.stage(at("dir/new"), { bytes: new Uint8Array() }, {}),
    plus: ["dir/new = "],
  },
  {
    name: "stages bytes as an object",
    act: ({ writer, object }) => writer.stage(object("a"), { bytes }, {}),
    kept: { a: "new" },
  },
  {
    name: "stages a copy of a file",
    act: ({ writer, at }) => writer.stage(at("dir/new"), { copyOf: at("file") }, {}),
    plus: ["dir/new = old"],
  },
  {
    name: "stages a copy of a link as a link",
    act: ({ writer, at }) => writer.stage(at("new"), { copyOf: at("link") }, {}),
    plus: ["new => file"],
  },
  {
    name: "stages a copy of a link to the outside as a link",
    act: ({ writer, at }) => writer.stage(at("new"), { copyOf: at("out") }, { mode: 0o600 }),
    plus: ["new => outside_workspace"],
  },
  {
    name: "stages a copy of a tree",
    act: ({ writer, at }) => writer.stage(at("new"), { copyOf: at("dir") }, {}),
    plus: copyOfDir("new"),
  },
  {
    name: "stages a copy of a tree with links, as links",
    act: async ({ writer, at }) => {
      writer.move(at("out"), at("dir/out"), "new");
      await writer.stage(at("new"), { copyOf: at("dir") }, {});
    },
    minus: ["out => outside_workspace"],
    plus: [...copyOfDir("new"), "dir/out => undefined", "new/out => undefined"],
  },
  {
    name: "stages a file into the store and back",
    act: async ({ writer, at, object }) => {
      await writer.stage(object("a"), { copyOf: at("file") }, {});
      await writer.stage(at("new"), { copyOf: object("a") }, {});
    },
    plus: ["new = old"],
    kept: { a: "old" },
  },
  {
    name: "stages a tree into the store and back",
    act: async ({ writer, at, object }) => {
      await writer.stage(object("a"), { copyOf: at("dir") }, {});
      await writer.stage(at("new"), { copyOf: object("a") }, {});
    },
    plus: copyOfDir("new"),
    kept: { a: "directory" },
  },
  {
    name: "stages a tree that is streamed",
    act: async ({ writer, at }) => {
      await writer.stage(at("new"), { streamed: STREAMED }, {});
      const { mode, modifiedMs } = writer.stat(at("new/below/deep")) as Facts;
      return [writer.stat(at("new/below"))?.mode, mode, modifiedMs];
    },
    gives: [0o750, 0o640, 1_700_000_000_000],
    plus: ["new/", "new/below/", "new/below/deep = streamed", "new/twin = streamed"],
  },
  {
    name: "stages a tree that is streamed into the store",
    act: ({ writer, object }) => writer.stage(object("a"), { streamed: STREAMED }, {}),
    kept: { a: "directory" },
  },
  {
    name: "leaves nothing of a stream that breaks",
    act: async ({ writer, at, object }) => {
      const codes: unknown[] = [];
      for (const place of [at("new"), object("a")])
        await writer.stage(place, { streamed: brokenAfter(STREAMED) }, {}).catch(({ code }) => codes.push(code));
      return codes;
    },
    gives: ["stale", "stale"],
  },
  {
    name: "takes over the mode of another file",
    act: async ({ writer, at }) => {
      writer.setMode(at("other"), 0o640);
      await writer.stage(at("new"), { bytes }, { like: at("other") });
      await writer.stage(at("copy"), { copyOf: at("file") }, { like: at("other") });
      return [writer.stat(at("new"))?.mode, writer.stat(at("copy"))?.mode];
    },
    gives: [0o640, 0o640],
    plus: ["copy = old", "new = new"],
  },
  {
    name: "takes the given mode",
    act: async ({ writer, at }) => {
      await writer.stage(at("new"), { bytes }, { mode: 0o751, like: at("other") });
      await writer.stage(at("copy"), { copyOf: at("file") }, { mode: 0o600 });
      return [writer.stat(at("new"))?.mode, writer.stat(at("copy"))?.mode];
    },
    gives: [0o751, 0o600],
    plus: ["copy = old", "new = new"],
  },
  {
    name: "copies modes, those inside a tree whatever mode the tree is given",
    act: async ({ writer, at }) => {
      writer.setMode(at("dir/beside"), 0o640);
      writer.setMode(at("dir/below"), 0o750);
      await writer.stage(at("new"), { copyOf: at("dir") }, { mode: 0o700 });
      return ["new", "new/beside", "new/below"].map((path) => writer.stat(at(path))?.mode);
    },
    gives: [0o700, 0o640, 0o750],
    plus: copyOfDir("new"),
  },
  {
    name: "is not changed when the bytes are used for something else",
    act: async ({ writer, at }) => {
      const mine = Buffer.from("mine");
      await writer.stage(at("new"), { bytes: mine }, {});
      mine.fill("x");
    },
    plus: ["new = mine"],
  },
  ...["file", "dir", "empty", "link", "to-nothing"].flatMap((path): Row[] => [
    {
      name: `stages no bytes over ${path}`,
      act: ({ writer, at }) => writer.stage(at(path), { bytes }, {}),
      gives: "exists",
    },
    {
      name: `stages no streamed tree over ${path}`,
      act: ({ writer, at }) => writer.stage(at(path), { streamed: STREAMED }, {}),
      gives: "exists",
    },
    {
      name: `stages no copy over ${path}`,
      act: ({ writer, at }) => writer.stage(at(path), { copyOf: at("dir") }, {}),
      gives: "exists",
    },
  ]),
  ...["dir/new", "dir/below/new"].map((path): Row => ({
    name: `stages no copy of a directory into itself: ${path}`,
    act: ({ writer, at }) => writer.stage(at(path), { copyOf: at("dir") }, {}),
    gives: "invalid_input",
  })),
  {
    name: "stages no copy of nothing",
    act: ({ writer, at }) => writer.stage(at("new"), { copyOf: at("nope") }, {}),
    gives: "not_found",
  },
  ...["nope", "link", "dir"].map((path): Row => ({
    name: `leaves nothing when "like" names ${path}`,
    act: async ({ writer, at, object }) => {
      const codes: unknown[] = [];
      for (const content of [{ bytes }, { copyOf: at("file") }, { copyOf: at("dir") }])
        for (const place of [at("new"), object("a")])
          await writer.stage(place, content, { like: at(path) }).catch(({ code }) => codes.push(code));
      return codes;
    },
    gives: Array.from({ length: 6 }, () => ({ nope: "not_found", link: "swapped", dir: "not_a_file" })[path]),
  })),
];

const KEEPING: readonly Row[] = [
  {
    name: "backs up a file",
    act: ({ writer, at, object }) => writer.backUp(at("file"), object("a")),
    kept: { a: "old" },
  },
  {
    name: "keeps the backup when the file is replaced",
    act: ({ writer, at, object }) => {
      writer.backUp(at("file"), object("a"));
      writer.move(at("other"), at("file"), "over");
    },
    minus: ["file = old", "other = other"],
    plus: ["file = other"],
    kept: { a: "old" },
  },
  {
    name: "moves a backup back, over the file itself too",
    act: ({ writer, at, object }) => {
      writer.backUp(at("file"), object("a"));
      writer.move(object("a"), at("file"), "over");
      return writer.stat(at("file"))?.links;
    },
    gives: 1,
  },
  {
    name: "backs up a file twice, the second time as it is now",
    act: ({ writer, at, object }) => {
      writer.backUp(at("file"), object("a"));
      writer.backUp(at("file"), object("b"));
      writer.remove(object("a"));
      writer.append(at("file"), bytes, 3);
    },
    minus: ["file = old"],
    plus: ["file = oldnew"],
    kept: { b: "old" },
  },
  {
    name: "backs up mode and time",
    act: ({ writer, at, object }) => {
      writer.setMode(at("file"), 0o640);
      const was = writer.stat(at("file"))?.modifiedMs;
      for (const name of ["a", "b"]) writer.backUp(at("file"), object(name));
      return ["a", "b"].map((name) => {
        const facts = writer.stat(object(name));
        return facts && [facts.mode, facts.modifiedMs === was];
      });
    },
    gives: [
      [0o640, true],
      [0o640, true],
    ],
    kept: { a: "old", b: "old" },
  },
  {
    name: "does not back up over an existing object",
    act: ({ writer, at, object }) => {
      writer.backUp(at("file"), object("a"));
      writer.backUp(at("other"), object("a"));
    },
    gives: "exists",
    kept: { a: "old" },
  },
  ...Object.entries({ nope: "not_found", dir: "not_a_file", link: "swapped", out: "swapped" }).map(
    ([path, gives]): Row => ({
      name: `does not back up ${path}`,
      act: ({ writer, at, object }) => writer.backUp(at(path), object("a")),
      gives,
    }),
  ),
];

const CHANGING: readonly Row[] = [
  {
    name: "recognizes empty directories",
    act: ({ writer, at }) => ["empty", "nope", "dir", "file", "to-dir", "out"].map((path) => writer.isEmpty(at(path))),
    gives: [true, true, false, false, false, false],
  },
  {
    name: "gives the content of files, in the store or not",
    act: ({ writer, at, object }) => {
      writer.backUp(at("file"), object("a"));
      const places = [at("file"), object("a"), at("dir"), at("link"), at("out"), at("nope"), object("b")];
      return places.map((place) => writer.contentOf(place)?.length ?? null);
    },
    gives: [3, 3, null, null, null, null, null],
    kept: { a: "old" },
  },
  {
    name: "reads a part of a file",
    act: ({ writer, at }) => {
      const part = (from: number, most?: number) =>
        Buffer.from(writer.contentOf(at("file"), from, most) ?? "none").toString();
      return [part(0), part(0, 2), part(1), part(1, 1), part(1, 9), part(3, 1), part(9, 1)];
    },
    gives: ["old", "ol", "ld", "l", "ld", "", ""],
  },
  { name: "makes a directory", act: ({ writer, at }) => writer.makeDirectory(at("dir/new")), plus: ["dir/new/"] },
  ...["file", "dir", "link", "to-nothing"].map((path): Row => ({
    name: `makes no directory where ${path} is`,
    act: ({ writer, at }) => writer.makeDirectory(at(path)),
    gives: "exists",
  })),
  {
    name: "sets modes",
    act: ({ writer, at }) => {
      writer.setMode(at("file"), 0o640);
      writer.setMode(at("dir"), 0o710);
      return [writer.stat(at("file"))?.mode, writer.stat(at("dir"))?.mode];
    },
    gives: [0o640, 0o710],
  },
  {
    name: "appends",
    act: ({ writer, at }) => writer.append(at("file"), bytes, 3),
    minus: ["file = old"],
    plus: ["file = oldnew"],
  },
  { name: "appends nothing", act: ({ writer, at }) => writer.append(at("file"), new Uint8Array(), 3) },
  ...[0, 2, 4].map((size): Row => ({
    name: `does not append to a file that should be ${size} long`,
    act: ({ writer, at }) => writer.append(at("file"), bytes, size),
    gives: "stale",
  })),
  {
    name: "truncates",
    act: ({ writer, at }) => writer.truncate(at("file"), 1),
    minus: ["file = old"],
    plus: ["file = o"],
  },
  ...["a", "longer than before", ""].map((text): Row => ({
    name: `writes ${JSON.stringify(text)} in place: the same file, another content`,
    act: ({ writer, at }) => {
      const was = writer.stat(at("file"))?.identity;
      writer.rewrite(at("file"), Buffer.from(text));
      return writer.stat(at("file"))?.identity === was && !writer.isMounted(at("file"));
    },
    gives: true,
    minus: ["file = old"],
    plus: [`file = ${text}`],
  })),
  { name: "truncates nothing", act: ({ writer, at }) => writer.truncate(at("file"), 3) },
  {
    name: "does not lengthen a file by truncating",
    act: ({ writer, at }) => writer.truncate(at("file"), 4),
    gives: "stale",
  },
  {
    name: "does not follow a link when it sets a mode",
    act: ({ writer, at }) => writer.setMode(at("link"), 0o600),
    gives: "swapped",
  },
  { name: "sets no mode of nothing", act: ({ writer, at }) => writer.setMode(at("nope"), 0o600), gives: "not_found" },
  ...Object.entries({ nope: "not_found", dir: "not_a_file", link: "swapped", out: "swapped" }).flatMap(
    ([path, gives]): Row[] => [
      { name: `does not append to ${path}`, act: ({ writer, at }) => writer.append(at(path), bytes, 0), gives },
      { name: `does not rewrite ${path}`, act: ({ writer, at }) => writer.rewrite(at(path), bytes), gives },
      { name: `does not truncate ${path}`, act: ({ writer, at }) => writer.truncate(at(path), 0), gives },
    ],
  ),
];

/** Lists uses of the writer that create, back up or change something in its place. */
export const MAKING: readonly Row[] = [...STAGING, ...KEEPING, ...CHANGING];
