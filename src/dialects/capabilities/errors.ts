import type { CapabilityError, Recovery } from "./definition.ts";

const CHECK_SCOPE: Recovery = {
  action: "check_scope",
  description: "Call agent.session: it names the directories that can be read and written",
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
  description: "Call filesystem.list on the directory above to see what is there",
  capability: "filesystem.list",
};

const CHECK_QUOTA: Recovery = {
  action: "check_quota",
  description: "Call system.disk_usage to see how much room is left",
  capability: "system.disk_usage",
};

const RETRY: Recovery = { action: "retry", description: "Make the same call again in a moment" };

/** Outside what may be read, or written. */
export const outOfScope = (what: string, ...more: readonly Recovery[]): CapabilityError => ({
  type: "PathOutOfScope",
  on: ["outside_workspace"],
  description: `${what} is outside the directories of this agent`,
  recovery: [CHECK_SCOPE, ...more],
});

export const diskFull: CapabilityError = {
  type: "DiskFull",
  on: ["disk_full"],
  description: "The disk has no room for it; nothing was changed",
  recovery: [CHECK_QUOTA],
};

export const sourceNotFound: CapabilityError = {
  type: "FileNotFound",
  on: ["not_found"],
  description: "There is nothing at the source",
  recovery: [SEARCH],
};

export const destinationExists: CapabilityError = {
  type: "DestinationExists",
  on: ["exists"],
  description: "Something is at the destination, and overwrite is false",
  recovery: [
    { action: "overwrite", description: "Call again with overwrite=true to replace it", inputs: { overwrite: true } },
  ],
};

/** Of capabilities that cannot make directories themselves. */
export const parentNotFound: CapabilityError = {
  type: "ParentNotFound",
  on: ["not_found"],
  argument: "create_parents",
  description: "The directory above it does not exist",
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
  description: "The pattern cannot be understood",
  recovery: [
    {
      action: "simplify",
      description: "Use a simpler pattern: * any name, ** any depth, ? one character, [abc] one of these",
    },
  ],
};

/** What can go wrong with every capability. */
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
    description: "It needs a yes, and there was none",
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
    description: "Something on the way to it is a file",
    recovery: [
      { action: "read", description: "Call filesystem.read for the file", capability: "filesystem.read" },
      LIST,
    ],
  },
  {
    type: "PermissionDenied",
    on: ["no_permission", "special_file", "read_only"],
    description: "The system does not allow it",
    recovery: [REQUEST_ACCESS],
  },
  {
    type: "ResourceExhausted",
    on: ["disk_full", "too_large", "too_many_watches"],
    description: "It needs more than there is",
    recovery: [CHECK_QUOTA, REQUEST_ACCESS],
  },
  {
    type: "ConflictError",
    on: ["stale", "swapped", "conflict", "busy", "exists"],
    description: "Somebody else changed it meanwhile; nothing was changed by this call",
    recovery: [RETRY],
  },
  {
    type: "RateLimited",
    on: ["loop"],
    description: "There were too many calls like this one",
    recovery: [{ action: "wait", description: "Do something else first; then call again" }],
  },
  {
    type: "Timeout",
    on: ["cancelled", "expired"],
    description: "The call was stopped, or nobody answered in time",
    recovery: [RETRY],
  },
  {
    type: "ServiceUnavailable",
    on: ["io"],
    description: "It could not be done just now",
    recovery: [RETRY, REQUEST_ACCESS],
  },
];

/** What fits nothing else was asked for wrongly. */
export const INVALID_INPUT: CapabilityError = {
  type: "InvalidInput",
  on: ["invalid_input"],
  description: "The inputs do not fit the capability",
  recovery: [
    { action: "fix_input", description: "Put the named input right and call again" },
    { action: "stat", description: "Call filesystem.stat to see what is there", capability: "filesystem.stat" },
  ],
};
