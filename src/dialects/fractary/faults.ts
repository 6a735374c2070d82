import { type Code, CODES, type Fault } from "../../base/errors.ts";
import { sharedHint } from "../hint.ts";
import { type FailedCall, type DialectAnswer, say } from "../dialect.ts";

/** The documented envelope of a failure. */
export function refusal(fault: Fault, call: FailedCall): DialectAnswer {
  const isHidden = fault.code === "unknown_tool" && TOOL.test(call.tool);
  const error = isHidden
    ? { code: "PERMISSION_DENIED", message: `Calling ${call.tool} is not allowed here` }
    : { code: codeOf(fault), message: messageOf(fault, call) };
  const envelope = { success: false, error };
  return say(JSON.stringify(envelope), envelope);
}

const codeOf = ({ code }: Fault): string => ERROR_OF_CODE[code] ?? ERROR_OF_KIND[CODES[code].kind];

const ERROR_OF_CODE: Partial<Record<Code, string>> = {
  exists: "ALREADY_EXISTS",
  outside_workspace: "PATH_TRAVERSAL",
  not_a_file: "IS_DIRECTORY",
  not_a_directory: "IS_FILE",
};

/** The last three have no code in the document: they are neither the caller's doing nor a refusal. */
const ERROR_OF_KIND: Readonly<Record<(typeof CODES)[Code]["kind"], string>> = {
  missing: "NOT_FOUND",
  denied: "PERMISSION_DENIED",
  input: "INVALID_ARGUMENT",
  conflict: "STORAGE_ERROR",
  stopped: "STORAGE_ERROR",
  internal: "STORAGE_ERROR",
};

/** Those that there are; some may be hidden, as where nothing may be changed. */
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

/** Where a link leads to in another storage is not told. */
const withoutPlace = ({ message, details: { place } }: Fault, name: string): string =>
  typeof place === "string" ? message.replace(JSON.stringify(place), () => `'${name}'`) : message;

const notADirectoryText = (name: string, { tool }: FailedCall): string =>
  tool.endsWith("_list") ? `'${name}' is a file, not a directory` : `'${name}' cannot be there: a file is in the way`;

/** The path that a fault is about, as the caller spelled it. */
function pathNamedIn({ details }: Fault, { input }: FailedCall): string {
  const { path = ".", source = ".", destination } = (input ?? {}) as Readonly<Record<string, string>>;
  if (destination === undefined) return path;
  return details["path"] === destination ? destination : source;
}

/** Arguments that did not fit the schema. */
function argumentsMessage({ details: { argument, issues } }: Fault): string | undefined {
  if (!Array.isArray(issues)) return undefined;
  const [{ message }] = issues as [{ readonly message: string }];
  return typeof argument === "string" ? `Cannot use '${argument}': ${message}` : message;
}
