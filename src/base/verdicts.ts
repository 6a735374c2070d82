/** What a call can want to do. Rules speak about these; `create` and `erase` are kinds of `write` and `delete`. */
export const ACTS = ["read", "write", "create", "delete", "erase", "move", "exec", "network"] as const;
export type Act = (typeof ACTS)[number];

/** What may happen with a want, mildest first. `notify` is done and told; `approval` waits for a yes. */
export const VERDICTS = ["autonomous", "notify", "approval", "blocked"] as const;
export type Verdict = (typeof VERDICTS)[number];

/** Done without asking; `notify` is told afterwards. */
export const needsNoApproval = (verdict: Verdict): boolean => verdict === "autonomous" || verdict === "notify";

export const isStricter = (verdict: Verdict, than: Verdict): boolean =>
  VERDICTS.indexOf(verdict) > VERDICTS.indexOf(than);

export const strictest = (one: Verdict, other: Verdict): Verdict => (isStricter(other, one) ? other : one);

/** Where rules come from, highest first. A lower layer may only tighten. */
export const LAYERS = ["system", "organisation", "user", "workspace", "session"] as const;
export type LayerName = (typeof LAYERS)[number];

export const TEMPLATE_NAMES = ["personal", "team", "strict"] as const;
export type TemplateName = (typeof TEMPLATE_NAMES)[number];

/** Through whom a yes can come: the client's own dialog, a prompt, the program around us, the command line, the console, a link. */
export const CHANNELS = ["client", "terminal", "sdk", "cli", "console", "webhook"] as const;
export type ChannelName = (typeof CHANNELS)[number];

/** Where secrets are shown as handles: in files made for them, in all files, or nowhere. */
export const SECRETS_MODES = ["on", "strict", "off"] as const;
export type SecretsMode = (typeof SECRETS_MODES)[number];
