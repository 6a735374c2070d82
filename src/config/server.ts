import * as z from "zod";

/** Checks the name of an account, which is also the name of a file. */
export const accountName = z
  .string()
  .regex(/^[A-Za-z0-9][\w.-]{0,63}$/, 'use up to 64 letters, digits, "_", "-" and "."');

const account = z
  .strictObject({
    roots: z.array(z.string().min(1)).min(1).optional().describe("The directories of this account"),
    config: z
      .string()
      .min(1)
      .optional()
      .describe("A configuration file for this account instead of the user's own: its rules, tools and directories"),
    readOnly: z.boolean().optional().describe("Refuse all changes of this account"),
  })
  .refine(({ roots, config }) => roots || config !== undefined, "give it roots, or a config that has some");

const oauth = z.strictObject({
  issuer: z.url({ protocol: /^https?$/ }).describe("The authorization server that issues access tokens"),
  jwks: z.url({ protocol: /^https?$/ }).describe("The address of its public keys"),
  audience: z.string().min(1).optional().describe("The audience of tokens; default: the public address of /mcp"),
  scopes: z
    .record(z.string().min(1), accountName)
    .describe("The account of each scope; the first scope of this list that a token has decides"),
});

/** `server` of a configuration file: who may use the server that `holdfast up` starts. */
export const server = z.strictObject({
  accounts: z
    .record(accountName, account)
    .optional()
    .describe("More accounts, each with a token, directories and rules of its own; holdfast token <name> prints it"),
  oauth: oauth.optional().describe("Accept access tokens (JWT) of an authorization server as well"),
});

export type AccountConfig = z.output<typeof account>;
export type OAuthConfig = z.output<typeof oauth>;
