import { Fault } from "../base/errors.ts";
import { type KeyPath, keyText, leafPathsOf } from "../text/key-path.ts";
import type { CheckedFile } from "./check.ts";

/**
 * Throws if a workspace's file loosens a limit. Anyone who can write the workspace can write it, so it may only
 * tighten.
 */
export function requireTightening({ config: given, originOf }: CheckedFile): void {
  const faultAt = (path: KeyPath, problem: string): Fault =>
    new Fault("invalid_input", `Cannot use the configuration: ${originOf(path)}: ${problem}`, { key: keyText(path) });
  for (const path of leafPathsOf(given)) {
    if (!WORKSPACE_KEYS.has(keyText(path.filter((part) => typeof part === "string").slice(0, 2)))) {
      throw faultAt(path, `a workspace may only tighten, and cannot set ${keyText(path)}; put it into ${OWN_FILE}`);
    }
  }
  if (given.readOnly === false) throw faultAt(["readOnly"], "a workspace may only tighten: readOnly can only be true");
  given.policy?.rules?.forEach(({ decide, rate_limit }, nth) => {
    const path = ["policy", "rules", nth, "decide"];
    if (decide === "autonomous" && !rate_limit)
      throw faultAt(
        path,
        `a workspace may only tighten, and autonomous does not; leave the rule out, or put it into ${OWN_FILE}`,
      );
  });
}

/** Leaves out the path, which is outside the roots, because models see this message. */
const OWN_FILE = "the user's own file, which `holdfast config show` names";

const WORKSPACE_KEYS: ReadonlySet<string> = new Set([
  "$schema",
  "readOnly",
  "policy.template",
  "policy.rules",
  "tools.deny",
]);
