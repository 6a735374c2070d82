import type { App } from "../../app/app.ts";
import type { Options } from "../../app/options.ts";

/**
 * Names a principal that the server serves, with a token, and an app with directories and rules of its own. Everybody
 * with the token is the same to it. ("Principal" is what the history calls people and agents.)
 */
export interface Account {
  readonly name: string;
  readonly app: App;
  readonly options: Options;
}
