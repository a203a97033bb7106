interface ExitOrder {
  readonly triggerBy: string | null;
  readonly limitPrice: string | null;
}

/** A trigger order that is one exit of a position, or, as `TPSL`, both. */
interface ExitPlan {
  readonly planType: string | null;
  readonly triggerBy: string | null;
  readonly executePrice: string | null;
  readonly takeProfit: ExitOrder | null;
  readonly stopLoss: ExitOrder | null;
}

export const isZero = (text: string): boolean => /^0(?:\.0+)?$/.test(text);

/** What the price of an exit is compared with, and its limit price if it has one: both stay when it is moved. */
export function exitTerms(plan: ExitPlan, exit: "takeProfit" | "stopLoss") {
  const isPair = plan.planType === "TPSL";
  const compared = isPair ? plan[exit]?.triggerBy : plan.triggerBy;
  const triggerBy = (["MARK", "MARKET"] as const).find((word) => word === compared);
  const limitPrice = isPair ? plan[exit]?.limitPrice : plan.executePrice;
  return {
    ...(triggerBy !== undefined && { triggerBy }),
    ...(limitPrice && !isZero(limitPrice) && { executePrice: limitPrice }),
  };
}
