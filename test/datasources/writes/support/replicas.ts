import { systemClock } from "@exchange-graph/contract/clock";
import { SANDBOX_CREDENTIALS, type Sandbox, startSandbox } from "@exchange-graph/sandbox";
import { Database } from "../../../../packages/replicas/src/database/database.js";
import { databaseStores } from "../../../../packages/replicas/src/journal/databaseStores.js";
import {
  createDataSource,
  type DataSource,
  type ExchangeAccount,
  type ExchangeSettings,
  Secret,
} from "../../../../src/datasources/index.js";
import { type PlaceOrderInput, placeOrder } from "../../../../src/datasources/writes/mutations/placeOrder.js";
import type { WriteProgress } from "../../../../src/instrumentation/events.js";
import { listen } from "../../../../src/instrumentation/instrumentation.js";
import { addressOf } from "../../../support/postgres.js";
import { ownInstrumentation } from "../../../support/searchedTelemetry.js";
import { writesOn } from "../../../support/writesOn.js";
import { UID } from "./liveExchange.js";

/** Accounts of the sandbox as a gateway is given them. */
const accounts: readonly ExchangeAccount[] = SANDBOX_CREDENTIALS.map(({ key, secret, passphrase, uid }) => ({
  name: Object.entries(UID).find(([, known]) => known === uid)?.[0] ?? key,
  credentials: { apiKey: new Secret(key), apiSecret: new Secret(secret), passphrase: new Secret(passphrase) },
  isCopyTrader: false,
}));

/** One of several data sources over one database. */
export interface Replica {
  readonly exchange: DataSource;
  readonly database: Database;
  /** Ends of writes that it has seen. */
  readonly ended: WriteProgress[];
  readonly account: ExchangeAccount;
  place(input: PlaceOrderInput): ReturnType<typeof placeOrder>;
  close(): Promise<void>;
}

/** A sandbox by the machine's clock. */
export const startSharedSandbox = (): Promise<Sandbox> =>
  startSandbox({ signedQuery: "decoded", seed: "replicas", hasPast: false, enforceLimits: false });

/** Opens a data source over a database that others share. `sandbox`: the exchange's address. */
export async function openReplica(
  url: string,
  sandbox: string,
  settings: Partial<ExchangeSettings> = {},
  name = "replica",
): Promise<Replica> {
  const database = await Database.open({ address: addressOf(url), name: "test", clock: systemClock });
  const ended: WriteProgress[] = [];
  const instrumentation = ownInstrumentation();
  listen(instrumentation, instrumentation.write, (write) => ended.push(write));
  const exchange = createDataSource({
    ...{
      baseUrl: new URL(sandbox),
      accounts,
      demo: false,
      deadlineMs: 10_000,
      connections: 8,
      cacheEntries: 1_000,
      cacheBytes: 4_000_000,
    },
    ...{ random: () => 0.5, writeStores: databaseStores(database, name) },
    instrumentation,
    ...settings,
  });
  await exchange.writes.journal.ready();
  await exchange.writes.writer.resume();
  const account = exchange.account("main");
  if (account === undefined) throw new Error("no account");
  return {
    ...{ exchange, database, ended, account },
    place: (input) => placeOrder(writesOn(exchange), account, input),
    async close() {
      await exchange.close();
      await database.close();
    },
  };
}
