/** Lists the acts of a call that rules can name; `create` and `erase` are kinds of `write` and `delete`. */
export const ACTS = ["read", "write", "create", "delete", "erase", "move", "exec", "network"] as const;
export type Act = (typeof ACTS)[number];

/** Lists the verdicts on an act, mildest first. `notify` runs and is reported; `approval` waits for an answer. */
export const VERDICTS = ["autonomous", "notify", "approval", "blocked"] as const;
export type Verdict = (typeof VERDICTS)[number];

/** Accepts what runs without asking; `notify` is reported afterwards. */
export const needsNoApproval = (verdict: Verdict): boolean => verdict === "autonomous" || verdict === "notify";

export const isStricter = (verdict: Verdict, than: Verdict): boolean =>
  VERDICTS.indexOf(verdict) > VERDICTS.indexOf(than);

export const strictest = (one: Verdict, other: Verdict): Verdict => (isStricter(other, one) ? other : one);

/** Lists the layers that rules come from, highest first. A lower layer may only tighten. */
export const LAYERS = ["system", "organisation", "user", "workspace", "session"] as const;
export type LayerName = (typeof LAYERS)[number];

export const TEMPLATE_NAMES = ["personal", "team", "strict"] as const;
export type TemplateName = (typeof TEMPLATE_NAMES)[number];

/** Lists the ways an approval can come: client dialog, prompt, program, command line, console, link, socket. */
export const CHANNELS = ["client", "terminal", "sdk", "cli", "console", "webhook", "socket"] as const;
export type ChannelName = (typeof CHANNELS)[number];

/** Says which files show secrets as placeholders: those made for secrets, all files, or none. */
export const SECRETS_MODES = ["on", "strict", "off"] as const;
export type SecretsMode = (typeof SECRETS_MODES)[number];

/** Says what may run, strictest first: nothing, what is known or listed, or everything. */
export const EXEC_SECURITIES = ["deny", "allowlist", "full"] as const;
export type ExecSecurity = (typeof EXEC_SECURITIES)[number];

/** Says when a person is asked about a command: never, when it is neither known nor listed, or each time. */
export const EXEC_ASKS = ["off", "on-miss", "always"] as const;
export type ExecAsk = (typeof EXEC_ASKS)[number];

/** Names the places where commands run: confined, on this machine, or on another one. */
export const EXEC_HOSTS = ["sandbox", "gateway", "node"] as const;
export type ExecHost = (typeof EXEC_HOSTS)[number];
