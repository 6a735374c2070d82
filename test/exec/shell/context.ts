import { posix } from "node:path";
import type { JudgeContext } from "../../../src/exec/shell/judgement.ts";

/** Every name is a program of /usr/bin; only what is in /bin and /usr/bin is out of the agent's reach. */
export const CONTEXT: JudgeContext = {
  programs: {
    find: (name) => {
      const file = name.includes("/") ? name : `/usr/bin/${name}`;
      return { file, isSafe: ["/bin", "/usr/bin"].includes(posix.dirname(file)) };
    },
  },
  home: "/home/u",
  safeBins: [],
};
