import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import type { Asked, Wire } from "../../examples/endpoint.ts";
import { type AgentProgram, needsAgent } from "../../programs.ts";
import type { Connection } from "../connections.ts";

/** Says where an agent works: its own home, the directory that it works in, and the address of its model. */
export interface Workplace {
  readonly home: string;
  readonly directory: string;
  readonly model: string;
  readonly connection: Connection;
}

/** A real agent, as people install it. Its model is an endpoint of ours. */
export interface Agent {
  readonly name: string;
  readonly program: AgentProgram;
  /** The wire of its provider. An agent also sends tools of its own, whose schemas are not ours to judge. */
  readonly wire: Wire;
  /** Returns the name by which its model calls a tool of ours. */
  toolName(tool: string): string;
  /** Writes its configuration, and returns the words and variables that let it work until its model is done. */
  prepare(place: Workplace): { readonly words: readonly string[]; readonly env: Readonly<Record<string, string>> };
  /** Returns the results that its model was given so far. */
  results(asked: Asked): readonly string[];
}

/** Lets an agent work until its model is done. */
export async function runAgent(agent: Agent, place: Workplace): Promise<void> {
  needsAgent(agent.program);
  const { words, env } = agent.prepare(place);
  const child = spawn(agent.program, words, {
    cwd: place.directory,
    env: { PATH: process.env["PATH"] ?? "", HOME: place.home, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const [out, err, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "close")]);
  if (code !== 0) throw new Error(`${agent.program} ended with ${code}: ${out}${err}`);
}
