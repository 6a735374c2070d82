import { type Code, CODES, type Fault } from "../../base/errors.ts";
import { sharedHint } from "../shared-hint.ts";
import { type FailedCall, type DialectAnswer, textAnswer } from "../dialect.ts";

/** Wraps a failure in the documented envelope. */
export function answerFault(fault: Fault, call: FailedCall): DialectAnswer {
  const isHidden = fault.code === "unknown_tool" && TOOL.test(call.tool);
  const error = isHidden
    ? { code: "PERMISSION_DENIED", message: `Calling ${call.tool} is not allowed here` }
    : { code: codeOf(fault), message: messageOf(fault, call) };
  const envelope = { success: false, error };
  return textAnswer(JSON.stringify(envelope), envelope);
}

const codeOf = ({ code }: Fault): string => ERROR_OF_CODE[code] ?? ERROR_OF_KIND[CODES[code].kind];

const ERROR_OF_CODE: Partial<Record<Code, string>> = {
  exists: "ALREADY_EXISTS",
  outside_workspace: "PATH_TRAVERSAL",
  not_a_file: "IS_DIRECTORY",
  not_a_directory: "IS_FILE",
};

/** Uses `STORAGE_ERROR` for the last three, which have no documented code: they are no mistake and no refusal. */
const ERROR_OF_KIND: Readonly<Record<(typeof CODES)[Code]["kind"], string>> = {
  missing: "NOT_FOUND",
  denied: "PERMISSION_DENIED",
  input: "INVALID_ARGUMENT",
  conflict: "STORAGE_ERROR",
  stopped: "STORAGE_ERROR",
  internal: "STORAGE_ERROR",
};

/** Matches all tools, because some may be hidden, such as those that write in a read-only session. */
const TOOL = /^fractary_file_(?:read|write|list|delete|exists|copy|move)$/;

function messageOf(fault: Fault, call: FailedCall): string {
  const { code, message } = fault;
  const name = pathNamedIn(fault, call);
  if (code === "not_found") return `${call.tool.endsWith("_list") ? "Directory" : "File"} '${name}' not found`;
  if (code === "exists") return `File '${name}' already exists; set overwrite to true to replace it`;
  if (code === "outside_workspace") return `Path traversal detected: '${name}' attempts to escape base directory`;
  if (code === "not_a_file") return `'${name}' is a directory, not a file`;
  if (code === "not_a_directory") return notADirectoryText(name, call);
  if (code === "too_large") return `${message}; take it in parts`;
  if (code === "not_text") return `${message}; read it with encoding base64`;
  return argumentsMessage(fault) ?? [withoutPlace(fault, name), sharedHint(fault)].filter(Boolean).join("\n");
}

/** Replaces the place in a message by the name, so that the target of a link in another storage is not revealed. */
const withoutPlace = ({ message, details: { place } }: Fault, name: string): string =>
  typeof place === "string" ? message.replace(JSON.stringify(place), () => `'${name}'`) : message;

const notADirectoryText = (name: string, { tool }: FailedCall): string =>
  tool.endsWith("_list") ? `'${name}' is a file, not a directory` : `'${name}' cannot be there: a file is in the way`;

/** Returns the path of a fault as the caller wrote it. */
function pathNamedIn({ details }: Fault, { input }: FailedCall): string {
  const { path = ".", source = ".", destination } = (input ?? {}) as Readonly<Record<string, string>>;
  if (destination === undefined) return path;
  return details["path"] === destination ? destination : source;
}

/** Returns the message for invalid arguments, or undefined for other faults. */
function argumentsMessage({ details: { argument, issues } }: Fault): string | undefined {
  if (!Array.isArray(issues)) return undefined;
  const [{ message }] = issues as [{ readonly message: string }];
  return typeof argument === "string" ? `Cannot use '${argument}': ${message}` : message;
}
