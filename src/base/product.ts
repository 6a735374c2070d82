/** Who we are on every wire. `npm run check` compares the version with package.json. */
export const PRODUCT = { name: "holdfast", title: "Holdfast", version: "0.1.0" } as const;

/** The hidden directory that holds what was replaced or deleted. */
export const STORE_NAME = ".holdfast-store";
