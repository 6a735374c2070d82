import type { Code, Fault } from "../../base/errors.ts";
import type { FileErrorCode } from "./codes.ts";
import { type FailedCall, type Said, say } from "../dialect.ts";

const CODE_OF: Partial<Record<Code, FileErrorCode>> = {
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
  const error = isUnlisted(fault, call) ? READ_ONLY : { code: codeOf(fault), message: messageOf(fault, call) };
  const envelope = { success: false, error };
  return say(JSON.stringify(envelope), envelope);
}

const codeOf = ({ code }: Fault): FileErrorCode => CODE_OF[code] ?? "STORAGE_ERROR";

/** A tool that is not there only because nothing may be changed. */
const isUnlisted = ({ code }: Fault, { tool }: FailedCall): boolean =>
  code === "unknown_tool" && /^fractary_file_(?:write|delete|copy|move)$/.test(tool);

const READ_ONLY = { code: "PERMISSION_DENIED", message: "Nothing can be changed here: it is read-only" };

function messageOf(fault: Fault, call: FailedCall): string {
  const { code, message } = fault;
  const name = namedIn(fault, call);
  if (code === "not_found") return `${call.tool.endsWith("_list") ? "Directory" : "File"} '${name}' not found`;
  if (code === "exists") return `File '${name}' already exists; set overwrite to true to replace it`;
  if (code === "outside_workspace") return `Path traversal detected: '${name}' attempts to escape base directory`;
  // The native words may name a place in another storage.
  if (code === "denied") return `Access to '${name}' is denied`;
  if (code === "not_a_file") return `'${name}' is a directory, not a file`;
  if (code === "not_text") return `${message}; read it with encoding base64`;
  return argumentsMessage(fault) ?? message;
}

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
