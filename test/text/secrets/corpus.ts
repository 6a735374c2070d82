/** A line, and the part of it that is secret; none where it only looks like one. */
export interface CorpusLine {
  readonly line: string;
  readonly secret?: string;
}

/** Numbers that look random and are the same each time. */
export function createDice(seed: number) {
  let state = seed;
  const next = (): number => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
  const pick = <T>(from: readonly T[]): T => from[Math.floor(next() * from.length)] as T;
  const text = (length: number, alphabet: string): string =>
    Array.from({ length }, () => alphabet[Math.floor(next() * alphabet.length)]).join("");
  return { pick, text, upTo: (most: number) => Math.floor(next() * most) };
}

type Dice = ReturnType<typeof createDice>;

const UPPER = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
const WORDY = `${UPPER}${UPPER.toLowerCase()}0123456789`;
const HEX = "0123456789abcdef";
const BASE64 = `${WORDY}+/`;

/** One maker for every row of the table of formats. */
const KEYS: Readonly<Record<string, (dice: Dice) => string>> = {
  aws: ({ pick, text }) => pick(["AKIA", "ASIA"]) + text(16, `${UPPER}234567`),
  github: ({ pick, text }) => `gh${pick(["p", "o", "s"])}_${text(36, WORDY)}`,
  githubFine: ({ text }) => `github_pat_${text(22, WORDY)}_${text(59, WORDY)}`,
  gitlab: ({ text }) => `glpat-${text(20, WORDY)}`,
  slack: ({ text }) => `xoxb-${text(12, "0123456789")}-${text(24, WORDY)}`,
  anthropic: ({ text }) => `sk-ant-api03-${text(90, `${WORDY}_-`)}AA`,
  openai: ({ text }) => `sk-proj-${text(64, WORDY)}`,
  openaiOld: ({ text }) => `sk-${text(48, WORDY)}`,
  stripe: ({ text }) => `sk_live_${text(24, WORDY)}`,
  stripeHook: ({ text }) => `whsec_${text(32, WORDY)}`,
  google: ({ text }) => `AIza${text(35, WORDY)}`,
  googleSecret: ({ text }) => `GOCSPX-${text(28, WORDY)}`,
  googleToken: ({ text }) => `ya29.${text(80, WORDY)}`,
  npm: ({ text }) => `npm_${text(36, WORDY)}`,
  pypi: ({ text }) => `pypi-${text(120, WORDY)}`,
  sendgrid: ({ text }) => `SG.${text(22, WORDY)}.${text(43, WORDY)}`,
  twilio: ({ text }) => `SK${text(32, HEX)}`,
  holdfast: ({ text }) => `holdfast_${text(43, WORDY)}`,
  huggingface: ({ text }) => `hf_${text(34, WORDY)}`,
  digitalocean: ({ text }) => `dop_v1_${text(64, HEX)}`,
  shopify: ({ text }) => `shpat_${text(32, HEX)}`,
  hashicorp: ({ text }) => `hvs.${text(90, WORDY)}`,
  age: ({ text }) => `AGE-SECRET-KEY-1${text(58, `${UPPER}0123456789`)}`,
  jwt: ({ text }) => `eyJ${text(30, WORDY)}.eyJ${text(80, WORDY)}.${text(43, WORDY)}`,
};

/** Places where a key of a known format may stand, in any file. */
const AROUND: readonly ((key: string) => string)[] = [
  (key) => key,
  (key) => `export THING=${key}`,
  (key) => `const client = connect("${key}");`,
  (key) => `curl -H 'X-Auth: ${key}' https://api.test/v1`,
  (key) => `2026-03-04 12:00:01 INFO using ${key}, retrying`,
  (key) => `  thing: ${key}`,
];

const SECRET_NAMES = [
  "DB_PASSWORD",
  "api_key",
  "clientSecret",
  "JWT_SECRET",
  "auth-token",
  "SMTP_PASS",
  "secret_key_base",
];

const PASSWORDS: readonly ((dice: Dice) => string)[] = [
  ({ text }) => text(32, HEX),
  ({ text }) => text(40, BASE64),
  ({ text, upTo }) => `${text(8 + upTo(8), WORDY)}!${text(3, "0123456789")}`,
  ({ text }) => `${text(12, WORDY)}#${text(4, WORDY)}$1`,
];

const NOTATIONS: readonly ((name: string, value: string) => string)[] = [
  (name, value) => `${name}=${value}`,
  (name, value) => `export ${name}="${value}"`,
  (name, value) => `  "${name}": "${value}",`,
  (name, value) => `${name}: '${value}'`,
  (name, value) => `${name} = ${value}`,
];

/** Lines of settings that hold a secret. */
export function* secretSettings(dice: Dice, count: number): Generator<CorpusLine> {
  for (let nth = 0; nth < count; nth++) {
    const secret = dice.pick(PASSWORDS)(dice);
    yield { line: dice.pick(NOTATIONS)(dice.pick(SECRET_NAMES), secret), secret };
    const inAddress = dice.text(16, WORDY);
    yield { line: `DATABASE_URL=postgres://app:${inAddress}@db.test:5432/app`, secret: inAddress };
    const unnamed = dice.text(43, BASE64);
    yield { line: `FERNET_${nth}=${unnamed}`, secret: unnamed };
  }
}

/** Lines of any file that hold a key whose format is known. */
export function* knownKeys(dice: Dice, each: number): Generator<CorpusLine> {
  for (const make of Object.values(KEYS)) {
    for (let nth = 0; nth < each; nth++) {
      const secret = make(dice);
      yield { line: dice.pick(AROUND)(secret), secret };
    }
  }
}

/** Lines of source files with a secret between quotes. */
export function* secretsInCode(dice: Dice, count: number): Generator<CorpusLine> {
  for (let nth = 0; nth < count; nth++) {
    const secret = dice.pick(PASSWORDS)(dice);
    const name = dice.pick(["password", "apiKey", "client_secret", "authToken"]);
    yield {
      line: dice.pick([`const ${name} = "${secret}";`, `  ${name}: '${secret}',`, `${name} = "${secret}"`]),
      secret,
    };
  }
}

/** Lines of settings without a secret. */
export function* plainSettings(dice: Dice, count: number): Generator<CorpusLine> {
  for (let nth = 0; nth < count; nth++) {
    for (const line of [
      `PORT=${3000 + dice.upTo(999)}`,
      `NODE_ENV=${dice.pick(["production", "development", "test"])}`,
      `LOG_LEVEL=${dice.pick(["info", "debug"])}`,
      `API_URL=https://api-${nth}.example.test/v${nth}/things?limit=${nth}`,
      `DATABASE_HOST=db-${dice.text(6, HEX)}.internal.test`,
      `REGION=eu-central-${1 + dice.upTo(3)}`,
      `TOKEN_TTL=${dice.upTo(9000)}`,
      `MAX_TOKENS=${dice.upTo(9000)}`,
      `PASSWORD_MIN_LENGTH=${8 + dice.upTo(9)}`,
      `SSH_KEY_PATH=/home/app/.ssh/id_${nth}`,
      "API_KEY=",
      "API_KEY=changeme",
      "DB_PASSWORD=${DB_PASSWORD_FROM_VAULT}",
      'CLIENT_SECRET="<your-secret-here>"',
      `RELEASE_ID=${dice.text(8, HEX)}-${dice.text(4, HEX)}-${dice.text(4, HEX)}-${dice.text(4, HEX)}-${dice.text(12, HEX)}`,
      `BUILD_DATE=2026-03-0${1 + dice.upTo(8)}T12:00:00Z`,
      `FEATURES=search,export,${dice.pick(["dark-mode", "beta"])}`,
      `IMAGE=registry.test/team/app:${nth}.${dice.upTo(9)}.${dice.upTo(9)}`,
      "# the token is in the password manager: ask the team for access",
      `REDIS_URL=redis://cache-${nth}.internal.test:6379/0`,
    ])
      yield { line };
  }
}

/** Lines of source files without a secret, of the kinds that look like one. */
export function* plainCode(dice: Dice, count: number): Generator<CorpusLine> {
  for (let nth = 0; nth < count; nth++) {
    for (const line of [
      "const password = readPassword(prompt);",
      "  token: string;",
      "const apiKey = process.env.API_KEY;",
      "function tokenOf(secret: Secret): Token {",
      'throw new Fault("denied", "the password is wrong: try again");',
      `const token = tokens[${nth}];`,
      `    "integrity": "sha512-${dice.text(86, BASE64)}==",`,
      `commit ${dice.text(40, HEX)}`,
      `const CHECKSUM = "${dice.text(64, HEX)}";`,
      `import { createThing${nth} } from "../things/create-thing-${nth}.ts";`,
      `<input type="password" name="password" autocomplete="current-password">`,
      `  id: "${dice.text(8, HEX)}-${dice.text(4, HEX)}-4${dice.text(3, HEX)}-a${dice.text(3, HEX)}-${dice.text(12, HEX)}",`,
      `expect(secretOf("a")).toBe("b"); // ${nth}`,
      "if (key === undefined || secret.length === 0) return refuse(handle);",
      `  className: "flex items-center justify-between px-${nth} text-gray-500",`,
      `const url = "https://docs.example.test/en/latest/${dice.text(5, HEX)}/guide.html#token";`,
      `password: { type: "string", minLength: ${nth} },`,
      `  --color-accent-strong: #${dice.text(6, HEX)};`,
      `at Object.<anonymous> (/app/src/runtime/secret-${nth}.ts:${nth}:17)`,
      "docker run -e API_TOKEN=$API_TOKEN image",
    ])
      yield { line };
  }
}
