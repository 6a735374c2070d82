import { Fault } from "../../base/errors.ts";
import { limitWords } from "./limits.ts";
import { launch } from "./launch.ts";
import type { Sandbox } from "./sandbox.ts";
import { systemProgram } from "./system-programs.ts";

export interface NoSandboxOptions {
  /** Says whether commands can have a pid namespace, which ends all that they started. */
  readonly hasPidNamespace: boolean;
}

/** Runs commands as the user, with nothing held back; where the machine can, all that they started ends with them. */
export function createNoSandbox({ hasPidNamespace }: NoSandboxOptions): Sandbox {
  return {
    rung: "none",
    holds: { files: false, network: false, processes: hasPidNamespace, views: false },
    async start(command, { limits, view }, streams) {
      if (view !== undefined) throw new Fault("invalid_input", "Cannot run the command on a view: there is no sandbox");
      // Without a namespace the limit would count every process of the user.
      const kept = hasPidNamespace ? limits : { ...limits, processes: undefined };
      const argv = [...(hasPidNamespace ? namespaceWords() : []), ...limitWords(kept), ...command.argv];
      return launch(
        {
          ...command,
          argv: argv as [string, ...string[]],
          reportsStart: false,
          innerPid: hasPidNamespace ? 1 : undefined,
          cleanUp: () => {},
        },
        streams,
      );
    },
    close: async () => {},
  };
}

/** A user other than root needs a user namespace for it, in which programs with set-id bits have no effect. */
function namespaceWords(): readonly string[] {
  const user = process.getuid?.() === 0 ? [] : ["--user", "--map-current-user"];
  return [systemProgram("unshare"), ...user, "--pid", "--fork", "--kill-child", "--mount-proc", "--"];
}
