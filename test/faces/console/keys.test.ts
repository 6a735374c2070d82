import { describe, expect, it } from "vitest";
import { type Action, actionOf, barKeys, KEYS, type Press } from "../../../src/faces/console/page/keys/table.ts";
import { hashOf, routeOf, type Route } from "../../../src/faces/console/page/state/route-of.ts";

const press = (key: string, more: Partial<Press> = {}): Press => ({
  key,
  hasModifier: false,
  isTyping: false,
  isOnControl: false,
  isOnScroller: false,
  ...more,
});
const all = (): boolean => true;

describe("a key", () => {
  it.each<[string, Press, Action | undefined]>([
    ["moves down", press("j"), "down"],
    ["moves down by arrow", press("ArrowDown"), "down"],
    ["undoes", press("u"), "undo"],
    ["undoes the session with shift", press("U"), "undoSession"],
    ["opens a screen", press("8"), "screen"],
    ["means nothing", press("9"), undefined],
    ["is left to a field", press("u", { isTyping: true }), undefined],
    ["is left to the browser with Ctrl", press("u", { hasModifier: true }), undefined],
    ["presses the button that has the focus", press("Enter", { isOnControl: true }), undefined],
    ["acts on a button as well", press("u", { isOnControl: true }), "undo"],
    ["scrolls a diff", press("ArrowDown", { isOnScroller: true }), undefined],
    ["moves on from a diff", press("j", { isOnScroller: true }), "down"],
  ])("%s", (_, pressed, action) => {
    expect(actionOf(pressed, all)).toBe(action);
  });

  it("acts only where its action works", () => {
    expect(actionOf(press("u"), () => false)).toBeUndefined();
    expect(actionOf(press("r"), (action) => action === "checkAgain")).toBe("checkAgain");
  });

  it("is not the same for two actions of one screen", () => {
    const apart: readonly (readonly Action[])[] = [
      ["restore", "checkAgain"],
      ["answer", "approve"],
    ];
    const keys = KEYS.filter(({ action }) => !apart.some(([, second]) => second === action)).flatMap(
      (entry) => entry.keys,
    );
    expect(new Set(keys).size).toBe(keys.length);
  });

  it("that approves what can be taken back is not the one for what cannot", () => {
    expect(actionOf(press("a"), (action) => action === "approveFinal")).toBeUndefined();
  });

  it("is printed in the bar while it works", () => {
    expect(barKeys((action) => ["down", "up", "deny"].includes(action)).map(({ label }) => label)).toStrictEqual([
      "move",
      "deny",
    ]);
  });
});

describe("an address", () => {
  it.each<[string, Route]>([
    ["", { screen: "timeline" }],
    ["#/waiting", { screen: "waiting" }],
    ["#/change/c-81f2", { screen: "history", id: "c-81f2" }],
    ["#/files/src%2Fa%20b.ts", { screen: "files", id: "src/a b.ts" }],
    ["#/files/src/a.ts", { screen: "files", id: "src/a.ts" }],
    ["#/jobs/%E0%A4%A", { screen: "jobs" }],
    ["#/constructor", { screen: "timeline" }],
    ["#key=abc", { screen: "timeline" }],
  ])("%j is read", (hash, route) => {
    expect(routeOf(hash)).toStrictEqual(route);
  });

  it.each(["#/timeline", "#/change/c-81f2", "#/history", "#/files/src%2Fa%20b.ts"])(
    "%j is written as it is read",
    (hash) => {
      expect(hashOf(routeOf(hash))).toBe(hash);
    },
  );
});
