import type { RuleEntry } from "../config/rule.ts";
import type { TemplateName, Verdict } from "../base/verdicts.ts";

/** Files that hold nothing but a key, and stores of passwords and tokens. */
const SECRETS: readonly string[] = [
  "id_rsa",
  "id_dsa",
  "id_ecdsa",
  "id_ecdsa_sk",
  "id_ed25519",
  "id_ed25519_sk",
  "*.{pem,key,ppk,p12,pfx,jks,keystore,kdbx,agekey}",
  ".netrc",
  ".pgpass",
  ".my.cnf",
  ".git-credentials",
  ".pypirc",
  ".htpasswd",
  ".vault-token",
  "**/.gnupg/**",
  "**/.aws/credentials",
  "**/.aws/sso/**",
  "**/.azure/**",
  "**/.config/gcloud/**",
  "**/.config/gh/hosts.yml",
  "**/.docker/config.json",
  "**/.kube/config",
  "**/.password-store/**",
  "**/.local/share/keyrings/**",
  "**/.mozilla/firefox/**",
];

/** Settings that often hold a password among others. */
const ENVIRONMENTS: readonly string[] = [
  ".env",
  ".env.{local,dev,development,test,staging,stage,prod,production}",
  ".env.*.local",
  "*.env",
  ".envrc",
  ".npmrc",
];

interface Degrees {
  readonly secrets: Verdict;
  readonly environments: Verdict;
  readonly write: Verdict;
  readonly delete: Verdict;
  readonly erase: Verdict;
  readonly outward: Verdict;
}

/** How strict each template is, where they differ. */
const DEGREES: Readonly<Record<TemplateName, Degrees>> = {
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

/** The rules of a template. "personal" is also what holds where nobody said anything. */
export function templateRules(name: TemplateName): readonly RuleEntry[] {
  return RULES[name];
}

function rulesFor(degrees: Degrees): readonly RuleEntry[] {
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
      act: ["create", "move"],
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

const RULES: Readonly<Record<TemplateName, readonly RuleEntry[]>> = {
  personal: rulesFor(DEGREES.personal),
  team: rulesFor(DEGREES.team),
  strict: rulesFor(DEGREES.strict),
};
