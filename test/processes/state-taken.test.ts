import { expect, it } from "vitest";
import { runAlone } from "../contracts/run-alone.ts";
import { needs } from "../programs.ts";

/** Kills the whole program when it blocks at a FIFO, which it would do for ever. */
const NOT_FOR_EVER = ["timeout", "--signal=KILL", "50"];

it.each(["fifo", "directory", "link"])(
  "a %s in the place of a state file does not block, and is reported in words",
  (kind) => {
    needs("timeout", "mkfifo");
    const report = runAlone("test/processes/fixtures/state-taken.ts", { kind }, { through: NOT_FOR_EVER });
    expect(report).toEqual({ places: expect.toSatisfy((places: string[]) => places.length > 16), problems: [] });
  },
);
