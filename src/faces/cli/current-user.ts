import { userInfo } from "node:os";

/** Who sits at this terminal, as the system knows them. One without an account still has a number. */
export function currentUser(): string {
  try {
    return userInfo().username;
  } catch {
    return `user ${process.getuid?.()}`;
  }
}
