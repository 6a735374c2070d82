import { describe, expect, it } from "vitest";
import { measureHttp } from "../../bench/http.mjs";

describe("many clients over HTTP", () => {
  it("get an answer to every call, in bounded memory", async () => {
    const [{ calls, errors, memory }] = await measureHttp({ clients: 60, seconds: 5, isAlone: true });
    expect(calls).toBeGreaterThan(60);
    expect(errors).toBe(0);
    expect(memory.peak).toBeLessThan(400);
  });
});
