import {
  classicCancelFuturesOrder,
  classicModifyFuturesOrder,
  classicPlaceFuturesOrder,
} from "@exchange-graph/contract/classicFuturesOrderWrites";
import { exact } from "@exchange-graph/contract/decimal";
import type { ParametersOf } from "@exchange-graph/contract/endpoint";
import { REFUSAL } from "@exchange-graph/contract/errors/refusal";
import type { FuturesCategory } from "@exchange-graph/contract/vocabulary";
import { Refused } from "../refused.js";
import type { PositionSide } from "../world/accounts.js";
import type { Side } from "../world/market/listing.js";
import type { Order, OrderRequest } from "../world/orders/order.js";
import type { OrderChange, OrderEntry } from "../world/orders/orderEntry.js";
import { closedBy, openedBy } from "../world/positions/position.js";
import type { State } from "../world/state.js";
import { type Handler, signed } from "./handler.js";
import { categoryOf, contractIn } from "./symbols.js";
import { changedTpsl, maybeExact, tpslTerms } from "./tpsl.js";
import { picked } from "./wire/fields.js";
import { idsOf, placed } from "./wire/order.js";

export function classicFuturesOrderWriteHandlers(state: State, entry: OrderEntry): readonly Handler[] {
  return [
    signed(classicPlaceFuturesOrder, ({ values, uid }) => {
      const category = categoryOf(values.productType);
      contractIn(state.markets, category, values);
      return placed(entry.place(futuresRequest(state, uid, category, values)));
    }),

    // A new price or size creates a new order, which has its own client id; changes of take-profit and stop-loss apply in place.
    signed(classicModifyFuturesOrder, ({ values, uid }) => {
      const old = entry.openOrder(uid, categoryOf(values.productType), values);
      const tpsl = {
        takeProfit: changedTpsl({ trigger: values.newPresetStopSurplusPrice }),
        stopLoss: changedTpsl({ trigger: values.newPresetStopLossPrice }),
      };
      return idsOf(isMoved(old, values) ? entry.replace(old, movedRequest(old, values, tpsl)).order : entry.modify(old, tpsl));
    }),

    signed(classicCancelFuturesOrder, ({ values, uid }) => idsOf(entry.cancel(uid, categoryOf(values.productType), values))),
  ];
}

type Placement = ParametersOf<typeof classicPlaceFuturesOrder>;

type Modification = ParametersOf<typeof classicModifyFuturesOrder>;
type TpslChanges = Pick<OrderChange, "takeProfit" | "stopLoss">;

/** Whether the change has another price or size. Both are required together. */
const isMoved = ({ price, quantity }: Order, { newPrice, newSize }: Modification): boolean =>
  newPrice !== undefined && newSize !== undefined && !(price?.eq(newPrice) && quantity.eq(newSize));

function movedRequest(old: Order, values: Modification, { takeProfit, stopLoss }: TpslChanges): OrderRequest {
  const { uid, category, symbol, side, orderType, timeInForce, stpMode, position } = old;
  return {
    ...{ uid, category, symbol, side, orderType, timeInForce, stpMode },
    price: maybeExact(values.newPrice),
    quantity: maybeExact(values.newSize),
    clientOid: values.newClientOid,
    posSide: position?.posSide,
    reduceOnly: position?.reduceOnly,
    marginMode: position?.marginMode,
    takeProfit: takeProfit === undefined ? old.takeProfit : (takeProfit ?? undefined),
    stopLoss: stopLoss === undefined ? old.stopLoss : (stopLoss ?? undefined),
  };
}

export function futuresRequest(state: State, uid: string, category: FuturesCategory, values: Placement): OrderRequest {
  const isHedged = state.accounts.of(uid).holdMode(category) === "hedge_mode";
  if (!isHedged && values.tradeSide !== undefined) throw new Refused(REFUSAL.positionModeMismatch);
  return {
    uid,
    category,
    ...picked(values, "symbol", "orderType", "clientOid", "marginMode", "stpMode"),
    price: maybeExact(values.price),
    quantity: exact(values.size),
    timeInForce: values.force,
    reduceOnly: values.reduceOnly === "yes",
    takeProfit: tpslTerms({ trigger: values.presetStopSurplusPrice, limit: values.presetStopSurplusExecutePrice }),
    stopLoss: tpslTerms({ trigger: values.presetStopLossPrice, limit: values.presetStopLossExecutePrice }),
    ...(isHedged ? hedged(values) : { side: values.side }),
  };
}

/**
 * In hedge mode the side is that of the position and `tradeSide` the operation: `buy` and `close` sells a long position. Without
 * a `tradeSide` the operation is unknown, and there is no position side.
 */
function hedged({ side, tradeSide }: Placement): { readonly side: Side; readonly posSide?: PositionSide } {
  if (tradeSide === undefined) return { side };
  const posSide = side === "buy" ? "long" : "short";
  return { posSide, side: tradeSide === "open" ? openedBy(posSide) : closedBy(posSide) };
}
