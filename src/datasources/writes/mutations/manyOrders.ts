import type { FuturesCategory, ProductCategory } from "@exchange-graph/contract/vocabulary";
import { marginCoinOf, type SymbolRules, symbolRules } from "../../reads/index.js";
import {
  cancelSymbolOrdersPolicy,
  classicCancelAllFuturesOrdersPolicy,
  classicCancelSpotSymbolOrdersPolicy,
  classicClosePositionsPolicy,
  closePositionsPolicy,
} from "../policies/bulk.js";
import { type BulkReply, bulkReply } from "../policies/replies.js";
import { plan } from "../writePlan.js";
import { type InputOf, mutation, type Planning, planByMode, refuse } from "./mutation.js";

/** Without a symbol all orders of the category; Classic spot requires one. */
type CancelAllOrdersInput = InputOf<typeof cancelSymbolOrdersPolicy>;

/** The rules of a symbol, if one is named. */
async function rulesOf(
  { reads, account }: Planning,
  category: ProductCategory,
  symbol: string | undefined,
): Promise<SymbolRules | undefined> {
  return symbol === undefined ? undefined : symbolRules(reads, await reads.modeOf(account), category, symbol);
}

/** Cancels the open orders of a category, or of one symbol in it, with one call. Trigger orders are not cancelled. */
export const cancelAllOrders = mutation<CancelAllOrdersInput, BulkReply>({
  name: "cancelAllOrders",
  reply: bulkReply,
  plan: async (planning, { category, symbol: named }) => {
    const symbol = (await rulesOf(planning, category, named))?.symbol ?? named;
    return planByMode(planning, category, {
      unified: () => plan(cancelSymbolOrdersPolicy, { category, symbol }),
      classicFutures: (productType) =>
        plan(classicCancelAllFuturesOrdersPolicy, { productType, symbol }, { productType: "category" }),
      classicSpot: () => plan(classicCancelSpotSymbolOrdersPolicy, { symbol }),
    });
  },
});

/** `posSide` in hedge mode only. */
type ClosePositionsInput = InputOf<typeof closePositionsPolicy>;

/** Closes the positions of a futures category at market, or those in one symbol or on one side of it. */
export const closePositions = mutation<ClosePositionsInput, BulkReply>({
  name: "closePositions",
  reply: bulkReply,
  plan: async (planning, { category, symbol: named, posSide }) => {
    const rules = await rulesOf(planning, category, named);
    const symbol = rules?.symbol ?? named;
    if (posSide !== undefined) await refuseOneWay(planning, category, symbol, rules);
    const risk = { reducesRisk: true };
    if ((await planning.reads.modeOf(planning.account)) === "UNIFIED")
      return plan(closePositionsPolicy, { category, symbol, posSide }, {}, () => [], risk);
    const fields = { productType: "category", holdSide: "posSide" };
    return plan(classicClosePositionsPolicy, { productType: category, symbol, holdSide: posSide }, fields, () => [], risk);
  },
});

/** In one-way mode the exchange ignores the side, and would close the position on the other one. */
async function refuseOneWay(
  { reads, writes, account }: Planning,
  category: FuturesCategory,
  symbol: string | undefined,
  rules: SymbolRules | undefined,
): Promise<void> {
  if (symbol === undefined) refuse("symbol", "must be given together with posSide");
  const marginCoin = (await reads.modeOf(account)) === "UNIFIED" ? undefined : marginCoinOf(category, rules);
  const { isHedged } = await writes.positionModes.of(reads, { account, category, symbol, marginCoin });
  if (!isHedged) refuse("posSide", "must not be given in one-way mode, where a symbol has one position");
}
