// Measures how long it takes to judge a command before it runs. This needs no server: the judge is a pure function.
import { build } from "esbuild";
import { fileURLToPath } from "node:url";

const ROUNDS = 5;

const SOURCE = `
  export { judge } from "./src/exec/shell/judge.ts";
  export { BYPASSES } from "./test/exec/shell/bypasses.cases.ts";
  export { CONTEXT } from "./test/exec/shell/context.ts";
  export { HARMLESS } from "./test/exec/shell/harmless.cases.ts";
`;

export const JUDGING = [
  {
    id: "judge",
    title: "judge a command (mean over the harmless and the hostile ones of the tests)",
    operation: "judge",
    measure: judgeAll,
    rounds: 9,
    sharesMemoryOf: "read",
    bounds: [{ most: 1, milliseconds: 1 }],
  },
];

/** Returns the milliseconds for one command. */
async function judgeAll() {
  const { judge, BYPASSES, CONTEXT, HARMLESS } = await bundled;
  const commands = [...HARMLESS, ...Object.values(BYPASSES).flat()];
  const startedAt = performance.now();
  for (let round = 0; round < ROUNDS; round++) for (const command of commands) judge(command, CONTEXT);
  return (performance.now() - startedAt) / (ROUNDS * commands.length);
}

/** The judge as it is now, whether or not the build has it. */
const bundled = bundle();

async function bundle() {
  const { outputFiles } = await build({
    stdin: { contents: SOURCE, resolveDir: fileURLToPath(new URL("..", import.meta.url)), loader: "ts" },
    bundle: true,
    write: false,
    format: "esm",
    platform: "node",
  });
  return import(`data:text/javascript;base64,${Buffer.from(outputFiles[0]?.contents ?? []).toString("base64")}`);
}
