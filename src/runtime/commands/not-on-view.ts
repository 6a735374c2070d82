import { Fault } from "../../base/errors.ts";

/** Says why a command cannot only be tried. */
export const notOnViewFault = (): Fault =>
  new Fault("invalid_input", "Cannot only try the command: it would run on the files themselves", {
    argument: "dry_run",
    hint: "A view is needed: run it in the foreground, without pty, in a sandbox that has views",
  });
