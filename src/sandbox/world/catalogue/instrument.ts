import type { FuturesCategory, MarketCategory } from "../../../contract/vocabulary.js";
import type { DecimalText } from "../../../decimal.js";

/** What can be traded, as the world knows it. Every list of symbols, contracts and instruments is rendered from this. */

export type InstrumentStatus = "online" | "gray" | "halt" | "offline";

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

/** The state of trading at a time (Unix ms): what has been delivered is traded no more. */
export const statusAt = ({ status, contract }: Instrument, at: number): InstrumentStatus =>
  contract?.delivery !== undefined && at >= contract.delivery.time ? "offline" : status;
