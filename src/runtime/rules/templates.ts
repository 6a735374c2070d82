import type { RuleEntry } from "../../config/rule.ts";
import type { Act, TemplateName, Verdict } from "../../base/verdicts.ts";
import { ENVIRONMENTS, SECRETS } from "../secrets/sensitive-globs.ts";

interface Strictness {
  readonly secrets: Verdict;
  readonly environments: Verdict;
  readonly write: Verdict;
  readonly delete: Verdict;
  readonly erase: Verdict;
  readonly outward: Verdict;
}

/** Holds the verdicts in which the templates differ. */
const STRICTNESS: Readonly<Record<TemplateName, Strictness>> = {
  personal: {
    secrets: "approval",
    environments: "notify",
    write: "notify",
    delete: "notify",
    erase: "approval",
    outward: "approval",
  },
  team: {
    secrets: "blocked",
    environments: "approval",
    write: "notify",
    delete: "approval",
    erase: "blocked",
    outward: "approval",
  },
  strict: {
    secrets: "blocked",
    environments: "blocked",
    write: "approval",
    delete: "approval",
    erase: "blocked",
    outward: "blocked",
  },
};

/** Returns the rules of a template. "personal" is also the default. */
export function templateRules(name: TemplateName, hasRedaction = false): readonly RuleEntry[] {
  return (hasRedaction ? RULES_WITH_REDACTION : RULES)[name];
}

function rulesFor(degrees: Strictness): readonly RuleEntry[] {
  return [
    { act: "read", decide: "autonomous", reason: "reading is free" },
    { act: "read", path: [...SECRETS], decide: degrees.secrets, reason: "it holds keys or passwords", ...KEY_EXAMPLES },
    {
      act: "read",
      path: [...ENVIRONMENTS],
      decide: degrees.environments,
      reason: "it often holds passwords",
      match: [".env", "app/.env.production", "prod.env"],
      not_match: [".env.example", "environment.ts"],
    },
    { act: ["write", "create"], decide: degrees.write, reason: "it changes files" },
    { act: "move", decide: degrees.write, reason: "it moves files" },
    { act: "delete", decide: degrees.delete, reason: "it deletes" },
    { act: "erase", decide: degrees.erase, reason: "what is deleted for good cannot be brought back" },
    { act: ["exec", "network"], decide: degrees.outward, reason: "it reaches beyond the files" },
    {
      act: ["write", "create", "move", "delete"],
      path: "**/.git/**",
      decide: "blocked",
      trees: false,
      reason: "what is inside .git is git's own",
      match: [".git/config", "sub/.git/hooks/pre-commit"],
      not_match: [".git", ".gitignore", ".github/workflows/ci.yml"],
    },
    {
      act: ["write", "move"],
      path: ".git",
      decide: "approval",
      trees: false,
      reason: "what is called .git decides what git runs",
      match: [".git", "sub/.git"],
      not_match: [".gitignore", "a.git"],
    },
  ];
}

const KEY_EXAMPLES = {
  match: ["id_ed25519", ".ssh/id_rsa", "certs/server.pem", ".aws/credentials", "home/.kube/config"],
  not_match: ["id_rsa.pub", "known_hosts", "src/keys.ts", "credentials.md"],
};

type RulesByName = Readonly<Record<TemplateName, readonly RuleEntry[]>>;

const RULES: RulesByName = {
  personal: rulesFor(STRICTNESS.personal),
  team: rulesFor(STRICTNESS.team),
  strict: rulesFor(STRICTNESS.strict),
};

/** Relaxes the team template where secrets are redacted: nobody has to be asked for settings then. */
const RULES_WITH_REDACTION: RulesByName = { ...RULES, team: rulesFor({ ...STRICTNESS.team, environments: "notify" }) };

/** Returns the rules of a dialect, which is as strict as the system that it replaces. */
export const dialectRules = (
  dialect: string,
  verdicts: Readonly<Partial<Record<Act, Verdict>>> = {},
): readonly RuleEntry[] =>
  Object.entries(verdicts).map(([act, decide]) => ({
    act: act as Act,
    decide,
    reason: `in ${dialect}, ${act} ${VERDICT_TEXTS[decide]}`,
  }));

const VERDICT_TEXTS: Readonly<Record<Verdict, string>> = {
  autonomous: "is free",
  notify: "is told",
  approval: "needs a yes",
  blocked: "is refused",
};
