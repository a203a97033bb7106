import type { FuturesCategory, ProductCategory } from "@exchange-graph/contract/vocabulary";
import { isFuturesCategory } from "../../reads/index.js";
import type { Plan } from "../write.js";
import { type Planning, refuseClassicMargin } from "./mutation.js";

type Planned<R> = Plan<R> | Promise<Plan<R>>;

/** The calls for a write about an order: the exchange has one for unified accounts, and two for Classic ones. */
interface Routes<R> {
  readonly unified: () => Planned<R>;
  readonly classicFutures: (category: FuturesCategory) => Planned<R>;
  readonly classicSpot: () => Planned<R>;
}

/** Plans a write about an order of this category by the account's mode. */
export async function planByMode<R>(
  { reads, account }: Planning,
  category: ProductCategory,
  { unified, classicFutures, classicSpot }: Routes<R>,
): Promise<Plan<R>> {
  if ((await reads.modeOf(account)) === "UNIFIED") return unified();
  if (isFuturesCategory(category)) return classicFutures(category);
  if (category === "MARGIN") refuseClassicMargin();
  return classicSpot();
}
