import type { Client, ElicitResult } from "@modelcontextprotocol/client";
import { describe, expect, it } from "vitest";
import { connect, ERAS } from "./bin.ts";
import { startServer } from "./http-server.ts";
import { CONFIG, workplace } from "./waiting-workplace.ts";

const DELETE = { name: "delete", arguments: { path: "a.txt" } };
/** Links came with the revision of November 2025. */
const LATER = ERAS.filter(({ era }) => era !== "2025-06-18");
const FOR_CLIENTS = CONFIG.replace('"approval",', '"approval", "channels": ["client"],');
const FOR_THE_CONSOLE = CONFIG.replace('"approval",', '"approval", "channels": ["console"],');

type Shown = Readonly<Record<string, unknown>>;

/** A workspace with a console beside it, and a client whose user answers each elicitation. */
async function office(
  options: object,
  elicitation: { url?: Record<string, never>; form?: Record<string, never> },
  answer: (
    shown: Shown,
    press: (id: string, decision: string) => Promise<void>,
  ) => ElicitResult | Promise<ElicitResult>,
  config = CONFIG,
) {
  const { root, args, isThere } = workplace(config);
  const { console: login, origin } = await startServer(root, args);
  const opened = await fetch(login, { redirect: "manual" });
  const headers = {
    cookie: (opened.headers.get("set-cookie") ?? "").split(";")[0] ?? "",
    "content-type": "application/json",
    "x-holdfast": "1",
    "x-holdfast-key": opened.headers.get("location")?.split("=")[1] ?? "",
  };
  const press = async (id: string, decision: string): Promise<void> => {
    const body = JSON.stringify({ decision });
    expect((await fetch(`${origin}/api/waiting/${id}`, { method: "POST", headers, body })).status).toBe(200);
  };
  const shown: Shown[] = [];
  const completed: unknown[] = [];
  const prepare = (client: Client): void => {
    client.setRequestHandler("elicitation/create", ({ params }) => {
      shown.push(params);
      return answer(params, press);
    });
    client.setNotificationHandler("notifications/elicitation/complete", ({ params }) => void completed.push(params));
  };
  const client = await connect(root, { ...options, capabilities: { elicitation } }, undefined, args, prepare);
  return { client, origin, shown, completed, isThere };
}

const idIn = ({ url }: Shown): string => String(url).split("#/waiting/")[1] ?? "";

describe.each(LATER)("a client that opens links, $era", ({ era, options }) => {
  it.each(["once", "deny"])("leads to the console, where %s is what counts", async (decision) => {
    const { client, origin, shown, isThere } = await office(options, { url: {}, form: {} }, (link, press) => {
      // The person answers on the page some time after the client has opened it.
      setImmediate(() => void press(idIn(link), decision));
      return { action: "accept", content: { decision: "once" } };
    });
    const { isError = false } = await client.callTool(DELETE);
    expect([isError, isThere()]).toEqual([decision === "deny", decision === "deny"]);
    expect(shown).toEqual([
      expect.objectContaining({
        mode: "url",
        message: "delete: deleting needs a yes. Answer in the console",
        url: expect.stringMatching(new RegExp(`^${origin}/console#/waiting/[0-9a-f]+$`)),
      }),
    ]);
    expect(era === "2026-07-28" || "elicitationId" in (shown[0] ?? {})).toBe(true);
  });

  it("takes a declined link for no answer, and names the link to the model", async () => {
    const { client, shown, isThere } = await office(
      options,
      { url: {} },
      () => ({ action: "decline", content: { decision: "once" } }),
      FOR_THE_CONSOLE,
    );
    const { isError, content } = await client.callTool(DELETE);
    expect([isError, isThere(), shown.length]).toEqual([true, true, 1]);
    expect(content).toEqual([
      { type: "text", text: expect.stringContaining(`in the console at ${String(shown[0]?.["url"])}`) },
    ]);
  });

  it("is shown a form where the rules leave it to clients", async () => {
    const { client, shown, isThere } = await office(
      options,
      { url: {}, form: {} },
      () => ({ action: "accept", content: { decision: "once" } }),
      FOR_CLIENTS,
    );
    expect((await client.callTool(DELETE)).isError).toBeFalsy();
    expect([isThere(), shown[0]?.["url"]]).toEqual([false, undefined]);
  });
});

it("tells a client of 2025 that the page was answered", async () => {
  const { client, shown, completed } = await office({}, { url: {} }, (link, press) => {
    setImmediate(() => void press(idIn(link), "once"));
    return { action: "accept" };
  });
  await client.callTool(DELETE);
  await expect.poll(() => completed).toEqual([{ elicitationId: shown[0]?.["elicitationId"] }]);
});
