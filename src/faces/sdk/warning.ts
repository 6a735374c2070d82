import type { Options } from "../../app/options.ts";

/** Where a program without a `warn` of its own is told what does not work: as a warning of Node, on standard error. */
export const warnOf = ({ warn = emitWarning }: Pick<Options, "warn">): NonNullable<Options["warn"]> => warn;

const emitWarning = (message: string): void => process.emitWarning(message, "HoldfastWarning");
