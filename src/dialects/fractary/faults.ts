import type { Code, Fault } from "../../base/errors.ts";
import { type FailedCall, type Said, say } from "../dialect.ts";

/** What the document calls each fault. */
const CODE_OF: Partial<Record<Code, string>> = {
  not_found: "NOT_FOUND",
  root_gone: "NOT_FOUND",
  exists: "ALREADY_EXISTS",
  outside_workspace: "PATH_TRAVERSAL",
  denied: "PERMISSION_DENIED",
  loop: "PERMISSION_DENIED",
  no_permission: "PERMISSION_DENIED",
  read_only: "PERMISSION_DENIED",
  special_file: "PERMISSION_DENIED",
  not_a_file: "IS_DIRECTORY",
  not_a_directory: "IS_FILE",
  invalid_input: "INVALID_ARGUMENT",
  unknown_tool: "INVALID_ARGUMENT",
  not_text: "INVALID_ARGUMENT",
  cannot_encode: "INVALID_ARGUMENT",
  too_large: "INVALID_ARGUMENT",
};

/** The documented envelope of a failure. */
export function refusal(fault: Fault, call: FailedCall): Said {
  const isHidden = fault.code === "unknown_tool" && TOOL.test(call.tool);
  const error = isHidden
    ? { code: "PERMISSION_DENIED", message: `Calling ${call.tool} is not allowed here` }
    : { code: codeOf(fault), message: messageOf(fault, call) };
  const envelope = { success: false, error };
  return say(JSON.stringify(envelope), envelope);
}

/** One is ours: for what is neither the caller's doing nor a refusal. */
const codeOf = ({ code }: Fault): string => CODE_OF[code] ?? "STORAGE_ERROR";

/** Those that there are; some may be hidden, as where nothing may be changed. */
const TOOL = /^fractary_file_(?:read|write|list|delete|exists|copy|move)$/;

function messageOf(fault: Fault, call: FailedCall): string {
  const { code, message } = fault;
  const name = namedIn(fault, call);
  if (code === "not_found") return `${call.tool.endsWith("_list") ? "Directory" : "File"} '${name}' not found`;
  if (code === "exists") return `File '${name}' already exists; set overwrite to true to replace it`;
  if (code === "outside_workspace") return `Path traversal detected: '${name}' attempts to escape base directory`;
  // The native words may name a place in another storage.
  if (code === "denied") return `Access to '${name}' is denied`;
  if (code === "not_a_file") return `'${name}' is a directory, not a file`;
  if (code === "not_a_directory") return inTheWay(name, call);
  if (code === "too_large") return `${message}; take it in parts`;
  if (code === "not_text") return `${message}; read it with encoding base64`;
  return argumentsMessage(fault) ?? message;
}

const inTheWay = (name: string, { tool }: FailedCall): string =>
  tool.endsWith("_list") ? `'${name}' is a file, not a directory` : `'${name}' cannot be there: a file is in the way`;

/** The path that a fault is about, as the caller spelled it. */
function namedIn({ details }: Fault, { input }: FailedCall): string {
  const { path, source = ".", destination } = input as Readonly<Record<string, string>>;
  const isDestination = destination !== undefined && details["path"] === destination;
  return isDestination ? destination : (path ?? source);
}

/** Arguments that did not fit the schema. */
function argumentsMessage({ details: { argument, issues } }: Fault): string | undefined {
  if (!Array.isArray(issues)) return undefined;
  const [{ message }] = issues as [{ readonly message: string }];
  return typeof argument === "string" ? `Cannot use '${argument}': ${message}` : message;
}
