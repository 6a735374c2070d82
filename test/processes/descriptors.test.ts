import { expect, it } from "vitest";
import { runAlone } from "../contracts/run-alone.ts";
import { layout } from "../layout.ts";

const FEW = ["sh", "-c", 'ulimit -n 64; exec "$@"', "sh"];

it.each([
  { containment: "handle", look: "io" },
  { containment: "best-effort", look: "ok" },
])("says that too many files are open, and works again: $containment", ({ containment, look }) => {
  const options = { root: layout(["dir/file"]), containment };
  expect(runAlone("test/processes/fixtures/without-descriptors.ts", options, { through: FEW })).toEqual({
    without: [look, "io", "io"],
    isGivenBack: true,
    again: ["ok", "ok", "ok"],
  });
});

it("does not take a process for dead that it cannot read: its lock would be broken, and its changes rolled back", () => {
  expect(runAlone("test/processes/fixtures/alive-without-descriptors.ts", {}, { through: FEW })).toBe(false);
});

it("says in words that too many files are open, whichever call is the first", () => {
  const through = ["sh", "-c", 'ulimit -n 600; exec "$@"', "sh"];
  const report = runAlone("test/processes/fixtures/few-descriptors.ts", {}, { through });
  expect(report).toEqual({ faults: expect.toSatisfy((faults: number) => faults > 20), problems: [] });
});
