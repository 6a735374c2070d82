import { execFileSync } from "node:child_process";
import { cpSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { scratch, stateBeside } from "../../../runtime/scratch.ts";
import { pictureOf, viewedWorkspace } from "./on-view.ts";

const TREE = {
  "a.txt": "one\ntwo\nthree\n",
  "b.txt": "another\n",
  "big.bin": new Uint8Array(2 << 20),
  "src/main.ts": "export const main = 1;\n",
  "src/deep/inner.ts": "inner\n",
  "src/deep/other.ts": "other\n",
  empty: null,
  link: { link: "a.txt" },
  dirlink: { link: "src" },
};

const COMMANDS: Readonly<Record<string, string>> = {
  append: "echo four >> a.txt",
  "replace by a rename": "sed -i s/two/TWO/ a.txt",
  truncate: ": > a.txt",
  create: "echo new > new.txt",
  "create in a directory": "echo new > src/deep/new.txt",
  "create directories": "mkdir -p x/y/z && echo 1 > x/y/z/1 && echo 2 > x/2",
  "create an empty directory": "mkdir fresh empty/fresh",
  delete: "rm a.txt src/main.ts",
  "delete directories": "rm -rf src empty",
  "delete everything": "rm -rf -- * .[!.]* || true",
  "delete and make again": "rm -rf src && mkdir -p src/deep && echo again > src/deep/inner.ts",
  "delete some of a directory": "rm -rf src/deep && echo x > src/x",
  "rename a file": "mv a.txt src/moved.txt",
  "rename over a file": "mv a.txt b.txt",
  "rename a directory": "mv src renamed",
  "rename into a new directory": "mkdir in && mv a.txt b.txt src in",
  swap: "mv a.txt t && mv b.txt a.txt && mv t b.txt",
  "permissions of a file": "chmod 600 a.txt && chmod 755 b.txt",
  "permissions and content": "echo x >> a.txt && chmod 400 a.txt",
  "permissions of a directory": "chmod 700 src && chmod 750 src/deep",
  "a directory that is closed": "echo x > src/x && chmod 500 src",
  "a new directory that is closed": "mkdir shut && echo x > shut/x && chmod 555 shut",
  "times only": "touch a.txt src && touch -d 2001-01-01 b.txt",
  links: "ln -s src/main.ts l && ln -sfn b.txt link && rm dirlink",
  "a link for a file": "rm a.txt && ln -s b.txt a.txt",
  "a file for a link": "rm link && echo file > link",
  "a directory for a file": "rm a.txt && mkdir a.txt && echo x > a.txt/x",
  "a file for a directory": "rm -rf src && echo x > src",
  "hard links": "ln b.txt hard.txt && ln src/main.ts src/hard.ts",
  "a large file": "printf x | dd of=big.bin bs=1 seek=1000000 conv=notrunc status=none",
  "a large file replaced": "head -c 3000000 /dev/zero | tr '\\0' x > t && mv t big.bin",
  "strange names": "echo x > 'a\nb' && echo y > ' ' && echo z > '-\\$(z)' && mkdir 'd\"d' && echo q > 'd\"d/\\'",
  "a private file": "(umask 077 && echo secret > private && mkdir -p hid/den && echo x > hid/den/x)",
  nothing: "true",
  "made and removed": "echo x > t && mkdir d && rm -rf t d",
  git: "git init -q . && git add -A && git -c user.name=n -c user.email=e commit -qm first >/dev/null && rm -rf .git",
};

it.each(Object.entries(COMMANDS))("applies what a command did, and takes it back: %s", async (_, command) => {
  const root = scratch(TREE);
  const native = join(root, "..", "native");
  cpSync(root, native, { recursive: true, preserveTimestamps: true, verbatimSymlinks: true });
  const before = pictureOf(root);
  const { run, plan, commit, call, views } = viewedWorkspace(root);
  execFileSync("sh", ["-ec", command], { cwd: native });
  const view = run(command);
  expect(pictureOf(root)).toEqual(before);
  const planned = await plan(view);
  const record = await commit(planned);
  await views.discard(view.id);
  expect(pictureOf(root)).toEqual(pictureOf(native));
  expect(readdirSync(join(stateBeside(root), ".holdfast-store/views"))).toEqual([]);
  if (record.effects.length === 0) return;
  const undone = await call("undo");
  expect(undone).toMatchObject({ code: "ok" });
  expect(pictureOf(root)).toEqual(before);
  expect(await call("undo", { change_id: undone.data["change_id"] })).toMatchObject({ code: "ok" });
  expect(pictureOf(root)).toEqual(pictureOf(native));
});
