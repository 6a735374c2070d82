import type { Facts } from "../storage/storage.ts";
import type { Row } from "./writer-row.ts";

const bytes = Buffer.from("new");
const DIR = ["dir/", "dir/below/", "dir/below/deep = dir/below/deep", "dir/beside = dir/beside"];
const copyOfDir = (name: string) => [
  `${name}/`,
  `${name}/below/`,
  `${name}/below/deep = dir/below/deep`,
  `${name}/beside = dir/beside`,
];

function shown(found: Facts | null | "unsupported"): string {
  const { kind, size } = found as Facts;
  return `${kind} of ${size} bytes`;
}

const EXCHANGING: readonly Row[] = [
  {
    name: "exchanges two files",
    act: ({ writer, at }) => shown(writer.exchange(at("file"), at("dir/beside"))),
    gives: `file of ${"dir/beside".length} bytes`,
    minus: ["file = old", "dir/beside = dir/beside"],
    plus: ["file = dir/beside", "dir/beside = old"],
  },
  {
    name: "exchanges a file and a directory",
    act: ({ writer, at }) => (writer.exchange(at("file"), at("empty")) as Facts).kind,
    gives: "directory",
    minus: ["file = old", "empty/", "link => file"],
    plus: ["file/", "empty = old", "link => file"],
  },
  {
    name: "exchanges a file and what is in the store, back and forth",
    act: async ({ writer, at, object }) => {
      await writer.stage(object("a"), { bytes }, {});
      for (let times = 0; times < 3; times++) writer.exchange(at("file"), object("a"));
    },
    minus: ["file = old"],
    plus: ["file = new"],
    kept: { a: "old" },
  },
  {
    name: "exchanges links as themselves",
    act: ({ writer, at }) => shown(writer.exchange(at("out"), at("other"))),
    gives: `file of ${"other".length} bytes`,
    minus: ["out => outside_workspace", "other = other"],
    plus: ["out = other", "other => outside_workspace"],
  },
  ...[
    ["file", "nope"],
    ["nope", "file"],
  ].map(([one, other]): Row => ({
    name: `does not exchange ${one} and ${other}`,
    act: ({ writer, at }) => writer.exchange(at(one as string), at(other as string)),
    gives: "not_found",
  })),
];

const RENAMING: readonly Row[] = [
  {
    name: "moves a file",
    act: ({ writer, at }) => writer.move(at("file"), at("dir/new"), "new"),
    minus: ["file = old", "link => file"],
    plus: ["dir/new = old", "link => undefined"],
  },
  {
    name: "moves a link as itself",
    act: ({ writer, at }) => writer.move(at("out"), at("new"), "new"),
    minus: ["out => outside_workspace"],
    plus: ["new => outside_workspace"],
  },
  {
    name: "moves a directory",
    act: ({ writer, at }) => writer.move(at("dir"), at("empty/new"), "new"),
    minus: [...DIR, "to-dir => dir"],
    plus: [...copyOfDir("empty/new"), "to-dir => undefined"],
  },
  {
    name: "moves a file into the store and back",
    act: ({ writer, at, object }) => {
      writer.move(at("other"), object("a"), "new");
      writer.move(object("a"), object("b"), "new");
      writer.move(object("b"), at("new"), "new");
    },
    minus: ["other = other"],
    plus: ["new = other"],
  },
  {
    name: "moves a directory into the store",
    act: ({ writer, at, object }) => writer.move(at("empty"), object("a"), "new"),
    minus: ["empty/"],
    kept: { a: "directory" },
  },
  {
    name: "moves a directory into the store and back",
    act: ({ writer, at, object }) => {
      writer.move(at("dir"), object("a"), "new");
      writer.move(object("a"), at("dir"), "new");
    },
  },
  {
    name: "moves a link into the store, where it has no content",
    act: ({ writer, at, object }) => writer.move(at("out"), object("a"), "new"),
    minus: ["out => outside_workspace"],
    kept: { a: "symlink" },
  },
  ...["file", "dir", "link"].flatMap((from) =>
    ["other", "empty", "to-dir", "to-nothing"].map((to): Row => ({
      name: `does not move ${from} to ${to}, which is there`,
      act: ({ writer, at }) => writer.move(at(from), at(to), "new"),
      gives: "exists",
    })),
  ),
  {
    name: "does not move to an object that is there",
    act: async ({ writer, at, object }) => {
      await writer.stage(object("a"), { bytes }, {});
      writer.move(at("file"), object("a"), "new");
    },
    gives: "exists",
    kept: { a: "new" },
  },
  {
    name: "does not move to itself",
    act: ({ writer, at }) => writer.move(at("file"), at("file"), "new"),
    gives: "exists",
  },
  { name: "stays where it is, over itself", act: ({ writer, at }) => writer.move(at("file"), at("file"), "over") },
  {
    name: "moves over a file",
    act: ({ writer, at }) => writer.move(at("other"), at("file"), "over"),
    minus: ["other = other", "file = old"],
    plus: ["file = other"],
  },
  {
    name: "moves over nothing",
    act: ({ writer, at }) => writer.move(at("other"), at("dir/new"), "over"),
    minus: ["other = other"],
    plus: ["dir/new = other"],
  },
  {
    name: "moves over a link, not over what it leads to",
    act: ({ writer, at }) => writer.move(at("other"), at("link"), "over"),
    minus: ["other = other", "link => file"],
    plus: ["link = other"],
  },
  {
    name: "moves a link over a file",
    act: ({ writer, at }) => writer.move(at("link"), at("other"), "over"),
    minus: ["link => file", "other = other"],
    plus: ["other => file"],
  },
  {
    name: "moves no file over a directory",
    act: ({ writer, at }) => writer.move(at("file"), at("empty"), "over"),
    gives: "not_a_file",
  },
  {
    name: "moves no directory over a file",
    act: ({ writer, at }) => writer.move(at("dir"), at("file"), "over"),
    gives: "not_a_directory",
  },
  {
    name: "moves no directory over a full one",
    act: ({ writer, at }) => writer.move(at("empty"), at("dir"), "over"),
    gives: "not_empty",
  },
  ...(["new", "over"] as const).flatMap((how): Row[] => [
    {
      name: `moves nothing, ${how}`,
      act: ({ writer, at }) => writer.move(at("nope"), at("new"), how),
      gives: "not_found",
    },
    {
      name: `moves no directory into itself, ${how}`,
      act: ({ writer, at }) => writer.move(at("dir"), at("dir/below/new"), how),
      gives: "invalid_input",
    },
  ]),
];

const REMOVING: readonly Row[] = [
  ...["remove", "erase"].flatMap((how): Row[] => {
    const rid = how as "remove" | "erase";
    return [
      { name: `${how}: nothing there is fine`, act: ({ writer, at }) => writer[rid](at("nope")) },
      { name: `${how}: no object there is fine`, act: ({ writer, object }) => writer[rid](object("a")) },
      { name: `${how}: a file`, act: ({ writer, at }) => writer[rid](at("other")), minus: ["other = other"] },
      { name: `${how}: an empty directory`, act: ({ writer, at }) => writer[rid](at("empty")), minus: ["empty/"] },
      {
        name: `${how}: a link, not what it leads to`,
        act: ({ writer, at }) => writer[rid](at("to-dir")),
        minus: ["to-dir => dir"],
      },
      {
        name: `${how}: a link to the outside`,
        act: ({ writer, at }) => writer[rid](at("out")),
        minus: ["out => outside_workspace"],
      },
      {
        name: `${how}: an object`,
        act: async ({ writer, object }) => {
          await writer.stage(object("a"), { bytes }, {});
          await writer[rid](object("a"));
        },
      },
    ];
  }),
  { name: "removes no full directory", act: ({ writer, at }) => writer.remove(at("dir")), gives: "not_empty" },
  {
    name: "erases a tree, of its links only the links",
    act: async ({ writer, at }) => {
      writer.move(at("out"), at("dir/out"), "new");
      writer.move(at("link"), at("dir/below/link"), "new");
      writer.move(at("to-nothing"), at("dir/to-nothing"), "new");
      await writer.erase(at("dir"));
    },
    minus: [...DIR, "out => outside_workspace", "link => file", "to-nothing => undefined", "to-dir => dir"],
    plus: ["to-dir => undefined"],
  },
  {
    name: "erases a tree in the store",
    act: async ({ writer, at, object }) => {
      await writer.stage(object("a"), { copyOf: at("dir") }, {});
      await writer.erase(object("a"));
    },
  },
  {
    name: "is one disk here",
    act: ({ writer, at, object }) => [
      writer.isSameDisk(at("file"), at("dir/nope")),
      writer.isSameDisk(at("file"), object("a")),
      writer.isSameDisk(object("a"), at("new")),
    ],
    gives: [true, true, true],
  },
];

/** Lists uses of the writer that move or remove something. */
export const MOVING: readonly Row[] = [...EXCHANGING, ...RENAMING, ...REMOVING];
