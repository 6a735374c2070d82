import { createServer, type IncomingMessage } from "node:http";
import { join } from "node:path";
import type { Duplex } from "node:stream";
import { onTestFinished } from "vitest";
import { layout } from "../../../layout.ts";

/** An answer of a container engine: a status, or a connection to a process. */
type Answer = number | ((process: Duplex) => void);

/** Listens like an engine that answers every request as told, with an id in the body. Returns its socket and its log. */
export async function scriptedEngine(answerTo: (request: string) => Promise<Answer>) {
  const socket = join(layout([]), "s");
  const requests: string[] = [];
  const take = (request: IncomingMessage): Promise<Answer> => {
    const line = `${request.method} ${(request.url ?? "").replace(/\?.*/, "")}`;
    requests.push(line);
    return answerTo(line);
  };
  const server = createServer(async (request, response) => {
    response.writeHead((await take(request)) as number).end('{"Id":"1","message":"it cannot"}');
  });
  server.on("upgrade", async (request, stream) => {
    const connected = (await take(request)) as (process: Duplex) => void;
    stream.write("HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: tcp\r\n\r\n");
    connected(stream);
  });
  await new Promise<void>((resolve) => void server.listen(socket, resolve));
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return { socket, requests };
}
