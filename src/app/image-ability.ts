import { imageEngine, INSTALL_ENGINE } from "../content/images/engine.ts";

/** Says whether images are made to fit on this machine, for `doctor`. */
export interface ImageAbility {
  /** The version of the package that does it; absent where it is not installed, or does not run here. */
  readonly sharp?: string;
  /** The command that installs it, where it is missing. */
  readonly install?: string;
}

/** Loads the package to see that it runs. */
export async function imageAbilityOf(): Promise<ImageAbility> {
  const engine = await imageEngine();
  return engine ? { sharp: engine.versions.sharp ?? "" } : { install: INSTALL_ENGINE };
}
