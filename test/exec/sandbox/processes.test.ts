import { expect, it } from "vitest";
import { runAsUser, USERS } from "./run-as-user.ts";
import type { ProcessesOptions } from "./fixtures/run-processes.ts";

const HOSTS = { hosts: ["example.org"] };

const PLACES = [
  { rung: "bubblewrap", isOnView: false, network: "off", isPiped: false },
  { rung: "bubblewrap", isOnView: true, network: HOSTS, isPiped: true },
  { rung: "unshare", isOnView: false, network: "off", isPiped: true },
  { rung: "unshare", isOnView: true, network: HOSTS, isPiped: false },
  { rung: "none", isOnView: false, network: "on", isPiped: false },
  { rung: "none", isOnView: false, network: "on", isPiped: true },
] as const;

it.each(USERS.flatMap((user) => PLACES.map((place) => ({ ...user, ...place }))))(
  "ends all processes of $who in $rung, on a view: $isOnView, with a pipe: $isPiped",
  ({ uid, rung, isOnView, network, isPiped }) => {
    const options: Omit<ProcessesOptions, "directory"> = { rung, isOnView, network, isPiped };
    expect(runAsUser("test/exec/sandbox/fixtures/run-processes.ts", options, uid)).toEqual({
      exit: { code: 9, signal: null },
      daemon: false,
      death: false,
      left: 0,
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
