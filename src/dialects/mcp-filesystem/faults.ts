import { answerOf, type Code, type Fault } from "../../base/errors.ts";
import { visible } from "../../text/quote.ts";
import type { FailedCall, DialectAnswer } from "../dialect.ts";
import { sharedHint } from "../shared-hint.ts";
import type { Native } from "../native.ts";
import { toAbsolute } from "./paths.ts";

type Roots = Pick<Native, "roots">;

/** Returns the message of the reference server in the first block, and a hint for the model in a second one. */
export function answerFault(fault: Fault, call: FailedCall, native: Roots): DialectAnswer {
  const texts = [phraseOf(fault, call, native), helpFor(fault)].filter((text) => text !== undefined);
  return { blocks: texts.map((text) => ({ kind: "text", text: visible(text) })) };
}

const helpFor = (fault: Fault): string | undefined =>
  EDIT_MISMATCHES.includes(fault.code) ? `${fault.message}\n${answerOf(fault).hint}` : sharedHint(fault);

const EDIT_MISMATCHES: readonly Code[] = ["no_match", "many_matches"];

/** Returns the message of the reference server for a fault. */
export function phraseOf(fault: Fault, call: FailedCall, native: Roots): string {
  const { code, message, details } = fault;
  if (code === "unknown_tool") return `MCP error -32602: Tool ${call.tool} not found`;
  if (code === "invalid_input" && Array.isArray(details["issues"]))
    return argumentsPhrase(call.tool, details["issues"]);
  if (code === "outside_workspace") return outsidePhrase(fault, call, native);
  if (code === "no_match") return `Could not find exact match for edit:\n${oldTextOf(fault, call)}`;
  if (code === "many_matches") return `Found more than one match for edit:\n${oldTextOf(fault, call)}`;
  if (code === "denied") return `Access denied - ${message}`;
  if (code === "exists" && call.tool === "move_file")
    return `Destination already exists: ${String(argumentsOf(call)["destination"])}`;
  return systemPhrase(code, call, native) ?? message;
}

interface Issue {
  readonly message: string;
  readonly path: readonly PropertyKey[];
}

function argumentsPhrase(tool: string, issues: readonly Issue[]): string {
  const lines = issues.map(({ message, path }) => (path.length === 0 ? message : `${message} at ${path.join(".")}`));
  return `MCP error -32602: Input validation error: Invalid arguments for tool ${tool}: ${lines.join("\n")}`;
}

/** Does not reveal the target of a link, which is outside. */
function outsidePhrase({ details }: Fault, call: FailedCall, native: Roots): string {
  const what = details["roots"] === undefined ? "symlink target" : "path";
  const named = String(details["path"] ?? pathOf(call));
  return `Access denied - ${what} outside allowed directories: ${toAbsolute(named, native)} not in ${native.roots.join(", ")}`;
}

const argumentsOf = ({ input }: FailedCall): Readonly<Record<string, unknown>> =>
  input as Readonly<Record<string, unknown>>;

const pathOf = (call: FailedCall): unknown => argumentsOf(call)["path"] ?? argumentsOf(call)["source"];

/** Finds the edit by its index, which does not count edits that change nothing. */
function oldTextOf({ details }: Fault, call: FailedCall): string {
  const edits = argumentsOf(call)["edits"] as readonly { readonly oldText: string; readonly newText: string }[];
  const counted = edits.filter(({ oldText, newText }) => oldText !== newText);
  return counted[Number(details["edit"])]?.oldText ?? "";
}

/** Returns the message of Node for a system error. */
function systemPhrase(code: Code, call: FailedCall, native: Roots): string | undefined {
  const words =
    SYSTEM_MESSAGES[code] ?? (code === "invalid_input" && call.tool === "move_file" ? SYSTEM_INVALID : undefined);
  if (words === undefined) return undefined;
  if (code === "not_a_file" && call.tool !== "write_file") return `${words}, read`;
  const { source, destination } = argumentsOf(call);
  const names = call.tool === "move_file" ? [source, destination] : [pathOf(call)];
  const shown = names.map((name) => `'${toAbsolute(String(name), native)}'`).join(" -> ");
  return `${words}, ${SYSCALL_OF[call.tool] ?? "open"} ${shown}`;
}

const SYSTEM_MESSAGES: Partial<Record<Code, string>> = {
  not_found: "ENOENT: no such file or directory",
  not_a_directory: "ENOTDIR: not a directory",
  not_a_file: "EISDIR: illegal operation on a directory",
  exists: "EEXIST: file already exists",
  no_permission: "EACCES: permission denied",
  disk_full: "ENOSPC: no space left on device",
  read_only: "EROFS: read-only file system",
};

const SYSTEM_INVALID = "EINVAL: invalid argument";

const SYSCALL_OF: Readonly<Record<string, string>> = {
  create_directory: "mkdir",
  list_directory: "scandir",
  list_directory_with_sizes: "scandir",
  directory_tree: "scandir",
  search_files: "scandir",
  get_file_info: "stat",
  move_file: "rename",
};
