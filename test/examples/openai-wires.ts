import type { JsonSchema } from "../../src/schema/listed-schema.ts";
import { brokenRules } from "../schema/provider-rules.ts";
import { type Asked, check, inPieces, type ModelTurn, type Wire } from "./endpoint.ts";

interface Definition {
  readonly name: string;
  readonly parameters: JsonSchema;
  readonly strict?: boolean;
}

function checkTools(tools: readonly Definition[]): void {
  for (const { name, parameters, strict } of tools) {
    check(/^[a-zA-Z0-9_-]{1,64}$/.test(name), `name of ${name}`);
    check(brokenRules(strict ? "openai-strict" : "openai", parameters).length === 0, `schema of ${name}`);
  }
}

const checkKey = ({ headers }: Asked): void => check(headers.authorization === "Bearer key", "key");

interface ChatMessage {
  readonly role: string;
  readonly tool_call_id?: string;
  readonly tool_calls?: readonly { readonly id: string; readonly function: { readonly arguments: string } }[];
}

/** Chat completions. */
export const chatWire: Wire = {
  path: "/v1/chat/completions",
  isNamed: false,
  answered(asked) {
    checkKey(asked);
    checkTools((asked.body["tools"] as { function: Definition }[]).map((tool) => tool.function));
    const messages = asked.body["messages"] as readonly ChatMessage[];
    const calls = messages.flatMap((message) => message.tool_calls ?? []);
    for (const call of calls) JSON.parse(call.function.arguments);
    const results = messages.filter(({ role }) => role === "tool").map((message) => message.tool_call_id);
    check(JSON.stringify(calls.map(({ id }) => id)) === JSON.stringify(results), "a result for every call");
    return results.length;
  },
  streamed: (turn, nth) => [
    chunk({ role: "assistant", content: "" }),
    ...("tool" in turn ? callDeltas(turn, nth) : [{ content: turn.text }]).map((delta) => chunk(delta)),
    chunk({}, "tool" in turn ? "tool_calls" : "stop"),
    { object: "chat.completion.chunk", choices: [], usage: { total_tokens: 1 } },
    "[DONE]",
  ],
};

const chunk = (delta: object, finish_reason: string | null = null): object => ({
  object: "chat.completion.chunk",
  choices: [{ index: 0, delta, finish_reason }],
});

const callDeltas = ({ tool, input }: Extract<ModelTurn, { tool: string }>, nth: number): readonly object[] => [
  { tool_calls: [{ index: 0, id: `call_${nth}`, type: "function", function: { name: tool, arguments: "" } }] },
  ...inPieces(input).map((piece) => ({ tool_calls: [{ index: 0, function: { arguments: piece } }] })),
];

interface Item {
  readonly type?: string;
  readonly call_id?: string;
}

/** Responses, with strict tools. */
export const responsesWire: Wire = {
  path: "/v1/responses",
  isNamed: true,
  answered(asked) {
    checkKey(asked);
    const tools = asked.body["tools"] as readonly Definition[];
    checkTools(tools);
    check(
      tools.every(({ strict }) => strict === true),
      "all strict",
    );
    const items = asked.body["input"] as readonly Item[];
    const named = (type: string) => items.filter((item) => item.type === type).map(({ call_id: id }) => id);
    check(named("function_call").join() === named("function_call_output").join(), "an output for every call");
    return named("function_call_output").length;
  },
  streamed(turn, nth) {
    const item =
      "tool" in turn
        ? { type: "function_call", id: `fc_${nth}`, call_id: `call_${nth}`, name: turn.tool }
        : { type: "message", id: `msg_${nth}`, role: "assistant" };
    const done =
      "tool" in turn
        ? { ...item, arguments: JSON.stringify(turn.input) }
        : { ...item, content: [{ type: "output_text", text: turn.text }] };
    return [
      { type: "response.created", response: { id: `resp_${nth}`, status: "in_progress" } },
      { type: "response.output_item.added", output_index: 0, item },
      ...("tool" in turn
        ? inPieces(turn.input).map((delta) => ({ type: "response.function_call_arguments.delta", delta }))
        : [{ type: "response.output_text.done", text: turn.text }]),
      { type: "response.output_item.done", output_index: 0, item: done },
      { type: "response.completed", response: { id: `resp_${nth}`, status: "completed", output: [done] } },
    ];
  },
};
