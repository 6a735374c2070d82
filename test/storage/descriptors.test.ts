import { expect, it } from "vitest";
import { runAlone } from "../contracts/run-alone.ts";
import { layout } from "../layout.ts";

const FEW = ["sh", "-c", 'ulimit -n 64; exec "$@"', "sh"];

it.each([
  { containment: "handle", look: "io" },
  { containment: "best-effort", look: "ok" },
])("says that too many files are open, and works again: $containment", ({ containment, look }) => {
  const orders = { root: layout(["dir/file"]), containment };
  expect(runAlone("test/storage/fixtures/without-descriptors.ts", orders, { through: FEW })).toEqual({
    without: [look, "io", "io"],
    isGivenBack: true,
    again: ["ok", "ok", "ok"],
  });
});

it("takes no process for gone that it cannot look at: its lock would be broken, and its changes taken back", () => {
  expect(runAlone("test/storage/fixtures/alive-without-descriptors.ts", {}, { through: FEW })).toBe(false);
});

it("says in words that too many files are open, whichever call is the first", () => {
  const through = ["sh", "-c", 'ulimit -n 600; exec "$@"', "sh"];
  const told = runAlone("test/storage/fixtures/few-descriptors.ts", {}, { through });
  expect(told).toEqual({ faults: expect.toSatisfy((faults: number) => faults > 20), problems: [] });
});
