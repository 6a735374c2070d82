import type { CapabilityError, Recovery } from "./definition.ts";

const CHECK_SCOPE: Recovery = {
  action: "check_scope",
  description: "Call agent.session: it lists the directories that can be read and written",
  capability: "agent.session",
};

export const REQUEST_ACCESS: Recovery = {
  action: "request_access",
  description: "Tell a person with alerts.send what is needed and why",
  capability: "alerts.send",
};

export const SEARCH: Recovery = {
  action: "search",
  description: "Call filesystem.search to find it by a pattern",
  capability: "filesystem.search",
};

export const LIST: Recovery = {
  action: "list",
  description: "Call filesystem.list on the parent directory to see its entries",
  capability: "filesystem.list",
};

const CHECK_QUOTA: Recovery = {
  action: "check_quota",
  description: "Call system.disk_usage to see how much space is left",
  capability: "system.disk_usage",
};

const RETRY: Recovery = { action: "retry", description: "Repeat the call in a moment" };

/** Covers paths outside the directories that the agent may use. */
export const outOfScope = (what: string, ...more: readonly Recovery[]): CapabilityError => ({
  type: "PathOutOfScope",
  on: ["outside_workspace"],
  description: `${what} is outside the directories of this agent`,
  recovery: [CHECK_SCOPE, ...more],
});

export const diskFull: CapabilityError = {
  type: "DiskFull",
  on: ["disk_full"],
  description: "The disk is full; nothing was changed",
  recovery: [CHECK_QUOTA],
};

export const sourceNotFound: CapabilityError = {
  type: "FileNotFound",
  on: ["not_found"],
  description: "The source does not exist",
  recovery: [SEARCH],
};

export const destinationExists: CapabilityError = {
  type: "DestinationExists",
  on: ["exists"],
  description: "The destination exists, and overwrite is false",
  recovery: [
    { action: "overwrite", description: "Call again with overwrite=true to replace it", inputs: { overwrite: true } },
  ],
};

/** The error of capabilities that cannot create directories themselves. */
export const parentNotFound: CapabilityError = {
  type: "ParentNotFound",
  on: ["not_found"],
  argument: "create_parents",
  description: "The parent directory does not exist",
  recovery: [
    {
      action: "create_parents",
      description: "Write a file there with filesystem.write and create_parents=true",
      capability: "filesystem.write",
      inputs: { create_parents: true },
    },
    LIST,
  ],
};

export const invalidPattern: CapabilityError = {
  type: "InvalidPattern",
  on: ["invalid_input"],
  argument: "pattern",
  description: "The pattern is invalid",
  recovery: [
    {
      action: "simplify",
      description: "Use a simpler pattern: * any name, ** any depth, ? one character, [abc] one of these",
    },
  ],
};

/** Lists errors that every capability may have. */
export const GENERAL: readonly CapabilityError[] = [
  {
    type: "PolicyDenied",
    on: ["denied"],
    description: "A rule of the operator forbids it",
    recovery: [CHECK_SCOPE, REQUEST_ACCESS],
  },
  {
    type: "ApprovalRejected",
    on: ["approval"],
    description: "It needs an approval, which was not given",
    recovery: [REQUEST_ACCESS],
  },
  outOfScope("The path", REQUEST_ACCESS),
  {
    type: "FileNotFound",
    on: ["not_found", "root_gone"],
    description: "There is no such file",
    recovery: [SEARCH, LIST],
  },
  {
    type: "NotADirectory",
    on: ["not_a_directory"],
    description: "A parent of the path is a file",
    recovery: [
      { action: "read", description: "Call filesystem.read for the file", capability: "filesystem.read" },
      LIST,
    ],
  },
  {
    type: "PermissionDenied",
    on: ["no_permission", "special_file", "read_only"],
    description: "The operating system denies access",
    recovery: [REQUEST_ACCESS],
  },
  {
    type: "ResourceExhausted",
    on: ["disk_full", "too_large", "too_many_watches"],
    description: "A resource is exhausted",
    recovery: [CHECK_QUOTA, REQUEST_ACCESS],
  },
  {
    type: "ConflictError",
    on: ["stale", "swapped", "conflict", "busy", "exists"],
    description: "It was changed in the meantime; this call changed nothing",
    recovery: [RETRY],
  },
  {
    type: "RateLimited",
    on: ["loop"],
    description: "There were too many similar calls",
    recovery: [{ action: "wait", description: "Do something else first, then call again" }],
  },
  {
    type: "Timeout",
    on: ["cancelled", "expired"],
    description: "The call was cancelled, or nobody answered in time",
    recovery: [RETRY],
  },
  {
    type: "ServiceUnavailable",
    on: ["io"],
    description: "It is not possible at the moment",
    recovery: [RETRY, REQUEST_ACCESS],
  },
];

/** The fallback for all other faults. */
export const INVALID_INPUT: CapabilityError = {
  type: "InvalidInput",
  on: ["invalid_input"],
  description: "The inputs are invalid",
  recovery: [
    { action: "fix_input", description: "Correct the named input and call again" },
    { action: "stat", description: "Call filesystem.stat to see the type of the path", capability: "filesystem.stat" },
  ],
};
