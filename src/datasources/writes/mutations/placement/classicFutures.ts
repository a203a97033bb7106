import type { FuturesCategory } from "@exchange-graph/contract/vocabulary";
import { marginCoinOf, symbolRules } from "../../../reads/index.js";
import { classicPlaceFuturesOrderPolicy } from "../../policies/orders.js";
import type { Acknowledgement } from "../../policies/replies.js";
import { type Plan, plan } from "../../write.js";
import { type Planning, refuseBroken, refuseMissing } from "../mutation.js";
import { CLASSIC_FUTURES_TPSL_FIELDS, chosenTriggers, classicFuturesTpsl } from "../tpsl.js";
import { estimateOrder } from "./estimate.js";
import { brokenInHedgeMode, closesPosition, exposureOf, isClose, type PlaceOrder } from "./input.js";
import { numberRules } from "./numbers.js";

/**
 * A futures order of a Classic account. In hedge mode the exchange expects the position's direction as `side`, and whether it is
 * opened or closed as `tradeSide`: closing a long, a sell in the market, is sent as `buy` and `close`.
 */
export async function classicFuturesPlacement(
  planning: Planning,
  order: PlaceOrder,
  category: FuturesCategory,
): Promise<Plan<Acknowledgement>> {
  const { reads, writes, account } = planning;
  refuseMissing("Classic futures", {
    ...chosenTriggers(order),
    triggerPrice: order.triggerPrice,
    receiveWindow: order.receiveWindow,
  });
  const rules = await symbolRules(reads, "CLASSIC", category, order.symbol);
  const symbol = rules?.symbol ?? order.symbol;
  const marginCoin = marginCoinOf(category, rules);
  const { positionModes } = writes;
  const market = { account, mode: "CLASSIC", category, symbol, marginCoin } as const;
  const [{ isHedged, marginMode }, broken] = await Promise.all([
    positionModes.of(reads, market),
    numberRules(reads, order, rules),
  ]);
  if (isHedged) refuseBroken(brokenInHedgeMode(order));
  const { posSide, reduceOnly } = order;
  const direction = posSide === undefined ? undefined : posSide === "long" ? "buy" : "sell";
  return plan(
    classicPlaceFuturesOrderPolicy,
    {
      symbol,
      productType: category,
      marginMode: order.marginMode ?? marginMode,
      marginCoin,
      clientOid: order.clientOid ?? writes.newClientOid(),
      side: isHedged ? direction : order.side,
      tradeSide: isHedged ? (closesPosition(order) ? "close" : "open") : undefined,
      orderType: order.orderType,
      price: order.price,
      size: order.qty,
      force: order.timeInForce,
      reduceOnly: reduceOnly === true && !isHedged ? "yes" : undefined,
      ...classicFuturesTpsl(order),
      stpMode: order.stpMode,
    },
    {
      ...CLASSIC_FUTURES_TPSL_FIELDS,
      size: "qty",
      force: "timeInForce",
      productType: "category",
      side: isHedged ? "posSide" : "side",
    },
    () => broken(isHedged),
    {
      reducesRisk: isClose(order, isHedged),
      // Hedge mode refuses a reduce-only order of one-way mode, but not the reverse.
      stillReducesRisk: isHedged ? () => positionModes.isStillHedged(reads, market) : undefined,
      exposure: exposureOf(order, rules),
      estimate: (ahead) => estimateOrder({ planning, order, mode: "CLASSIC", rules, isHedged, ahead }),
    },
  );
}
