import { dirname } from "node:path";
import { answerOf, type Fault } from "../../base/errors.ts";
import { quoted, visible } from "../../text/quote.ts";
import type { FailedCall, DialectAnswer } from "../dialect.ts";
import type { Native } from "../native.ts";
import { inFirstRoot } from "../in-first-root.ts";

/** Returns picoclaw's message for a fault in the first block, and the next step in a second one. */
export async function answerFault(fault: Fault, call: FailedCall, native: Native): Promise<DialectAnswer> {
  const error = answerOf(fault);
  const phrase = visible(await phraseOf(fault, call, native));
  const help = fault.code === "outside_workspace" ? workspaceHelp(native) : error.hint;
  return {
    blocks: [
      { kind: "text", text: phrase },
      { kind: "text", text: help },
    ],
    data: { error: { ...error, message: phrase, hint: help } },
  };
}

async function phraseOf(fault: Fault, call: FailedCall, native: Native): Promise<string> {
  const { code, message, details } = fault;
  if (code === "outside_workspace") return isSpelledOutside(fault) ? OUTSIDE : LEADS_OUTSIDE;
  if (code === "no_match") return `old_text not found in file. Make sure it matches exactly\n${message}`;
  if (code === "many_matches")
    return `old_text appears ${String(details["matches"])} times. Please provide more context to make it unique`;
  if (code === "unknown_tool" || code === "loop") return message;
  return argumentPhrase(fault) ?? `${await failureOf(call, fault, native)}: ${message}`;
}

const OUTSIDE = "access denied: path is outside the workspace";
const LEADS_OUTSIDE = "access denied: symlink resolves outside workspace";

/**
 * Returns true if the path itself is outside. Otherwise a link leads outside, and the fault does not name the roots.
 */
const isSpelledOutside = ({ details }: Fault): boolean => details["roots"] !== undefined;

/** Returns the message for invalid arguments, or undefined for other faults. */
function argumentPhrase({ message, details: { argument, issues } }: Fault): string | undefined {
  if (!Array.isArray(issues)) return undefined;
  const [{ code }] = issues as [{ readonly code: string }];
  return code === "invalid_type" ? `${String(argument)} is required` : message;
}

/** Returns picoclaw's words for the step that failed. */
async function failureOf({ tool, input }: FailedCall, fault: Fault, native: Native): Promise<string> {
  if (tool === "list_dir") return "failed to read directory";
  if (tool === "read_file") return "failed to read file";
  if (tool === "edit_file")
    return WRITE_FAILURE_CODES.includes(fault.code) ? "failed to write file" : "failed to read file";
  return (await isWithoutDirectory(input, fault, native)) ? "failed to create directory" : "failed to write file";
}

/** Lists the codes of an edit that fails after the file has been read. */
const WRITE_FAILURE_CODES: readonly string[] = ["disk_full", "read_only", "busy", "cannot_encode"];

/** Returns true if the parent directory does not exist, so that creating it failed. */
async function isWithoutDirectory(input: unknown, { code }: Fault, native: Native): Promise<boolean> {
  if (code === "not_a_directory") return true;
  const { path } = input as { readonly path: string };
  const parent = await native.call("stat", { path: dirname(inFirstRoot(path, native)) }).catch(() => undefined);
  return parent?.exists === false;
}

const workspaceHelp = ({ roots }: Native): string => `The workspace is ${roots.map(quoted).join(", ")}`;
