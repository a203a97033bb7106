import { type Clock, HOUR_MS } from "@exchange-graph/contract/clock";
import { AccountModes } from "./accountModes.js";
import { Accounts } from "./accounts.js";
import { Catalogue } from "./catalogue.js";
import { Debts } from "./funds/debts.js";
import { FinancialRecords } from "./funds/financialRecords.js";
import { IdSequence } from "./ids.js";
import { Ledger, ownerOf } from "./ledger.js";
import { Markets } from "./market/markets.js";
import { Moments } from "./moments.js";
import { mintHoldings, openAccounts } from "./opening/initialAccounts.js";
import { prepareHistories } from "./opening/initialHistory.js";
import { openTrades } from "./opening/trades.js";
import { OrderStore } from "./orders/orderStore.js";
import { Pasts } from "./pasts.js";
import { PositionStore } from "./positions/positionStore.js";
import { type State, usdtPrice } from "./state.js";
import { type Trading, tradingOver } from "./trading.js";
import { Transfers } from "./transfers.js";
import { Events } from "./worldEvents.js";
import { WorldTime } from "./worldTime.js";

export interface WorldOptions {
  readonly clock: Clock;
  /** Two worlds with equal seeds, clocks and calls are equal to the last byte. */
  readonly seed: string;
  /**
   * Without a past the accounts have only balances: no position, no loan, no history; and the market has no other participants.
   */
  readonly hasPast?: boolean;
  /**
   * Interval at which prices change, in ms: a multiple of 200 that divides a minute. A market that moves less often takes less
   * time to simulate. Default: 200.
   */
  readonly marketMs?: number | undefined;
  /** Creates further initial state: coins can be minted until it returns. */
  readonly found?: (world: World) => void;
}

/** The exchange without its interfaces. Call `advance` before each read and each call. */
export interface World extends Omit<Trading, "course"> {
  readonly state: State;
  readonly timeline: WorldTime;
  readonly transfers: Transfers;
  readonly modes: AccountModes;
  /** Processes market events for orders, trigger orders and positions since the last time. */
  advance(): void;
}

/** Time before the clock's present at which the accounts open their initial positions. */
const PROLOGUE_MS = 9 * HOUR_MS;

export function createWorld({ clock, seed, hasPast = true, marketMs, found }: WorldOptions): World {
  const timeline = new WorldTime(clock, clock.now() - (hasPast ? PROLOGUE_MS : 0), marketMs);
  const now = () => timeline.now();
  const ledger = new Ledger(now);
  const catalogue = new Catalogue(now());
  const events = new Events();
  const pasts = new Pasts();
  const state: State = {
    now,
    ledger,
    records: new FinancialRecords(ledger, pasts, now),
    catalogue,
    events,
    ids: new IdSequence(now),
    accounts: new Accounts(),
    markets: new Markets(seed, catalogue, timeline),
    debts: new Debts(ledger),
    orders: new OrderStore(pasts),
    positions: new PositionStore(pasts),
    moments: new Moments(() => timeline.tick, ledger, events),
    pasts,
  };
  const { course, ...trading } = tradingOver(state);
  const world: World = {
    ...trading,
    state,
    timeline,
    transfers: new Transfers(state),
    modes: new AccountModes(state, timeline, trading.service, trading.plans, trading.planStore),
    advance: () => timeline.advance(course),
  };
  timeline.begin(() => {
    openAccounts(state.accounts, now());
    mintHoldings(ledger, catalogue.coins, (coin) => usdtPrice(state, coin));
    if (!hasPast) return;
    prepareHistories(state, trading.planStore, seed);
    openTrades(state, trading);
  });
  world.advance();
  found?.(world);
  ledger.seal();
  ledger.onChange((wallet, coin) => {
    const uid = ownerOf(wallet);
    if (uid !== "house") events.emit({ kind: "balance", uid, wallet, coin });
  });
  return world;
}
