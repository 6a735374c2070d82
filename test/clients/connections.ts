/** Says by what a client reaches us: a server of its own as a child process, or one that runs already. */
export type Connection =
  | {
      readonly kind: "stdio";
      readonly argv: readonly [string, ...string[]];
      readonly env: Readonly<Record<string, string>>;
    }
  | { readonly kind: "http"; readonly url: string; readonly token: string };

/** Returns the header by which a client shows its token. */
export const bearer = ({ token }: { readonly token: string }): Readonly<Record<string, string>> => ({
  authorization: `Bearer ${token}`,
});
