import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import {
  canWrite,
  formatNamed,
  packArchive,
  type WritableFormat,
} from "../../../src/content/archives/archive-writer.ts";
import { collectBytes } from "../../../src/base/collect-bytes.ts";
import { needs } from "../../programs.ts";
import { scratch } from "../../runtime/scratch.ts";
import { unpackedFrom } from "./unpacked.ts";

const LONG = `${"long/".repeat(30)}näme.txt`;
const file = (path: string, text: string, mode = 0o644) => ({
  path,
  kind: "file" as const,
  content: Buffer.from(text),
  size: Buffer.byteLength(text),
  mode,
  modifiedMs: Date.UTC(2026, 10, 18, 8, 30, 12),
});
const ENTRIES = [
  { ...file("d", "", 0o750), kind: "directory" as const },
  file("d/a.txt", "text ".repeat(1000), 0o755),
  file("empty", ""),
  file(LONG, "x"),
];
const packed = (format: WritableFormat): Promise<Buffer> =>
  collectBytes(
    packArchive(format, ENTRIES, async function* ({ content }) {
      yield content;
    }),
  );
const LIST_ZIP =
  "import zipfile\nz=zipfile.ZipFile('packed')\nassert z.testzip() is None\nprint('\\n'.join(z.namelist()))";
const FORMATS: readonly WritableFormat[] = ["zip", "tar", "tar.gz", "tar.zst"];
const WRITABLE = FORMATS.filter(canWrite);

it.each(WRITABLE)("%s gives back what was packed, and the same bytes each time", async (format) => {
  const made = await packed(format);
  expect(await unpackedFrom(made)).toEqual({
    d: "directory 750",
    "d/a.txt": `file 755 ${"text ".repeat(1000)}`.trimEnd(),
    empty: "file 644",
    [LONG]: "file 644 x",
  });
  expect((await packed(format)).equals(made)).toBe(true);
});

it.each([
  { format: "zip", program: "python3", args: ["-c", LIST_ZIP] },
  { format: "tar", program: "tar", args: ["-tf", "packed"] },
  { format: "tar.gz", program: "tar", args: ["-tzf", "packed"] },
] as const)("$program lists a $format", async ({ format, program, args }) => {
  needs(program);
  const root = scratch();
  writeFileSync(join(root, "packed"), await packed(format));
  const listed = execFileSync(program, [...args], {
    cwd: root,
    encoding: "utf8",
    env: { ...process.env, LC_ALL: "C.UTF-8" },
  });
  expect(listed.trimEnd().split("\n")).toEqual(["d/", "d/a.txt", "empty", LONG]);
});

it.each([
  { name: "a.zip", format: "zip" },
  { name: "a.TAR.GZ", format: "tar.gz" },
  { name: "a.tgz", format: "tar.gz" },
  { name: "a.tar.zst", format: "tar.zst" },
  { name: "a.gz", format: undefined },
  { name: "zip", format: undefined },
])("$name asks for $format", ({ name, format }) => {
  expect(formatNamed(name)).toBe(format);
});
