declare const stored: unique symbol;

/**
 * Names an object in a store: a backup of something replaced or deleted, which no tool can reach. `objectFor` makes
 * one. Entries of a stored directory can be read and copied by appending their names to that of the directory.
 */
export type ObjectName = string & { readonly [stored]: true };
