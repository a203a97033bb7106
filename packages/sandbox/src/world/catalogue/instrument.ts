import type { DecimalText } from "@exchange-graph/contract/decimal";
import type { FuturesCategory, MarketCategory } from "@exchange-graph/contract/vocabulary";

/** What can be traded, as the world knows it. Every list of symbols, contracts and instruments is rendered from this. */

/**
 * The state of trading. `gray` and `halt` are spot's; the others but `online` and `offline` are those of futures: not yet
 * launched, under maintenance, closed for what opens a position or for what closes one, and closed for programs.
 */
export type InstrumentStatus =
  | "online"
  | "gray"
  | "halt"
  | "offline"
  | "listed"
  | "maintain"
  | "limitOpen"
  | "limitClose"
  | "restricted";

/** When the state of trading changes, Unix ms. */
export interface Calendar {
  /** Before it the contract is listed, and not traded. */
  readonly launch?: number;
  /** The maintenance that is under way, or planned. */
  readonly maintain?: number;
  /** From then on positions are closed alone. */
  readonly limitOpen?: number;
  /** The delisting. */
  readonly off?: number;
}

/** A step of the position ladder: up to `maxValue` (in quote coin) this leverage, and this maintenance margin rate. */
export interface Tier {
  readonly maxValue: DecimalText;
  readonly leverage: number;
  readonly maintenanceRate: DecimalText;
}

/** When a delivery contract opens and ends, Unix ms. */
export interface Delivery {
  readonly startTime: number;
  readonly time: number;
  readonly period: "this_quarter" | "next_quarter";
}

/** What only futures have. */
interface Contract {
  readonly category: FuturesCategory;
  readonly marginCoin: string;
  /** Settled in the base coin: profit and margin are divided by the price. */
  readonly isInverse: boolean;
  readonly fundingHours: number;
  readonly maxLeverage: number;
  readonly tiers: readonly Tier[];
  readonly maxMarketQuantity: DecimalText;
  readonly delivery?: Delivery;
  readonly calendar?: Calendar;
}

/** How the house trades an instrument. */
export interface Making {
  /** The price path that it follows. */
  readonly underlying: string;
  /** How far above that path it trades, in parts per 100,000. */
  readonly premium: number;
  /** What one unit of activity trades, in base coin. A day has about 10^8 units. */
  readonly lot: DecimalText;
  /** Distance between two price levels of the house, in price steps. */
  readonly spacing: number;
  /** The most that the house offers on a level, in base coin. */
  readonly depth: DecimalText;
}

/** Something that can be traded. Futures have a contract besides. */
export interface Instrument {
  readonly category: MarketCategory;
  readonly symbol: string;
  readonly baseCoin: string;
  readonly quoteCoin: string;
  readonly status: InstrumentStatus;
  /** Decimals of a price; a price is a multiple of `priceStep` units of the last place. */
  readonly pricePrecision: number;
  readonly priceStep: number;
  readonly quantityPrecision: number;
  readonly quotePrecision: number;
  readonly minQuantity: DecimalText;
  readonly maxQuantity: DecimalText;
  /** Smallest value of an order, in USDT. */
  readonly minValue: DecimalText;
  readonly buyLimitRatio: DecimalText;
  readonly sellLimitRatio: DecimalText;
  readonly makerFeeRate: DecimalText;
  readonly takerFeeRate: DecimalText;
  /** Most open orders of one user on this symbol. */
  readonly maxOrders: number;
  readonly making: Making;
  readonly contract?: Contract;
}

/** An instrument that is a futures contract. */
export interface FuturesInstrument extends Instrument {
  readonly category: FuturesCategory;
  readonly contract: Contract;
}

/** Is it a futures contract? */
export const isFutures = (instrument: Instrument): instrument is FuturesInstrument => instrument.contract !== undefined;

/** The state of trading at a time (Unix ms): what has been delivered or delisted is traded no more. */
export function statusAt({ status, contract }: Instrument, at: number): InstrumentStatus {
  const { launch = 0, limitOpen = Number.POSITIVE_INFINITY, off = Number.POSITIVE_INFINITY } = contract?.calendar ?? {};
  if (at >= Math.min(off, contract?.delivery?.time ?? off)) return "offline";
  if (at < launch) return "listed";
  return at >= limitOpen ? "limitOpen" : status;
}
