import { expect, it } from "vitest";
import { runAlone } from "../contracts/run-alone.ts";
import { needs } from "../programs.ts";

/** Whoever waits at a FIFO waits for ever: then the whole program is ended. */
const NOT_FOR_EVER = ["timeout", "--signal=KILL", "50"];

it.each(["fifo", "directory", "link"])(
  "a %s in the place of a file of ours is not waited at, and told in words",
  (kind) => {
    needs("timeout", "mkfifo");
    const told = runAlone("test/storage/fixtures/state-taken.ts", { kind }, { through: NOT_FOR_EVER });
    expect(told).toEqual({ places: expect.toSatisfy((places: string[]) => places.length > 16), problems: [] });
  },
);
