import { expect, it } from "vitest";
import { LIMITS } from "../../../src/base/limits.ts";
import { limitedLog } from "../../../src/faces/http/limited-log.ts";

it("passes so many events per minute", () => {
  let now = 0;
  let passed = 0;
  const log = limitedLog(
    () => passed++,
    () => now,
  );
  const refuse = (times: number): void => {
    for (let nth = 0; nth < times; nth++) log({ event: "refused", method: "GET", path: "/", status: 401 });
  };
  refuse(2 * LIMITS.httpLogged);
  expect(passed).toBe(LIMITS.httpLogged);
  now += 60_000;
  refuse(3);
  expect(passed).toBe(LIMITS.httpLogged + 3);
});
