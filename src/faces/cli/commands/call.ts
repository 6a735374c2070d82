import type { CliSettings } from "../flags.ts";
import { callOnce } from "../one-call.ts";
import { printForeign, usage } from "../terminal.ts";

/** Runs `holdfast call <tool> '<json>' --root <dir>`: makes one call and prints its text. Returns 1 when it failed. */
export async function call(settings: CliSettings): Promise<number> {
  const [tool, json = "{}", ...extra] = settings.words;
  if (tool === undefined) return reportUsage("give a tool and its arguments as one JSON object");
  if (extra.length > 0)
    return reportUsage(`unexpected argument ${JSON.stringify(extra[0])}; give directories with --root`);
  const input = parseJson(json);
  if (input === undefined) return reportUsage(`the arguments are not JSON: ${json}`);
  const { isError, text, data } = await callOnce(settings, tool, input);
  printForeign(settings.json ? JSON.stringify(data) : text);
  return isError ? 1 : 0;
}

function parseJson(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

const reportUsage = (problem: string): number =>
  usage("call", problem, `holdfast call read '{"path":"README.md"}' --root .`);
