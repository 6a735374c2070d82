import { isFault } from "../../src/base/errors.ts";

/** The Fault that a call ends with, as plain data; anything else it does is an error. */
export function faultOf(run: () => unknown): { code: string; message: string; details: unknown } {
  try {
    run();
  } catch (error) {
    if (isFault(error)) return { code: error.code, message: error.message, details: error.details };
    throw error;
  }
  throw new Error("No Fault was thrown");
}
