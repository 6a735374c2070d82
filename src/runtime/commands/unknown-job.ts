import { Fault } from "../../base/errors.ts";

/** Says that the session has no such command. */
export const unknownJobFault = (id: string): Fault =>
  new Fault("not_found", `Cannot find the command ${JSON.stringify(id)}: this session has none of this id`, {
    argument: "process_id",
    hint: "process with action list shows the commands of this session",
  });
