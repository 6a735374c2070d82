import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { ownWords } from "../../../base/own-words.ts";
import { PRODUCT } from "../../../base/product.ts";
import { colored, print } from "../terminal.ts";
import { commandStops } from "../tour/command-stops.ts";
import { changeStops, dropInStops, escapeStops, READ_STOPS } from "../tour/file-stops.ts";
import { type NotShown, runStop, type TourStop } from "../tour/stop.ts";
import { createDemoWorkspace, SERVERS } from "../tour/workspace.ts";

/** Runs `holdfast demo`: drives real servers by the official MCP client, on a temporary directory. */
export async function demo(): Promise<number> {
  const home = mkdtempSync(join(tmpdir(), "holdfast-demo-"));
  const cleanUp = () => rmSync(home, { recursive: true, force: true });
  process.once("SIGINT", () => {
    cleanUp();
    process.exit(130);
  });
  try {
    const workspace = createDemoWorkspace(home);
    const servers = Array.from({ length: SERVERS }, () => connect(workspace, home));
    const clients = await Promise.all(servers);
    const dropIn = await connect(workspace, home, ["--dialect", "mcp-filesystem"]);
    const shell = await connect(workspace, home, ["--exec", "full"]);
    const passed = await runTour({ clients, dropIn, shell }, workspace);
    await Promise.all([...clients, dropIn, shell].map((each) => each.close()));
    print(`\n${passed ? colored("good", GOOD_END) : colored("bad", "Something did not hold: please report it.")}`);
    return passed ? 0 : 1;
  } finally {
    cleanUp();
  }
}

const GOOD_END = "Done. Everything above really happened.";

async function connect(workspace: string, home: string, flags: readonly string[] = []): Promise<Client> {
  const client = new Client({ name: `${PRODUCT.name}-demo`, version: PRODUCT.version });
  const [command, ...script] = ownWords();
  await client.connect(
    new StdioClientTransport({
      command,
      args: [...script, ...flags, workspace],
      // Messages of the servers would appear between the steps of the tour.
      stderr: "ignore",
      env: {
        ...(process.env as Record<string, string>),
        HOLDFAST_STATE: join(home, "state"),
        HOLDFAST_CONFIG: join(home, "config.jsonc"),
      },
    }),
  );
  return client;
}

interface TourClients {
  readonly clients: readonly Client[];
  /** A client of a server with the tools of the reference server. */
  readonly dropIn: Client;
  /** A client of a server that runs commands. */
  readonly shell: Client;
}

async function runTour({ clients, dropIn, shell }: TourClients, workspace: string): Promise<boolean> {
  const run = (title: string, served: readonly Client[], stops: readonly (TourStop | NotShown)[]): Promise<boolean> =>
    runSection(title, served, stops, workspace);
  return [
    await run("Looking around", clients, READ_STOPS),
    await run("Five ways out, all refused", clients, escapeStops(workspace)),
    await run("Changing files, and nothing is lost", clients, changeStops(workspace)),
    await run(DROP_IN, [dropIn, ...clients], dropInStops(workspace)),
    await run("Commands that go wrong, taken back", [shell], await commandStops(shell, workspace)),
  ].every((passed) => passed);
}

const DROP_IN = "In place of the reference filesystem server: --dialect mcp-filesystem";

async function runSection(
  title: string,
  served: readonly Client[],
  stops: readonly (TourStop | NotShown)[],
  workspace: string,
): Promise<boolean> {
  print(`\n${colored("strong", title)}`);
  let passed = true;
  for (const stop of stops) passed = (await runStop(served, stop, workspace)) && passed;
  return passed;
}
