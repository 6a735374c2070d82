import { expect, it } from "vitest";
import { atBodyEnd } from "../../../src/faces/http/body-end.ts";

/** Counts the ends of a response whose body is this. */
function counted(body: ReadableStream<Uint8Array> | null) {
  let ends = 0;
  const response = atBodyEnd(new Response(body), () => ends++);
  return { response, ends: () => ends };
}

const silent = (): ReadableStream<Uint8Array> => new ReadableStream({});

const failing = (): ReadableStream<Uint8Array> =>
  new ReadableStream({
    pull() {
      throw new Error("gone");
    },
  });

it("calls back once when a client leaves while it waits", async () => {
  const { response, ends } = counted(silent());
  const reader = response.body?.getReader();
  const waiting = reader?.read();
  await reader?.cancel();
  await waiting;
  expect(ends()).toBe(1);
});

it("calls back once when the body was read to its end", async () => {
  const { response, ends } = counted(new Response("whole").body);
  expect(await response.text()).toBe("whole");
  expect(ends()).toBe(1);
});

it("calls back once when the body fails", async () => {
  const { response, ends } = counted(failing());
  await expect(response.text()).rejects.toThrow("gone");
  expect(ends()).toBe(1);
});

it("calls back at once where there is no body", () => {
  expect(counted(null).ends()).toBe(1);
});
