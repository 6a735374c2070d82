import { spawn } from "node:child_process";
import { once } from "node:events";
import { createRequire } from "node:module";
import { dirname } from "node:path";
import { text } from "node:stream/consumers";
import { bareEnv } from "../../e2e/bin.ts";
import { bearer, type Connection } from "../connections.ts";
import { callInTurn, type Library } from "./library.ts";

const PROGRAM = createRequire(import.meta.url).resolve("@modelcontextprotocol/inspector-cli");

/**
 * The Inspector's command line: a process and a session for each call, so that undo has to name the change. It looks for
 * its package.json above its working directory.
 */
export const inspector: Library = {
  name: "Inspector",
  resultsOf(connection, turns) {
    let changed: object = {};
    return callInTurn(turns, async (tool, input) => {
      const named = tool === "undo" ? changed : input;
      const pairs = Object.entries(named).flatMap(([key, value]) => ["--tool-arg", `${key}=${String(value)}`]);
      const words = [...targetOf(connection), "--method", "tools/call", "--tool-name", tool, ...pairs];
      const env = bareEnv(connection.kind === "stdio" ? connection.env : {});
      const child = spawn(process.execPath, [PROGRAM, "--cli", ...words], { cwd: dirname(PROGRAM), env });
      const [out, err] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "close")]);
      if (out === "") throw new Error(err);
      const result = JSON.parse(out) as { readonly structuredContent?: { readonly change_id?: string } };
      const { change_id } = result.structuredContent ?? {};
      if (change_id !== undefined) changed = { change_id };
      return result;
    });
  },
};

/** Its flag for headers takes all words that follow: another flag has to come next. */
const targetOf = (connection: Connection): readonly string[] =>
  connection.kind === "stdio"
    ? connection.argv
    : [
        connection.url,
        "--transport",
        "http",
        ...Object.entries(bearer(connection)).flatMap(([name, value]) => ["--header", `${name}: ${value}`]),
      ];
