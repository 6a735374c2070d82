import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { checkShareable } from "../../../../src/exec/sandbox/docker/shareable.ts";
import { layout } from "../../../layout.ts";

describe("directories that containers may see", () => {
  it.each(["/", "/etc", "/proc", "/proc/self", "/sys", "/dev", "/root", "/boot", "/run", "/usr/bin", "/var", "/home"])(
    "do not include %s",
    (path) => {
      expect(() => checkShareable(path, [])).toThrow(`Cannot share "${path}" with a container`);
    },
  );

  it("are named by their real path", () => {
    const root = layout(["dir/a"]);
    symlinkSync("/etc", join(root, "link"));
    symlinkSync("dir", join(root, "inside"));
    for (const name of ["link", "inside", "inside/../dir", "missing"])
      expect(() => checkShareable(join(root, name).replace("/dir", "/inside/../dir"), [])).toThrow("real path");
    checkShareable(join(root, "dir"), []);
  });

  it("are no part of ours, but may hold one, which is masked then", () => {
    const root = layout([]);
    mkdirSync(join(root, "state/deep"), { recursive: true });
    const closed = [join(root, "state")];
    for (const name of ["state", "state/deep"])
      expect(() => checkShareable(join(root, name), closed)).toThrow("Holdfast keeps its own files there");
    checkShareable(root, closed);
  });
});
