import type { JsonSchema } from "../../src/schema/listed-schema.ts";
import { brokenRules } from "../schema/provider-rules.ts";
import { check, type ModelTurn, type Wire } from "./endpoint.ts";

interface Content {
  readonly role: string;
  readonly parts: readonly Part[];
}

interface Part {
  readonly functionCall?: { readonly name: string };
  readonly functionResponse?: { readonly name: string; readonly response: object };
  readonly thoughtSignature?: string;
}

/** The Gemini API, as far as an agent's loop meets it. */
export const geminiWire: Wire = {
  path: "/v1beta/models/gemini-2.5-pro:streamGenerateContent?alt=sse",
  isNamed: false,
  answered({ headers, body }) {
    check(headers["x-goog-api-key"] === "key", "key");
    const [tools] = body["tools"] as { functionDeclarations: { name: string; parameters?: JsonSchema }[] }[];
    for (const { name, parameters } of tools?.functionDeclarations ?? []) {
      check(/^[a-zA-Z_][\w.-]{0,63}$/.test(name), `name of ${name}`);
      check(parameters === undefined || brokenRules("gemini", parameters).length === 0, `schema of ${name}`);
    }
    const contents = body["contents"] as readonly Content[];
    contents.forEach(({ role }, nth) => check(role === (nth % 2 === 0 ? "user" : "model"), `role of ${nth}`));
    const parts = contents.flatMap((content) => content.parts);
    const calls = parts.filter(({ functionCall }) => functionCall);
    const responses = parts.flatMap(({ functionResponse }) => functionResponse ?? []);
    check(
      calls.every(({ thoughtSignature }) => thoughtSignature !== undefined),
      "a signature with every call",
    );
    check(
      calls.map(({ functionCall }) => functionCall?.name).join() === responses.map(({ name }) => name).join(),
      "a response for every call",
    );
    return responses.length;
  },
  streamed: (turn: ModelTurn, nth: number) => [
    chunk([{ text: "text" in turn ? turn.text : "Let me see." }]),
    ...("tool" in turn
      ? [chunk([{ functionCall: { name: turn.tool, args: turn.input }, thoughtSignature: `sig_${nth}` }])]
      : []),
    { candidates: [{ content: { role: "model", parts: [] }, finishReason: "STOP", index: 0 }], usageMetadata: {} },
  ],
};

const chunk = (parts: readonly object[]): object => ({ candidates: [{ content: { role: "model", parts }, index: 0 }] });
