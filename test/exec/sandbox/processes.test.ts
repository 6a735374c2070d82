import { expect, it } from "vitest";
import { runAsUser, USERS } from "./run-as-user.ts";
import type { ProcessesOptions } from "./fixtures/run-processes.ts";

const HOSTS = { hosts: ["example.org"] };

const PLACES = [
  { rung: "bubblewrap", isOnView: false, network: "off" },
  { rung: "bubblewrap", isOnView: true, network: HOSTS },
  { rung: "unshare", isOnView: false, network: "off" },
  { rung: "unshare", isOnView: true, network: HOSTS },
  { rung: "none", isOnView: false, network: "on" },
] as const;

it.each(USERS.flatMap((user) => PLACES.map((place) => ({ ...user, ...place }))))(
  "ends all processes of $who in $rung, on a view: $isOnView",
  ({ uid, rung, isOnView, network }) => {
    const options: Omit<ProcessesOptions, "directory"> = { rung, isOnView, network };
    expect(runAsUser("test/exec/sandbox/fixtures/run-processes.ts", options, uid)).toEqual({
      exit: { code: 9, signal: null },
      daemon: false,
      death: false,
      earlyDeath: 0,
      politeEnd: { code: 5, signal: null },
      forcedEnd: { code: null, signal: "SIGKILL" },
      interrupt: { code: 7, signal: null },
      terminate: { code: null, signal: "SIGTERM" },
      bomb: 0,
      input: { code: 0, signal: null },
      supervisor: "3",
      missing: "io",
    });
  },
);
