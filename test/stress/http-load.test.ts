import { describe, expect, it } from "vitest";
import { httpReport } from "../../bench/http.mjs";

describe("many clients over HTTP", () => {
  it("get an answer to every call, in bounded memory", async () => {
    const report = await httpReport({ clients: 60, seconds: 5, isAlone: true });
    const [, calls, errors] = /(\d+) calls, (\d+) errors/.exec(report) ?? [];
    const [, megabytes] = /peak (\d+) MB/.exec(report) ?? [];
    expect(Number(calls)).toBeGreaterThan(60);
    expect(Number(errors)).toBe(0);
    expect(Number(megabytes)).toBeLessThan(400);
  });
});
