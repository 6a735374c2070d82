/** Names the product on every wire. `npm run check` compares the version with package.json. */
export const PRODUCT = { name: "holdfast", title: "Holdfast", version: "0.1.0" } as const;

/** The prefix of names that only Holdfast gives, and that no tool shows or accepts. */
export const OWN_NAMES = ".holdfast-";

/** Names the hidden directory that holds backups of what was replaced or deleted. */
export const STORE_NAME = `${OWN_NAMES}store`;
