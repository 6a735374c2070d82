import { describe, expect, it } from "vitest";
import { chooseRung, createSandbox } from "../../../src/exec/sandbox/choose.ts";
import { describeSandbox } from "../../../src/exec/sandbox/describe.ts";
import type { ProbeResult } from "../../../src/exec/sandbox/probe.ts";

const FULL = { works: true, hasViews: true };
const LIVE = { works: true, hasViews: false, reason: "mount: permission denied" };
const REFUSED = { works: false, hasViews: false, reason: "bwrap: setting up uid map: Permission denied" };
const MISSING = { works: false, hasViews: false, reason: "it is not installed" };

const machine = (bubblewrap: ProbeResult["unshare"], unshare: ProbeResult["unshare"]): ProbeResult => ({
  bubblewrap: { ...bubblewrap, canDisableUserns: true },
  unshare,
  hasPidNamespace: unshare.works,
});

describe("the ladder", () => {
  it.each([
    ["bubblewrap", machine(FULL, FULL)],
    ["unshare", machine(MISSING, FULL)],
    ["unshare", machine(LIVE, FULL)],
    ["bubblewrap", machine(LIVE, LIVE)],
    ["none", machine(REFUSED, REFUSED)],
  ] as const)("takes %s", (rung, probe) => {
    expect(chooseRung(probe)).toBe(rung);
  });

  it("never takes a weaker rung than the one that was asked for", () => {
    expect(() => chooseRung(machine(MISSING, FULL), "bubblewrap")).toThrow(
      expect.objectContaining({ code: "io", message: "Cannot use the sandbox bubblewrap: it is not installed" }),
    );
    expect(chooseRung(machine(FULL, FULL), "none")).toBe("none");
  });

  it.each([
    ["bubblewrap", machine(FULL, FULL), []],
    ["unshare", machine(MISSING, FULL), ["apt install bubblewrap"]],
    ["none", machine(MISSING, REFUSED), ["apt install bubblewrap"]],
    [
      "none",
      machine(REFUSED, REFUSED),
      ["sysctl -w kernel.apparmor_restrict_unprivileged_userns=0", "sysctl -w kernel.unprivileged_userns_clone=1"],
    ],
  ] as const)("says what %s holds and how to raise it", (rung, probe, raise) => {
    const { holds } = createSandbox(rung, probe, { home: "/home/ann", closed: [], placeholders: "/nonexistent" });
    const report = describeSandbox(rung, holds, probe);
    expect(report).toMatchObject({ rung, raise });
    expect(holds.files).toBe(rung !== "none");
    expect(report.lets).toMatch(rung === "none" ? /read, change and send whatever you can/ : /kernel is shared/);
  });

  it("says that commands run on the directories themselves where there are no views", () => {
    const probe = machine(LIVE, LIVE);
    const { holds } = createSandbox("bubblewrap", probe, {
      home: "/home/ann",
      closed: [],
      placeholders: "/nonexistent",
    });
    expect(describeSandbox("bubblewrap", holds, probe).lets).toMatch(/run on the directories themselves/);
  });
});
