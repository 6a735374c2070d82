import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";

/** The next turn of a model: one tool call, or the final text. `meanwhile` happens while it thinks. */
export type ModelTurn = ({ readonly tool: string; readonly input: object } | { readonly text: string }) & {
  readonly meanwhile?: () => Promise<unknown>;
};

export interface Asked {
  readonly path: string;
  readonly headers: IncomingMessage["headers"];
  readonly body: Readonly<Record<string, unknown>>;
}

/** Speaks a provider's wire: refuses what it would refuse, and streams the turns of its model. */
export interface Wire {
  readonly path: string;
  /** Counts the tool calls that were answered so far. Throws for an invalid request. */
  answered(asked: Asked): number;
  /** The events of one turn; strings go out as they are. */
  streamed(turn: ModelTurn, nth: number): readonly (object | string)[];
  /** Some name their events. */
  readonly isNamed: boolean;
}

/** A local endpoint whose model takes these turns. Remembers what it was asked. */
export async function endpointOf(wire: Wire, turns: readonly ModelTurn[]) {
  const asked: Asked[] = [];
  const server = createServer((request, response) => {
    serve(request, response).catch((error) => response.writeHead(400).end(String(error)));
  });
  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    const one: Asked = {
      path: request.url ?? "",
      headers: request.headers,
      body: JSON.parse(Buffer.concat(parts).toString()) as Asked["body"],
    };
    asked.push(one);
    if (request.method !== "POST" || one.path !== wire.path) throw new Error(`no such path: ${one.path}`);
    const nth = wire.answered(one);
    const turn = turns[nth] as ModelTurn;
    await turn.meanwhile?.();
    const text = wire
      .streamed(turn, nth)
      .map((event) => framed(event, wire.isNamed))
      .join("");
    response.writeHead(200, { "content-type": "text/event-stream" });
    // In odd pieces: nobody may rely on where a network cuts.
    for (let at = 0; at < text.length; at += 37) response.write(text.slice(at, at + 37));
    response.end();
  }
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked };
}

function framed(event: object | string, isNamed: boolean): string {
  const name = isNamed ? `event: ${(event as { type: string }).type}\n` : "";
  return `${name}data: ${typeof event === "string" ? event : JSON.stringify(event)}\n\n`;
}

/** JSON in the pieces in which models write it. */
export const inPieces = (input: object): readonly string[] => JSON.stringify(input).match(/.{1,9}/gs) ?? [];

export function check(isRight: boolean, complaint: string): void {
  if (!isRight) throw new Error(complaint);
}
