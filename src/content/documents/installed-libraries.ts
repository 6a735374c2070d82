import { createRequire } from "node:module";
import { DOCUMENT_LIBRARIES } from "./library.ts";

/** Says whether a package that reads documents is installed. */
export interface InstalledLibrary {
  readonly package: string;
  readonly formats: string;
  readonly installed: boolean;
}

/** Looks for the optional packages without loading them. */
export const installedLibraries = (): readonly InstalledLibrary[] =>
  Object.entries(DOCUMENT_LIBRARIES).map(([name, formats]) => ({
    package: name,
    formats,
    installed: canResolve(name),
  }));

function canResolve(name: string): boolean {
  try {
    createRequire(import.meta.url).resolve(name);
    return true;
  } catch {
    // Whatever is wrong with the package, it cannot be loaded from here.
    return false;
  }
}
