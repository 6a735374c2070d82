/**
 * The key of the login is kept for all tabs of this address: a link to a question opens a tab of its own. A script of
 * another origin, which includes its port, can neither read nor guess it, and it ends with the server that gave it.
 */
const NAME = "holdfast-key";

/** Takes the key out of the address that the login leads to, so that it stays in no history and no copied link. */
export function takeKey(): void {
  const [, key] = /^#key=(.+)$/.exec(location.hash) ?? [];
  if (key === undefined) return;
  localStorage.setItem(NAME, decodeURIComponent(key));
  history.replaceState(null, "", `${location.pathname}#/timeline`);
}

export const loginKey = (): string => localStorage.getItem(NAME) ?? "";

/** Calls the listener once another tab has logged in. Returns what ends that. */
export function onLogin(listener: () => void): () => void {
  const check = ({ key }: StorageEvent): void => void (key === NAME && listener());
  addEventListener("storage", check);
  return () => removeEventListener("storage", check);
}
