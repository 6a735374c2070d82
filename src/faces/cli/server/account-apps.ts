import { createApp } from "../../../app/app.ts";
import { mergeSettings, type MergedSettings } from "../../../app/merged-settings.ts";
import type { CommandOptions, Options } from "../../../app/options.ts";
import { Fault } from "../../../base/errors.ts";
import type { AccountConfig, OAuthConfig } from "../../../config/server.ts";
import { OWN_ACCOUNT } from "../../../runtime/server/tokens.ts";
import type { Account } from "../../http/accounts.ts";
import { chosenDialect } from "../chosen-dialect.ts";
import type { CliSettings } from "../flags.ts";
import { withPlugins } from "../with-plugins.ts";

/** Holds who may use the server. */
export interface Accounts {
  /** Lists all accounts; the first is the user's own. */
  readonly all: readonly [Account, ...Account[]];
  readonly oauth: OAuthConfig | undefined;
}

/** Reports to the operator. */
export type Reports = Pick<Options, "warn" | "onAlert" | "onNotice" | "onApprovalRequest">;

/** Opens the app of each account. Throws where one has no directory, or a scope leads to no account. */
export async function openAccounts(settings: CliSettings, own: MergedSettings, reports: Reports): Promise<Accounts> {
  const { accounts = {}, oauth } = own.loaded?.config.server ?? {};
  if (Object.hasOwn(accounts, OWN_ACCOUNT))
    throw accountFault(OWN_ACCOUNT, "that is the name of the account for the directories of the command line");
  requireAccounts(oauth, [OWN_ACCOUNT, ...Object.keys(accounts)]);
  const others = await Promise.all(
    Object.entries(accounts).map(
      async ([name, account]) => [name, await settingsOf(settings, own, name, account)] as const,
    ),
  );
  const first = await openAccount(OWN_ACCOUNT, own, reports);
  return { all: [first, ...(await openOthers(first, others, reports))], oauth };
}

/** Opens the other accounts. Closes those that are open if one of them cannot be opened. */
async function openOthers(first: Account, others: readonly (readonly [string, MergedSettings])[], reports: Reports) {
  const opened: Account[] = [];
  try {
    for (const [name, settings] of others) opened.push(await openAccount(name, settings, reports));
    return opened;
  } catch (error) {
    await closeAll({ all: [first, ...opened] });
    throw error;
  }
}

export const closeAll = async ({ all }: Pick<Accounts, "all">): Promise<void> =>
  void (await Promise.allSettled(all.map(({ app }) => app.close())));

async function openAccount(name: string, settings: MergedSettings, reports: Reports): Promise<Account> {
  const chosen = await withPlugins(settings, reports.warn);
  // Only the user can log in to the console.
  const consoleLinks = name === OWN_ACCOUNT;
  const options: CommandOptions = { ...chosen, ...reports, consoleLinks, dialect: await chosenDialect(chosen) };
  return { name, app: createApp(options), options };
}

/** Merges the settings of another account. It gets no directory that the configuration does not give to it. */
async function settingsOf(
  settings: CliSettings,
  own: MergedSettings,
  name: string,
  { roots = [], config, readOnly = false }: AccountConfig,
): Promise<MergedSettings> {
  if (roots.length > 0 && own.loaded?.isFixed(["roots"]))
    throw accountFault(name, "the configuration of this machine fixes the directories");
  const merged = await mergeSettings({
    ...settings,
    configFile: config ?? settings.configFile,
    rootsWith: () => roots,
    readOnly: settings.readOnly || readOnly,
    agentContext: { ...settings.agentContext, agent: name },
  });
  // All accounts share one state: the journal has to see every change of a directory.
  return { ...merged, ...(config === undefined && { sources: {} }), stateDirectory: own.stateDirectory };
}

function requireAccounts(oauth: OAuthConfig | undefined, names: readonly string[]): void {
  for (const [scope, name] of Object.entries(oauth?.scopes ?? {}))
    if (!names.includes(name))
      throw new Fault(
        "invalid_input",
        `Cannot use the scope ${JSON.stringify(scope)}: there is no account ${JSON.stringify(name)} in server.accounts`,
      );
}

const accountFault = (name: string, problem: string): Fault =>
  new Fault("invalid_input", `Cannot use the account ${JSON.stringify(name)} of the configuration: ${problem}`);
