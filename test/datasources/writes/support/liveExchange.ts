import { ManualClock } from "@exchange-graph/contract/clock";
import { SANDBOX_CREDENTIALS, type Sandbox, startSandbox } from "@exchange-graph/sandbox";
import type { Credential } from "@exchange-graph/sandbox/credentials";
import {
  type DataSource,
  type ExchangeAccount,
  type ExchangeSettings,
  RequestReads,
  type RequestWrites,
} from "../../../../src/datasources/index.js";
import { skipping } from "../../../support/eventually.js";
import { accountIn, exchangeOver, sandboxAccount } from "../../../support/exchangeOver.js";
import { writesOn } from "../../../support/writesOn.js";

export const UID = { main: "8800112233", classic: "8800112244", broker: "8800112255" } as const;
export type AccountName = keyof typeof UID;

/** A sandbox and a data source over it, both on one clock that advances only while a test waits. */
export interface LiveExchange {
  readonly clock: ManualClock;
  readonly sandbox: Sandbox;
  readonly exchange: DataSource;
  account(name: AccountName): ExchangeAccount;
  /** A request's reads. */
  reads(): RequestReads;
  /** A request's writes. */
  writes(): RequestWrites;
  /** Waits for something that itself waits for the clock, which goes on a little with each turn of the event loop. */
  during<T>(waiting: Promise<T>): Promise<T>;
  /** Lets so much time pass, in the same steps. */
  pass(ms: number): Promise<void>;
  /** Waits until it is known whose the accounts are, for which time passes. */
  identified(): Promise<void>;
  /** Another process beside it, with the same settings but for these. */
  another(settings?: Partial<ExchangeSettings>): DataSource;
  /** Another process over the same journal, after the former one has ended. */
  restart(): Promise<DataSource>;
  close(): Promise<void>;
}

/** How much time passes with one turn of the event loop, in which a call on its way gets a little further. */
const STEP_MS = 2;

const START = Date.UTC(2026, 0, 5, 12);

/** Accounts of the sandbox as a gateway is given them. */
export const SANDBOX_ACCOUNTS: readonly ExchangeAccount[] = SANDBOX_CREDENTIALS.map((credential) =>
  sandboxAccount(Object.entries(UID).find(([, uid]) => uid === credential.uid)?.[0] ?? credential.key, credential),
);

export async function startLiveExchange(
  settings: Partial<ExchangeSettings> = {},
  { seed = "writes", credentials = [] }: { readonly seed?: string; readonly credentials?: readonly Credential[] } = {},
): Promise<LiveExchange> {
  const clock = new ManualClock(START);
  const sandbox = await startSandbox({ signedQuery: "decoded", clock, seed, hasPast: false, credentials });
  const open = (more: Partial<ExchangeSettings> = {}) =>
    exchangeOver(new URL(sandbox.url), {
      ...{ accounts: SANDBOX_ACCOUNTS, deadlineMs: 10_000, connections: 32, random: () => 0.5, clock },
      ...settings,
      ...more,
    });
  let exchange = open();
  const during = <T>(waiting: Promise<T>): Promise<T> => skipping(clock, STEP_MS, waiting);
  return {
    clock,
    sandbox,
    get exchange() {
      return exchange;
    },
    account: (name) => accountIn(exchange, name),
    reads: () => new RequestReads(exchange),
    writes: () => writesOn(exchange),
    during,
    pass: (ms) => skipping(clock, STEP_MS, new Promise((over) => clock.after(ms, over))),
    async identified() {
      await during(Promise.all(exchange.accounts.map((account) => exchange.writes.users.of(account))));
    },
    another: open,
    async restart() {
      await exchange.close();
      exchange = open();
      return exchange;
    },
    async close() {
      await exchange.close();
      await sandbox.close();
    },
  };
}
