import { expect, it } from "vitest";
import type { ServersOptions, ServersResult } from "../fixtures/run-servers.ts";
import { runAsUser, USERS } from "../run-as-user.ts";

const PLACES = (["bubblewrap", "unshare"] as const).flatMap((rung) => [
  { rung, network: "off" as const },
  { rung, network: { hosts: ["example.org"] } },
]);

it.each(USERS.flatMap((user) => PLACES.map((place) => ({ ...user, ...place }))))(
  "lets only commands of the session reach a server of $who in $rung, network $network",
  ({ uid, isRoot, rung, network }) => {
    const options: Omit<ServersOptions, "directory"> = { rung, network };
    const kept = isRoot ? 1 : 2;
    expect(runAsUser("test/exec/sandbox/fixtures/run-servers.ts", options, uid)).toEqual({
      isShared: [true, true, false],
      namespaces: [network === "off" ? 0 : kept, kept, 0],
      sameSession: "served\n",
      onView: "served\n",
      sameSessionDetached: "served\n",
      otherSession: "",
      laterSession: "",
      host: "",
      outward: "",
      outlives: true,
    } satisfies ServersResult);
  },
);
