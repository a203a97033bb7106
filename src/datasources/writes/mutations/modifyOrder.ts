import { type DecimalText, isZero } from "@exchange-graph/contract/decimal";
import type { Order } from "@exchange-graph/contract/order";
import { classicSpotOpenOrders } from "@exchange-graph/contract/orderReads";
import type { FuturesCategory, ProductCategory } from "@exchange-graph/contract/vocabulary";
import type { AccountMode } from "../../calls/index.js";
import { type ArgumentViolation, rowWhere } from "../../errors/index.js";
import { isFuturesCategory, MAX_FIRST, readOpenOrders, rowsOf, type SymbolRules, symbolRules } from "../../reads/index.js";
import { classicModifyFuturesOrderPolicy, classicReplaceSpotOrderPolicy, modifyOrderPolicy } from "../policies/orders.js";
import { type Acknowledgement, acknowledgement } from "../policies/replies.js";
import { brokenBy } from "../rules/orderRules.js";
import { type PlannedRisk, plan, type WriteOptions, type WritePlan } from "../writePlan.js";
import { mutation, type Planning, planByMode, refuseMissing, type WithoutNulls } from "./mutation.js";
import { brokenChangeNow, type EstimatedChange, estimateChange } from "./placement/estimateChange.js";
import { exitsOf, marketIn } from "./placement/placeOrderInput.js";
import {
  CLASSIC_SPOT_TPSL_FIELDS,
  chosenTriggers,
  classicSpotTpsl,
  type ExitInput,
  tpslPrices,
  UNIFIED_TPSL_FIELDS,
  unifiedTpsl,
} from "./tpsl.js";

type Exit = WithoutNulls<ExitInput> | undefined;

/** A change of a Classic spot order, by one of its identifiers. */
interface SpotChange {
  readonly symbol: string;
  readonly orderId?: string | undefined;
  readonly clientOid?: string | undefined;
  readonly takeProfit?: Exit;
  readonly stopLoss?: Exit;
}

/**
 * The exits of an order that is put in the place of this one. The exchange gives it those alone that are sent with it, so the ones
 * that do not change are read. A trigger price of 0 removes one. Throws `Fault` if they cannot be read.
 */
export async function exitsAfter(
  planning: Planning,
  { takeProfit, stopLoss, ...order }: SpotChange,
): Promise<{ readonly takeProfit: Exit; readonly stopLoss: Exit }> {
  const present = takeProfit === undefined || stopLoss === undefined ? await openSpotOrder(planning, order) : null;
  return {
    takeProfit: after(takeProfit, present?.takeProfit, present?.tpLimitPrice),
    stopLoss: after(stopLoss, present?.stopLoss, present?.slLimitPrice),
  };
}

type Price = DecimalText | null | undefined;

function after(change: Exit, triggerPrice: Price, limitPrice: Price): Exit {
  if (change !== undefined) return isZero(change.triggerPrice) ? undefined : change;
  return triggerPrice === null || triggerPrice === undefined ? undefined : { triggerPrice, limitPrice: limitPrice ?? undefined };
}

/** The order as its list has it: the exchange's look-up does not show exits. Null if it is not open. */
async function openSpotOrder({ reads, account }: Planning, { symbol, orderId, clientOid }: SpotChange): Promise<Order | null> {
  const fresh = reads.afresh(account, [classicSpotOpenOrders.name]);
  const filter = { category: "SPOT", symbol, tpslType: "normal" } as const;
  const orders = rowsOf(await readOpenOrders(fresh, account, filter, { first: MAX_FIRST }));
  return rowWhere(orders, (one) => (orderId === undefined ? one.clientOid === clientOid : one.orderId === orderId));
}

/** A change of an open order. A trigger price of 0 removes a take-profit or stop-loss. */
export interface ModifyOrderInput extends WriteOptions {
  readonly category: ProductCategory;
  readonly symbol: string;
  readonly orderId?: string | null | undefined;
  readonly clientOid?: string | null | undefined;
  readonly qty?: DecimalText | null | undefined;
  readonly price?: DecimalText | null | undefined;
  readonly takeProfit?: ExitInput | null | undefined;
  readonly stopLoss?: ExitInput | null | undefined;
  /** Cancel the order if it cannot be changed. */
  readonly autoCancel?: boolean | null | undefined;
  /** The client's own identifier of the new order, if the change creates one. */
  readonly newClientOid?: string | null | undefined;
}
type ModifyOrder = WithoutNulls<ModifyOrderInput>;

/** Changes an order: in place on a unified account, by a new order on a Classic one. */
export const modifyOrder = mutation<ModifyOrderInput, Acknowledgement>({
  name: "modifyOrder",
  reply: acknowledgement,
  namedBy: "newClientOid",
  plan: async (planning, change) => {
    const { category, symbol, autoCancel } = change;
    const rulesIn = (mode: AccountMode) => symbolRules(planning.reads, mode, category, symbol);
    const classicRules = async () => {
      const rules = await rulesIn("CLASSIC");
      refuseMissing("a Classic account", { ...chosenTriggers(change), autoCancel });
      return rules;
    };
    return planByMode(planning, category, {
      unified: async () => unifiedChange(planning, change, await rulesIn("UNIFIED")),
      classicFutures: async (futures) => classicFuturesChange(planning, change, futures, await classicRules()),
      classicSpot: async () => classicSpotChange(planning, change, await classicRules()),
    });
  },
});

const NOTHING_CHANGES = {
  argument: "qty",
  rule: "must be given with the price, unless the take-profit or the stop-loss changes",
};

/** The side of the order is not known here, so the distance from the market is not checked. */
function brokenIn({ category, qty, price, ...tpsl }: ModifyOrder, rules: SymbolRules | undefined): ArgumentViolation[] {
  // An order that only reduces a position has no minimum value.
  const order = { isMarket: false, closes: isFuturesCategory(category), qty, price, triggers: tpslPrices(tpsl) };
  return rules === undefined ? [] : brokenBy(order, rules, null);
}

/** A change counts with what it adds to the order. A new order in its place can trade the filled part again. */
function riskOf(estimated: EstimatedChange & { readonly change: ModifyOrder }): PlannedRisk {
  const { planning, rules, change, isReplaced } = estimated;
  const { qty, price, orderId, clientOid } = change;
  return {
    exposure: {
      ...marketIn(change, rules),
      qty,
      price,
      exits: exitsOf(change),
      field: qty === undefined ? "price" : "qty",
      stays: true,
      changes: { orderId, clientOid, isReplaced },
    },
    estimate: () => estimateChange(estimated),
    presentRules: () => brokenChangeNow(planning, rules, change),
  };
}

function unifiedChange(planning: Planning, change: ModifyOrder, rules: SymbolRules | undefined): WritePlan<Acknowledgement> {
  const { category, symbol, orderId, clientOid, qty, price, autoCancel, newClientOid } = change;
  refuseMissing("a unified account, which changes orders in place", { newClientOid });
  return plan(
    modifyOrderPolicy,
    {
      orderId,
      clientOid,
      qty,
      price,
      autoCancel: autoCancel === true ? "yes" : undefined,
      symbol: rules?.symbol ?? symbol,
      category,
      ...unifiedTpsl(change),
    },
    UNIFIED_TPSL_FIELDS,
    () => brokenIn(change, rules),
    riskOf({ planning, mode: "UNIFIED", rules, change, isReplaced: false }),
  );
}

/** Cancels the order and places another one with its exits, in one call. Price and quantity are both required. */
async function classicSpotChange(
  planning: Planning,
  terms: ModifyOrder,
  rules: SymbolRules | undefined,
): Promise<WritePlan<Acknowledgement>> {
  const { qty, price } = terms;
  // A change that lacks one of them is refused without a read.
  const exits = qty === undefined || price === undefined ? undefined : await exitsAfter(planning, terms);
  const change: ModifyOrder = { ...terms, takeProfit: exits?.takeProfit, stopLoss: exits?.stopLoss };
  return plan(
    classicReplaceSpotOrderPolicy,
    {
      symbol: rules?.symbol ?? change.symbol,
      price,
      size: qty,
      orderId: change.orderId,
      clientOid: change.clientOid,
      newClientOid: change.newClientOid ?? planning.writes.newClientOid(),
      ...classicSpotTpsl(change),
    },
    { ...CLASSIC_SPOT_TPSL_FIELDS, size: "qty" },
    () => brokenIn(change, rules),
    riskOf({ planning, mode: "CLASSIC", rules, change, isReplaced: true }),
  );
}

/** A new price or quantity creates a new order, whose identifier the change contains. */
function classicFuturesChange(
  planning: Planning,
  change: ModifyOrder,
  category: FuturesCategory,
  rules: SymbolRules | undefined,
): WritePlan<Acknowledgement> {
  const { qty, price, takeProfit, stopLoss } = change;
  const changesNothing = [qty, price, takeProfit, stopLoss].every((part) => part === undefined);
  const isReplaced = qty !== undefined || price !== undefined;
  refuseMissing("Classic futures", {
    "takeProfit.limitPrice": takeProfit?.limitPrice,
    "stopLoss.limitPrice": stopLoss?.limitPrice,
  });
  return plan(
    classicModifyFuturesOrderPolicy,
    {
      symbol: rules?.symbol ?? change.symbol,
      productType: category,
      orderId: change.orderId,
      clientOid: change.clientOid,
      newClientOid: change.newClientOid ?? planning.writes.newClientOid(),
      newSize: change.qty,
      newPrice: change.price,
      newPresetStopSurplusPrice: takeProfit?.triggerPrice,
      newPresetStopLossPrice: stopLoss?.triggerPrice,
    },
    {
      productType: "category",
      newSize: "qty",
      newPrice: "price",
      newPresetStopSurplusPrice: "takeProfit.triggerPrice",
      newPresetStopLossPrice: "stopLoss.triggerPrice",
    },
    () => (changesNothing ? [NOTHING_CHANGES] : brokenIn(change, rules)),
    riskOf({ planning, mode: "CLASSIC", rules, change, isReplaced }),
  );
}
