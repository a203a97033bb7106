import type { Clients } from "./access/clients.js";
import type { ConfiguredExchange } from "./config/config.js";
import { ConfigError } from "./config/configError.js";
import type { AccountSource } from "./config/configuredAccounts.js";
import type { RuleFiles } from "./config/ruleFiles.js";
import type { DataSource, ExchangeAccount } from "./datasources/index.js";
import { type LimitBook, readHalts } from "./datasources/writes/index.js";
import type { TrustedDocuments } from "./engine/documents/trustedDocuments.js";
import type { WatchedFile, WatchedFiles } from "./files/watchedFiles.js";
import type { Gateway } from "./gateway.js";
import type { Logger } from "./telemetry/logs/log.js";

/** Processes with a common journal share its halts. Removing the file ends no halt. */
export function followHalts(path: string, files: WatchedFiles, { writes: { halts } }: DataSource): void {
  files.watch({
    setting: "JOURNAL_PATH",
    paths: [path],
    read: () => readHalts(path),
    changed: (stored) => halts.takeOver(stored),
    gone: () => undefined,
  });
}

/** Applies changed rules between two calls. If a file is invalid, its former rules stay in effect. Returns the file of limits. */
export function followRules(
  { limits, withdrawals, trusted }: RuleFiles,
  {
    files,
    exchange: { writes, directory },
    clients,
    documents,
  }: {
    readonly files: WatchedFiles;
    readonly exchange: DataSource;
    readonly clients: Clients;
    readonly documents: TrustedDocuments | undefined;
  },
): WatchedFile | undefined {
  if (withdrawals !== undefined) files.watch({ ...withdrawals, changed: (addresses) => writes.allowWithdrawalsTo(addresses) });
  if (trusted !== undefined) files.watch({ ...trusted, changed: (manifest) => documents?.replace(manifest) });
  const { inForce } = writes.limits;
  return limits && files.watch({ ...limits, changed: (book) => inForce.replace(limitsOver(book, directory.all, clients)) });
}

/** Applies changed accounts between two calls, without a restart. */
export function followAccounts(
  source: AccountSource,
  files: WatchedFiles,
  exchange: DataSource,
  gateway: Gateway,
  limits: WatchedFile | undefined,
  log: Logger,
): void {
  const { directory, checkKeys } = exchange;
  directory.onChange(({ added, changed, removed }) => {
    const names = (accounts: readonly ExchangeAccount[]) => accounts.map(({ name }) => name);
    log.info({ added: names(added), changed: names(changed), removed: names(removed) }, "the accounts have changed");
    gateway.accountsChanged();
    // The file of limits is checked against the current accounts.
    limits?.readAgain();
    void checkKeys();
  });
  const failed = (error: unknown) => log.error({ err: error }, "unexpected error while accounts were replaced");
  files.watch({ ...source, changed: (accounts) => void exchange.replaceAccounts(accounts, USERS_MS).catch(failed) });
}

/** Maximum delay of changed accounts until the users of new keys are known. */
const USERS_MS = 3_000;

/** Limits for an unknown account or client are a mistake: the intended one would have no limits. */
export function limitsOver(
  limits: LimitBook,
  accounts: ConfiguredExchange["accounts"],
  clients: Pick<Clients, "unknown">,
): LimitBook {
  const names = accounts.map(({ name }) => name);
  const ofAccounts = [...limits.accounts.keys()]
    .filter((name) => name !== "*" && !names.includes(name))
    .map((name) => `.accounts.${name} must be an account: ${names.join(", ")}, or *`);
  const ofClients = [...limits.clients.keys()].flatMap((client) => {
    const rule = client === "*" ? undefined : clients.unknown(client);
    return rule === undefined ? [] : [`.clients.${client} ${rule}`];
  });
  const mistakes = [...ofAccounts, ...ofClients];
  if (mistakes.length === 0) return limits;
  throw new ConfigError(mistakes.map((mistake) => `LIMITS_FILE: ${mistake}`));
}
