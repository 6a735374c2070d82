import { installedLibraries, type InstalledLibrary } from "../content/documents/installed-libraries.ts";

/** Says which documents can be read on this machine, for `doctor`. */
export type DocumentAbilities = readonly InstalledLibrary[];

export const documentAbilities = (): DocumentAbilities => installedLibraries();
