import { systemClock } from "@exchange-graph/contract/clock";
import { type Sandbox, startSandbox } from "@exchange-graph/sandbox";
import { Database } from "../../../../packages/replicas/src/database/database.js";
import { databaseStores } from "../../../../packages/replicas/src/journal/databaseStores.js";
import type { DataSource, ExchangeAccount, ExchangeSettings } from "../../../../src/datasources/index.js";
import { type PlaceOrderInput, placeOrder } from "../../../../src/datasources/writes/mutations/placeOrder.js";
import type { WriteProgress } from "../../../../src/instrumentation/events.js";
import { listen } from "../../../../src/instrumentation/instrumentation.js";
import { accountIn, exchangeOver } from "../../../support/exchangeOver.js";
import { addressOf } from "../../../support/postgres.js";
import { ownInstrumentation } from "../../../support/searchedTelemetry.js";
import { writesOn } from "../../../support/writesOn.js";
import { SANDBOX_ACCOUNTS } from "./liveExchange.js";

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
  const exchange = exchangeOver(new URL(sandbox), {
    ...{ accounts: SANDBOX_ACCOUNTS, deadlineMs: 10_000, random: () => 0.5 },
    ...{ writeStores: databaseStores(database, name), instrumentation },
    ...settings,
  });
  await exchange.writes.journal.ready();
  await exchange.writes.writer.resume();
  const account = accountIn(exchange, "main");
  return {
    ...{ exchange, database, ended, account },
    place: (input) => placeOrder(writesOn(exchange), account, input),
    async close() {
      await exchange.close();
      await database.close();
    },
  };
}
