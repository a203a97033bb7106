import { errorRow } from "@exchange-graph/contract/errors";
import type { ProductCategory, StrategyType } from "@exchange-graph/contract/vocabulary";
import { Fault } from "../../errors/index.js";
import { isFuturesCategory } from "./categories.js";

/** A list of strategy orders of a unified account. */
export interface StrategyList {
  readonly category: ProductCategory;
  readonly type: StrategyType;
}

/** The lists that the exchange has had from the beginning. */
const isOld = ({ category, type }: StrategyList): boolean =>
  isFuturesCategory(category) && (type === "tpsl" || type === "trigger");

/**
 * A page of a list of strategy orders. The exchange does not say which kinds exist in which category: a list whose parameters it
 * refuses has no orders, so that it does not keep those of the others from being read.
 */
export async function pageOrNone<T>(list: StrategyList, reading: Promise<T>, none: T): Promise<T> {
  try {
    return await reading;
  } catch (error) {
    if (!isOld(list) && error instanceof Fault && isRefusedForParameters(error)) return none;
    throw error;
  }
}

const isRefusedForParameters = ({ code, extensions: { exchange } }: Fault): boolean =>
  code === "EXCHANGE_REJECTED" && exchange !== undefined && errorRow("v3", exchange.code)?.category === "validation";
