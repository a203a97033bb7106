import type { Exact } from "@exchange-graph/contract/decimal";
import type { ProductCategory } from "@exchange-graph/contract/vocabulary";
import type { MarginMode, PositionSide } from "../accounts.js";
import type { Side } from "../market/listing.js";
import type { ExecType, ExitTerms, OrderType, StpMode, TimeInForce } from "./order.js";

/**
 * An order as it is asked for, in v3's words: `side` is what is done in the market, so closing a long is a `sell` with
 * `posSide` long. What is missing takes the exchange's default, or the account's setting.
 */
export interface OrderRequest {
  readonly uid: string;
  readonly category: ProductCategory;
  readonly symbol: string;
  readonly side: Side;
  readonly orderType: OrderType;
  /** Limit orders need one. */
  readonly price?: Exact | undefined;
  /** Base coin. Every order has one but the spot market buy. */
  readonly quantity?: Exact | undefined;
  /** Quote coin to spend: the spot market buy. */
  readonly amount?: Exact | undefined;
  /** Limit orders; `gtc` when missing. */
  readonly timeInForce?: TimeInForce | undefined;
  readonly clientOid?: string | undefined;
  /** Hedge mode needs one; one-way mode takes no notice. */
  readonly posSide?: PositionSide | undefined;
  readonly reduceOnly?: boolean | undefined;
  readonly marginMode?: MarginMode | undefined;
  readonly stpMode?: StpMode | undefined;
  readonly takeProfit?: ExitTerms | undefined;
  readonly stopLoss?: ExitTerms | undefined;
  /** `normal` when missing. */
  readonly execType?: ExecType | undefined;
  readonly planId?: string | undefined;
}
