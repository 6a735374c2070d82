import type { Options } from "../../app/options.ts";

/** Returns the program's own `warn`, or one that emits a warning of Node on standard error. */
export const warnOf = ({ warn = emitWarning }: Pick<Options, "warn">): NonNullable<Options["warn"]> => warn;

const emitWarning = (message: string): void => process.emitWarning(message, "HoldfastWarning");
