import { graphql, type ResultOf } from "../../graph/document.js";
import type { Futures } from "../market.js";
import type { Instrument } from "./instrument.js";

export const FuturesSettingsOf = graphql(`
  query FuturesSettingsOf($account: String, $category: FuturesCategoryInput!, $symbol: String!) {
    account(name: $account) {
      futuresSettings(category: $category, symbol: $symbol) {
        symbol
        holdMode
        marginMode
        leverage
        isolatedLongLeverage
        isolatedShortLeverage
      }
    }
  }
`);

export type Settings = NonNullable<NonNullable<ResultOf<typeof FuturesSettingsOf>["account"]>["futuresSettings"]>;

export interface FuturesProps {
  readonly account: string;
  readonly category: Futures;
  readonly symbol: string;
  readonly settings: Settings | undefined;
  readonly instrument: Instrument | undefined;
}

/** Leverage of long and of short positions, which differs only with isolated margin; null if it is not known. */
export function leveragesOf(
  settings: Pick<Settings, "marginMode" | "leverage" | "isolatedLongLeverage" | "isolatedShortLeverage"> | undefined,
): { readonly long: string | null; readonly short: string | null } {
  const { marginMode, leverage = null, isolatedLongLeverage = null, isolatedShortLeverage = null } = settings ?? {};
  return leverage === null && marginMode === "ISOLATED"
    ? { long: isolatedLongLeverage, short: isolatedShortLeverage }
    : { long: leverage, short: leverage };
}
