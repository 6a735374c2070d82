import { Fault } from "../../base/errors.ts";

/** Says why a command cannot be dry-run. */
export const notOnViewFault = (): Fault =>
  new Fault("invalid_input", "Cannot dry-run the command: it would change the real files", {
    argument: "dry_run",
    hint: "A view is needed: run it in the foreground, without pty, in a sandbox that has views",
  });
