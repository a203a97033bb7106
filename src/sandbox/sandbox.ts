import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { type Clock, systemClock } from "../clock.js";
import type { Exact } from "../decimal.js";
import { ControlApi } from "./control/api.js";
import { Faults } from "./control/faults.js";
import { SkewedClock } from "./control/skewedClock.js";
import { type Credential, Credentials, SANDBOX_CREDENTIALS } from "./credentials.js";
import { accountHandlers } from "./handlers/account.js";
import { assetHandlers } from "./handlers/asset.js";
import { bookHandlers } from "./handlers/book.js";
import { candleHandlers } from "./handlers/candle.js";
import { catalogueHandlers } from "./handlers/catalogue.js";
import { deskHandlers } from "./handlers/desks.js";
import { fillHandlers } from "./handlers/fill.js";
import { futuresAccountHandlers } from "./handlers/futuresAccount.js";
import { instrumentHandlers } from "./handlers/instrument.js";
import { marketHandlers } from "./handlers/market.js";
import { orderReadHandlers } from "./handlers/orderReads.js";
import { positionHandlers } from "./handlers/position.js";
import { publicTradeHandlers } from "./handlers/publicTrade.js";
import { tickerHandlers } from "./handlers/ticker.js";
import { CallLog } from "./http/calls.js";
import { Dispatcher } from "./http/dispatch.js";
import { Gate } from "./http/gate.js";
import { RateLimits } from "./http/limits.js";
import { Router } from "./http/router.js";
import { exchangeServer } from "./http/server.js";
import { Accounts } from "./world/accounts.js";
import type { BackOffice } from "./world/backOffice.js";
import { Catalogue } from "./world/catalogue.js";
import { Desks } from "./world/desks.js";
import { Events } from "./world/events.js";
import { Debts } from "./world/funds/debts.js";
import { IdSequence } from "./world/ids.js";
import { Ledger, walletOf } from "./world/ledger.js";
import { Markets } from "./world/market/markets.js";
import { OrderStore } from "./world/orders/orderStore.js";
import { PositionStore } from "./world/positions/positionStore.js";
import type { State } from "./world/state.js";

export { SANDBOX_CREDENTIALS };

export interface SandboxOptions {
  readonly clock?: Clock;
  /** Two sandboxes with equal seeds, clocks and calls are equal to the last byte. */
  readonly seed?: string;
  readonly host?: string;
  /** 0 takes a free port. */
  readonly port?: number;
  /** Keys besides the promised three. */
  readonly credentials?: readonly Credential[];
  /** Off: calls over a rate limit are counted and answered all the same. */
  readonly enforceLimits?: boolean;
  /** Told of an error of the sandbox's own; the caller is answered HTTP 500. */
  readonly report?: (error: unknown) => void;
}

/** A running sandbox. */
export interface Sandbox {
  readonly url: string;
  readonly wsUrl: string;
  readonly faults: Faults;
  readonly clock: SkewedClock;
  readonly calls: CallLog;
  readonly limits: RateLimits;
  close(): Promise<void>;
}

/** Starts the exchange in a box. */
export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const { seed = "sandbox", host = "127.0.0.1", port = 0, credentials = [], enforceLimits = true } = options;
  const baseClock = options.clock ?? systemClock;
  const clock = new SkewedClock(baseClock);
  const ledger = new Ledger(() => clock.now());
  const ids = new IdSequence(() => clock.now());
  const accounts = openAccounts(clock.now());
  const catalogue = new Catalogue(clock.now());
  const markets = new Markets(seed, catalogue, () => clock.now());
  const office: BackOffice = {
    now: () => clock.now(),
    ledger,
    ids,
    usdtPrice: (coin) => priceOf(markets, coin),
    fundsOf: (uid) => walletOf(uid, accounts.of(uid).mode === "unified" ? "unified" : "spot"),
  };
  const state: State = {
    now: () => clock.now(),
    ids,
    ledger,
    accounts,
    catalogue,
    markets,
    debts: new Debts(ledger),
    orders: new OrderStore(),
    positions: new PositionStore(),
    events: new Events(),
  };
  const desks = new Desks(office, accounts, catalogue.coins);
  desks.open(seed);
  ledger.seal();
  const faults = new Faults(seed);
  const calls = new CallLog();
  // Limits are measured by the true clock: setting the exchange's hour back must not freeze its counters.
  const limits = new RateLimits(baseClock, enforceLimits);
  const dispatcher = new Dispatcher({
    router: new Router([
      ...marketHandlers(markets, clock),
      ...tickerHandlers(markets),
      ...bookHandlers(markets),
      ...candleHandlers(markets, () => clock.now()),
      ...publicTradeHandlers(markets),
      ...instrumentHandlers(catalogue, markets),
      ...catalogueHandlers(catalogue),
      ...accountHandlers(state),
      ...assetHandlers(state),
      ...futuresAccountHandlers(state, desks.broker),
      ...positionHandlers(state),
      ...orderReadHandlers(state),
      ...fillHandlers(state),
      ...deskHandlers(desks, catalogue.coins, () => clock.now()),
    ]),
    gate: new Gate(new Credentials([...SANDBOX_CREDENTIALS, ...credentials]), accounts, clock),
    limits,
    calls,
    isCopyTrader: (uid) => accounts.of(uid).isCopyTrader,
    clock,
    report: options.report ?? reportToStderr,
  });
  const control = new ControlApi({ faults, clock, calls, limits, ledger });
  const stopReviewing = desks.keepReviewing(clock);
  const server = exchangeServer({ dispatcher, faults, control, calls, clock });
  server.listen(port, host);
  await once(server, "listening");
  const address = `${host.includes(":") ? `[${host}]` : host}:${(server.address() as AddressInfo).port}`;
  return {
    url: `http://${address}`,
    wsUrl: `ws://${address}`,
    faults,
    clock,
    calls,
    limits,
    async close() {
      stopReviewing();
      server.close();
      server.closeAllConnections();
      await once(server, "close");
    },
  };
}

function openAccounts(now: number): Accounts {
  const accounts = new Accounts();
  for (const { uid } of SANDBOX_CREDENTIALS) {
    const mode = uid === "8800112233" ? "unified" : "classic";
    accounts.open({ uid, kind: "master", mode, createdTime: now, isNdBroker: uid === "8800112255" });
  }
  return accounts;
}

function priceOf(markets: Markets, coin: string): Exact {
  const price = markets.usdtPrice(coin);
  if (price === undefined) throw new RangeError(`${coin} has no price in USDT`);
  return price;
}

const reportToStderr = (error: unknown): void => {
  process.stderr.write(`sandbox: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
};
