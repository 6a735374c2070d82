import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import { Fault } from "../../base/errors.ts";
import { accountName } from "../../config/server.ts";
import type { State } from "../../storage/state.ts";

/** Names the account of the user who starts the server. */
export const OWN_ACCOUNT = "default";

/** Keeps the bearer token of each account, in a file that only the user can read. */
export interface Tokens {
  /** Returns the token of an account. Makes one at the first use. */
  of(account: string): Promise<string>;
  /** Tells whether an account has a token. */
  has(account: string): boolean;
  /** Makes a new token. The old one is refused from now on, also by a server that runs. */
  rotate(account: string): Promise<string>;
  /** Returns which of the accounts a token belongs to. Compares with all of them, in constant time. */
  ownerOf(token: string, accounts: readonly string[]): string | undefined;
}

export function createTokens(state: State): Tokens {
  const write = (account: string): string => {
    const token = createServerSecret();
    state.write(fileOf(account), `${token}\n`);
    return token;
  };
  const read = (account: string): string | undefined => state.read(fileOf(account))?.trim() || undefined;
  return {
    of: async (account) => read(account) ?? (await state.locked(() => read(account) ?? write(account))),
    has: (account) => read(account) !== undefined,
    rotate: (account) => state.locked(() => write(account)),
    // Reads the files again each time: a token that was rotated counts at once.
    ownerOf(token, accounts) {
      const found = accounts.filter((account) => isSameSecret(token, read(account)));
      return found[0];
    },
  };
}

/** Makes a secret of ours. Its prefix tells scanners of secrets what it is, ours included: no answer shows it. */
export const createServerSecret = (): string => `holdfast_${randomBytes(32).toString("base64url")}`;

function fileOf(account: string): string {
  const { success, error } = accountName.safeParse(account);
  if (success) return `tokens/${account}`;
  throw new Fault(
    "invalid_input",
    `Cannot use the account ${JSON.stringify(account)}: ${error.issues[0]?.message ?? "its name is not valid"}`,
  );
}

/** Compares secrets by their digests, so that the time tells nothing about them. A missing secret equals none. */
export function isSameSecret(given: string, secret: string | undefined): boolean {
  const isSame = timingSafeEqual(digestOf(given), digestOf(secret ?? ""));
  return isSame && secret !== undefined;
}

const digestOf = (text: string): Buffer => createHash("sha256").update(text).digest();
