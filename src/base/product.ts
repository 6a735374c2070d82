/** Who we are on every wire. `npm run check` compares the version with package.json. */
export const PRODUCT = { name: "holdfast", title: "Holdfast", version: "0.1.0" } as const;

/** How names begin that only our own work has: nobody else gives them, and they are nobody else's business. */
export const OWN_NAMES = ".holdfast-";

/** The hidden directory that holds what was replaced or deleted. */
export const STORE_NAME = `${OWN_NAMES}store`;
