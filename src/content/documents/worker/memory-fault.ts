import { Fault } from "../../../base/errors.ts";

export const memoryFault = (): Fault =>
  new Fault("too_large", "Cannot read the document: it takes too much memory", { hint: LESS });

export const LESS = "Ask the user for a smaller or simpler copy, or convert it with a program";
