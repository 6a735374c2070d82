/** The key of the login is kept as long as the tab: a script of another origin can neither read nor guess it. */
const NAME = "holdfast-key";

/** Takes the key out of the address that the login leads to, so that it stays in no history and no copied link. */
export function takeKey(): void {
  const [, key] = /^#key=(.+)$/.exec(location.hash) ?? [];
  if (key === undefined) return;
  sessionStorage.setItem(NAME, decodeURIComponent(key));
  history.replaceState(null, "", `${location.pathname}#/timeline`);
}

export const loginKey = (): string => sessionStorage.getItem(NAME) ?? "";
