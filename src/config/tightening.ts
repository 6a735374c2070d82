import { Fault } from "../base/errors.ts";
import { type KeyPath, keyText, leafPathsOf } from "../text/key-path.ts";
import type { CheckedFile } from "./check.ts";

/** A workspace is written by whoever writes the files in it: what it says may only tighten. */
export function requireTightening({ config: given, originOf }: CheckedFile): void {
  const wrong = (path: KeyPath, problem: string): Fault =>
    new Fault("invalid_input", `Cannot use the configuration: ${originOf(path)}: ${problem}`, { key: keyText(path) });
  for (const path of leafPathsOf(given)) {
    if (!WORKSPACE_KEYS.has(keyText(path.filter((part) => typeof part === "string").slice(0, 2)))) {
      throw wrong(path, `a workspace may only tighten, and cannot set ${keyText(path)}; that belongs into ${OWN_FILE}`);
    }
  }
  if (given.readOnly === false) throw wrong(["readOnly"], "a workspace may only tighten: readOnly can only be true");
  given.policy?.rules?.forEach(({ decide, rate_limit }, nth) => {
    const path = ["policy", "rules", nth, "decide"];
    if (decide === "autonomous" && !rate_limit)
      throw wrong(
        path,
        `a workspace may only tighten, and autonomous does not; leave the rule out, or put it into ${OWN_FILE}`,
      );
  });
}

/** Without its path: it lies outside the roots, and this is told to models. */
const OWN_FILE = "the user's own file, which `holdfast config show` names";

const WORKSPACE_KEYS: ReadonlySet<string> = new Set([
  "$schema",
  "readOnly",
  "policy.template",
  "policy.rules",
  "tools.deny",
]);
