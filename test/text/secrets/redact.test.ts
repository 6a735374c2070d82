import { describe, expect, it } from "vitest";
import type { Sensitivity } from "../../../src/text/secrets/assignments.ts";
import { findSecrets } from "../../../src/text/secrets/redact.ts";
import {
  type CorpusLine,
  createDice,
  knownKeys,
  plainCode,
  plainSettings,
  secretsInCode,
  secretSettings,
} from "./corpus.ts";
import { workFromNow } from "../../work.ts";

const isNamed = (name: string): boolean => name === "MOTTO";

/** Replaces each secret in a text by its label. */
function shown(text: string, trust: Sensitivity = "credentials"): string {
  const { spans } = findSecrets(text, { sensitivity: trust, isSecretName: isNamed });
  return spans
    .toReversed()
    .reduce((so, { start, end, label }) => `${so.slice(0, start)}‹${label}›${so.slice(end)}`, text);
}

describe("secrets in settings", () => {
  it.each([
    ["DB_PASSWORD=hunter2", "DB_PASSWORD=‹DB_PASSWORD›"],
    ["DB_PASSWORD=two words # changed in May", "DB_PASSWORD=‹DB_PASSWORD› # changed in May"],
    ['export TOKEN="a \\"quoted\\" one"', 'export TOKEN="‹TOKEN›"'],
    ["clientSecret: 'abc1'\r\nport: 80", "clientSecret: '‹CLIENT_SECRET›'\r\nport: 80"],
    ['{"user":"me","password":"p4ss","port":1}', '{"user":"me","password":"‹PASSWORD›","port":1}'],
    ["//npm.test/:_authToken=abcd1234", "//npm.test/:_authToken=‹AUTH_TOKEN›"],
    ["machine a.test login me password s3cr", "machine a.test login me password ‹NETRC_PASSWORD›"],
    ["db.test:5432:*:me:s3:cr", "db.test:5432:*:me:‹PGPASS_PASSWORD›"],
    ["https://me:s3cr@git.test", "https://me:‹URL_PASSWORD›@git.test"],
    ["MOTTO=us", "MOTTO=‹MOTTO›"],
    ["PASSWORD=pässwörd", "PASSWORD=‹PASSWORD›"],
    ["PASSWORD=‹secret:PASSWORD#1›", "PASSWORD=‹secret:PASSWORD#1›"],
    ["PASSWORD=\nNEXT=1", "PASSWORD=\nNEXT=1"],
    ["PASSWORD_FILE=/run/secrets/db", "PASSWORD_FILE=/run/secrets/db"],
  ])("%s", (text, expected) => {
    expect(shown(text)).toBe(expected);
  });

  it("takes every line of a private key for itself, also across pieces", () => {
    const key = [
      "-----BEGIN RSA PRIVATE KEY-----",
      "A".repeat(64),
      "B".repeat(64),
      "Qw==",
      "-----END RSA PRIVATE KEY-----",
      "x",
    ];
    const masked = [key[0], "‹PRIVATE_KEY›", "‹PRIVATE_KEY›", "‹PRIVATE_KEY›", ...key.slice(4)].join("\n");
    expect(shown(key.join("\n"))).toBe(masked);
    expect(shown(key.join("\\n"))).toBe(masked.replaceAll("\n", "\\n"));
    const first = findSecrets(`${key.slice(0, 2).join("\n")}\n`, { sensitivity: "anything", isSecretName: isNamed });
    const rest = findSecrets(
      `${key.slice(2).join("\n")}\n`,
      { sensitivity: "anything", isSecretName: isNamed },
      first.endsInPrivateKey,
    );
    expect([first.spans.length, first.endsInPrivateKey, rest.spans.length, rest.endsInPrivateKey]).toEqual([
      1,
      true,
      2,
      false,
    ]);
  });
});

interface Score {
  readonly found: number;
  readonly missed: readonly string[];
  readonly wrong: readonly string[];
}

/** A secret counts as found when none of it is left, and as wrong what takes a line without one. */
function scored(lines: Iterable<CorpusLine>, trust: Sensitivity): Score {
  const missed: string[] = [];
  const wrong: string[] = [];
  let found = 0;
  for (const { line, secret } of lines) {
    const { spans } = findSecrets(line, { sensitivity: trust, isSecretName: isNamed });
    const start = secret === undefined ? -1 : line.indexOf(secret);
    const covers = spans.some((span) => span.start <= start && span.end >= start + (secret ?? "").length);
    if (secret === undefined && spans.length > 0) wrong.push(line);
    if (secret !== undefined && !covers) missed.push(line);
    if (secret !== undefined && covers) found++;
  }
  return { found, missed, wrong };
}

/** The numbers that are promised: at least this precise, at least this complete. */
describe("a corpus of made-up files", () => {
  const dice = createDice(7);
  const settings = [...secretSettings(dice, 400), ...knownKeys(dice, 20), ...plainSettings(dice, 100)];
  const code = [...secretsInCode(dice, 400), ...knownKeys(dice, 20), ...plainCode(dice, 100)];

  it.each([
    { name: "settings", trust: "credentials", lines: settings, precision: 0.99, recall: 0.99 },
    { name: "anything", trust: "anything", lines: code, precision: 0.99, recall: 0.97 },
  ] as const)("$name: precision $precision, recall $recall", ({ lines, trust, precision, recall }) => {
    const { found, missed, wrong } = scored(lines, trust);
    // What is wrong and missed is shown by the test that fails.
    expect(found / (found + wrong.length) >= precision ? [] : wrong.slice(0, 5)).toEqual([]);
    expect(found / (found + missed.length) >= recall ? [] : missed.slice(0, 5)).toEqual([]);
  });
});

describe("time", () => {
  it.each([
    ["one long word", (n: number) => "a".repeat(n)],
    ["separators", (n: number) => "a=".repeat(n / 2)],
    ["open quotes", (n: number) => `password="a'`.repeat(n / 12)],
    ["addresses", (n: number) => "x://a:b".repeat(n / 7)],
    ["dots", (n: number) => "eyJabcdefghijk.".repeat(n / 15)],
    ["bearers", (n: number) => "Bearer aaaaaaaaaaaaaaaaaaaaaaaa".repeat(n / 31)],
    ["keys that never end", (n: number) => "-----BEGIN PRIVATE KEY-----\n".repeat(n / 28)],
    ["dashes", (n: number) => "-".repeat(n)],
  ])("grows with the text and not faster: %s", (_, make) => {
    const spent = (size: number): number => {
      const text = make(size);
      const work = workFromNow();
      findSecrets(text, { sensitivity: "credentials", isSecretName: isNamed });
      return work();
    };
    spent(100_000);
    expect(spent(1_000_000)).toBeLessThan(3000);
  });
});
