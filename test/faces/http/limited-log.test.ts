import { expect, it } from "vitest";
import { LIMITS } from "../../../src/base/limits.ts";
import type { RequestLog } from "../../../src/faces/http/face.ts";
import { limitedLog } from "../../../src/faces/http/limited-log.ts";

type Logged = Parameters<RequestLog>[0];

function logging() {
  const passed: Logged[] = [];
  const clock = { now: 0 };
  const log = limitedLog(
    (event) => passed.push(event),
    () => clock.now,
  );
  const say = (event: Logged["event"], times: number): void => {
    for (let nth = 0; nth < times; nth++) log({ event, method: "GET", path: "/", status: 401 });
  };
  return { passed, clock, say };
}

it("passes so many events per minute, and says how many it left out", () => {
  const { passed, clock, say } = logging();
  say("refused", LIMITS.httpLogged + 7);
  expect(passed).toHaveLength(LIMITS.httpLogged);
  clock.now += 60_000;
  say("refused", 3);
  expect(passed.slice(LIMITS.httpLogged).map(({ omitted }) => omitted)).toEqual([7, undefined, undefined]);
});

it("refused requests hide no failure of the server", () => {
  const { passed, say } = logging();
  say("refused", 2 * LIMITS.httpLogged);
  say("failed", 1);
  expect(passed.at(-1)?.event).toBe("failed");
});
