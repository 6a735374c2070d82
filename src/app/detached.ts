import { spawnCommand } from "../exec/spawn.ts";

/** Starts a program of the user's that outlives us, with our environment. Its output goes to a descriptor of ours. */
export async function startDetached(
  argv: readonly [string, ...string[]],
  output: number,
  more: Readonly<Record<string, string>>,
): Promise<{ readonly exited: Promise<unknown> }> {
  const inherited = Object.entries(process.env).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value]],
  );
  const environment = { ...Object.fromEntries(inherited), ...more };
  const { exited } = await spawnCommand(
    { argv, directory: process.cwd(), environment },
    { input: "none", output, isDetached: true, hasStatus: false, filter: undefined, inherited: undefined },
  );
  return { exited };
}
