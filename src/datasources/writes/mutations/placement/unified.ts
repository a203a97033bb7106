import { isFuturesCategory, symbolRules } from "../../../reads/index.js";
import { placeOrderPolicy } from "../../policies/orders.js";
import type { Acknowledgement } from "../../policies/replies.js";
import { type Plan, plan } from "../../write.js";
import { type Planning, refuseBroken, refuseMissing } from "../mutation.js";
import { UNIFIED_TPSL_FIELDS, unifiedTpsl } from "../tpsl.js";
import { estimateOrder } from "./estimate.js";
import { brokenInHedgeMode, brokenOffFutures, exposureOf, isClose, type PlaceOrder, quantityOf } from "./input.js";
import { numberRules } from "./numbers.js";

/** An order of a unified account: the input's own fields, for any category. */
export async function unifiedPlacement(planning: Planning, order: PlaceOrder): Promise<Plan<Acknowledgement>> {
  const { reads, writes, account } = planning;
  const { positionModes } = writes;
  refuseMissing("a unified account", { triggerPrice: order.triggerPrice });
  const { category, receiveWindow } = order;
  const rules = await symbolRules(reads, "UNIFIED", category, order.symbol);
  const symbol = rules?.symbol ?? order.symbol;
  const market = isFuturesCategory(category) ? ({ account, mode: "UNIFIED", category, symbol } as const) : undefined;
  const [mode, broken] = await Promise.all([market && positionModes.of(reads, market), numberRules(reads, order, rules)]);
  const isHedged = mode?.isHedged === true;
  const isReduceOnly = order.reduceOnly === true && !isHedged;
  refuseBroken(isHedged ? brokenInHedgeMode(order) : isFuturesCategory(category) ? [] : brokenOffFutures(order));
  const { quantity, field } = quantityOf(order);
  return plan(
    placeOrderPolicy,
    {
      category,
      symbol,
      clientOid: order.clientOid ?? writes.newClientOid(),
      side: order.side,
      // Ignored in one-way mode. Hedge mode refuses an order without it: what only reduces in one mode cannot open in the other.
      posSide: isReduceOnly ? undefined : order.posSide,
      orderType: order.orderType,
      price: order.price,
      qty: quantity,
      timeInForce: order.timeInForce,
      // In hedge mode `side` and `posSide` already decide it.
      reduceOnly: isReduceOnly ? "yes" : undefined,
      stpMode: order.stpMode,
      marginMode: order.marginMode,
      ...unifiedTpsl(order),
      requestTime: receiveWindow === undefined ? undefined : reads.now(),
      receiveWindow,
    },
    { ...UNIFIED_TPSL_FIELDS, qty: field },
    () => broken(isHedged),
    {
      reducesRisk: market !== undefined && isClose(order, isHedged),
      stillReducesRisk: market && isHedged ? () => positionModes.isStillHedged(reads, market) : undefined,
      exposure: exposureOf(order, rules),
      estimate: (ahead) => estimateOrder({ planning, order, mode: "UNIFIED", rules, isHedged, ahead }),
    },
  );
}
