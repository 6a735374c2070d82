import { userInfo } from "node:os";

/** Returns the user's name, or "user <uid>" for a user without an account. */
export function currentUser(): string {
  try {
    return userInfo().username;
  } catch {
    return `user ${process.getuid?.()}`;
  }
}
