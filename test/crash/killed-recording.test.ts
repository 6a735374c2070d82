import { expect, it } from "vitest";
import { runAlone, WITH_OWN_MOUNTS } from "../contracts/run-alone.ts";

const PROGRAM = "test/crash/fixtures/die-recording.ts";

const EVERYTHING =
  "echo more >> a.txt; mkdir -p new/in; echo 1 > new/in/1; mv b.txt new; rm -rf dir/deep; chmod 755 locked.txt;" +
  "rm link; ln -s b.txt link";

/**
 * A process that is killed while it records what a command did to the files, never touches them, and loses nothing: the
 * next one records it, undo brings all back, and nothing of the picture is left.
 */
it.each([
  { name: "a file is changed", command: "echo more >> a.txt", disk: "none" },
  { name: "all is deleted", command: "rm -rf -- *", disk: "none" },
  { name: "many things", command: EVERYTHING, disk: "none" },
  { name: "many things", command: EVERYTHING, disk: "state" },
])("killed at every instant while $name, disk: $disk", ({ command, disk }) => {
  const report = runAlone(PROGRAM, { command, disk }, { through: WITH_OWN_MOUNTS });
  expect(report).toEqual({ deaths: expect.toSatisfy((deaths: number) => deaths > 0), problems: [] });
});
