import type { JsonSchema } from "../../src/schema/listed-schema.ts";
import { brokenRules } from "../schema/provider-rules.ts";
import { type Asked, check, inPieces, type ModelTurn, type Wire } from "./endpoint.ts";

interface Message {
  readonly role: string;
  readonly content: string | readonly Block[];
}

type Block = { readonly type: string; readonly id?: string; readonly tool_use_id?: string };

/** Anthropic's Messages API, as far as an agent's loop meets it. */
export const anthropicWire: Wire = {
  path: "/v1/messages",
  isNamed: true,
  answered({ headers, body }: Asked) {
    check(headers["x-api-key"] === "key" && headers["anthropic-version"] === "2023-06-01", "headers");
    check(body["stream"] === true && typeof body["max_tokens"] === "number", "body");
    for (const { name, input_schema: schema } of body["tools"] as { name: string; input_schema: JsonSchema }[]) {
      check(/^[a-zA-Z0-9_-]{1,64}$/.test(name), `name of ${name}`);
      check(brokenRules("anthropic", schema).length === 0, `schema of ${name}`);
    }
    const messages = body["messages"] as readonly Message[];
    messages.forEach(({ role }, nth) => check(role === (nth % 2 === 0 ? "user" : "assistant"), `role of ${nth}`));
    const blocks = messages.flatMap(({ content }) => (typeof content === "string" ? [] : content));
    const calls = blocks.filter(({ type }) => type === "tool_use").map(({ id }) => id);
    const results = blocks.filter(({ type }) => type === "tool_result").map(({ tool_use_id: id }) => id);
    check(JSON.stringify(calls) === JSON.stringify(results), "a result for every call");
    return results.length;
  },
  streamed: (turn: ModelTurn, nth: number) => [
    {
      type: "message_start",
      message: { id: `msg_${nth}`, type: "message", role: "assistant", content: [], usage: { input_tokens: 1 } },
    },
    { type: "ping" },
    ...block(0, { type: "text", text: "" }, [{ type: "text_delta", text: "text" in turn ? turn.text : "Let me see." }]),
    ...("tool" in turn
      ? block(
          1,
          { type: "tool_use", id: `toolu_${nth}`, name: turn.tool, input: {} },
          inPieces(turn.input).map((piece) => ({ type: "input_json_delta", partial_json: piece })),
        )
      : []),
    { type: "message_delta", delta: { stop_reason: "tool" in turn ? "tool_use" : "end_turn" }, usage: {} },
    { type: "message_stop" },
  ],
};

const block = (index: number, content_block: object, deltas: readonly object[]): readonly object[] => [
  { type: "content_block_start", index, content_block },
  ...deltas.map((delta) => ({ type: "content_block_delta", index, delta })),
  { type: "content_block_stop", index },
];
