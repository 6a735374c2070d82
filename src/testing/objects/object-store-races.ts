import { equal } from "node:assert/strict";
import type { ObjectStore, When } from "../../storage/objects/object-store.ts";
import { type MakeTexts, tagOf, textOf } from "./object-fixture.ts";
import type { TestFunctions } from "../test-functions.ts";

/** Makes one call of a race, and says whether it was granted. */
type Contender = (objects: ObjectStore, when: When, text: string) => Promise<boolean>;

const write: Contender = async (objects, when, text) => (await objects.put("a", Buffer.from(text), when)) !== null;
const copy: Contender = async (objects, when) => (await objects.put("a", { copyOf: "source" }, when)) !== null;
const remove: Contender = async (objects, when) => objects.remove("a", "match" in when ? when.match : "");

/** Enough for one to come between the check and the write of another, whichever begins first. */
const ROUNDS = 4;

/** Tests calls that are made at the same moment, with the same precondition: the store grants one of them. */
export function raceTests(it: TestFunctions["it"], made: MakeTexts): void {
  for (const { name, contenders, isNew = false } of [
    { name: "two writers", contenders: [write, write] },
    { name: "two writers of a new object", contenders: [write, write], isNew: true },
    { name: "two copies", contenders: [copy, copy] },
    { name: "two copies to a new object", contenders: [copy, copy], isNew: true },
    { name: "a write and a copy", contenders: [write, copy] },
    { name: "two removals", contenders: [remove, remove] },
    { name: "a removal and a write", contenders: [remove, write] },
    { name: "a removal and a copy", contenders: [remove, copy] },
  ])
    it(`lets one of ${name} win`, async () => {
      const contents = { source: "copied", ...(!isNew && { a: "one" }) };
      for (let round = 0; round < ROUNDS; round++) {
        const order = round % 2 ? contenders.toReversed() : contenders;
        const objects = await made(contents);
        const when = isNew ? ({ absent: true } as const) : { match: await tagOf(objects, "a") };
        const granted = await Promise.all(order.map((contend, nth) => contend(objects, when, `text ${nth}`)));
        equal(granted.filter(Boolean).length, 1);
        equal(await textOf(objects, "a"), textAfter(order, granted.indexOf(true)));
      }
    });
}

/** Returns what the winner leaves. */
function textAfter(order: readonly Contender[], winner: number): string | undefined {
  if (order[winner] === remove) return undefined;
  return order[winner] === copy ? "copied" : `text ${winner}`;
}
