import { homedir } from "node:os";
import { Fault } from "../base/errors.ts";
import { childOf, isWithin, nameIn, parentOf } from "../base/paths.ts";
import type { ApprovalChannel } from "../runtime/approvals/approval.ts";
import { createSocketChannel } from "../runtime/approvals/socket-channel.ts";
import { resolvedPath } from "../storage/local/jail/resolved-links.ts";
import { identifyPrivateSocket } from "../storage/local/private-socket.ts";
import type { Options } from "./options.ts";

/** Returns the channel that asks over a socket, where the operator configured one. */
export function approvalSocketOf(options: Options, home: string, roots: readonly string[]): ApprovalChannel[] {
  const path = approvalSocketPath(options, home);
  if (path === undefined) return [];
  requireOwnDirectory(parentOf(path), home, roots);
  return [createSocketChannel({ path, token: options.approvalSocket?.token, identify: identifyPrivateSocket })];
}

/** Returns the path of the socket, in the state directory unless the operator says otherwise. */
export function approvalSocketPath({ approvalSocket }: Options, home: string): string | undefined {
  if (!approvalSocket) return undefined;
  const path = approvalSocket.path ?? childOf(home, "exec-approvals.sock");
  return childOf(resolvedPath(parentOf(path)), nameIn(path));
}

/** The directory of the socket is hidden from commands as a whole: it may hold nothing that they need. */
function requireOwnDirectory(directory: string, home: string, roots: readonly string[]): void {
  if (isWithin(directory, home)) return;
  const isShared = isWithin(homedir(), directory) || roots.some((root) => isWithin(root, directory));
  if (!isShared && !roots.some((root) => isWithin(directory, root))) return;
  const reason = "it must be outside the roots, in a directory of its own";
  throw new Fault("invalid_input", `Cannot use approvals.socket: ${reason}`, { argument: "approvalSocket" });
}
