import type { Exact } from "@exchange-graph/contract/decimal";
import type { ProductCategory } from "@exchange-graph/contract/vocabulary";
import type { Accounts } from "./accounts.js";
import { type FuturesInstrument, type Instrument, isFutures } from "./catalogue/instrument.js";
import type { Catalogue } from "./catalogue.js";
import type { Debts } from "./funds/debts.js";
import type { FinancialRecords } from "./funds/financialRecords.js";
import type { IdSequence } from "./ids.js";
import type { Ledger } from "./ledger.js";
import type { Markets } from "./market/markets.js";
import type { Moments } from "./moments.js";
import type { OrderStore } from "./orders/orderStore.js";
import type { Pasts } from "./pasts.js";
import type { PositionStore } from "./positions/positionStore.js";
import type { Events } from "./worldEvents.js";

/** The state of the world. The trading rules operate on it. */
export interface State {
  /** Time of the world in Unix ms: the clock's, or while earlier ticks are processed, that of the tick. */
  readonly now: () => number;
  readonly ids: IdSequence;
  readonly ledger: Ledger;
  readonly records: FinancialRecords;
  readonly accounts: Accounts;
  readonly catalogue: Catalogue;
  readonly markets: Markets;
  readonly debts: Debts;
  readonly orders: OrderStore;
  readonly positions: PositionStore;
  readonly events: Events;
  readonly moments: Moments;
  readonly pasts: Pasts;
}

/** The instrument of a symbol of an order or a position. */
export const instrumentOf = ({ markets }: State, category: ProductCategory, symbol: string): Instrument =>
  markets.of(category, symbol).listing.instrument;

/** The futures contract of a symbol. Throws `RangeError` for other symbols. */
export function contractOf(state: State, category: ProductCategory, symbol: string): FuturesInstrument {
  const instrument = instrumentOf(state, category, symbol);
  if (!isFutures(instrument)) throw new RangeError(`${symbol} of ${category} is no futures contract`);
  return instrument;
}

export const markPrice = ({ markets }: State, category: ProductCategory, symbol: string): Exact =>
  markets.of(category, symbol).listing.price(markets.tick, "mark");

export const lastPrice = ({ markets }: State, category: ProductCategory, symbol: string): Exact =>
  markets.of(category, symbol).listing.price(markets.tick);

/** Price of a coin in USDT. Every coin of the catalogue has one. */
export function usdtPrice({ markets }: State, coin: string): Exact {
  const price = markets.usdtPrice(coin);
  if (price === undefined) throw new RangeError(`there is no price for ${coin}`);
  return price;
}
