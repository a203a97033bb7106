import { symbolRules } from "../../../reads/index.js";
import { classicPlaceSpotOrderPolicy } from "../../policies/orders.js";
import type { Acknowledgement } from "../../policies/replies.js";
import { type Plan, plan } from "../../write.js";
import { type Planning, refuseBroken, refuseMissing } from "../mutation.js";
import { CLASSIC_SPOT_TPSL_FIELDS, chosenTriggers, classicSpotTpsl } from "../tpsl.js";
import { estimateOrder } from "./estimate.js";
import { brokenOffFutures, exitsOf, exposureOf, type PlaceOrder, quantityOf } from "./input.js";
import { numberRules } from "./numbers.js";

/** A spot order of a Classic account; with a trigger price it waits for that, and then it has no `clientOid`. */
export async function classicSpotPlacement(planning: Planning, order: PlaceOrder): Promise<Plan<Acknowledgement>> {
  const { reads, writes } = planning;
  refuseMissing("Classic spot", { ...chosenTriggers(order), marginMode: order.marginMode });
  refuseBroken(brokenOffFutures(order));
  const rules = await symbolRules(reads, "CLASSIC", "SPOT", order.symbol);
  const broken = await numberRules(reads, order, rules);
  const { triggerPrice, receiveWindow } = order;
  const { quantity, field } = quantityOf(order);
  const waits = triggerPrice !== undefined;
  return plan(
    classicPlaceSpotOrderPolicy,
    {
      symbol: rules?.symbol ?? order.symbol,
      side: order.side,
      orderType: order.orderType,
      // Required, and without effect on a market order.
      force: order.timeInForce ?? "gtc",
      price: order.price,
      size: quantity,
      clientOid: order.clientOid ?? (waits ? undefined : writes.newClientOid()),
      triggerPrice,
      tpslType: waits ? "tpsl" : undefined,
      requestTime: receiveWindow === undefined ? undefined : reads.now(),
      receiveWindow,
      stpMode: order.stpMode,
      ...classicSpotTpsl(order),
    },
    { ...CLASSIC_SPOT_TPSL_FIELDS, size: field, force: "timeInForce", tpslType: "triggerPrice" },
    () => broken(false),
    {
      exposure: { ...exposureOf(order, rules), exits: exitsOf(order) },
      estimate: (ahead) => estimateOrder({ planning, order, mode: "CLASSIC", rules, isHedged: false, ahead }),
    },
  );
}
