import type { Exact } from "@exchange-graph/contract/decimal";
import type { ProductCategory } from "@exchange-graph/contract/vocabulary";
import type { MarginMode, PositionSide } from "../accounts.js";
import type { Side } from "../market/listing.js";
import type { ExecType, OrderType, StpMode, TimeInForce, TpslTerms } from "./order.js";

/**
 * A requested order, in v3's values: `side` is the side in the market, so closing a long position is a `sell` with `posSide`
 * long. Missing values are the exchange's defaults, or the account's settings.
 */
export interface OrderRequest {
  readonly uid: string;
  readonly category: ProductCategory;
  readonly symbol: string;
  readonly side: Side;
  readonly orderType: OrderType;
  /** Required for limit orders. */
  readonly price?: Exact | undefined;
  /** Base coin. Required for every order except a spot market buy. */
  readonly quantity?: Exact | undefined;
  /** Quote coin to spend, for a spot market buy. */
  readonly amount?: Exact | undefined;
  /** For limit orders. Default: `gtc`. */
  readonly timeInForce?: TimeInForce | undefined;
  readonly clientOid?: string | undefined;
  /** Required in hedge mode; ignored in one-way mode. */
  readonly posSide?: PositionSide | undefined;
  readonly reduceOnly?: boolean | undefined;
  readonly marginMode?: MarginMode | undefined;
  readonly stpMode?: StpMode | undefined;
  readonly takeProfit?: TpslTerms | undefined;
  readonly stopLoss?: TpslTerms | undefined;
  /** `normal` when missing. */
  readonly execType?: ExecType | undefined;
  readonly planId?: string | undefined;
}
