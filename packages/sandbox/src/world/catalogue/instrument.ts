import type { DecimalText } from "@exchange-graph/contract/decimal";
import type { FuturesCategory, MarketCategory } from "@exchange-graph/contract/vocabulary";

/** Tradable instruments. Every list of symbols, contracts and instruments is rendered from these records. */

/**
 * The trading status. `gray` and `halt` are spot's; `online` and `offline` are common; the others are those of futures: not yet
 * launched, under maintenance, closed for opening or for closing positions, and closed for API orders.
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

/** Times at which the trading status changes, Unix ms. */
export interface Calendar {
  /** Before this time the contract is listed but not traded. */
  readonly launch?: number;
  /** The maintenance in progress or planned. */
  readonly maintain?: number;
  /** From this time on positions can only be closed. */
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

/** Start and end of a delivery contract, Unix ms. */
export interface Delivery {
  readonly startTime: number;
  readonly time: number;
  readonly period: "this_quarter" | "next_quarter";
}

/** Fields of futures only. */
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

/** Parameters of the market maker for an instrument. */
export interface Making {
  /** Its price path. */
  readonly underlying: string;
  /** Premium over that path, in parts per 100,000. */
  readonly premium: number;
  /** Traded amount per unit of activity, in base coin. A day has about 10^8 units. */
  readonly lot: DecimalText;
  /** Distance between two generated price levels, in price steps. */
  readonly spacing: number;
  /** Maximum generated quantity per level, in base coin. */
  readonly depth: DecimalText;
}

/** A tradable instrument. Futures also have a contract. */
export interface Instrument {
  readonly category: MarketCategory;
  readonly symbol: string;
  readonly baseCoin: string;
  readonly quoteCoin: string;
  readonly status: InstrumentStatus;
  /** Decimals of a price. */
  readonly pricePrecision: number;
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
  /** Maximum number of open orders of one user on this symbol. */
  readonly maxOrders: number;
  readonly making: Making;
  readonly contract?: Contract;
}

export interface FuturesInstrument extends Instrument {
  readonly category: FuturesCategory;
  readonly contract: Contract;
}

export const isFutures = (instrument: Instrument): instrument is FuturesInstrument => instrument.contract !== undefined;

/** The trading status at a time (Unix ms): delivered and delisted instruments are not traded. */
export function statusAt({ status, contract }: Instrument, at: number): InstrumentStatus {
  const { launch = 0, limitOpen = Number.POSITIVE_INFINITY, off = Number.POSITIVE_INFINITY } = contract?.calendar ?? {};
  if (at >= Math.min(off, contract?.delivery?.time ?? off)) return "offline";
  if (at < launch) return "listed";
  return at >= limitOpen ? "limitOpen" : status;
}
