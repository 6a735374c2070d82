const { setFlagsFromString } = process.getBuiltinModule("node:v8");

/**
 * V8 is tuned for web pages: it optimises late, and lets its young heap grow by tens of megabytes. A server that answers
 * small calls for hours wants the opposite; docs/decisions/008 has the numbers. Before any code of ours is compiled,
 * because V8 refuses a code cache that was made under other flags.
 */
export function tuneEngine() {
  for (const flag of FLAGS) setFlagsFromString(flag);
}

const EVERYWHERE = ["--semi-space-growth-factor=1", "--no-parallel-scavenge"];

/** Newer engines have a compiler between interpreter and optimiser, and no such flag. */
const FLAGS = process.versions.v8.startsWith("11.") ? [...EVERYWHERE, "--interrupt-budget=10000"] : EVERYWHERE;
