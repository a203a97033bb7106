import { classicFuturesFillHistory, classicFuturesFills, classicSpotFills, fills } from "@exchange-graph/contract/fill";
import { isNamed } from "@exchange-graph/contract/letterCase";
import type { ProductCategory } from "@exchange-graph/contract/vocabulary";
import { before } from "@exchange-graph/contract/window";
import type { Fill } from "../world/orders/order.js";
import type { State } from "../world/state.js";
import { type Handler, signed } from "./handler.js";
import { type HistoryQuery, type IdPage, pageBelow, within } from "./paging.js";
import { categoryOf } from "./symbols.js";
import { classicFuturesFill, classicSpotFill, unifiedFill } from "./wire/fill.js";

/** Maximum age in v3, and the default range of the v2 futures history. */
const UNIFIED_AGE = { days: 90 } as const;
const WEEK = { days: 7 } as const;

/** Executions of both API versions. */
export function fillHandlers(state: State): readonly Handler[] {
  const page = (
    uid: string,
    category: ProductCategory | undefined,
    query: HistoryQuery,
    below: string | undefined,
  ): IdPage<Fill> => {
    const { symbol, orderId } = query;
    const found = within(state.orders.fills(uid), query, ({ at }) => at).filter(
      (fill) =>
        (category ?? fill.category) === fill.category &&
        isNamed(fill.symbol, symbol) &&
        (orderId ?? fill.orderId) === fill.orderId,
    );
    return pageBelow(found, ({ execId }) => execId, below, query.limit);
  };
  const futuresPage = (uid: string, category: ProductCategory, query: HistoryQuery, below: string | undefined) => {
    const { rows, lastId } = page(uid, category, query, below);
    return { fillList: rows.length === 0 ? null : rows.map(classicFuturesFill), endId: lastId ?? null };
  };

  return [
    signed(fills, ({ values, uid }) => {
      const startTime = values.startTime ?? before(state.now(), UNIFIED_AGE);
      const { rows, lastId } = page(uid, values.category, { ...values, startTime }, values.cursor);
      return { list: rows.length === 0 ? null : rows.map(unifiedFill), cursor: lastId ?? null };
    }),

    signed(classicSpotFills, ({ values, uid }) => page(uid, "SPOT", values, values.idLessThan).rows.map(classicSpotFill)),

    signed(classicFuturesFills, ({ values, uid }) => futuresPage(uid, categoryOf(values.productType), values, values.idLessThan)),

    signed(classicFuturesFillHistory, ({ values, uid }) => {
      const startTime = values.startTime ?? before(values.endTime ?? state.now(), WEEK);
      return futuresPage(uid, categoryOf(values.productType), { ...values, startTime }, values.idLessThan);
    }),
  ];
}
