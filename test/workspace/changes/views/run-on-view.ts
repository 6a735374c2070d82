import { execFileSync } from "node:child_process";
import type { HeldView } from "../../../../src/workspace/changes/views/held-view.ts";

/** Runs a command in a namespace with overlays at the paths of the roots, as a sandbox does. */
export function runOn({ layers }: HeldView, command: string, options = "userxattr,volatile"): void {
  const mounts = layers.map(
    ({ root, upper, work }) =>
      `mount -t overlay overlay -o 'lowerdir=${root},upperdir=${upper},workdir=${work},${options}' '${root}'`,
  );
  const script = [...mounts, `cd '${layers[0]?.root}'`, command].join("\n");
  const words = process.getuid?.() === 0 ? ["--mount"] : ["--mount", "--user", "--map-root-user"];
  execFileSync("unshare", [...words, "sh", "-ec", script], { stdio: ["ignore", "pipe", "pipe"] });
}
