import { expect, it } from "vitest";
import { runAlone, WITH_OWN_MOUNTS } from "../contracts/run-alone.ts";

const PROGRAM = "test/crash/fixtures/die-applying.ts";

const EVERYTHING =
  "echo more >> a.txt; mkdir -p new/in; echo 1 > new/in/1; mv b.txt new; rm -rf dir/deep; chmod 755 locked.txt;" +
  "rm link; ln -s b.txt link; rm -rf disk/tree; echo file > disk/tree; echo x > twin; echo far >> disk/far.txt";

const ROWS = [
  { name: "a file is changed", command: "echo more >> a.txt" },
  { name: "a file with two names is changed", command: "echo more >> twin" },
  { name: "a directory is new", command: "mkdir -p new/in; echo 1 > new/in/1" },
  { name: "a directory is made again", command: "rm -rf dir; mkdir dir; echo again > dir/inner.txt" },
  { name: "all is deleted", command: "rm -rf -- *" },
  { name: "many things", command: EVERYTHING },
];

/**
 * A process that is killed while it applies what a command left, leaves all of it or nothing. The next one erases the
 * rest of the view. Nothing can stay mounted: the mounts were those of the command.
 */
it.each([
  ...ROWS.map((row) => ({ ...row, disk: "none", recovering: false })),
  { name: "many things", command: EVERYTHING, disk: "state", recovering: false },
  { name: "a directory is made again", command: ROWS[3]?.command, disk: "none", recovering: true },
])("killed at every instant while $name, disk: $disk, recovering: $recovering", ({ command, disk, recovering }) => {
  const report = runAlone(PROGRAM, { command, disk, recovering }, { through: WITH_OWN_MOUNTS });
  expect(report).toEqual({ deaths: expect.toSatisfy((deaths: number) => deaths > 0), problems: [] });
});
