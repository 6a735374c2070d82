import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createState } from "../../src/storage/local/state/state.ts";
import { callerOn, scratch, stateBeside } from "../runtime/scratch.ts";
import { recordedIn } from "../workspace/changes/journals.ts";
import { runTogether } from "./processes.ts";

const COUNT = 40;
const numbers = Array.from({ length: COUNT }, (_, n) => n);
const linesOf = (word: string): string => numbers.map((n) => `${word} ${n} end\n`).join("");
const OK = numbers.map(() => "ok");

interface Call {
  readonly tool: string;
  readonly input: Readonly<Record<string, unknown>>;
}

/** Makes all calls at the same time, and returns the code of each. */
type MakeAll = (root: string, calls: readonly Call[]) => Promise<readonly string[]>;

const inOneProcess: MakeAll = async (root, calls) => {
  const caller = callerOn(root, { loopDetection: false });
  const answers = await Promise.all(calls.map(({ tool, input }) => caller(tool, input)));
  return answers.map(({ code }) => code);
};

const inProcesses =
  (count: number): MakeAll =>
  async (root, calls) => {
    const shares = Array.from({ length: count }, (_, nth) => calls.filter((_call, index) => index % count === nth));
    const options = shares.map((share) => ({ root, stateDirectory: stateBeside(root), calls: share }));
    return (await runTogether<string[]>("test/races/fixtures/make-calls.ts", options)).flat();
  };

const recordsOf = (root: string): readonly string[] => recordedIn(stateBeside(root));

const editOf = (n: number): Call => ({
  tool: "edit",
  input: { path: "a.txt", edits: [{ oldText: `line ${n} end`, newText: `LINE ${n} end` }] },
});

const creationOf = (n: number): Call => ({ tool: "write", input: { path: `new/deep/${n}.txt`, content: `${n}\n` } });

const appendOf = (n: number): Call => ({
  tool: "write",
  input: { path: "a.txt", content: `line ${n} end\n`, append: true },
});

const contentOf = (n: number): string => `content ${n} `.repeat(1000);

const writeOf = (n: number): Call => ({
  tool: "write",
  input: { path: "a.txt", content: contentOf(n), overwrite: true },
});

const moveOf = (n: number): Call => ({ tool: "move", input: { source: `${n}.txt`, destination: "one.txt" } });

const editsOf = (path: string, first: number) =>
  numbers
    .filter((n) => n % 2 === first)
    .map((n) => ({ tool: "edit", input: { path, edits: [{ oldText: `line ${n} end`, newText: `LINE ${n} end` }] } }));

const MAKERS = [
  { name: "1 process", makeAll: inOneProcess },
  { name: "4 processes", makeAll: inProcesses(4) },
];

describe.each(MAKERS)(`${COUNT} changes at once from $name`, ({ makeAll }) => {
  it("edits of different lines all land", async () => {
    const root = scratch({ "a.txt": linesOf("line") });
    expect(await makeAll(root, numbers.map(editOf))).toEqual(OK);
    expect(readFileSync(join(root, "a.txt"), "utf8")).toBe(linesOf("LINE"));
    expect(recordsOf(root)).toHaveLength(COUNT);
    expect(readdirSync(root)).toEqual(["a.txt"]);
  });

  it("files are made in one new directory", async () => {
    const root = scratch();
    expect(await makeAll(root, numbers.map(creationOf))).toEqual(OK);
    expect(readdirSync(join(root, "new/deep")).toSorted()).toEqual(numbers.map((n) => `${n}.txt`).toSorted());
    expect(numbers.map((n) => readFileSync(join(root, `new/deep/${n}.txt`), "utf8"))).toEqual(
      numbers.map((n) => `${n}\n`),
    );
    expect(recordsOf(root)).toHaveLength(COUNT);
  });

  it("every append lands, whole and once", async () => {
    const root = scratch({ "a.txt": "" });
    expect(await makeAll(root, numbers.map(appendOf))).toEqual(OK);
    const lines = readFileSync(join(root, "a.txt"), "utf8").split("\n");
    expect(lines.toSorted()).toEqual(["", ...numbers.map((n) => `line ${n} end`)].toSorted());
    expect(recordsOf(root)).toHaveLength(COUNT);
  });

  it("every content that a file ever had is backed up, and none is mixed", async () => {
    const root = scratch({ "a.txt": "first" });
    expect(await makeAll(root, numbers.map(writeOf))).toEqual(OK);
    const objects = join(createState(stateBeside(root)).directory, ".holdfast-store/objects");
    const kept = readdirSync(objects).map((name) => readFileSync(join(objects, name), "utf8"));
    expect([readFileSync(join(root, "a.txt"), "utf8"), ...kept].toSorted()).toEqual(
      ["first", ...numbers.map(contentOf)].toSorted(),
    );
  });

  it("only one of many files moves to the same name", async () => {
    const root = scratch(Object.fromEntries(numbers.map((n) => [`${n}.txt`, `${n}\n`])));
    const codes = await makeAll(root, numbers.map(moveOf));
    expect(codes.toSorted()).toEqual([...numbers.slice(1).map(() => "exists"), "ok"]);
    const left = readdirSync(root).map((name) => readFileSync(join(root, name), "utf8"));
    expect(left.toSorted()).toEqual(numbers.map((n) => `${n}\n`).toSorted());
  });
});

it("workspaces that overlap wait for each other", async () => {
  const root = scratch({ "sub/a.txt": linesOf("line") });
  const stateDirectory = stateBeside(root);
  const codes = await runTogether<string[]>("test/races/fixtures/make-calls.ts", [
    { root, stateDirectory, calls: editsOf("sub/a.txt", 0) },
    { root: join(root, "sub"), stateDirectory, calls: editsOf("a.txt", 1) },
  ]);
  expect(codes.flat()).toEqual(OK);
  expect(readFileSync(join(root, "sub/a.txt"), "utf8")).toBe(linesOf("LINE"));
});
